/// Makes the blocks of an input, in large pages once they prove to be kept.
///
/// To fetch small pages costs more than to read into them: a tenth of the run if all rows are kept. Blocks that come and go
/// get the same memory again and again, and should: the processor still has it at hand.
struct BlockPool {
  /// The first blocks, until it is decided.
  private var first: [WeakBlock] = []

  /// Whether blocks are kept, once it is known.
  private(set) var keepsBlocks: Bool? = Shortcuts.hasLargePages ? nil : false

  /// The slab that the last block was taken from.
  private var slab: BlockSlab?

  /// The first slab, as long as a block of it is kept.
  private weak var firstSlab: BlockSlab?

  private struct WeakBlock {
    weak var block: ByteBlock?
  }

  /// How many blocks there are before it is decided: more than are read ahead.
  private static let sampleSize = 48

  /// A builder with room for `capacity` bytes.
  mutating func builder(capacity: Int) -> ByteBlock.Builder {
    guard keepsBlocks == true, capacity <= BlockSlab.size / 2 else {
      return ByteBlock.Builder(capacity: capacity)
    }
    if let slab, let builder = ByteBlock.Builder(capacity: capacity, in: slab) { return builder }
    guard slab == nil || firstSlab != nil else {
      // Blocks are kept no longer: a budget of memory lets them go, and a slab lives until the last of its blocks has gone.
      (keepsBlocks, slab) = (false, nil)
      return ByteBlock.Builder(capacity: capacity)
    }
    let next = BlockSlab()
    if slab == nil { firstSlab = next }
    slab = next
    return ByteBlock.Builder(capacity: capacity, in: next) ?? ByteBlock.Builder(capacity: capacity)
  }

  /// Takes note of a block that has been read.
  mutating func note(_ block: ByteBlock) {
    guard keepsBlocks == nil else { return }
    first.append(WeakBlock(block: block))
    guard first.count == Self.sampleSize else { return }
    keepsBlocks = first.count { $0.block != nil } > Self.sampleSize * 3 / 4
    first = []
  }
}

/// Memory in large pages that blocks are taken from, one after the other; it is freed with the last of them.
@safe
final class BlockSlab: @unchecked Sendable {
  // Why it may be shared: whoever takes memory from it is its only owner but for the blocks, which only keep it alive.

  private let base: UnsafeMutablePointer<UInt8>

  /// The number of bytes that were taken.
  private var taken = 0

  /// The number of bytes: large pages, and a small one so that as many blocks of the usual size with their slack fit.
  static let size = 1 << 22 + 1 << 12

  /// Creates a slab of which nothing is taken.
  init() { unsafe base = Memory.allocateLargePages(Self.size) }

  deinit { unsafe Memory.free(base) }

  /// The next `count` bytes, as long as the slab lives; `nil` if there are not so many left.
  @unsafe
  func take(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    guard count <= Self.size - taken else { return nil }
    defer { taken += (count + 63) & ~63 }
    // SAFETY: `count` bytes are left from there on.
    return unsafe base + taken
  }
}
