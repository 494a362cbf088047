import TablerEngine
import Testing

@testable import TablerCommand

@Suite struct HelpTests {
  @Test func `the short help fits a small screen`() {
    #expect(Help.short.split(separator: "\n", omittingEmptySubsequences: false).count - 1 == 20)
  }

  @Test(arguments: [Help.short, Help.long])
  func `no line is wider than 79 columns or ends in a blank`(text: String) {
    for line in text.split(separator: "\n") {
      #expect(line.count <= 79 && line.last != " ", "\(line)")
    }
  }

  @Test func `the functions come last, each once`() {
    let start = Help.long.range(of: "Functions: text")?.lowerBound ?? Help.long.endIndex
    let functions = Help.long[start...]
    for function in Function.all { #expect(functions.contains("\n  " + function.signature)) }
    #expect(!functions.contains("--"))
    #expect(Set(Function.all.map(\.name)).count == Function.all.count)
  }

  @Test func `helps begin with examples, and say where sort keys and expressions are`() {
    for (text, count) in [(Help.short, 4), (Help.long, 3)] {
      let examples = text.split(separator: "\n").prefix { !$0.contains("  --") && !$0.hasPrefix("  -") }
        .filter { $0.hasPrefix("  ") }
      #expect(examples.map { String($0.dropFirst(2)) } == Example.all.prefix(count).map(\.command))
      #expect(text.contains("SORT KEYS") && text.contains("EXPRESSIONS"))
    }
    let parts = ["General:", "SORT KEYS, ", "EXPRESSIONS: ", "Functions: "].map {
      Help.long.range(of: "\n" + $0)
    }
    let places = parts.compactMap(\.?.lowerBound)
    #expect(places.count == parts.count && places == places.sorted())
  }

  @Test func `the manual opens with an example, and has environment and history`() {
    let page = Manual.page.replacing("\\", with: "")
    #expect(page.contains("\n.Sh DESCRIPTION\n.Bd -literal -offset indent\n$ tabler "))
    let sections = page.components(separatedBy: "\n.Sh ")
    #expect(sections.first { $0.hasPrefix("ENVIRONMENT") }?.contains(".It Li &TMPDIR\n") == true)
    #expect(sections.first { $0.hasPrefix("HISTORY") }?.contains("\n.It ") == true)
    #expect(sections.last?.hasPrefix("BUGS") == true && sections.last?.contains("tabler --version") == true)
  }

  @Test(arguments: Function.all)
  func `a function is described in the room there is`(function: Function) {
    #expect(!function.brief.isEmpty && function.brief.count <= 60)
  }

  /// The manual indents examples by eleven columns.
  @Test(arguments: [Example.file, .first] + Example.all)
  func `an example fits a manual page of 80 columns`(example: Example) {
    for line in ["$ " + example.command] + example.output.split(separator: "\n").map(String.init) {
      #expect(line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1F000 ? 2 : 1) } <= 80 - 11, "\(line)")
    }
  }

  /// Every example but those that begin with another program is one of ours.
  @Test(arguments: Example.all.map(\.command))
  func `an example names options that exist`(command: String) throws {
    let own = command.split(separator: "| ").last.map(String.init) ?? command
    _ = try Arguments(shellWords(own).dropFirst().map { $0 })
  }

  /// Words parted as a shell does it, as far as examples need it.
  private func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word? += String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}

/// Defaults as they are printed, against those the engine starts from.
@Suite struct DefaultTests {
  static let input = InputOptions()
  static let layout = LayoutOptions()

  @Test(
    arguments: [
      (Option.ID.from, input.form.rawValue), (.skipLines, String(input.skippedLines)),
      (.headerLines, String(input.headerLines)), (.ragged, input.ragged.rawValue),
      (.quotedEmpty, input.quotedEmptyIsText ? "text" : "null"),
      (.decimal, String(UnicodeScalar(input.decimalMark))),
      (.thousands, input.thousandsMark.isEmpty ? "none" : ""),
      (.comment, input.comment == nil ? "none" : ""),
      (.skip, String(Plan().skip)), (.head, Plan().head == nil ? "all" : ""),
      (.tail, Plan().tail == nil ? "all" : ""), (.nulls, Plan().nulls == .last ? "last" : "first"),
      (.columns, Plan().columns == nil ? "all" : ""), (.missing, layout.missing),
      (.overflow, layout.overflow.rawValue + ", on a terminal fit"),
      (.headerHeight, String(layout.headerHeight)),
      (.sectionHeader, "{section}"), (.sectionFooter, layout.sections?.footer == nil ? "none" : ""),
      (.border, layout.border.rawValue),
      (.separator, layout.separator == .byLayout ? "by layout" : ""),
      (.minRowHeight, String(layout.minimumRowHeight)),
      (.sortIndicatorForward, layout.indicators.forward),
      (.sortIndicatorReverse, layout.indicators.reverse),
      (.sortIndicatorNeutral, layout.indicators.neutral.isEmpty ? "none" : ""),
      (.ambiguousWidth, String(layout.ambiguousWidth)),
      (.htmlStyle, OutputOptions().styleSheet == .embed ? "embed" : ""),
    ])
  func `a printed default is the real one`(option: Option.ID, real: String) {
    #expect(Option[option].fallback == real)
  }

  @Test func `what nothing says is List, as text`() {
    #expect(Self.layout.kind == .list && Option[.list].brief.contains("default"))
    #expect(OutputOptions().form == .text && Option[.to].fallback.hasPrefix("text"))
  }
}

/// The names that options had in the libraries tabler grew out of.
@Suite struct SeedTests {
  /// A name of a library, and the option that carries it on, if one does.
  static let names: [(String, Option.ID?)] = [
    ("columnNames", .names),
    ("Column 1", .autoNames),
    ("A B C", .autoNames),
    ("header rows", .headerLines),
    ("isContained", .ragged),
    ("MixedReusable", .ragged),
    ("add new item", .add),
    ("computed column", .derive),
    ("editDetailer", .set),
    ("toEdit", .set),
    ("canEdit", .canEdit),
    ("filter", .filter),
    ("onDelete", .delete),
    ("canDelete", .canDelete),
    ("onMove", .move),
    ("canMove", .canMove),
    ("rows 22", .head),
    ("tablerSort", .sort),
    ("sorted(using:)", .sort),
    ("sortOrder", .sortedBy),
    ("sortDescriptors", .sortedBy),
    ("sortUsing", .order),
    ("big data", .memory),
    ("header", .columns),
    ("TableColumn", .columns),
    ("rowNames", .rowNames),
    ("1-12", .rowNumbers),
    ("GridItem alignment", .align),
    ("%.0f g", .format),
    ("formatted()", .format),
    ("missing", .missing),
    ("TablerList", .list),
    ("TablerStack", .stack),
    ("TablerGrid", .grid),
    ("viewDetailer", .detail),
    ("sideways", .overflow),
    ("single line", .singleLine),
    ("MaxColumnWidthKey", .lookahead),
    ("dynamic rows", .follow),
    ("minWidth", .minWidth),
    ("inside", .headerPosition),
    ("outside", .headerPosition),
    ("border", .border),
    ("SeparatorStyle", .separator),
    ("separators", .rowRules),
    ("header", .noHeader),
    ("footer", .footer),
    ("columnHeaderHeight", .headerHeight),
    ("Title", .title),
    ("Caption", .caption),
    ("sectionValue", .sectionBy),
    ("header", .sectionHeader),
    ("footer", .sectionFooter),
    ("titler", .titleOf),
    ("tablePadding", .tablePadding),
    ("rowPadding", .rowPadding),
    ("rowInsets", .rowPadding),
    ("itemPadding", .itemPadding),
    ("headerSpacing", .headerSpacing),
    ("footerSpacing", .footerSpacing),
    ("rowSpacing", .rowSpacing),
    ("itemSpacing", .columnSpacing),
    ("minRowHeight", .minRowHeight),
    ("sortIndicatorForward", .sortIndicatorForward),
    ("sortIndicatorReverse", .sortIndicatorReverse),
    ("sortIndicatorNeutral", .sortIndicatorNeutral),
    ("indicator", .noSortIndicators),
    ("sortOrder", .sortRank),
    ("headerCell", .headerStyle),
    ("onSave", .output),
    ("font", .htmlStyle),
    ("AutoInit", .generate),
    ("onHover", nil),
    ("didSelectRow", nil),
    ("AnyView", nil),
    ("data sources, delegates", nil),
    ("disposal", nil),
    ("keyboard avoidance", nil),
    ("placeholder key path", nil),
  ]

  @Test(arguments: names)
  func `a name of a library has an option or stands under COMPATIBILITY`(name: String, option: Option.ID?) {
    if let option {
      #expect(Option.all.contains { $0.id == option })
    } else {
      let compatibility = Manual.page.split(separator: ".Sh COMPATIBILITY").last ?? ""
      #expect(compatibility.contains(name))
    }
  }
}
