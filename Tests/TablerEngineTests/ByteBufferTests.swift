import Testing

@testable import TablerEngine

@Suite struct ByteBufferTests {
  @Test func growsAndKeepsWhatWasWritten() {
    var buffer = ByteBuffer(capacity: 1)
    for number in 0..<1000 { buffer.append(decimal: number) }
    buffer.append(decimal: Int.min)
    #expect(buffer.string() == (0..<1000).map(String.init).joined() + "-9223372036854775808")
  }
}
