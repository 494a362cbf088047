import Testing

@testable import TablerEngine

/// R37 on random tables: cells that come after the rows looked ahead.
struct TextLateTests {
  /// Cells that are hard to break, without blanks and newlines, so that what is drawn can be put together again.
  static let cells = [
    "a", "12", "-3.5", "word", "a-b/c", "重量", "e\u{301}e\u{301}e\u{301}", "👩‍👩‍👧👩‍👩‍👧", "🇩🇪🇫🇷", "한국어텍스트",
    "looooooooooooooooooooong",
    "नमस्ते", "🫐🍇🍊", "①②③④⑤",
  ]

  @Test("R37: late wide cells keep the frame, are marked and counted, and lose nothing", arguments: 0..<200)
  func lateCellsKeepTheFrame(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    func field() -> String { Self.cells.randomElement(using: &random) ?? "" }
    let count = Int.random(in: 1...4, using: &random)
    let records = [(0..<count).map { "t\($0)" }] + (0..<6).map { _ in (0..<count).map { _ in field() } }
    let table = try SampleTable.csv(records.map { $0.joined(separator: ",") }.joined(separator: "\n") + "\n")
    var options = LayoutOptions()
    options.kind = .grid
    options.isASCII = Bool.random(using: &random)
    options.ambiguousWidth = Bool.random(using: &random) ? 2 : 1
    options.border = .ascii
    let metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    for measured in 0...6 {
      let (text, notices) = try table.drawing(options, lookingAhead: measured)
      let lines = text.split(separator: "\n")
      #expect(Set(lines.map { metrics.width(of: Array($0.utf8).span) }).count == 1, "\(text)")

      let mark = options.isASCII ? ">" : "↪"
      var drawn: [[String]] = []
      var marks = 0
      for line in lines.dropFirst(3).dropLast() {
        let cells = line.split(separator: "|").map { $0.trimming(" ") }
        if cells.allSatisfy({ $0.isEmpty || $0.hasPrefix(mark) }), !drawn.isEmpty {
          for (index, cell) in cells.enumerated() where !cell.isEmpty {
            drawn[drawn.count - 1][index] += cell.dropFirst()
          }
          marks += 1
        } else {
          drawn.append(cells)
        }
      }
      #expect(drawn == Array(records.dropFirst()), "\(text)")

      let widths = (0..<count).map { column in
        records.prefix(measured + 1).map { metrics.width(of: Array($0[column].utf8).span) }.max() ?? 0
      }
      let late = records.dropFirst(measured + 1).joined().enumerated().count { place, cell in
        metrics.width(of: Array(cell.utf8).span) > max(3, widths[place % count])
      }
      #expect(notices == (late > 0 ? [.lateCells(late)] : []), "\(text)")
      #expect((marks > 0) == (late > 0))
    }
  }
}

extension SampleTable {
  /// The table drawn when so many of its rows were measured, and what was noticed on the way.
  fileprivate func drawing(
    _ options: LayoutOptions, lookingAhead count: Int
  ) throws -> (text: String, notices: [LayoutNotice]) {
    let columns = columns()
    let texts = columns.map { CellText($0) }
    var measurement = Measurement(columns, texts, TextContext(options))
    measurement.measure(rows, 0..<count, firstNumber: 1)
    let arrangement = Arrangement(columns, measurement, footers: [], options, lookAhead: .first(count))
    var painter = TablePainter<TextTable>(arrangement, texts, options)
    var out = ByteBuffer()
    painter.begin(into: &out)
    painter.beginSection(heading: nil, into: &out)
    painter.paint(rows, 0..<rows.count, into: &out)
    painter.endSection(footers: [], into: &out)
    painter.end(footers: [], into: &out)
    return (out.string(), painter.notices)
  }
}

extension Substring {
  /// Without this character at both ends.
  fileprivate func trimming(_ character: Character) -> String {
    var text = drop { $0 == character }
    while text.last == character { text.removeLast() }
    return String(text)
  }
}
