/// The rules of an HTML style, derived from the options.
///
/// Rules that need a style sheet (sticky, print, focus) have no `applies`. If two rules conflict, the later
/// one wins, both in a style sheet and in `style=`.
struct HTMLRules {
  private typealias Rule = HTMLStyle.Rule
  private typealias Place = HTMLStyle.Place

  private let options: LayoutOptions
  private let border: HTMLBorder
  private let nameCount: Int

  /// Whether cells of the body are headers of their rows.
  private let hasRowHeaders: Bool
  private let columnCount: Int

  /// The items of `--grid-items` for the columns; empty if there are none.
  private let items: [GridItem?]

  /// Whether a rule is about cells of a column.
  private let hasMarks: Bool

  /// Whether a column is centered, whether one has long texts, and whether titles have signs.
  private let hasCentered: Bool
  private let hasTexts: Bool
  private let hasSigns: Bool
  private let isFragment: Bool

  /// Whether cells may be over several rows or columns.
  let hasSpans: Bool

  /// Whether there may be visually hidden texts.
  private let hidesTexts: Bool

  /// Whether a script adds marks, signs and hidden texts later.
  private let isInteractive: Bool

  /// Takes the options about the style from `options`.
  ///
  /// - Parameters:
  ///   - isFragment: whether there is no page that could keep the table's distance.
  ///   - hidesTexts: whether there are visually hidden texts other than validation messages.
  ///   - isInteractive: whether a script adds marks, signs and hidden texts later.
  init(
    _ columns: [ShownColumn], _ options: LayoutOptions, isFragment: Bool, hidesTexts: Bool = false,
    isInteractive: Bool = false
  ) {
    self.options = options
    self.isFragment = isFragment
    border = HTMLBorder(options.border, marksRows: options.hasRowRules)
    nameCount = columns.prefix { $0.isRowHeader }.count
    hasRowHeaders = columns.contains { $0.isRowHeader || $0.isGroupKey }
    columnCount = columns.count
    items = columns.contains { $0.item != nil } ? columns.map(\.item) : []
    hasMarks = columns.contains { $0.mark != nil }
    hasCentered = columns.contains { $0.alignment == .center || !$0.spans.isEmpty }
    hasSpans = columns.contains { $0.mergeRank > 0 || !$0.spans.isEmpty }
    hasTexts = columns.contains { $0.breaking == .paragraphs }
    hasSigns = isInteractive || HeaderSigns(columns, options).signs.contains { !$0.isEmpty }
    self.hidesTexts = hasMarks || hidesTexts || isInteractive
    self.isInteractive = isInteractive
  }

  /// The rules of List, Stack and Grid.
  var tableRules: [HTMLStyle.Rule] {
    page + frame + [caption(".tabler caption")] + cells + body + separators + sticky + head + foot + sections
      + alignments + widths + recordFlow + [absent, print] + marks + hover + forms
  }

  /// The rules of Detail.
  var cardRules: [HTMLStyle.Rule] {
    page + [caption(".caption")] + cardFlow + cards + cardSections + fields + [
      unbroken(".tabler .d"), absent, print,
    ]
      + marks + hover + forms
  }
}

// All layouts.
extension HTMLRules {
  private var isGrid: Bool { options.kind == .grid }
  private var isList: Bool { options.kind == .list }

  /// Whether head and foot are sticky.
  private var isSticky: Bool { options.kind != .detail && options.hasHeaderOutside }

  /// Whether texts continue in the next line.
  private var wraps: Bool { !options.isSingleLine && options.overflow != .scroll }

  private var page: [Rule] {
    [
      Rule(selector: ":root", declarations: "color-scheme:light dark") { $0.element == .page },
      Rule(
        selector: "body,.tabler",
        declarations: "background:Canvas;color:\(HTMLShade.ink.css);font:1em/1.25 system-ui,sans-serif;"
          + "font-variant-numeric:tabular-nums;overflow-wrap:break-word"
      ) { $0.element == .page || $0.isRoot },
      Rule(selector: "body", declarations: outside) { isFragment ? $0.isRoot : $0.element == .page },
      Rule(
        selector: "h1",
        declarations: options.title == nil
          ? ""
          : joined(
            "margin:.25em 0 .4em;padding-inline:.5em;font-size:1.5em;color:CanvasText",
            options.place == .leading ? "" : "text-align:\(options.place == .center ? "center" : "end")")
      ) { $0.element == .heading },
      Rule(selector: ".region", declarations: "overflow:auto") { $0.element == .region },
      Rule(selector: ".region", declarations: isSticky ? "max-block-size:100vh" : ""),
      Rule(
        selector: ".region:focus-visible", declarations: "outline:2px solid AccentColor;outline-offset:-2px"),
    ]
  }

  /// `--table-padding` around the page, in addition to the default page margin.
  private var outside: String {
    let edges = options.tablePadding
    let page = CSSLength.pixels(isFragment ? 0 : 8)
    func side(_ length: CSSLength?, _ usual: Double) -> String {
      (page + (length ?? .pixels(isList ? 0 : usual))).css
    }
    let top = side(edges.top.map(CSSLength.vertical), 10)
    let bottom = side(edges.bottom.map(CSSLength.vertical), 15)
    let leading = side(edges.leading.map(CSSLength.horizontal), 16)
    let trailing = side(edges.trailing.map(CSSLength.horizontal), 16)
    return "margin-block:\(pair(top, bottom));margin-inline:\(pair(leading, trailing))"
  }

  /// A caption may be wider than its table without widening it.
  private func caption(_ selector: String) -> Rule {
    Rule(
      selector: selector,
      declarations: options.caption == nil
        ? ""
        : "inline-size:max-content;max-inline-size:min(40em,80vw);margin-block:0;"
          + "margin-inline:0 -100vw;padding:0 .857em .857em;font-size:.875em;text-align:start;"
          + "white-space:pre-wrap;color:\(HTMLShade.muted.css)"
    ) { $0.element == .caption }
  }

  /// The style of null and missing cells.
  private var absent: Rule {
    Rule(
      selector: hasForms ? ".tabler .null,.form .null" : ".tabler .null",
      declarations: "color:\(HTMLShade.muted.css)"
    ) { $0.traits.contains(.null) }
  }

  /// The rules for a fragment in a page that has no style sheet for it: marks, hidden texts, the style of titles.
  var fragmentRules: [HTMLStyle.Rule] {
    let titles = options.kind == .detail ? ".tabler dt" : ".tabler thead tr>*,.tabler tbody [scope=row]"
    return marks + hover + [Rule(selector: titles, declarations: options.headerStyle?.css ?? "")]
  }

  /// Invalid cells, and the room for marks in all rows.
  private var marks: [Rule] {
    var bad: [Rule] = []
    if hasMarks || options.marksRecords || isInteractive {
      bad.append(
        Rule(
          selector: ".tabler .bad", declarations: "color:color-mix(in srgb,#d00 60%,CanvasText)"
        ) { $0.traits.contains(.invalid) })
    }
    if options.marksRecords, options.kind != .detail {
      bad.append(
        Rule(selector: ".tabler .note", declarations: "border-block-start:0;padding-block-start:0") {
          $0.traits.contains(.invalid) && $0.spansColumns
        })
    }
    if !hasMarks { return bad + hidden }
    return bad + [
      Rule(
        selector: ".tabler .mark",
        declarations: options.kind == .detail
          ? "padding-inline-start:.5em" : "display:inline-block;min-inline-size:1.5em;text-align:end"
      ) { $0.element == .fieldSign }
    ] + hidden
  }

  /// Visually hidden texts.
  private var hidden: [Rule] {
    if !hidesTexts { return [] }
    return [
      Rule(
        selector: ".tabler .hide",
        declarations: "position:absolute!important;inline-size:1px;block-size:1px;overflow:hidden;"
          + "clip-path:inset(50%);white-space:nowrap"
      ) { $0.element == .hidden }
    ]
  }

  private var hasForms: Bool { options.preamble != nil || options.postamble != nil }

  /// The labels and values above and below a table.
  private var forms: [Rule] {
    if !hasForms { return [] }
    return [
      Rule(
        selector: ".form",
        declarations:
          "display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25em 1em;margin:1em 0;"
          + "padding-inline:.75em"
      ) { $0.element == .form },
      Rule(selector: ".form dt", declarations: "text-align:end;color:\(HTMLShade.muted.css)") {
        $0.element == .formLabel
      },
      Rule(selector: ".form dd", declarations: "margin:0;white-space:pre-wrap;max-inline-size:60ch") {
        $0.element == .formValue
      },
    ]
  }

  /// The row or card under the pointer; headings and footers of sections are neither.
  private var hover: [Rule] {
    guard options.highlightsHover else { return [] }
    let isSection = options.hasSections ? ":not([scope=rowgroup],.sum>*)" : ""
    return [
      Rule(
        selector: options.kind == .detail ? ".hover:hover" : ".hover tbody tr:hover>*\(isSection)",
        declarations: "background:color-mix(in srgb,AccentColor 12%,Canvas)")
    ]
  }

  /// Numbers, dates and titles stay in one line, however long.
  private func unbroken(_ selector: String) -> Rule {
    Rule(selector: selector, declarations: "white-space:pre" + (wraps ? ";max-inline-size:none" : "")) {
      $0.element == .headCell || $0.element != .column && $0.isUnbroken
    }
  }

  /// In print, nothing is sticky or scrolls, and rows are not split between pages.
  private var print: Rule {
    Rule(
      selector: "@media print",
      declarations: ".region{overflow:visible;max-block-size:none}.tabler *{position:static!important}"
        + "tr,article{break-inside:avoid}")
  }

  /// The horizontal padding of cells: half the column spacing added, and `--row-padding` at both ends.
  private func sides(first: Bool, last: Bool) -> String {
    let (leading, trailing) = sideLengths(first: first, last: last)
    return "padding-inline:\(pair(leading.css, trailing.css))"
  }

  private func sideLengths(first: Bool, last: Bool) -> (leading: CSSLength, trailing: CSSLength) {
    let gap = columnGap.half
    let usual = CSSLength.ems(0.75)
    let leading = first ? options.cellPadding.leading.map(CSSLength.horizontal) ?? usual : usual
    let trailing = last ? options.cellPadding.trailing.map(CSSLength.horizontal) ?? usual : usual
    return (leading + gap, trailing + gap)
  }

  /// The space that `--column-spacing` adds between two columns.
  private var columnGap: CSSLength { options.columnSpacing.map(CSSLength.horizontal) ?? .pixels(0) }

  /// The vertical padding of cells plus `spacing`.
  ///
  /// List has no option for padding.
  private func padding(isPadded: Bool, plus spacing: CSSLength = .pixels(0)) -> String {
    let asked = isPadded && !isList ? options.cellPadding : Edges()
    let usual = CSSLength.ems(0.45)
    let above = asked.top.map(CSSLength.vertical) ?? usual
    let below = asked.bottom.map(CSSLength.vertical) ?? usual
    return "padding-block:\(pair((above + spacing).css, (below + spacing).css))"
  }

  private func pair(_ first: String, _ second: String) -> String {
    first == second ? first : "\(first) \(second)"
  }

  private func joined(_ parts: String...) -> String { parts.filter { !$0.isEmpty }.joined(separator: ";") }

  private func side(_ name: String, _ line: String) -> String { line.isEmpty ? "" : "border-\(name):\(line)" }
}

// List, Stack and Grid.
extension HTMLRules {
  /// The table itself, its least width and the frame of Grid.
  private var frame: [Rule] {
    let width = options.minimumWidth.map { "min-inline-size:\($0)ch" } ?? ""
    // If every column has a maximum, none may take the remaining space.
    let takesAll = options.fills && (items.isEmpty || items.contains { $0?.most == nil })
    let whole = takesAll ? "inline-size:100%" : ""
    let place =
      switch options.place {
      case .leading: ""
      case .center: "margin-inline:auto"
      case .trailing: "margin-inline:auto 0"
      }
    return [
      Rule(
        selector: ".tabler",
        declarations: joined("border-spacing:0", isGrid ? border.frame : "", width, whole, place)
      ) { $0.element == .table },
      Rule(selector: ".tabler .t", declarations: wraps && hasTexts ? "min-inline-size:min(20em,70vw)" : "") {
        $0.element == .column && $0.breaking == .paragraphs
      },
    ]
  }

  /// All cells: where a text may break, and the padding at its sides.
  private var cells: [Rule] {
    let blanks = wraps ? "white-space:pre-wrap;max-inline-size:60ch" : "white-space:pre"
    var rules = [
      Rule(
        selector: ".tabler td,.tabler th",
        declarations: "\(sides(first: isGrid, last: isGrid));text-align:start;vertical-align:top;\(blanks)",
        applies: \.isCell)
    ]
    guard options.kind == .stack else { return rules }
    let last = columnCount - 1
    if options.cellPadding.leading != nil {
      rules.append(
        Rule(selector: cell(0, or: ":first-child"), declarations: sides(first: true, last: last == 0)) {
          $0.isCell && $0.column == 0
        })
    }
    if options.cellPadding.trailing != nil {
      rules.append(
        Rule(selector: cell(last, or: ":last-child"), declarations: sides(first: last == 0, last: true)) {
          $0.isCell && $0.column == last
        })
    }
    return rules
  }

  private var body: [Rule] {
    let height =
      options.minimumRowHeight > 1
      ? "block-size:\(CSSLength.vertical(Length(Double(options.minimumRowHeight))).css)" : ""
    let above = (isList ? nil : options.cellPadding.top).map(CSSLength.vertical) ?? .ems(0.45)
    let space =
      options.rowSpacing.map { "padding-block-start:\((above + .vertical($0)).css)" } ?? ""
    return [
      Rule(
        selector: ".tabler tbody tr>*", declarations: joined(padding(isPadded: true), height),
        applies: \.isBody),
      Rule(
        selector: ".tabler tbody tr+tr>*", declarations: joined(side("block-start", border.row), space)
      ) { $0.isBody && !$0.traits.contains(.firstRow) },
      Rule(selector: ".tabler tbody th", declarations: hasRowHeaders ? "font-weight:inherit" : "") {
        $0.element == .rowHeader
      },
    ]
  }

  /// The selector of the cells of a column, which may be found by their places unless some are left out of rows.
  private func cell(_ column: Int, or place: String) -> String {
    ".tabler tr>" + (hasSpans ? ".i\(column + 1)" : place)
  }

  /// The lines between columns; a stronger one after row names.
  private var separators: [Rule] {
    let hasLines =
      switch options.separator {
      case .byLayout: isGrid && border.hasVerticals
      case .none: false
      case .line: true
      case .text(let text): !text.allSatisfy { $0 == " " }
      }
    guard hasLines else { return [] }
    let names = nameCount
    let last = columnCount - 1
    return [
      Rule(
        selector: hasSpans ? ".tabler tr>:not(.i\(columnCount))" : ".tabler tr>:not(:last-child)",
        declarations: side("inline-end", border.column)
      ) { $0.isCell && $0.column < last },
      Rule(
        selector: cell(names - 1, or: ":nth-child(\(names))"),
        declarations: names > 0 && names <= last ? side("inline-end", border.names) : ""
      ) { $0.isCell && $0.column == names - 1 },
    ]
  }

  /// The sticky parts, each with the background of the page: head, foot and the first column of row names.
  private var sticky: [Rule] {
    guard isSticky else {
      return [Rule(selector: ".tabler thead,.tabler tfoot", declarations: "display:table-row-group")]
    }
    var (parts, cells) = ([".tabler thead"], [".tabler thead tr>*"])
    if !options.footers.isEmpty {
      parts.append(".tabler tfoot")
      cells.append(".tabler tfoot tr>*")
    }
    if hasRowHeaders || options.hasSections { cells.append(".tabler tbody th") }
    var rules = [
      Rule(
        selector: parts.joined(separator: ","), declarations: "position:sticky;inset-block:0;z-index:2"),
      Rule(selector: cells.joined(separator: ","), declarations: "background:Canvas"),
    ]
    if nameCount > 0 {
      rules.append(
        Rule(
          selector: cell(0, or: ":first-child"),
          declarations: "position:sticky;inset-inline-start:0;z-index:1")
      )
      if wraps {
        rules.append(Rule(selector: ".tabler tbody th", declarations: "max-inline-size:min(60ch,40vw)"))
      }
    }
    return rules
  }

  private var head: [Rule] {
    let spacing = options.headerSpacing.map(CSSLength.vertical) ?? .pixels(isList ? 0 : 4)
    return [
      Rule(
        selector: ".tabler thead tr>*",
        declarations: joined(
          padding(isPadded: isGrid, plus: spacing), side("block-end", border.edge), "vertical-align:bottom",
          "color:CanvasText", (options.headerStyle ?? .bold).css)
      ) { $0.element == .headCell },
      Rule(
        selector: ".tabler tbody [scope=row]",
        declarations: nameCount > 0 ? options.headerStyle?.css ?? "" : ""
      ) { $0.element == .rowHeader },
    ]
  }

  private var foot: [Rule] {
    guard !options.footers.isEmpty else { return [] }
    let spacing = options.footerSpacing.map(CSSLength.vertical) ?? .pixels(isList ? 0 : -4)
    return [
      Rule(
        selector: ".tabler tfoot tr>*",
        declarations: joined(
          padding(isPadded: isGrid, plus: spacing), "color:CanvasText", Style.bold.css)
      ) { $0.element == .footCell },
      Rule(selector: ".tabler tfoot tr:first-child>*", declarations: side("block-start", border.edge)) {
        $0.element == .footCell && $0.traits.contains(.firstRow)
      },
    ]
  }

  /// Headings and footers of sections, and the line between sections.
  private var sections: [Rule] {
    guard options.hasSections else { return [] }
    return [
      Rule(
        selector: ".tabler [scope=rowgroup],.tabler .sum>*",
        declarations: "color:CanvasText;" + Style.bold.css
      ) { $0.element == .sectionHead || $0.element == .sectionFoot },
      Rule(
        selector: ".tabler [scope=rowgroup]", declarations: nameCount > 0 ? "border-inline-end:0" : ""
      ) { $0.element == .sectionHead },
      Rule(selector: ".tabler tbody+tbody>:first-child>*", declarations: side("block-start", border.edge)) {
        $0.element == .sectionHead && !$0.traits.contains(.firstRow)
      },
    ]
  }

  private var alignments: [Rule] {
    [
      Rule(selector: ".tabler .r,.tabler .e", declarations: "text-align:end") {
        $0.isCell && ($0.alignment == .trailing || $0.alignment == .decimal)
      },
      Rule(selector: ".tabler .c", declarations: hasCentered ? "text-align:center" : "") {
        $0.isCell && $0.alignment == .center
      },
      unbroken(".tabler thead th,.tabler .r,.tabler .d"),
      Rule(
        selector: ".ind",
        declarations: hasSigns
          ? (options.indicators.neutral.isEmpty ? "" : "display:inline-block;min-inline-size:1em;")
            + "color:color-mix(in srgb,AccentColor 60%,CanvasText)" : ""
      ) { $0.element == .indicator },
    ]
  }
}

// Columns with their own width.
extension HTMLRules {
  /// The declarations of a `<col>` and of the cells of its column.
  struct Width: Hashable {
    /// The declarations of the `<col>`.
    var column = ""
    /// The declarations of the cells.
    var cells = ""
  }

  /// The widths of all columns; empty if no column has one.
  ///
  /// The width of a `<col>` includes the padding of its cells.
  var columnWidths: [Width] {
    items.indices.map { index in items[index].map { width($0, of: index) } ?? Width() }
  }

  /// The rules for the widths, one per distinct width.
  ///
  /// Without a sheet each place looks up its own.
  private var widths: [Rule] {
    var numbers: [Width: [Int]] = [:]
    var order: [Width] = []
    for (index, width) in columnWidths.enumerated() where width != Width() {
      if numbers[width] == nil { order.append(width) }
      numbers[width, default: []].append(index + 1)
    }
    // `nth-child` would also match section headings.
    let isWhole = options.hasSections ? ":not([colspan])" : ""
    return bands
      + order.flatMap { width in
        let columns = numbers[width] ?? []
        return [
          Rule(
            selector: columns.map { ".tabler .c\($0)" }.joined(separator: ","), declarations: width.column),
          Rule(
            selector: columns.map { cell($0 - 1, or: ":nth-child(\($0))" + isWhole) }.joined(separator: ","),
            declarations: width.cells),
        ]
      }
  }

  /// Texts across all columns, which must not make columns wider than their maximums.
  private var bands: [Rule] {
    guard options.hasSections || options.marksRecords, items.contains(where: { $0?.most != nil }) else {
      return []
    }
    return [
      Rule(
        selector: ".tabler [colspan]",
        declarations: "max-inline-size:0;white-space:pre-wrap;overflow-wrap:anywhere", applies: \.spansColumns
      )
    ]
  }

  private func width(_ item: GridItem, of index: Int) -> Width {
    let isLast = index == columnCount - 1
    let isStack = options.kind == .stack
    var (leading, trailing) = sideLengths(
      first: isGrid || isStack && index == 0, last: isGrid || isStack && isLast)
    var width = Width()
    if let spacing = item.spacing, !isLast {
      trailing = trailing + .characters(Double(spacing)) + columnGap.negated
      width.cells = "padding-inline-end:\(trailing.css)"
    }
    func whole(_ cells: Int) -> String { (leading + trailing + .characters(Double(cells))).css }
    let ideal = item.ideal.map { min(max($0, item.least ?? 0), item.most ?? .max) }
    let isFixed = item.least != nil && item.least == item.most
    width.column = joined(
      (ideal ?? (isFixed ? item.least : nil) ?? (options.fills ? item.most : nil))
        .map { "inline-size:\(whole($0))" } ?? "",
      item.least.map { "min-inline-size:\(whole($0))" } ?? "")
    if let most = ideal ?? item.most, wraps || options.isSingleLine {
      let rest =
        wraps ? "white-space:pre-wrap;overflow-wrap:anywhere" : "overflow:hidden;text-overflow:ellipsis"
      width.cells = joined(width.cells, "max-inline-size:\(most)ch;" + rest)
    }
    return width
  }
}

// Detail.
extension HTMLRules {
  /// The name of the elements that are titles of cards: headings of sections are one level above.
  static func cardTitle(_ options: LayoutOptions) -> String { options.hasSections ? "h3" : "h2" }

  /// Headings and footers of sections.
  private var cardSections: [Rule] {
    guard options.hasSections else { return [] }
    return [
      Rule(
        selector: ".section",
        declarations: "margin:0 0 .4em;padding-inline:.65em;font-size:1.2em;color:CanvasText"
      ) { $0.element == .sectionHead },
      Rule(
        selector: ".sum",
        declarations: widest + "margin:0 0 1.25em;padding-inline:.75em;text-align:end;"
          + "color:CanvasText;" + Style.bold.css
      ) { $0.element == .sectionFoot },
    ]
  }

  /// Cards next to each other, and what is above and below all of them.
  private var cardFlow: [Rule] {
    guard let flow = options.flow else { return [] }
    return [
      Rule(selector: ".region", declarations: grid(of: flow)) { $0.element == .region },
      Rule(selector: ".region>:not(article)", declarations: "grid-column:1/-1") {
        $0.element == .caption || $0.element == .sectionHead || $0.element == .sectionFoot
      },
    ]
  }

  /// A grid with as many items per row as fit.
  private func grid(of flow: FlowWidth) -> String {
    let most = flow.most.map { "\($0)ch" } ?? "1fr"
    return "display:grid;align-items:start;column-gap:2ch;"
      + "grid-template-columns:repeat(auto-fill,minmax(min(\(flow.least)ch,100%),\(most)))"
  }

  /// Table rows next to each other.
  ///
  /// Inline styles cannot do this, because `<tbody>` has no attributes.
  private var recordFlow: [Rule] {
    guard let flow = options.flow else { return [] }
    return [
      Rule(selector: ".tabler,.tabler thead,.tabler tfoot", declarations: "display:block"),
      Rule(selector: ".tabler tbody", declarations: grid(of: flow)),
      Rule(selector: ".tabler tr", declarations: "display:flex;flex-wrap:wrap;align-items:baseline"),
      Rule(
        selector: ".tabler tr>*",
        declarations: "border:0!important;max-inline-size:100%;box-sizing:border-box"),
      Rule(selector: ".tabler thead", declarations: side("block-end", border.edge)),
      Rule(selector: ".tabler tfoot", declarations: side("block-start", border.edge)),
      Rule(
        selector: ".tabler .sum,.tabler .section",
        declarations: options.hasSections ? "grid-column:1/-1" : ""),
    ]
  }

  /// The maximum width of cards: a comfortable line length, unless `--fill` is given.
  private var widest: String { options.fills ? "" : "max-inline-size:45em;" }

  private var cards: [Rule] {
    let width = options.minimumWidth.map { "\($0)ch" } ?? (options.flow == nil ? "min(38ch,100%)" : "0")
    return [
      Rule(
        selector: ".tabler",
        declarations: "min-inline-size:\(width);\(widest)margin-block-end:1.25em"
      ) { $0.element == .card },
      Rule(
        selector: ".tabler \(Self.cardTitle(options))",
        declarations: joined(
          "margin:0;padding:.45em .75em;font-size:1em;white-space:pre-wrap;color:CanvasText",
          side("block-end", border.edge))
      ) { $0.element == .cardTitle },
    ]
  }

  /// Labels and values.
  ///
  /// Values keep room for a date or a few words, even next to long labels.
  private var fields: [Rule] {
    let blanks = wraps ? "pre-wrap" : "pre"
    let label = options.headerStyle?.css ?? "color:\(HTMLShade.muted.css)"
    let space = joined("margin:0", padding(isPadded: true))
    let padding = joined(space, side("block-end", border.row))
    let note = Rule(selector: ".tabler p", declarations: space) { $0.element == .recordNote }
    return (options.marksRecords ? [note] : []) + [
      Rule(
        selector: ".tabler dl",
        declarations: "display:grid;grid-template-columns:max-content minmax(min-content,1fr);margin:0"
      ) { $0.element == .fields },
      Rule(selector: ".tabler dl>*", declarations: padding) { $0.element == .label || $0.element == .value },
      Rule(
        selector: ".tabler dt",
        declarations: joined(sides(first: true, last: false), "text-align:end;white-space:pre", label)
      ) { $0.element == .label },
      Rule(
        selector: ".tabler dd",
        declarations: joined(
          sides(first: false, last: true), "min-inline-size:10em;white-space:\(blanks);overflow-wrap:anywhere"
        )
      ) { $0.element == .value },
    ]
  }
}
