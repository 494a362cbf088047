import Foundation
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

  @Test func blanksAreTrimmed() {
    var buffer = ByteBuffer()
    buffer.append("a   ")
    buffer.append(blanks: -1)
    buffer.trimBlanks()
    #expect(buffer.string() == "a")
    buffer.truncate(to: 0)
    buffer.append(blanks: 3)
    buffer.trimBlanks()
    let rest = buffer.count
    #expect(rest == 0)
  }

  /// Bytes that go to the outlet meanwhile make no difference, nor do blanks that are only counted.
  @Test(arguments: 0..<12) func `R52 a buffer with an outlet writes what it was given`(seed: Int) throws {
    let path = FilePath("\(NSTemporaryDirectory())/tabler-outlet-\(UUID())")
    defer { try? FileManager.default.removeItem(atPath: path.text) }
    let output = try OutputFile(replacing: path)
    var random = SeededGenerator(seed: UInt64(seed))
    var buffer = ByteBuffer(capacity: 64, outlet: output)
    var expected = Data()
    for _ in 0..<60 {
      let count = Int.random(
        in: 0...([3, 3_000, 3_000_000].randomElement(using: &random) ?? 0), using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        buffer.append(blanks: count)
        expected += Data(repeating: 0x20, count: count)
      case 1:
        buffer.append(repeating: UInt8(ascii: "-"), count: count)
        expected += Data(repeating: UInt8(ascii: "-"), count: count)
      case 2:
        buffer.append("text\n")
        expected += "text\n".utf8
      case 3, 4:
        let text =
          [UInt8](repeating: UInt8(ascii: "t"), count: count) + [UInt8](repeating: 0x20, count: count / 3)
        buffer.append(text)
        expected += text
      case 5:
        buffer.trimBlanks()
        expected.removeLast(expected.count - Self.countWithoutBlanks(expected))
      case 6:
        buffer.append(0x20)
        expected.append(0x20)
      case 7:
        buffer.append([UInt8](repeating: 0x20, count: count))
        expected += Data(repeating: 0x20, count: count)
      default:
        buffer.pin()
        let start = buffer.count
        buffer.append(blanks: count)
        buffer.append("pinned")
        let pinned = buffer.text(from: start).count
        #expect(pinned == count + 6)
        buffer.truncate(to: start)
        buffer.unpin()
      }
      let written = buffer.count
      #expect(written == expected.count)
    }
    buffer.writePendingBlanks()
    try output.write(buffer.span)
    try output.commit()
    let damage = buffer.damage
    #expect(damage == nil)
    #expect(FileManager.default.contents(atPath: path.text) == expected)
  }

  /// The number of bytes before the blanks at the end, of which there may be millions.
  private static func countWithoutBlanks(_ bytes: Data) -> Int {
    let step = 1 << 12
    let blanks = Data(repeating: 0x20, count: step)
    var count = bytes.count
    while count >= step, bytes[count - step..<count] == blanks { count -= step }
    while count > 0, bytes[count - 1] == 0x20 { count -= 1 }
    return count
  }
}
