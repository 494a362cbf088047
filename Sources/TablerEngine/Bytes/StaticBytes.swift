/// Bytes in the program itself, written as a string literal: no start-up cost, no copy.
@safe
struct StaticBytes: Sendable {
  private let text: StaticString

  /// Wraps a literal; one of a single character has no address and is rejected.
  @inline(__always)
  init(_ text: StaticString) {
    precondition(text.hasPointerRepresentation)
    self.text = text
  }

  /// The number of bytes.
  @inline(__always)
  var count: Int { text.utf8CodeUnitCount }

  /// The byte at `index`, counted from 0.
  @inline(__always)
  subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < text.utf8CodeUnitCount)
    // SAFETY: checked on the line above; a literal lives as long as the program.
    return unsafe text.utf8Start[index]
  }
}
