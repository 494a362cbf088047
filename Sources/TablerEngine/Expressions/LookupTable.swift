/// A side table, whose rows `lookup()` finds by the cell in their first column.
final class LookupTable: Sendable {
  /// A cell of the table, independent of its batch.
  private struct CellPlace: Sendable {
    var batch: UInt32
    var row: UInt32
  }

  /// Its columns.
  let schema: Schema

  private let batches: [Batch]
  private let keys: KeyTable

  /// The place of the row of each key.
  private let places: [CellPlace]

  /// A key that several rows have, and how many rows cannot be found because of such keys.
  let repeated: (key: [UInt8], count: Int)?

  /// Makes a table from its rows; the first of several rows with the same key is found, and rows without a
  /// key never are.
  init(_ schema: Schema, _ batches: [Batch]) {
    self.schema = schema
    self.batches = batches
    var keys = KeyTable()
    var places: [CellPlace] = []
    var repeated: (key: [UInt8], count: Int)?
    for (number, batch) in batches.enumerated() where batch.width > 0 {
      for row in 0..<batch.rowCount {
        let cell = batch.cell(row: row, column: 0)
        if cell.isNull { continue }
        guard keys.insert(batch.content(cell)).isNew else {
          repeated = (repeated?.key ?? Array(copying: batch.content(cell)), (repeated?.count ?? 0) + 1)
          continue
        }
        places.append(
          CellPlace(batch: UInt32(truncatingIfNeeded: number), row: UInt32(truncatingIfNeeded: row)))
      }
    }
    self.keys = keys
    self.places = places
    self.repeated = repeated
  }

  /// The value of a column in the row with a key; null if no row has the key.
  func value(of key: Span<UInt8>, column: ResolvedColumn) -> Value {
    guard let place = keys.number(of: key).map({ places[$0] }) else { return .null }
    let batch = batches[Int(place.batch)]
    let found = batch.value(of: column, row: Int(place.row))
    var content = ByteBuffer()
    if found.isWhole {
      content.append(batch.content(found.cell))
    } else {
      found.appendText(of: batch.content(found.cell), to: &content)
    }
    let isJSON = !found.isWhole || batch.origin.dialect.form == .json
    let text = TextValue(content.array(), isString: isJSON && found.kind == .text)
    return switch found.kind {
    case .null, .missing, .empty: .null
    case .list: .list(text)
    case .object: .object(text)
    case .text, .number, .bool: .text(text)
    }
  }

  /// The column of a name, or the path into one; `nil` if the table has no such column.
  func column(_ name: String) -> ResolvedColumn? {
    var known = schema
    let count = known.columns.count
    // An open schema accepts any name as that of a column that may still come, but all rows of this table are here.
    guard let column = try? known.resolve(.name(name, isQuoted: false)) else { return nil }
    return ([column] + column.longer).contains { $0.index < count } ? column : nil
  }

  /// The approximate bytes that a key takes besides those of its text.
  static let keySize = 64
}
