import Foundation
import Testing

@testable import TablerEngine

@Suite struct MarkdownPainterTests {
  @Test func cellsArePaddedToTheirWidths() throws {
    let table = try SampleTable.csv("ID,Name,Weight\n🍊,Orange,190 g\n🥝,a|b,\n🍇,Grape\n")
    var columns = table.columns()
    columns[2].alignment = .trailing
    columns[2].sort = ShownColumn.SortState(isDescending: true, rank: 1)
    columns[0].alignment = .center
    #expect(
      table.markdown(
        columns, footers: [FooterLine.cells([nil, Array("3 fruits".utf8), Array("<404>".utf8)])]) == """
          | ID  | Name         |    Weight ▼ |
          | :-: | :----------- | ----------: |
          | 🍊  | Orange       |       190 g |
          | 🥝  | a\\|b         |             |
          | 🍇  | Grape        |          NA |
          |     | **3 fruits** | **\\<404\\>** |

          """)
  }

  @Test func numbersStandAtTheTrailingEdge() throws {
    let table = try SampleTable.csv("n,t\n10,x\n,7\n2.5,\n")
    #expect(
      table.markdown(table.columns()) == """
        |   n | t   |
        | --: | :-- |
        |  10 | x   |
        |     | 7   |
        | 2.5 |     |

        """)
  }

  /// Measured like decimal points of text, such a column once had its marks copied.
  @Test func cellsOfDecimalColumnsAreEscaped() throws {
    let table = try SampleTable.csv("n\n1.5\na|b\n")
    var columns = table.columns()
    columns[0].alignment = .decimal
    #expect(table.markdown(columns).hasSuffix("|  1.5 |\n| a\\|b |\n"))
  }

  @Test func headingsAndNoHeader() throws {
    let table = try SampleTable.csv("long title,b\n1,x\n")
    var options = LayoutOptions()
    options.title = "Fruit *2*"
    options.caption = " by\nweight "
    options.hasHeader = false
    #expect(
      table.markdown(table.columns(), options) == """
        **Fruit \\*2\\***

        **by<br>weight**

        |     |     |
        | --: | :-- |
        |   1 | x   |

        """)
  }

  @Test func rowNumbersHaveNoTitleAndFootersMayRepeatTitles() throws {
    let table = try SampleTable.csv("a,b\nx,1\n")
    let number = ShownColumn(source: .rowNumber, title: "", name: "", isRowHeader: true)
    #expect(
      table.markdown(
        [number] + table.columns(), footers: [.titles([nil, nil, nil])]) == """
          |     | a     |     b |
          | --: | :---- | ----: |
          |   1 | x     |     1 |
          |     | **a** | **b** |

          """)
  }

  @Test func withoutMeasurementCellsStandBare() throws {
    let table = try SampleTable.csv("a,bbbbbb\nxxxxx,1\ny,22\n")
    let columns = table.columns()
    let painter = bareTable(columns)
    #expect(
      String(decoding: table.paint(painter), as: UTF8.self) == """
        | a | bbbbbb |
        | :--- | :--- |
        | xxxxx | 1 |
        | y | 22 |

        """)
  }

  @Test func detailIsATableUnderAHeadingForEachRecord() throws {
    let table = try SampleTable.csv("ID,Name\n🍊,Orange\n🫐,\n🍇\n")
    let columns = table.columns()
    let painter = CardPainter(
      MarkdownCards(columns, LayoutOptions()), columns, columns.map { CellText($0) }, titles: [])
    #expect(
      String(decoding: table.paint(painter), as: UTF8.self) == """
        ### (row 1)

        |      |        |
        | ---: | :----- |
        |   ID | 🍊     |
        | Name | Orange |

        ### (row 2)

        |      |     |
        | ---: | :-- |
        |   ID | 🫐  |
        | Name |     |

        ### (row 3)

        |      |     |
        | ---: | :-- |
        |   ID | 🍇  |
        | Name | NA  |

        """)
  }

  @Test func footersOfDetailAreALastTable() throws {
    let table = try SampleTable.csv("ID,Name\n1,a\n")
    let columns = table.columns()
    let painter = CardPainter(
      MarkdownCards(columns, LayoutOptions()), columns, columns.map { CellText($0) }, titles: [])
    let painted = table.paint(painter, footers: [FooterLine.cells([nil, Array("1 row".utf8)])])
    #expect(
      String(decoding: painted, as: UTF8.self) == """
        ### (row 1)

        |      |     |
        | ---: | :-- |
        |   ID | 1   |
        | Name | a   |

        |      |           |
        | ---: | :-------- |
        | Name | **1 row** |

        """)
  }

  @Test func recordsOfJSONAreDrawnWithoutTheKeysTheyDoNotHave() throws {
    let table = try SampleTable.jsonl("{\"a\":1}{\"b\":null}")
    let columns = table.columns()
    let painter = CardPainter(
      MarkdownCards(columns, LayoutOptions()), columns, columns.map { CellText($0) }, titles: [],
      keepsRecords: true)
    #expect(
      String(decoding: table.paint(painter), as: UTF8.self) == """
        ### (row 1)

        |     |     |
        | --: | :-- |
        |   a | 1   |

        ### (row 2)

        |     |     |
        | --: | :-- |
        |   b | NA  |

        """)
  }

  static let escapes: [(String, String)] = [
    ("\\|", #"\\\|"#), ("`a|b`", #"\`a\|b\`"#), ("<b>&amp;", #"\<b\>\&amp;"#), ("a_b*c~d", #"a_b\*c\~d"#),
    ("[x](y)", #"[x\](y)"#), ("[x]", "[x]"), ("_x_", #"\_x\_"#), ("__é_é", #"\_\_é_é"#),
    ("é_x_", #"é\_x\_"#), ("naïve_name", "naïve_name"), (":a_b: 10:20:30", #"\:a_b: 10:20:30"#),
    ("a@b.de", #"a\@b.de"#),
    ("@a.b", "@a.b"), ("$5", "$5"), ("$5 and $6", #"\$5 and \$6"#),
    ("a\nb\r\nc\rd", "a<br>b<br>c\u{FFFD}d"),
    ("a\tb\u{0}\u{1B}\u{7F}\u{9B}", "a b\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("https://a.b/c", #"https\://a.b/c"#), ("WWW.a.b", #"WWW\.a.b"#),
    ("https://a.b/c_d", #"https\://a.b/c_d"#), ("www.a_b.c", #"www\.a_b.c"#), ("ünï🍊", "ünï🍊"),
  ]

  @Test("what Markdown would read is escaped", arguments: escapes)
  func escaping(text: String, markdown: String) {
    #expect(String(decoding: MarkdownText(LayoutOptions()).escaped(text), as: UTF8.self) == markdown)
  }

  static let rawCells: [(String, String)] = [
    ("**a** _b_ `c` [d](e) <f>", "**a** _b_ `c` [d](e) <f>"), ("a|b", #"a\|b"#), (#"a\|b"#, #"a\|b"#),
    (#"a\\|b"#, #"a\\\|b"#), ("`a|b`", #"`a\|b`"#), ("a\nb", "a<br>b"), ("$5 $6 #", "$5 $6 #"),
    ("a\tb\u{1B}[m", "a b\u{FFFD}[m"), ("https://a.b/c_d", "https://a.b/c_d"),
  ]

  @Test("cells that are Markdown keep their marks", arguments: rawCells)
  func rawMarkdown(cell: String, markdown: String) throws {
    var options = LayoutOptions()
    options.keepsMarkdown = true
    let table = try SampleTable.csv("t*\n\"\(cell)\"\n")
    let lines = table.markdown(table.columns(), options).split(separator: "\n")
    #expect(lines[0].trimmingCharacters(in: CharacterSet(charactersIn: "| ")) == #"t\*"#)
    #expect(lines[2].dropFirst(2).dropLast(2).trimmingCharacters(in: .whitespaces) == markdown)
    let columns = table.columns()
    let card = CardPainter(
      MarkdownCards(columns, options), columns, columns.map { CellText($0) },
      titles: columns.map { CellText($0) })
    let drawn = String(decoding: table.paint(card), as: UTF8.self)
    #expect(drawn.hasPrefix("### \(markdown)\n") && drawn.contains("| t\\* | \(markdown) "))
  }

  @Test func bytesThatAreNoTextAreReplacedAndCounted() throws {
    let table = try SampleTable.csv([97, 10, 0xFF, 65, 0xC3, 10])
    let columns = table.columns()
    var painter = bareTable(columns)
    var out = ByteBuffer()
    painter.paint(table.rows, 0..<1, into: &out)
    #expect(out.string() == "| \u{FFFD}A\u{FFFD} |\n")
    #expect(painter.notices == [.replacedBytes(2, first: RowPlace(source: 0, line: 2, number: 1))])
  }

  @Test func marksAgreeWithTheEscapes() {
    for byte in UInt8(0x20)...0x7E {
      var out = ByteBuffer()
      let bytes = [byte]
      MarkdownText(LayoutOptions()).append(bytes.span, to: &out)
      let isMarked = MarkdownMarks.contains(byte)
      #expect(isMarked || out.array() == bytes)
      for place in [0, 7, 15, 16, 31, 39] {
        var text = [UInt8](repeating: 97, count: 40)
        text[place] = byte
        let block = ByteBlock(text.span)
        #expect(
          block.hasMarks(MarkdownMarks.self, from: 0, count: 40) == isMarked, "byte \(byte) at \(place)")
        #expect(!block.hasMarks(MarkdownMarks.self, from: 0, count: place))
        #expect(block.hasMarks(MarkdownMarks.self, from: 0, count: 40, WordVector.self) == isMarked)
      }
    }
  }

  @Test(
    "cmark-gfm reads the same cells back (R5)",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/cmark-gfm")))
  func rendersBack() throws {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "\\", "|", "`", "*", "**", "_", "~~", "[", "](", "<b>", "&amp;", "$", "a", "b ", " ", "https://x.y/",
      "www.q.r",
      "\n", "\\|", "``", "!", "#", "-", "+", "1.", ":", "é", "🍊", "a@b.c", "\"", "'", "<!--", "mailto:", "(",
      ")",
    ]
    for _ in 0..<20 {
      let cells = (0..<60).map { _ in
        (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
          .joined()
      }
      let csv =
        "t|1,\"u*v\"\n"
        + stride(from: 0, to: 60, by: 2).map {
          cells[$0...$0 + 1].map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
            + "\n"
        }.joined()
      let table = try SampleTable.csv(csv)
      let html = try rendered(table.markdown(table.columns()))
      #expect(zip(html, ["t|1", "u*v"] + cells.map(shown)).filter { $0 != $1 }.map { [$0, $1] } == [])
      #expect(html.count == 62)
      let footers = [FooterLine.cells([Array(cells[0].utf8), Array(cells[1].utf8)])]
      let last = try rendered(table.markdown(table.columns(), footers: footers)).suffix(2)
      #expect(Array(last) == cells[0...1].map(shown))
    }
  }

  /// What a browser would show of a cell: white space at its ends is gone.
  private func shown(_ cell: String) -> String {
    let text = cell.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }.joined(separator: "\n")
    return text.replacing(/\ +/, with: " ").trimmingCharacters(in: .whitespaces)
  }

  private func rendered(_ markdown: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/cmark-gfm")
    process.arguments = ["-e", "table", "-e", "strikethrough", "-e", "autolink", "--unsafe", "--to", "html"]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data(markdown.utf8))
    try input.fileHandleForWriting.close()
    let html = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return html.matches(of: /<t[dh](?: [^>]*)?>([\s\S]*?)<\/t[dh]>/).map { cell in
      var text = String(cell.1).replacing("<br>", with: "\n").replacing(
        /<\/?(strong|a( href="[^"]*")?)>/, with: "")
      for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
        text = text.replacing(entity, with: character)
      }
      return shown(text)
    }
  }
}

extension SampleTable {
  /// The padded Markdown of all rows.
  func markdown(
    _ columns: [ShownColumn], _ options: LayoutOptions = LayoutOptions(), footers: [FooterLine] = []
  ) -> String {
    let texts = columns.map { CellText($0) }
    var measurement = Measurement(columns, texts, MarkdownText(options))
    measurement.measure(rows, 0..<rows.count, firstNumber: 1)
    let arrangement = MarkdownArrangement(columns, measurement, footers: footers, options)
    let painter = TablePainter(PipeTable(arrangement, texts, options), marks: columns.map(\.mark), texts)
    return String(decoding: paint(painter, footers: footers), as: UTF8.self)
  }
}

/// A painter of Markdown with bare cells.
func bareTable(_ columns: [ShownColumn]) -> TablePainter<PipeTable> {
  let (texts, options) = (columns.map { CellText($0) }, LayoutOptions())
  return TablePainter(
    PipeTable(MarkdownArrangement(columns, nil, options), texts, options), marks: columns.map(\.mark), texts)
}
