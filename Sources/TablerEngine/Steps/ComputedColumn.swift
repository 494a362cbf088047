/// Columns of a batch whose cells are computed, not read.
///
/// The content of such a cell comes with the contents of escaped cells, after those of the batch. Its
/// spelling in the input is empty, or that of the cell which it replaces, so that the bytes around that can
/// be copied.
struct ComputedColumn: ~Copyable {
  /// What the cells of a column replace.
  enum Ground {
    /// Nothing: the column is new. If a record has such a cell, it is replaced in all rows.
    case nothing

    /// Cells that were read, which stay in rows that get no other.
    case cells
  }

  /// The batch without the column.
  let batch: Batch

  /// The number of rows that have a cell of their own in a new column, and the first of them.
  private(set) var replaced = Tally<Int>()

  private var index: Int
  private let ground: Ground

  /// The notes on the cells of the column, missing in rows that got none, and the columns before it.
  private var cells: [Cell]
  private var done: [(column: Int, cells: [Cell])] = []

  /// The spellings and contents of the cells, after those of the batch.
  private var escapes: [Escape] = []
  private var decoded: ByteBuffer
  private let firstEscape: Int
  private let firstByte: Int

  /// The bytes that the contents may still take; negative if there was no room for a cell, which is missing
  /// then, like those after it.
  private(set) var room: Int

  /// Begins without computed cells.
  ///
  /// - Parameters:
  ///   - ground: what the cells replace.
  ///   - count: how many rows are wanted.
  ///   - room: the maximum size of the contents of all cells, in bytes.
  init(at index: Int, over ground: Ground = .nothing, of batch: Batch, count: Int, room: Int) {
    self.room = room
    self.batch = batch
    self.index = index
    self.ground = ground
    cells = [Cell](repeating: .missing, count: batch.rowCount)
    escapes.reserveCapacity(count)
    (firstEscape, firstByte) = (batch.escapes.count, batch.decoded.count)
    decoded = ByteBuffer(capacity: 8 * count)
    guard case .nothing = ground, index < batch.width else { return }
    for row in 0..<count where batch.cell(row: row, column: index).kind != .missing {
      replaced.record(inRow: row, row)
    }
  }

  /// Moves on to a later column, unless it is the current one.
  mutating func advance(toColumn index: Int) {
    if index == self.index { return }
    done.append((self.index, cells))
    cells = [Cell](repeating: .missing, count: batch.rowCount)
    self.index = index
  }

  /// Sets the cell of a row; one that has this content already keeps its spelling.
  ///
  /// - Parameters:
  ///   - isText: whether it is a text whatever it looks like.
  ///   - isPlain: whether its content is known to be printable ASCII.
  ///   - count: the least number of bytes that it takes, if that is known before it is spelled.
  ///   - spell: appends the content of the cell: at most `Cell.longest` bytes.
  mutating func set(
    row: Int, kind: Cell.Kind, isText: Bool = false, isPlain: Bool = false, count: Int = 0,
    _ spell: (inout ByteBuffer) -> Void
  ) {
    if room >= 0, count > room { room = -1 }
    if room < 0 { return }
    let start = decoded.count
    spell(&decoded)
    let length = decoded.count - start
    var replaced: Range<Int>?
    var isQuoted = false
    if case .cells = ground {
      let old = batch.cell(row: row, column: index)
      if says(old, kind, isText: isText, start..<start + length) { return decoded.truncate(to: start) }
      replaced = batch.rawRange(of: old)
      isQuoted = batch.isInQuotes(old)
    }
    let isPlain = isPlain || decoded.span.extracting(start...).isPrintableASCII
    let place = firstByte + start
    room = place + length > Int(UInt32.max) ? -1 : room - length
    if room < 0 {
      decoded.truncate(to: start)
      return
    }
    cells[row] = Cell(
      offset: firstEscape + escapes.count, length: length, kind: kind, isPlain: isPlain,
      isQuoted: isQuoted, isEscaped: true)
    escapes.append(
      Escape(computedAt: place, replacing: replaced, inRecordAt: batch.recordStarts[row], isText: isText))
  }

  /// Sets the cell of a row of a new column to null, without spelling anything.
  @inline(__always)
  mutating func setNull(row: Int) {
    if room < 0 { return }
    cells[row] = Cell(
      offset: firstEscape + escapes.count, length: 0, kind: .null, isPlain: true, isEscaped: true)
    escapes.append(
      Escape(
        computedAt: firstByte + decoded.count, replacing: nil, inRecordAt: batch.recordStarts[row],
        isText: false))
  }

  /// Sets the cell of a row to a number, with the digits that are drawn if they differ from its own.
  mutating func set(
    row: Int, kind: Cell.Kind, isText: Bool = false, count: Int = 0,
    drawn: (digits: DrawnDigits, marks: NumberMarks)?, _ spell: (inout ByteBuffer) -> Void
  ) {
    let known = escapes.count
    set(row: row, kind: kind, isText: isText, count: count, spell)
    // A cell that has this content already is drawn unchanged.
    guard let drawn, escapes.count > known else { return }
    append(drawn)
    cells[row] = cells[row].withoutPlainness
  }

  /// Appends what `Batch.drawn` reads after the content of a number.
  private mutating func append(_ drawn: (digits: DrawnDigits, marks: NumberMarks)) {
    let place = decoded.count
    decoded.append(0)
    NumberWriter.append(drawn.digits, marks: drawn.marks, to: &decoded)
    decoded[place] = UInt8(truncatingIfNeeded: decoded.count - place - 1)
  }

  /// Whether a cell already has the content that was decoded last: null is equal to an empty cell, but a cell
  /// that looks like a number is not equal to a text.
  private func says(_ cell: Cell, _ kind: Cell.Kind, isText: Bool, _ place: Range<Int>) -> Bool {
    if kind == .null, cell.isNull { return !cell.isMisfit }
    guard cell.kind == kind, cell.length == place.count else { return false }
    let content = decoded.span.extracting(place)
    guard content.equals(batch.content(cell)) else { return false }
    return !isText || batch.isText(cell) || content.looksLikeWord
  }

  /// Whether a row had a cell with content, and now has null.
  func empties(_ row: Int) -> Bool {
    guard cells[row].kind == .null else { return false }
    let old = batch.cell(row: row, column: index)
    return old.length > 0 && (!old.isNull || old.isMisfit)
  }

  /// Whether no cell has changed.
  var changesNothing: Bool { escapes.isEmpty }

  /// The cells, to be added to the batch.
  consuming func finish() -> ComputedCells {
    done.append((index, cells))
    return ComputedCells(
      columns: done, replacesAll: ground == .nothing, escapes: escapes, decoded: ByteBlock(taking: &decoded))
  }

  /// The batch with the columns.
  ///
  /// - Parameter cutting: makes it again from its bytes.
  consuming func finish(cutting: Batch.Cutting?) -> Batch {
    var computed = ComputedBatch(batch, columns: done.map(\.column) + [index])
    computed.put(finish())
    return computed.finish(cutting: cutting)
  }
}

extension Batch {
  /// Where a cell, or the one that it replaces, is spelled in the block; `nil` if it is not.
  func rawRange(of cell: Cell) -> Range<Int>? {
    if cell.kind == .missing { return nil }
    guard cell.isEscaped else { return cell.offset..<cell.offset + cell.length }
    let escape = escapes[cell.offset]
    return escape.isComputed && !escape.isReplacing ? nil : escape.rawRange
  }

  /// Whether the replacement of a cell is put into its quotes; in JSON these tell the kind of a cell.
  fileprivate func isInQuotes(_ cell: Cell) -> Bool { cell.isQuoted && origin.dialect.form != .json }
}

/// What is known about the types of computed cells.
struct CellTypes {
  /// Whether cells tell their type (JSON).
  let areKnown: Bool

  /// Whether a text may be a number, true or false that was read from a cell.
  let mayBeRead: Bool

  /// Whether numbers are divided, so that exact ones are drawn with at most 15 digits too.
  let mayBeInexact: Bool

  /// How dates in cells are spelled, besides ISO 8601.
  let dateFormat: DateFormat?

  /// Determines what is known about the values of a program.
  ///
  /// - Parameter declared: the type that is declared for their column.
  init(_ batch: Batch, of program: Program, declared: ValueType? = nil) {
    areKnown = batch.origin.dialect.form == .json && declared != .text
    mayBeInexact = program.mayBeInexact
    dateFormat = program.context.dateFormat
    if case .any = program.kind { mayBeRead = true } else { mayBeRead = false }
  }

  /// What is known about values that no program made: their texts are texts, and their numbers may be quotients.
  init(_ batch: Batch, _ context: EvaluationContext) {
    areKnown = batch.origin.dialect.form == .json
    (mayBeRead, mayBeInexact) = (false, true)
    dateFormat = context.dateFormat
  }

  /// Whether a text was made, so that it is a text whatever it looks like.
  func isMade(_ text: TextValue) -> Bool { !mayBeRead || text.isString }

  /// The kind of a text.
  func kind(of text: TextValue, in batch: Batch) -> Cell.Kind {
    guard areKnown, !isMade(text) else { return .text }
    return switch JSONText.find([], in: text.bytes(in: batch))?.kind {
    case .number: .number
    case .bool: .bool
    default: .text
    }
  }
}

extension ComputedColumn {
  /// Sets the cell of a row to a value.
  ///
  /// - Parameter marks: how numbers are written if cells do not tell their type.
  @inline(__always)
  mutating func set(_ value: Value, row: Int, _ types: CellTypes, _ marks: NumberMarks) {
    if case .number(.double(let value)) = value { return set(value, row: row, types, marks) }
    switch value {
    case .null: set(row: row, kind: .null) { _ in }
    case .bool(let truth):
      set(row: row, kind: types.areKnown ? .bool : .text) { $0.append(truth ? "true" : "false") }
    case .number(let number):
      let marks = types.areKnown ? .standard : marks
      let kind = types.areKnown ? Cell.Kind.number : .text
      if types.mayBeInexact, let drawn = DrawnDigits(number, mayBeInexact: true) {
        return set(row: row, kind: kind, drawn: (digits: drawn, marks: marks)) {
          NumberWriter.append(number, marks: marks, to: &$0)
        }
      }
      // The decimal mark of numbers that are written is ASCII.
      set(row: row, kind: kind, isPlain: true) { NumberWriter.append(number, marks: marks, to: &$0) }
    case .text(let text):
      let kind = types.kind(of: text, in: batch)
      set(text, row: row, kind: kind, isText: types.isMade(text))
    case .time(let time):
      let format = types.dateFormat.flatMap { spells(time, by: $0, row: row) ? $0 : nil }
      set(row: row, kind: .text) { buffer in
        if let format { format.append(time, to: &buffer) } else { time.append(to: &buffer) }
      }
    case .duration(let duration): set(row: row, kind: .text) { duration.append(to: &$0) }
    case .list(let text): set(text, row: row, kind: .list)
    case .object(let text): set(text, row: row, kind: .object)
    }
  }

  /// Whether a time that replaces a cell is spelled in a format, provided that the format spells all of it:
  /// unless the cell is spelled in ISO 8601.
  private func spells(_ time: Timestamp, by format: DateFormat, row: Int) -> Bool {
    guard case .cells = ground else { return false }
    let old = batch.content(batch.cell(row: row, column: index))
    if format.read(old) == nil, Timestamp(old) != nil { return false }
    var spelled = ByteBuffer(capacity: 32)
    format.append(time, to: &spelled)
    return format.readOrISO(spelled.span) == time
  }

  private mutating func set(_ value: Double, row: Int, _ types: CellTypes, _ marks: NumberMarks) {
    let marks = types.areKnown ? .standard : marks
    guard let digits = ShortestDigits(value) else {
      // A value that is no number in JSON becomes a text.
      return set(row: row, kind: .text) { NumberWriter.append(value, marks: marks, to: &$0) }
    }
    set(
      row: row, kind: types.areKnown ? .number : .text, drawn: digits.drawn.map { (digits: $0, marks: marks) }
    ) {
      NumberWriter.append(digits, marks: marks, to: &$0)
    }
  }

  private mutating func set(_ text: TextValue, row: Int, kind: Cell.Kind, isText: Bool = false) {
    let batch = batch
    set(row: row, kind: kind, isText: isText, count: text.bytes(in: batch).count) {
      $0.append(text.bytes(in: batch))
    }
  }
}
