/// A rule of `--validate`: `[COL ":"] EXPR [, "MESSAGE"]`.
///
/// A field rule names columns and checks their cells, which it calls `value`; a record rule checks the row.
public struct ValidationRule: Equatable, Sendable {
  /// The columns of a field rule; `nil` for a record rule.
  public let columns: ColumnSelector?

  /// Their range in the source, in bytes.
  let columnsRange: Range<Int>

  /// The condition that must be true.
  let condition: SourceExpression

  /// The message if it is false or null.
  let message: String

  /// The range of the comma and the message after it in the source, in bytes; `nil` if there is none.
  public let messageRange: Range<Int>?

  /// Reads what follows the columns.
  ///
  /// - Parameters:
  ///   - text: the whole text given to the option.
  ///   - option: the option, as typed.
  ///   - columns: the columns of a field rule, and their range.
  ///   - start: where the expression begins, in bytes.
  /// - Throws: what is wrong and where.
  public init(
    _ text: String, option: String, columns: (selector: ColumnSelector, range: Range<Int>)?, at start: Int
  ) throws(ExpressionError) {
    self.columns = columns?.selector
    columnsRange = columns?.range ?? 0..<0
    var parser = try Parser(source: text, option: option, start: start, stop: .pair)
    let field = columns.map { text.bytes(0..<$0.range.upperBound) }
    if let field, let written = parser.fieldRule(for: field) {
      throw parser.error(.fieldRule(written), parser.token.range)
    }
    let expression = try parser.whole()
    condition = SourceExpression(expression, in: text, option: option)
    let end = text.utf8.count
    messageRange = parser.end < end ? parser.end..<end : nil
    if messageRange != nil {
      let text = try Self.message(of: condition, parser.end + 1..<end)
      message = text.trimmingBlanks.isEmpty ? Self.standardMessage(condition) : text
    } else {
      message = Self.standardMessage(condition)
    }
  }

  private static func standardMessage(_ condition: SourceExpression) -> String {
    "not true: " + condition.text.bytes(condition.expression.range)
  }

  /// The text in quotes that is the whole content of a range of bytes.
  private static func message(
    of condition: SourceExpression, _ range: Range<Int>
  ) throws(ExpressionError) -> String {
    let (text, option) = (condition.text, condition.option)
    if var parser = try? Parser(source: text, option: option, start: range.lowerBound),
      let expression = try? parser.whole(), case .text(let message) = expression.kind
    {
      return message
    }
    throw condition.error(.messageNotText, at: range)
  }
}

/// What to do with rows that violate a rule.
public enum InvalidRowPolicy: Equatable, Sendable {
  /// They are kept.
  case keep
  /// Only they are kept (`--invalid-only`).
  case keepOnly
  /// They go to a file (`--rejects`).
  case reject(FilePath)
}

extension Parser {
  /// The correct spelling of a field rule that is not a condition but a type, a pattern, or the end of a
  /// comparison; `nil` for any other.
  ///
  /// - Parameter field: the columns as written.
  fileprivate func fieldRule(for field: String) -> String? {
    guard let last = tokens.dropLast().last else { return nil }
    let rule = text(token.range.lowerBound..<last.range.upperBound)
    switch token.kind {
    case .name(let word) where tokens.count == 2:
      guard let condition = Self.condition(of: word.lowercased()) else { return nil }
      if condition.utf8.contains(UInt8(ascii: " ")) || condition.utf8.contains(UInt8(ascii: "(")) {
        return "\(field): \(condition)"
      }
      let isName = field.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
      return isName ? "\(condition)(\(field))" : nil
    case .pattern where tokens.count == 2: return "\(field): value =~ \(rule)"
    case .symbol(let symbol) where symbol.comparison != nil || symbol == .matches || symbol == .notMatches:
      return "\(field): value \(rule)"
    case .name where token.kind.isName("not") && tokens[1].kind.isName("null"):
      return "\(field): value is not null"
    case .name where ["in", "between", "like", "ilike", "is"].contains { token.kind.isName($0) }:
      return tokens.count > 2 ? "\(field): value \(rule)" : nil
    default: return nil
    }
  }

  /// The condition for a word of other validators.
  private static func condition(of word: String) -> String? {
    switch word {
    case "number", "numeric", "float", "double", "decimal": "is_number(value)"
    case "int", "integer": "is_int(value)"
    case "date", "datetime": "is_date(value)"
    case "bool", "boolean": "is_bool(value)"
    case "required", "nonempty", "notempty", "not_empty", "mandatory": "value is not empty"
    case "notnull", "not_null": "value is not null"
    case "unique", "distinct": "unique"
    default: nil
    }
  }
}
