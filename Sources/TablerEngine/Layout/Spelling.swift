/// The way a form spells texts: what it escapes, and what it shows for missing cells.
protocol Spelling: Sendable {
  /// The spelled text of null and missing cells.
  var missing: [UInt8] { get }

  /// Appends a text as the form spells it.
  ///
  /// - Parameter room: about how many bytes may be drawn, in a form that cuts very long texts.
  func spell(_ text: Span<UInt8>, room: Int, to out: inout ByteBuffer) -> Escaper.Findings

  /// Whether the spelling of a simple cell is its content in its block.
  func copies(_ cell: Cell, of block: ByteBlock) -> Bool
}

/// The spelling of a form that aligns columns, so that texts are measured as spelled.
protocol MeasuredSpelling: Spelling {
  /// How texts are measured.
  var metrics: TextMetrics { get }

  /// The decimal and thousands marks of numbers in cells.
  var marks: NumberMarks { get }

  /// The longest line allowed.
  var limit: Int? { get }

  /// Whether columns that do not fit are left out.
  var leavesOut: Bool { get }

  /// Whether the decimal points of a column may be lined up.
  static var linesUpPoints: Bool { get }

  /// Whether a text may span all columns; otherwise it is put in the first.
  static var hasBands: Bool { get }

  /// Appends a text of a footer as the form spells it.
  func spell(footer text: Span<UInt8>, to out: inout ByteBuffer)

  /// The cells that styles add to a text.
  func room(of styles: [Style]) -> Int

  /// The room of a text that is copied as it is; `nil` if it must be spelled first.
  func extent(of text: Span<UInt8>) -> TextExtent?

  /// Whether a text from a template is spelled unchanged, so that it needs no copy.
  func keeps(_ text: Span<UInt8>) -> Bool
}

extension MeasuredSpelling {
  /// None, unless styles are written with characters.
  func room(of styles: [Style]) -> Int { 0 }
}

/// The cells of a table as a form spells them, one after the other.
///
/// Only the extensions constrain `S`: a constraint here would be looked up at the start of each run.
struct SpelledCells<S: Sendable>: ~Copyable {
  /// The spelling of the form.
  let spelling: S

  /// The texts of the columns.
  var texts: [CellText]

  /// Whether the cell shown last is drawn dim.
  private(set) var isDim = false

  /// Whether the cell shown last has no value.
  private(set) var isAbsent = false

  /// The cell read last, spelled.
  private(set) var text = ByteBuffer()

  /// The text of a template.
  private var scratch = ByteBuffer()
}

extension SpelledCells where S: Spelling {
  /// Creates the cells of columns.
  init(_ texts: [CellText], _ spelling: S) {
    self.texts = texts
    self.spelling = spelling
  }

  /// Determines the text of a column in a row.
  ///
  /// - Parameter number: the number of the row shown, from 1.
  mutating func show(_ column: Int, _ batch: Batch, _ row: Int, number: Int) -> CellText.Shown {
    // Cells shown as they are do not change `texts`, so that a shared array is not copied.
    let shown =
      texts[column].shownCell(batch, row) ?? texts[column].show(batch, row, number: number, into: &scratch)
    isDim = shown.isDim
    isAbsent = if case .absent = shown { true } else { false }
    return shown
  }

  /// Appends the text shown last, spelled.
  ///
  /// - Parameter room: about how many bytes of it may be drawn.
  @inline(__always)
  func append(
    _ shown: CellText.Shown, _ batch: Batch, room: Int = DrawnText.longest, to out: inout ByteBuffer
  ) -> Escaper.Findings {
    Self.append(shown, scratch, batch, spelling, room: room, to: &out)
  }

  /// Appends the text of a column in a row, spelled.
  ///
  /// - Parameters:
  ///   - number: the number of the row shown, from 1.
  ///   - room: about how many bytes of it may be drawn.
  mutating func append(
    _ column: Int, _ batch: Batch, _ row: Int, number: Int, room: Int = DrawnText.longest,
    to out: inout ByteBuffer
  ) -> Escaper.Findings {
    append(show(column, batch, row, number: number), batch, room: room, to: &out)
  }

  @inline(__always)
  fileprivate static func append(
    _ shown: CellText.Shown, _ scratch: borrowing ByteBuffer, _ batch: Batch, _ spelling: S, room: Int,
    to out: inout ByteBuffer
  ) -> Escaper.Findings {
    switch shown {
    case .cell(let cell): return spelling.spell(batch.drawn(cell), room: room, to: &out)
    case .scratch: return spelling.spell(scratch.span, room: room, to: &out)
    case .absent:
      out.append(spelling.missing)
      return Escaper.Findings()
    }
  }

  /// The text shown last, before it is spelled; empty for a cell without a value.
  func withText<Result>(of shown: CellText.Shown, _ batch: Batch, _ body: (Span<UInt8>) -> Result) -> Result {
    switch shown {
    case .cell(let cell): body(batch.drawn(cell))
    case .scratch: body(scratch.span)
    case .absent: body(ByteBuffer(capacity: 0).span)
    }
  }

  /// Appends the text shown last, spelled, if it is a changed cell: the old value and the new one between marks.
  ///
  /// - Parameters:
  ///   - column: the column.
  ///   - marks: what is before and after each value.
  /// - Returns: `nil`, with nothing appended, if it is no changed cell.
  func appendChange(
    of column: Int, marks: (old: (StaticString, StaticString), new: (StaticString, StaticString)),
    to out: inout ByteBuffer
  ) -> CellFindings? {
    guard let lengths = texts[column].changeLengths else { return nil }
    let text = scratch.span
    let newStart = lengths.old + lengths.sign
    var found = CellFindings()
    func append(_ range: Range<Int>, _ marks: (StaticString, StaticString)) {
      if range.isEmpty { return }
      out.append(marks.0)
      found += spelling.spell(text.extracting(range), room: DrawnText.longest, to: &out).ofCell
      out.append(marks.1)
    }
    append(0..<lengths.old, marks.old)
    found += spelling.spell(text.extracting(lengths.old..<newStart), room: DrawnText.longest, to: &out).ofCell
    append(newStart..<text.count, marks.new)
    return found
  }

  /// Whether the text shown last looks like a date, a time or a number by its characters.
  func isDateOrTime(_ shown: CellText.Shown, _ batch: Batch) -> Bool {
    switch shown {
    case .cell(let cell): batch.drawn(cell).isDateOrTime
    case .scratch: scratch.span.isDateOrTime
    case .absent: false
    }
  }
}

extension SpelledCells where S: MeasuredSpelling {
  /// Reads the text of a column in a row into `text`, spelled.
  @discardableResult
  mutating func read(_ column: Int, _ batch: Batch, _ row: Int, number: Int) -> Escaper.Findings {
    text.removeAll()
    let shown = show(column, batch, row, number: number)
    // A text that needs no copy is not cut.
    if shown == .scratch, scratch.count > DrawnText.longest / 4, spelling.keeps(scratch.span) {
      swap(&text, &scratch)
      return Escaper.Findings()
    }
    return Self.append(shown, scratch, batch, spelling, room: DrawnText.longest, to: &text)
  }
}
