/// Reads back from a block what was appended raw to a buffer, by the same program on the same machine.
struct RawCursor {
  /// The bytes end before what they should hold.
  struct ShortBlock: Error {}

  /// The place of the next value, in bytes.
  private(set) var offset: Int

  private let block: ByteBlock

  /// Creates a cursor at `offset` of a block.
  init(_ block: ByteBlock, at offset: Int = 0) {
    precondition(offset >= 0 && offset <= block.count)
    self.block = block
    self.offset = offset
  }

  /// The next `count` values.
  ///
  /// Their type must be one that any bits are a value of: integers, or structs of nothing but such.
  mutating func values<Element: BitwiseCopyable>(
    _ type: Element.Type, count: Int
  ) throws(ShortBlock) -> [Element] {
    let (length, isTooLong) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !isTooLong else { throw ShortBlock() }
    let start = try advance(by: length)
    // The standard library would write a count of 0 into the one empty array that all threads share.
    guard count > 0 else { return [] }
    let source = block.span(from: start, count: length)
    return unsafe [Element](unsafeUninitializedCapacity: count) { values, filled in
      unsafe source.withUnsafeBytes { source in
        // SAFETY: both hold `length` bytes, and all bits are values of the type.
        unsafe UnsafeMutableRawBufferPointer(values).copyMemory(from: source)
      }
      filled = count
    }
  }

  /// A block with a copy of the next `count` bytes.
  mutating func block(count: Int) throws(ShortBlock) -> ByteBlock {
    let start = try advance(by: count)
    return ByteBlock(block.span(from: start, count: count))
  }

  /// Goes over `count` bytes and says where they begin.
  private mutating func advance(by count: Int) throws(ShortBlock) -> Int {
    guard count >= 0, count <= block.count - offset else { throw ShortBlock() }
    offset += count
    return offset - count
  }
}

extension ByteBuffer {
  /// Appends values as they lie in memory, for `RawCursor` to read.
  mutating func append<Element: BitwiseCopyable>(raw values: Span<Element>) {
    unsafe values.withUnsafeBytes { bytes in
      // SAFETY: the bytes are initialized: the values written here are structs of integers without padding.
      unsafe append(Span(_unsafeBytes: bytes))
    }
  }

  /// Appends values as they lie in memory, for `RawCursor` to read.
  mutating func append<Element: BitwiseCopyable>(raw values: [Element]) { append(raw: values.span) }
}
