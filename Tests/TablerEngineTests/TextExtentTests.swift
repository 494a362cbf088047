import Testing

@testable import TablerEngine

struct TextExtentTests {
  static let metrics = [1, 2].map { TextMetrics(ambiguousWidth: $0) }

  /// Every three of the scalars that steer one another, after a letter or a syllable.
  static let sequences: [[UInt8]] = {
    let parts = [
      "a", "1", "中", "カ", "가", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{A960}", "\u{D7B0}", "\u{301}",
      "\u{3099}", "\u{200C}",
      "\u{200D}", "\u{FE0E}", "\u{FE0F}", "\u{20E3}", "\u{903}", "क", "\u{94D}", "\u{93F}", "\u{E33}",
      "\u{600}", "\u{1F3FD}",
      "👍", "❤", "🇯", "\n", "\r\n", "\u{2060}", "\u{E0020}", "±",
    ]
    var texts: [[UInt8]] = []
    for first in parts {
      for second in parts {
        for third in parts {
          for lead in ["", "x", "각", "가\u{301}"] { texts.append(Array((lead + first + second + third).utf8)) }
        }
      }
    }
    return texts
  }()

  /// The room of what the escaper makes of a text, and whether it makes anything else of it.
  private static func escaped(_ bytes: [UInt8], _ metrics: TextMetrics) -> (extent: TextExtent, isSame: Bool)
  {
    var out = ByteBuffer()
    let findings = Escaper(newlines: .kept).append(bytes.span, to: &out)
    let lines = out.array().split(separator: 0x0A, omittingEmptySubsequences: false)
    let width = lines.map { line in clusterWidth(Array(line), metrics) }.max() ?? 0
    let plain = bytes.indices.filter { bytes[$0] != 0x0D || $0 + 1 == bytes.count || bytes[$0 + 1] != 0x0A }
    return (TextExtent(width: width, newlines: findings.newlines), out.array() == plain.map { bytes[$0] })
  }

  /// The cells of a line, cluster by cluster.
  private static func clusterWidth(_ line: [UInt8], _ metrics: TextMetrics) -> Int {
    TextSamples.clusters(line, metrics).reduce(0) { $0 + $1.width }
  }

  @Test("A text that is drawn as it stands takes the room of its escaped form", arguments: metrics)
  func agrees(_ metrics: TextMetrics) {
    let texts =
      TextSamples.texts(4_000, seed: 7) + Self.sequences + TextLawTests.cells.map { Array($0.utf8) }
    for bytes in texts {
      let expected = Self.escaped(bytes, metrics)
      let found = metrics.extent(of: bytes.span, keepsNewlines: true)
      if let found { #expect(found == expected.extent && expected.isSame, "\(bytes)") }
      if found != nil, expected.extent.newlines > 0 {
        #expect(metrics.extent(of: bytes.span, keepsNewlines: false) == nil, "\(bytes)")
      }
    }
  }

  @Test("Every scalar is measured, or left to the escaper where that changes it", arguments: metrics)
  func everyScalar(_ metrics: TextMetrics) {
    var wrong: [UInt32] = []
    for value in UInt32(0x20)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let bytes = Array(String(scalar).utf8)
      let expected = Self.escaped(bytes, metrics)
      let found = metrics.extent(of: bytes.span, keepsNewlines: true)
      let mayBeNone = value < 0xA0 || (0x2028...0x2069).contains(value)
      if found == nil ? !mayBeNone : found != expected.extent || !expected.isSame { wrong.append(value) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("Scalars that are taken for wide without a look at the tables are ordinary and wide there")
  func plainWide() {
    var count = 0
    for value in UInt32(0)...0x1_FFFF where value.isPlainWide {
      let traits = UnicodeTables.traits(of: value)
      #expect(traits.isOrdinary && traits.standsAlone && traits.cells(ambiguous: 1) == 2, "\(value)")
      count += 1
    }
    #expect(count == 20_992 + 11_172 + 86 + 90)
  }

  @Test("Ill-formed bytes have no extent", arguments: ["\u{E9}", "中", "👍"])
  func illFormed(_ text: String) {
    let bytes = Array(text.utf8)
    for count in 1..<bytes.count {
      let cut = [0x61] + bytes.prefix(count)
      #expect(TextMetrics().extent(of: cut.span, keepsNewlines: true) == nil)
    }
    for bytes: [UInt8] in [
      [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x80, 0x80, 0x80],
    ] {
      #expect(TextMetrics().extent(of: bytes.span, keepsNewlines: true) == nil)
    }
  }
}
