/// The findings of `--validate`.
public struct ValidationFindings: Sendable {
  /// A rule that a row violates.
  struct Violation: Equatable, Sendable {
    /// The input of the row, as an index into the plan's sources.
    var source: Int
    /// The line that the row begins on, counted from 1.
    var line: Int
    /// The display column in which the cell begins, counted from 1, if a cell of that line violates the rule.
    var column: Int?
    /// The key that identifies the row instead of its line.
    var key: [RowKey]
    /// The column, of a field rule.
    var field: String?
    /// The message of the rule.
    var message: String

    /// The notice about it.
    fileprivate func notice(_ sources: [Source]) -> Notice {
      .finding(
        InputError.Location(path: sources[source].path, line: line, column: column), key: key, field: field,
        message: message)
    }
  }

  /// The first ones, except those that were already reported.
  var first: [Violation] = []

  /// The number of findings.
  var count = 0

  /// The number of rows that they are about.
  var rowCount = 0

  /// The number of findings that are reported one by one.
  public static let most = 100

  /// How many more are reported one by one.
  var room: Int { max(0, Self.most - count) }

  /// Adds a finding; if two rules of a row have the same message, only one.
  mutating func name(_ finding: Violation) {
    let ofRow = first.reversed().prefix { $0.source == finding.source && $0.line == finding.line }
    if !ofRow.contains(finding) { first.append(finding) }
  }

  /// The findings one by one, and a count if there are others.
  func notices(_ sources: [Source]) -> [Notice] {
    let named = first.map { $0.notice(sources) }
    return count > Self.most ? named + [.findings(count: count, rowCount: rowCount)] : named
  }

  /// The findings that have not been reported yet; the call marks them as reported.
  mutating func takeNotices(_ sources: [Source]) -> [Notice] {
    let notices = first.map { $0.notice(sources) }
    first = []
    return notices
  }
}

/// A cell that identifies its row, in a column of `--id`.
public struct RowKey: Equatable, Sendable {
  /// The name of the column.
  public var column: String
  /// The content of the cell: UTF-8 that may be ill-formed.
  public var text: [UInt8]
}
