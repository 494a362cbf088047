/// The rows that `--validate` removes, for the file of `--rejects`; beyond a budget in a temporary file.
///
/// Each has three more cells: its line, the columns and the messages of the rules that it violates.
struct Rejects: Sendable {
  /// The reason for rejecting a row.
  struct Reason {
    /// The row in its batch.
    var row: UInt32
    /// The column, of a field rule; otherwise empty.
    var field: String
    /// The message of the rule.
    var message: String
  }

  /// The rows, in the order in which they came.
  private(set) var rows = StoredRows()

  /// The columns of the three cells, which are consecutive.
  let columns: Range<Int>

  /// The names of the inputs, if there are several: the line is then named with its file.
  private let files: [String]?

  private let budget: Int

  /// The maximum size of the columns, and of the messages, for a row, in bytes.
  private static let longestText = 1 << 12

  /// Adds the three columns.
  ///
  /// - Parameters:
  ///   - files: the names of the inputs, if there are several.
  ///   - budget: the bytes that rows may take in memory.
  init(_ schema: inout Schema, files: [String]?, budget: Int) {
    let first = schema.reserve(title: "line")
    _ = schema.reserve(title: "column")
    columns = first..<schema.reserve(title: "message") + 1
    self.files = files
    self.budget = budget
  }

  /// Stores rows of a batch.
  ///
  /// - Parameter reasons: the reasons, row by row in order.
  /// - Throws: the system's error for a temporary file.
  mutating func append(_ rows: [UInt32], of batch: Batch, _ reasons: [Reason]) throws(SystemError) {
    var computed = ComputedColumn(
      at: columns.lowerBound, of: batch, count: batch.rowCount, room: .max)
    var last = (row: 0, line: batch.line(ofRow: 0))
    for row in rows.map({ Int($0) }) {
      last = (row, batch.line(ofRow: row, from: last))
      computed.set(row: row, kind: .text) { text in
        if let files { text.append("\(files[batch.source(ofRow: row)]):") }
        text.append(decimal: last.line)
      }
    }
    for (column, part) in zip(columns.dropFirst(), [\Reason.field, \Reason.message]) {
      computed.advance(toColumn: column)
      var rest = reasons[...]
      for row in rows {
        let own = rest.prefix { $0.row == row }
        rest = rest.dropFirst(own.count)
        computed.set(row: Int(row), kind: .text) { text in
          text.append(own.map { $0[keyPath: part] }.joined(separator: "; ").cut(to: Self.longestText))
        }
      }
    }
    let rejected = Rows(computed.finish(cutting: nil), rows)
    self.rows.append(rejected.isSparse() ? rejected.copied() : rejected)
    if self.rows.memory >= budget { try self.rows.spill() }
  }
}

extension String {
  /// The text, cut to at most `length` bytes, with a sign if it was cut.
  fileprivate func cut(to length: Int) -> String {
    guard utf8.count > length else { return self }
    var scalars = unicodeScalars[...]
    while scalars.count > 0, String(scalars).utf8.count > length {
      scalars = scalars.prefix(scalars.count / 2)
    }
    return String(scalars) + "…"
  }
}
