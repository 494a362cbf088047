/// Printable bytes that a form cannot write unchanged.
protocol ByteMarks {
  /// Flags the marked bytes among some printable ones.
  static func flags<Vector: ByteVector>(in bytes: Vector) -> Vector

  /// A small letter that is marked if it is doubled, in either case.
  static var pairedLetter: UInt8? { get }
}

extension ByteMarks {
  static var pairedLetter: UInt8? { nil }
}

/// The bytes that HTML text must escape: `& < > " '`.
enum HTMLMarks: ByteMarks {
  @inline(__always)
  static func flags<Vector: ByteVector>(in bytes: Vector) -> Vector {
    // `&` and `'` differ only in their lowest bit, `<` and `>` in the next.
    let ampersands = (bytes | Vector(repeating: 1)).equals(0x27)
    let angles = (bytes | Vector(repeating: 2)).equals(0x3E)
    return bytes.equals(0x22) | (ampersands | angles)
  }
}

/// The bytes that a JSON string, and partly tsv, must escape: `"` and `\`.
enum StringMarks: ByteMarks {
  @inline(__always)
  static func flags<Vector: ByteVector>(in bytes: Vector) -> Vector {
    bytes.equals(0x22) | bytes.equals(0x5C)
  }
}

/// The bytes that a Markdown cell must escape, at least beside some others: `` \ | * _ ~ [ ] < > & ` $ : @
/// ``, and `ww` of `www.`.
enum MarkdownMarks: ByteMarks {
  @inline(__always)
  static var pairedLetter: UInt8? { UInt8(ascii: "w") }

  /// Whether a byte by itself is one of them.
  static func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x24, 0x26, 0x2A, 0x3A, 0x3C, 0x3E, 0x40, 0x5B...0x5D, 0x5F, 0x60, 0x7C, 0x7E: true
    default: false
    }
  }

  @inline(__always)
  static func flags<Vector: ByteVector>(in bytes: Vector) -> Vector {
    // Pairs that differ in one bit are tested with that bit set.
    let twos = bytes | Vector(repeating: 2)
    let lower = bytes | Vector(repeating: 0x20)
    let bars = (lower.equals(0x7C) | lower.equals(0x60)) | bytes.equals(0x3A)
    let lines = (bytes | Vector(repeating: 4)).equals(0x5F)
    let left = (bars | lines) | (twos.equals(0x3E) | twos.equals(0x26))
    let right = (bytes.equals(0x2A) | bytes.equals(0x5D)) | bytes.equals(0x7E)
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
    var ending: UInt64 = 0
    while rest >= Vector.count {
      let bytes: Vector = vector(at: place)
      if kind.flags(in: bytes).bits | Self.pairs(kind, in: bytes, after: &ending) != 0 { return true }
      place &+= Vector.count
      rest &-= Vector.count
    }
    guard rest > 0 else { return false }
    let inside = (UInt64(1) &<< UInt64(truncatingIfNeeded: rest)) &- 1
    let bytes: Vector = vector(at: place)
    return (kind.flags(in: bytes).bits | Self.pairs(kind, in: bytes, after: &ending)) & inside != 0
  }

  /// The positions of doubled letters, as a bit for the second of each.
  ///
  /// - Parameter ending: whether the previous bytes ended with the letter; afterwards whether these do.
  @inline(__always)
  private static func pairs<Marks: ByteMarks, Vector: ByteVector>(
    _ kind: Marks.Type, in bytes: Vector, after ending: inout UInt64
  ) -> UInt64 {
    guard let letter = kind.pairedLetter else { return 0 }
    let letters = (bytes | Vector(repeating: 0x20)).equals(letter).bits
    let pairs = letters & (letters &<< 1 | ending)
    ending = letters &>> UInt64(truncatingIfNeeded: Vector.count &- 1)
    return pairs
  }
}

extension ByteBuffer {
  /// Appends printable bytes of a block unless some of them are marked; returns whether it did.
  @inline(__always)
  mutating func append<Marks: ByteMarks>(
    _ block: ByteBlock, from start: Int, count length: Int, unless kind: Marks.Type
  ) -> Bool {
    guard !block.hasMarks(kind, from: start, count: length) else { return false }
    append(block, from: start, count: length)
    return true
  }
}

/// The bytes that end and enclose cells in one input form.
struct StructuralMarks: Equatable, Sendable {
  /// The byte between two cells.
  var delimiter: UInt8

  /// The byte around a cell that contains delimiters or newlines; `nil` if there are no quotes.
  var quote: UInt8?

  /// The byte that escapes the next one; `nil` if there is none.
  var escape: UInt8?
}

/// The structure of 64 bytes: one bit a byte, lowest first.
struct StructuralMasks: Equatable {
  /// Delimiters, LF and CR.
  var ends: UInt64

  /// Quote marks and escape marks.
  var wraps: UInt64

  /// Bytes other than printable ASCII, without LF, CR and the delimiter.
  var special: UInt64

  /// LF, CR, and the delimiter if it is not printable: they make a quoted cell special.
  var controls: UInt64

  /// Reads the 64 bytes at `start`.
  @inline(__always)
  @unsafe init<Vector: ByteVector>(
    _ start: UnsafeRawPointer, _ marks: StructuralMarks, _: Vector.Type = MachineVector.self
  ) {
    // A delimiter used in place of an absent quote is removed below.
    let wrap = marks.quote ?? marks.escape ?? marks.delimiter
    ends = 0
    wraps = 0
    special = 0
    var place = 0
    while place < 64 {
      // SAFETY: 64 is a multiple of the vector's bytes.
      let bytes = unsafe Vector(start + place)
      let shift = UInt64(truncatingIfNeeded: place)
      ends |= (bytes.equals(marks.delimiter) | (bytes.equals(10) | bytes.equals(13))).bits &<< shift
      wraps |= bytes.equals(wrap).bits &<< shift
      special |= bytes.isNotPlain.bits &<< shift
      place &+= Vector.count
    }
    if marks.quote != nil, let escape = marks.escape {
      place = 0
      while place < 64 {
        // SAFETY: as above.
        wraps |= unsafe Vector(start + place).equals(escape).bits &<< UInt64(truncatingIfNeeded: place)
        place &+= Vector.count
      }
    }
    wraps &= ~ends
    controls = special & ends
    special &= ~ends
  }
}

extension UInt64 {
  /// Each bit tells whether an odd number of bits is set up to it: what is between quotes, including the
  /// first of each pair.
  ///
  /// Langdale and Lemire, Parsing Gigabytes of JSON per Second (2019), section 3.1.1.
  @inline(__always)
  var prefixParity: UInt64 {
    var bits = self
    bits ^= bits &<< 1
    bits ^= bits &<< 2
    bits ^= bits &<< 4
    bits ^= bits &<< 8
    bits ^= bits &<< 16
    bits ^= bits &<< 32
    return bits
  }

  /// Whether `count` bits in a row are set; at least one is asked for.
  @inline(__always)
  func hasRun(of count: Int) -> Bool {
    var (bits, length) = (self, 1)
    while length < count {
      let step = Swift.min(length, count &- length)
      bits &= bits &>> UInt64(truncatingIfNeeded: step)
      length &+= step
    }
    return bits != 0
  }
}
