/// Some bytes that are looked at together: as many as fit a register.
///
/// A question to them has a vector of flags for an answer: the highest bit of each byte says yes or no, and the others
/// say nothing. What asks is generic over the vector, so that it is written once and means the same on every machine.
protocol ByteVector {
  /// How many bytes it has; 64 is a multiple of them.
  static var count: Int { get }

  /// Loads the bytes at `start`, from where on `count` must be readable.
  @unsafe init(_ start: UnsafeRawPointer)

  /// Creates a vector of one byte over and over.
  init(repeating byte: UInt8)

  /// Bytes with these bits set, or flags of either question.
  static func | (left: Self, right: Self) -> Self

  /// The flags that are not among `others`.
  func subtracting(_ others: Self) -> Self

  /// Flags the bytes that are `byte`.
  func equals(_ byte: UInt8) -> Self

  /// Flags the bytes that are not printable ASCII, 0x20 to 0x7E.
  var isNotPlain: Self { get }

  /// The same, but that bytes after the first one may be flagged as well: cheaper where only the first is looked for.
  var isFirstNotPlain: Self { get }

  /// The flags as bits, the first byte's lowest.
  var bits: UInt64 { get }

  /// Whether any byte is flagged.
  var hasFlags: Bool { get }

  /// How many bytes stand before the first that is flagged; one must be.
  var firstFlag: Int { get }

  /// Adds one to each byte that `flags` has a flag of; a byte counts to 255.
  mutating func count(_ flags: Self)

  /// All bytes added up.
  var sum: Int { get }
}

#if arch(x86_64)
  /// The vector that bytes are looked at with on this machine.
  typealias MachineVector = SSE2Vector
#else
  /// The vector that bytes are looked at with on this machine.
  typealias MachineVector = WordVector
#endif

extension Span<UInt8> {
  /// The bytes from `offset` on, all of which must lie within the span.
  @inline(__always)
  func vector<Vector: ByteVector>(at offset: Int, as _: Vector.Type = Vector.self) -> Vector {
    precondition(offset >= 0 && offset <= count - Vector.count)
    // SAFETY: checked on the line above.
    return unsafe vector(uncheckedAt: offset)
  }

  /// The same for who has made sure that they do.
  @inline(__always)
  @unsafe
  func vector<Vector: ByteVector>(uncheckedAt offset: Int, as _: Vector.Type = Vector.self) -> Vector {
    unsafe withUnsafeBytes { bytes in
      // SAFETY: the span has bytes, for some lie at `offset`.
      unsafe Vector(bytes.baseAddress.unsafelyUnwrapped + offset)
    }
  }
}
