import Testing

@testable import TablerEngine

/// Single options of layout and text, each with what it draws.
struct TextLayoutTests {
  static let csv = "name,weight,note\nOrange,190,sweet and round\nKiwi,75.5,\nStraw-berry,null,\"red\nsmall\""

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout LayoutOptions) -> Void
    var expected: String
    var notices: [LayoutNotice] = []
  }

  @Test(arguments: [
    Case(
      testDescription: "a line between columns crosses the rule of a list",
      change: { $0.separator = .line },
      expected: """
        name ▲      │ weight ▼ │ note
        ────────────┼──────────┼────────────────
        Orange      │      190 │ sweet and round
        Kiwi        │     75.5 │
        Straw-berry │       NA │ red
                    │          │ small
        """),
    Case(
      testDescription: "a separator of text stands in the space between columns",
      change: {
        $0.separator = .text(";")
        $0.columnSpacing = Length(1)
      },
      expected: """
        name ▲     ; weight ▼; note
        ───────────  ────────  ───────────────
        Orange     ;      190; sweet and round
        Kiwi       ;     75.5;
        Straw-berry;       NA; red
                   ;         ; small
        """),
    Case(
      testDescription: "without separator a grid has only its frame",
      change: {
        $0.kind = .grid
        $0.separator = .none
      },
      expected: """
        ┌────────────────────────────────────────┐
        │ name ▲       weight ▼  note            │
        ╞════════════════════════════════════════╡
        │ Orange            190  sweet and round │
        │ Kiwi             75.5                  │
        │ Straw-berry        NA  red             │
        │                        small           │
        └────────────────────────────────────────┘
        """),
    Case(
      testDescription: "a header inside the region has a single rule",
      change: {
        $0.kind = .grid
        $0.headerPosition = .inside
      },
      expected: """
        ┌─────────────┬──────────┬─────────────────┐
        │ name ▲      │ weight ▼ │ note            │
        ├─────────────┼──────────┼─────────────────┤
        │ Orange      │      190 │ sweet and round │
        │ Kiwi        │     75.5 │                 │
        │ Straw-berry │       NA │ red             │
        │             │          │ small           │
        └─────────────┴──────────┴─────────────────┘
        """),
    Case(
      testDescription: "ranks follow the signs, in ASCII as digits",
      change: {
        $0.indicators.showsRank = true
        $0.isASCII = true
      },
      expected: """
        name ^1      weight v2  note
        -----------  ---------  ---------------
        Orange             190  sweet and round
        Kiwi              75.5
        Straw-berry         NA  red
                                small
        """),
    Case(
      testDescription: "a neutral sign stands at the trailing edge of the other columns",
      change: { $0.indicators.neutral = "◇" },
      expected: """
        name ▲       weight ▼  note ◇
        ───────────  ────────  ───────────────
        Orange            190  sweet and round
        Kiwi             75.5
        Straw-berry        NA  red
                               small
        """),
    Case(
      testDescription: "without indicators no room is kept",
      change: { $0.indicators.areShown = false },
      expected: """
        name         weight  note
        ───────────  ──────  ───────────────
        Orange          190  sweet and round
        Kiwi           75.5
        Straw-berry      NA  red
                             small
        """),
    Case(
      testDescription: "without header the rows begin at once",
      change: { $0.hasHeader = false },
      expected: """
        Orange        190  sweet and round
        Kiwi         75.5
        Straw-berry    NA  red
                           small
        """),
    Case(
      testDescription: "under pressure the widest column gives way and wraps",
      change: { $0.width = .atMost(30) },
      expected: """
        name ▲     weight ▼  note
        ─────────  ────────  ─────────
        Orange          190  sweet and
                             round
        Kiwi           75.5
        Straw-           NA  red
        berry                small
        """),
    Case(
      testDescription: "cells are cut and counted",
      change: {
        $0.width = .atMost(30)
        $0.overflow = .truncate
      },
      expected: """
        name ▲     weight ▼  note
        ─────────  ────────  ─────────
        Orange          190  sweet an…
        Kiwi           75.5
        Straw-be…        NA  red
                             small
        """, notices: [.cutCells(2)]),
    Case(
      testDescription: "a single line marks newlines",
      change: {
        $0.isSingleLine = true
        $0.missing = "-"
      },
      expected: """
        name ▲       weight ▼  note
        ───────────  ────────  ───────────────
        Orange            190  sweet and round
        Kiwi             75.5
        Straw-berry         -  red↵small
        """),
    Case(
      testDescription: "cells stay long where they may scroll",
      change: {
        $0.width = .atMost(10)
        $0.overflow = .scroll
      },
      expected: """
        name ▲       weight ▼  note
        ───────────  ────────  ───────────────
        Orange            190  sweet and round
        Kiwi             75.5
        Straw-berry        NA  red
                               small
        """),
    Case(
      testDescription: "leasts that do not fit make the lines longer",
      change: { $0.width = .atMost(1) },
      expected: """
        n  w  n
        a  e  o
        …  …  …
        ─  ─  ─
        O  1  s
        r  9  w
        a  0  e
        n     e
        g     t
        e     a
              n
              d
              r
              o
              u
              n
              d
        K  7
        i  5
        w  .
        i  5
        S  N  r
        t  A  e
        r     d
        a     s
        w     m
        -     a
        b     l
        e     l
        r
        r
        y
        """, notices: [.widerThanLimit(by: 6), .cutTitles(3)]),
    Case(
      testDescription: "the least width widens all columns",
      change: {
        $0.minimumWidth = 43
        $0.kind = .stack
      },
      expected: """
         name ▲         weight ▼  note
        ═══════════════════════════════════════════
         Orange              190  sweet and round
         Kiwi               75.5
         Straw-berry          NA  red
                                  small
        """),
    Case(
      testDescription: "rows are at least so high, and rules stand between them",
      change: {
        $0.minimumRowHeight = 2
        $0.hasRowRules = true
        $0.border = .heavy
        $0.kind = .grid
      },
      expected: """
        ┏━━━━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━━━━━━━━┓
        ┃ name ▲      ┃ weight ▼ ┃ note            ┃
        ┣━━━━━━━━━━━━━╋━━━━━━━━━━╋━━━━━━━━━━━━━━━━━┫
        ┃ Orange      ┃      190 ┃ sweet and round ┃
        ┃             ┃          ┃                 ┃
        ┠─────────────╂──────────╂─────────────────┨
        ┃ Kiwi        ┃     75.5 ┃                 ┃
        ┃             ┃          ┃                 ┃
        ┠─────────────╂──────────╂─────────────────┨
        ┃ Straw-berry ┃       NA ┃ red             ┃
        ┃             ┃          ┃ small           ┃
        ┗━━━━━━━━━━━━━┻━━━━━━━━━━┻━━━━━━━━━━━━━━━━━┛
        """),
    Case(
      testDescription: "padding pads cells, a negative spacing takes some of it away",
      change: {
        $0.kind = .grid
        $0.border = .round
        $0.cellPadding = Edges(top: Length(1), trailing: Length(0), bottom: Length(1))
        $0.rowSpacing = Length(-2)
        $0.headerSpacing = Length(-1)
      },
      expected: """
        ╭────────────┬─────────┬────────────────╮
        │ name ▲     │ weight ▼│ note           │
        ╞════════════╪═════════╪════════════════╡
        │            │         │                │
        │ Orange     │      190│ sweet and round│
        │ Kiwi       │     75.5│                │
        │ Straw-berry│       NA│ red            │
        │            │         │ small          │
        │            │         │                │
        ╰────────────┴─────────┴────────────────╯
        """),
    Case(
      testDescription: "title and caption stand above the padding of the table",
      change: {
        $0.title = "Fruit"
        $0.caption = "by weight\u{7}"
        $0.tablePadding = Edges(top: Length(16, .pixels), leading: Length(1, .ems))
      },
      expected: """
        Fruit
        by weight\\x07

          name ▲       weight ▼  note
          ───────────  ────────  ───────────────
          Orange            190  sweet and round
          Kiwi             75.5
          Straw-berry        NA  red
                                 small
        """),
    Case(
      testDescription: "titles are bold where colour is on, and styles end before the blanks",
      change: { $0.colorDepth = .basic },
      expected: """
        \u{1B}[1mname ▲\u{1B}[0m       \u{1B}[1mweight ▼\u{1B}[0m  \u{1B}[1mnote\u{1B}[0m
        \u{1B}[2m───────────  ────────  ───────────────\u{1B}[0m
        Orange            190  sweet and round
        Kiwi             75.5
        Straw-berry        \u{1B}[2mNA\u{1B}[0m  red
                               small
        """),
    Case(
      testDescription: "values of a card wrap after their labels",
      change: {
        $0.kind = .detail
        $0.width = .atMost(20)
      },
      expected: """
        ── (row 1) ─────────
            name  Orange
          weight  190
            note  sweet and
                  round
        ── (row 2) ─────────
            name  Kiwi
          weight  75.5
            note
        ── (row 3) ─────────
            name  Straw-
                  berry
          weight  NA
            note  red
                  small
        """),
  ])
  func optionDrawsWhatItSays(_ test: Case) throws {
    let table = try SampleTable.csv(Self.csv, nullWords: ["null"])
    var columns = table.columns()
    columns[0].sort = ShownColumn.SortState(isDescending: false, rank: 1)
    columns[1].sort = ShownColumn.SortState(isDescending: true, rank: 2)
    var options = LayoutOptions()
    test.change(&options)
    let (text, notices) = try table.drawing(columns, options)
    #expect(text == test.expected + "\n")
    #expect(notices == test.notices)
  }

  @Test func decimalPointsStandInOneLine() throws {
    let table = try SampleTable.csv("price,note\n1.25,a\n\"1,000.5\",bb\n-3,ccc\nnone,d\n")
    var columns = table.columns()
    columns[0].alignment = .decimal
    columns[1].alignment = .center
    #expect(
      try table.draw(columns, LayoutOptions()) == """
           price  note
        ────────  ────
            1.25   a
        1,000.5    bb
           -3     ccc
         none      d

        """)
  }

  @Test func pathsShowWhatTheyLeadTo() throws {
    let table = try SampleTable.jsonl(
      #"{"user":{"name":"Ann\u0041","age":31,"tags":["a", "b"]}}"# + "\n" + #"{"user":{"name":null}}"#)
    #expect(
      try table.draw(table.columns(["user.name", "user.age=Age", "user.tags"]), LayoutOptions()) == """
        user.name  Age  user.tags
        ─────────  ───  ─────────
        AnnA        31  ["a","b"]
        NA          NA  NA

        """)
  }

  @Test func aTextOfJSONIsNoNumber() throws {
    let table = try SampleTable.jsonl(#"{"zip":"501","n":5}"#)
    #expect(
      try table.draw(nil, LayoutOptions()) == """
        zip  n
        ───  ─
        501  5

        """)
    let texts = table.columns().map { CellText($0) }
    var measurement = Measurement(table.columns(), texts, TextContext(LayoutOptions()))
    measurement.measure(table.rows, 0..<1, firstNumber: 1)
    #expect(measurement.columns.map(\.isNumeric) == [false, true])
  }

  @Test func `the longest word of a column is found in cells of any length`() throws {
    var random = SplitMix(state: 7)
    for _ in 0..<300 {
      let texts = (0..<5).map { _ in
        let most = Int.random(in: 1...12, using: &random)
        let words = (0..<Int.random(in: 1...20, using: &random)).map { _ in
          String(repeating: "a", count: Int.random(in: 1...most, using: &random))
        }
        return words.joined(separator: String(repeating: " ", count: Int.random(in: 1...3, using: &random)))
      }
      let table = try SampleTable.csv("a\n\(texts.joined(separator: "\n"))\n")
      var options = LayoutOptions()
      options.width = .atMost(20)
      var measurement = Measurement(
        table.columns(), table.columns().map { CellText($0) }, TextContext(options))
      measurement.measure(table.rows, 0..<table.rows.count, firstNumber: 1)
      let longest = texts.flatMap { $0.split(separator: " ") }.map(\.count).max()
      #expect(measurement.columns[0].longestWord == longest, "\(texts)")
    }
  }

  @Test func rowNamesMayBeATemplateAndNumbersCount() throws {
    let table = try SampleTable.csv("a\nx\ny\n")
    let template = try table.template("Row {n}", option: "--row-names", hasCell: false)
    let columns =
      [
        ShownColumn(source: .template(template), title: "", name: "", isRowHeader: true),
        ShownColumn(source: .rowNumber, title: "", name: "", isRowHeader: true),
      ] + table.columns()
    var options = LayoutOptions()
    options.kind = .grid
    #expect(
      try table.draw(columns, options) == """
        ┌───────┬───╥───┐
        │       │   ║ a │
        ╞═══════╪═══╬═══╡
        │ Row 1 │ 1 ║ x │
        │ Row 2 │ 2 ║ y │
        └───────┴───╨───┘

        """)
  }

  @Test func footersMayRepeatTheTitles() throws {
    let table = try SampleTable.csv("n\n1\n")
    var columns = table.columns()
    columns[0].sort = ShownColumn.SortState(isDescending: true, rank: 1)
    #expect(
      try table.draw(columns, LayoutOptions(), footers: [FooterLine(["12345"]), .titles([nil])]) == """
          n ▼
        ─────
            1
        ─────
        12345
          n ▼

        """)
  }

  @Test func noRowsAndNoColumnsAreDrawnToo() throws {
    var options = LayoutOptions()
    options.kind = .grid
    let table = try SampleTable.csv("a,b\n")
    #expect(
      try table.draw(nil, options) == """
        ┌───┬───┐
        │ a │ b │
        ╞═══╪═══╡
        └───┴───┘

        """)
    for kind in LayoutKind.allCases {
      options.kind = kind
      _ = try table.draw([], options)
    }
  }
}

/// How wide columns are that have widths of their own.
struct GridItemTests {
  private static let text = "id,name,note\n1,Orange,two words\n22,Strawberry,x\n"

  /// The widths that columns are drawn with, in a line of so many cells.
  private static func widths(_ items: [GridItem], _ width: Int?, _ overflow: Overflow) throws -> [Int] {
    let table = try SampleTable.csv(text)
    var columns = table.columns()
    for (index, item) in items.enumerated() { columns[index].item = item }
    var options = LayoutOptions()
    options.overflow = overflow
    options.hasHeader = false
    if let width { options.width = .atMost(width) }
    var measurement = Measurement(columns, columns.map { CellText($0) }, TextContext(options))
    measurement.measure(table.rows, 0..<table.rows.count, firstNumber: 1)
    return Arrangement(columns, measurement, footers: [], options).columns.map(\.width)
  }

  private static func item(_ least: Int?, _ most: Int?, ideal: Int? = nil) -> GridItem {
    var item = GridItem(least: least, most: most)
    item.ideal = ideal
    return item
  }

  @Test("columns get their preferred widths if there is room", arguments: [nil, 80])
  func roomForAll(_ width: Int?) throws {
    let widths = { (items: [GridItem]) in try Self.widths(items, width, .wrap) }
    #expect(try widths([]) == [2, 10, 9])
    #expect(try widths([Self.item(4, 4), Self.item(4, 4)]) == [4, 4, 9])
    #expect(try widths([Self.item(4, 6), Self.item(4, 6), Self.item(4, 12)]) == [4, 6, 9])
    #expect(try widths([Self.item(nil, 1), Self.item(12, nil)]) == [1, 12, 9])
    #expect(try widths([Self.item(1, nil, ideal: 7), Self.item(1, 6, ideal: 7)]) == [7, 6, 9])
    #expect(try widths([Self.item(9, nil, ideal: 7), GridItem()]) == [9, 10, 9])
  }

  @Test func whereCellsStayLongTheyMakeRoom() throws {
    #expect(try Self.widths([Self.item(4, 4), Self.item(4, 4)], nil, .scroll) == [4, 10, 9])
    #expect(try Self.widths([Self.item(4, 4), Self.item(4, 4)], 5, .scroll) == [4, 10, 9])
    #expect(try Self.widths([Self.item(4, 4), Self.item(4, 4)], nil, .truncate) == [4, 4, 9])
  }

  @Test("R65 extra width is given up first, then texts wrap, then minimum widths give way")
  func littleRoom() throws {
    // The space between the columns takes 4 cells.
    let items = [Self.item(4, 4), Self.item(8, nil, ideal: 16), GridItem()]
    let widths = { (width: Int) in try Self.widths(items, width, .wrap) }
    #expect(try widths(33) == [4, 16, 9])
    #expect(try widths(28) == [4, 11, 9])
    #expect(try widths(27) == [4, 10, 9])
    #expect(try widths(26) == [4, 9, 9])
    #expect(try widths(24) == [4, 8, 8])
    #expect(try widths(22) == [4, 8, 6])
    #expect(try widths(21) == [4, 8, 5])
    #expect(try widths(20) == [4, 7, 5])
    #expect(try widths(10) == [4, 1, 1])
    #expect(try widths(7) == [1, 1, 1])
    #expect(try widths(1) == [1, 1, 1])
  }
}

/// How columns give way.
struct WidthPlanTests {
  @Test(
    "R65 titles give way before texts, texts before numbers, each as far as it must",
    arguments: [
      (room: nil, widths: [10, 8, 6]),
      (room: 24, widths: [10, 8, 6]),
      (room: 22, widths: [8, 8, 6]),
      (room: 20, widths: [7, 7, 6]),
      (room: 17, widths: [6, 5, 6]),
      (room: 16, widths: [6, 4, 6]),
      (room: 15, widths: [6, 4, 5]),
      (room: 9, widths: [3, 4, 2]),
      (room: 8, widths: [2, 4, 2]),
      (room: 7, widths: [1, 4, 2]),
      (room: 6, widths: [1, 3, 2]),
      (room: 4, widths: [1, 1, 2]),
      (room: 0, widths: [1, 1, 2]),
    ])
  func steps(room: Int?, widths: [Int]) {
    let plan = WidthPlan(columns: [
      .init(natural: 10, titled: 6, data: 6, least: 3, kept: 3, smallest: 1, hasText: true),
      .init(natural: 8, titled: 4, data: 4, least: 4, kept: 4, smallest: 1, hasText: false),
      .init(natural: 6, titled: 6, data: 6, least: 2, kept: 2, smallest: 2, hasText: true),
    ])
    #expect(plan.widths(within: room) == widths)
  }

  @Test("R65 numbers among texts are whole as long as a text without any can give way")
  func mixedColumns() {
    let plan = WidthPlan(columns: [
      .init(natural: 9, titled: 9, data: 9, least: 7, kept: 7, smallest: 1, hasText: true, whole: 7),
      .init(natural: 9, titled: 9, data: 9, least: 9, kept: 9, smallest: 1, hasText: true),
    ])
    #expect(plan.widths(within: 16) == [7, 9])
    #expect(plan.widths(within: 9) == [7, 2])
    #expect(plan.widths(within: 7) == [6, 1])
  }

  @Test(
    "R65 words of titles are broken after texts of eight cells, the longest first",
    arguments: [
      (room: 32, widths: [11, 9, 12]),
      (room: 28, widths: [11, 9, 8]),
      (room: 27, widths: [10, 9, 8]),
      (room: 25, widths: [8, 9, 8]),
      (room: 24, widths: [8, 8, 8]),
      (room: 21, widths: [7, 7, 7]),
      (room: 6, widths: [1, 4, 1]),
    ])
  func titleWords(room: Int, widths: [Int]) {
    let plan = WidthPlan(columns: [
      .init(natural: 15, titled: 11, data: 4, least: 11, kept: 4, smallest: 1, hasText: true, titlePiece: 11),
      .init(natural: 9, titled: 9, data: 4, least: 9, kept: 4, smallest: 1, hasText: false, titlePiece: 9),
      .init(natural: 12, titled: 12, data: 12, least: 12, kept: 12, smallest: 1, hasText: true),
    ])
    #expect(plan.widths(within: room) == widths)
  }

  @Test("texts of later rows have all that is free, in the last column of text that may grow")
  func freeWidth() {
    let text = WidthPlan.ColumnWishes(
      natural: 5, titled: 5, data: 5, least: 5, kept: 5, smallest: 1, hasText: true)
    var number = text
    number.hasText = false
    var full = text
    full.most = 5
    #expect(
      WidthPlan(columns: [text, text, number]).readied([5, 5, 5], for: 20, endsOpen: false) == [5, 10, 5])
    #expect(WidthPlan(columns: [text, full]).readied([5, 5], for: 20, endsOpen: false) == [15, 5])
    #expect(WidthPlan(columns: [text, text]).readied([5, 5], for: 20, endsOpen: true) == [5, 5])
    #expect(WidthPlan(columns: [number]).readied([5], for: 20, endsOpen: false) == [5])
    #expect(WidthPlan(columns: [text]).readied([5], for: 4, endsOpen: false) == [5])
  }

  @Test func whatIsLeftIsGivenEvenlyToColumnsWithoutALimit() {
    let column = WidthPlan.ColumnWishes(
      natural: 1, titled: 1, data: 1, least: 1, kept: 1, smallest: 1, hasText: true)
    var full = column
    full.most = 2
    let open = WidthPlan(columns: [column, column, column])
    #expect(open.widened([1, 2, 3], by: 5) == [3, 4, 4])
    #expect(open.widened([1, 2, 3], by: -5) == [1, 2, 3])
    #expect(WidthPlan(columns: []).widened([], by: 5) == [])
    #expect(WidthPlan(columns: [full, column, column]).widened([1, 2, 3], by: 5) == [1, 5, 5])
    #expect(WidthPlan(columns: [full, full]).widened([1, 2], by: 5) == [1, 2])
  }
}
