extension ByteBuffer {
  /// Appends `text` with U+FFFD for bytes that are not UTF-8.
  ///
  /// - Returns: how many stretches of bytes were replaced.
  mutating func append(repairing text: Span<UInt8>) -> Int {
    var count = 0
    var pending = 0
    var offset = 0
    while offset < text.count {
      if text[offset] < 0x80 {
        offset &+= 1
        continue
      }
      let scalar = text.scalar(at: offset)
      if !scalar.isWellFormed {
        append(text.extracting(pending..<offset))
        append("\u{FFFD}")
        pending = offset &+ scalar.length
        count &+= 1
      }
      offset &+= scalar.length
    }
    append(text.extracting(pending...))
    return count
  }

  /// Appends what `write` does, with U+FFFD for bytes that are not UTF-8.
  ///
  /// - Returns: how many stretches of bytes were replaced.
  mutating func appendRepaired(_ write: (inout ByteBuffer) -> Void) -> Int {
    pin()
    defer { unpin() }
    let start = count
    write(&self)
    return repair(from: start)
  }

  private mutating func repair(from start: Int) -> Int {
    if text(from: start).isUTF8 { return 0 }
    var copy = ByteBuffer(capacity: count - start)
    copy.append(text(from: start))
    truncate(to: start)
    return append(repairing: copy.span)
  }
}

extension Span<UInt8> {
  /// Whether all bytes are UTF-8.
  fileprivate var isUTF8: Bool {
    var offset = 0
    while offset < count {
      if self[offset] < 0x80 {
        offset &+= 1
        continue
      }
      let scalar = scalar(at: offset)
      if !scalar.isWellFormed { return false }
      offset &+= scalar.length
    }
    return true
  }
}
