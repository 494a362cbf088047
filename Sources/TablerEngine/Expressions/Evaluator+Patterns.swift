/// The functions over patterns.
extension Evaluator {
  /// The matcher of a compiled pattern; made once for all rows.
  mutating func matcher(_ bound: Node.BoundPattern) -> PatternMatcher {
    while matchers.count <= bound.index { matchers.append(nil) }
    if let matcher = matchers[bound.index] { return matcher }
    let matcher = PatternMatcher(bound.pattern)
    matchers[bound.index] = matcher
    return matcher
  }

  /// The matcher of a pattern that may be brought by the row; nil where that is none.
  mutating func matcher(of source: Node.PatternSource) -> PatternMatcher? {
    switch source {
    case .compiled(let bound): return matcher(bound)
    case .dynamic(let node):
      guard let text = text(node) else { return nil }
      let bytes = Array(copying: text.bytes(in: batch))
      if let last = lastPattern, last.source == bytes { return last.matcher }
      let pattern = try? Pattern(String(decoding: bytes, as: UTF8.self))
      lastPattern = (bytes, pattern.map { PatternMatcher($0) })
      return lastPattern?.matcher
    }
  }

  /// The value of a function over a pattern.
  mutating func call(
    _ function: Function, _ subject: Node, _ source: Node.PatternSource, _ rest: [Node]
  ) -> Value {
    guard let text = text(subject), let matcher = matcher(of: source) else { return .null }
    let batch = batch
    let bytes = text.bytes(in: batch)
    switch function {
    case .matches: return .bool(matcher.matches(bytes))
    case .extract:
      var group = 0
      if let node = rest.first {
        guard let asked = integer(node) else { return .null }
        group = asked
      }
      guard matcher.nextCaptures(in: bytes, after: nil) != nil, matcher.groups.indices.contains(group),
        let range = matcher.groups[group]
      else { return .null }
      return .text(Array(copying: bytes.extracting(range)))
    case .sub, .gsub:
      guard let new = rest.first, let new = self.text(new) else { return .null }
      return .optional(matcher.replacing(in: bytes, by: new.bytes(in: batch), all: function == .gsub))
    default: return .null
    }
  }
}

extension PatternMatcher {
  /// The text with the first match, or all of them, replaced; nil if that makes it too long.
  ///
  /// In the new text `\1` to `\9` are the groups, `\0` is the match, and `\\` a backslash.
  func replacing(in text: Span<UInt8>, by new: Span<UInt8>, all: Bool) -> [UInt8]? {
    var result: [UInt8] = []
    var offset = 0
    var previous: Range<Int>?
    while let match = nextCaptures(in: text, after: previous) {
      for index in offset..<match.lowerBound { result.append(text[index]) }
      append(new, filledFrom: text, to: &result)
      offset = match.upperBound
      previous = match
      if result.count > TextFunctions.longestResult { return nil }
      if !all { break }
    }
    for index in offset..<text.count { result.append(text[index]) }
    return result
  }

  private func append(_ new: Span<UInt8>, filledFrom text: Span<UInt8>, to result: inout [UInt8]) {
    var index = 0
    while index < new.count {
      let byte = new[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < new.count else {
        result.append(byte)
        continue
      }
      let mark = new[index]
      index += 1
      guard mark.isDigit else {
        if mark != UInt8(ascii: "\\") { result.append(byte) }
        result.append(mark)
        continue
      }
      let number = Int(mark - UInt8(ascii: "0"))
      guard groups.indices.contains(number), let range = groups[number] else { continue }
      for place in range { result.append(text[place]) }
    }
  }
}
