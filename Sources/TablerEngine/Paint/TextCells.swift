/// The cells of a row that may need several lines: titles, a footer, a row with tall cells.
///
/// Lines of other cells are found while drawing, because a cell may have millions.
struct TextCells: Sendable {
  /// One cell: where its lines are.
  ///
  /// Rare properties are stored in separate arrays, because a row may have very many cells.
  private struct Cell {
    @Narrow private var firstLine = 0
    @Narrow private var lastLine = 0
    @Narrow private var sourcePlace = -1
    @Narrow private var carryPlace = -1
    let isDim: Bool

    /// A title or a plain cell, with its lines among those found in advance.
    init(lines: Range<Int>, carry: Int? = nil, isDim: Bool = false) {
      self.isDim = isDim
      self.lines = lines
      carryPlace = carry ?? -1
    }

    /// Another cell, with the index of the source that finds its lines, among `sources`.
    init(source: Int, carry: Int?, isDim: Bool) {
      self.isDim = isDim
      sourcePlace = source
      carryPlace = carry ?? -1
    }

    /// The lines of a title or of a plain cell, among those found in advance.
    var lines: Range<Int> {
      get { firstLine..<lastLine }
      set { (firstLine, lastLine) = (newValue.lowerBound, newValue.upperBound) }
    }

    /// The index of the source that finds the lines of another cell, among `sources`.
    var source: Int? { sourcePlace < 0 ? nil : sourcePlace }

    /// The index of the carry between its lines, among `carries`.
    var carry: Int? { carryPlace < 0 ? nil : carryPlace }
  }

  /// One line of a cell.
  private struct Line {
    @Narrow private var start: Int
    @Narrow private var end: Int
    @Narrow var width: Int
    @Narrow var markWidth: Int

    /// The cells of the mark before it.
    @Narrow var leadWidth: Int

    /// A line of bytes of the text.
    init(range: Range<Int>, width: Int, markWidth: Int = 0, leadWidth: Int = 0) {
      (start, end) = (range.lowerBound, range.upperBound)
      self.width = width
      self.markWidth = markWidth
      self.leadWidth = leadWidth
    }

    /// The bytes of the text.
    var range: Range<Int> { start..<end }
  }

  /// Finds the lines of a cell.
  private struct LineSource {
    let text: Range<Int>
    let width: Int
    let overflow: Overflow
    let isLate: Bool

    /// The cells of the mark before lines that continue the one before.
    let leadWidth: Int
    var breaker: LineBreaker

    /// The line found last, and its number.
    var line: Line?
    var number = -1
    var isCut = false

    /// Moves on to the next line; returns whether it is the first that was cut.
    mutating func advance(in text: borrowing ByteBuffer, _ context: TextContext) -> Bool {
      number += 1
      let content = text.span.extracting(self.text)
      guard let next = breaker.next(in: content) else {
        line = nil
        return false
      }
      let place = self.text.lowerBound + next.range.lowerBound
      let wasCut = isCut
      if next.isReplaced {
        line = Line(range: place..<place, width: 0, markWidth: 1)
        isCut = true
      } else if overflow == .truncate, next.width > width {
        let cut = context.metrics.cut(content.extracting(next.range), to: width, mark: context.cutMark)
        line = Line(range: place..<place + cut.count, width: cut.width, markWidth: cut.markWidth)
        isCut = true
      } else {
        line = Line(
          range: place..<place + next.range.count, width: next.width,
          leadWidth: next.isContinued ? leadWidth : 0)
      }
      return isCut && !wasCut
    }
  }

  let context: TextContext
  private var cells: [Cell] = []
  private var sources: [LineSource] = []
  private var carries: [LineCarry] = []

  /// The lines of titles, and of cells that are one plain line.
  private var lines: [Line] = []

  /// The number of cells that were cut so far.
  private(set) var cutCount = 0

  /// The number of titles that were cut so far because they take too many lines.
  private(set) var cutTitleCount = 0

  /// The number of cells so far that were wider than the measured ones.
  var lateCount = 0

  /// The counts so far.
  struct Counts: Sendable {
    fileprivate var cells = 0
    fileprivate var titles = 0
    fileprivate var late = 0
  }

  /// The counts so far; they are restored if something is drawn again.
  var counts: Counts {
    get { Counts(cells: cutCount, titles: cutTitleCount, late: lateCount) }
    set { (cutCount, cutTitleCount, lateCount) = (newValue.cells, newValue.titles, newValue.late) }
  }

  /// Counts a cell that was cut elsewhere.
  mutating func countCut() { cutCount += 1 }

  /// Creates a row without cells.
  init(_ context: TextContext) { self.context = context }

  /// Removes the cells of the previous row, and reserves room for `count` cells.
  mutating func removeAll(reserving count: Int = 0) {
    cells.removeAll(keepingCapacity: true)
    cells.reserveCapacity(count)
    sources.removeAll(keepingCapacity: true)
    carries.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
    lines.reserveCapacity(count)
  }

  /// The lines of the tallest of some titles.
  func titleHeight(of titles: Range<Int>) -> Int { cells[titles].reduce(0) { max($0, $1.lines.count) } }

  /// Advances all cells to line `number`, which must follow the last one.
  ///
  /// Returns `false` if no cell has that many lines.
  mutating func advance(to number: Int, of text: borrowing ByteBuffer) -> Bool {
    advance(cells.indices, to: number, of: text)
  }

  /// Advances some cells to line `number`, which must follow their last one.
  ///
  /// Returns `false` if none of them has that many lines.
  mutating func advance(_ indices: Range<Int>, to number: Int, of text: borrowing ByteBuffer) -> Bool {
    var isThere = false
    for index in indices {
      if number < cells[index].lines.count { isThere = true }
      guard let source = cells[index].source else { continue }
      let isNewlyCut = sources[source].advance(in: text, context)
      if isNewlyCut, !sources[source].isLate { cutCount += 1 }
      if sources[source].line != nil { isThere = true }
    }
    return isThere
  }

  /// Adds the cell whose text extends from `start` to the end of `text`.
  ///
  /// - Parameter widest: the width of the widest measured text; `nil` if this cell was measured.
  mutating func append(
    _ text: borrowing ByteBuffer, from start: Int, width: Int, overflow: Overflow, needsCarry: Bool,
    isDim: Bool = false, widest: Int? = nil
  ) {
    let content = text.span.extracting(start..<text.count)
    if content.count <= min(width, widest ?? .max), content.isPlain {
      lines.append(Line(range: start..<text.count, width: content.count))
      cells.append(
        Cell(lines: lines.count - 1..<lines.count, isDim: isDim))
      return
    }
    let isLate =
      widest.map { context.metrics.widestLine(of: content) > $0 } ?? false
    // In a column of one cell there is no room for the mark next to the text.
    let leadWidth = isLate && width > LateMark.width ? LateMark.width : 0
    let breaker = LineBreaker(
      width: overflow == .wrap ? width : nil, indent: leadWidth, metrics: context.metrics)
    sources.append(
      LineSource(
        text: start..<text.count, width: width, overflow: overflow, isLate: isLate, leadWidth: leadWidth,
        breaker: breaker))
    if isLate { lateCount += 1 }
    cells.append(Cell(source: sources.count - 1, carry: newCarry(needsCarry), isDim: isDim))
  }

  /// Adds the title whose text extends from `start` to the end of `text`.
  ///
  /// It wraps to at most `lineLimit` lines. Further text is cut and marked.
  mutating func append(
    title text: borrowing ByteBuffer, from start: Int, width: Int, lineLimit: Int, needsCarry: Bool
  ) {
    guard context.overflow == .wrap else {
      return append(wholeTitle: text, from: start, width: width, needsCarry: needsCarry)
    }
    let first = lines.count
    let content = text.span.extracting(start..<text.count)
    var breaker = LineBreaker(width: width, metrics: context.metrics, isTitle: true)
    var isCut = false
    while let line = breaker.next(in: content) {
      let place = start + line.range.lowerBound
      if line.isContinued, lines.count - first >= lineLimit {
        cutLastLine(of: text, to: width)
        cutTitleCount += 1
        break
      }
      if line.isReplaced {
        lines.append(Line(range: place..<place, width: 0, markWidth: 1))
        isCut = true
      } else {
        lines.append(Line(range: place..<start + line.range.upperBound, width: line.width))
      }
    }
    if isCut { cutCount += 1 }
    cells.append(Cell(lines: first..<lines.count, carry: newCarry(needsCarry)))
  }

  /// Adds a title that does not wrap.
  private mutating func append(
    wholeTitle text: borrowing ByteBuffer, from start: Int, width: Int, needsCarry: Bool
  ) {
    let first = lines.count
    var source = LineSource(
      text: start..<text.count, width: width, overflow: context.overflow, isLate: false, leadWidth: 0,
      breaker: LineBreaker(width: nil, metrics: context.metrics))
    repeat {
      if source.advance(in: text, context) { cutCount += 1 }
      if let line = source.line { lines.append(line) }
    } while source.line != nil
    cells.append(Cell(lines: first..<lines.count, carry: newCarry(needsCarry)))
  }

  /// The index of a new carry among `carries`, if one is needed.
  private mutating func newCarry(_ isNeeded: Bool) -> Int? {
    guard isNeeded else { return nil }
    carries.append(LineCarry())
    return carries.count - 1
  }

  /// Cuts the last line to `width` cells: the rest of the text, to its end or next newline, is longer.
  private mutating func cutLastLine(of text: borrowing ByteBuffer, to width: Int) {
    guard let line = lines.popLast() else { return }
    let start = line.range.lowerBound
    let rest = text.span.extracting(start..<text.count)
    let end = rest.indices.first { rest[$0] == UInt8(ascii: "\n") } ?? rest.count
    let cut = context.metrics.cut(rest.extracting(0..<end), to: width, mark: context.cutMark)
    lines.append(Line(range: start..<start + cut.count, width: cut.width, markWidth: cut.markWidth))
  }

  /// Puts the sign of a sort order after the last line of the title that was added last: one blank after it,
  /// or on a line of its own if it does not fit.
  ///
  /// - Returns: its line, and the cells from the start of that line; `nil` if it does not fit at all.
  mutating func placeSign(
    of text: borrowing ByteBuffer, room: Int, width: Int, lineLimit: Int
  ) -> (line: Int, before: Int)? {
    guard room > 0, let cell = cells.indices.last else { return nil }
    let count = cells[cell].lines.count
    // If the title is cut anyway, it was already counted.
    let isCounted = count > 0 && lines[lines.count - 1].markWidth > 0
    guard room <= width else {
      if !isCounted { countLostSign() }
      return nil
    }
    let last = self.width(cell, line: count - 1) ?? 0
    if last == 0 { return (max(0, count - 1), 0) }
    if last + 1 + room <= width || context.overflow == .scroll { return (count - 1, last + 1) }
    if context.overflow == .wrap, count < lineLimit {
      lines.append(Line(range: 0..<0, width: 0))
      cells[cell].lines = cells[cell].lines.lowerBound..<lines.count
      return (count, 0)
    }
    if !isCounted { countLostSign() }
    guard width > room + 1 else { return nil }
    cutLastLine(of: text, to: width - room - 1)
    return (count - 1, (self.width(cell, line: count - 1) ?? 0) + 1)
  }

  /// Counts a title that is not shown whole with its sign.
  private mutating func countLostSign() {
    if context.overflow == .wrap { cutTitleCount += 1 } else { cutCount += 1 }
  }

  /// Whether a cell shows `--missing`.
  func isDim(_ cell: Int) -> Bool { cell < cells.count && cells[cell].isDim }

  /// The cells that line `number` of a cell takes; `nil` if the cell has no such line.
  func width(_ cell: Int, line number: Int) -> Int? {
    guard let line = line(cell, number) else { return nil }
    return line.leadWidth + line.width + line.markWidth
  }

  private func line(_ cell: Int, _ number: Int) -> Line? {
    guard cell < cells.count else { return nil }
    if let source = cells[cell].source {
      return sources[source].number == number ? sources[source].line : nil
    }
    return number < cells[cell].lines.count ? lines[cells[cell].lines.lowerBound + number] : nil
  }

  /// The number of cells of a line that come before its decimal point.
  func widthBeforePoint(_ cell: Int, line number: Int, in text: borrowing ByteBuffer) -> Int {
    guard let line = line(cell, number) else { return 0 }
    let content = text.span.extracting(line.range)
    let point = content.decimalPoint(context.marks)
    return line.leadWidth + context.metrics.width(of: content.extracting(0..<point))
  }

  /// Draws line `number` of a cell, without padding.
  mutating func paint(
    _ cell: Int, line number: Int, of text: borrowing ByteBuffer, into output: inout ByteBuffer
  ) {
    guard let line = line(cell, number) else { return }
    if line.leadWidth > 0 { output.append(context.lateMark) }
    if let carry = cells[cell].carry {
      carries[carry].append(line: text.span.extracting(line.range), to: &output)
    } else {
      output.append(text.span.extracting(line.range))
    }
    if line.markWidth > 0 { context.cutMark.append(to: &output, cells: line.markWidth) }
  }
}

extension TextCells {
  /// Notices for the user so far.
  var notices: [LayoutNotice] {
    var notices: [LayoutNotice] = []
    if lateCount > 0 { notices.append(.lateCells(lateCount)) }
    if cutCount > 0 {
      notices.append(context.overflow == .truncate ? .cutCells(cutCount) : .clippedCells(cutCount))
    }
    if cutTitleCount > 0 { notices.append(.cutTitles(cutTitleCount)) }
    return notices
  }
}

/// The lines above and below a table: its title, forms, and a caption directly above it.
struct TextHeading: Sendable {
  /// The lines above, harmless, with their line ends; the title is styled as headers are by default.
  private var above: [UInt8] = []

  /// The lines below: a blank one and those of the form there.
  private(set) var below: [UInt8] = []

  /// How the lines fit, including those of forms in the frame of the table.
  private var fit = TextFit()
  private var isPainted = false

  /// Prepares the lines.
  ///
  /// - Parameter indent: the cells before the lines, if there is room.
  init(_ options: LayoutOptions, _ context: TextContext, indent: Int = 0) {
    let style = TextStyle(.bold, depth: options.colorDepth)
    let form = FormText(options, context)
    var above = ByteBuffer()
    var below = ByteBuffer()
    if let title = options.title { append(title, style, context, indent: indent, to: &above) }
    if options.blendedForms.isEmpty, let preamble = options.preamble?.drawn {
      if !above.isEmpty { above.append(0x0A) }
      form.append(preamble, &fit, to: &above)
      if !options.blendsForms { above.append(0x0A) }
    }
    if let caption = options.caption { append(caption, .plain, context, indent: indent, to: &above) }
    if options.blendedForms.isEmpty, let postamble = options.postamble?.drawn {
      if !options.blendsForms { below.append(0x0A) }
      form.append(postamble, &fit, to: &below)
    }
    self.above = above.array()
    self.below = below.array()
  }

  /// Writes the lines above the table.
  mutating func paint(into out: inout ByteBuffer) {
    out.append(above)
    isPainted = true
  }

  /// Adds how the lines of forms in the frame fit.
  mutating func add(_ joined: TextFit) { fit.add(joined) }

  /// Notices for the user, from the painter that wrote the lines.
  var notices: [LayoutNotice] { isPainted ? fit.notices : [] }

  private mutating func append(
    _ text: String, _ style: TextStyle, _ context: TextContext, indent: Int, to out: inout ByteBuffer
  ) {
    var cells = TextCells(context)
    var escaped = ByteBuffer()
    let findings = context.escaper.append(Array(text.utf8).span, to: &escaped)
    cells.append(
      escaped, from: 0, width: context.limit ?? .max, overflow: context.limit == nil ? .scroll : .wrap,
      needsCarry: findings.needsCarry)
    var line = 0
    while cells.advance(to: line, of: escaped) {
      let free = context.limit.map { max($0 - (cells.width(0, line: line) ?? 0), 0) } ?? indent
      out.append(blanks: min(indent, free))
      style.apply(to: &out) { cells.paint(0, line: line, of: escaped, into: &$0) }
      out.trimBlanks()
      out.append(0x0A)
      line += 1
    }
    fit.cuts += cells.cutCount
  }
}

/// How texts fit that are outside of the cells of a table.
struct TextFit: Sendable {
  /// The number of texts with a character that is wider than the room.
  var cuts = 0

  /// By how many cells their lines exceed the width.
  var excess = 0

  /// Adds the values of other texts.
  mutating func add(_ other: TextFit) {
    cuts += other.cuts
    excess = max(excess, other.excess)
  }

  /// Notices for the user.
  var notices: [LayoutNotice] {
    (excess > 0 ? [.widerThanLimit(by: excess)] : []) + (cuts > 0 ? [.clippedCells(cuts)] : [])
  }
}

/// A form as text: a line for each label and its value, and a blank line between records.
struct FormText {
  /// A line, and the cells it takes.
  struct Line {
    var text: [UInt8]
    var width: Int
  }

  private let context: TextContext
  private let style: TextStyle
  private let missingStyle: TextStyle
  private let indent: Int
  private let room: Int?

  /// Takes the options about forms outside of the table from `options`.
  init(_ options: LayoutOptions, _ context: TextContext) {
    self.init(options, context, indent: Spacing(options).table.leading, room: context.limit)
  }

  /// Takes the options about forms from `options`.
  ///
  /// - Parameters:
  ///   - indent: the blanks before each line.
  ///   - room: the cells of a line, including those blanks; `nil` if there is no limit.
  init(_ options: LayoutOptions, _ context: TextContext, indent: Int, room: Int?) {
    self.context = context
    self.indent = indent
    self.room = room
    style = TextStyle.header(options)
    missingStyle = TextStyle.frame(options)
  }

  /// Appends the lines of a form, with their line ends.
  func append(_ form: Form, _ fit: inout TextFit, to out: inout ByteBuffer) {
    for line in lines(form, &fit) {
      out.append(line.text)
      out.append(0x0A)
    }
  }

  /// The lines of a form.
  func lines(_ form: Form, _ fit: inout TextFit) -> [Line] {
    let labels = form.records.map { $0.map { context.escaped($0.label) } }
    let widest = labels.reduce(0) { $1.reduce($0) { max($0, context.metrics.widestLine(of: $1.span)) } }
    // If there is little room, labels and values get half of it each.
    let limit = room
    let room = room.map { max(2, $0 - indent - Form.gap) }
    let labelWidth = min(widest, max(1, (room ?? .max) / 2))
    let valueWidth = room.map { max(1, $0 - labelWidth) }
    var lines: [Line] = []
    for (number, fields) in form.records.enumerated() {
      if number > 0 { lines.append(Line(text: [], width: 0)) }
      for (field, label) in zip(fields, labels[number]) {
        fit.cuts += append(label, field.value, labelWidth: labelWidth, valueWidth: valueWidth, to: &lines)
      }
    }
    if let limit { fit.excess = max(fit.excess, lines.reduce(0) { max($0, $1.width) } - limit) }
    return lines
  }

  /// Appends the lines of a field; returns how many of its texts were cut.
  private func append(
    _ label: [UInt8], _ value: [UInt8]?, labelWidth: Int, valueWidth: Int?, to lines: inout [Line]
  ) -> Int {
    var cells = TextCells(context)
    var text = ByteBuffer()
    text.append(label)
    cells.append(text, from: 0, width: labelWidth, overflow: .wrap, needsCarry: context.metrics.passesControl)
    var needsCarry = false
    if let value {
      needsCarry =
        context.escaper.append(
          value.span, room: DrawnText.longest, mark: context.cutMark, to: &text
        ).needsCarry
    } else {
      text.append(context.missing)
    }
    cells.append(
      text, from: label.count, width: valueWidth ?? .max, overflow: valueWidth == nil ? .scroll : .wrap,
      needsCarry: needsCarry)
    var number = 0
    while cells.advance(to: number, of: text) || number == 0 {
      var out = ByteBuffer()
      let width = cells.width(0, line: number)
      var total = indent + labelWidth
      out.append(blanks: total - (width ?? 0))
      if width != nil { style.apply(to: &out) { cells.paint(0, line: number, of: text, into: &$0) } }
      if let width = cells.width(1, line: number) {
        total += Form.gap + width
        out.append(blanks: Form.gap)
        let style = value == nil ? missingStyle : .plain
        style.apply(to: &out) { cells.paint(1, line: number, of: text, into: &$0) }
      }
      let end = out.count
      out.trimBlanks()
      lines.append(Line(text: out.array(), width: total - (end - out.count)))
      number += 1
    }
    return cells.cutCount
  }
}
