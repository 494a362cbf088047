/// The cells that did not convert, counted per column and expression.
struct ConversionTally: Sendable {
  /// Cells of one column, each counted once.
  struct Cells: Sendable {
    /// What was counted: none or one, in an array so that the great majority that never count anything stay small.
    fileprivate var found: [Found] = []
    private let marks: NumberMarks

    /// Cells that were counted.
    fileprivate struct Found: Sendable {
      var tally = Tally<Misfit>()
      var looks: CellLooks

      /// The rows of the current batch whose cell is already counted, one bit each: an expression may ask twice.
      var counted: [UInt64] = []
      var batch: (id: ObjectIdentifier, row: Int)?
    }

    /// Creates an empty count of cells whose numbers are read with some marks.
    init(_ marks: NumberMarks = .standard) { self.marks = marks }

    /// Creates a count of cells of which only the first is known.
    fileprivate init(_ count: Int, first: Misfit) {
      marks = .standard
      var looks = CellLooks(marks)
      looks.recordCell(first.text.span)
      found = [Found(looks: looks)]
      found[0].tally.record(count, inRow: first.row, first)
    }

    /// The number of cells.
    var count: Int { found.first?.tally.count ?? 0 }

    /// The first of them.
    var first: Misfit? { found.first?.tally.first }

    /// The looks of the cells.
    var looks: CellLooks { found.first?.looks ?? CellLooks(marks) }

    /// Adds the cells of another part of the same input.
    mutating func merge(_ other: Cells) {
      guard let more = other.found.first else { return }
      begin()
      found[0].tally.merge(more.tally)
      found[0].looks.merge(more.looks)
    }

    /// Takes over the results of another expression for the same cells if there are more.
    mutating func widen(_ other: Cells) {
      guard let more = other.found.first else { return }
      begin()
      if more.tally.count > count { found[0].looks = more.looks }
      found[0].tally.widen(more.tally)
    }

    /// Counts a cell; the parts of an expression examine many rows each, one part after another.
    mutating func recordCell(
      _ content: Span<UInt8>, wanted: ExpressionError.ValueKind, batch: Batch, row: Int, line: Int? = nil
    ) {
      begin()
      if found[0].isNew(row, in: batch) {
        recordNewCell(content, wanted: wanted, batch: batch, row: row, line: line)
      }
    }

    /// Counts a cell in a row that is examined once.
    ///
    /// - Parameter line: the line of the row, if it is known.
    mutating func recordNewCell(
      _ content: Span<UInt8>, wanted: ExpressionError.ValueKind, batch: Batch, row: Int, line: Int? = nil
    ) {
      begin()
      found[0].looks.recordCell(content)
      found[0].countNew(content, wanted: wanted, batch: batch, row: row, line: line)
    }

    /// Records what a cell looks like that is not counted.
    mutating func recordLook(_ content: Span<UInt8>) {
      begin()
      found[0].looks.recordCell(content)
    }

    /// Counts a cell whatever it looks like.
    mutating func count(
      _ content: Span<UInt8>, wanted: ExpressionError.ValueKind, batch: Batch, row: Int
    ) {
      begin()
      if found[0].isNew(row, in: batch) {
        found[0].countNew(content, wanted: wanted, batch: batch, row: row)
      }
    }

    /// Counts a cell without a row.
    mutating func recordWithoutPlace() {
      begin()
      found[0].tally.recordWithoutPlace()
    }

    /// The same without the place of the first.
    var withoutPlace: Cells {
      var cells = Cells()
      if count > 0 {
        cells.begin()
        cells.found[0].tally.recordWithoutPlace(count)
      }
      return cells
    }

    /// The approximate bytes that they take besides themselves.
    var byteCount: Int { found.reduce(0) { $0 + MemoryLayout<Found>.stride + $1.byteCount } }

    private mutating func begin() { if found.isEmpty { found.append(Found(looks: CellLooks(marks))) } }
  }

  /// The findings of one expression in one column.
  struct ColumnMisfits: Sendable {
    /// The column, as addressed; a field is named before each run.
    var column: String

    /// The use of its values.
    var use: ValueUse

    /// The cells that did not convert.
    var misfits: Cells

    /// The number of cells that were numbers, if a sort key, a declared type or a total needs it.
    var numberCount = 0

    /// The cells that are dates in another spelling than the text that they are compared with.
    var dates = Cells()

    /// The cells that functions such as `number()` made null, as long as they have converted none.
    fileprivate(set) var unconverted = Cells()

    /// Whether they have converted one.
    fileprivate(set) var hasConverted = false

    /// The cells that such functions made null if that shows nowhere: in a filter, or in what is computed from rows.
    fileprivate(set) var dropped = Cells()

    /// The cells whose texts are words such as `NA` where it was asked whether there is a value.
    fileprivate(set) var nullWords = Cells()

    /// The units of those that are read as sizes.
    var units = UnitFindings()

    /// Creates an empty entry.
    ///
    /// - Parameter marks: the marks that numbers are read with.
    init(column: String, use: ValueUse = .expression, marks: NumberMarks = .standard) {
      self.column = column
      self.use = use
      misfits = Cells(marks)
    }

    /// The number of cells that did not convert.
    var count: Int { misfits.count }

    /// The first of them.
    var first: Misfit? { misfits.first }

    /// Whether nothing was found.
    var isEmpty: Bool {
      misfits.count == 0 && dates.count == 0 && units.isEmpty && unconverted.count == 0
        && dropped.count == 0 && nullWords.count == 0
    }

    /// Adds the findings in another part of the same input.
    mutating func merge(_ other: ColumnMisfits) {
      misfits.merge(other.misfits)
      numberCount += other.numberCount
      dates.merge(other.dates)
      units.merge(other.units)
      if other.hasConverted { endUnconverted() }
      if !hasConverted { unconverted.merge(other.unconverted) }
      dropped.merge(other.dropped)
      nullWords.merge(other.nullWords)
    }

    /// Takes over the findings of another expression in the same cells if there are more.
    mutating func widen(_ other: ColumnMisfits) {
      misfits.widen(other.misfits)
      numberCount = max(numberCount, other.numberCount)
      dates.widen(other.dates)
      units.widen(other.units)
      if other.hasConverted { endUnconverted() }
      if !hasConverted { unconverted.widen(other.unconverted) }
      dropped.widen(other.dropped)
      nullWords.widen(other.nullWords)
    }

    /// Forgets the cells that were not converted: another was.
    fileprivate mutating func endUnconverted() {
      if hasConverted { return }
      (hasConverted, unconverted) = (true, Cells())
    }

    /// Its approximate size in bytes.
    var byteCount: Int {
      MemoryLayout<Self>.stride + misfits.byteCount + dates.byteCount + unconverted.byteCount
        + dropped.byteCount + nullWords.byteCount + units.byteCount
    }
  }

  /// A cell that did not convert.
  struct Misfit: Sendable {
    /// The input, as an index into the plan's sources.
    var source: Int
    /// The line its record begins on, counted from 1.
    var line: Int
    /// The row, counted from 1 over all inputs.
    var row: Int
    /// The content of the cell, at most the first 200 bytes.
    var text: [UInt8]
    /// What it should have been.
    var wanted: ExpressionError.ValueKind
  }

  /// Texts that are too long, each counted once.
  struct LongTexts: Sendable {
    /// What made or read them.
    let use: LongTextUse

    /// Where they are.
    fileprivate(set) var texts = Cells()
  }

  /// The counts, by slot.
  var entries: [ColumnMisfits]

  /// The texts that are null because they are too long.
  private(set) var longTexts: [LongTexts] = []

  /// The cells that were compared as text, by operation.
  private(set) var comparedTexts: [ComparedTexts] = []

  /// Whether more of them are recorded.
  var holdsComparedTexts = true

  /// The rows of the current batch that have misfits, if such rows are left out.
  private(set) var rows: [UInt32]?

  /// Counts misfits by slot.
  init(entries: [ColumnMisfits]) { self.entries = entries }

  /// Counts misfits in one slot, of which only the first is known.
  init(_ count: Int, inSlot slot: Int, first: Misfit) {
    entries = [ColumnMisfits](repeating: ColumnMisfits(column: ""), count: slot + 1)
    entries[slot].misfits = Cells(count, first: first)
  }

  /// The same columns with nothing counted.
  var emptied: ConversionTally {
    ConversionTally(
      entries: entries.map {
        ColumnMisfits(column: $0.column, use: $0.use, marks: $0.misfits.looks.numberMarks)
      })
  }

  /// Its approximate size in bytes.
  var byteCount: Int {
    entries.reduce(0) { $0 + $1.byteCount } + comparedTexts.reduce(0) { $0 + $1.byteCount }
  }

  /// Whether nothing was found.
  var isEmpty: Bool { entries.allSatisfy(\.isEmpty) && longTexts.isEmpty && comparedTexts.isEmpty }

  /// Whether a cell did not convert.
  var hasMisfits: Bool { entries.contains { $0.count > 0 } }

  /// The number of cells that did not convert.
  var misfitCount: Int { entries.reduce(0) { $0 + $1.count } }

  /// Whether rows that have misfits are left out.
  var leavesOut: Bool { rows != nil }

  /// Collects the rows that have misfits from now on.
  mutating func leaveOut() { rows = [] }

  /// The rows that have had misfits since the last call.
  mutating func takeRows() -> [UInt32] {
    guard let found = rows, !found.isEmpty else { return [] }
    rows = []
    return found
  }

  /// Adds the counts of another part of the same input.
  mutating func merge(_ other: ConversionTally) {
    for (slot, entry) in other.entries.enumerated() where slot < entries.count { entries[slot].merge(entry) }
    add(longTextsOf: other)
    merge(comparedTextsOf: other)
  }

  /// Adds the texts of another tally that are too long.
  mutating func add(longTextsOf other: ConversionTally) {
    for more in other.longTexts { longTexts[place(of: more.use)].texts.merge(more.texts) }
  }

  /// The maximum number of operations whose texts are held: there may be as many as items in a list.
  private static let mostComparedTexts = 64

  /// Adds the texts that another expression compared.
  mutating func add(comparedTextsOf other: ConversionTally) {
    for more in other.comparedTexts {
      if let index = comparedTexts.firstIndex(where: { $0.isAlike(more) }) {
        comparedTexts[index].merge(more)
      } else if comparedTexts.count < Self.mostComparedTexts {
        comparedTexts.append(more)
      }
    }
  }

  /// Adds the texts that the same expression compared in other rows.
  private mutating func merge(comparedTextsOf other: ConversionTally) {
    for more in other.comparedTexts {
      if let index = comparedTexts.firstIndex(where: { $0.isAlike(more.operation, more.slot, more.other) }) {
        comparedTexts[index].merge(more)
      } else if comparedTexts.count < Self.mostComparedTexts {
        comparedTexts.append(more)
      }
    }
  }

  /// Forgets where texts are too long: for texts made from many rows it is not known.
  mutating func forgetPlacesOfLongTexts() {
    for place in longTexts.indices { longTexts[place].texts = longTexts[place].texts.withoutPlace }
  }

  /// Takes over the counts of another expression for the same cells if they are larger.
  mutating func widen(_ other: ConversionTally) {
    for (slot, entry) in other.entries.enumerated() where slot < entries.count { entries[slot].widen(entry) }
    add(longTextsOf: other)
    merge(comparedTextsOf: other)
  }

  /// Records a cell that is a misfit.
  ///
  /// - Parameter line: the line of the row, if it is known.
  mutating func recordMisfit(
    _ slot: Int, wanted: ExpressionError.ValueKind, cell: Cell, batch: Batch, row: Int, line: Int? = nil
  ) {
    recordMisfit(slot, wanted: wanted, batch.content(cell), batch: batch, row: row, line: line)
  }

  /// Records a misfit.
  mutating func recordMisfit(
    _ slot: Int, wanted: ExpressionError.ValueKind, _ content: Span<UInt8>, batch: Batch, row: Int,
    line: Int? = nil
  ) {
    guard entries.indices.contains(slot) else { return }
    rows?.append(UInt32(truncatingIfNeeded: row))
    entries[slot].misfits.recordCell(content, wanted: wanted, batch: batch, row: row, line: line)
  }

  /// Records that a function converted a cell.
  ///
  /// - Returns: whether a cell of every slot is converted now, so that no more need be recorded.
  mutating func recordConverted(_ slot: Int) -> Bool {
    guard awaitsConversion(slot) else { return false }
    entries[slot].endUnconverted()
    return entries.allSatisfy(\.hasConverted)
  }

  /// Whether no function has converted a cell in a slot yet.
  func awaitsConversion(_ slot: Int) -> Bool {
    entries.indices.contains(slot) && !entries[slot].hasConverted
  }

  /// Records a cell that a function made null, while none was converted.
  mutating func recordUnconverted(
    _ slot: Int, wanted: ExpressionError.ValueKind, _ content: Span<UInt8>, batch: Batch, row: Int
  ) {
    entries[slot].unconverted.recordCell(content, wanted: wanted, batch: batch, row: row)
  }

  /// Records a cell that a function made null where that shows nowhere.
  ///
  /// - Parameter isArgument: whether the function was given the cell itself, so that it matters what that looks like.
  mutating func recordDropped(
    _ slot: Int, wanted: ExpressionError.ValueKind, _ content: Span<UInt8>, isArgument: Bool, batch: Batch,
    row: Int
  ) {
    guard entries.indices.contains(slot) else { return }
    if isArgument {
      entries[slot].dropped.recordCell(content, wanted: wanted, batch: batch, row: row)
    } else {
      entries[slot].dropped.count(content, wanted: wanted, batch: batch, row: row)
    }
  }

  /// Records a short cell of which it was asked whether there is a value: a word such as `NA`, or a code of two letters,
  /// beside which `NA` may be one.
  mutating func recordShortWord(_ slot: Int, _ content: Span<UInt8>, batch: Batch, row: Int) {
    guard entries.indices.contains(slot) else { return }
    if let word = NullLikeWord(content) {
      if word != .empty { entries[slot].nullWords.recordCell(content, wanted: .text, batch: batch, row: row) }
    } else if content.isCodeOfTwoLetters {
      entries[slot].nullWords.recordLook(content)
    }
  }

  /// Records a text that is too long; with a batch without rows, that of all rows.
  mutating func recordLongText(_ use: LongTextUse, batch: Batch, row: Int) {
    let place = place(of: use)
    if batch.rowCount == 0 { return longTexts[place].texts.recordWithoutPlace() }
    longTexts[place].texts.recordCell(batch.content(.missing), wanted: .text, batch: batch, row: row)
  }

  /// The row of the first text that an operation compared with a number; the largest number if there is none yet.
  func firstRow(
    ofTexts operation: ComparedTexts.Operation, _ slot: Int, _ other: ComparedTexts.Other
  ) -> Int {
    for index in comparedTexts.indices where comparedTexts[index].isAlike(operation, slot, other) {
      return comparedTexts[index].firstRow
    }
    return .max
  }

  /// Records two texts that an operation compared.
  ///
  /// - Parameter areMixed: whether one of them is a number.
  mutating func recordTexts(
    _ left: Span<UInt8>, _ right: Span<UInt8>, _ operation: ComparedTexts.Operation, _ slot: Int,
    _ other: ComparedTexts.Other, areMixed: Bool, at place: TextSample.SourceRow
  ) {
    guard let index = index(of: operation, slot, other) else { return }
    if areMixed { comparedTexts[index].recordTexts(ifFirst: left, right, at: place) }
    if !areMixed || ComparedTexts.areExamined(inRow: place.row) {
      comparedTexts[index].recordTexts(left, right, at: place)
    }
  }

  /// The index of the texts that an operation compares; `nil` if a column is not known, or if there are too
  /// many operations.
  private mutating func index(
    of operation: ComparedTexts.Operation, _ slot: Int, _ other: ComparedTexts.Other
  ) -> Int? {
    for index in comparedTexts.indices where comparedTexts[index].isAlike(operation, slot, other) {
      return index
    }
    if comparedTexts.count == Self.mostComparedTexts || !holdsComparedTexts { return nil }
    var slots = [slot]
    if case .cells(let slot) = other { slots.append(slot) }
    guard slots.allSatisfy({ entries.indices.contains($0) }) else { return nil }
    let columns = slots.map { entries[$0].column }
    comparedTexts.append(
      ComparedTexts(operation, slot: slot, other, columns: columns, isDecisive: other != .rows))
    return comparedTexts.count - 1
  }

  /// Records that the order of texts decides the result of `min()` or `max()`.
  mutating func recordDecisiveTexts(_ slot: Int, isLargest: Bool) {
    guard let index = index(of: .extreme(isLargest: isLargest), slot, .rows) else { return }
    comparedTexts[index].isDecisive = true
  }

  private mutating func place(of use: LongTextUse) -> Int {
    if let place = longTexts.firstIndex(where: { $0.use == use }) { return place }
    longTexts.append(LongTexts(use: use))
    return longTexts.count - 1
  }

  /// Records a cell that is not of the type declared for its column.
  mutating func recordDeclared(
    _ slot: Int, wanted: ExpressionError.ValueKind, cell: Cell, batch: Batch, row: Int
  ) {
    guard entries.indices.contains(slot) else { return }
    entries[slot].use = .type
    recordMisfit(slot, wanted: wanted, cell: cell, batch: batch, row: row)
  }

  /// Records the unit of a cell that is read as a size.
  @inline(__always)
  mutating func recordUnit(_ slot: Int, _ content: Span<UInt8>, batch: Batch, row: Int) {
    guard entries.indices.contains(slot) else { return }
    entries[slot].units.recordUnit(of: content, from: batch, row: row)
  }

  /// Records a date that is compared as text with a date of another spelling.
  mutating func recordDate(_ slot: Int, _ content: Span<UInt8>, batch: Batch, row: Int) {
    guard entries.indices.contains(slot) else { return }
    entries[slot].dates.recordCell(content, wanted: .date, batch: batch, row: row)
  }
}

extension ConversionTally.Cells.Found {
  fileprivate mutating func countNew(
    _ content: Span<UInt8>, wanted: ExpressionError.ValueKind, batch: Batch, row: Int, line: Int? = nil
  ) {
    guard batch.rowNumber(ofRow: row) < tally.firstRow else { return tally.recordWithoutPlace() }
    let misfit = ConversionTally.Misfit(content, of: batch, row: row, line: line, wanted: wanted)
    tally.record(inRow: misfit.row, misfit)
  }

  /// Whether the cell in a row has not been counted yet.
  fileprivate mutating func isNew(_ row: Int, in batch: Batch) -> Bool {
    let id = (id: batch.identity, row: batch.rowNumber(ofRow: 0))
    if self.batch.map({ $0 == id }) != true {
      self.batch = id
      counted.removeAll(keepingCapacity: true)
    }
    while counted.count <= row / 64 { counted.append(0) }
    let bit: UInt64 = 1 &<< UInt64(row % 64)
    defer { counted[row / 64] |= bit }
    return counted[row / 64] & bit == 0
  }

  /// The approximate bytes that they take besides themselves.
  fileprivate var byteCount: Int {
    8 * counted.capacity + (tally.first.map { 64 + $0.text.count } ?? 0) + looks.byteCount
  }
}

/// How an expression would use a text that is too long.
public enum LongTextUse: Hashable, Sendable {
  /// The function or operator would make it.
  case made(by: String)
  /// The function would read it.
  case read(by: String)
  /// A template would be filled with it.
  case filled
}

/// What running a program leaves behind besides its values.
struct EvaluationState: Sendable {
  /// The cells that did not convert.
  var tally: ConversionTally

  /// The reason to end the run.
  var failure: EvaluationFailure?

  /// The rows of the batch that are the first with their key: those for the first `unique()`, then for the next.
  var firsts: RowBits?

  /// The rows of the batch that are selected, if a style rule needs them.
  var selected: RowBits?

  /// Whether the row is selected, for a style rule that evaluates a single row.
  var isSelected = false

  /// Whether cells that are not of their column's declared type are counted here, although they were found before.
  var countsDeclared = false

  /// Whether cells that a function such as `number()` does not convert are counted, although it is null by definition.
  var countsConversions = false

  /// Whether a note is wanted if such a function converts no cell.
  var expectsConversions = false

  /// Whether a note is wanted on each cell that such a function does not convert, because nobody sees the null.
  var notesDropped = false

  /// Whether it is noted that a function has converted a cell, or has not.
  @inline(__always)
  func notesConversion(_ isConverted: Bool) -> Bool {
    expectsConversions || !isConverted && (countsConversions || notesDropped)
  }

  /// The number of the shown row, for `{n}` in templates.
  var shownRow = 0

  /// Whether the table has a column `n`, which `{n}` then means.
  var hasColumnN = false
}

/// The reason an expression ended a run.
enum EvaluationFailure: Error, Equatable, Sendable {
  /// A value that `must()` rejected: its input, as an index into the plan's sources, the line its record
  /// begins on, counted from 1 and `nil` for a value of all rows, its text, and the type it should have had.
  case must(source: Int, line: Int?, text: [UInt8], type: Expression.TypeName)
  /// More different values than a function has room for.
  case tooManyKeys(function: String)
  /// A temporary file that could not be read.
  case system(SystemError)
}
