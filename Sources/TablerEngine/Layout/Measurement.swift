/// The widths of all cells of a table, and what else arranging needs to know about them.
///
/// Rows are measured piece by piece, in any order; measurements merge by maximum.
///
/// Only the extensions constrain `S`: a constraint here would be looked up at the start of each run.
struct Measurement<S: Sendable>: Sendable {
  /// The results so far, column by column.
  private(set) var columns: [ColumnMeasure]

  /// The cells of the longest piece that breaking lines keeps whole, in texts across all columns.
  private(set) var widestPiece = 0

  private let spelling: S
  private var texts: [CellText]
  private let isDecimal: [Bool]
  private let hasLimit: Bool
  private let mayLeaveOut: Bool
}

extension Measurement: RowMeasure where S: MeasuredSpelling {
  /// Begins without rows.
  init(_ columns: [ShownColumn], _ texts: [CellText], _ spelling: S) {
    self.columns = Array(repeating: ColumnMeasure(), count: columns.count)
    self.texts = texts
    self.spelling = spelling
    isDecimal = columns.map { S.linesUpPoints && $0.alignment == .decimal }
    hasLimit = spelling.limit != nil
    mayLeaveOut = hasLimit && spelling.leavesOut
  }

  /// Takes over whatever is larger in `other`, a measurement of the same columns.
  mutating func merge(_ other: Measurement) {
    for index in columns.indices where index < other.columns.count {
      columns[index].merge(other.columns[index])
    }
  }

  /// Measures some of the rows.
  ///
  /// Rows in another order than they were read are measured in the order of their bytes, which takes a
  /// fraction of the cache misses; only a text with the row's number needs the order in which rows are shown.
  ///
  /// - Parameter number: the number of the first of them among the rows shown, from 1.
  /// - Complexity: O(*n*) cells are examined, for rows of *n* cells.
  mutating func measure(_ rows: Rows, _ range: Range<Int>, firstNumber number: Int) {
    let ids = rows.ids.span.extracting(range)
    if range.count > 4_096, rows.isScattered(range) {
      let ordered = rows.ordered(range)
      measure(rows.batches, ordered.span, firstNumber: number) { !$0.dependsOnNumber }
      measure(rows.batches, ids, firstNumber: number) { $0.dependsOnNumber }
    } else {
      measure(rows.batches, ids, firstNumber: number) { _ in true }
    }
  }
}

extension Measurement {
  /// Records that cells that were not examined may need escapes.
  mutating func expectEscapes() {
    for index in columns.indices { columns[index].hasEscapes = true }
  }
}

extension Measurement where S: MeasuredSpelling {
  /// Measures a footer line; it does not affect what kind of values a column has.
  mutating func measure(_ footer: FooterLine) {
    switch footer {
    case .titles(let texts), .cells(let texts):
      for (index, text) in texts.enumerated() where index < columns.count {
        if let text { measure(index, footer: text) }
      }
    case .band(let text):
      if columns.isEmpty { return }
      guard S.hasBands else { return measure(0, footer: text) }
      var buffer = ByteBuffer()
      spelling.spell(footer: text.span, to: &buffer)
      let piece = spelling.metrics.widestPart(of: buffer.span).width
      widestPiece = max(widestPiece, min(piece, ColumnMeasure.longestLeast))
    }
  }

  private mutating func measure(_ column: Int, footer text: [UInt8]) {
    var buffer = ByteBuffer()
    spelling.spell(footer: text.span, to: &buffer)
    measure(column, spelled: buffer.span)
  }
}

extension Measurement where S: MeasuredSpelling {
  /// Measures rows, in columns of one kind, in pieces of one batch each.
  private mutating func measure(
    _ batches: [Batch], _ ids: Span<RowID>, firstNumber: Int, where isWanted: (CellText) -> Bool
  ) {
    let wanted = texts.indices.filter { isWanted(texts[$0]) }
    guard !wanted.isEmpty else { return }
    let piece = 256
    var cells = SpelledCells(texts, spelling)
    // Filling templates changes their texts: there must be only one copy of them.
    texts = []
    defer { texts = cells.texts }
    var start = 0
    while start < ids.count {
      let batch = ids[start].batch
      var end = start &+ 1
      while end < ids.count, end &- start < piece, ids[end].batch == batch { end &+= 1 }
      let rows = ids.extracting(start..<end)
      for column in wanted {
        if mayLeaveOut, let source = cells.texts[column].verbatimColumn {
          compare(column, source, batches[batch], rows)
        }
        measure(column, batches[batch], rows, firstNumber: firstNumber &+ start, &cells)
      }
      start = end
    }
  }

  /// Compares the cells of a column in rows of one batch, until further cells would not change the result.
  private mutating func compare(_ column: Int, _ source: Int, _ batch: Batch, _ ids: Span<RowID>) {
    for index in ids.indices {
      if columns[column].variety.isSettled { return }
      guard source < batch.width else { return columns[column].variety.addText(Span()) }
      let cell = batch.cell(row: ids[index].row, column: source)
      if cell.isAbsent {
        columns[column].variety.addText(Span())
      } else {
        columns[column].variety.addText(batch.drawn(cell))
      }
    }
  }

  /// Measures a column in rows of one batch.
  private mutating func measure(
    _ column: Int, _ batch: Batch, _ ids: Span<RowID>, firstNumber: Int, _ cells: inout SpelledCells<S>
  ) {
    guard let source = cells.texts[column].verbatimColumn, source < batch.columnCount, !isDecimal[column]
    else {
      for index in ids.indices {
        measure(column, batch, ids[index].row, number: firstNumber &+ index, &cells)
      }
      return
    }
    var width = columns[column].width
    var isSettled = isSettled(column)
    var known = hasLimit ? columns[column].known : (word: .max, number: .max)
    let batchCells = batch.cells
    let cellSpan = batchCells.span
    let stride = batch.columnCount
    let isJSON = batch.isJSON
    for index in ids.indices {
      let row = ids[index].row
      let cell = cellSpan[row &* stride &+ source]
      let isCopied = cell.isSimple && spelling.copies(cell, of: batch.block)
      if cell.isSimple, !isCopied { columns[column].hasEscapes = true }
      guard isCopied, cell.length <= known.number || batch.block.hasOnlyWords(cell, upTo: known.word)
      else {
        measure(column, batch, row, number: firstNumber &+ index, &cells)
        isSettled = self.isSettled(column)
        if hasLimit { known = columns[column].known }
        continue
      }
      if cell.length > width { width = cell.length }
      if !isSettled {
        recordKind(of: batch.content(cell), cell: cell, in: column, isJSON: isJSON)
        isSettled = self.isSettled(column)
      }
    }
    columns[column].width = max(columns[column].width, width)
  }

  /// Measures a cell that is not simple.
  private mutating func measure(
    _ column: Int, _ batch: Batch, _ row: Int, number: Int, _ cells: inout SpelledCells<S>
  ) {
    if !isSettled(column) { recordKind(of: cells.texts[column].value(batch, row), in: column, batch) }
    if let source = cells.texts[column].verbatimColumn, !isDecimal[column] {
      let cell = batch.cell(row: row, column: source)
      if !cell.isAbsent {
        let content = batch.drawn(cell)
        if let extent = spelling.extent(of: content) {
          if extent.width > columns[column].width { columns[column].width = extent.width }
          if hasLimit { measureParts(column, content) }
          return
        }
      }
    }
    cells.read(column, batch, row, number: number)
    if mayLeaveOut, cells.texts[column].verbatimColumn == nil, !columns[column].variety.isSettled {
      if cells.isAbsent {
        columns[column].variety.addText(Span())
      } else {
        columns[column].variety.addText(cells.text.span)
      }
    }
    measure(column, spelled: cells.text.span)
  }

  /// Whether further cells would not change what kind of values the column has.
  @inline(__always)
  private func isSettled(_ column: Int) -> Bool {
    columns[column].hasOthers && (columns[column].hasText || !hasLimit)
  }

  /// Measures the parts of an escaped text that should not be broken: the whole of a number, date or time,
  /// otherwise its words.
  private mutating func measureParts(_ column: Int, _ cell: Span<UInt8>) {
    let text = cell.withoutOuterBlanks
    if text.isNumberOrDate(spelling.marks) {
      columns[column].whole = max(columns[column].whole, spelling.metrics.width(of: text))
      return
    }
    let mayBeWide =
      !columns[column].hasWide && !text.isPlain && text.mayBeWide(ambiguous: spelling.metrics.ambiguousWidth)
    // A text takes at most as many cells as bytes.
    guard
      mayBeWide
        || columns[column].longestWord < ColumnMeasure.longestLeast
          && text.hasWord(longerThan: columns[column].longestWord)
    else { return }
    let part = spelling.metrics.widestPart(of: text)
    columns[column].longestWord = max(columns[column].longestWord, part.width)
    columns[column].hasWide = columns[column].hasWide || part.hasWide
  }

  private mutating func measure(_ column: Int, spelled text: Span<UInt8>) {
    columns[column].width = max(columns[column].width, spelling.metrics.widestLine(of: text))
    if hasLimit { measureParts(column, text) }
    if isDecimal[column] {
      let point = text.decimalPoint(spelling.marks)
      let before = spelling.metrics.width(of: text.extracting(0..<point))
      columns[column].beforePoint = max(columns[column].beforePoint, before)
      let after = spelling.metrics.width(of: text.extracting(point..<text.count))
      columns[column].fromPoint = max(columns[column].fromPoint, after)
    }
  }

  /// Records whether the value of a column is a number.
  private mutating func recordKind(of value: CellText.ShownValue, in column: Int, _ batch: Batch) {
    switch value {
    case .cell(let cell): recordKind(of: batch.content(cell), cell: cell, in: column, isJSON: batch.isJSON)
    case .number: columns[column].hasNumbers = true
    case .text:
      columns[column].hasOthers = true
      columns[column].hasText = true
    case .none: break
    }
  }

  /// Records whether a cell is a number: in JSON by its kind, elsewhere by its look.
  ///
  /// An empty text is ignored.
  @inline(__always)
  private mutating func recordKind(
    of content: Span<UInt8>, cell: Cell, in column: Int, isJSON: Bool
  ) {
    if cell.isNull || content.isEmpty { return }
    // In a column of dates another one changes nothing.
    if hasLimit, columns[column].hasOthers, content.isDateAndNoNumber { return }
    let isNumber =
      cell.kind == .number
      || !isJSON
        && (content.isDigits(decimal: spelling.marks.decimal)
          || NumberReader.isNumber(content, marks: spelling.marks))
    if isNumber {
      columns[column].hasNumbers = true
    } else if !content.isNullLike {
      columns[column].hasOthers = true
      if hasLimit, !columns[column].hasText { columns[column].hasText = !content.isDateOrTime }
    }
  }
}

extension Batch {
  /// Whether the kinds of cells tell whether they are numbers.
  fileprivate var isJSON: Bool { origin.dialect.form == .json }
}

extension Span<UInt8> {
  /// Whether the text has only digits, perhaps with a decimal mark among them: the usual number.
  @inline(__always)
  func isDigits(decimal mark: UInt8) -> Bool {
    guard count > 0, self[0] != mark, self[count &- 1] != mark else { return false }
    var marks = 0
    for index in indices where NumberScan.digit(self[index]) > 9 {
      guard self[index] == mark else { return false }
      marks &+= 1
    }
    return marks <= 1
  }
}

extension ColumnMeasure {
  /// The width up to which a text of words, or any text, has no part that should not be broken.
  @inline(__always)
  fileprivate var known: (word: Int, number: Int) {
    (longestWord >= ColumnMeasure.longestLeast ? .max : max(whole, longestWord), whole)
  }
}

extension UInt8 {
  /// Whether it is a letter, or comes after the digits in ASCII: no number, date or time begins with such a byte.
  @inline(__always)
  fileprivate var beginsText: Bool { self > UInt8(ascii: "@") }
}

extension ByteBlock {
  /// Whether a cell in the block begins with a letter and has no part of more than `length` bytes that should not be broken.
  @inline(__always)
  fileprivate func hasOnlyWords(_ cell: Cell, upTo length: Int) -> Bool {
    cell.length > 0 && self[cell.offset].beginsText
      && (cell.length <= length || !hasWord(in: cell, longerThan: length))
  }

  /// Whether a cell has more than `length` bytes without a blank.
  @inline(never)
  private func hasWord(in cell: Cell, longerThan length: Int) -> Bool {
    guard cell.length <= 64 else {
      return span.extracting(cell.offset..<cell.offset &+ cell.length).hasWord(longerThan: length)
    }
    let own = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- cell.length)
    return (own & ~bits(of: 0x20, at: cell.offset)).hasRun(of: length &+ 1)
  }
}

extension Span<UInt8> {
  /// The text without the blanks at its ends, which are dropped before anything is broken.
  @inline(__always)
  fileprivate var withoutOuterBlanks: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var (start, end) = (0, count)
      while start < end, self[start] == 0x20 { start &+= 1 }
      while end > start, self[end &- 1] == 0x20 { end &-= 1 }
      return extracting(start..<end)
    }
  }

  /// Whether there are more than `length` bytes without a blank.
  fileprivate func hasWord(longerThan length: Int) -> Bool {
    var start = 0
    while count &- start > length {
      var blank = start &+ length
      while blank >= start, self[blank] != 0x20 { blank &-= 1 }
      if blank < start { return true }
      start = blank &+ 1
    }
    return false
  }

  /// Whether the text looks like a date or a time and has a mark after its first byte that no number has.
  @inline(never)
  fileprivate var isDateAndNoNumber: Bool {
    for index in 1..<Swift.max(count, 1) {
      switch self[index] {
      case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "/"): return isDateOrTime
      default: continue
      }
    }
    return false
  }

  /// Whether a character of the text may take two cells: none of less than three bytes does, unless it is ambiguous.
  fileprivate func mayBeWide(ambiguous: Int) -> Bool {
    if ambiguous > 1 { return true }
    for index in indices where self[index] > 0xE0 { return true }
    return false
  }

  /// Whether a text is a number, a date or a time by its look.
  fileprivate func isNumberOrDate(_ marks: NumberMarks) -> Bool {
    guard count > 0, !self[0].beginsText else { return false }
    return isDigits(decimal: marks.decimal) || isDateOrTime || NumberReader.isNumber(self, marks: marks)
  }
}

/// The results of measuring one column.
struct ColumnMeasure: Equatable, Sendable {
  /// The cells of the widest line of any cell.
  @Narrow var width = 0

  /// Whether a cell is a number.
  var hasNumbers = false

  /// Whether a cell that is neither empty nor null is not a number.
  var hasOthers = false

  /// The cells of the widest text before a decimal point.
  @Narrow var beforePoint = 0

  /// The cells of the widest text from the decimal point on.
  @Narrow var fromPoint = 0

  /// The cells of the widest number, date or time, if there is a limit.
  @Narrow var whole = 0

  /// The cells of the longest word of other texts, up to the length that matters.
  @Narrow var longestWord = 0

  /// Whether a cell is neither a number nor a date or time, if there is a limit.
  var hasText = false

  /// Whether a character of a cell is two cells wide, if there is a limit.
  var hasWide = false

  /// Whether the spelling of a simple cell differs from its content.
  var hasEscapes = false

  /// The variety of the cells, if columns may be left out.
  var variety = CellVariety()

  /// The longest word that affects a column's minimum width.
  static let longestLeast = 12

  /// Whether the column is a column of numbers.
  var isNumeric: Bool { hasNumbers && !hasOthers }

  /// Takes over whatever is larger in `other`.
  mutating func merge(_ other: ColumnMeasure) {
    width = max(width, other.width)
    hasNumbers = hasNumbers || other.hasNumbers
    hasOthers = hasOthers || other.hasOthers
    beforePoint = max(beforePoint, other.beforePoint)
    fromPoint = max(fromPoint, other.fromPoint)
    whole = max(whole, other.whole)
    longestWord = max(longestWord, other.longestWord)
    hasText = hasText || other.hasText
    hasWide = hasWide || other.hasWide
    hasEscapes = hasEscapes || other.hasEscapes
    variety.merge(other.variety)
  }
}

extension Span<UInt8> {
  /// The position at which a number in the text has its decimal point, or would have it: after its digits.
  ///
  /// Without digits it is the end, so that words end at the same position as whole numbers.
  func decimalPoint(_ marks: NumberMarks) -> Int {
    var start = 0
    while start < count, NumberScan.digit(self[start]) > 9 { start &+= 1 }
    guard start < count else { return count }
    if start > 0, self[start &- 1] == marks.decimal { return start &- 1 }
    var offset = start
    while offset < count {
      if NumberScan.digit(self[offset]) <= 9 {
        offset &+= 1
      } else if let length = groupMarkLength(at: offset, marks) {
        offset &+= length
      } else {
        break
      }
    }
    return offset
  }

  /// The length of a thousands mark, as formats write it, if there is one before three digits.
  private func groupMarkLength(at offset: Int, _ marks: NumberMarks) -> Int? {
    var length = marks.thousandsLength
    if length == 0 {
      let mark = marks.decimal == UInt8(ascii: ",") ? UInt8(ascii: ".") : UInt8(ascii: ",")
      guard self[offset] == mark else { return nil }
      length = 1
    } else if !marks.isThousands(in: self, at: offset, before: count) {
      return nil
    }
    guard offset &+ length &+ 3 <= count else { return nil }
    for place in 0..<3 where NumberScan.digit(self[offset &+ length &+ place]) > 9 { return nil }
    return length
  }
}
