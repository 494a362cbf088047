extension FormatSpec {
  /// Appends sign, zeros, digits with their marks, and `suffix`; `tail` more cells will follow.
  func writeDecimal(
    _ digits: inout FormatDigits, decimals: Int, suffix: StaticString, tail: Int = 0, _ marks: NumberMarks,
    _ buffer: inout ByteBuffer
  ) {
    digits.bodyStart = buffer.count
    appendSign(digits, &buffer)
    var whole = max(digits.wholeCount, 1)
    if fillsWithZeros {
      let rest =
        (buffer.count - digits.bodyStart) + (decimals > 0 ? decimals + 1 : 0)
        + suffix.utf8CodeUnitCount + tail
      while whole + (groups ? (whole - 1) / 3 : 0) + rest < width { whole += 1 }
    }
    for place in stride(from: whole, to: 0, by: -1) {
      buffer.append(digits.digit(beforePoint: place, buffer))
      if groups, place > 1, place % 3 == 1 { marks.appendGroupMark(to: &buffer) }
    }
    if decimals > 0 {
      buffer.append(marks.decimal)
      for place in 0..<decimals { buffer.append(digits.digit(beforePoint: -place, buffer)) }
    }
    buffer.append(suffix)
  }

  /// Fills what was written from `start` on up to the width.
  func pad(from start: Int, _ buffer: inout ByteBuffer) {
    guard width > 0 else { return }
    var cells = 0
    for index in start..<buffer.count where buffer[index] & 0xC0 != 0x80 { cells += 1 }
    guard cells < width else { return }
    let missing = width - cells
    let before =
      switch side ?? .right {
      case .left: 0
      case .right: missing
      case .center: missing / 2
      }
    let end = buffer.count
    for _ in 0..<before { buffer.append(fill) }
    for index in start..<end { buffer.append(buffer[index]) }
    buffer.remove(start..<end)
    for _ in before..<missing { buffer.append(fill) }
  }
}
