import Foundation
import Testing

@testable import TablerEngine

/// That pandoc reads random tables back is checked by `Tests/Fuzz/pandoc.py`.
@Suite struct PandocPainterTests {
  typealias Place = PandocEscaper.Place

  static let escapes: [(Place, String, String)] = [
    (.pipes, #"\|*_~[]<>&`"'^$"#, #"\\\|\*\_\~\[]\<\>\&\`\"\'\^\$"#), (.pipes, "a\r\nb\n", "a&#10;b"),
    (.pipes, "- 1. # x -5 +5", "- 1. # x -5 +5"), (.blocks, "- x", #"\- x"#), (.blocks, "-5", "-5"),
    (.blocks, "1. x\n(a) y\niv) z", "1\\. x\\\n(a\\) y\\\niv\\) z"), (.blocks, "1.5 a.b", "1.5 a.b"),
    (.blocks, "x - y 1. z", "x - y 1. z"), (.blocks, "a\n\n\nb", "a\\\n\\\n\\\nb"),
    (.definition, "a\n  b \n", "a\\\n    b"), (.heading, "#1 {#a}", "\\#1 \\{\\#a}"),
    (.heading, "Table: x", #"Table\: x"#), (.pipes, "a--b ... c..d", #"a\-\-b \.\.\. c\.\.d"#),
    (.pipes, "Mr. X ended. e.g. y", #"Mr\. X ended. e.g\. y"#), (.pipes, "a@b.c @d e@f", #"a@b.c \@d e\@f"#),
    (.pipes, "é\u{301}👩\u{200D}👧", "é\u{301}👩\u{200D}👧"),
    (.lines, "é\u{301}🍊漢👩\u{200D}👧\u{A0}", "é\u{301}🍊漢👩&#x200D;👧&#xA0;"),
    (.lines, "\u{2067}a", "&#x2067;a&#x2069;"),
    (.lines, "a\u{1B}\u{0}\u{202E}\rb", "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b"),
    (.lines, "- x", #"\- x"#),
  ]

  @Test("what pandoc would read is escaped", arguments: escapes)
  func escaping(place: Place, text: String, markdown: String) {
    var out = ByteBuffer()
    let bytes = Array(text.utf8)
    _ = PandocEscaper(place: place, newlineMark: nil).append(bytes.span, isRaw: false, to: &out)
    #expect(out.string() == markdown)
  }

  static let rawCells: [(Place, String, String)] = [
    (.pipes, "**a**|b `c|d` `` e`|f ``", #"**a**\|b `c|d` `` e`|f ``"#), (.pipes, "`a|b", #"`a\|b"#),
    (.pipes, #"a\|b \`|"#, #"a\|b \`\|"#), (.blocks, "a|b `c|d`", "a|b `c|d`"), (.pipes, "- 1.", "- 1."),
  ]

  @Test("cells that are Markdown keep their marks", arguments: rawCells)
  func rawMarkdown(place: Place, text: String, markdown: String) {
    var out = ByteBuffer()
    let bytes = Array(text.utf8)
    _ = PandocEscaper(place: place, newlineMark: nil).append(bytes.span, isRaw: true, to: &out)
    #expect(out.string() == markdown)
  }
}
