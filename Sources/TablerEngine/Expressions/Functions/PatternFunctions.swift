/// The functions that take a pattern.
enum PatternFunctions {
  /// All of them, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "matches", [.text("s"), .pattern("re")], gives: .bool, "the same as s =~ re",
      example: "matches('Kiwi', /^k/i)", "true", sql: .translated,
      elsewhere: "regexp_matches regexp_match regexp_like regexp rlike match regex_match re_match test",
      .form { (binder, call) throws(ExpressionError) in
        let subject = try binder.text(call.arguments[0], call.user, call.source)
        return (try binder.match(subject.node, call.arguments[1], call.user, call.source), .bool)
      }),
    Function(
      "extract", [.text("s"), .pattern("re"), .optional(.number("group"))], gives: .text,
      "the match, or a group of it; null if there is none",
      example: "extract('fig 25 g', /(\\d+) g/, 1)", "25", sql: .translated,
      elsewhere: "regexp_extract regexp_substr regex_extract regexpextract capture search str_extract",
      .pattern { evaluator, text, matcher, rest in
        var group = 0
        if let node = rest.first {
          guard let asked = evaluator.integer(node) else { return .null }
          group = asked
        }
        guard matcher.nextCaptures(in: text, after: nil) != nil, matcher.groups.indices.contains(group),
          let range = matcher.groups[group]
        else { return .null }
        return .text(Array(copying: text.extracting(range)))
      }),
    Function(
      "extract_all", [.text("s"), .pattern("re")], gives: .list, "all matches, as a list",
      example: "extract_all('a1b22', /\\d+/)", #"["1","22"]"#, sql: .local,
      elsewhere: "regexp_extract_all findall find_all scan str_extract_all regexp_find_all",
      .pattern { evaluator, text, matcher, _ in
        var list = ListBuilder(limit: evaluator.context.longestText)
        var previous: Range<Int>?
        while let match = matcher.nextCaptures(in: text, after: previous) {
          list.append(text: text.extracting(match))
          if list.isFull { break }
          previous = match
        }
        return list.value ?? evaluator.tooLong("extract_all()")
      }),
    Function(
      "sub", [.text("s"), .pattern("re"), .text("to")], gives: .text, "s with the first match replaced by to",
      example: "sub('a-b-c', /-/, '+')", "a+b-c", sql: .translated,
      .pattern { replaced($1, $2, by: $3, all: false, &$0) }),
    Function(
      "gsub", [.text("s"), .pattern("re"), .text("to")], gives: .text, "s with every match replaced by to",
      example: "gsub('a1b22', /\\d+/, '<\\0>')", "a<1>b<22>", sql: .translated,
      elsewhere: "regexp_replace regex_replace re_sub re_replace regexpreplace replace_regex",
      .pattern { replaced($1, $2, by: $3, all: true, &$0) }),
    Function(
      "regex_escape", [.text("s")], gives: .text, "a pattern that matches s literally",
      example: "regex_escape('1.5')", "1\\.5", sql: .local, elsewhere: "regexp_escape re_escape quotemeta",
      .text { escaped($0) }),
  ]

  private static func replaced(
    _ text: Span<UInt8>, _ matcher: PatternMatcher, by arguments: [Node], all: Bool,
    _ evaluator: inout Evaluator
  ) -> Value {
    guard let node = arguments.first, let new = evaluator.text(node) else { return .null }
    let made = matcher.replacing(
      in: text, by: new.bytes(in: evaluator.batch), all: all, limit: evaluator.context.longestText)
    return made.map { .text($0) } ?? evaluator.tooLong(all ? "gsub()" : "sub()")
  }

  /// The text as a pattern that matches it literally.
  private static func escaped(_ text: Span<UInt8>) -> [UInt8] {
    let marks = Array(#"\.+*?()|[]{}^$/#-&~"#.utf8)
    var result: [UInt8] = []
    for index in text.indices {
      if marks.contains(text[index]) { result.append(UInt8(ascii: "\\")) }
      result.append(text[index])
    }
    return result
  }
}

extension PatternMatcher {
  /// The text with the first match, or all of them, replaced; nil if that makes it longer than `limit`.
  ///
  /// In the new text `\1` to `\9` are the groups, `\0` is the match, and `\\` a backslash.
  func replacing(in text: Span<UInt8>, by new: Span<UInt8>, all: Bool, limit: Int) -> [UInt8]? {
    var result: [UInt8] = []
    var offset = 0
    var previous: Range<Int>?
    while let match = nextCaptures(in: text, after: previous) {
      for index in offset..<match.lowerBound { result.append(text[index]) }
      append(new, filledFrom: text, to: &result)
      offset = match.upperBound
      previous = match
      if result.count > limit { return nil }
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
