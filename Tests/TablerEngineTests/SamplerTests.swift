import Testing

@testable import TablerEngine

@Suite("Samples")
struct SamplerTests {
  /// The rows that are chosen of `count`.
  static func chosen(_ size: Int, of count: Int, seed: UInt64) -> [Int] {
    var sample = RowSample(size: size, seed: seed)
    let numbers = (0..<count).map { _ in sample.next() }
    let limit = sample.limit
    return numbers.indices.filter { numbers[$0].map { $0 <= limit } ?? false }
  }

  @Test(
    "have the size that was requested, or all rows", arguments: [0, 1, 2, 63, 1023, 1024, 4999, 5000, 5001])
  func size(_ size: Int) {
    for seed in [0, 1, 2, UInt64.max] {
      #expect(Self.chosen(size, of: 5000, seed: seed).count == min(size, 5000))
    }
  }

  @Test("of fewer rows are in those of more rows with the same seed")
  func nesting() {
    for seed in UInt64(0)..<20 {
      let few = Set(Self.chosen(10, of: 5000, seed: seed))
      #expect(few.isSubset(of: Self.chosen(30, of: 5000, seed: seed)))
    }
  }

  /// With 4,000 seeds a row is in 5 of 20 a thousand times; six deviations are 164.
  @Test("choose every row as often as any other, and each pair as often as any other")
  func fairness() {
    var counts = Array(repeating: 0, count: 20)
    var pairs = Array(repeating: 0, count: 19)
    for seed in UInt64(0)..<4000 {
      let rows = Self.chosen(5, of: 20, seed: seed)
      for row in rows { counts[row] += 1 }
      for (row, next) in zip(rows, rows.dropFirst()) where next == row + 1 { pairs[row] += 1 }
    }
    #expect(counts.allSatisfy { abs($0 - 1000) < 164 })
    // Both of two neighbors are chosen with a probability of 5 · 4 / (20 · 19).
    #expect(pairs.allSatisfy { abs($0 - 210) < 85 })
  }
}
