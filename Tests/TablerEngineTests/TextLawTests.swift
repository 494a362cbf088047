import Testing

@testable import TablerEngine

/// What holds for every table, layout and border, tried on random ones.
struct TextLawTests {
  /// Cells that are hard to measure: wide, combining, joined, flags, selectors, ambiguous, controls.
  static let cells = [
    "", " ", "a", "12", "-3.5", "1e5", "word", "two words", "a-b/c", "  outer  ", "tab\tin", "重量", "e\u{301}",
    "👩‍👩‍👧", "🇩🇪🇫🇷", "❤\u{FE0F}", "☎\u{FE0E}", "①②", "±", "\u{1B}[31mred", "bell\u{7}", "cr\rhere", "two\nlines",
    "a\r\n\nb",
    "\u{202E}back", "\u{2067}open", "שלום", "한국어 텍스트", "looooooooooooooooooooong", "ends in blanks   \n",
    "\u{9B}31m", "नमस्ते", "🫐🍇", "a\u{200B}b", "null",
  ]

  static let borders = Border.allCases

  private static func csv(_ random: inout some RandomNumberGenerator) -> String {
    let columns = Int.random(in: 1...5, using: &random)
    let rows = Int.random(in: 0...6, using: &random)
    func field() -> String {
      let cell = cells.randomElement(using: &random) ?? ""
      return "\"" + cell.replacingAll("\"", "\"\"") + "\""
    }
    let lines = (0...rows).map { _ in (0..<columns).map { _ in field() }.joined(separator: ",") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func options(_ random: inout some RandomNumberGenerator) -> LayoutOptions {
    func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }
    var options = LayoutOptions()
    options.border = borders.randomElement(using: &random) ?? .light
    options.overflow = Overflow.allCases.randomElement(using: &random) ?? .wrap
    options.ambiguousWidth = chance(3) ? 2 : 1
    options.isASCII = chance(4)
    options.isSingleLine = chance(4)
    options.hasRowRules = chance(3)
    options.hasHeader = !chance(4)
    options.colorDepth = chance(4) ? .basic : .none
    if chance(2) { options.width = .atMost(Int.random(in: 0...90, using: &random)) }
    if chance(4) { options.minimumWidth = Int.random(in: 0...60, using: &random) }
    options.fills = chance(4)
    options.place = TablePlace.allCases.randomElement(using: &random) ?? .leading
    if chance(4) { options.separator = [.none, .line, .text("::")].randomElement(using: &random) ?? .none }
    if chance(4) { options.columnSpacing = Length(Double(Int.random(in: -3...5, using: &random))) }
    if chance(4) { options.rowSpacing = Length(Double(Int.random(in: -2...2, using: &random))) }
    if chance(4) { options.headerSpacing = Length(Double(Int.random(in: -2...2, using: &random))) }
    if chance(4) { options.cellPadding = Edges(top: Length(1), trailing: Length(2), leading: Length(0)) }
    if chance(4) { options.tablePadding = Edges(top: Length(1), leading: Length(3)) }
    if chance(4) { options.minimumRowHeight = 2 }
    if chance(4) { options.headerPosition = HeaderPosition.allCases.randomElement(using: &random) }
    return options
  }

  private static func shown(
    _ table: SampleTable, _ random: inout some RandomNumberGenerator
  ) -> [ShownColumn] {
    var columns = table.columns()
    for index in columns.indices where Bool.random(using: &random) {
      columns[index].alignment = Alignment.allCases.randomElement(using: &random)
    }
    if Bool.random(using: &random) {
      func cells() -> Int? { Bool.random(using: &random) ? Int.random(in: 1...20, using: &random) : nil }
      for index in columns.indices where Bool.random(using: &random) {
        let least = cells()
        columns[index].item = GridItem(least: least, most: cells().map { $0 + (least ?? 1) - 1 })
        columns[index].item?.ideal = cells()
        columns[index].item?.spacing = Int.random(in: 0..<4, using: &random) == 0 ? cells() : nil
      }
    }
    if Bool.random(using: &random), let index = columns.indices.randomElement(using: &random) {
      columns[index].sort = ShownColumn.SortState(isDescending: true, rank: 1)
    }
    if Int.random(in: 0..<4, using: &random) == 0 { columns[0].isRowHeader = true }
    return columns
  }

  @Test(
    "R1 R34 R35 R36 R38: frames are even, lines end without blanks, nothing exceeds the width",
    arguments: 0..<400)
  func linesKeepTheirPromises(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let table = try SampleTable.csv(Self.csv(&random), nullWords: ["null"])
    var options = Self.options(&random)
    let columns = Self.shown(table, &random)
    let footers =
      Bool.random(using: &random)
      ? [FooterLine(columns.map { _ in Self.cells.randomElement(using: &random) })] : []
    let metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    for kind in LayoutKind.allCases {
      options.kind = kind
      let (text, notices) = try table.drawing(columns, options, footers: footers)
      let lines = text.withoutStyles.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      let widths = lines.map { metrics.width(of: Array($0.utf8).span) }
      for line in lines {
        #expect(!line.hasSuffix(" "), "\(options)\n\(text)")
        #expect(!line.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }, "\(text)")
      }
      if case .atMost(let limit) = options.width, options.overflow != .scroll, options.minimumWidth == nil {
        let isWide = notices.contains { if case .widerThanLimit = $0 { true } else { false } }
        if !isWide, kind != .detail { #expect(widths.allSatisfy { $0 <= limit }, "\(options)\n\(text)") }
        let isClosed = kind == .grid && options.border != .none && options.border != .rules
        if !isWide, isClosed, options.fills, columns.contains(where: { $0.item?.most == nil }) {
          #expect(widths.contains(limit), "\(options)\n\(text)")
        }
      }
      let isFramed = kind == .grid && options.border != .none && options.border != .rules
      if isFramed {
        let edge = options.tablePadding.top == nil ? 0 : 1
        #expect(Set(widths.dropFirst(edge)).count <= 1, "\(options)\n\(text)")
      }
    }
  }

  @Test("R39: the four layouts show the same cells", arguments: 0..<50)
  func layoutsShowTheSameCells(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let columns = Int.random(in: 1...5, using: &random)
    let rows = Int.random(in: 1...6, using: &random)
    let words = (0...rows).map { row in (0..<columns).map { "w\(row)x\($0)" } }
    let table = try SampleTable.csv(words.map { $0.joined(separator: ",") }.joined(separator: "\n"))
    for kind in LayoutKind.allCases {
      var options = LayoutOptions()
      options.kind = kind
      let text = try table.draw(nil, options)
      let found = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.filter { $0.hasPrefix("w") }
      let repeats = kind == .detail ? rows : 1
      let expected =
        words[0].flatMap { Array(repeating: $0, count: repeats) } + words.dropFirst().flatMap { $0 }
      #expect(found.map(String.init).sorted() == expected.sorted(), "\(text)")
    }
  }
}

/// A small generator whose numbers are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value &>> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value &>> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value &>> 31
  }
}

extension String {
  fileprivate func replacingAll(_ old: Character, _ new: String) -> String {
    reduce(into: "") { $0 += $1 == old ? new : String($1) }
  }

  /// The text without the sequences that switch styles.
  fileprivate var withoutStyles: String {
    var result = String.UnicodeScalarView()
    var isInside = false
    for scalar in unicodeScalars {
      if scalar == "\u{1B}" {
        isInside = true
      } else if isInside {
        isInside = scalar != "m"
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
