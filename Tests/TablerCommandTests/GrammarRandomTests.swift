import Testing

@testable import TablerCommand
@testable import TablerEngine

/// Whatever is typed, a grammar ends with a value or with a place inside the text.
@Suite struct GrammarRandomTests {
  private static let pieces = [
    "a", "weight", "/", "(?<a>", "combined", "-", "+", ":", ",", "=", "..", ".", "!", "@", "2", "0", "\"",
    "[\"", "\"]", "`", "(", ")", "{", "}",
    "%d", " ", "\t",
    "to", "->", "top", "after", "px", "em", "#c0", "fg", "*", "é", "🥝", "\\", "desc", "number", ";", "link:",
    "fixed", "flexible", "~",
    "\n",
  ]

  private static let grammars: [(Option.ID, @Sendable (inout GrammarCursor) throws(GrammarError) -> Void)] = [
    (.sort, { (cursor) throws(GrammarError) in _ = try cursor.sortKeys() }),
    (.columns, { (cursor) throws(GrammarError) in _ = try cursor.columnList() }),
    (.names, { (cursor) throws(GrammarError) in _ = try cursor.names() }),
    (.align, { (cursor) throws(GrammarError) in _ = try cursor.alignments() }),
    (.gridItems, { (cursor) throws(GrammarError) in _ = try cursor.gridItems() }),
    (.order, { (cursor) throws(GrammarError) in _ = try cursor.valueOrder() }),
    (.move, { (cursor) throws(GrammarError) in _ = try cursor.move() }),
    (.tablePadding, { (cursor) throws(GrammarError) in _ = try cursor.edges() }),
    (.headerSpacing, { (cursor) throws(GrammarError) in _ = try cursor.wholeLength() }),
    (.format, { (cursor) throws(GrammarError) in _ = try cursor.formats() }),
    (.groupBy, { (cursor) throws(GrammarError) in _ = try cursor.groupKeys() }),
    (.footer, { (cursor) throws(GrammarError) in _ = try cursor.footer() }),
    (.sectionHeader, { (cursor) throws(GrammarError) in _ = try cursor.sectionHeader() }),
    (.sectionFooter, { (cursor) throws(GrammarError) in _ = try cursor.sectionFooter() }),
    (.headerStyle, { (cursor) throws(GrammarError) in _ = try cursor.style() }),
    (.arg, { (cursor) throws(GrammarError) in _ = try cursor.argument() }),
    (.autoNames, { (cursor) throws(GrammarError) in _ = try cursor.text(fields: ["{n}"]) }),
    (.htmlStyle, { (cursor) throws(GrammarError) in _ = try cursor.styleSheet() }),
    (.aggregate, { (cursor) throws(GrammarError) in _ = try cursor.aggregates() }),
    (.separator, { (cursor) throws(GrammarError) in _ = try cursor.drawable() }),
    (.dateFormat, { (cursor) throws(GrammarError) in _ = try cursor.dateFormat() }),
    (.types, { (cursor) throws(GrammarError) in _ = try cursor.types() }),
    (.unpivot, { (cursor) throws(GrammarError) in _ = try cursor.unpivoting() }),
    (.span, { (cursor) throws(GrammarError) in _ = try cursor.spans() }),
    (.join, { (cursor) throws(GrammarError) in _ = try cursor.join() }),
    (.explode, { (cursor) throws(GrammarError) in _ = try cursor.columnAlone() }),
    (.pattern, { (cursor) throws(GrammarError) in _ = try cursor.lineDivision() }),
    (.lookup, { (cursor) throws(GrammarError) in _ = try cursor.lookup() }),
  ]

  @Test(arguments: 0..<28) func endsInsideTheText(_ number: Int) {
    let (option, grammar) = Self.grammars[number]
    var state = UInt64(number + 1)
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for _ in 0..<3000 {
      let text = (0..<next(9)).map { _ in Self.pieces[next(Self.pieces.count)] }.joined()
      var cursor = GrammarCursor(text, of: option)
      do {
        try grammar(&cursor)
        #expect(cursor.offset <= text.utf8.count)
      } catch {
        #expect(error.range.lowerBound >= 0 && error.range.upperBound <= text.utf8.count)
        #expect(Messages(Environment()).text(error).hasPrefix("tabler: \(Option[option].spelling): "))
      }
    }
  }
}
