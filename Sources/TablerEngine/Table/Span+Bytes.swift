extension Span<UInt8> {
  /// Whether there is nothing but printable ASCII, 0x20 to 0x7E.
  var isPrintableASCII: Bool { isPlain }

  /// Whether both hold the same bytes.
  @inline(__always)
  func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  /// Whether these are the bytes of `text`.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in indices where self[index] != text.byte(at: index) { return false }
    return true
  }

  /// Whether one of the bytes is `byte`.
  func contains(_ byte: UInt8) -> Bool {
    for index in indices where self[index] == byte { return true }
    return false
  }

  /// Where the line that holds `start` ends: at its LF or CR, or at the end of the bytes.
  func lineEnd(from start: Int) -> Int {
    var end = start
    while end < count, self[end] != 10, self[end] != 13 { end += 1 }
    return end
  }

  /// Whether the bytes are those of `other`.
  @inline(__always)
  func equals(_ other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  /// Whether the bytes of `text` stand at `offset`.
  func holds(_ text: StaticString, at offset: Int) -> Bool {
    guard count &- offset >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where self[offset &+ index] != text.byte(at: index) {
      return false
    }
    return true
  }
}
