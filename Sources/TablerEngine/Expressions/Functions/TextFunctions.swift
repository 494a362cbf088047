/// The functions on text; they count characters (Unicode scalars) unless they say cells.
enum TextFunctions {
  /// All of them, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "lower", [.text("s")], gives: .text, "in lower case", example: "lower('KIWI')", "kiwi",
      sql: .translated,
      elsewhere: "tolower to_lower lcase lowercase to_lowercase downcase ascii_downcase str_lower casefold",
      .text { CaseMapping.lowercased($0) }),
    Function(
      "upper", [.text("s")], gives: .text, "in upper case", example: "upper('Kiwi')", "KIWI",
      sql: .translated,
      elsewhere: "toupper to_upper ucase uppercase to_uppercase upcase ascii_upcase str_upper",
      .text { CaseMapping.uppercased($0) }),
    Function(
      "capitalize", [.text("s")], gives: .text, "first letter in upper case",
      example: "capitalize('KIWI')", "Kiwi", sql: .translated,
      elsewhere: "initcap proper titlecase ucfirst title_case", .text { CaseMapping.capitalized($0) }),
    Function(
      "length", also: ["len", "char_length"], [.textOrList("x")], gives: .number,
      "Unicode scalars, or items; also len(x), char_length(x)", example: "length('Kiwi')", "4",
      sql: .translated,
      elsewhere:
        "strlen character_length charlength char_len nchar str_len str_length string_length text_length count_chars",
      .count { UTF8Walk.count($0) }),
    Function(
      "width", [.text("s")], gives: .number, "number of display cells", example: "width('日本')", "4",
      sql: .local, elsewhere: "display_width strwidth wcswidth",
      .value { evaluator, arguments in
        guard let text = evaluator.text(arguments[0]) else { return .null }
        return .int(evaluator.context.metrics.width(of: text.bytes(in: evaluator.batch)))
      }),
    Function(
      "trim", [.text("s"), .optional(.text("chars"))], gives: .text,
      "without spaces, or chars, at both ends", example: "trim('  Kiwi ')", "Kiwi", sql: .core,
      elsewhere: "strip btrim trim_both strip_whitespace", .trimmed("trim()", (start: true, end: true))),
    Function(
      "ltrim", [.text("s"), .optional(.text("chars"))], gives: .text, "the same at the start only",
      example: "ltrim('007', '0')", "7", sql: .core, elsewhere: "lstrip trim_start trimstart trimleft",
      .trimmed("ltrim()", (start: true, end: false))),
    Function(
      "rtrim", [.text("s"), .optional(.text("chars"))], gives: .text, "the same at the end only",
      example: "rtrim('Kiwi...', '.')", "Kiwi", sql: .core,
      elsewhere: "rstrip trim_end trimend trimright chomp", .trimmed("rtrim()", (start: false, end: true))),
    Function(
      "squeeze", [.text("s")], gives: .text, "runs of white space become one space, ends trimmed",
      example: "squeeze('  a   b ')", "a b", sql: .translated,
      elsewhere: "clean clean_whitespace collapse_whitespace normalize_space", .text { squeezed($0) }),
    Function(
      "substr", also: ["substring"], [.text("s"), .number("start"), .optional(.number("count"))],
      gives: .text, "part of s from 1, or -1 (the last); also substring(s, ...)",
      example: "substr('Banana', 2, 3)", "ana", sql: .translated, elsewhere: "mid slice sub_string strsub",
      .value { evaluator, arguments in
        guard let text = evaluator.material(arguments[0], of: "substr()"),
          let start = evaluator.integer(arguments[1])
        else {
          return .null
        }
        var count: Int?
        if arguments.count > 2 {
          guard let asked = evaluator.integer(arguments[2]) else { return .null }
          count = max(asked, 0)
        }
        return .text(part(of: text.bytes(in: evaluator.batch), from: start, count: count))
      }),
    Function(
      "left", [.text("s"), .number("n")], gives: .text, "the first n characters",
      example: "left('Banana', 3)", "Ban", sql: .translated,
      .sized("left()") { part(of: $0, from: 1, count: max($1, 0)) }),
    Function(
      "right", [.text("s"), .number("n")], gives: .text, "the last n characters",
      example: "right('Banana', 2)", "na", sql: .translated,
      .sized("right()") { lastPart(of: $0, count: max($1, 0)) }),
    Function(
      "truncate", [.text("s"), .number("n")], gives: .text, "cut to n characters, the last of them …",
      example: "truncate('Banana', 4)", "Ban…", sql: .local, elsewhere: "shorten ellipsize abbreviate",
      .sized("truncate()") { truncated($0, to: $1) }),
    Function(
      "replace", [.text("s"), .text("from"), .text("to")], gives: .text, "s with every from replaced by to",
      example: "replace('Banana', 'an', 'o')", "Booa", sql: .core,
      elsewhere: "str_replace replace_all substitute ssub translate",
      .value { evaluator, arguments in
        guard let text = evaluator.material(arguments[0], of: "replace()"),
          let old = evaluator.text(arguments[1]),
          let new = evaluator.text(arguments[2])
        else { return .null }
        let batch = evaluator.batch
        let made = replaced(
          text.bytes(in: batch), old.bytes(in: batch), by: new.bytes(in: batch),
          limit: evaluator.context.longestText)
        return made.map { .text($0) } ?? evaluator.tooLong("replace()")
      }),
    Function(
      "split_part", [.text("s"), .text("sep"), .number("n")], gives: .text,
      "the nth part of s between seps; the first is 1", example: "split_part('a/b/c', '/', 2)", "b",
      sql: .translated, elsewhere: "substring_index nth_part",
      .value { evaluator, arguments in
        guard let text = evaluator.material(arguments[0], of: "split_part()"),
          let separator = evaluator.text(arguments[1]),
          let index = evaluator.integer(arguments[2])
        else { return .null }
        let batch = evaluator.batch
        return .text(part(index, of: text.bytes(in: batch), separator: separator.bytes(in: batch)))
      }),
    Function(
      "concat", [.repeated(.any("a"))], gives: .text, "the arguments joined; null is empty",
      example: "concat('a', null, 1)", "a1", sql: .translated,
      elsewhere: "str_concat strcat paste concatenate", .value { .optional($0.joined($1, nulls: true)) }),
    Function(
      "concat_ws", [.text("sep"), .repeated(.any("a"))], gives: .text,
      "the arguments joined with sep; nulls are skipped", example: "concat_ws('-', 'a', null, 1)", "a-1",
      sql: .translated, elsewhere: "textjoin text_join", .value { joined($1, &$0) }),
    Function(
      "contains", [.text("s"), .text("t")], gives: .bool, "whether s contains t",
      example: "contains('Banana', 'nan')", "true", sql: .translated,
      elsewhere: "includes include has_substr strcontains str_contains in_str icontains contain",
      .test { $0.firstRange(of: $1, from: 0) != nil }),
    Function(
      "starts_with", [.text("s"), .text("t")], gives: .bool, "whether s begins with t",
      example: "starts_with('Banana', 'Ban')", "true", sql: .translated,
      elsewhere: "startswith starts beginswith begins_with has_prefix hasprefix", .test { $0.hasPrefix($1) }),
    Function(
      "ends_with", [.text("s"), .text("t")], gives: .bool, "whether s ends with t",
      example: "ends_with('Banana', 'Ban')", "false", sql: .translated,
      elsewhere: "endswith ends has_suffix hassuffix", .test { $0.hasSuffix($1) }),
    Function(
      "position", [.text("s"), .text("t")], gives: .number,
      "where t begins in s; the start is 1; 0 if absent", example: "position('Banana', 'na')", "3",
      sql: .translated, elsewhere: "instr strpos charindex locate indexof index_of index find strfind",
      .value { evaluator, arguments in
        guard let text = evaluator.text(arguments[0]), let part = evaluator.text(arguments[1]) else {
          return .null
        }
        let bytes = text.bytes(in: evaluator.batch)
        guard let place = bytes.firstRange(of: part.bytes(in: evaluator.batch), from: 0) else {
          return .int(0)
        }
        return .int(UTF8Walk.count(bytes.extracting(0..<place)) + 1)
      }),
    Function(
      "lpad", [.text("s"), .number("n"), .optional(.text("c"))], gives: .text,
      "padded with c to n cells at the start", example: "lpad('7', 3, '0')", "007", sql: .local,
      elsewhere: "padleft pad_left padstart pad_start leftpad zfill", .padded(isLeft: true)),
    Function(
      "rpad", [.text("s"), .number("n"), .optional(.text("c"))], gives: .text,
      "padded with c to n cells at the end", example: "rpad('Kiwi', 6, '.')", "Kiwi..", sql: .local,
      elsewhere: "padright pad_right padend pad_end rightpad", .padded(isLeft: false)),
    Function(
      "repeat", [.text("s"), .number("n")], gives: .text, "s, n times", example: "repeat('ab', 3)", "ababab",
      sql: .translated, elsewhere: "rep strrep replicate rept",
      .value { evaluator, arguments in
        guard let text = evaluator.material(arguments[0], of: "repeat()"),
          let times = evaluator.integer(arguments[1])
        else {
          return .null
        }
        let made = repeated(
          text.bytes(in: evaluator.batch), times, limit: evaluator.context.longestText)
        return made.map { .text($0) } ?? evaluator.tooLong("repeat()")
      }),
    Function(
      "reverse", [.text("s")], gives: .text, "s backwards", example: "reverse('Kiwi')", "iwiK",
      sql: .translated, elsewhere: "strrev rev reversed", .text { reversed($0) }),
    Function(
      "format", [.text("fmt"), .repeated(.any("a"))], gives: .text, "fmt with {} and {:8.2f} filled in",
      example: "format('{}: {:.1f} g', name, weight)", "Banana: 118.0 g", sql: .local,
      elsewhere: "printf sprintf fmt to_char",
      .form { (binder, call) throws(ExpressionError) in try binder.format(call) }),
    Function(
      "levenshtein", [.text("a"), .text("b")], gives: .number, "number of edits from a to b",
      example: "levenshtein('kitten', 'sitting')", "3", sql: .local,
      elsewhere: "edit_distance editdist edit_dist", .value { distance($1, &$0) }),
  ]

  /// The maximum number of characters in a text that is compared letter by letter: for a longer one the
  /// distance is null.
  static let longestCompared = 4096

  /// The text with runs of blanks reduced to one and without blanks at its ends; any white space counts as a blank.
  static func squeezed(_ text: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var offset = 0
    var isGap = false
    while offset < text.count {
      let length = UTF8Walk.length(in: text, at: offset)
      if isWhiteSpace(text, at: offset) {
        isGap = true
      } else {
        if isGap, !result.isEmpty { result.append(32) }
        isGap = false
        for index in offset..<offset + length { result.append(text[index]) }
      }
      offset += length
    }
    return result
  }

  private static func isWhiteSpace(_ text: Span<UInt8>, at offset: Int) -> Bool {
    let byte = text[offset]
    if byte < 0x80 { return byte == 32 || (byte >= 9 && byte <= 13) }
    return UTF8Walk.scalar(in: text, at: offset)?.properties.isWhitespace ?? false
  }

  /// The text from its last character to its first.
  static func reversed(_ text: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    if !text.isPrintableASCII, let known = String(validating: Array(copying: text), as: UTF8.self) {
      for character in known.reversed() { result.append(contentsOf: character.utf8) }
      return result
    }
    let starts = starts(of: text)
    var end = text.count
    for start in starts.reversed() {
      for index in start..<end { result.append(text[index]) }
      end = start
    }
    return result
  }

  /// The text without any of some bytes at its ends.
  static func trimmed(_ text: Span<UInt8>, of bytes: ByteSet, _ sides: (start: Bool, end: Bool)) -> [UInt8] {
    var start = 0
    var end = text.count
    if sides.start { while start < end, bytes.contains(text[start]) { start += 1 } }
    if sides.end { while end > start, bytes.contains(text[end - 1]) { end -= 1 } }
    return Array(copying: text.extracting(start..<end))
  }

  /// A set of ASCII bytes, one bit each.
  struct ByteSet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The blank.
    static let blank = Self([32].span)

    /// Creates a set of bytes below 128.
    init(_ bytes: Span<UInt8>) {
      for index in bytes.indices {
        let bit: UInt64 = 1 &<< UInt64(bytes[index] & 63)
        if bytes[index] < 64 { low |= bit } else { high |= bit }
      }
    }

    /// Whether the byte is one of them.
    func contains(_ byte: UInt8) -> Bool {
      byte < 128 && (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
    }
  }

  /// The text without any of some characters at its ends.
  static func trimmed(_ text: Span<UInt8>, ofAny set: Span<UInt8>, _ sides: (start: Bool, end: Bool))
    -> [UInt8]
  {
    if set.isPrintableASCII { return trimmed(text, of: ByteSet(set), sides) }
    let members = Set(
      starts(of: set).map { start in
        Array(copying: set.extracting(start..<start + UTF8Walk.length(in: set, at: start)))
      })
    var bounds = starts(of: text)
    bounds.append(text.count)
    func isMember(_ place: Int) -> Bool {
      let character = Array(copying: text.extracting(bounds[place]..<bounds[place + 1]))
      return members.contains(character)
    }
    var first = 0
    var last = bounds.count - 1
    if sides.start { while first < last, isMember(first) { first += 1 } }
    if sides.end { while last > first, isMember(last - 1) { last -= 1 } }
    return Array(copying: text.extracting(bounds[first]..<bounds[last]))
  }

  /// `count` characters from the one at `start`, counted from 1, or from the end if negative.
  static func part(of text: Span<UInt8>, from start: Int, count: Int?) -> [UInt8] {
    var skipped = start &- 1
    var count = count
    if start < 0 {
      skipped = UTF8Walk.count(text) &+ start
    }
    if start == 0 || skipped < 0 {
      // Positions before the text use up part of the count.
      if let asked = count { count = max(asked &+ skipped, 0) }
      skipped = 0
    }
    let first = UTF8Walk.offset(after: skipped, in: text)
    let last = count.map { UTF8Walk.offset(after: $0, in: text, from: first) } ?? text.count
    return Array(copying: text.extracting(first..<last))
  }

  /// The last `count` characters.
  static func lastPart(of text: Span<UInt8>, count: Int) -> [UInt8] {
    let total = UTF8Walk.count(text)
    let first = UTF8Walk.offset(after: max(total - count, 0), in: text)
    return Array(copying: text.extracting(first..<text.count))
  }

  /// At most `count` characters, the last one `…` if some were cut.
  static func truncated(_ text: Span<UInt8>, to count: Int) -> [UInt8] {
    if count < 1 { return [] }
    if UTF8Walk.count(text) <= count { return Array(copying: text) }
    if !text.isPrintableASCII, let known = String(validating: Array(copying: text), as: UTF8.self) {
      if known.count <= count { return Array(copying: text) }
      return Array(known.prefix(count - 1).utf8) + Array("…".utf8)
    }
    return part(of: text, from: 1, count: count - 1) + Array("…".utf8)
  }

  /// The text repeated `times` times; nil if that is longer than `limit`.
  static func repeated(_ text: Span<UInt8>, _ times: Int, limit: Int) -> [UInt8]? {
    guard times > 0, text.count > 0 else { return [] }
    guard times <= limit / text.count else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(times * text.count)
    for _ in 0..<times {
      for index in text.indices { result.append(text[index]) }
    }
    return result
  }

  /// The text with every `old` replaced; nil if that makes it longer than `limit`.
  static func replaced(
    _ text: Span<UInt8>, _ old: Span<UInt8>, by new: Span<UInt8>, limit: Int
  ) -> [UInt8]? {
    guard old.count > 0 else { return Array(copying: text) }
    var result: [UInt8] = []
    var offset = 0
    while let place = text.firstRange(of: old, from: offset) {
      for index in offset..<place { result.append(text[index]) }
      for index in new.indices { result.append(new[index]) }
      offset = place + old.count
      if result.count > limit { return nil }
    }
    for index in offset..<text.count { result.append(text[index]) }
    return result
  }

  /// The part between separators, counted from 1, or from the end if negative; empty if there is none.
  static func part(_ number: Int, of text: Span<UInt8>, separator: Span<UInt8>) -> [UInt8] {
    guard separator.count > 0 else { return number == 1 || number == -1 ? Array(copying: text) : [] }
    var parts: [Range<Int>] = []
    var offset = 0
    while let place = text.firstRange(of: separator, from: offset) {
      parts.append(offset..<place)
      offset = place + separator.count
    }
    parts.append(offset..<text.count)
    let index = number < 0 ? parts.count &+ number : number &- 1
    return parts.indices.contains(index) ? Array(copying: text.extracting(parts[index])) : []
  }

  /// The text padded to `cells` display cells; a longer one is left unchanged.
  ///
  /// - Returns: nil if it would be longer than `limit`.
  static func padded(
    _ text: Span<UInt8>, to cells: Int, with filler: [UInt8], isLeft: Bool, limit: Int, _ metrics: TextMetrics
  ) -> [UInt8]? {
    let missing = max(cells, 0) - metrics.width(of: text)
    let step = metrics.width(of: filler.span)
    guard missing > 0, step > 0 else { return Array(copying: text) }
    guard missing / step < (limit - text.count) / filler.count else { return nil }
    let count = missing / step
    var padding: [UInt8] = []
    if filler.count == 1 {
      padding = Array(repeating: filler[0], count: count)
    } else {
      padding.reserveCapacity((count + 1) * filler.count)
      for _ in 0..<count { padding.append(contentsOf: filler) }
    }
    let rest = missing % step
    if rest > 0 {
      // A part of a longer filler, as many characters as fit.
      let span = filler.span
      var end = 0
      while end < span.count {
        let next = end + UTF8Walk.length(in: span, at: end)
        if metrics.width(of: span.extracting(0..<next)) > rest { break }
        end = next
      }
      padding.append(contentsOf: filler[0..<end])
    }
    return isLeft ? padding + Array(copying: text) : Array(copying: text) + padding
  }

  /// The number of characters to change, add or remove to turn one text into the other; nil if one is too long.
  ///
  /// - Complexity: O(*n* · *m*), for texts of *n* and *m* characters.
  static func distance(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int? {
    let left = scalars(left)
    let right = scalars(right)
    guard max(left.count, right.count) <= longestCompared else { return nil }
    var row = Array(0...right.count)
    for i in left.indices {
      var diagonal = row[0]
      row[0] = i + 1
      for j in right.indices {
        let cost = min(row[j + 1] + 1, row[j] + 1, diagonal + (left[i] == right[j] ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[right.count]
  }

  /// The distance between two arguments; one that is too long is counted as a misfit.
  private static func distance(_ arguments: [Node], _ evaluator: inout Evaluator) -> Value {
    guard let left = evaluator.text(arguments[0]), let right = evaluator.text(arguments[1]) else {
      return .null
    }
    let batch = evaluator.batch
    if let distance = distance(left.bytes(in: batch), right.bytes(in: batch)) { return .int(distance) }
    for (node, text) in zip(arguments, [left, right])
    where UTF8Walk.count(text.bytes(in: batch)) > longestCompared {
      if let cell = node.firstCell {
        evaluator.recordMisfit(evaluator.value(cell), from: cell, wanted: .comparedText)
      }
    }
    return .null
  }

  /// Texts joined by the first argument, ignoring nulls.
  private static func joined(_ arguments: [Node], _ evaluator: inout Evaluator) -> Value {
    guard let separator = evaluator.text(arguments[0])?.held(from: evaluator.batch) else { return .null }
    var bytes: [UInt8] = []
    var isFirst = true
    for node in arguments.dropFirst() {
      guard let text = evaluator.text(node) else { continue }
      if !isFirst { bytes.append(contentsOf: separator.held) }
      isFirst = false
      let batch = evaluator.batch
      let part = text.bytes(in: batch)
      if part.count > evaluator.context.longestText - bytes.count { return evaluator.tooLong("concat_ws()") }
      for index in part.indices { bytes.append(part[index]) }
    }
    return .text(bytes)
  }

  /// `format()` with a text given by each row; null if that is malformed.
  fileprivate static func formatted(_ arguments: [Node], _ evaluator: inout Evaluator) -> Value {
    guard let text = evaluator.text(arguments[0]),
      let format = FormatText(text.bytes(in: evaluator.batch))
    else { return .null }
    let made = format.filled(by: evaluator.values(Array(arguments.dropFirst())), evaluator)
    return made.map { .text($0) } ?? evaluator.tooLong("format()")
  }

  private static func starts(of text: Span<UInt8>) -> [Int] {
    var starts: [Int] = []
    var offset = 0
    while offset < text.count {
      starts.append(offset)
      offset += UTF8Walk.length(in: text, at: offset)
    }
    return starts
  }

  private static func scalars(_ text: Span<UInt8>) -> [UInt32] {
    starts(of: text).map { text.scalar(at: $0).value }
  }
}

extension Function.Body {
  /// Computes a text from a text and a whole number; nil for null.
  fileprivate static func sized(
    _ function: String, _ compute: @escaping @Sendable (Span<UInt8>, Int) -> [UInt8]?
  ) -> Function.Body {
    .value { evaluator, arguments in
      guard let text = evaluator.material(arguments[0], of: function),
        let size = evaluator.integer(arguments[1])
      else {
        return .null
      }
      return .optional(compute(text.bytes(in: evaluator.batch), size))
    }
  }

  /// Removes blanks, or the characters of a second argument, from the ends of a text.
  fileprivate static func trimmed(_ function: String, _ sides: (start: Bool, end: Bool)) -> Function.Body {
    .value { evaluator, arguments in
      guard let text = evaluator.material(arguments[0], of: function) else { return .null }
      guard arguments.count > 1 else {
        return .text(TextFunctions.trimmed(text.bytes(in: evaluator.batch), of: .blank, sides))
      }
      guard let set = evaluator.text(arguments[1]) else { return .null }
      let batch = evaluator.batch
      return .text(TextFunctions.trimmed(text.bytes(in: batch), ofAny: set.bytes(in: batch), sides))
    }
  }

  /// Pads a text to a number of display cells, with blanks or a third argument.
  fileprivate static func padded(isLeft: Bool) -> Function.Body {
    let function = isLeft ? "lpad()" : "rpad()"
    return .value { evaluator, arguments in
      guard let text = evaluator.material(arguments[0], of: function),
        let size = evaluator.integer(arguments[1])
      else {
        return .null
      }
      var filler: [UInt8] = [32]
      if arguments.count > 2 {
        guard let text = evaluator.text(arguments[2]) else { return .null }
        filler = Array(copying: text.bytes(in: evaluator.batch))
      }
      let made = TextFunctions.padded(
        text.bytes(in: evaluator.batch), to: size, with: filler, isLeft: isLeft,
        limit: evaluator.context.longestText, evaluator.context.metrics)
      return made.map { .text($0) } ?? evaluator.tooLong(function)
    }
  }
}

extension Binder {
  /// `format(fmt, a, ...)`; a literal text is parsed before the first row.
  fileprivate mutating func format(_ call: Call) throws(ExpressionError) -> (Node, StaticKind) {
    let nodes = try arguments(of: call).nodes
    guard case .text(let text) = nodes[0].constant else {
      return (.call(.value { TextFunctions.formatted($1, &$0) }, nodes), .text)
    }
    guard let format = FormatText(text.held.span) else {
      let spelled = String(decoding: text.held, as: UTF8.self)
      throw call.source.error(.malformedFormat(spelled), at: call.arguments[0].range)
    }
    return (.format(format, Array(nodes.dropFirst())), .text)
  }
}
