/// The pieces of a template: text, and fields in braces that each row or a footer fills.
public struct Template: Equatable, Sendable {
  /// The pieces in order.
  let pieces: [Piece]

  /// One piece of a template.
  enum Piece: Equatable, Sendable {
    /// Text as it stands; braces are no longer doubled.
    case text([UInt8])
    /// `{expr:spec}`; without an expression it is the cell.
    case field(Expression?, FormatSpec?, Range<Int>)
  }

  /// Whether there is a field at all.
  public var hasFields: Bool {
    pieces.contains { piece in
      if case .field = piece { true } else { false }
    }
  }
}

/// Reads templates: `{expr:spec}`, `{expr}`, `{:spec}`, `{}`, and `{{` and `}}` for braces.
private struct TemplateParser {
  private let bytes: [UInt8]
  private let source: String
  private let option: String
  private let endsAtComma: Bool
  /// Where reading ended, in bytes.
  private(set) var offset: Int
  private var pieces: [Template.Piece] = []
  private var text: [UInt8] = []

  /// Starts at byte `start` of `source`.
  init(
    _ source: String, bytes: [UInt8]? = nil, option: String, start: Int = 0, endsAtComma: Bool = false
  ) {
    self.bytes = bytes ?? Array(source.utf8)
    self.source = source
    self.option = option
    self.endsAtComma = endsAtComma
    offset = min(max(start, 0), self.bytes.count)
  }

  /// The template up to the end, or to a comma outside braces.
  mutating func template() throws(ExpressionError) -> Template {
    guard bytes.count <= Lexer.longestSource else {
      throw error(.sourceTooLong(limit: Lexer.longestSource), Lexer.longestSource..<bytes.count)
    }
    while offset < bytes.count {
      let byte = bytes[offset]
      if endsAtComma, byte == UInt8(ascii: ",") { break }
      switch byte {
      case UInt8(ascii: "{") where isDoubled, UInt8(ascii: "}") where isDoubled:
        text.append(byte)
        offset += 2
      case UInt8(ascii: "{"): try readField()
      case UInt8(ascii: "}"): throw error(.unopenedBrace, offset..<offset + 1)
      default:
        text.append(byte)
        offset += 1
      }
    }
    endText()
    return Template(pieces: pieces)
  }
}

extension TemplateParser {
  private var isDoubled: Bool { offset + 1 < bytes.count && bytes[offset + 1] == bytes[offset] }

  private mutating func endText() {
    if !text.isEmpty { pieces.append(.text(text)) }
    text = []
  }

  private mutating func readField() throws(ExpressionError) {
    let start = offset
    endText()
    var parser = try Parser(
      source: source, bytes: bytes, option: option, start: start + 1, stop: .templateField)
    guard parser.end < bytes.count else { throw error(.unclosedBrace, start..<start + 1) }
    let expression = parser.isEmpty ? nil : try parser.whole()
    offset = parser.end
    var spec: FormatSpec?
    if bytes[offset] == UInt8(ascii: ":") { spec = try readSpec(openedAt: start) }
    offset += 1
    pieces.append(.field(expression, spec, start..<offset))
  }

  /// Reads what stands between the colon and the closing brace.
  private mutating func readSpec(openedAt start: Int) throws(ExpressionError) -> FormatSpec {
    let first = offset + 1
    guard let end = bytes[first...].firstIndex(of: UInt8(ascii: "}")) else {
      throw error(.unclosedBrace, start..<start + 1)
    }
    offset = end
    let spec = Array(bytes[first..<end])
    do {
      return try FormatSpec(spec.span)
    } catch .tooLarge {
      throw self.error(
        .formatTooLarge(String(decoding: spec, as: UTF8.self), limit: FormatSpec.limit), first..<end)
    } catch {
      throw self.error(.malformedFormat(String(decoding: spec, as: UTF8.self)), first..<end)
    }
  }

  private func error(_ kind: ExpressionError.Kind, _ range: Range<Int>) -> ExpressionError {
    ExpressionError(option: option, source: source, range: range, kind: kind)
  }
}

/// A template with the option it was written in, so that messages can show the place.
public struct SourceTemplate: Equatable, Sendable {
  /// The option, as in `--footer`.
  public let option: String

  /// The whole text given to the option.
  public let text: String

  /// Its pieces.
  public let template: Template

  /// Reads `text`, as it was given to `option`.
  public init(_ text: String, option: String) throws(ExpressionError) {
    var parser = TemplateParser(text, option: option)
    self.option = option
    self.text = text
    template = try parser.template()
  }

  /// Reads a template that stands inside `text`, up to a comma outside braces or the end.
  ///
  /// - Parameters:
  ///   - text: the whole text given to the option.
  ///   - bytes: its bytes, where somebody has them: it may hold many templates.
  ///   - option: the option, as typed.
  ///   - start: where the template begins, in bytes.
  ///   - end: set to the comma, or to the end, in bytes.
  public init(
    listedIn text: String, bytes: [UInt8]? = nil, option: String, at start: Int, end: inout Int
  ) throws(ExpressionError) {
    var parser = TemplateParser(text, bytes: bytes, option: option, start: start, endsAtComma: true)
    self.option = option
    self.text = text
    template = try parser.template()
    end = parser.offset
  }

  /// An expression of the template.
  func expression(_ expression: Expression) -> SourceExpression {
    SourceExpression(expression, in: text, option: option)
  }
}
