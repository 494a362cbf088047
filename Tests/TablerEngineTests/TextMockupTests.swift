import Testing

@testable import TablerEngine

/// The drawings of the layouts, byte for byte.
struct TextMockupTests {
  static let fruit = """
    id,name,weight,color
    🍊,Orange,190,orange
    🍌,Banana,118,brown
    🥝,Kiwi,75,green
    🍓,Strawberry,12,red
    🍇,Grape,7,purple
    🫐,Blueberry,2,blue
    """

  static let two = fruit.split(separator: "\n").prefix(3).joined(separator: "\n")

  static let footer = ["", "6 fruits", "404 g", nil]
  static let shortFooter = [nil, "2 fruits", "308 g", nil]

  @Test func listStandsInOneFlow() throws {
    let text = try drawFruit(Self.fruit, footer: Self.footer, LayoutOptions())
    #expect(
      text == """
        ID  Name        Weight ▼  Color
        ──  ──────────  ────────  ──────
        🍊  Orange         190 g  orange
        🍌  Banana         118 g  brown
        🥝  Kiwi            75 g  green
        🍓  Strawberry      12 g  red
        🍇  Grape            7 g  purple
        🫐  Blueberry        2 g  blue
        ──  ──────────  ────────  ──────
            6 fruits       404 g

        """)
  }

  @Test func stackHasItsHeaderOutside() throws {
    var options = LayoutOptions()
    options.kind = .stack
    options.headerSpacing = Length(1)
    options.rowSpacing = Length(1)
    let text = try drawFruit(Self.two, footer: Self.shortFooter, options)
    #expect(
      text == """

         ID  Name      Weight ▼  Color

        ════════════════════════════════
         🍊  Orange       190 g  orange

         🍌  Banana       118 g  brown
        ════════════════════════════════
             2 fruits     308 g

        """)
  }

  @Test func gridIsFramed() throws {
    var options = LayoutOptions()
    options.kind = .grid
    let text = try drawFruit(Self.two, footer: Self.shortFooter, options)
    #expect(
      text == """
        ┌────┬──────────┬──────────┬────────┐
        │ ID │ Name     │ Weight ▼ │ Color  │
        ╞════╪══════════╪══════════╪════════╡
        │ 🍊 │ Orange   │    190 g │ orange │
        │ 🍌 │ Banana   │    118 g │ brown  │
        ╞════╪══════════╪══════════╪════════╡
        │    │ 2 fruits │    308 g │        │
        └────┴──────────┴──────────┴────────┘

        """)
  }

  @Test func rowNamesStandBehindADoubleLine() throws {
    var options = LayoutOptions()
    options.kind = .grid
    let table = try SampleTable.csv(
      "name,Column 1,Column 2\nRow 1,0.1706,0.6454\nRow 2,0.9313,null", nullWords: ["null"])
    var columns = table.columns()
    columns[0].isRowHeader = true
    let text = try table.draw(columns, options)
    #expect(
      text == """
        ┌───────╥──────────┬──────────┐
        │ name  ║ Column 1 │ Column 2 │
        ╞═══════╬══════════╪══════════╡
        │ Row 1 ║   0.1706 │   0.6454 │
        │ Row 2 ║   0.9313 │       NA │
        └───────╨──────────┴──────────┘

        """)
  }

  @Test func detailDrawsCards() throws {
    var options = LayoutOptions()
    options.kind = .detail
    let table = try SampleTable.csv("id,name,weight,color\n🍊,Orange,190,orange\n🫐,,-2,blue")
    var columns = table.columns(["id=ID", "name=Name", "weight=Weight", "color=Color"])
    columns[2].format = try table.template("{:.0f} g")
    let text = try table.draw(columns, options, title: "{name}")
    #expect(
      text == """
        ── Orange ────────────────────────────
              ID  🍊
            Name  Orange
          Weight  190 g
           Color  orange
        ── (row 2) ───────────────────────────
              ID  🫐
            Name
          Weight  -2 g
           Color  blue

        """)
  }

  private func drawFruit(_ csv: String, footer: [String?], _ options: LayoutOptions) throws -> String {
    let table = try SampleTable.csv(csv)
    var columns = table.columns(["id=ID", "name=Name", "weight=Weight", "color=Color"])
    columns[2].format = try table.template("{:.0f} g")
    columns[2].sort = ShownColumn.SortState(isDescending: true, rank: 1)
    return try table.draw(columns, options, footers: [FooterLine(footer)])
  }
}
