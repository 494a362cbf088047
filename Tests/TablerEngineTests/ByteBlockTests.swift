import Foundation
import Testing

@testable import TablerEngine

/// Bytes that are filled in by their only owner, and never change once they are shared.
@Suite struct ByteBlockTests {
  @Test func `a builder makes a block of what was appended, and grows where it is told to`() {
    var builder = ByteBlock.Builder(capacity: 0)
    var expected: [UInt8] = []
    for round in 0..<40 {
      let some = [UInt8](repeating: UInt8(round), count: round * 7)
      builder.reserve(some.count)
      builder.append(some.span)
      expected += some
      let (count, room) = (builder.count, builder.room)
      #expect(count == expected.count && room >= 0)
    }
    let block = builder.finish()
    #expect([UInt8](block.span) == expected)
    #expect(block[expected.count - 1] == 39)
    // Zeros follow the last byte.
    let last: MachineVector = block.vector(at: expected.count - 1)
    #expect(last.equals(0).bits == (1 << UInt64(MachineVector.count)) - 2)
  }

  @Test func `a block that nobody else holds is filled on where it lies`() {
    var builder = ByteBlock.Builder(capacity: 1000)
    builder.append(Array("first".utf8).span)
    var block = builder.finish()
    let identity = ObjectIdentifier(block)
    var more = ByteBlock.Builder(continuing: &block, capacity: block.capacity)
    #expect(block.count == 0 && ObjectIdentifier(block) != identity)
    more.append(Array(" and second".utf8).span)
    let whole = more.finish()
    #expect(String(decoding: whole.span) == "first and second")
    #expect(whole.capacity == 1000)
  }

  @Test(arguments: [64, 200]) func `a block that is shared never changes`(capacity: Int) {
    var block = ByteBlock(Array("shared".utf8).span)
    let other = block
    var builder = ByteBlock.Builder(continuing: &block, capacity: capacity)
    builder.append(Array(" no more".utf8).span)
    #expect(String(decoding: other.span) == "shared")
    #expect(String(decoding: builder.finish().span) == "shared no more")
    #expect(String(decoding: other.span) == "shared")
  }

  @Test func `a range beyond the end is refused, whatever its sum wraps to`() async {
    await #expect(processExitsWith: .failure) {
      let block = ByteBlock([1, 2, 3].span)
      _ = block.span(from: 2, count: .max)
    }
    await #expect(processExitsWith: .failure) {
      let block = ByteBlock([1, 2, 3].span)
      _ = block.span(from: .max, count: .max)
    }
    await #expect(processExitsWith: .failure) {
      var buffer = ByteBuffer()
      buffer.truncate(to: .min)
    }
  }
}
