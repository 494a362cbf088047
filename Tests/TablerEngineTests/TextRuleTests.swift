import Testing

@testable import TablerEngine

/// Rules that concern text, by number.
struct TextRuleTests {
  @Test("R2: sequences that pass measure nothing, are not split and end at the cell's edge")
  func sequencesPass() throws {
    let table = try SampleTable.csv("a,b\n\u{1B}[31mred apple,x\nlonger than that,y\n")
    var options = LayoutOptions()
    options.passesControl = true
    #expect(
      try table.draw(nil, options) == """
        a                 b
        ────────────────  ─
        \u{1B}[31mred apple\u{1B}[0m         x
        longer than that  y

        """)
    options.width = .atMost(10)
    let text = try table.draw(nil, options)
    #expect(text.contains("\u{1B}[31mred\u{1B}[0m      x\n\u{1B}[31mapple\u{1B}[0m\n"), "\(text)")
  }

  @Test("R3: open bidi controls are closed before the next column")
  func bidiIsClosed() throws {
    let table = try SampleTable.csv("a,b\n\u{2067}x,1\n\u{202E}y,2\n")
    #expect(
      try table.draw(nil, LayoutOptions()) == """
        a          b
        ─────────  ─
        \u{2067}x\u{2069}          1
        \\u{202e}y  2

        """)
  }

  @Test("R4: styles close at every line end and cell edge", arguments: LayoutKind.allCases)
  func stylesClose(kind: LayoutKind) throws {
    let table = try SampleTable.csv("\"a\nb\",c\n1,2\n")
    var options = LayoutOptions()
    options.kind = kind
    options.colorDepth = .full
    var style = Style()
    style.background = .rgb(1, 2, 3)
    for style in [nil, style] {
      options.headerStyle = style
      for line in try table.draw(nil, options).split(separator: "\n") {
        var isOpen = false
        for part in line.split(separator: "\u{1B}").dropFirst(line.first == "\u{1B}" ? 0 : 1) {
          #expect(isOpen == part.hasPrefix("[0m"), "\(line.debugDescription)")
          isOpen.toggle()
        }
        #expect(!isOpen, "\(line.debugDescription)")
      }
    }
  }

  @Test("R10: without a width nothing is cut")
  func nothingIsCut() throws {
    let long = String(repeating: "word-", count: 400)
    let table = try SampleTable.csv("\(long),b\n\(long),\(long)\n")
    for kind in LayoutKind.allCases {
      for overflow in Overflow.allCases {
        var options = LayoutOptions()
        options.kind = kind
        options.overflow = overflow
        let (text, notices) = try table.drawing(nil, options, title: nil)
        #expect(
          text.split { $0 != "w" && $0 != "o" && $0 != "r" && $0 != "d" && $0 != "-" }.filter { $0 == long }
            .count == 3)
        #expect(notices.isEmpty)
      }
    }
  }

  @Test("R16: bytes that are not UTF-8 are drawn as U+FFFD and counted")
  func illFormedBytesAreCounted() throws {
    let table = try SampleTable.csv(Array("a,b\n".utf8) + [0xFF, 0x2C, 0x41, 0xC3, 0x0A])
    let (text, notices) = try table.drawing(nil, LayoutOptions())
    #expect(text == "a  b\n─  ──\n\u{FFFD}  A\u{FFFD}\n")
    #expect(notices == [.replacedBytes(2, first: RowPlace(source: 0, line: 2, number: 1))])
  }

  @Test("R36: odd widths and huge paddings do no harm", arguments: LayoutKind.allCases)
  func oddNumbers(kind: LayoutKind) throws {
    let table = try SampleTable.csv("a,,c\n,,\nx,,🍊\n")
    for width in [WidthLimit.atMost(0), .atMost(1), .atMost(-5), .atMost(.max), .unlimited] {
      for length in [Double.nan, .infinity, -1e300, 1e300, 0.4] {
        var options = LayoutOptions()
        options.kind = kind
        options.width = width
        options.columnSpacing = Length(length)
        options.rowSpacing = Length(length > 5 ? 3 : length, .pixels)
        options.cellPadding = Edges(trailing: Length(length), leading: Length(length, .ems))
        options.minimumWidth = .max
        _ = try table.draw(nil, options)
      }
    }
  }

  @Test("R40: titles stand still when the key changes, where other columns have a neutral mark")
  func titlesStandStill() throws {
    let table = try SampleTable.csv("name,weight\nOrange,190000000\n")
    func header(_ sorted: Int, descending: Bool) throws -> String {
      var columns = table.columns()
      columns[sorted].sort = ShownColumn.SortState(isDescending: descending, rank: 1)
      var options = LayoutOptions()
      options.indicators.neutral = " "
      let line = try table.draw(columns, options).split(separator: "\n")[0]
      return String(String(line.map { "▲▼".contains($0) ? " " : $0 }).trimmingEnd)
    }
    let headers = try [
      header(0, descending: true), header(0, descending: false), header(1, descending: true),
    ]
    #expect(Set(headers) == ["name     weight"])
  }

  @Test("R42: NA for null and missing, blank for empty")
  func nullsShowTheirWord() throws {
    let table = try SampleTable.csv("a,b,c\n,-,\nx\n", nullWords: ["-"])
    #expect(
      try table.draw(nil, LayoutOptions()) == """
        a  b   c
        ─  ──  ──
           NA
        x  NA  NA

        """)
  }
}

extension String {
  /// The text without blanks at its end.
  fileprivate var trimmingEnd: Substring {
    self[...(lastIndex { $0 != " " } ?? startIndex)]
  }
}
