import Testing

@testable import TablerEngine

/// Tables of several sections, each with a heading and a footer over all columns.
@Suite struct SectionPaintingTests {
  private static let fruit = "ID,Name,Weight\n🍊,Orange,190\n🍓,Strawberry,12\n🫐,Blueberry,2\n"

  /// The table in two sections, of its first row and of the others.
  private func paint(
    _ painter: consuming some Painter & ~Copyable, _ rows: Rows,
    headings: [String?] = ["citrus", "berries"], footers: [[FooterLine]] = [["1 in all"], ["2 in all"]],
    footer: [FooterLine] = []
  ) -> String {
    var out = ByteBuffer()
    painter.begin(into: &out)
    for (number, range) in [0..<1, 1..<rows.count].enumerated() {
      painter.beginSection(heading: headings[number].map { Array($0.utf8) }, into: &out)
      painter.paint(rows, range, into: &out)
      painter.endSection(footers: footers[number], into: &out)
    }
    painter.end(footers: footer, into: &out)
    return out.string()
  }

  private func text(
    _ kind: LayoutKind, _ change: (inout LayoutOptions) -> Void = { _ in },
    headings: [String?] = ["citrus", "berries"], footers: [[FooterLine]] = [["1 in all"], ["2 in all"]],
    footer: [FooterLine] = []
  ) throws -> String {
    let table = try SampleTable.csv(Self.fruit)
    var options = LayoutOptions()
    options.kind = kind
    options.sections = try SectionOptions(by: SourceExpression("ID", option: "--section-by"))
    change(&options)
    let columns = table.columns()
    let texts = columns.map { CellText($0) }
    if kind == .detail {
      return paint(
        CardPainter(TextCards(columns, texts, options), columns, texts, titles: []), table.rows,
        headings: headings, footers: footers)
    }
    var measurement = Measurement(columns, texts, TextContext(options))
    measurement.measure(table.rows, 0..<table.rows.count, firstNumber: 1)
    for line in footers.joined() { measurement.measure(line) }
    for heading in headings { if let heading { measurement.measure(.band(Array(heading.utf8))) } }
    let arrangement = Arrangement(columns, measurement, footers: footer, options)
    return paint(
      TablePainter<TextTable>(arrangement, texts, options), table.rows, headings: headings, footers: footers,
      footer: footer)
  }

  @Test func gridEndsItsLinesAtHeadingsAndFooters() throws {
    #expect(
      try text(.grid) == """
        ┌────┬────────────┬────────┐
        │ ID │ Name       │ Weight │
        ╞════╧════════════╧════════╡
        │ citrus                   │
        ├────┬────────────┬────────┤
        │ 🍊 │ Orange     │    190 │
        ├────┴────────────┴────────┤
        │                 1 in all │
        ├──────────────────────────┤
        │ berries                  │
        ├────┬────────────┬────────┤
        │ 🍓 │ Strawberry │     12 │
        │ 🫐 │ Blueberry  │      2 │
        ├────┴────────────┴────────┤
        │                 2 in all │
        └──────────────────────────┘

        """)
  }

  @Test func gridHasSectionsWithFootersOfCellsAndATableFooter() throws {
    let footers = [[FooterLine([nil, nil, "190"])], [FooterLine([nil, nil, "14"])]]
    let whole = [FooterLine([nil, "3 fruits", "204"])]
    #expect(
      try text(
        .grid, { $0.hasHeader = false }, headings: ["citrus", nil], footers: footers, footer: whole)
          == """
          ┌───────────────────────┐
          │ citrus                │
          ├────┬────────────┬─────┤
          │ 🍊 │ Orange     │ 190 │
          ├────┼────────────┼─────┤
          │    │            │ 190 │
          ├────┼────────────┼─────┤
          │ 🍓 │ Strawberry │  12 │
          │ 🫐 │ Blueberry  │   2 │
          ├────┼────────────┼─────┤
          │    │            │  14 │
          ╞════╪════════════╪═════╡
          │    │ 3 fruits   │ 204 │
          └────┴────────────┴─────┘

          """)
  }

  @Test func everyBorderIsEquallyWide() throws {
    for border in Border.allCases where border != .none && border != .rules {
      for ascii in [false, true] {
        let lines = try text(.grid) {
          $0.border = border
          $0.isASCII = ascii
        }.split(separator: "\n").filter { !$0.contains { "🍊🍓🫐".contains($0) } }
        let widths = Set(lines.map(\.count))
        #expect(widths.count == 1, "\(border): \(lines)")
      }
    }
  }

  @Test func aLongHeadingWrapsInsideTheFrame() throws {
    let drawn = try text(.grid, headings: ["citrus fruits of the Mediterranean", "x"])
    #expect(
      drawn.contains(
        """
        │ citrus fruits of the     │
        │ Mediterranean            │
        ├────┬────────────┬────────┤
        """))
  }

  @Test func listSetsHeadingsOff() throws {
    #expect(
      try text(.list) == """
        ID  Name        Weight
        ──  ──────────  ──────
        citrus
        🍊  Orange         190
                      1 in all

        berries
        🍓  Strawberry      12
        🫐  Blueberry        2
                      2 in all

        """)
    #expect(
      try text(.stack, footers: [[FooterLine([nil, nil, "190"])], []]) == """
         ID  Name        Weight
        ════════════════════════
         citrus
         🍊  Orange         190
        ────────────────────────
                            190

         berries
         🍓  Strawberry      12
         🫐  Blueberry        2

        """)
  }

  @Test func cardsStandUnderHeadings() throws {
    #expect(
      try text(.detail) == """
        citrus
        ── (row 1) ───────────────────────────
              ID  🍊
            Name  Orange
          Weight  190
                                      1 in all

        berries
        ── (row 2) ───────────────────────────
              ID  🍓
            Name  Strawberry
          Weight  12
        ── (row 3) ───────────────────────────
              ID  🫐
            Name  Blueberry
          Weight  2
                                      2 in all

        """)
  }

  @Test func markdownHasBoldRows() throws {
    let table = try SampleTable.csv(Self.fruit)
    let columns = table.columns()
    let texts = columns.map { CellText($0) }
    let bare = paint(
      bareTable(columns), table.rows,
      footers: [[FooterLine([nil, nil, "190"])], ["*"]])
    #expect(
      bare == """
        | ID | Name | Weight |
        | :--- | :--- | :--- |
        | **citrus** |  |  |
        | 🍊 | Orange | 190 |
        |  |  | **190** |
        | **berries** |  |  |
        | 🍓 | Strawberry | 12 |
        | 🫐 | Blueberry | 2 |
        | **\\*** |  |  |

        """)
    let cards = paint(
      CardPainter(MarkdownCards([columns[1]], LayoutOptions()), [columns[1]], [texts[1]], titles: []),
      table.rows)
    #expect(
      cards == """
        ## citrus

        ### (row 1)

        |      |        |
        | ---: | :----- |
        | Name | Orange |

        **1 in all**

        ## berries

        ### (row 2)

        |      |            |
        | ---: | :--------- |
        | Name | Strawberry |

        ### (row 3)

        |      |           |
        | ---: | :-------- |
        | Name | Blueberry |

        **2 in all**

        """)
  }

  @Test func htmlHasABodyForEachSection() throws {
    let table = try SampleTable.csv(Self.fruit)
    let columns = table.columns()
    let texts = columns.map { CellText($0) }
    var options = LayoutOptions()
    options.sections = try SectionOptions(by: SourceExpression("ID", option: "--section-by"))
    var output = OutputOptions()
    output.isFragment = true
    let drawn = paint(
      TablePainter(HTMLTable(columns, texts, options, output), marks: columns.map(\.mark), texts), table.rows,
      headings: ["<citrus>", nil],
      footers: [[FooterLine([nil, nil, "190"])], ["2 in all"]])
    let body = drawn.drop { $0 != "\n" }
    #expect(
      drawn.contains(
        """
        <tbody><tr><th colspan="3" scope="rowgroup">&lt;citrus&gt;</th></tr>
        <tr><td>🍊</td><td>Orange</td><td>190</td></tr>
        <tr class="sum"><td></td><td></td><td>190</td></tr></tbody>
        <tbody><tr><td>🍓</td><td>Strawberry</td><td>12</td></tr>
        <tr><td>🫐</td><td>Blueberry</td><td>2</td></tr>
        <tr class="sum"><td colspan="3" class="e">2 in all</td></tr></tbody>
        """), "\(body)")
    let cards = paint(
      CardPainter(HTMLCards([columns[1]], options, output), [columns[1]], [texts[1]], titles: []), table.rows)
    #expect(
      cards.contains("<h2 class=\"section\">citrus</h2>\n<article class=\"tabler list\"><h3>"), "\(cards)")
    #expect(
      cards.contains("</article>\n<p class=\"sum\">1 in all</p>\n<h2 class=\"section\">berries</h2>\n"),
      "\(cards)")
  }
}

extension FooterLine: ExpressibleByStringLiteral {
  /// A text over all columns.
  public init(stringLiteral text: String) { self = .band(Array(text.utf8)) }
}
