/// Which fields a card has, in which order: all columns, or those of a JSON record in the record's own order.
struct CardFields: Sendable {
  /// The fields of the record that was looked at last, as indices into the columns shown.
  private(set) var indices: [Int]

  /// Whether a JSON record has only its own keys, in its own order.
  private let keepsRecords: Bool

  /// How many columns are row headers, which stand first whatever the record says.
  private let headerCount: Int

  private var columnCount: Int
  private var found: [Field] = []

  /// A field and where its value begins in the record.
  private struct Field {
    var start: Int
    var index: Int
  }

  /// Settles the fields of cards with these columns.
  init(_ columns: [ShownColumn], keepsRecords: Bool) {
    self.keepsRecords = keepsRecords
    headerCount = columns.prefix(while: \.isRowHeader).count
    columnCount = columns.count
    indices = Array(0..<columns.count)
  }

  /// Whether all cards have all fields in the same order.
  var areFixed: Bool { !keepsRecords }

  /// Takes so many more columns, after those known.
  mutating func grow(by count: Int) { columnCount += count }

  /// Looks at a record.
  @inline(__always)
  mutating func look(at row: Int, of batch: Batch, _ texts: [CellText]) {
    if keepsRecords { arrange(row, of: batch, texts) }
  }

  private mutating func arrange(_ row: Int, of batch: Batch, _ texts: [CellText]) {
    let isJSON = batch.origin.dialect.form == .json
    found.removeAll(keepingCapacity: true)
    for index in 0..<columnCount where !texts[index].isMissing(batch, row) {
      var start = -1
      if isJSON, index >= headerCount, case .column(let source) = texts[index].source {
        start = batch.rawStart(of: batch.cell(row: row, column: source.index))
      }
      found.append(Field(start: start, index: index))
    }
    found.sort { ($0.start, $0.index) < ($1.start, $1.index) }
    indices.removeAll(keepingCapacity: true)
    for field in found { indices.append(field.index) }
  }
}

extension Batch {
  /// Where the input's spelling of a cell begins in the block, in bytes; after all others where it has none.
  fileprivate func rawStart(of cell: Cell) -> Int {
    if isComputed(cell) { return .max }
    return cell.isEscaped ? Int(escapes[cell.offset].rawOffset) : cell.offset
  }
}

extension ByteBuffer {
  /// Appends the parts of a card's title, a blank between those that are not empty; without any, the row's number.
  ///
  /// - Parameter part: appends the part with this index.
  mutating func append(titleOfRow number: Int, parts: Range<Int>, _ part: (Int, inout ByteBuffer) -> Void) {
    pin()
    defer { unpin() }
    let start = count
    for index in parts {
      let end = count
      if end > start { append(" ") }
      let begin = count
      part(index, &self)
      if count == begin { truncate(to: end) }
    }
    guard count == start else { return }
    append("(row ")
    append(decimal: number)
    append(")")
  }
}
