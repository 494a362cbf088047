import Testing

@testable import TablerEngine

/// What the row loop writes with: blocks of 16 and 32 bytes that overshoot into the slack.
struct ByteBufferBlockTests {
  @Test(arguments: [0, 1, 15, 16, 17, 31, 32, 33, 100])
  func copiesAndBlanksOfAnyLengthStandSideBySide(length: Int) throws {
    let bytes = (0..<200).map { UInt8(truncatingIfNeeded: 33 + $0 % 90) }
    let block = ByteBlock(bytes.span)
    let snippet = try #require(ByteSnippet(Array(" │ ".utf8)))
    var buffer = ByteBuffer(capacity: 1)
    var expected: [UInt8] = []
    for start in [0, 7, 200 - length] {
      buffer.append(block, from: start, count: length)
      buffer.append(blanks: length)
      buffer.append(snippet)
      expected += bytes[start..<start + length] + Array(repeating: 32, count: length) + Array(" │ ".utf8)
    }
    #expect(buffer.array() == expected)
  }

  @Test func longTextIsNoSnippet() {
    #expect(ByteSnippet(Array(repeating: 1, count: 33)) == nil)
    #expect(ByteSnippet(Array(repeating: 1, count: 32))?.count == 32)
  }

  @Test func blanksAreTrimmedBackToAPlace() {
    var buffer = ByteBuffer()
    buffer.append("a   ")
    buffer.append(blanks: -1)
    buffer.trimBlanks(from: 3)
    #expect(buffer.string() == "a  ")
    buffer.trimBlanks(from: -1)
    #expect(buffer.string() == "a")
  }
}
