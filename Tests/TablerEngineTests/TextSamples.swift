@testable import TablerEngine

/// Texts at random, the same in every run: ordinary and awkward characters, and bytes that are no UTF-8.
struct TextSamples {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private static let pieces: [[UInt8]] =
    [
      "a", "Z", "7", " ", " ", " ", "-", "/", "=", "é", "e\u{301}", "\u{300}", "ß", "Ж", "א", "ع", "日", "本",
      "語",
      "カ", "ｶ", "한", "\u{1100}", "\u{1161}", "\u{11A8}", "ก", "กำ", "क", "\u{94D}", "ष", "ि", "\u{903}", "🍎",
      "👩",
      "\u{200D}", "💻", "\u{1F3FD}", "🇩", "🇪", "❤", "\u{FE0F}", "\u{FE0E}", "#", "\u{20E3}", "\u{200B}",
      "\u{200C}",
      "\u{AD}", "\u{FEFF}", "\u{600}", "°", "…", "\u{10FFFD}", "\u{378}", "\u{202A}", "\u{202C}", "\u{2066}",
      "\u{2069}", "\u{202E}", "\u{2028}", "\n", "\r\n", "\r", "\t", "\u{0}", "\u{7}", "\u{1B}[31m",
      "\u{1B}[0m", "\u{1B}",
      "\u{1B}]8;;http://x\u{1B}\\", "\u{1B}]0;", "\u{7F}", "\u{85}", "\u{9B}",
    ].map { Array($0.utf8) } + [
      [0xFF], [0xC3], [0xE3, 0x81], [0xF0, 0x9F], [0xED, 0xA0, 0x80], [0x80], [0xC2], [0xE2],
    ]

  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: state >> 33) % limit
  }

  mutating func bytes(pieces count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<count { bytes += Self.pieces[next(below: Self.pieces.count)] }
    return bytes
  }

  /// Texts of up to 24 pieces.
  static func texts(_ count: Int, seed: UInt64 = 1) -> [[UInt8]] {
    var samples = TextSamples(seed: seed)
    return (0..<count).map { _ in
      let length = samples.next(below: 25)
      return samples.bytes(pieces: length)
    }
  }
}

extension TextSamples {
  /// The harmless form of `bytes`.
  static func escaped(_ bytes: [UInt8], _ escaper: Escaper = Escaper(newlines: .kept)) -> [UInt8] {
    var buffer = ByteBuffer()
    escaper.append(bytes.span, to: &buffer)
    return buffer.array()
  }

  /// The clusters of `bytes`, as they are walked.
  static func clusters(_ bytes: [UInt8], _ metrics: TextMetrics = TextMetrics()) -> [Cluster] {
    var cursor = ClusterCursor(metrics: metrics)
    var clusters: [Cluster] = []
    while let cluster = cursor.next(in: bytes.span) { clusters.append(cluster) }
    return clusters
  }

  /// The lines of `bytes`.
  static func lines(_ bytes: [UInt8], width: Int?, _ metrics: TextMetrics = TextMetrics()) -> [TextLine] {
    var breaker = LineBreaker(width: width, metrics: metrics)
    var lines: [TextLine] = []
    while let line = breaker.next(in: bytes.span) { lines.append(line) }
    return lines
  }

  /// The cells of `bytes`.
  static func width(_ bytes: some Sequence<UInt8>, _ metrics: TextMetrics = TextMetrics()) -> Int {
    metrics.width(of: Array(bytes).span)
  }
}
