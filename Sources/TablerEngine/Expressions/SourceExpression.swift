/// An expression as an option gave it: where it came from, how it was written, what it says.
public struct SourceExpression: Equatable, Sendable {
  /// The option, as typed: `--filter`.
  public let option: String

  /// The whole text given to the option; the ranges of `expression` count its bytes.
  public let text: String

  /// What the text says.
  public let expression: Expression

  /// Reads `text`, as it was given to `option`.
  public init(_ text: String, option: String) throws(ExpressionError) {
    var parser = try Parser(source: text, option: option)
    self.option = option
    self.text = text
    expression = try parser.whole()
  }

  /// Reads an expression in parentheses that stands inside `text`, as in `--sort '(weight / 2):desc'`.
  ///
  /// - Parameters:
  ///   - text: the whole text given to the option.
  ///   - option: the option, as typed.
  ///   - start: where the opening parenthesis stands, in bytes.
  ///   - end: set to where reading may go on: after the closing parenthesis, in bytes.
  public init(
    parenthesizedIn text: String, option: String, at start: Int, end: inout Int
  ) throws(ExpressionError) {
    var parser = try Parser(source: text, option: option, start: start, stop: .closingParenthesis)
    self.option = option
    self.text = text
    expression = try parser.whole()
    end = parser.end
  }

  /// Puts an expression beside the text it was read from.
  init(_ expression: Expression, in text: String, option: String) {
    self.option = option
    self.text = text
    self.expression = expression
  }

  /// An error about `range` of this text.
  func error(_ kind: ExpressionError.Kind, at range: Range<Int>) -> ExpressionError {
    ExpressionError(option: option, source: text, range: range, kind: kind)
  }
}

extension String {
  /// The UTF-8 bytes in `range`, as text.
  func bytes(_ range: Range<Int>) -> String {
    let utf8 = self.utf8
    let lower =
      utf8.index(utf8.startIndex, offsetBy: range.lowerBound, limitedBy: utf8.endIndex) ?? utf8.endIndex
    let upper =
      utf8.index(utf8.startIndex, offsetBy: range.upperBound, limitedBy: utf8.endIndex) ?? utf8.endIndex
    return String(decoding: utf8[lower..<max(lower, upper)], as: UTF8.self)
  }
}
