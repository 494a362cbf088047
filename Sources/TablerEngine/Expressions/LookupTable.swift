/// A side table, whose rows `lookup()` finds by the cell in their first column.
final class LookupTable: Sendable {
  /// A cell of the table, held apart from its batch.
  private struct Place: Sendable {
    var batch: UInt32
    var row: UInt32
  }

  /// Its columns.
  let schema: Schema

  private let batches: [Batch]
  private let keys: KeyTable

  /// Where the row of each key lies.
  private let places: [Place]

  /// A key that several rows have, and how many rows are not found for that.
  let repeated: (key: [UInt8], count: Int)?

  /// Makes a table of its rows; of several with the same key the first is found, of one without a key none.
  init(_ schema: Schema, _ batches: [Batch]) {
    self.schema = schema
    self.batches = batches
    var keys = KeyTable()
    var places: [Place] = []
    var repeated: (key: [UInt8], count: Int)?
    for (number, batch) in batches.enumerated() where batch.columnCount > 0 {
      for row in 0..<batch.rowCount {
        let cell = batch.cell(row: row, column: 0)
        if cell.isNull { continue }
        guard keys.insert(batch.content(cell)).isNew else {
          repeated = (repeated?.key ?? Array(copying: batch.content(cell)), (repeated?.count ?? 0) + 1)
          continue
        }
        places.append(
          Place(batch: UInt32(truncatingIfNeeded: number), row: UInt32(truncatingIfNeeded: row)))
      }
    }
    self.keys = keys
    self.places = places
    self.repeated = repeated
  }

  /// What the row with a key has in a column; null where no row has the key.
  func value(of key: Span<UInt8>, column: Int) -> Value {
    guard let place = keys.number(of: key).map({ places[$0] }) else { return .null }
    let batch = batches[Int(place.batch)]
    guard column < batch.columnCount else { return .null }
    let cell = batch.cell(row: Int(place.row), column: column)
    let isJSON = batch.origin.dialect.form == .json
    let text = TextValue(Array(copying: batch.content(cell)), isString: isJSON && cell.kind == .text)
    return switch cell.kind {
    case .null, .missing, .empty: .null
    case .list: .list(text)
    case .object: .object(text)
    case .text, .number, .bool: .text(text)
    }
  }

  /// The bytes that a key takes beside those of its text, about.
  static let keySize = 64
}
