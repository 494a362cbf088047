import Foundation
import Testing

@testable import TablerEngine

@Suite struct HTMLPainterTests {
  @Test func aPageHasThePolicyOfItsOwnStyle() throws {
    let table = try SampleTable.csv("Name,Weight\nOrange,190 g\nKiwi\n")
    var columns = table.columns()
    columns[0].isRowHeader = true
    columns[1].alignment = .trailing
    columns[1].breaking = .nowhere
    columns[1].sort = ShownColumn.SortState(isDescending: true, rank: 1)
    var options = LayoutOptions()
    options.kind = .grid
    options.title = "Fruit"
    options.caption = "Fruit by weight"
    var output = OutputOptions()
    output.language = "en"
    let footers = [FooterLine.cells([Array("2 fruits".utf8), Array("190 g".utf8)])]
    let html = table.html(columns, options, output, footers: footers)
    let parts = html.components(separatedBy: "<style>")
    let style = try #require(parts.last?.components(separatedBy: "</style>").first)
    let hash = SHA256.digest(of: Array(style.utf8)).base64
    #expect(
      html.replacing(style, with: "…").replacing(hash, with: "…") == """
        <!doctype html><html lang="en"><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-…'">
        <meta name="viewport" content="width=device-width"><title>Fruit</title><style>…</style></head><body>
        <h1>Fruit</h1>
        <div class="region" role="region" tabindex="0" aria-label="Fruit"><table class="tabler grid">
        <caption>Fruit by weight</caption>
        <colgroup><col class="c1"><col class="c2"></colgroup>
        <thead><tr><th scope="col">Name</th><th scope="col" class="r" aria-sort="descending">Weight <span class="ind" aria-hidden="true">▼</span></th></tr></thead>
        <tbody><tr><th scope="row">Orange</th><td class="r">190 g</td></tr>
        <tr><th scope="row">Kiwi</th><td class="r null">NA</td></tr></tbody>
        <tfoot><tr><td>2 fruits</td><td class="r">190 g</td></tr></tfoot></table></div></body></html>

        """)
  }

  @Test func aFragmentIsTheTableAlone() throws {
    let table = try SampleTable.csv("a\n<b>\n\"x\ny\"\n")
    var options = LayoutOptions()
    options.title = "not here"
    options.hasHeader = false
    var output = OutputOptions()
    output.isFragment = true
    #expect(
      table.html(table.columns(), options, output) == """
        <table class="tabler list">
        <colgroup><col class="c1"></colgroup>
        <tbody><tr><td>&lt;b&gt;</td></tr>
        <tr><td>x<br>y</td></tr></tbody></table>

        """)
  }

  @Test func detailIsAnArticleForEachRecord() throws {
    let table = try SampleTable.csv("ID,Name\n1,\"O'Range\"\n2\n")
    var options = LayoutOptions()
    options.kind = .detail
    var output = OutputOptions()
    output.isFragment = true
    let columns = table.columns()
    let painter = CardPainter(
      HTMLCards(columns, options, output), columns, columns.map { CellText($0) }, titles: [])
    #expect(
      String(decoding: table.paint(painter), as: UTF8.self) == """
        <article class="tabler detail"><h2>(row 1)</h2>
        <dl><dt>ID</dt><dd class="d">1</dd><dt>Name</dt><dd>O&#39;Range</dd></dl></article>
        <article class="tabler detail"><h2>(row 2)</h2>
        <dl><dt>ID</dt><dd class="d">2</dd><dt>Name</dt><dd class="null">NA</dd></dl></article>

        """)
  }

  static let styles: [(StyleSheet, String, String)] = [
    (.inline, "default-src 'none'; style-src 'unsafe-inline'", "<style|<link"),
    (.none, "default-src 'none'", "<style|<link|style="),
    (.link("a b.css?x=<1>\"'"), "default-src 'none'; style-src 'self'", "<style|<1|style="),
    (
      .link("https://x.y/s;e,t'.css?v=1"), "default-src 'none'; style-src https://x.y/s%3Be%2Ct%27.css",
      "<style"
    ),
  ]

  @Test("the policy matches the style", arguments: styles)
  func policies(sheet: StyleSheet, policy: String, absent: String) throws {
    let table = try SampleTable.csv("a,b\n1,2\n")
    var output = OutputOptions()
    output.styleSheet = sheet
    let html = table.html(table.columns(), LayoutOptions(), output)
    #expect(html.contains("content=\"\(policy)\""))
    for word in absent.split(separator: "|") { #expect(!html.contains(word), "\(word)") }
  }

  @Test("inline, the same rules stand on each element, but for what sticks", arguments: LayoutKind.allCases)
  func inlineStyle(kind: LayoutKind) throws {
    let table = try SampleTable.csv("a,b\n1,2\n3,4\n")
    var options = LayoutOptions()
    options.kind = kind
    options.title = "t"
    var output = OutputOptions()
    output.styleSheet = .inline
    let html = table.html(table.columns(), options, output)
    for word in ["<style", "sticky", "@media", ":focus", "100vh"] { #expect(!html.contains(word), "\(word)") }
    let sheet = HTMLStyle(table.columns(), options, OutputOptions()).sheet
    let whole = HTMLShade.allCases.reduce(sheet) { $0.replacing("var(--s\($1.rawValue))", with: $1.css) }
    let rules = whole.split(separator: "\n")
    for name in kind == .detail
      ? ["body", "h1", ".tabler h2", ".tabler dt"] : ["body", "h1", ".tabler td,.tabler th"]
    {
      let rule = try #require(rules.first { $0.hasPrefix(name + "{") })
      for declaration in rule.dropFirst(name.count + 1).dropLast().split(separator: ";") {
        #expect(html.contains(declaration), "\(name)")
      }
    }
    for element in html.split(separator: " style=\"").dropFirst() {
      let properties = element.prefix { $0 != "\"" }.split(separator: ";").map { $0.prefix { $0 != ":" } }
      #expect(Set(properties).count == properties.count, "a property twice: \(properties)")
    }
    output.isFragment = true
    #expect(table.html(table.columns(), options, output).contains("margin-inline:"))
  }

  @Test("the region is called by the title, the caption, the file or the tool")
  func regionLabels() throws {
    let table = try SampleTable.csv("a\n1\n")
    var options = LayoutOptions()
    #expect(table.html(table.columns(), options).contains("tabindex=\"0\" aria-label=\"tabler\">"))
    options.caption = "<c>"
    #expect(table.html(table.columns(), options).contains("aria-label=\"&lt;c&gt;\">"))
    options.title = "t"
    #expect(table.html(table.columns(), options).contains("aria-label=\"t\">"))
    let style = HTMLStyle(table.columns(), LayoutOptions(), OutputOptions())
    let document = HTMLDocument(LayoutOptions(), OutputOptions(), style, name: "f.csv")
    #expect(String(decoding: document.opening(), as: UTF8.self).contains("aria-label=\"f.csv\">"))
  }

  static let promises: [(String, [String], [String], @Sendable (inout LayoutOptions) -> Void)] = [
    ("List flows", [".region{overflow:auto}", "display:table-row-group"], ["sticky", "100vh"], { _ in }),
    (
      "Grid scrolls, has faint lines and a frame",
      ["max-block-size:100vh", "inset-block:0", "CanvasText 7%", "border:1px solid"],
      ["table-row-group"],
      { $0.kind = .grid }
    ),
    (
      "Stack has no lines between columns", ["sticky"], ["CanvasText 7%", "border:1px"], { $0.kind = .stack }
    ),
    (
      "a head inside flows", ["display:table-row-group"], ["sticky", "100vh"],
      {
        $0.kind = .grid
        $0.headerPosition = .inside
      }
    ),
    ("a head outside sticks", ["sticky", "100vh"], ["table-row-group"], { $0.headerPosition = .outside }),
    (
      "Detail scrolls sideways alone", [".region{overflow:auto}"], ["sticky", "100vh"], { $0.kind = .detail }
    ),
    ("a border of none has no lines", [], ["solid color-mix"], { $0.border = .none }),
    (
      "rules asked for are seen", ["1px solid color-mix(in srgb,CanvasText 35%"], [],
      { $0.hasRowRules = true }
    ),
    ("long cells stay long", ["white-space:pre}"], ["60ch", "pre-wrap;max"], { $0.overflow = .scroll }),
    (
      "the row under the pointer is marked",
      [".hover tbody tr:hover>*{background:color-mix(in srgb,AccentColor"], [],
      { $0.highlightsHover = true }
    ),
    (
      "the card under the pointer is marked", [".hover:hover{background:"], ["tr:hover"],
      {
        $0.highlightsHover = true
        $0.kind = .detail
      }
    ),
    (
      "padding asked for replaces the usual one",
      [".tabler tbody tr>*{padding-block:1.25em .45em}", "padding-inline:2ch .75em"],
      [],
      {
        $0.kind = .grid
        $0.cellPadding = Edges(top: Length(1), leading: Length(2))
      }
    ),
  ]

  @Test("the style says", arguments: promises)
  func rules(
    name: String, wanted: [String], unwanted: [String], change: @Sendable (inout LayoutOptions) -> Void
  ) throws {
    let table = try SampleTable.csv("a,b\n1,2\n")
    var options = LayoutOptions()
    change(&options)
    let sheet = HTMLStyle(table.columns(), options, OutputOptions()).sheet
    for text in wanted { #expect(sheet.contains(text), "\(text)") }
    for text in unwanted { #expect(!sheet.replacing("static", with: "").contains(text), "\(text)") }
  }

  static let looks: [(String, Bool)] = [
    ("2024-01-31", true), ("2024-01-31 10:00:00", true), ("2024-01-31T10:00Z", true), ("31/01/2024", true),
    ("10:00", true), ("-12.5", true), ("+1", true), ("", false), ("-", false), ("T", false), ("1 2 3", false),
    (" 1", false), ("1 ", false), ("1,5", false), ("12 g", false),
  ]

  @Test("dates and times are told by their characters", arguments: looks)
  func dates(text: String, isDate: Bool) {
    #expect(Array(text.utf8).span.isDateOrTime == isDate)
  }

  /// U+FDD0, which is no character.
  static let nonCharacter = String(decoding: [0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self)

  static let escapes: [(String, String)] = [
    ("& < > \" '", "&amp; &lt; &gt; &quot; &#39;"), ("a\nb\r\nc\rd\te", "a<br>b<br>c\u{FFFD}d\te"),
    ("\u{0}\u{1B}\u{7F}\u{9B}\(nonCharacter)", String(repeating: "\u{FFFD}", count: 5)),
    ("שלום", "<bdi>שלום</bdi>"), ("a\u{202E}b<", "<bdi>a\u{FFFD}b&lt;</bdi>"), ("ünï🍊", "ünï🍊"),
    ("\u{2067}a\nb\u{2069}", "<bdi>\u{2067}a\u{2069}<br>b\u{FFFD}</bdi>"),
    ("\u{2066}a\u{202B}b", "<bdi>\u{2066}a\u{202B}b\u{202C}\u{2069}</bdi>"),
    ("\u{202C}a\u{2068}b\u{2069}", "<bdi>\u{202C}a\u{2068}b\u{2069}</bdi>"),
  ]

  @Test("nothing leaves its place (R6)", arguments: escapes)
  func escaping(text: String, html: String) {
    var out = ByteBuffer()
    let bytes = Array(text.utf8)
    HTMLText(LayoutOptions()).append(bytes.span, to: &out)
    #expect(out.string() == html)
  }

  @Test func marksAgreeWithTheEscapes() {
    for byte in UInt8(0x20)...0x7E {
      var out = ByteBuffer()
      let bytes = [byte]
      HTMLText(LayoutOptions()).append(bytes.span, to: &out)
      let isMarked = out.array() != bytes
      for place in [0, 7, 15, 16, 31, 39] {
        var text = [UInt8](repeating: 97, count: 40)
        text[place] = byte
        let block = ByteBlock(text.span)
        #expect(block.hasMarks(HTMLMarks.self, from: 0, count: 40) == isMarked, "byte \(byte) at \(place)")
        #expect(!block.hasMarks(HTMLMarks.self, from: 0, count: place))
        #expect(block.hasMarks(HTMLMarks.self, from: 0, count: 40, WordVector.self) == isMarked)
      }
    }
  }

  static let hashes: [(String, String)] = [
    ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
    ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="
    ),
    (String(repeating: "a", count: 1_000), "Qe3s5C1j6Nm/UVqbppMuHCDLyfWl0TRkWttdsblzfqM="),
  ]

  @Test("hashes are those of the standard", arguments: hashes)
  func hash(text: String, hash: String) throws {
    #expect(SHA256.digest(of: Array(text.utf8)).base64 == hash)
  }

  @Test func base64PadsToFours() {
    #expect(
      ["", "f", "fo", "foo", "foob"].map { Array($0.utf8).base64 } == [
        "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==",
      ])
  }

  @Test func styleSheetsStaySmall() throws {
    let table = try SampleTable.csv("a,b,c\n1,2,3\n")
    var columns = table.columns()
    columns[0].isRowHeader = true
    columns[1].isRowHeader = true
    let long = Length(9999.999, .ems)
    var style = Style()
    (style.isBold, style.isItalic, style.isDim, style.isUnderlined, style.isStruck) = (
      true, true, true, true, true
    )
    (style.foreground, style.background) = (.rgb(255, 255, 255), .rgb(255, 255, 255))
    for kind in LayoutKind.allCases {
      for border in Border.allCases {
        for position in HeaderPosition.allCases {
          var options = LayoutOptions()
          options.kind = kind
          options.border = border
          options.headerPosition = position
          options.hasRowRules = true
          options.separator = .line
          options.footers = [.titles, .totals]
          let edges = Edges(top: Length(9999.999), trailing: long, bottom: long, leading: long)
          (options.tablePadding, options.cellPadding) = (edges, edges)
          (options.headerSpacing, options.footerSpacing) = (
            Length(-9999.999, .pixels), Length(-9999.999, .pixels)
          )
          (options.rowSpacing, options.columnSpacing) = (long, Length(9999.999, .pixels))
          (options.minimumWidth, options.minimumRowHeight) = (10_000, 10_000)
          options.headerStyle = style
          let sheet = HTMLStyle(columns, options, OutputOptions()).sheet
          #expect(sheet.utf8.count <= 3072, "\(kind) \(border) \(position): \(sheet.utf8.count)")
          #expect(!sheet.contains("<"))
        }
      }
    }
  }

  static let lengths: [(CSSLength, String)] = [
    (.vertical(Length(1)), "1.25em"), (.horizontal(Length(2)), "2ch"),
    (.horizontal(Length(16, .pixels)), "16px"),
    (.vertical(Length(-1)), "0"), (.pixels(4) + .vertical(Length(-1)), "max(0px,4px + -1.25em)"),
    (.pixels(4) + .pixels(-4), "0"), (.characters(1).half, ".5ch"),
    (.characters(0.5) + .pixels(3), "calc(3px + .5ch)"), (.vertical(Length(.infinity)), "12500em"),
    (.horizontal(Length(.nan)), "0"),
  ]

  @Test("lengths are CSS", arguments: lengths)
  func spelling(length: CSSLength, css: String) { #expect(length.css == css) }

  @Test(
    "an HTML5 parser in strict mode reads the same cells back (R6)", .enabled(if: StrictParser.isInstalled))
  func parsesBack() throws {
    let pieces = [
      "<", ">", "&", "\"", "'", "&amp;", "&lt", "<b>", "<!--", "]]>", "</td>", "</table>", "<script>", "a",
      " ", "é",
      "🍊", "\n", "\t", "א", "\u{202B}", "\u{0}", "\u{8}", "\u{85}", Self.nonCharacter, "`", "=",
    ]
    var random = SystemRandomNumberGenerator()
    for sheet in [StyleSheet.embed, .inline, .none, .link("x\"><script>.css")] {
      for kind in LayoutKind.allCases {
        let cells = (0..<40).map { _ in
          (0..<Int.random(in: 1...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
        }
        let csv = cells.enumerated().map { index, cell in
          "\"" + cell.replacing("\"", with: "\"\"") + "\"" + (index % 2 == 0 ? "," : "\n")
        }.joined()
        let table = try SampleTable.csv(csv)
        var options = LayoutOptions()
        options.kind = kind
        options.title = cells[3]
        options.caption = cells[4]
        options.overflow = .scroll
        var output = OutputOptions()
        output.styleSheet = sheet
        output.language = "\"><x>"
        let html = table.html(table.columns(), options, output)
        let shown = try StrictParser.cells(of: html)
        var wanted = cells
        if kind == .detail {
          wanted = stride(from: 2, to: 40, by: 2).flatMap { [cells[0], cells[$0], cells[1], cells[$0 + 1]] }
        }
        #expect(shown == wanted.map(Self.drawn))
      }
    }
  }

  /// What is left of a cell where HTML cannot hold its characters; embeddings are closed at the end of each line.
  private static func drawn(_ cell: String) -> String {
    var text = ""
    var closers = ""
    for scalar in cell.unicodeScalars {
      if scalar == "\u{202B}" { closers += "\u{202C}" }
      if scalar == "\n" {
        text += closers
        closers = ""
      }
      let isForbidden = scalar == "\0" || scalar == "\u{8}" || scalar == "\u{85}" || scalar.value == 0xFDD0
      text.unicodeScalars.append(isForbidden ? "\u{FFFD}" : scalar)
    }
    return text + closers
  }
}

/// An HTML5 parser that stops at every parse error: Python's html5lib.
private enum StrictParser {
  static let path = "/usr/bin/python3"

  /// Whether the parser is there.
  static let isInstalled = (try? run("import html5lib", "")) != nil

  /// The texts of all cells, labels and values of a page.
  static func cells(of page: String) throws -> [String] {
    try run(reader, page).split(separator: "\u{1}", omittingEmptySubsequences: false).map(String.init)
  }

  private static let reader = """
    import sys, html5lib
    sys.stdout.reconfigure(encoding='utf-8', newline='')
    text = sys.stdin.buffer.read().decode('utf-8')
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    assert not list(tree.iter('script')) and not list(tree.iter('b'))
    def say(e): return (e.text or '') + ''.join(('\\n' if c.tag == 'br' else say(c)) + (c.tail or '') for c in e)
    sys.stdout.write('\\1'.join(say(e) for e in tree.iter() if e.tag in ('td', 'th', 'dt', 'dd')))
    """

  private static func run(_ script: String, _ text: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-c", script]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data(text.utf8))
    try input.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return String(decoding: data, as: UTF8.self)
  }
}

extension SampleTable {
  /// The HTML of all rows.
  func html(
    _ columns: [ShownColumn], _ options: LayoutOptions = LayoutOptions(),
    _ output: OutputOptions = OutputOptions(),
    footers: [FooterLine] = []
  ) -> String {
    let texts = columns.map { CellText($0) }
    if options.kind == .detail {
      let cards = CardPainter(HTMLCards(columns, options, output), columns, texts, titles: [])
      return String(decoding: paint(cards), as: UTF8.self)
    }
    let painter = TablePainter(HTMLTable(columns, texts, options, output), marks: columns.map(\.mark), texts)
    return String(decoding: paint(painter, footers: footers), as: UTF8.self)
  }
}
