import Testing

@testable import TablerEngine

@Suite struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("äöü", 3), ("e\u{301}", 1), ("日本語", 6), ("ｶﾞ", 2), ("한국어", 6),
    ("\u{1112}\u{1161}\u{11AB}", 2),
    ("Ω≈ç√", 4), ("שלום", 4), ("مرحبا", 5), ("สวัสดี", 4), ("กำ", 2), ("नमस्ते", 4), ("क्षि", 2), ("မာ", 2),
    ("🍎", 2), ("👩‍💻", 2), ("👨‍👩‍👧‍👦", 2), ("👋🏽", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("🇩", 2), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2),
    ("❤", 1), ("❤️", 2), ("❤︎", 1), ("⌚", 2), ("⌚︎", 2), ("1️⃣", 2), ("#️⃣", 2), ("1", 1), ("©", 1), ("©️", 2),
    ("\u{AD}", 1), ("\u{200B}", 0), ("\u{FEFF}", 0), ("\u{300}", 0), ("→", 1), ("█", 1), ("𝒳", 1),
    ("\u{E000}", 1),
    ("a\u{200D}b", 2), ("#\u{200D}️", 2),
  ])
  func `text is as wide as a terminal draws it`(text: String, width: Int) {
    let measured = displayWidth(of: Array(text.utf8).span)
    #expect(measured == width)
  }

  @Test(arguments: [("°", 2), ("→", 2), ("Ж", 2), ("…", 2), ("a", 1), ("é", 2), ("ñ", 1), ("®️", 2), ("日", 2)])
  func `ambiguous characters take two cells where asked`(text: String, width: Int) {
    let measured = displayWidth(of: Array(text.utf8).span, ambiguous: 2)
    #expect(measured == width)
  }

  @Test(
    arguments: [
      ([0xFF], 1), ([0x80, 0x80], 2), ([0xE3, 0x81], 1), ([0xF0, 0x9F, 0x8D], 1), ([0xED, 0xA0, 0x80], 3),
      ([0xC0, 0xAF], 2), ([0xF4, 0x90, 0x80, 0x80], 4), ([0xE3, 0x41], 2), ([0x41, 0xC3], 2),
    ] as [([UInt8], Int)])
  func `each ill-formed stretch takes one cell`(bytes: [UInt8], width: Int) {
    let measured = displayWidth(of: bytes.span)
    #expect(measured == width)
    #expect(String(decoding: bytes, as: UTF8.self).unicodeScalars.count == width)
  }

  @Test func `control sequences take no cells where they pass`() {
    let metrics = TextMetrics(passesControl: true)
    for text in [
      "\u{1B}[1;31mred\u{1B}[0m", "\u{1B}]8;;http://x\u{7}red\u{1B}]8;;\u{1B}\\", "\u{9B}1mred",
      "r\u{1B}(Bed",
    ] {
      #expect(TextSamples.width(text.utf8, metrics) == 3, "\(text.debugDescription)")
    }
  }

  private func widest(_ text: String) -> Int { TextMetrics().widestLine(of: Array(text.utf8).span) }

  @Test func `the widest of several lines counts`() {
    #expect(widest("a\n日本\nabc\n") == 4)
    #expect(widest("abcde\n日本") == 5)
  }

  @Test func `the width of a text is that of its clusters`() {
    for ambiguous in 1...2 {
      let metrics = TextMetrics(ambiguousWidth: ambiguous)
      for bytes in TextSamples.texts(2000) {
        let sum = TextSamples.clusters(bytes, metrics).reduce(0) { $0 + $1.width }
        #expect(TextSamples.width(bytes, metrics) == sum, "\(bytes)")
      }
    }
  }

  @Test func `the width of a text in pieces is that of the whole`() {
    var random = SplitMix(state: 7)
    for bytes in TextSamples.texts(2000) {
      var width = RunningWidth()
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...5, using: &random))
        width.append(bytes.span.extracting(start..<end))
        start = end
      }
      #expect(width.cells == displayWidth(of: bytes.span), "\(bytes)")
    }
  }

  @Test func `no character is wider than two cells`() {
    for scalar in 0..<UInt32(0x11_0000) {
      let cells = UnicodeTables.traits(of: scalar).cells(ambiguous: 1)
      if cells > 2 || cells < 0 { Issue.record("\(scalar) takes \(cells) cells") }
    }
  }
}
