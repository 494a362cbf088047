@testable import TablerEngine

/// Rows to be sorted by keys that are written as values.
struct SortSample {
  var table: SampleTable
  var surroundings = SortOrder.Surroundings()

  /// A csv table of one column `x`.
  init(_ values: [String]) throws {
    table = try SampleTable.csv("n,x\n" + values.map { ",\"\($0)\"\n" }.joined())
  }

  /// A csv table with a header.
  init(csv text: String) throws { table = try SampleTable.csv(text) }

  /// A table of JSON lines.
  init(jsonl text: String) throws { table = try SampleTable.jsonl(text) }

  /// The bound keys.
  func order(_ keys: [SortKey]) throws -> SortOrder {
    var schema = table.profile.schema
    return try SortOrder(keys, schema: &schema, surroundings)
  }

  /// The rows in the order of `keys`.
  func sorted(_ keys: [SortKey]) throws -> Rows {
    var rows = table.rows
    var sorter = Sorter(try order(keys))
    try sorter.sort(&rows)
    return rows
  }

  /// The values of a column in the order of `keys`.
  func values(_ name: String = "x", _ keys: [SortKey]) throws -> [String] {
    texts(name, try sorted(keys))
  }

  /// The values of a column.
  func texts(_ name: String, _ rows: Rows) -> [String] {
    let column = table.profile.schema.index(of: name) ?? 0
    return rows.ids.map { id in
      let batch = rows.batches[id.batch]
      return batch.text(batch.cell(row: id.row, column: column))
    }
  }
}

extension SortKey {
  /// A key that is a column.
  static func column(
    _ name: String, _ comparison: Comparison = .auto, descending: Bool = false, nulls: NullPlacement? = nil
  ) -> SortKey {
    SortKey(
      target: .column(.name(name, isQuoted: false)), comparison: comparison, isDescending: descending,
      nulls: nulls)
  }

  /// A key that is an expression.
  static func expression(
    _ text: String, _ comparison: Comparison = .auto, descending: Bool = false
  ) throws -> SortKey {
    SortKey(
      target: .expression(try SourceExpression(text, option: "--sort")), comparison: comparison,
      isDescending: descending)
  }
}
