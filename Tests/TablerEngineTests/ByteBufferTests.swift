import Testing

@testable import TablerEngine

@Suite struct ByteBufferTests {
  @Test func growsAndKeepsWhatWasWritten() {
    var buffer = ByteBuffer(capacity: 1)
    for number in 0..<1000 { buffer.append(decimal: number) }
    buffer.append(decimal: Int.min)
    #expect(buffer.string() == (0..<1000).map(String.init).joined() + "-9223372036854775808")
  }

  @Test func writesNumbersWithZerosBeforeThem() {
    for (number, count, expected) in [
      (0, 0, ""), (7, 1, "7"), (7, 2, "07"), (42, 5, "00042"), (1_234_567, 7, "1234567"), (98_765, 3, "765"),
    ] {
      var buffer = ByteBuffer()
      buffer.append(UInt(number), digitCount: count)
      #expect(buffer.string() == expected)
    }
  }
}
