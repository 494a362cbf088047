/// What a comparison of two tables found: the closing line of `--diff`.
public struct ComparisonSummary: Sendable {
  /// The rows that came.
  public internal(set) var inserted = 0
  /// The rows that went.
  public internal(set) var deleted = 0
  /// The rows with other cells.
  public internal(set) var updated = 0
  /// The rows that have another place among the others.
  public internal(set) var moved = 0

  /// The rows of the old table.
  public internal(set) var oldCount: Int
  /// The rows of the new one.
  public internal(set) var newCount: Int
  /// The rows that both have.
  public internal(set) var matched = 0

  /// The columns with changed cells, and how many they have.
  public internal(set) var updatedColumns: [(name: String, count: Int)] = []

  /// The names of the columns that came.
  public internal(set) var insertedColumns: [String] = []
  /// The names of the columns that went.
  public internal(set) var deletedColumns: [String] = []

  /// Whether the columns that both have stand in another order.
  public internal(set) var reordersColumns = false

  /// Whether moves are not shown, because there are too many.
  public internal(set) var hidesMoves = false

  /// The column that identifies the rows of both tables, if none was named.
  public internal(set) var keyColumn: String?

  /// The changes of a column, or the rows that came, went or were moved.
  struct Count {
    /// The name of the column, or what became of the rows.
    let name: String
    let count: Int

    /// The number of rows that it is a part of.
    let total: Int

    /// What identifies the first of them.
    let first: [UInt8]?
  }

  /// What is found while cells are compared.
  struct Tallies {
    /// The number of rows with changed cells.
    var rowCount = 0

    /// The changed cells of each column, and the first new row that has one.
    var counts: [Int]
    var firsts: [UInt32?]

    /// Begins without changes.
    init(columnCount: Int) {
      counts = Array(repeating: 0, count: columnCount)
      firsts = Array(repeating: nil, count: columnCount)
    }

    /// Records the changed columns of a row.
    mutating func record(_ changes: [Int], _ row: UInt32) {
      rowCount += 1
      for index in changes {
        counts[index] += 1
        firsts[index] = firsts[index] ?? row
      }
    }
  }

  /// Begins without changes.
  init(oldCount: Int, newCount: Int) {
    self.oldCount = oldCount
    self.newCount = newCount
  }

  /// Whether the tables are equal.
  public var isEmpty: Bool {
    inserted + deleted + updated + moved == 0 && insertedColumns.isEmpty && deletedColumns.isEmpty
  }

  /// The number of columns that the closing line names.
  private static let mostNamed = 10

  /// The closing line, as in `1 inserted, 1 deleted, 1 updated (weight 1), 1 moved; 6 old rows, 6 new`.
  public var text: String {
    let counts = [
      (inserted, "inserted"), (deleted, "deleted"), (updated, "updated" + cells), (moved, "moved"),
    ]
    var parts = [
      [columns(insertedColumns, "inserted"), columns(deletedColumns, "deleted")].compactMap { $0 },
      counts.filter { $0.0 > 0 }.map { "\(Self.grouped($0.0)) \($0.1)" },
    ].filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
    if parts.isEmpty { parts = [reordersColumns ? "no changes but the order of columns" : "no changes"] }
    parts.append(
      "\(Self.grouped(oldCount)) old row\(oldCount == 1 ? "" : "s"), \(Self.grouped(newCount)) new")
    return parts.joined(separator: "; ")
  }

  /// The closing line where there is no other place to say that moves are not shown.
  var caption: String {
    text
      + (hidesMoves ? "; order changed: \(Self.grouped(moved)) of \(Self.grouped(matched)) rows moved" : "")
  }

  /// ` (weight 1)`: the changed cells of each column.
  private var cells: String {
    let named = updatedColumns.prefix(Self.mostNamed).map { "\($0.name) \(Self.grouped($0.count))" }
    let others = updatedColumns.count - named.count
    return named.isEmpty
      ? "" : " (" + (named + (others > 0 ? ["\(others) more"] : [])).joined(separator: ", ") + ")"
  }

  private func columns(_ names: [String], _ verb: String) -> String? {
    if names.isEmpty { return nil }
    let named =
      names.prefix(Self.mostNamed)
      + (names.count > Self.mostNamed ? ["\(names.count - Self.mostNamed) more"] : [])
    return "column\(names.count == 1 ? "" : "s") \(named.joined(separator: ", ")) \(verb)"
  }

  /// A number with commas between groups of three digits.
  public static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return String(digits)
  }
}
