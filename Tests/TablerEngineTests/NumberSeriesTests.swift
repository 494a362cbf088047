import Testing

@testable import TablerEngine

/// `spark(x)`: numbers in their order.
struct NumberSeriesTests {
  private static func series(_ numbers: [Double]) -> NumberSeries {
    var series = NumberSeries()
    for number in numbers { series.append(number) }
    return series
  }

  @Test(
    "bars go from the smallest number to the largest",
    arguments: [
      ([1.0, 8], "▁█"), ([0, 1, 2, 3, 4, 5, 6, 7], "▁▂▃▄▅▆▇█"), ([3, 3], "▁▁"), ([-2], "▁"),
      ([0, .infinity, .nan, 1], "▁█"),
    ])
  func drawsBars(_ numbers: [Double], _ expected: String) throws {
    #expect(try Self.series(numbers).drawn(isASCII: false) == expected)
  }

  @Test("ASCII has eight levels, too")
  func drawsASCII() throws {
    #expect(try Self.series([0, 1, 2, 3, 4, 5, 6, 7]).drawn(isASCII: true) == ".:-=+*#@")
  }

  @Test("without numbers there is nothing")
  func drawsNothing() throws {
    #expect(try NumberSeries().drawn(isASCII: false) == nil)
  }

  @Test("more than 24 numbers become means of neighbors")
  func drawsMeans() throws {
    let doubled = (0..<48).map { Double($0 / 2) }
    #expect(
      try Self.series(doubled).drawn(isASCII: false)
        == Self.series((0..<24).map(Double.init)).drawn(isASCII: false))
    #expect(try Self.series((0..<1000).map(Double.init)).drawn(isASCII: false)?.count == 24)
  }

  @Test("parts, merged and written to a file, are one series")
  func mergesParts() throws {
    let numbers = (0..<9000).map { Double($0 * 7919 % 1009) }
    let whole = try Self.series(numbers).drawn(isASCII: false)
    let file = try SpillFile()
    for cut in [0, 1, 63, 64, 4096, 5000, 8999, 9000] {
      var first = Self.series(Array(numbers[..<cut]))
      var second = Self.series(Array(numbers[cut...]))
      if cut % 2 == 0 { try first.spill(to: file) }
      try second.spill(to: file)
      first.merge(second)
      #expect(try first.drawn(isASCII: false) == whole)
      first.append(5000)
      try first.spill(to: file)
      #expect(try first.drawn(isASCII: false) == Self.series(numbers + [5000]).drawn(isASCII: false))
    }
  }
}
