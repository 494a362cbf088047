import Testing

@testable import TablerEngine

/// Keys that are counted in memory and in temporary files.
@Suite struct DistinctKeysTests {
  /// Keys of all lengths: many short ones, empty ones, and some that are longer than what is read at once.
  private static let keys = (0..<4000).map { number -> [UInt8] in
    let text = "key \(number)"
    let times = number % 97 == 0 ? 30_000 : number % 13 == 0 ? 700 : 1
    return number % 1009 == 0 ? [] : Array(String(repeating: text, count: times).utf8)
  }

  @Test func `R33 keys are counted the same, spilled or not`() throws {
    var random = SplitMix(state: 5)
    let numbers = (0..<12_000).map { _ in Int.random(in: Self.keys.indices, using: &random) }
    let expected = Set(Set(numbers).map { Self.keys[$0] }).count
    for portion in [Int.max, 5000, 1999, 300] {
      let file = try SpillFile()
      let other = try SpillFile()
      var (first, second) = (DistinctKeys(), DistinctKeys())
      for (place, number) in numbers.enumerated() {
        let bytes = Self.keys[number]
        if place % 3 == 0 { second.insert(bytes.span) } else { first.insert(bytes.span) }
        if place % portion == portion - 1 {
          try first.spill(to: file)
          try second.spill(to: place % 2 == 0 ? file : other)
        }
      }
      #expect(try first.count <= expected)
      first.merge(second)
      #expect(try first.count == expected, "\(portion)")
      #expect(try first.count == expected, "\(portion)")
    }
  }

  @Test func `R52 what is spilled takes next to no memory`() throws {
    let file = try SpillFile()
    var keys = DistinctKeys()
    for number in 0..<30_000 {
      let bytes = Array("key number \(number)".utf8)
      keys.insert(bytes.span)
      if keys.byteCount > 1 << 18 { try keys.spill(to: file) }
      #expect(keys.byteCount <= 1 << 19)
    }
    #expect(try keys.count == 30_000)
  }
}
