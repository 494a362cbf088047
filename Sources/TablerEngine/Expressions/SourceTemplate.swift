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
