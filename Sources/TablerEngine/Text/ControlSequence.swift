extension Span where Element == UInt8 {
  /// The length of the complete control sequence that begins at `offset`, if one does.
  ///
  /// `ESC [` or C1 CSI up to its final byte; OSC, DCS, SOS, PM and APC up to ST (OSC also to
  /// BEL); other escapes up to theirs. A sequence that another control character interrupts,
  /// or that does not end, is none.
  @inline(__always)
  func controlSequenceLength(at offset: Int) -> Int? {
    let byte = self[offset]
    return byte == 0x1B || byte == 0xC2 ? rareSequenceLength(at: offset) : nil
  }

  private func rareSequenceLength(at offset: Int) -> Int? {
    guard offset &+ 1 < count else { return nil }
    let second = self[offset &+ 1]
    let isEscape = self[offset] == 0x1B
    guard isEscape || second >= 0x80 && second <= 0x9F else { return nil }
    let introducer = isEscape ? second : second &- 0x40
    let end: Int?
    switch introducer {
    case UInt8(ascii: "["): end = parametersEnd(from: offset &+ 2)
    case UInt8(ascii: "]"): end = stringEnd(from: offset &+ 2, endsAtBell: true)
    case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      end = stringEnd(from: offset &+ 2, endsAtBell: false)
    default: end = isEscape ? escapeEnd(from: offset &+ 1) : nil
    }
    return end.map { $0 &- offset }
  }

  /// The end of a CSI sequence: parameters, intermediates, one final byte.
  private func parametersEnd(from start: Int) -> Int? {
    var offset = start
    while offset < count, self[offset] & 0xF0 == 0x30 { offset &+= 1 }
    while offset < count, self[offset] & 0xF0 == 0x20 { offset &+= 1 }
    return offset < count && self[offset] >= 0x40 && self[offset] <= 0x7E ? offset &+ 1 : nil
  }

  /// The end of an escape without parameters: intermediates, one final byte.
  private func escapeEnd(from start: Int) -> Int? {
    var offset = start
    while offset < count, self[offset] & 0xF0 == 0x20 { offset &+= 1 }
    return offset < count && self[offset] >= 0x30 && self[offset] <= 0x7E ? offset &+ 1 : nil
  }

  /// The end of a control string, after its terminator.
  private func stringEnd(from start: Int, endsAtBell: Bool) -> Int? {
    var offset = start
    while offset < count {
      switch self[offset] {
      case 0x07 where endsAtBell: return offset &+ 1
      case 0x1B: return offset &+ 1 < count && self[offset &+ 1] == 0x5C ? offset &+ 2 : nil
      case 0xC2 where offset &+ 1 < count && self[offset &+ 1] >= 0x80 && self[offset &+ 1] <= 0x9F:
        return self[offset &+ 1] == 0x9C ? offset &+ 2 : nil
      case 0x00...0x1F, 0x7F: return nil
      default: offset &+= 1
      }
    }
    return nil
  }
}
