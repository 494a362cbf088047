/// What `--validate` found.
public struct Findings: Sendable {
  /// A rule that a row does not keep.
  struct Finding: Equatable, Sendable {
    /// The input of the row, as an index into the plan's sources.
    var source: Int
    /// The line that the row begins on, counted from 1.
    var line: Int
    /// What names the row instead of its line.
    var key: [RowKey]
    /// The column, of a field rule.
    var field: String?
    /// What the rule says.
    var message: String

    /// What is said of it.
    fileprivate func notice(_ sources: [Source]) -> Notice {
      .finding(
        InputError.Place(path: sources[source].path, line: line), key: key, field: field, message: message)
    }
  }

  /// The first ones, but for those that were told already.
  var first: [Finding] = []

  /// How many there are.
  var count = 0

  /// The number of rows that they are about.
  var rowCount = 0

  /// How many are named one by one.
  public static let most = 100

  /// How many more are named one by one.
  var room: Int { max(0, Self.most - count) }

  /// Names a finding; of two rules of a row that say the same, one.
  mutating func name(_ finding: Finding) {
    let ofRow = first.reversed().prefix { $0.source == finding.source && $0.line == finding.line }
    if !ofRow.contains(finding) { first.append(finding) }
  }

  /// The findings one by one, and a count if there are others.
  func notices(_ sources: [Source]) -> [Notice] {
    let named = first.map { $0.notice(sources) }
    return count > Self.most ? named + [.findings(count: count, rowCount: rowCount)] : named
  }

  /// The findings that were not told, which are told now.
  mutating func take(_ sources: [Source]) -> [Notice] {
    let notices = first.map { $0.notice(sources) }
    first = []
    return notices
  }
}

/// A cell that names its row, of a column of `--id`.
public struct RowKey: Equatable, Sendable {
  /// The name of the column.
  public var column: String
  /// What the cell says: UTF-8 that may be ill-formed.
  public var text: [UInt8]
}
