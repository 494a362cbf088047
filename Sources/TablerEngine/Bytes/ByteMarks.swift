/// Bytes that a form cannot take as they are, sixteen at a time.
///
/// A byte too many only sends a cell the longer way; one too few would be a fault.
protocol ByteMarks {
  /// Which of the bytes are marked.
  static func marks(in bytes: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>
}

/// What HTML text cannot take: `& < > " '`, control characters, DEL, and what is not ASCII.
enum HTMLMarks: ByteMarks {
  @inline(__always)
  static func marks(in bytes: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    (bytes &- 0x20 .> 0x5E) .| (bytes .== 0x22) .| (bytes &- 0x26 .<= 1) .| (bytes &- 0x3C .<= 2)
  }
}

/// What a Markdown cell cannot take: `` \ | * _ ~ [ ] < > & ` $ `` and some neighbours, and all that is not plain.
enum MarkdownMarks: ByteMarks {
  @inline(__always)
  static func marks(in bytes: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    (bytes &- 0x20 .> 0x5A) .| (bytes &- 0x5B .<= 5) .| (bytes &- 0x3C .<= 2) .| (bytes .== 0x26)
      .| (bytes .== 0x24) .| (bytes .== 0x2A)
  }
}

extension SIMDMask where Storage == SIMD16<Int8> {
  /// Whether a lane is set; two comparisons of 64 bits where `any` folds lane by lane.
  @inline(__always)
  var hasAny: Bool {
    // SAFETY: both types are sixteen bytes without padding.
    let halves = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return halves[0] | halves[1] != 0
  }
}

extension ByteBlock {
  /// Whether some of the bytes are marked; looks at sixteen at a time.
  @inline(__always)
  func hasMarks<Marks: ByteMarks>(_ kind: Marks.Type, from start: Int, count length: Int) -> Bool {
    var done = 0
    while done &+ 16 <= length {
      if kind.marks(in: sixteenBytes(at: start &+ done)).hasAny { return true }
      done &+= 16
    }
    guard done < length else { return false }
    return (kind.marks(in: sixteenBytes(at: start &+ done)) .& firstLanes(length &- done)).hasAny
  }
}

/// The mask of the first `count` lanes.
@inline(__always)
private func firstLanes(_ count: Int) -> SIMDMask<SIMD16<Int8>> {
  SIMD16<UInt8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    .< SIMD16(repeating: UInt8(truncatingIfNeeded: count))
}

extension ByteBuffer {
  /// Appends bytes of a sealed block unless some of them are marked; says whether it did.
  @inline(__always)
  mutating func append<Marks: ByteMarks>(
    _ block: ByteBlock, from start: Int, count length: Int, unless kind: Marks.Type
  ) -> Bool {
    guard !block.hasMarks(kind, from: start, count: length) else { return false }
    append(block, from: start, count: length)
    return true
  }
}
