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

  @Test func `blocks of a slab keep their bytes, whatever becomes of the others`() {
    var random = SplitMix(state: 3)
    var blocks: [(block: ByteBlock, bytes: [UInt8])] = []
    var slab = BlockSlab()
    for round in 0..<2000 {
      let capacity = Int.random(in: 0...40_000, using: &random)
      var builder: ByteBlock.Builder
      if let next = ByteBlock.Builder(capacity: capacity, in: slab) {
        builder = next
      } else {
        slab = BlockSlab()
        builder = ByteBlock.Builder(capacity: capacity)
      }
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: capacity)
      builder.append(bytes.span)
      var expected = bytes
      if round % 7 == 0 {
        // It grows out of the slab.
        builder.reserve(100)
        builder.append([1, 2, 3].span)
        expected += [1, 2, 3]
      }
      if round % 11 == 0 { builder.shrink() }
      var block = builder.finish()
      if round % 5 == 0 {
        var more = ByteBlock.Builder(continuing: &block, capacity: block.capacity)
        if more.room > 0 {
          more.append([9].span)
          expected += [9]
        }
        block = more.finish()
      }
      blocks.append((block, expected))
      if blocks.count > 40 { blocks.remove(at: Int.random(in: 0..<40, using: &random)) }
    }
    for (block, bytes) in blocks { #expect([UInt8](block.span) == bytes) }
  }

  @Test(arguments: [true, false]) func `a pool takes memory of slabs if blocks are kept`(areKept: Bool) {
    var pool = BlockPool()
    var kept: [ByteBlock] = []
    for round in 0..<100 {
      var builder = pool.builder(capacity: 1000)
      builder.append([UInt8(round)].span)
      let block = builder.finish()
      pool.note(block)
      if areKept || round % 2 == 0 { kept.append(block) }
    }
    #expect(pool.keepsBlocks == (areKept && Shortcuts.hasLargePages))
    #expect(kept.map { $0[0] } == (areKept ? Array(0..<100) : Array(stride(from: 0, to: 100, by: 2))))
  }

  @Test func `a pool takes no more slabs once kept blocks are given up`() {
    var pool = BlockPool()
    var kept: [ByteBlock] = []
    func keepBlocks(_ count: Int) {
      for _ in 0..<count {
        var builder = pool.builder(capacity: BlockSlab.size / 4)
        builder.append([1].span)
        let block = builder.finish()
        pool.note(block)
        kept.append(block)
      }
    }
    keepBlocks(80)
    #expect(pool.keepsBlocks == Shortcuts.hasLargePages)
    kept = []
    keepBlocks(5)
    #expect(pool.keepsBlocks == false)
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
