/// The layout of a text table: widths, paddings and the bytes that do not change.
///
/// It holds only numbers and fixed bytes; painters turn it and the cells into text.
struct Arrangement: Sendable {
  /// One column as it is drawn.
  struct DrawnColumn: Sendable {
    /// The sign of its sort order; empty if there is none to draw.
    var sign: [UInt8] = []
    /// The mark that tells which of its cells violate a rule, if there is a rule about it.
    var mark: FieldMark?
    /// The cells for the bars beside its numbers; 0 if it has none.
    @Narrow var barRoom = 0
    /// As `ShownColumn.mergeRank`.
    @Narrow var mergeRank = 0
    /// The cells of its texts.
    @Narrow var width: Int
    /// The cells from the decimal point on, if points are lined up.
    @Narrow var fromPoint = 0
    /// The width of the widest measured text.
    @Narrow var widest = 0
    /// The cells reserved for the sign after the title.
    @Narrow var signRoom = 0
    /// The index behind `source`; negative if there is none.
    @Narrow private var place: Int
    /// The side on which its texts are aligned.
    var alignment: Alignment
    /// Whether its cells are headers of their rows.
    var isRowHeader: Bool

    /// Its index among the shown columns; `nil` represents those that were left out.
    var source: Int? { place < 0 ? nil : place }
  }

  /// The columns, from leading to trailing.
  let columns: [DrawnColumn]
  /// Their titles, harmless; empty in the corner above numbers and templates that name the rows.
  let titles: TextList
  /// The titles over several columns, harmless.
  let header: SpannedHeader
  /// The column at each place, for each line of a record.
  ///
  /// Empty if a record is one line.
  let lines: [[Int?]]
  /// The bytes around the texts.
  let frame: TextFrame
  /// The spacing.
  ///
  /// Its leading edge includes `indent`.
  let spacing: Spacing
  /// The indent that aligns the table in the line.
  let indent: Int
  /// Whether there is a header.
  let hasHeader: Bool
  /// The maximum number of lines in a title.
  let headerHeight: Int
  /// The cells of a whole line, without the space around the table.
  let lineWidth: Int
  /// The rows that were measured.
  let lookAhead: LookAhead
  /// The width that a late text may take in the last column: in an open frame, the rest of the line.
  let lastRoom: Int
  /// The mark of the first column that has one: all of them read the same notes.
  let firstMark: FieldMark?
  /// Notices for the user.
  let notices: [LayoutNotice]

  /// Arranges the measured columns.
  ///
  /// 1. Footers are measured like cells.
  /// 2. For every column its desired and its minimum width are determined; if the minimums do not fit, bars, then
  ///    some columns are left out.
  /// 3. The width plan finds the widths; the least width of the table widens them.
  /// 4. The frame is put around them, and the whole table is placed in the line.
  ///
  /// - Parameter lookAhead: the rows that were measured.
  init(
    _ wished: [ShownColumn], _ measurement: Measurement<TextContext>, footers: [FooterLine],
    _ options: LayoutOptions,
    lookAhead: LookAhead = .all
  ) {
    self.lookAhead = lookAhead
    var shown = wished
    let context = TextContext(options)
    let lateRoom = lookAhead != .all && context.overflow == .wrap ? LateMark.leastWidth : 0
    var measured = measurement
    for footer in footers { measured.measure(footer) }
    let measures = measured.columns

    let signs = HeaderSigns(shown, options)
    var titles = TextList()
    for column in shown { titles.append(context.escaped(column.title)) }
    let hasTitles = options.hasHeader || footers.contains { $0.repeatsTitles }
    var columns = shown.indices.map { index in
      DrawnColumn(shown[index], measures[index], index, signs)
    }
    var plan = WidthPlan(
      columns: columns.indices.map { index in
        var column = WidthPlan.ColumnWishes(
          columns[index], measures[index], title: hasTitles ? titles[index] : nil, lateRoom: lateRoom,
          context)
        if let item = shown[index].item { column.keep(to: item, context) }
        return column
      })

    let unplaced = Spacing(options)
    hasHeader = options.hasHeader
    headerHeight = options.headerHeight
    var builder = FrameBuilder(shown, unplaced, options)
    var notices: [LayoutNotice] = []
    var lines: [[Int?]] = []
    if let limit = context.limit, builder.fixedWidth + plan.least > limit,
      shown.contains(where: { $0.barRoom > 0 })
    {
      // Numbers must not be broken for the sake of bars.
      for index in shown.indices { (shown[index].barRoom, columns[index].barRoom) = (0, 0) }
      builder = FrameBuilder(shown, unplaced, options)
      notices.append(.leftOutBars)
    }
    if options.wrapsColumns, let limit = context.limit, builder.fixedWidth + plan.least > limit,
      let fold = ColumnFold(shown, plan, within: limit, unplaced, options)
    {
      (lines, plan, builder) = (fold.lines, fold.plan, fold.builder)
    } else if context.leavesOut, let limit = context.limit, builder.fixedWidth + plan.least > limit,
      let kept = KeptColumns(shown, measures, plan, mark: context.cutMark, within: limit, unplaced, options)
    {
      columns = kept.places.map { $0.map { columns[$0] } ?? DrawnColumn(leftOut: context.cutMark) }
      let all = titles
      titles = TextList()
      for place in kept.places { titles.append(place.map { all[$0] } ?? context.cutMark.text) }
      plan = kept.plan
      builder = kept.builder
      let total = shown.count { !$0.isRowHeader }
      notices.append(.leftOutColumns(shown: columns.count { !$0.isRowHeader } - 1, of: total))
    }
    builder.header = SpannedHeader(columns.spans(of: shown, context))
    plan.widen(for: builder.header, builder, context)
    header = builder.header
    let limit = context.limit
    var widths = plan.widths(within: limit.map { $0 - builder.fixedWidth })
    let width = builder.fixedWidth + widths.reduce(0, +)
    var asked = min(max(0, options.minimumWidth ?? 0), 10_000)
    if options.fills, case .atMost(let whole) = options.width { asked = whole }
    let band = options.blendedForms.reduce(measured.widestPiece) { max($0, $1.width(context)) }
    let least = min(max(asked, builder.width(around: band)), limit ?? .max)
    widths = plan.widened(widths, by: least - width)
    if lookAhead != .all, let limit {
      let isOpen = Self.isOpen(columns, plan, builder.frame(widths), lines)
      widths = plan.readied(widths, for: limit - builder.fixedWidth, endsOpen: isOpen)
    }
    if limit == nil { widths = plan.capped(builder.filled(widths)) }
    if !options.blendedForms.isEmpty, let last = widths.indices.last {
      // Not even columns of a given width may be too narrow for a frame around a form.
      let whole = builder.fixedWidth + widths.reduce(0, +)
      widths[last] += max(0, builder.width(around: Form.leastWidth) - whole)
    }
    if let limit, case let whole = builder.fixedWidth + widths.reduce(0, +), whole > limit {
      notices.append(.widerThanLimit(by: whole - limit))
    }

    lineWidth =
      builder.fixedWidth - unplaced.table.leading - unplaced.table.trailing + widths.reduce(0, +)
    func place(_ index: Int, _ place: Int) {
      let column = plan.columns[place]
      columns[index].width = widths[place]
      // A column at its maximum width is not narrow because of the look-ahead.
      let isFull = column.hasOwnWidth || column.most.map { widths[place] >= $0 } ?? false
      columns[index].widest = isFull ? .max : max(widths[place], column.widest)
    }
    if lines.isEmpty {
      for index in columns.indices { place(index, index) }
    } else {
      for line in lines {
        for (number, index) in line.enumerated() { if let index { place(index, number) } }
      }
    }
    self.columns = columns
    self.titles = titles
    self.lines = lines
    firstMark = columns.first { $0.mark != nil }?.mark
    self.notices = notices
    var free = 0
    if case .atMost(let whole) = options.width {
      free = whole - builder.fixedWidth - widths.reduce(0, +)
    }
    indent = options.place.blanksBefore(free)
    builder.spacing.table.leading += indent
    spacing = builder.spacing
    frame = builder.frame(widths)
    let isOpen = Self.isOpen(columns, plan, frame, lines)
    let left = limit.map { $0 - builder.fixedWidth - widths.dropLast().reduce(0, +) } ?? .max
    lastRoom = isOpen ? max(left, widths.last ?? 0) : widths.last ?? 0
  }
}

extension Arrangement {
  /// The display columns from the start of a line through the gap after row headers; 0 if there are none.
  var rowHeaderWidth: Int {
    let count = columns.prefix { $0.isRowHeader }.count
    guard count > 0, count < columns.count, lines.isEmpty else { return 0 }
    // Lines between columns may be styled.
    let metrics = TextMetrics(ambiguousWidth: 1, passesControl: true)
    let bytes = frame.lead + frame.gaps[..<count].joined()
    return spacing.table.leading + metrics.width(of: bytes.span)
      + columns[..<count].reduce(0) { $0 + $1.width }
  }
}

extension [Arrangement.DrawnColumn] {
  /// The titles above those of the columns, harmless; a column that represents others has those that its neighbors
  /// share.
  fileprivate func spans(of shown: [ShownColumn], _ context: TextContext) -> [[String?]] {
    guard shown.contains(where: { !$0.spans.isEmpty }) else { return [] }
    func spans(_ index: Int) -> [String?] {
      guard indices.contains(index) else { return [] }
      return self[index].source.map { shown[$0].spans } ?? []
    }
    return indices.map { index in
      var own = spans(index)
      if self[index].source == nil {
        own = zip(spans(index - 1), spans(index + 1)).map { $0 == $1 ? $0 : nil }
      }
      return own.map { $0.map { String(decoding: context.escaped($0), as: UTF8.self) } }
    }
  }
}

extension WidthPlan {
  /// Makes columns wider whose common title needs more room than they have.
  fileprivate mutating func widen(for header: SpannedHeader, _ builder: FrameBuilder, _ context: TextContext)
  {
    for line in header.lines.reversed() {
      for segment in line.segments {
        guard let title = segment.title else { continue }
        let free = segment.columns.filter { columns[$0].most == nil }
        let room = segment.columns.reduce(builder.width(between: segment.columns)) {
          $0 + columns[$1].natural
        }
        let missing = context.metrics.widestLine(of: Array(title.utf8).span) - room
        guard missing > 0, !free.isEmpty else { continue }
        for (place, column) in free.enumerated() {
          columns[column].natural += missing / free.count + (place < missing % free.count ? 1 : 0)
        }
      }
    }
  }
}

extension Arrangement {
  /// Whether the lines are longer than a limit, but by no more than a tenth.
  func isHardlyWider(than limit: WidthLimit) -> Bool {
    guard case .atMost(let limit) = limit else { return false }
    let whole = spacing.table.leading + lineWidth + spacing.table.trailing
    return whole > limit && whole <= limit + limit / 10
  }

  /// Whether a text of the last column may take the rest of its line.
  private static func isOpen(
    _ columns: [DrawnColumn], _ plan: WidthPlan, _ frame: TextFrame, _ lines: [[Int?]]
  ) -> Bool {
    guard let last = plan.columns.last, lines.isEmpty, !frame.isClosed else { return false }
    return columns.last?.alignment == .leading && last.most == nil && !last.hasOwnWidth
  }
}

extension Arrangement.DrawnColumn {
  /// A column that has no width yet.
  fileprivate init(
    _ shown: ShownColumn, _ measure: ColumnMeasure, _ index: Int, _ signs: HeaderSigns
  ) {
    width = 0
    alignment = shown.alignment(measure)
    fromPoint = measure.fromPoint
    sign = signs.signs[index]
    signRoom = signs.rooms[index]
    isRowHeader = shown.isRowHeader
    mark = shown.mark
    barRoom = shown.barRoom
    mergeRank = shown.mergeRank
    place = index
  }

  /// A column that represents those left out.
  fileprivate init(leftOut mark: CutMark) {
    width = mark.width
    alignment = .leading
    isRowHeader = false
    place = -1
  }

  /// The width of a title of `width` cells together with its sign.
  func titleWidth(_ width: Int) -> Int {
    signRoom == 0 ? width : width == 0 ? signRoom : width + 1 + signRoom
  }
}

extension ShownColumn {
  /// The alignment asked for; otherwise numbers are aligned at the trailing edge and everything else at the
  /// leading one.
  func alignment(_ measure: ColumnMeasure) -> Alignment {
    alignment ?? (measure.isNumeric ? .trailing : .leading)
  }
}

extension WidthPlan.ColumnWishes {
  /// The widths that a column asks for.
  ///
  /// - Parameters:
  ///   - title: its title, if titles are drawn.
  ///   - lateRoom: the minimum number of cells for a wider text of a later row.
  fileprivate init(
    _ column: Arrangement.DrawnColumn, _ measure: ColumnMeasure, title: [UInt8]?, lateRoom: Int,
    _ context: TextContext
  ) {
    var cells = max(measure.width, lateRoom)
    if column.alignment == .decimal { cells = max(cells, measure.beforePoint + measure.fromPoint) }
    let hasTitle = title != nil
    let title = title ?? []
    let whole = max(cells, hasTitle ? column.titleWidth(context.metrics.widestLine(of: title.span)) : 0)
    self.init(
      natural: whole, titled: whole, data: whole, least: whole, kept: whole, smallest: whole,
      hasText: measure.hasText || !measure.hasNumbers && measure.whole == 0, widest: whole)
    guard context.limit != nil else { return }
    let longest = ColumnMeasure.longestLeast
    data = min(natural, cells)
    guard context.overflow == .wrap else {
      // Cut text is lost, so a title keeps the width of a long word.
      titled = min(natural, max(cells, longest))
      least = min(natural, 3)
      kept = least
      smallest = min(natural, 1)
      return
    }
    var piece = context.metrics.widestPart(of: title.span, isTitle: true)
    // The sign comes beside a title that cannot be broken.
    if hasTitle, piece.width == context.metrics.widestLine(of: title.span) {
      piece.width = column.titleWidth(piece.width)
    }
    kept = min(natural, max(3, measure.whole, min(longest, measure.longestWord)))
    least = min(natural, max(kept, min(longest, piece.width)))
    titled = max(data, least)
    titlePiece = min(natural, longest, piece.width)
    self.whole = measure.whole
    smallest = min(natural, measure.hasWide || piece.hasWide ? 2 : 1)
  }

  /// Applies the widths of an item.
  ///
  /// With `scroll`, cells may need more.
  fileprivate mutating func keep(to item: GridItem, _ context: TextContext) {
    let isStrict = context.overflow != .scroll
    natural = item.width(natural: item.ideal ?? widest)
    if isStrict { most = item.most } else { natural = max(natural, widest) }
    hasOwnWidth = isStrict && item.ideal != nil
    if let least = item.least { (self.least, kept) = (least, least) }
    func held(_ width: Int) -> Int { min(max(width, item.least ?? 0), natural) }
    (titled, data, least, kept) = (held(titled), held(data), held(least), held(kept))
    whole = min(whole, natural)
    titlePiece = min(titlePiece, natural)
    smallest = min(smallest, natural)
  }
}

/// The desired widths of the columns of a table, and how they give way.
struct WidthPlan: Equatable, Sendable {
  /// One column's wishes, in display columns.
  struct ColumnWishes: Equatable, Sendable {
    /// The width if there is room: with everything in one line, unless an item says otherwise.
    @Narrow var natural: Int

    /// The width to which the title may be broken or cut before any cell is.
    @Narrow var titled: Int

    /// The width of the cells in one line.
    @Narrow var data: Int

    /// The minimum width that breaks no number, date or word.
    @Narrow var least: Int

    /// The width below which a number, a date or a word of the cells is broken; titles do not count.
    @Narrow var kept: Int

    /// The width below which not even a single character fits.
    @Narrow var smallest: Int

    /// Whether the cells contain texts other than numbers, dates and times.
    var hasText: Bool

    /// The width below which a number, a date or a time among other texts is broken.
    @Narrow var whole = 0

    /// The width below which the longest piece of the title is broken; pieces longer than `longestLeast` do
    /// not count.
    @Narrow var titlePiece = 0

    /// The width that it never exceeds, if there is one.
    var most: Int?

    /// Whether the width is independent of the cells.
    var hasOwnWidth = false

    /// The width of everything measured, in one line.
    @Narrow var widest = 0
  }

  /// The columns from leading to trailing.
  var columns: [ColumnWishes]

  /// The sum of the minimum widths.
  var least: Int { columns.reduce(0) { $0 + $1.least } }

  /// The widths for a line of `room` cells.
  ///
  /// Their sum exceeds it only if even the smallest widths do not fit (R65).
  ///
  /// Columns give way in steps, each only as much as needed:
  /// 1. titles wrap, if no cell has to;
  /// 2. columns of text shrink to their minimum widths;
  /// 3. columns of numbers, dates and times shrink to their cells;
  /// 4. then to their minimum widths;
  /// 5. texts break down to eight cells, if no piece of the title has to;
  /// 6. longer pieces of titles break down to eight cells, the longest first;
  /// 7. texts and titles break, but no numbers, dates and times;
  /// 8. numbers, dates and times among texts break;
  /// 9. then everything breaks.
  ///
  /// In each step the widest column gives up a cell, ties from the right, until all fit.
  ///
  /// - Complexity: O(*n* log *w*) for *n* columns of up to *w* cells, in each of about a dozen steps.
  func widths(within room: Int?) -> [Int] {
    var widths = columns.map(\.natural)
    guard let room else { return widths }
    var steps: [(ColumnWishes) -> Int] = [
      { $0.titled },
      { $0.hasText ? $0.least : $0.titled },
      { $0.hasText ? $0.least : max($0.data, $0.least) },
      { $0.least },
      { $0.floor(withPiecesUpTo: .max) },
    ]
    for length in stride(from: ColumnMeasure.longestLeast - 1, through: ColumnWishes.readable, by: -1) {
      steps.append { $0.floor(withPiecesUpTo: length) }
    }
    steps += [
      { $0.hasText ? $0.unbroken : $0.kept },
      { $0.hasText ? $0.smallest : $0.kept },
      { $0.smallest },
    ]
    for step in steps where widths.reduce(0, +) > room {
      widths = Self.level(widths, above: columns.map(step), to: room)
    }
    return widths
  }

  /// The widths limited to the highest level at which they fit; no column goes below its floor.
  private static func level(_ widths: [Int], above floors: [Int], to room: Int) -> [Int] {
    func cut(to level: Int) -> [Int] {
      zip(widths, floors).map { width, floor in min(width, max(level, min(floor, width))) }
    }
    var low = 0
    var high = widths.max() ?? 0
    while low < high {
      let middle = (low + high + 1) / 2
      if cut(to: middle).reduce(0, +) <= room { low = middle } else { high = middle - 1 }
    }
    var result = cut(to: low)
    var left = room - result.reduce(0, +)
    for index in result.indices where left > 0 && result[index] == low && widths[index] > low {
      result[index] += 1
      left -= 1
    }
    return result
  }

  /// The widths with `extra` more cells, distributed evenly to columns without a limit, the odd ones from the left.
  func widened(_ widths: [Int], by extra: Int) -> [Int] {
    let open = columns.count { $0.most == nil }
    guard extra > 0, open > 0 else { return widths }
    let share = extra / open
    var odd = extra % open
    return zip(widths, columns).map { width, column in
      guard column.most == nil else { return width }
      odd -= 1
      return width + share + (odd >= 0 ? 1 : 0)
    }
  }

  /// The widths, each limited to the maximum of its column.
  func capped(_ widths: [Int]) -> [Int] {
    zip(widths, columns).map { width, column in min(width, column.most ?? .max) }
  }
}

extension WidthPlan {
  /// The widths with all free cells in a line of `room` cells given to the last column of text, because later
  /// texts may be wider.
  ///
  /// - Parameter endsOpen: whether texts of the last column use the free cells anyway.
  func readied(_ widths: [Int], for room: Int, endsOpen: Bool) -> [Int] {
    let free = room - widths.reduce(0, +)
    guard free > 0, let last = columns.lastIndex(where: { $0.hasText && $0.most == nil && !$0.hasOwnWidth }),
      !endsOpen || last < columns.count - 1
    else { return widths }
    var widths = widths
    widths[last] += free
    return widths
  }
}

extension WidthPlan.ColumnWishes {
  /// The cells to which texts and longer pieces of titles are broken before shorter ones are.
  fileprivate static let readable = 8

  /// The width below which a number, a date or a time among texts is broken, or a character does not fit.
  fileprivate var unbroken: Int { max(smallest, min(whole, kept)) }

  /// The width to which texts are broken while pieces of titles of at most `length` cells stay whole.
  fileprivate func floor(withPiecesUpTo length: Int) -> Int {
    let cells = hasText ? max(Self.readable, unbroken) : kept
    return min(least, max(cells, titlePiece <= length ? titlePiece : min(titlePiece, Self.readable)))
  }
}

/// The columns that are drawn if not all fit.
///
/// Some columns are left out, and a mark replaces the first of them.
struct KeptColumns {
  /// The columns that are drawn, as indices into those shown; `nil` if the first was left out.
  let places: [Int?]
  /// Their widths.
  let plan: WidthPlan
  /// Their frame.
  let builder: FrameBuilder

  /// Leaves out columns until the minimum widths fit: first those without a value, then those with the same
  /// text in all rows, then the others, each from the middle outwards; those with changed cells last of all.
  ///
  /// Row names, the first column, the last with a value, sort keys and explicitly named columns are always kept.
  ///
  /// - Returns: `nil` if every column stays.
  /// - Complexity: O(*n* log *n*) for *n* columns.
  init?(
    _ shown: [ShownColumn], _ measures: [ColumnMeasure], _ plan: WidthPlan, mark: CutMark, within limit: Int,
    _ spacing: Spacing, _ options: LayoutOptions
  ) {
    let first = shown.firstIndex { !$0.isRowHeader }
    let last = shown.indices.last { measures[$0].variety.worth != .nothing } ?? shown.count - 1
    let candidates = shown.indices.filter { index in
      let column = shown[index]
      let isAtEdge = index == first || index == last
      return !(isAtEdge || column.isRowHeader || column.isNamed || column.sort != nil)
    }
    let order = candidates.sorted { left, right in
      let changes = (shown[left].earlier?.differ ?? false, shown[right].earlier?.differ ?? false)
      if changes.0 != changes.1 { return changes.1 }
      let worths = (measures[left].variety.worth.rawValue, measures[right].variety.worth.rawValue)
      if worths.0 != worths.1 { return worths.0 < worths.1 }
      let distances = (abs(2 * left - shown.count + 1), abs(2 * right - shown.count + 1))
      return distances.0 == distances.1 ? left > right : distances.0 < distances.1
    }
    guard !candidates.isEmpty else { return nil }

    func kept(leavingOut count: Int) -> (places: [Int?], plan: WidthPlan, builder: FrameBuilder) {
      let leftOut = Set(order.prefix(count))
      let firstLeftOut = leftOut.min()
      let places: [Int?] = shown.indices.compactMap { index in
        leftOut.contains(index) ? (index == firstLeftOut ? .some(nil) : nil) : .some(index)
      }
      let columns = places.map { $0.map { plan.columns[$0] } ?? WidthPlan.ColumnWishes(fixed: mark.width) }
      let drawn = places.map {
        $0.map { shown[$0] } ?? ShownColumn(source: .constant([]), title: "", name: "")
      }
      return (places, WidthPlan(columns: columns), FrameBuilder(drawn, spacing, options))
    }

    var (low, high) = (1, candidates.count)
    while low < high {
      let middle = (low + high) / 2
      let (_, plan, builder) = kept(leavingOut: middle)
      if builder.fixedWidth + plan.least <= limit { high = middle } else { low = middle + 1 }
    }
    (places, self.plan, builder) = kept(leavingOut: low)
  }
}

extension WidthPlan.ColumnWishes {
  /// A column of fixed width.
  fileprivate init(fixed width: Int) {
    self.init(
      natural: width, titled: width, data: width, least: width, kept: width, smallest: width, hasText: true,
      most: width)
  }
}

/// Texts in one array, because there may be very many.
struct TextList: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// Adds a text.
  mutating func append(_ text: [UInt8]) {
    bytes += text
    ends.append(bytes.count)
  }

  /// The text with that index, in the order in which they were added.
  subscript(index: Int) -> [UInt8] { Array(bytes[(index > 0 ? ends[index - 1] : 0)..<ends[index]]) }
}
