extension ByteBuffer {
  /// Appends `text` with U+FFFD for bytes that are not UTF-8.
  mutating func append(repairing text: Span<UInt8>) {
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
      }
      offset &+= scalar.length
    }
    append(text.extracting(pending...))
  }

  /// Puts U+FFFD for the bytes from `start` on that are not UTF-8.
  mutating func repair(from start: Int) {
    var offset = start
    while offset < count {
      if self[offset] < 0x80 {
        offset &+= 1
        continue
      }
      let scalar = span.scalar(at: offset)
      if !scalar.isWellFormed { return rewrite(from: start) }
      offset &+= scalar.length
    }
  }

  private mutating func rewrite(from start: Int) {
    var copy = ByteBuffer(capacity: count - start)
    copy.append(span.extracting(start...))
    truncate(to: start)
    append(repairing: copy.span)
  }
}
