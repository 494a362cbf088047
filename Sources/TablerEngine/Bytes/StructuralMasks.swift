#if arch(x86_64)
  import _Builtin_intrinsics.intel.sse2
#endif

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
struct StructuralMasks {
  /// Delimiters, LF and CR.
  var ends: UInt64

  /// Quote marks and escape marks.
  var wraps: UInt64

  /// Bytes other than printable ASCII, without LF, CR and the delimiter.
  var special: UInt64

  /// LF, CR, and the delimiter if it is not printable: what makes a cell special that has it in quotes.
  var controls: UInt64

  #if arch(x86_64)
    /// Reads 64 bytes with SSE2, sixteen at a time.
    @inline(__always)
    @unsafe init(_ start: UnsafeRawPointer, _ marks: StructuralMarks) {
      let delimiter = _mm_set1_epi8(CChar(bitPattern: marks.delimiter))
      let wrap = _mm_set1_epi8(CChar(bitPattern: marks.quote ?? marks.escape ?? marks.delimiter))
      let newline = _mm_set1_epi8(10)
      let carriageReturn = _mm_set1_epi8(13)
      let blank = _mm_set1_epi8(32)
      let delete = _mm_set1_epi8(127)
      ends = 0
      wraps = 0
      special = 0
      controls = 0
      var part: UInt64 = 0
      while part < 4 {
        let bytes = unsafe start.loadUnaligned(fromByteOffset: Int(part) &* 16, as: __m128i.self)
        let ending = _mm_or_si128(
          _mm_cmpeq_epi8(bytes, delimiter),
          _mm_or_si128(_mm_cmpeq_epi8(bytes, newline), _mm_cmpeq_epi8(bytes, carriageReturn)))
        let wrapping = _mm_cmpeq_epi8(bytes, wrap)
        let unusual = _mm_or_si128(_mm_cmplt_epi8(bytes, blank), _mm_cmpeq_epi8(bytes, delete))
        let shift = part &* 16
        ends |= UInt64(UInt32(bitPattern: _mm_movemask_epi8(ending))) &<< shift
        wraps |= UInt64(UInt32(bitPattern: _mm_movemask_epi8(wrapping))) &<< shift
        special |= UInt64(UInt32(bitPattern: _mm_movemask_epi8(unusual))) &<< shift
        part &+= 1
      }
      if marks.quote != nil, let escape = marks.escape {
        for part in 0..<4 {
          let places = unsafe Self.places(of: escape, start + part &* 16)
          wraps |= UInt64(places) &<< UInt64(part &* 16)
        }
      }
      finish()
    }
  #else
    /// Reads 64 bytes one at a time.
    @inline(__always)
    @unsafe init(_ start: UnsafeRawPointer, _ marks: StructuralMarks) {
      unsafe self.init(portable: start, marks)
    }
  #endif

  /// Reads 64 bytes one at a time, on every machine: what the vector code must agree with.
  @inline(__always)
  @unsafe init(portable start: UnsafeRawPointer, _ marks: StructuralMarks) {
    let quote = marks.quote ?? marks.delimiter
    let escape = marks.escape ?? quote
    ends = 0
    wraps = 0
    special = 0
    controls = 0
    for index in 0..<64 {
      let byte = unsafe start.load(fromByteOffset: index, as: UInt8.self)
      let bit = UInt64(1) &<< UInt64(index)
      if byte == marks.delimiter || byte == 10 || byte == 13 { ends |= bit }
      if byte == quote || byte == escape { wraps |= bit }
      if byte < 32 || byte >= 127 { special |= bit }
    }
    finish()
  }

  /// Where one byte stands among sixteen: one bit a byte, lowest first.
  @inline(__always)
  @unsafe static func places(of byte: UInt8, _ start: UnsafeRawPointer) -> UInt32 {
    #if arch(x86_64)
      let bytes = unsafe start.loadUnaligned(as: __m128i.self)
      let wanted = _mm_set1_epi8(CChar(bitPattern: byte))
      return UInt32(bitPattern: _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)))
    #else
      var places: UInt32 = 0
      for index in 0..<16 where unsafe start.load(fromByteOffset: index, as: UInt8.self) == byte {
        places |= 1 &<< UInt32(truncatingIfNeeded: index)
      }
      return places
    #endif
  }

  /// Takes the structure out of `special`, and the delimiter that stood in for an absent quote out of `wraps`.
  @inline(__always)
  private mutating func finish() {
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
