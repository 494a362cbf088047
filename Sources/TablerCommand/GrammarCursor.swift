import TablerEngine

/// A place within the value of an option, and the small steps that every grammar is made of.
///
/// Each grammar is a method in an extension; places are bytes of the value.
struct GrammarCursor {
  /// The option whose value is read.
  let option: Option.ID

  /// The value, as typed.
  let text: String

  /// Its bytes.
  let bytes: [UInt8]

  /// The place reached.
  var offset = 0

  /// Begins at the start of the value of `option`.
  init(_ text: String, of option: Option.ID) {
    self.option = option
    self.text = text
    bytes = Array(text.utf8)
  }

  /// The byte at the place, or nil at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Whether everything is read.
  var isAtEnd: Bool { offset >= bytes.count }
}

// MARK: - Steps

extension GrammarCursor {
  /// Passes blanks and tabs.
  mutating func skipBlanks() {
    while let byte = next, byte == 32 || byte == 9 { offset += 1 }
  }

  /// Whether `mark` stands at the place.
  func stands(_ mark: String) -> Bool { bytes[offset...].starts(with: mark.utf8) }

  /// Passes `mark` if it stands here.
  mutating func take(_ mark: String) -> Bool {
    guard stands(mark) else { return false }
    offset += mark.utf8.count
    return true
  }

  /// Passes a run of ASCII letters and hyphens, and tells where it stood.
  mutating func word() -> (text: String, range: Range<Int>) {
    let start = offset
    while let byte = next, byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x2D { offset += 1 }
    return (text(start..<offset), start..<offset)
  }

  /// Passes an integer, perhaps with a minus; nil where none stands.
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

  /// One item, and further ones after commas, up to the end.
  mutating func list<Item>(
    _ item: (inout GrammarCursor) throws(GrammarError) -> Item
  ) throws(GrammarError) -> [Item] {
    var items: [Item] = []
    repeat {
      skipBlanks()
      items.append(try item(&self))
      skipBlanks()
    } while take(",")
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

  /// The error of a kind, about some bytes of the value.
  func error(_ kind: GrammarError.Kind, at range: Range<Int>) -> GrammarError {
    GrammarError(option: option, source: text, range: range, kind: kind)
  }

  /// The error for a mark that names hold only in quotes, and that stands here.
  func needsQuotes() -> GrammarError {
    error(.needsQuotes(Character(Unicode.Scalar(bytes[offset]))), at: offset..<offset + 1)
  }

  /// The error for a place where `wanted` should stand.
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

  /// All of the value as one expression.
  func expression() throws(GrammarError) -> SourceExpression {
    do {
      return try SourceExpression(text, option: spelling)
    } catch {
      throw self.error(error)
    }
  }

  /// The whole value as assignments, `COL = EXPR [where EXPR]`, which `;` or a newline parts.
  func assignments() throws(GrammarError) -> [Assignment] {
    do { return try Assignment.all(in: text, option: spelling) } catch { throw self.error(error) }
  }

  /// An expression in parentheses, which open here.
  mutating func parenthesizedExpression() throws(GrammarError) -> SourceExpression {
    do {
      return try SourceExpression(parenthesizedIn: text, option: spelling, at: offset, end: &offset)
    } catch {
      throw self.error(error)
    }
  }
}
