import Testing

@testable import TablerEngine

@Suite struct TextEscaperTests {
  @Test(arguments: [
    ("plain", "plain"), ("日本 🍎", "日本 🍎"), ("a\u{0}b", #"a\x00b"#), ("\u{1B}[8m", #"\x1b[8m"#),
    ("\u{1B}]0;x\u{7}", #"\x1b]0;x\x07"#), ("a\rb", #"a\x0db"#), ("\u{7F}", #"\x7f"#),
    ("\u{9B}1m", #"\u{9b}1m"#),
    ("\u{85}", #"\u{85}"#), ("a\u{202E}b", #"a\u{202e}b"#), ("\u{202D}", #"\u{202d}"#),
    ("\u{2028}", #"\u{2028}"#),
    ("a\tb", "a    b"), ("a\nb", "a\nb"), ("a\r\nb", "a\nb"), ("a\r", #"a\x0d"#),
  ])
  func `R1 control characters print escaped`(text: String, expected: String) {
    #expect(String(decoding: TextSamples.escaped(Array(text.utf8)), as: UTF8.self) == expected)
  }

  @Test(arguments: [
    (Escaper.Newlines.marked(ascii: false), "a↵b↵c    d"), (.marked(ascii: true), #"a\nb\nc    d"#),
    (.escaped, #"a\x0ab\x0d\x0ac\x09d"#), (.kept, "a\nb\nc    d"),
  ])
  func `newlines and tabs do as asked`(newlines: Escaper.Newlines, expected: String) {
    let bytes = TextSamples.escaped(Array("a\nb\r\nc\td".utf8), Escaper(newlines: newlines))
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test(arguments: [
    ("\u{202B}a", "\u{202B}a\u{202C}"), ("\u{2067}a\u{202A}b", "\u{2067}a\u{202A}b\u{202C}\u{2069}"),
    ("\u{202A}a\u{202C}", "\u{202A}a\u{202C}"), ("\u{2066}a\u{202C}", "\u{2066}a\u{202C}\u{2069}"),
    ("\u{202B}a\u{2069}", "\u{202B}a\u{2069}\u{202C}"),
    ("\u{2067}\u{202B}a\u{2069}b", "\u{2067}\u{202B}a\u{2069}b"),
    ("\u{202B}a\nb", "\u{202B}a\u{202C}\nb"),
  ])
  func `R3 what a cell leaves open is closed`(text: String, expected: String) {
    #expect(TextSamples.escaped(Array(text.utf8)) == Array(expected.utf8))
  }

  @Test func `more levels than are kept are escaped`() {
    let text = String(repeating: "\u{2067}", count: 30)
    let expected =
      String(repeating: "\u{2067}", count: 20) + String(repeating: #"\u{2067}"#, count: 10)
      + String(repeating: "\u{2069}", count: 20)
    #expect(TextSamples.escaped(Array(text.utf8)) == Array(expected.utf8))
  }

  @Test func `R16 bytes that are not UTF-8 are replaced and counted`() {
    var buffer = ByteBuffer()
    let bytes: [UInt8] = [0x61, 0xFF, 0xE3, 0x81, 0x0A, 0x62]
    let findings = Escaper(newlines: .kept).append(bytes.span, to: &buffer)
    #expect(buffer.string() == "a\u{FFFD}\u{FFFD}\nb")
    #expect(findings.replacements == 2 && findings.newlines == 1 && !findings.needsCarry)
  }

  @Test(arguments: [
    ("\u{1B}[31mred\u{1B}[0m", "\u{1B}[31mred\u{1B}[0m"), ("\u{1B}[31mred", "\u{1B}[31mred\u{1B}[0m"),
    ("a\u{1B}[31", #"a\x1b[31"#), ("\u{1B}]0;t", #"\x1b]0;t"#), ("a\u{7}b", "a\u{7}b"),
    ("\u{9D}0", #"\u{9d}0"#),
    ("\u{1B}]8;;u\u{7}x", "\u{1B}]8;;u\u{7}x\u{1B}]8;;\u{1B}\\"), ("a\u{1B}", #"a\x1b"#), ("a\tb", "a    b"),
  ])
  func `R2 control sequences pass where asked and end with the cell`(text: String, expected: String) {
    #expect(
      TextSamples.escaped(Array(text.utf8), Escaper(newlines: .kept, passesControl: true))
        == Array(expected.utf8))
  }

  /// How each form for people spells a text.
  enum Spelled: CaseIterable {
    case text, markdown, pandoc, html

    func append(_ text: Span<UInt8>, to out: inout ByteBuffer) -> Escaper.Findings {
      var options = LayoutOptions()
      switch self {
      case .text: return Escaper(newlines: .kept).append(text, to: &out)
      case .markdown: return MarkdownText(options).append(text, to: &out)
      case .pandoc:
        options.markdownDialect = .pandoc
        return MarkdownText(options).append(text, to: &out)
      case .html: return HTMLText(options).append(text, to: &out)
      }
    }
  }

  @Test(arguments: Spelled.allCases)
  func `R1 R3 R16 no form lets out what drives a terminal or reorders its neighbours`(form: Spelled) {
    for bytes in TextSamples.texts(3000, seed: 5) {
      var out = ByteBuffer()
      let findings = form.append(bytes.span, to: &out)
      let text = String(decoding: out.array(), as: UTF8.self)
      #expect(Array(text.utf8) == out.array())
      var levels = BidiStack()
      for scalar in text.unicodeScalars {
        if scalar.properties.generalCategory == .control {
          #expect(scalar == "\n" && form != .html || scalar == "\t" && form == .html)
        }
        #expect(!BidiStack.overrides(scalar.value))
        let isTaken = levels.recordScalar(scalar.value)
        #expect(isTaken)
        if scalar == "\n" { #expect(levels.isEmpty || form == .pandoc) }
      }
      #expect(levels.isEmpty)
      var plain = ByteBuffer()
      let expected = Escaper(newlines: .kept).append(bytes.span, to: &plain)
      #expect(findings.nuls == expected.nuls && findings.replacements == expected.replacements)
    }
  }

  @Test(arguments: [Escaper.Newlines.kept, .marked(ascii: false), .marked(ascii: true), .escaped])
  func `escaped text holds nothing forbidden, is UTF-8, and stays as it is`(newlines: Escaper.Newlines) {
    let escaper = Escaper(newlines: newlines)
    for bytes in TextSamples.texts(3000, seed: 11) {
      let harmless = TextSamples.escaped(bytes, escaper)
      let text = String(decoding: harmless, as: UTF8.self)
      #expect(Array(text.utf8) == harmless)
      for scalar in text.unicodeScalars where scalar.properties.generalCategory == .control {
        #expect(scalar == "\n" && newlines == .kept)
      }
      #expect(
        !text.unicodeScalars.contains {
          (0x202D...0x202E).contains($0.value) || (0x2028...0x2029).contains($0.value)
        })
      #expect(TextSamples.escaped(harmless, escaper) == harmless)
    }
  }

  @Test func `sequences that pass are complete, and escaping again changes nothing`() {
    let escaper = Escaper(newlines: .kept, passesControl: true)
    for bytes in TextSamples.texts(3000, seed: 13) where !bytes.contains(0x0D) {
      let harmless = TextSamples.escaped(bytes, escaper)
      #expect(TextSamples.escaped(harmless, escaper) == harmless, "\(bytes)")
    }
  }
}
