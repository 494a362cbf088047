import TablerEngine

/// A position in the value of an option, and the basic operations of every grammar.
///
/// Each grammar is a method in an extension; positions are byte offsets in the value.
struct GrammarCursor {
  /// The option whose value is read.
  let option: Option.ID

  /// The value, as typed.
  let text: String

  /// Its bytes.
  let bytes: [UInt8]

  /// The current position.
  var offset = 0

  /// Begins at the start of the value of `option`.
  init(_ text: String, of option: Option.ID) {
    self.option = option
    self.text = text
    bytes = Array(text.utf8)
  }

  /// The byte at the current position, or nil at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Whether everything is read.
  var isAtEnd: Bool { offset >= bytes.count }
}

// MARK: - Steps

extension GrammarCursor {
  /// Skips blanks and tabs.
  mutating func skipBlanks() {
    while let byte = next, byte == 32 || byte == 9 { offset += 1 }
  }

  /// Whether `mark` is at the current position.
  func stands(_ mark: String) -> Bool { bytes[offset...].starts(with: mark.utf8) }

  /// Consumes `mark` if it comes next.
  mutating func consume(_ mark: String) -> Bool {
    guard stands(mark) else { return false }
    offset += mark.utf8.count
    return true
  }

  /// Consumes a run of ASCII letters and hyphens, and returns it with its range.
  mutating func word() -> (text: String, range: Range<Int>) {
    let start = offset
    while let byte = next, byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x2D { offset += 1 }
    return (text(start..<offset), start..<offset)
  }

  /// Consumes an integer, perhaps with a minus; nil if there is none.
  mutating func integer() throws(GrammarError) -> Int? {
    let start = offset
    var end = offset + (next == UInt8(ascii: "-") ? 1 : 0)
    let digits = end
    while end < bytes.count, bytes[end] >= 0x30, bytes[end] <= 0x39 { end += 1 }
    guard end > digits else { return nil }
    offset = end
    guard let number = Int(text(start..<end)) else {
      throw error(.numberTooLarge(text(start..<end)), at: start..<end)
    }
    return number
  }

  /// Reads one item, and further ones after commas, up to the end.
  mutating func list<Item>(
    _ item: (inout GrammarCursor) throws(GrammarError) -> Item
  ) throws(GrammarError) -> [Item] {
    var items: [Item] = []
    repeat {
      skipBlanks()
      items.append(try item(&self))
      skipBlanks()
    } while consume(",")
    if stands(":") { throw needsQuotes() }
    guard isAtEnd else { throw expected(.comma) }
    return items
  }
}

// MARK: - Errors

extension GrammarCursor {
  /// The text of a range of bytes.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The option as typed: `--sort`.
  var spelling: String { Option[option].spelling }

  /// An error of some kind, about some bytes of the value.
  func error(_ kind: GrammarError.Kind, at range: Range<Int>) -> GrammarError {
    GrammarError(option: option, source: text, range: range, kind: kind)
  }

  /// The error for a mark that comes next although names may contain it only in quotes.
  func needsQuotes() -> GrammarError {
    error(.needsQuotes(Character(Unicode.Scalar(bytes[offset]))), at: offset..<offset + 1)
  }

  /// The error for a position where `wanted` is required.
  func expected(_ wanted: GrammarError.Expected) -> GrammarError {
    var end = offset
    if end < bytes.count {
      end += 1
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    }
    let found = end > offset ? text(offset..<end) : nil
    return error(.expected(wanted, found: found), at: offset..<end)
  }

  /// The error of an expression inside the value.
  func error(_ wrapped: ExpressionError) -> GrammarError {
    error(.expression(wrapped), at: wrapped.range)
  }

  /// The whole value as one expression.
  func expression() throws(GrammarError) -> SourceExpression {
    do {
      return try SourceExpression(text, option: spelling)
    } catch {
      throw self.error(error)
    }
  }

  /// The whole value as assignments, `COL = EXPR [where EXPR]`, separated by `;` or a newline.
  func assignments() throws(GrammarError) -> [Assignment] {
    do { return try Assignment.all(in: text, option: spelling) } catch { throw self.error(error) }
  }

  /// The whole value as aggregates, `COL = EXPR`, separated by commas.
  func aggregates() throws(GrammarError) -> [Assignment] {
    do { return try Assignment.aggregates(in: text, option: spelling) } catch { throw self.error(error) }
  }

  /// The whole value as a record, `COL = EXPR`, separated by commas.
  func record() throws(GrammarError) -> [Assignment] {
    do { return try Assignment.record(in: text, option: spelling) } catch { throw self.error(error) }
  }

  /// Reads an expression in parentheses that open here.
  mutating func parenthesizedExpression() throws(GrammarError) -> SourceExpression {
    do {
      return try SourceExpression(parenthesizedIn: text, option: spelling, at: offset, end: &offset)
    } catch {
      throw self.error(error)
    }
  }
}

/// Names and quoted texts.
extension GrammarCursor {
  /// Marks that end a bare name besides `,` and `:`.
  struct Stops: OptionSet {
    /// One bit for each mark.
    let rawValue: Int

    /// `=`.
    static let equalsSign = Stops(rawValue: 1)
    /// `..`.
    static let range = Stops(rawValue: 2)
  }

  /// A name as it was written.
  struct Name {
    /// The name without its quotes.
    var text: String
    /// Whether it was in quotes, so that nothing in it is syntax.
    var isQuoted: Bool
    /// Its range in the value, in bytes.
    var range: Range<Int>

    /// Whether the name is a pattern with `*` and `?`.
    var isGlob: Bool { !isQuoted && !text.contains("\"") && text.contains { $0 == "*" || $0 == "?" } }

    /// The column of that name: `@2` is a position, everything else a name.
    var column: ColumnReference {
      if !isQuoted, text.hasPrefix("@"), let position = Int(text.dropFirst()) { return .position(position) }
      return .name(text, isQuoted: isQuoted)
    }
  }

  /// Reads a bare or quoted name; blanks around it do not belong to it.
  mutating func name(_ wanted: GrammarError.Expected, stops: Stops = []) throws(GrammarError) -> Name {
    skipBlanks()
    defer { skipBlanks() }
    if let mark = next, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "`") {
      let start = offset
      return Name(text: try quoted(), isQuoted: true, range: start..<offset)
    }
    let range = try bareRange(stops)
    guard !range.isEmpty else { throw expected(wanted) }
    return Name(text: text(range), isQuoted: false, range: range)
  }

  /// Reads a text between quote marks, which are doubled inside.
  mutating func quoted() throws(GrammarError) -> String {
    let start = offset
    let mark = bytes[start]
    var content: [UInt8] = []
    offset += 1
    while let byte = next {
      offset += 1
      if byte == mark {
        guard next == mark else { return String(decoding: content, as: UTF8.self) }
        offset += 1
      }
      content.append(byte)
    }
    throw error(.unclosedQuote(Character(Unicode.Scalar(mark))), at: start..<start + 1)
  }

  /// Consumes a bare name, and returns its range without the blanks after it.
  private mutating func bareRange(_ stops: Stops) throws(GrammarError) -> Range<Int> {
    let start = offset
    var end = offset
    scan: while let byte = next {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ":"): break scan
      case UInt8(ascii: "=") where stops.contains(.equalsSign): break scan
      case UInt8(ascii: ".") where stops.contains(.range) && stands(".."): break scan
      case UInt8(ascii: "\"") where offset > start && bytes[offset - 1] == UInt8(ascii: "["):
        // A member in brackets, whose name may have any character.
        _ = try quoted()
        end = offset
        guard next == UInt8(ascii: "]") else { throw expected(.closingBracket) }
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        throw needsQuotes()
      default:
        offset += 1
        if byte != 32, byte != 9 { end = offset }
      }
    }
    return start..<end
  }
}

/// Texts.
extension GrammarCursor {
  /// `NAME=TEXT`; the text is everything that follows.
  mutating func argument() throws(GrammarError) -> (name: String, text: String) {
    let start = offset
    while let byte = next, byte != UInt8(ascii: "=") { offset += 1 }
    let name = text(start..<offset)
    guard Self.isIdentifier(name) else {
      throw error(.expected(.argumentName, found: name.isEmpty ? nil : name), at: start..<offset)
    }
    guard consume("=") else { throw expected(.equalsSign) }
    return (name, text(offset..<bytes.count))
  }

  /// `NAME=FILE`; the file is everything that follows.
  mutating func lookup() throws(GrammarError) -> Plan.Lookup {
    let (name, file) = try argument()
    if file.isEmpty { throw error(.expected(.file, found: nil), at: offset..<bytes.count) }
    return Plan.Lookup(name: name, path: FilePath(file))
  }

  /// Whether `$name` is possible in an expression.
  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && name.unicodeScalars.dropFirst().allSatisfy(\.properties.isXIDContinue)
  }

  /// A path into JSON, as for `--at`.
  func path() throws(GrammarError) -> JSONPath {
    guard let path = JSONPath(text) else { throw error(.notAPath, at: 0..<bytes.count) }
    return path
  }

  /// How lines are divided, as for `--pattern`: a name, or a pattern between slashes and its flags.
  func lineDivision() throws(GrammarError) -> LineDivision {
    if text == LineDivision.logfmtName { return .logfmt }
    let known = LinePattern.ServerLog(rawValue: text)
    let end = bytes.lastIndex(of: UInt8(ascii: "/"))
    guard known != nil || bytes.first == UInt8(ascii: "/") && (end ?? 0) > 0 else {
      throw error(.expected(.linePattern, found: text), at: 0..<bytes.count)
    }
    let place = end ?? 0
    guard let flags = known == nil ? PatternFlags(letters: text(place + 1..<bytes.count)) : [] else {
      throw error(.expected(.linePattern, found: text(place + 1..<bytes.count)), at: place + 1..<bytes.count)
    }
    let pattern: LinePattern?
    do { pattern = try LinePattern(known?.source ?? text(1..<place), flags: flags) } catch {
      throw self.error(ExpressionError(error, after: 1, of: text, option: spelling))
    }
    guard let pattern else { throw error(.noNamedGroup, at: 0..<bytes.count) }
    return .groups(pattern)
  }

  /// A pattern of dates, as for `--date-format`.
  func dateFormat() throws(GrammarError) -> DateFormat {
    guard let format = DateFormat(reading: text) else { throw error(.notADateFormat, at: 0..<bytes.count) }
    return format
  }

  /// A template with no fields other than `known`, as for `--auto-names`.
  func text(fields known: [String]) throws(GrammarError) -> String {
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
        if place + 1 < bytes.count, bytes[place + 1] == byte {
          place += 1
        } else {
          let end = bytes[place...].firstIndex(of: UInt8(ascii: "}")).map { $0 + 1 } ?? bytes.count
          let field = text(place..<max(end, place + 1))
          guard known.contains(field) else {
            throw error(.unknownField(field, known: known), at: place..<max(end, place + 1))
          }
          place = end - 1
        }
      }
      place += 1
    }
    return text
  }

  /// A text that is drawn unchanged, and so contains nothing that breaks a line.
  func drawable() throws(GrammarError) -> String {
    var place = 0
    for scalar in text.unicodeScalars {
      let length = Unicode.UTF8.width(scalar)
      if scalar.properties.generalCategory == .control {
        throw error(.controlCharacter, at: place..<place + length)
      }
      place += length
    }
    return text
  }

  /// `embed`, `inline`, `none` or `link:URL`.
  func styleSheet() throws(GrammarError) -> StyleSheet {
    switch text {
    case "inline": return .inline
    case "none": return .none
    case "embed": return .embed
    default:
      // The address is also part of the document's policy, whose parts end at `;` and `,` and blanks.
      let start = "link:".utf8.count
      let forbidden = Array("\"'<>;, \\`".utf8)
      for place in start..<max(start, bytes.count)
      where bytes[place] <= 0x20 || bytes[place] >= 0x7F || forbidden.contains(bytes[place]) {
        throw error(.notAnAddress, at: place..<place + 1)
      }
      return .link(String(text.dropFirst(start)))
    }
  }

  /// A language tag such as `pt-BR`.
  func language() throws(GrammarError) -> String {
    let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
    let isTag = subtags.allSatisfy { subtag in
      (1...8).contains(subtag.utf8.count) && subtag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    guard isTag, text.first?.isLetter == true else { throw error(.notALanguage, at: 0..<bytes.count) }
    return text
  }
}

/// Lengths.
extension GrammarCursor {
  /// Up to four lengths in CSS order, or named edges: `1 2`, `top=1,horizontal=2`.
  mutating func edges() throws(GrammarError) -> Edges {
    skipBlanks()
    if let next, next | 0x20 >= 0x61, next | 0x20 <= 0x7A { return try namedEdges() }
    var lengths = [try length()]
    while consumeSeparator() {
      if lengths.count == 4 { throw error(.tooManyLengths, at: offset..<bytes.count) }
      lengths.append(try length())
    }
    let top = lengths[0]
    let trailing = lengths.count > 1 ? lengths[1] : top
    let bottom = lengths.count > 2 ? lengths[2] : top
    let leading = lengths.count > 3 ? lengths[3] : trailing
    return Edges(top: top, trailing: trailing, bottom: bottom, leading: leading)
  }

  /// Consumes blanks or a comma; false at the end.
  private mutating func consumeSeparator() -> Bool {
    skipBlanks()
    if consume(",") {
      skipBlanks()
      return true
    }
    return !isAtEnd
  }

  private mutating func namedEdges() throws(GrammarError) -> Edges {
    var edges = Edges()
    _ = try list { (cursor) throws(GrammarError) in
      let word = cursor.word()
      let parts = Self.edges[word.text] ?? []
      if parts.isEmpty {
        if word.text.isEmpty { throw cursor.expected(.edge) }
        let suggestion = word.text.nearest(among: Self.edges.keys.sorted())
        throw cursor.error(.unknownEdge(word.text, suggestion: suggestion), at: word.range)
      }
      cursor.skipBlanks()
      guard cursor.consume("=") else { throw cursor.expected(.equalsSign) }
      let length = try cursor.length()
      for part in parts { edges[keyPath: part] = length }
    }
    return edges
  }

  private static let edges: [String: [WritableKeyPath<Edges, Length?> & Sendable]] = [
    "top": [\.top], "leading": [\.leading], "bottom": [\.bottom], "trailing": [\.trailing],
    "horizontal": [\.leading, \.trailing], "vertical": [\.top, \.bottom],
  ]

  /// One length as the whole value.
  mutating func wholeLength() throws(GrammarError) -> Length {
    let length = try length()
    skipBlanks()
    guard isAtEnd else { throw expected(.end) }
    return length
  }

  /// A number of bytes, `512M`, or a share of `whole`, `25%`.
  mutating func size(of whole: Int) throws(GrammarError) -> Int {
    guard let size = Size.bytes(text, of: whole) else {
      let unit = text.drop { $0.isASCII && $0.isNumber }
      if unit != text, Size.bytes("1" + unit, of: whole) != nil {
        throw error(.numberTooLarge(text), at: 0..<bytes.count)
      }
      throw expected(.size)
    }
    offset = bytes.count
    return size
  }

  /// `[ "-" ] number [ "px" | "em" ]`.
  private mutating func length() throws(GrammarError) -> Length {
    skipBlanks()
    let start = offset
    let amount = try number()
    let unit = word()
    switch unit.text {
    case "": return Length(amount)
    case "px": return Length(amount, .pixels)
    case "em": return Length(amount, .ems)
    default:
      if offset == start { throw expected(.length) }
      throw error(.unknownUnit(unit.text), at: unit.range)
    }
  }

  /// The longest length that every layout draws, in its unit.
  static let longest = 10_000

  /// The lengths that the option allows: space inside is never negative, space between may remove what
  /// padding added.
  private var lengths: ClosedRange<Int> {
    switch option {
    case .tablePadding, .rowPadding, .itemPadding: 0...Self.longest
    default: -Self.longest...Self.longest
    }
  }

  private mutating func number() throws(GrammarError) -> Double {
    let start = offset
    _ = consume("-")
    let hasDigits = consumeDigits()
    if stands("."), offset + 1 < bytes.count, Self.isDigit(bytes[offset + 1]) {
      offset += 1
      _ = consumeDigits()
    } else if !hasDigits {
      offset = start
      throw expected(.length)
    }
    let digits = bytes[start..<offset].filter { $0 != UInt8(ascii: "_") }
    let lengths = lengths
    guard let value = Double(String(decoding: digits, as: UTF8.self)), value >= Double(lengths.lowerBound),
      value <= Double(lengths.upperBound)
    else { throw error(.outOfRange(text(start..<offset), lengths), at: start..<offset) }
    return value
  }

  /// Whether a byte is a digit.
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// Consumes digits, and `_` between them.
  mutating func consumeDigits() -> Bool {
    guard let first = next, Self.isDigit(first) else { return false }
    while let byte = next, Self.isDigit(byte) || byte == UInt8(ascii: "_") { offset += 1 }
    return true
  }
}

/// Styles.
extension GrammarCursor {
  /// `word { blank word }`, as in `bold fg=red`; an empty value is plain.
  mutating func style() throws(GrammarError) -> Style { try styleWords(for: .header).style }

  /// `[ expr "->" ] style`, as in `weight > 100 -> bold`.
  ///
  /// - Parameter subject: what it styles: rows or cells.
  mutating func styleRule(for subject: GrammarError.StyleSubject) throws(GrammarError) -> StyleRule {
    skipBlanks()
    guard let arrow else { return try styleWords(for: subject) }
    if offset == arrow { throw expected(.condition) }
    var end = offset
    let condition: SourceExpression
    do {
      condition = try SourceExpression(beforeArrowIn: text, option: spelling, at: offset, end: &end)
    } catch { throw self.error(error) }
    offset = min(end + 2, bytes.count)
    var rule = try styleWords(for: subject)
    rule.condition = condition
    return rule
  }

  /// `colspec ":" rule`, as in `name: fg={color}`.
  mutating func cellStyleRule() throws(GrammarError) -> CellStyleRule {
    skipBlanks()
    let start = offset
    let columns = try columnSelector()
    let range = start..<offset
    guard consume(":") else { throw expected(.colonAndStyle) }
    return CellStyleRule(columns, in: text, range: range, try styleRule(for: .cell))
  }

  /// The end of a condition: the first `->` outside quote marks; `nil` if there is none.
  private var arrow: Int? {
    var quote: UInt8?
    for place in offset..<max(offset, bytes.count) {
      let byte = bytes[place]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "`") {
        quote = byte
      } else if byte == UInt8(ascii: ">"), place > offset, bytes[place - 1] == UInt8(ascii: "-") {
        return place - 1
      }
    }
    return nil
  }

  /// Reads words of a style up to the end.
  private mutating func styleWords(for subject: GrammarError.StyleSubject) throws(GrammarError) -> StyleRule {
    var rule = StyleRule()
    skipBlanks()
    if isAtEnd, subject != .header { throw expected(.styleWord) }
    let start = offset
    while !isAtEnd {
      try styleWord(into: &rule, for: subject)
      if let next, next != 32, next != 9 { throw expected(.styleWord) }
      skipBlanks()
    }
    if rule.isGradient, rule.style.background == nil, rule.background == nil {
      throw error(.gradientWithoutBackground, at: start..<bytes.count)
    }
    return rule
  }

  private static let attributes: [(word: String, path: WritableKeyPath<Style, Bool> & Sendable)] = [
    ("bold", \.isBold), ("dim", \.isDim), ("italic", \.isItalic), ("underline", \.isUnderlined),
    ("strike", \.isStruck), ("inverse", \.isInverse),
  ]

  /// The additional words that rules may contain, and what those style.
  private static let ruleWords:
    [(word: String, path: WritableKeyPath<StyleRule, Bool> & Sendable, subjects: [GrammarError.StyleSubject])] =
      [
        ("box", \.isBoxed, [.row]), ("swatch", \.isSwatch, [.cell]),
        ("gradient", \.isGradient, [.row, .cell]),
      ]

  private mutating func styleWord(
    into rule: inout StyleRule, for subject: GrammarError.StyleSubject
  ) throws(GrammarError) {
    let word = word()
    if let attribute = Self.attributes.first(where: { $0.word == word.text }) {
      rule.style[keyPath: attribute.path] = true
    } else if let attribute = Self.ruleWords.first(where: { $0.word == word.text }) {
      guard attribute.subjects.contains(subject) else {
        throw error(.foreignStyle(word.text, subject), at: word.range)
      }
      rule[keyPath: attribute.path] = true
    } else if word.text == "bar" || word.text == "heat" {
      guard subject == .cell else { throw error(.foreignStyle(word.text, subject), at: word.range) }
      if word.text == "bar" { rule.bar = try barRoom() } else { rule.heat = try heatColors() }
    } else if word.text == "fg" || word.text == "bg" {
      guard consume("=") else { throw expected(.equalsSign) }
      try color(isForeground: word.text == "fg", into: &rule, for: subject)
    } else if word.text.isEmpty {
      throw expected(.styleWord)
    } else if subject != .header, beginsCondition {
      throw lacksArrow(from: word.range, for: subject)
    } else {
      let known =
        Self.attributes.map(\.word) + Self.ruleWords.filter { $0.subjects.contains(subject) }.map(\.word)
        + (subject == .cell ? ["bar", "heat"] : []) + ["fg=", "bg="]
      let suggestion =
        Style.Color(name: word.text) != nil ? "fg=" + word.text : word.text.nearest(among: known)
      throw error(.unknownStyle(word.text, known: known, suggestion: suggestion), at: word.range)
    }
  }

  /// Whether an operator or a parenthesis follows, as in a condition.
  private var beginsCondition: Bool {
    let rest = bytes[offset...].drop { $0 == 32 || $0 == 9 }
    return rest.first.map("<>=!+-*/%(".utf8.contains) ?? false && !rest.starts(with: "->".utf8)
  }

  /// The error for a condition that does not end with `->`: `>`, `=>` or `:` may be meant as one if a style
  /// follows.
  private func lacksArrow(
    from word: Range<Int>, for subject: GrammarError.StyleSubject
  ) -> GrammarError {
    let marks = Array(">:".utf8)
    guard let mark = bytes.lastIndex(where: marks.contains), mark > offset else {
      return error(.noArrow(suggestion: nil), at: word)
    }
    var style = self
    style.offset = mark + 1
    let start = bytes[mark - 1] == UInt8(ascii: "=") ? mark - 1 : mark
    guard (try? style.styleWords(for: subject)) != nil else {
      return error(.noArrow(suggestion: nil), at: word)
    }
    let parts = [text(word.lowerBound..<start), text(mark + 1..<bytes.count)].map(\.trimmingBlanks)
    return error(.noArrow(suggestion: parts.joined(separator: " -> ")), at: start..<mark + 1)
  }

  /// A color, or in braces an expression for one.
  private mutating func color(
    isForeground: Bool, into rule: inout StyleRule, for subject: GrammarError.StyleSubject
  ) throws(GrammarError) {
    guard next == UInt8(ascii: "{") else {
      let color = try color()
      if isForeground { rule.style.foreground = color } else { rule.style.background = color }
      return
    }
    let start = offset
    var end = start
    let expression: SourceExpression
    do {
      expression = try SourceExpression(bracedIn: text, option: spelling, at: start + 1, end: &end)
    } catch { throw self.error(error) }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "}") else {
      offset = end
      throw expected(.closingBrace)
    }
    offset = end + 1
    if subject == .header { throw error(.foreignStyle(text(start..<offset), subject), at: start..<offset) }
    if isForeground { rule.foreground = expression } else { rule.background = expression }
  }

  /// What follows `bar`: the cells of the longest bar in parentheses, or nothing.
  private mutating func barRoom() throws(GrammarError) -> Int {
    guard consume("(") else { return StyleRule.usualBar }
    skipBlanks()
    let room = try cells(1...1000)
    skipBlanks()
    guard consume(")") else { throw expected(.closing) }
    return room
  }

  /// What follows `heat`: two colors or three in parentheses, or nothing.
  private mutating func heatColors() throws(GrammarError) -> HeatColors {
    guard consume("(") else { return .usual }
    var colors: [Style.Color] = []
    repeat {
      skipBlanks()
      colors.append(try color(endingAt: ",)"))
      skipBlanks()
    } while colors.count < 3 && consume(",")
    if colors.count < 2 { throw expected(.comma) }
    guard consume(")") else { throw expected(.closing) }
    return HeatColors(
      from: colors[0], through: colors.count == 3 ? colors[1] : nil, to: colors[colors.count - 1])
  }

  /// `red`, `bright-blue`, `#c00`, `#cc0000`.
  ///
  /// - Parameter marks: the characters that end it, besides blanks.
  private mutating func color(endingAt marks: String = "") throws(GrammarError) -> Style.Color {
    let start = offset
    while let byte = next, byte != 32, byte != 9, !marks.utf8.contains(byte) { offset += 1 }
    let name = text(start..<offset)
    if name.isEmpty { throw expected(.color) }
    if let color = Style.Color(name: name.lowercased()) { return color }
    throw error(.unknownColor(name, suggestion: Style.Color.nearestName(to: name)), at: start..<offset)
  }
}
