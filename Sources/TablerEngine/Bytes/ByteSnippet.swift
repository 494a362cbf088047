/// At most 32 bytes that are written again and again, in one store.
struct ByteSnippet: Sendable {
  /// The bytes, with zeros after them.
  let block: SIMD32<UInt8>

  /// The number of bytes.
  let count: Int

  /// Creates a snippet; `nil` of more bytes than fit.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= 32 else { return nil }
    count = bytes.count
    var block = SIMD32<UInt8>()
    for index in bytes.indices { block[index] = bytes[index] }
    self.block = block
  }

  /// Creates a snippet of a literal; what does not fit is left out.
  init(_ text: StaticString) {
    count = min(text.utf8CodeUnitCount, 32)
    var block = SIMD32<UInt8>()
    for index in 0..<count { block[index] = text.byte(at: index) }
    self.block = block
  }
}
