/// Rows that are made of those of a batch, while they are put together.
///
/// They have the cells of the old rows, and no bytes of their own: only what the batch does not have is written.
struct RowAssembler: ~Copyable {
  private let batch: Batch
  private var cells: [Cell] = []
  private var columnCount = 0
  private var sparse: SparseCells?
  private var places: [RowPlace] = []
  private var escapes: [Escape]

  /// The contents that the batch does not have.
  private var contents = ByteBuffer(capacity: 256)

  /// The note on a cell without a value.
  private(set) var null = Cell.missing

  /// The place of the row that others are made of, and its line.
  private var place: RowPlace?
  private var last = (row: 0, line: 0)

  /// The notes and the bytes that the rows made of one batch may have together, unless a single row has more.
  private static let mostCells = 1 << 20
  private static let mostBytes = 8 << 20

  /// Begins without rows.
  init(_ batch: Batch) {
    self.batch = batch
    escapes = batch.escapes
    last.line = batch.line(ofRow: 0)
    null = note(from: 0, .null)
  }

  /// Whether there is room for more rows.
  var hasRoom: Bool { cells.count < Self.mostCells && contents.count < Self.mostBytes }

  /// Begins the rows that are made of a row.
  mutating func begin(_ row: Int) {
    last = (row, batch.line(ofRow: row, from: last))
    place = RowPlace(source: batch.source(ofRow: row), line: last.line, number: batch.rowNumber(ofRow: row))
  }

  /// Notes a content of at most `Cell.longest` bytes.
  ///
  /// - Parameters:
  ///   - isText: whether it is a text whatever it looks like.
  ///   - old: the cell whose place it takes, if it takes one.
  mutating func note(
    _ content: Span<UInt8>, _ kind: Cell.Kind, isText: Bool = false, inPlaceOf old: Cell? = nil
  ) -> Cell {
    let start = contents.count
    contents.append(content)
    return note(from: start, kind, isText: isText, inPlaceOf: old)
  }

  /// Notes the value of a column, or the one inside of it; `nil` if the row has none.
  mutating func value(of column: ResolvedColumn, row: Int) -> Cell? {
    let batch = batch
    let cell = batch.cell(row: row, column: column.index)
    if column.path.isEmpty, column.longer.isEmpty { return cell.kind == .missing ? nil : cell }
    let found = batch.value(of: column, row: row)
    if found.isWhole { return found.kind == .missing ? nil : found.cell }
    let start = contents.count
    found.appendText(of: batch.content(found.cell), to: &contents)
    guard found.kind != .missing, contents.count - start <= Cell.longest else { return nil }
    return note(from: start, found.kind, isText: found.kind == .text)
  }

  /// Adds a row with a note on each column.
  mutating func append(_ record: [Cell]) {
    columnCount = record.count
    cells += record
    addPlace()
  }

  /// Adds a row with notes on some columns.
  mutating func append(_ record: [(column: Int, cell: Cell)]) {
    var list = sparse.take() ?? SparseCells()
    for (column, cell) in record {
      cells.append(cell)
      list.add(column: column)
    }
    _ = list.endRecord(&cells)
    sparse = list
    addPlace()
  }

  /// Adds a copy of a row, perhaps with another cell in one of its columns.
  mutating func append(copyOf row: Int, with other: (column: Int, cell: Cell)? = nil) {
    let own = batch.cellIndices(ofRow: row)
    if batch.sparse != nil {
      let record = own.map { (batch.column(ofCell: $0, row: row), batch.cells[$0]) }
      return append(record + (other.map { [$0] } ?? []))
    }
    columnCount = batch.columnCount
    let start = cells.count
    cells.append(contentsOf: batch.cells[own])
    if let (column, cell) = other { cells[start + column] = cell }
    addPlace()
  }

  private mutating func addPlace() { if let place { places.append(place) } }

  /// Notes the content from `start` on.
  private mutating func note(
    from start: Int, _ kind: Cell.Kind, isText: Bool = false, inPlaceOf old: Cell? = nil
  ) -> Cell {
    let isPlain = contents.span.extracting(start...).isPrintableASCII
    let cell = Cell(
      offset: escapes.count, length: contents.count - start, kind: kind, isPlain: isPlain, isEscaped: true)
    // The rows have no bytes of their own, so none that are replaced: they would be copied with each of them.
    let place = Int(batch.recordStarts[0])
    escapes.append(
      Escape(
        computedAt: batch.decoded.count + start, replacing: old.map { _ in place..<place },
        inRecordAt: batch.recordStarts[0], isText: isText))
    return cell
  }

  /// The batch of the rows.
  consuming func finish() -> Batch {
    var known = batch.decoded
    var decoded = ByteBlock.Builder(continuing: &known, capacity: known.count + contents.count)
    decoded.append(contents.span)
    var origin = batch.origin
    (origin.isVerbatim, origin.areLines) = (false, false)
    origin.dialect.holdsObjects = false
    if batch.sparse != nil, sparse == nil { sparse = SparseCells() }
    return Batch(
      block: batch.block, decoded: decoded.finish(), escapes: escapes, cells: cells,
      columnCount: sparse == nil ? columnCount : 0, sparse: sparse,
      recordStarts: Array(repeating: batch.recordStarts[0], count: places.count + 1),
      origin: origin, places: places)
  }
}
