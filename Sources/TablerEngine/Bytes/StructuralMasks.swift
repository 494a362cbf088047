/// The bytes that end and wrap cells in one input form.
struct StructuralMarks: Equatable, Sendable {
  /// The byte between two cells.
  var delimiter: UInt8

  /// The byte round a cell that holds delimiters or newlines; `nil` where nothing quotes.
  var quote: UInt8?

  /// The byte that takes away the meaning of the next one; `nil` where there is none.
  var escape: UInt8?
}

/// Where 64 bytes hold structure: one bit a byte, lowest first.
struct StructuralMasks: Equatable {
  /// Delimiters, LF and CR.
  var ends: UInt64

  /// Quote marks and escape marks.
  var wraps: UInt64

  /// Bytes other than printable ASCII, without LF, CR and the delimiter.
  var special: UInt64

  /// LF, CR, and the delimiter if it is not printable: what makes a cell special that has it in quotes.
  var controls: UInt64

  /// Reads the 64 bytes at `start`.
  @inline(__always)
  @unsafe init<Vector: ByteVector>(
    _ start: UnsafeRawPointer, _ marks: StructuralMarks, _: Vector.Type = MachineVector.self
  ) {
    // A delimiter that stands in for an absent quote is taken out below.
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
  /// Each bit is whether an odd number of bits is set up to it: what lies between quotes, the first of each pair among it.
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
}
