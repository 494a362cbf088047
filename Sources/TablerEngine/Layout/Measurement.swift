/// The widths of all cells of a table, and what else arranging needs to know of them.
///
/// Rows are measured piece by piece, in any order; measurements merge by maximum.
struct Measurement: Measuring {
  /// What was found out so far, column by column.
  private(set) var columns: [ColumnMeasure]

  private let context: TextContext
  private var texts: [CellText]
  private let isDecimal: [Bool]
  private let hasLimit: Bool

  /// No word longer than this makes a column's least width larger.
  static let longestLeast = 12

  /// Starts without rows.
  ///
  /// - Parameter marks: the marks that numbers in cells are written with.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions, marks: NumberMarks = .standard
  ) {
    self.columns = Array(repeating: ColumnMeasure(), count: columns.count)
    self.texts = texts
    context = TextContext(options, marks: marks)
    isDecimal = columns.map { $0.alignment == .decimal }
    hasLimit = context.limit != nil
  }

  /// Takes over what is larger in `other`, a measurement of the same columns.
  mutating func merge(_ other: Measurement) {
    for index in columns.indices where index < other.columns.count {
      columns[index].merge(other.columns[index])
    }
  }

  /// Measures some of the rows.
  ///
  /// Rows in another order than they were read are measured in that of their bytes, which costs a
  /// fraction of the cache misses; only what shows the row's number needs the order it is shown in.
  ///
  /// - Parameter number: the number of the first of them among the rows shown, from 1.
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

  /// Measures a footer line; it does not decide what a column holds.
  mutating func measure(_ footer: FooterLine) {
    for (index, text) in footer.cells.enumerated() where index < columns.count {
      guard let text else { continue }
      var buffer = ByteBuffer()
      context.escaper.append(text.span, to: &buffer)
      measure(index, escaped: buffer.span)
    }
  }
}

extension Measurement {
  /// Measures rows, in columns of one kind, in pieces that lie in one batch each.
  private mutating func measure(
    _ batches: [Batch], _ ids: Span<RowID>, firstNumber: Int, where isWanted: (CellText) -> Bool
  ) {
    let wanted = texts.indices.filter { isWanted(texts[$0]) }
    guard !wanted.isEmpty else { return }
    let piece = 256
    var reader = CellReader(context)
    var start = 0
    while start < ids.count {
      let batch = ids[start].batch
      var end = start &+ 1
      while end < ids.count, end &- start < piece, ids[end].batch == batch { end &+= 1 }
      let rows = ids.extracting(start..<end)
      for column in wanted {
        measure(column, batches[batch], rows, firstNumber: firstNumber &+ start, &reader)
      }
      start = end
    }
  }

  /// Measures a column in rows that lie in one batch.
  private mutating func measure(
    _ column: Int, _ batch: Batch, _ ids: Span<RowID>, firstNumber: Int, _ reader: inout CellReader
  ) {
    guard let source = texts[column].verbatimColumn, source < batch.columnCount, !isDecimal[column] else {
      for index in ids.indices {
        measure(column, batch, ids[index].row, number: firstNumber &+ index, &reader)
      }
      return
    }
    var width = columns[column].width
    var isSettled = isSettled(column)
    var known = hasLimit ? columns[column].known : (word: .max, number: .max)
    let notes = batch.cells
    let cells = notes.span
    let stride = batch.columnCount
    let isJSON = batch.isJSON
    for index in ids.indices {
      let row = ids[index].row
      let cell = cells[row &* stride &+ source]
      guard cell.isSimple,
        cell.length <= known.number || cell.length <= known.word && batch.content(cell).beginsWithLetter
      else {
        measure(column, batch, row, number: firstNumber &+ index, &reader)
        isSettled = self.isSettled(column)
        if hasLimit { known = columns[column].known }
        continue
      }
      if cell.length > width { width = cell.length }
      if !isSettled, cell.length > 0 {
        note(batch.content(cell), of: cell, in: column, isJSON: isJSON)
        isSettled = self.isSettled(column)
      }
    }
    columns[column].width = max(columns[column].width, width)
  }

  /// Measures a cell that is not as simple.
  private mutating func measure(
    _ column: Int, _ batch: Batch, _ row: Int, number: Int, _ reader: inout CellReader
  ) {
    if !isSettled(column) { noteValue(column, batch, row) }
    if let source = texts[column].verbatimColumn, !isDecimal[column] {
      let cell = batch.cell(row: row, column: source)
      if !cell.isAbsent, let extent = context.extent(of: batch.content(cell)) {
        if extent.width > columns[column].width { columns[column].width = extent.width }
        if hasLimit { measureParts(column, batch.content(cell)) }
        return
      }
    }
    reader.read(&texts[column], batch, row, number: number)
    measure(column, escaped: reader.text.span)
  }

  /// Whether nothing is left to be found out about what the column holds.
  @inline(__always)
  private func isSettled(_ column: Int) -> Bool {
    columns[column].hasOthers && (columns[column].hasText || !hasLimit)
  }

  /// Measures what of an escaped text should not be broken: all of a number, date or time, else its words.
  private mutating func measureParts(_ column: Int, _ cell: Span<UInt8>) {
    let text = cell.withoutOuterBlanks
    if text.isNumberOrDate(context.marks) {
      columns[column].whole = max(columns[column].whole, context.metrics.width(of: text))
      return
    }
    let isPlain = text.isPlain
    guard columns[column].longestWord < Self.longestLeast || !isPlain && !columns[column].hasWide else {
      return
    }
    if isPlain, !text.hasWord(longerThan: columns[column].longestWord) { return }
    let part = context.metrics.widestPart(of: text)
    columns[column].longestWord = max(columns[column].longestWord, part.width)
    columns[column].hasWide = columns[column].hasWide || part.hasWide
  }

  private mutating func measure(_ column: Int, escaped text: Span<UInt8>) {
    columns[column].width = max(columns[column].width, context.metrics.widestLine(of: text))
    if hasLimit { measureParts(column, text) }
    if isDecimal[column] {
      let point = text.decimalPoint(context.marks)
      let before = context.metrics.width(of: text.extracting(0..<point))
      columns[column].beforePoint = max(columns[column].beforePoint, before)
      let after = context.metrics.width(of: text.extracting(point..<text.count))
      columns[column].fromPoint = max(columns[column].fromPoint, after)
    }
  }

  /// Notes whether the value a column draws is a number.
  private mutating func noteValue(_ column: Int, _ batch: Batch, _ row: Int) {
    switch texts[column].value(batch, row) {
    case .cell(let cell): note(batch.content(cell), of: cell, in: column, isJSON: batch.isJSON)
    case .number: columns[column].hasNumbers = true
    case .text:
      columns[column].hasOthers = true
      columns[column].hasText = true
    case .none: break
    }
  }

  /// Notes whether a cell is a number: JSON says so itself; elsewhere its look does.
  @inline(__always)
  private mutating func note(
    _ content: Span<UInt8>, of cell: Cell, in column: Int, isJSON: Bool
  ) {
    let isNumber =
      isJSON
      ? cell.kind == .number
      : content.isDigits(decimal: context.marks.decimal)
        || NumberReader.isNumber(content, marks: context.marks)
    if isNumber {
      columns[column].hasNumbers = true
    } else if !content.isNullLike {
      columns[column].hasOthers = true
      if hasLimit, !columns[column].hasText { columns[column].hasText = !content.isDateOrTime }
    }
  }
}

extension Batch {
  /// Whether the cells say themselves whether they are numbers.
  fileprivate var isJSON: Bool { origin.dialect.form == .json }
}

extension Span<UInt8> {
  /// Whether the text is nothing but digits, perhaps with a decimal mark among them: the common number.
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
  /// The cells of a text of words, and of any text, that make no difference to what should not be broken.
  @inline(__always)
  fileprivate var known: (word: Int, number: Int) {
    (longestWord >= Measurement.longestLeast ? .max : max(whole, longestWord), whole)
  }
}

extension Span<UInt8> {
  /// Whether the text begins with a letter or a sign after the digits in ASCII: no number, date or time does.
  @inline(__always)
  fileprivate var beginsWithLetter: Bool { count > 0 && self[0] > UInt8(ascii: "@") }

  /// The text without the blanks at its ends, which give way before anything is broken.
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

  /// Whether more than `length` bytes stand together without a blank.
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

  /// Whether a text is a number, a date or a time by its look.
  fileprivate func isNumberOrDate(_ marks: NumberMarks) -> Bool {
    guard count > 0, !beginsWithLetter else { return false }
    return isDigits(decimal: marks.decimal) || isDateOrTime || NumberReader.isNumber(self, marks: marks)
  }
}
