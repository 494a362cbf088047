/// Printable bytes that a form cannot take as they are.
protocol ByteMarks {
  /// Flags those among some printable bytes.
  static func flags<Vector: ByteVector>(in bytes: Vector) -> Vector
}

/// What HTML text cannot take: `& < > " '`.
enum HTMLMarks: ByteMarks {
  @inline(__always)
  static func flags<Vector: ByteVector>(in bytes: Vector) -> Vector {
    // `&` and `'` differ in their lowest bit alone, `<` and `>` in the next.
    let ampersands = (bytes | Vector(repeating: 1)).equals(0x27)
    let angles = (bytes | Vector(repeating: 2)).equals(0x3E)
    return bytes.equals(0x22) | (ampersands | angles)
  }
}

/// What a JSON string cannot take, and tsv in part: `"` and `\`.
enum StringMarks: ByteMarks {
  @inline(__always)
  static func flags<Vector: ByteVector>(in bytes: Vector) -> Vector {
    bytes.equals(0x22) | bytes.equals(0x5C)
  }
}

/// What a Markdown cell cannot take: `` \ | * _ ~ [ ] < > & ` $ ``.
enum MarkdownMarks: ByteMarks {
  /// Whether a byte by itself is one of them.
  static func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x24, 0x26, 0x2A, 0x3C, 0x3E, 0x5B...0x5D, 0x5F, 0x60, 0x7C, 0x7E: true
    default: false
    }
  }

  @inline(__always)
  static func flags<Vector: ByteVector>(in bytes: Vector) -> Vector {
    // Pairs that differ in one bit are met with that bit set.
    let twos = bytes | Vector(repeating: 2)
    let bars = (bytes | Vector(repeating: 0x20)).equals(0x7C)
    let lines = (bytes | Vector(repeating: 4)).equals(0x5F)
    let left = (bars | lines) | (twos.equals(0x3E) | twos.equals(0x26))
    let right = (bytes.equals(0x2A) | bytes.equals(0x5D)) | (bytes.equals(0x60) | bytes.equals(0x7E))
    return left | right
  }
}

extension ByteBlock {
  /// Whether some of these printable bytes are marked.
  @inline(__always)
  func hasMarks<Marks: ByteMarks, Vector: ByteVector>(
    _ kind: Marks.Type, from start: Int, count length: Int, _: Vector.Type = MachineVector.self
  ) -> Bool {
    var rest = length
    var place = start
    while rest >= Vector.count {
      if kind.flags(in: vector(at: place) as Vector).bits != 0 { return true }
      place &+= Vector.count
      rest &-= Vector.count
    }
    guard rest > 0 else { return false }
    let inside = (UInt64(1) &<< UInt64(truncatingIfNeeded: rest)) &- 1
    return kind.flags(in: vector(at: place) as Vector).bits & inside != 0
  }
}

extension ByteBuffer {
  /// Appends printable bytes of a block unless some of them are marked; says whether it did.
  @inline(__always)
  mutating func append<Marks: ByteMarks>(
    _ block: ByteBlock, from start: Int, count length: Int, unless kind: Marks.Type
  ) -> Bool {
    guard !block.hasMarks(kind, from: start, count: length) else { return false }
    append(block, from: start, count: length)
    return true
  }
}
