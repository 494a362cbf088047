extension FormatSpec {
  /// The letters of the thousands, in both bases.
  private static func unit(_ step: Int, ofBytes isBytes: Bool) -> StaticString {
    switch step {
    case 0: isBytes ? " B" : ""
    case 1: isBytes ? " KiB" : "k"
    case 2: isBytes ? " MiB" : "M"
    case 3: isBytes ? " GiB" : "G"
    case 4: isBytes ? " TiB" : "T"
    case 5: isBytes ? " PiB" : "P"
    default: isBytes ? " EiB" : "E"
    }
  }

  /// Writes the number in thousands, millions and so on, with their letter.
  func writeThousands(_ digits: inout FormatDigits, _ marks: NumberMarks, _ buffer: inout ByteBuffer) {
    var step = 0
    while digits.wholeCount > 3, step < 6 {
      digits.movePoint(by: -3)
      step += 1
    }
    digits.round(to: precision ?? 1, &buffer)
    if digits.wholeCount > 3, step < 6 {
      // Rounded up to a full thousand.
      digits.movePoint(by: -3)
      step += 1
    }
    writeScaled(&digits, step, ofBytes: false, marks, &buffer)
  }

  /// Writes the number in steps of 1024, with their unit.
  func writeBytes(_ digits: inout FormatDigits, _ marks: NumberMarks, _ buffer: inout ByteBuffer) {
    var step = 0
    while step < 6, digits.isAtLeast1024(buffer) {
      digits.divideBy1024(&buffer)
      step += 1
    }
    digits.round(to: step == 0 ? 0 : precision ?? 1, &buffer)
    if step < 6, digits.isAtLeast1024(buffer) {
      digits.divideBy1024(&buffer)
      step += 1
    }
    writeScaled(&digits, step, ofBytes: true, marks, &buffer)
  }

  /// Without a precision there is one decimal, or none where it would be 0; single bytes have none.
  private func writeScaled(
    _ digits: inout FormatDigits, _ step: Int, ofBytes isBytes: Bool, _ marks: NumberMarks,
    _ buffer: inout ByteBuffer
  ) {
    var decimals = precision ?? 1
    if isBytes, step == 0 {
      decimals = 0
    } else if precision == nil {
      digits.dropZerosAtEnd(buffer)
      decimals = digits.ownDecimals
    }
    let unit = Self.unit(step, ofBytes: isBytes)
    writeDecimal(&digits, decimals: decimals, suffix: unit, marks, &buffer)
  }

  /// Writes seconds in the two largest units; false, and nothing written, where they are too many.
  func writeTime(_ digits: inout FormatDigits, _ marks: NumberMarks, _ buffer: inout ByteBuffer)
    -> Bool
  {
    guard let floor = digits.whole(buffer), let seconds = Int(exactly: floor) else { return false }
    digits.round(to: seconds < 60 ? precision ?? 1 : 0, &buffer)
    guard let rounded = digits.whole(buffer).flatMap({ Int(exactly: $0) }) else { return false }
    if rounded < 60 {
      if precision == nil { digits.dropZerosAtEnd(buffer) }
      writeDecimal(&digits, decimals: precision ?? digits.ownDecimals, suffix: "s", marks, &buffer)
      return true
    }
    digits.bodyStart = buffer.count
    appendSign(digits, &buffer)
    let minutes = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0)
    let hours = seconds / 3600 + (seconds % 3600 >= 1800 ? 1 : 0)
    if rounded < 3600 {
      appendTime(rounded / 60, "m ", rounded % 60, "s", &buffer)
    } else if max(minutes, 60) < 1440 {
      appendTime(max(minutes, 60) / 60, "h ", max(minutes, 60) % 60, "m", &buffer)
    } else {
      appendTime(max(hours, 24) / 24, "d ", max(hours, 24) % 24, "h", &buffer)
    }
    return true
  }

  private func appendTime(
    _ high: Int, _ highUnit: StaticString, _ low: Int, _ lowUnit: StaticString, _ buffer: inout ByteBuffer
  ) {
    buffer.append(decimal: high)
    buffer.append(highUnit)
    if low < 10 { buffer.append(UInt8(ascii: "0")) }
    buffer.append(decimal: low)
    buffer.append(lowUnit)
  }
}
