/// Builds the frame of a text table, once its columns have widths.
struct FrameBuilder {
  private let style: BorderStyle
  private let kind: LayoutKind
  private let isOutside: Bool
  private let hasRowRules: Bool
  private let hasSections: Bool
  private let metrics: TextMetrics
  private let outerLine: String
  private let lineStyle: TextStyle
  private var gaps = ColumnGaps()

  /// The space around and between things.
  var spacing: Spacing

  /// The cells that each column reserves after its texts, for signs of its fields and for bars.
  private let gutters: [Int]

  /// The titles over several columns.
  var header = SpannedHeader([])

  /// Whether the first column has the marks of changes, which have no title and no rule in List.
  private let hasChangeMarks: Bool

  /// Chooses the lines of `options`.
  init(_ columns: [ShownColumn], _ spacing: Spacing, _ options: LayoutOptions) {
    self.spacing = spacing
    kind = options.kind
    style = BorderStyle(options.border, isASCII: options.isASCII)
    isOutside = options.hasHeaderOutside
    hasRowRules = options.hasRowRules
    hasSections = options.hasSections || options.ends != nil || !options.blendedForms.isEmpty
    metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    lineStyle = TextStyle.frame(options)
    outerLine = options.kind == .grid && style.hasVerticals ? style.outerLine : ""
    let signs = columns.contains { $0.mark != nil } ? DrawnFieldSigns(options).gutter : 0
    gutters = columns.map { ($0.mark == nil ? 0 : signs) + ($0.barRoom == 0 ? 0 : 1 + $0.barRoom) }
    hasChangeMarks = columns.first?.isChangeMark ?? false
    for index in columns.indices.dropLast() {
      gaps.append(gap(after: columns[index], before: columns[index + 1], options.separator))
    }
  }

  /// The width of the parts of a line that belong to no column.
  var fixedWidth: Int {
    spacing.table.leading + spacing.table.trailing + 2 * width(of: outerLine)
      + spacing.padding.leading + spacing.padding.trailing + gaps.width
      + gutters.reduce(0, +)
  }

  /// The minimum line width for a text that spans all columns.
  ///
  /// It only matters in a closed frame.
  func width(around text: Int) -> Int {
    if text == 0 || outerLine.isEmpty { return 0 }
    return fixedWidth - gaps.width - gutters.dropLast().reduce(0, +) + text
  }

  /// The widths, enlarged if rule characters are two cells wide and would not fill them.
  func filled(_ widths: [Int]) -> [Int] {
    let unit = width(of: style.singleRule)
    guard unit > 1, kind != .stack else { return widths }
    let whole = withGutters(widths)
    return widths.indices.map { index in
      widths[index] + segment(index, whole) % unit
    }
  }

  /// The frame around columns of these widths.
  func frame(_ textWidths: [Int]) -> TextFrame {
    let widths = withGutters(textWidths)
    var frame = TextFrame()
    let edge = lineStyle.styled(bytes(outerLine))
    frame.outerLine = edge
    frame.lead = blanks(spacing.table.leading) + edge + blanks(spacing.padding.leading)
    // Equal parts next to each other share their bytes.
    var shared: [UInt8] = []
    frame.gaps.reserveCapacity(gaps.count)
    for index in 0..<gaps.count {
      if index == 0 || !gaps.areAlike(index, index - 1) || gutters[index] != gutters[index - 1] {
        shared = blanks(gutter(of: index)) + gaps[index].bytes(lineStyle)
      }
      frame.gaps.append(shared)
    }
    frame.tail =
      outerLine.isEmpty ? [] : blanks(gutter(of: gutters.count - 1) + spacing.padding.trailing) + edge
    frame.blankLine = blankLine(frame, textWidths)
    if !header.lines.isEmpty, style.hasHorizontals { frame.spans = spanFrame(widths) }
    if hasSections { frame.sections = sectionFrame(frame, widths) }
    guard style.hasHorizontals, !widths.isEmpty else { return frame }
    if kind == .grid {
      frame.top = rule(style.top, widths)
      frame.bottom = rule(style.bottom, widths)
      frame.edge = rule(isSetOff ? style.outside : style.inside, widths)
    } else {
      frame.edge = rule(flowRule, widths)
    }
    if hasRowRules { frame.rowRule = rule(style.inside, widths) }
    if spacing.boxRoom > 0, kind == .grid, style.hasVerticals {
      var crossing = style.inside
      // The line of an outlined frame is as heavy as the one after row names.
      let edge = style.outerLine == style.innerLine ? crossing.cross : crossing.nameCross
      (crossing.leading, crossing.trailing) = (edge, edge)
      frame.boxRule = line(crossing, widths)
    }
    return frame
  }
}

extension FrameBuilder {
  /// The cells that a column reserves after its texts; 0 if there is no such column.
  private func gutter(of column: Int) -> Int { gutters.indices.contains(column) ? gutters[column] : 0 }

  /// The widths of columns with what they reserve after their texts.
  private func withGutters(_ widths: [Int]) -> [Int] {
    widths.indices.map { widths[$0] + gutter(of: $0) }
  }

  private func gap(after column: ShownColumn, before next: ShownColumn, _ separator: Separator) -> ColumnGap {
    let isGrid = kind == .grid
    var gap = ColumnGap(
      before: isGrid ? spacing.padding.trailing : 0, after: isGrid ? spacing.padding.leading : 0)
    gap.widen(by: column.item?.spacing ?? spacing.columns)
    gap.isAfterRowNames = column.isRowHeader && !next.isRowHeader
    let line = gap.isAfterRowNames ? style.nameLine : style.innerLine
    let isLined = isGrid && style.hasVerticals
    gap.fill(separator == .byLayout ? (isLined ? .line : .none) : separator, line: line, metrics)
    return gap
  }

  /// The frame around headings and footers of sections.
  private func sectionFrame(_ frame: TextFrame, _ widths: [Int]) -> SectionFrame {
    var sections = SectionFrame()
    // The last gutter precedes the edge of the frame, if there is one.
    let last = outerLine.isEmpty ? 0 : gutter(of: gutters.count - 1)
    sections.width = widths.reduce(0, +) - last + gaps.width
    var line = FrameLine()
    line.append(frame.lead)
    line.append(blanks: sections.width)
    line.append(frame.tail)
    sections.blankLine = line.ended()
    guard style.hasHorizontals, !widths.isEmpty else { return sections }
    sections.inside.columns = rule(style.inside, widths)
    guard kind == .grid else {
      sections.edge = RuleVariants { rule(flowRule, widths, above: $0, below: $1) }
      return sections
    }
    sections.isRuled = true
    sections.top = rule(style.top, widths, above: false, below: false)
    sections.bottom = rule(style.bottom, widths, above: false, below: false)
    sections.edge = RuleVariants {
      rule(isSetOff ? style.outside : style.inside, widths, above: $0, below: $1)
    }
    sections.inside = RuleVariants { rule(style.inside, widths, above: $0, below: $1) }
    return sections
  }

  /// The lines around titles over several columns.
  private func spanFrame(_ widths: [Int]) -> SpanFrame {
    var spans = SpanFrame()
    let first = header.lines[0]
    if kind == .grid {
      spans.top = rule(style.top, widths, crossings: { !first.isShared($0, $0 + 1) })
      spans.belowForm = rule(style.inside, widths, above: false, crossings: { !first.isShared($0, $0 + 1) })
    } else if hasSections {
      spans.belowForm = rule(flowRule, widths, above: false)
    }
    for number in header.lines.indices {
      let below = number + 1 < header.lines.count ? header.lines[number + 1] : nil
      let line = spanRule(header.lines[number], above: below, widths)
      var whole = FrameLine()
      whole.append(blanks: spacing.table.leading)
      whole.append(lineStyle.opening)
      whole.append(line)
      whole.append(lineStyle.closing)
      spans.rules.append(whole.ended())
    }
    return spans
  }

  /// The rule below a line of titles over several columns: only below the titles.
  ///
  /// - Parameter next: the line of such titles below it; `nil` if the titles of columns come next.
  private func spanRule(
    _ spans: SpannedHeader.Line, above next: SpannedHeader.Line?, _ widths: [Int]
  ) -> FrameLine {
    var characters = style.inside
    if kind != .grid { characters.fill = style.singleRule }
    let isFramed = !outerLine.isEmpty
    var line = FrameLine()
    func isTitled(_ column: Int) -> Bool { spans.title(over: column) != nil }
    // Wide characters fill what is between two marks, not each part of it.
    var (run, isFilledRun) = (0, false)
    func endRun() {
      if isFilledRun { fill(&line, characters, run) } else { line.append(blanks: run) }
      run = 0
    }
    func append(_ cells: Int, isFilled: Bool) {
      if isFilled != isFilledRun { endRun() }
      isFilledRun = isFilled
      run += cells
    }
    func append(_ mark: String) {
      endRun()
      line.append(bytes(mark))
    }
    if isFramed { append(isTitled(0) ? characters.leading : outerLine) }
    append(spacing.padding.leading, isFilled: isFramed && isTitled(0))
    for (index, width) in widths.enumerated() {
      append(width, isFilled: isTitled(index))
      guard index < gaps.count else { break }
      let gap = gaps[index]
      let (isLed, isFollowed) = (isTitled(index), isTitled(index + 1))
      let isShared = spans.isShared(index, index + 1)
      append(gap.before, isFilled: isLed && (isShared || gap.isLine))
      if gap.isLine {
        let cross = gap.isAfterRowNames ? characters.nameCross : characters.cross
        let continues = next.map { !$0.isShared(index, index + 1) } ?? true
        switch (isLed, isFollowed) {
        case _ where isShared && continues: append(cross.half(above: false))
        case _ where isShared: append(gap.textWidth, isFilled: true)
        case (true, true): append(cross)
        case (false, false): append(gap.text)
        default: append(cross.half(leading: isLed))
        }
      } else {
        append(gap.textWidth, isFilled: isShared)
      }
      append(gap.after, isFilled: isFollowed && (isShared || gap.isLine))
    }
    let isClosed = isFramed && isTitled(widths.count - 1)
    append(spacing.padding.trailing, isFilled: isClosed)
    if isFramed { append(isClosed ? characters.trailing : outerLine) }
    endRun()
    return line
  }

  /// The cells between the texts of the first and the last of some columns.
  func width(between columns: Range<Int>) -> Int {
    columns.dropLast().reduce(0) { $0 + gutter(of: $1) + gaps[$1].width }
  }

  /// The rule of List and Stack.
  private var flowRule: RuleCharacters {
    var rule = isSetOff || style.inside.fill != style.singleRule ? style.outside : style.inside
    rule.fill = isSetOff ? style.doubleRule : style.singleRule
    return rule
  }

  /// Whether the rules of header and footer are distinct: because these are outside of the rows, or from
  /// rules between rows.
  private var isSetOff: Bool { isOutside || hasRowRules }

  /// The cells that a rule must fill for a column: those between the lines beside it.
  private func segment(_ index: Int, _ widths: [Int]) -> Int {
    guard kind != .list else { return widths[index] }
    let before = index == 0 ? spacing.padding.leading : gaps[index - 1].after
    let after = index == widths.count - 1 ? spacing.padding.trailing : gaps[index].before
    return before + widths[index] + after
  }

  /// A horizontal line.
  ///
  /// - Parameters:
  ///   - above: whether column lines meet it from above.
  ///   - below: whether they continue below it.
  ///   - crossings: whether there is a column line after a column.
  private func rule(
    _ rule: RuleCharacters, _ widths: [Int], above: Bool = true, below: Bool = true,
    crossings: (Int) -> Bool = { _ in true }
  ) -> FrameLine {
    let line = line(rule, widths, above: above, below: below, crossings: crossings)
    var whole = FrameLine()
    whole.append(blanks: spacing.table.leading)
    if !line.isEmpty {
      whole.append(lineStyle.opening)
      whole.append(line)
      whole.append(lineStyle.closing)
    }
    return whole.ended()
  }

  /// The characters of a horizontal line.
  private func line(
    _ rule: RuleCharacters, _ widths: [Int], above: Bool = true, below: Bool = true,
    crossings: (Int) -> Bool = { _ in true }
  ) -> FrameLine {
    let isFramed = !outerLine.isEmpty
    var line = FrameLine()
    if isFramed { line.append(bytes(rule.leading)) }
    var run = spacing.padding.leading
    for (index, width) in widths.enumerated() {
      run += width
      guard index < gaps.count else { break }
      let gap = gaps[index]
      if gap.isLine, above || below, crossings(index) {
        fill(&line, rule, run + gap.before)
        let cross = gap.isAfterRowNames ? rule.nameCross : rule.cross
        line.append(bytes(above && below ? cross : cross.half(above: above)))
        run = gap.after
      } else if kind == .list {
        if index == 0, hasChangeMarks { line.append(blanks: run) } else { fill(&line, rule, run) }
        line.append(blanks: gap.width)
        run = 0
      } else {
        run += gap.width
      }
    }
    fill(&line, rule, run + spacing.padding.trailing)
    if isFramed { line.append(bytes(rule.trailing)) }
    line.trimBlanks()
    return line
  }

  private func blankLine(_ frame: TextFrame, _ widths: [Int]) -> FrameLine {
    var line = FrameLine()
    line.append(frame.lead)
    for (index, width) in widths.enumerated() {
      line.append(blanks: width)
      line.append(index < frame.gaps.count ? frame.gaps[index] : frame.tail)
    }
    return line.ended()
  }

  private func fill(_ line: inout FrameLine, _ rule: RuleCharacters, _ cells: Int) {
    let mark = bytes(rule.fill)
    let (count, rest) = max(0, cells).quotientAndRemainder(dividingBy: max(1, metrics.width(of: mark.span)))
    line.append(mark, count: count)
    line.append(blanks: rest)
  }

  private func blanks(_ count: Int) -> [UInt8] { Array(repeating: 0x20, count: max(0, count)) }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func width(of text: String) -> Int { metrics.width(of: bytes(text).span) }
}

/// The gaps between columns.
///
/// There may be very many gaps, but only a few of them differ.
struct ColumnGaps: Sendable {
  private var kinds: [ColumnGap] = []
  private var numbers: [UInt32] = []

  /// The total width of all gaps.
  private(set) var width = 0

  /// The number of gaps.
  var count: Int { numbers.count }

  /// Adds a gap.
  mutating func append(_ gap: ColumnGap) {
    width += gap.width
    // Different gaps alternate at most: one that was last seen long before is stored again.
    if let number = kinds.suffix(4).lastIndex(of: gap) { return numbers.append(UInt32(number)) }
    numbers.append(UInt32(kinds.count))
    kinds.append(gap)
  }

  /// Whether two gaps are the same.
  func areAlike(_ one: Int, _ other: Int) -> Bool {
    numbers[one] == numbers[other] || self[one] == self[other]
  }

  /// The gap after the column with that index.
  subscript(index: Int) -> ColumnGap { kinds[Int(numbers[index])] }
}

/// The gap between two columns: blanks, a line or a text, blanks.
struct ColumnGap: Equatable, Sendable {
  /// The blanks before the separator.
  var before: Int
  /// The blanks after it.
  var after: Int
  /// The separator; empty if there are only blanks.
  private(set) var text = ""
  /// The cells it takes.
  private(set) var textWidth = 0
  /// Whether it is a line of the frame, which rules cross.
  private(set) var isLine = false
  /// Whether row names end here.
  var isAfterRowNames = false

  /// Creates a gap of blanks.
  init(before: Int, after: Int) {
    self.before = before
    self.after = after
  }

  /// The cells of the gap.
  var width: Int { before + textWidth + after }

  /// The gap as drawn, with its text in a style.
  func bytes(_ style: TextStyle) -> [UInt8] {
    Array(repeating: 0x20, count: before) + style.styled(Array(text.utf8))
      + Array(repeating: 0x20, count: after)
  }

  /// Adds the spacing between columns, half to each side; a negative one removes padding.
  mutating func widen(by spacing: Int) {
    let half = spacing / 2
    if spacing >= 0 {
      before += half
      after += spacing - half
    } else {
      let taken = min(before, (1 - spacing) / 2)
      before -= taken
      after = max(0, after + spacing + taken)
    }
  }

  /// Puts a separator between the blanks.
  mutating func fill(_ separator: Separator, line: String, _ metrics: TextMetrics) {
    switch separator {
    case .byLayout, .none: return
    case .line:
      text = line
      isLine = true
    case .text(let separator): text = String(decoding: TextContext.label(separator), as: UTF8.self)
    }
    textWidth = metrics.width(of: Array(text.utf8).span)
  }
}

/// The characters of one horizontal line of a frame.
struct RuleCharacters: Equatable, Sendable {
  /// At the leading edge.
  var leading: String
  /// Along the cells.
  var fill: String
  /// Where a vertical line crosses.
  var cross: String
  /// Where the line after row names crosses.
  var nameCross: String
  /// At the trailing edge.
  var trailing: String

  /// Reads leading edge, fill, cross, cross after row names and trailing edge, one scalar each.
  fileprivate init(_ characters: StaticString) {
    let parts = characters.description.unicodeScalars.map { String($0) }
    leading = parts[0]
    fill = parts[1]
    cross = parts[2]
    nameCross = parts[3]
    trailing = parts[4]
  }
}

/// The characters of a border.
struct BorderStyle: Equatable, Sendable {
  /// Above the table.
  var top: RuleCharacters
  /// Between header and rows if the header is outside of their region.
  var outside: RuleCharacters
  /// Between header and rows if the header is inside of their region, and between rows.
  var inside: RuleCharacters
  /// Below the table.
  var bottom: RuleCharacters
  /// At the edges.
  var outerLine: String
  /// Between columns.
  var innerLine: String
  /// After row names.
  var nameLine: String
  /// The single rule of List and Stack.
  var singleRule: String
  /// The double rule of Stack.
  var doubleRule: String
  /// Whether there are lines between columns unless asked for.
  var hasVerticals = true
  /// Whether there are horizontal lines.
  var hasHorizontals = true

  /// The characters of `border`, or those of `ascii` instead.
  init(_ border: Border, isASCII: Bool) {
    switch border {
    case .none where isASCII, .rules where isASCII, .ascii: self = .ascii
    case .dots: self = .dots
    case _ where isASCII: self = .ascii
    case .none, .light, .rules: self = .light
    case .heavy: self = .heavy
    case .double: self = .double
    case .round: self = .round
    case .outline: self = .outline
    }
    hasVerticals = border != .none && border != .rules
    hasHorizontals = border != .none
  }

  private init(
    _ rules: (top: StaticString, outside: StaticString, inside: StaticString, bottom: StaticString),
    lines: (outer: String, inner: String, name: String), flow: (single: String, double: String)
  ) {
    top = RuleCharacters(rules.top)
    outside = RuleCharacters(rules.outside)
    inside = RuleCharacters(rules.inside)
    bottom = RuleCharacters(rules.bottom)
    outerLine = lines.outer
    innerLine = lines.inner
    nameLine = lines.name
    singleRule = flow.single
    doubleRule = flow.double
  }

  private static let ascii = BorderStyle(
    ("+-+++", "+=+++", "+-+++", "+-+++"), lines: ("|", "|", "|"), flow: ("-", "="))
  private static let light = BorderStyle(
    ("┌─┬╥┐", "╞═╪╬╡", "├─┼╫┤", "└─┴╨┘"), lines: ("│", "│", "║"), flow: ("─", "═"))
  private static let heavy = BorderStyle(
    ("┏━┳┳┓", "┣━╋╋┫", "┠─╂╂┨", "┗━┻┻┛"), lines: ("┃", "┃", "┃"), flow: ("━", "━"))
  private static let double = BorderStyle(
    ("╔═╦╦╗", "╠═╬╬╣", "╟─╫╫╢", "╚═╩╩╝"), lines: ("║", "║", "║"), flow: ("═", "═"))
  private static let round = BorderStyle(
    ("╭─┬╥╮", "╞═╪╬╡", "├─┼╫┤", "╰─┴╨╯"), lines: ("│", "│", "║"), flow: ("─", "═"))
  private static let dots = BorderStyle(
    (".....", ":.:::", ":.:::", ":.:::"), lines: (":", ":", ":"), flow: (".", "."))
  private static let outline = BorderStyle(
    ("┏━┯┳┓", "┣━┿╋┫", "┠─┼╂┨", "┗━┷┻┛"), lines: ("┃", "│", "┃"), flow: ("━", "━"))
}

extension String {
  /// The crossing with its vertical line on one side only.
  fileprivate func half(above: Bool) -> String {
    switch self {
    case "┼": above ? "┴" : "┬"
    case "╫": above ? "╨" : "╥"
    case "╪": above ? "╧" : "╤"
    case "╬": above ? "╩" : "╦"
    case "╂": above ? "┸" : "┰"
    case "┿": above ? "┷" : "┯"
    case "╋": above ? "┻" : "┳"
    default: self
    }
  }

  /// The crossing with its horizontal line on one side only.
  fileprivate func half(leading: Bool) -> String {
    switch self {
    case "┼": leading ? "┤" : "├"
    case "╫": leading ? "╢" : "╟"
    case "╪": leading ? "╡" : "╞"
    case "╬": leading ? "╣" : "╠"
    case "╂": leading ? "┨" : "┠"
    case "┿": leading ? "┥" : "┝"
    case "╋": leading ? "┫" : "┣"
    default: self
    }
  }
}
