import Testing

@testable import TablerEngine

@Suite struct TextClusterTests {
  @Test(arguments: [
    "÷ 0020 × 0308 ÷ 0020 ÷", "÷ 000D × 000A ÷ 0061 ÷ 000A ÷ 0308 ÷", "÷ 0061 × 0308 ÷",
    "÷ 0020 × 200D ÷ 0646 ÷",
    "÷ 0646 × 200D ÷ 0020 ÷", "÷ 1100 × 1100 ÷", "÷ AC00 × 11A8 ÷ 1100 ÷", "÷ AC01 × 11A8 ÷ 1100 ÷",
    "÷ 1F1E6 × 1F1E7 ÷ 1F1E8 ÷ 0062 ÷", "÷ 0061 ÷ 1F1E6 × 1F1E7 × 200D ÷ 1F1E8 ÷ 0062 ÷",
    "÷ 0061 ÷ 1F1E6 × 200D ÷ 1F1E7 × 1F1E8 ÷ 0062 ÷", "÷ 0061 × 0903 ÷ 0062 ÷", "÷ 0061 ÷ 0600 × 0062 ÷",
    "÷ 1F476 × 1F3FF ÷ 1F476 ÷", "÷ 0061 × 1F3FF ÷ 1F476 × 200D × 1F6D1 ÷", "÷ 2701 × 200D × 2701 ÷",
    "÷ 0061 × 200D ÷ 2701 ÷", "÷ 0915 × 094D × 0937 ÷", "÷ 0915 ÷ 0937 ÷", "÷ 0915 × 094D × 200D × 0937 ÷",
    "÷ 0600 ÷ 000D ÷", "÷ 1F1E6 × 0308 ÷ 1F1E6 ÷",
  ])
  func `clusters begin where Unicode's own samples say`(line: String) {
    var bytes: [UInt8] = []
    var expected: [Int] = []
    for word in line.split(separator: " ").dropLast() {
      if word == "÷" { expected.append(bytes.count) }
      if let value = UInt32(word, radix: 16), let scalar = Unicode.Scalar(value) {
        bytes += Array(String(scalar).utf8)
      }
    }
    #expect(TextSamples.clusters(bytes).map(\.range.lowerBound) == expected)
  }

  @Test func `clusters are the standard library's characters`() {
    for bytes in TextSamples.texts(3000, seed: 7) {
      let repaired = String(decoding: bytes, as: UTF8.self)
      var offset = 0
      var expected: [Int] = []
      for character in repaired {
        expected.append(offset)
        offset += String(character).utf8.count
      }
      #expect(
        TextSamples.clusters(Array(repaired.utf8)).map(\.range.lowerBound) == expected,
        "\(repaired.debugDescription)")
    }
  }

  @Test func `clusters put together are the text`() {
    for metrics in [TextMetrics(), TextMetrics(ambiguousWidth: 2, passesControl: true)] {
      for bytes in TextSamples.texts(2000, seed: 3) {
        var end = 0
        for cluster in TextSamples.clusters(bytes, metrics) {
          #expect(cluster.range.lowerBound == end && !cluster.range.isEmpty)
          end = cluster.range.upperBound
        }
        #expect(end == bytes.count)
      }
    }
  }

  @Test func `ill-formed bytes are read as the standard library repairs them`() {
    for bytes in TextSamples.texts(3000, seed: 5) {
      var scalars: [UInt32] = []
      var offset = 0
      while offset < bytes.count {
        let scalar = bytes.span.scalar(at: offset)
        scalars.append(scalar.value)
        offset += scalar.length
      }
      #expect(scalars == String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value))
    }
  }
}
