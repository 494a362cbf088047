import Testing

@testable import TablerEngine

@Suite struct LineEndTests {
  @Test func countsFastWhatItCountsSlowly() {
    var generator = SystemRandomNumberGenerator()
    let letters: [UInt8] = [10, 13, 13, 97, 0xC3]
    for length in Array(0..<300) + [4064, 4081, 4097, 9000] {
      let bytes = (0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }
      #expect(bytes.span.lineEnds == bytes.span.lineEnds(from: 0, before: length), "\(bytes)")
    }
    #expect([UInt8](repeating: 10, count: 20_000).span.lineEnds == 20_000)
    #expect([UInt8](repeating: 13, count: 20_000).span.lineEnds == 20_000)
  }
}
