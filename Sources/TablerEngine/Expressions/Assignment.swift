/// What an option gives a column: `COL = EXPR [where EXPR]`.
public struct Assignment: Equatable, Sendable {
  /// The name of the column.
  let column: String

  /// Where the name stands in the source, in bytes.
  let range: Range<Int>

  /// The value.
  let value: SourceExpression

  /// The rows that get the value; all of them where there is none.
  let condition: SourceExpression?

  /// Reads the assignments in a text, which `;` or a newline parts.
  ///
  /// - Parameter option: the option, as typed.
  /// - Throws: what is wrong and where.
  public static func all(in text: String, option: String) throws(ExpressionError) -> [Assignment] {
    var assignments: [Assignment] = []
    let bytes = Array(text.utf8)
    var start = 0
    repeat {
      var parser = try Parser(
        source: text, bytes: bytes, option: option, start: start, stop: .assignment)
      // The mark between two assignments is passed.
      start = parser.end + 1
      if parser.isEmpty, start <= bytes.count || !assignments.isEmpty { continue }
      assignments.append(try parser.assignment())
    } while start <= bytes.count
    return assignments
  }
}

extension Parser {
  /// Reads `column "=" expr [ "where" expr ]`.
  fileprivate mutating func assignment() throws(ExpressionError) -> Assignment {
    let (start, name) = (token.range, columnName)
    if name != nil { index += 1 }
    guard let name, take(.equal) else { throw error(.assignmentNeedsColumn, start) }
    if name.trimmingBlanks.isEmpty { throw error(.emptyName, start) }
    let value = SourceExpression(try expression(), in: source, option: option)
    var condition: SourceExpression?
    if token.kind.isName("where") {
      index += 1
      condition = SourceExpression(try expression(), in: source, option: option)
    }
    guard isEmpty else { throw unexpectedToken() }
    return Assignment(column: name, range: start, value: value, condition: condition)
  }

  /// The name of a column, where one comes next.
  private var columnName: String? {
    switch token.kind {
    case .name(let name): ReservedWord(name) == nil ? name : nil
    case .quotedName(let name): name
    default: nil
    }
  }
}
