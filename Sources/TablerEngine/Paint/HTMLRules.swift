/// The rules of an HTML style, worked out from the options.
///
/// The first ones are the same for every table; what the options ask for comes behind them and wins.
struct HTMLRules {
  private typealias Rule = HTMLStyle.Rule
  private typealias Place = HTMLStyle.Place

  private let options: LayoutOptions
  private let border: HTMLBorder
  private let headerColumns: Int
  private let columnCount: Int

  /// Nothing sticks to a sheet of paper.
  static let print = "@media print{.tabler tr>*,.tabler>*{position:static!important}}"

  /// Takes from `options` what concerns the style.
  init(_ columns: [ShownColumn], _ options: LayoutOptions) {
    self.options = options
    border = HTMLBorder(options.border)
    headerColumns = columns.prefix { $0.isRowHeader }.count
    columnCount = columns.count
  }

  /// What null and missing cells look like; their borders are those of the others.
  private var absent: [Rule] {
    [
      Rule(
        selector: ".tabler .null", declarations: "color:GrayText;border-color:CanvasText", applies: \.isNull)
    ]
  }

  /// The rules of List, Stack and Grid.
  var tableRules: [HTMLStyle.Rule] {
    common + fixed + frame + cells + head + foot + body + separators + absent
  }

  /// The rules of Detail.
  var cardRules: [HTMLStyle.Rule] {
    let gap = CSSLength.horizontal(options.columnSpacing ?? Length(1)).css
    let side = options.cellPadding
    let above = side.top.map(CSSLength.vertical) ?? .pixels(4)
    let below = side.bottom.map(CSSLength.vertical) ?? .pixels(0)
    let rule = border.thin.isEmpty ? "" : ";border-block-end:\(border.thin)"
    return common + [
      Rule(selector: ".detail", declarations: outside + ";min-inline-size:\(options.minimumWidth ?? 38)ch") {
        $0.element == .card
      },
      Rule(selector: ".detail h2", declarations: "margin:0;font-size:1em\(rule)") {
        $0.element == .cardTitle
      },
      Rule(
        selector: ".detail dl",
        declarations: "display:grid;grid-template-columns:max-content 1fr;column-gap:\(gap);margin:0"
      ) { $0.element == .fields },
      Rule(
        selector: ".detail dt",
        declarations: joined("text-align:end", (options.headerStyle ?? .bold).css)
      ) { $0.element == .label },
      Rule(selector: ".detail dd", declarations: "margin:0;overflow-wrap:anywhere;\(blanks)") {
        $0.element == .value
      },
      Rule(selector: ".detail dl>*", declarations: "padding-block:\(above.css) \(below.css)") {
        $0.element == .label || $0.element == .value
      },
    ] + absent
  }
}

extension HTMLRules {
  private var isGrid: Bool { options.kind == .grid }
  private var isOutside: Bool { options.hasHeaderOutside }

  /// Blanks are shown as they came; a single line does not wrap.
  private var blanks: String { options.isSingleLine ? "white-space:pre" : "white-space:pre-wrap" }

  private var common: [Rule] {
    [
      Rule(selector: ":root", declarations: "color-scheme:light dark;font-family:system-ui,sans-serif"),
      Rule(
        selector: ".tabler",
        declarations:
          "border-spacing:0;text-align:start;color:CanvasText;background:Canvas;color-scheme:light dark"
      ) { $0.element == .table || $0.element == .card },
    ]
  }

  private var fixed: [Rule] {
    [
      Rule(
        selector: ".tabler th,.tabler td",
        declarations: "padding-inline:.5ch;vertical-align:top;overflow-wrap:anywhere", applies: \.isCell),
      Rule(selector: ".tabler th,.tabler caption", declarations: "text-align:start") {
        $0.element == .headCell || $0.element == .rowHeader || $0.element == .caption
      },
      Rule(selector: ".tabler .r", declarations: "text-align:end;font-variant-numeric:tabular-nums") {
        $0.isCell && ($0.alignment == .trailing || $0.alignment == .decimal)
      },
      Rule(selector: ".tabler .c", declarations: "text-align:center") {
        $0.isCell && $0.alignment == .center
      },
      Rule(selector: ".list>thead,.list>tfoot", declarations: "display:table-row-group"),
      Rule(
        selector: ".stack>thead th,.grid>thead th",
        declarations: "position:sticky;inset-block-start:0;border-block-end:3px double"),
      Rule(
        selector: ".stack>tfoot td,.grid>tfoot td",
        declarations: "position:sticky;inset-block-end:0;border-block-start:3px double"),
      Rule(selector: ".grid tbody th", declarations: "position:sticky;inset-inline-start:0"),
    ]
  }

  /// The space round the table, the frame of Grid, the least width.
  private var frame: [Rule] {
    let width = options.minimumWidth.map { "min-inline-size:\($0)ch" } ?? ""
    let line = isGrid ? border.frame : ""
    return [
      Rule(selector: ".tabler", declarations: joined("line-height:1.25", outside, line, width)) {
        $0.element == .table
      }
    ]
  }

  /// `--table-padding`, kept outside of the frame.
  private var outside: String {
    let edges = options.tablePadding
    let isList = options.kind == .list
    let top = edges.top.map(CSSLength.vertical) ?? .pixels(isList ? 0 : 10)
    let bottom = edges.bottom.map(CSSLength.vertical) ?? .pixels(isList ? 0 : 15)
    let leading = edges.leading.map(CSSLength.horizontal) ?? .pixels(isList ? 0 : 16)
    let trailing = edges.trailing.map(CSSLength.horizontal) ?? .pixels(isList ? 0 : 16)
    return "margin-block:\(top.css) \(bottom.css);margin-inline:\(leading.css) \(trailing.css)"
  }

  /// What cells keep free at their sides: half of the column spacing, and the padding.
  private var cells: [Rule] {
    let gap = (options.columnSpacing.map(CSSLength.horizontal) ?? .characters(1)).half
    let leading = options.cellPadding.leading.map(CSSLength.horizontal) ?? .pixels(0)
    let trailing = options.cellPadding.trailing.map(CSSLength.horizontal) ?? .pixels(0)
    let start = (isGrid ? gap + leading : gap).css
    let end = (isGrid ? gap + trailing : gap).css
    var rules = [Rule(selector: ".tabler tr>*", declarations: blanks, applies: \.isCell)]
    if start != ".5ch" || end != ".5ch" {
      rules.append(
        Rule(selector: ".tabler tr>*", declarations: "padding-inline:\(start) \(end)", applies: \.isCell))
    }
    guard options.kind == .stack, leading.css != "0" || trailing.css != "0" else { return rules }
    let last = columnCount - 1
    rules.append(
      Rule(selector: ".tabler tr>:first-child", declarations: "padding-inline-start:\((gap + leading).css)") {
        $0.isCell && $0.column == 0
      })
    rules.append(
      Rule(selector: ".tabler tr>:last-child", declarations: "padding-inline-end:\((gap + trailing).css)") {
        $0.isCell && $0.column == last
      })
    return rules
  }

  /// The padding above and below the texts of a row of this layout.
  private func padding(_ length: Length?) -> CSSLength {
    if options.kind == .list { return .pixels(0) }
    return length.map(CSSLength.vertical) ?? .pixels(4)
  }

  private var head: [Rule] {
    let spacing = options.headerSpacing.map(CSSLength.vertical) ?? .pixels(options.kind == .list ? 0 : 4)
    let above = isGrid ? padding(options.cellPadding.top) + spacing : spacing
    let below = isGrid ? padding(options.cellPadding.bottom) + spacing : spacing
    let line = isOutside ? border.edge : border.thin
    var rules = [
      Rule(
        selector: ".tabler>thead tr>*",
        declarations: joined(
          "padding-block:\(above.css) \(below.css)", "border-block-end:\(line.isEmpty ? "0" : line)",
          options.headerStyle?.css ?? "")
      ) { $0.element == .headCell }
    ]
    rules += sticky("thead", "start")
    if options.kind == .list, isOutside {
      rules.append(Rule(selector: ".list>thead", declarations: "display:table-header-group"))
      rules.append(Rule(selector: ".list>tfoot", declarations: "display:table-footer-group"))
    } else if options.kind != .list, !isOutside {
      rules.append(Rule(selector: ".tabler>thead,.tabler>tfoot", declarations: "display:table-row-group"))
    }
    return rules
  }

  private var foot: [Rule] {
    guard !options.footers.isEmpty else { return [] }
    let spacing = options.footerSpacing.map(CSSLength.vertical) ?? .pixels(options.kind == .list ? 0 : -4)
    let above = isGrid ? padding(options.cellPadding.top) + spacing : spacing
    let below = isGrid ? padding(options.cellPadding.bottom) + spacing : spacing
    let line = isOutside ? border.edge : border.thin
    return [
      Rule(
        selector: ".tabler>tfoot tr>*",
        declarations: "padding-block:\(above.css) \(below.css);border-block-start:0"
      ) { $0.element == .footCell },
      Rule(
        selector: ".tabler>tfoot tr:first-child>*",
        declarations: line.isEmpty ? "" : "border-block-start:\(line)"
      ) { $0.element == .footCell && $0.isFirstRow },
    ] + sticky("tfoot", "end", isSingle: options.footers.count == 1)
  }

  /// Head and foot stay in sight where they live outside of the scrolling region; several lines stay together.
  private func sticky(_ section: String, _ edge: String, isSingle: Bool = true) -> [Rule] {
    guard isOutside else {
      if options.kind == .list { return [] }
      return [Rule(selector: ".tabler>\(section) tr>*", declarations: "position:static")]
    }
    let place = "position:sticky;inset-block-\(edge):0;z-index:1"
    let cells = ".tabler>\(section) tr>*"
    var rules = [
      Rule(selector: cells, declarations: "background:Canvas;\(isSingle ? place : "position:static")")
    ]
    if !isSingle { rules.append(Rule(selector: ".tabler>\(section)", declarations: place)) }
    if isGrid, headerColumns > 0, isSingle {
      rules.append(
        Rule(selector: ".grid>\(section) tr>:first-child", declarations: "inset-inline-start:0;z-index:2"))
    }
    return rules
  }

  private var body: [Rule] {
    let above = padding(options.cellPadding.top)
    let below = padding(options.cellPadding.bottom)
    let spacing = options.rowSpacing.map(CSSLength.vertical) ?? .pixels(0)
    let height =
      options.minimumRowHeight > 1
      ? "height:\(CSSLength.vertical(Length(Double(options.minimumRowHeight))).css)" : ""
    var rules = [
      Rule(
        selector: ".tabler>tbody tr>*",
        declarations: joined("padding-block:\(above.css) \(below.css)", height),
        applies: \.isBody)
    ]
    let space = spacing.css == "0" ? "" : "padding-block-start:\((above + spacing).css)"
    let line = options.hasRowRules && !border.thin.isEmpty ? "border-block-start:\(border.thin)" : ""
    rules.append(
      Rule(selector: ".tabler>tbody tr+tr>*", declarations: joined(space, line)) {
        $0.isBody && !$0.isFirstRow
      })
    if isGrid, headerColumns > 0 {
      rules.append(Rule(selector: ".grid tbody th", declarations: "background:Canvas"))
      if headerColumns > 1 {
        rules.append(Rule(selector: ".grid tbody th~th", declarations: "position:static"))
      }
    }
    return rules
  }

  /// The lines between columns; a double one behind row names.
  private var separators: [Rule] {
    let hasLines: Bool
    switch options.separator {
    case .byLayout: hasLines = isGrid && border.hasVerticals
    case .none: hasLines = false
    case .line: hasLines = true
    case .text(let text): hasLines = !text.allSatisfy { $0 == " " }
    }
    guard hasLines, !border.thin.isEmpty else { return [] }
    let names = headerColumns
    var rules = [
      Rule(selector: ".tabler tr>*+*", declarations: "border-inline-start:\(border.thin)") {
        $0.isCell && $0.column > 0
      }
    ]
    if names > 0 {
      rules.append(
        Rule(selector: ".tabler tr>:nth-child(\(names + 1))", declarations: "border-inline-start:3px double")
        {
          $0.isCell && $0.column == names
        })
    }
    return rules
  }

  private func joined(_ parts: String...) -> String { parts.filter { !$0.isEmpty }.joined(separator: ";") }
}
