import Foundation
import Testing

@testable import TablerEngine

/// Numbers of which the one at a place in their order is asked for.
@Suite struct NumberSampleTests {
  private static let numbers: [Number] = (0..<500).map { index in
    let value = Int64(index) * 104_729 * 7919 % 2_000_003 - 1_000_000
    return index % 3 == 0 ? .int(value / 1000) : .decimal(ExactDecimal(unchecked: Int128(value), scale: 2))
  }

  private static let parts: [Number] = ["0", "0.1", "0.25", "0.5", "0.999", "1"].map { text in
    let bytes = Array(text.utf8)
    return NumberReader.loose(bytes.span) ?? .int(0)
  }

  @Test("R52 numbers in temporary files give what those in memory give", arguments: [1, 7, 100, 499, 500])
  func written(portion: Int) throws {
    var held = NumberSample()
    var written = NumberSample(portion: portion)
    var (first, last) = (NumberSample(portion: portion), NumberSample(portion: portion))
    for (index, number) in Self.numbers.enumerated() {
      held.add(number)
      written.add(number)
      if index < 123 { first.add(number) } else { last.add(number) }
    }
    first.merge(last)
    for part in Self.parts {
      let expected = try held.percentile(part)
      #expect(
        try expected != nil && written.percentile(part) == expected && first.percentile(part) == expected)
    }
    #expect(written.byteCount < 40 * (portion + 500))
    let file = try SpillFile()
    var shared = [NumberSample(portion: portion), NumberSample(portion: portion)]
    for (index, number) in Self.numbers.enumerated() {
      for sample in shared.indices { shared[sample].add(number) }
      if index % 70 == 69 { for sample in shared.indices { try shared[sample].spill(to: file) } }
    }
    for part in Self.parts {
      let expected = try held.percentile(part)
      #expect(try shared[0].percentile(part) == expected && shared[1].percentile(part) == expected)
    }
  }

  @Test("R52 longer numbers go to temporary files too", arguments: [1, 7, 100, 10_000])
  func longNumbersWritten(portion: Int) throws {
    let texts = (0..<251).map { index in
      let digits = String(index * 104_729 * 7919 % 2_000_003)
      return switch index % 6 {
      case 0: "0.12345678901234" + digits
      case 1: "-98765432109876" + digits
      case 2: digits + "." + String(repeating: "1234567890", count: 5)
      case 3: digits
      case 4: "0.5"
      default: "1.00000000000000000"
      }
    }
    let numbers = texts.compactMap { text in
      let bytes = Array(text.utf8)
      return NumberReader.loose(bytes.span)
    }
    let sorted = numbers.sorted()
    var written = NumberSample(portion: portion)
    var (first, last) = (NumberSample(portion: portion), NumberSample())
    let file = try SpillFile()
    for (index, number) in numbers.enumerated() {
      written.add(number)
      if index < 123 { first.add(number) } else { last.add(number) }
      if index % 100 == 99 { try last.spill(to: file) }
    }
    first.merge(last)
    #expect(numbers.count == 251 && written.byteCount < 80 * (portion + 300))
    for place in 0..<251 {
      let part = Number.int(Int64(place)).divided(by: .int(250)) ?? .int(0)
      guard part.multiplied(by: .int(250)).integer == Int64(place) else { continue }
      #expect(try written.percentile(part) == sorted[place] && first.percentile(part) == sorted[place])
    }
    let ends = try (written.percentile(.int(0)), first.percentile(.int(1)))
    #expect(ends.0 == sorted[0] && ends.1 == sorted[250])
  }

  @Test("A number that is longer than a double is kept whole", arguments: [1, 7, 1000])
  func whole(portion: Int) throws {
    let long = Number.int(.max - 1)
    var sample = NumberSample(portion: portion)
    for number in Self.numbers.prefix(100) { sample.add(number) }
    sample.add(long)
    var other = NumberSample(portion: portion)
    for number in Self.numbers.prefix(100) { other.add(number) }
    other.merge(sample)
    #expect(try sample.percentile(.int(1)) == long && other.percentile(.int(1)) == long)
    #expect(try sample.percentile(.int(0)) == Self.numbers.prefix(100).min())
    #expect(try other.percentile(.int(0)) == Self.numbers.prefix(100).min())
  }

  @Test func `Infinities and what is no number come last`() throws {
    var sample = NumberSample(portion: 2)
    for value in [Double.nan, .infinity, -1, 3, -.infinity] { sample.add(.double(value)) }
    #expect(try sample.percentile(.int(0)) == .double(-.infinity))
    #expect(try sample.percentile(.decimal(ExactDecimal(unchecked: 5, scale: 1))) == .double(3))
    #expect(try sample.percentile(.int(1))?.isNaN == true)
    #expect(try sample.percentile(.int(2)) == nil && NumberSample().percentile(.int(0)) == nil)
  }

  @Test func `R33 a temporary file that cannot be read again is an error`() throws {
    for isWhole in [false, true] {
      let file = try SpillFile()
      var sample = NumberSample()
      for number in Int64(0)..<12_347 { sample.add(.int(number)) }
      try sample.spill(to: file)
      #expect(try sample.percentile(.int(1)) == .int(12_346))
      // The file has no name; its size tells it from others.
      for descriptor in Int32(3)..<65_536 {
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_nlink == 0, Int(status.st_size) == file.count {
          ftruncate(descriptor, 0)
        }
      }
      if isWhole { sample.add(.int(.max)) }
      #expect(throws: file.damage) { try sample.percentile(.int(1)) }
    }
  }
}
