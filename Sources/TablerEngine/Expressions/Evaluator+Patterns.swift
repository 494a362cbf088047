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
    _ matching: Function.Matching, _ subject: Node, _ source: Node.PatternSource, _ rest: [Node]
  ) -> Value {
    guard let text = text(subject), let matcher = matcher(of: source) else { return .null }
    let batch = batch
    return matching(&self, text.bytes(in: batch), matcher, rest)
  }
}
