extension FormatSpec {
  /// Appends the number in `text` as the spec shows it; false, and nothing appended, when it is no number.
  ///
  /// The digits of the text are rounded themselves, half away from zero, however many they are.
  func apply(
    to text: Span<UInt8>, marks: NumberMarks = .standard, into buffer: inout ByteBuffer
  ) -> Bool {
    guard let scan = NumberScan(text, marks: marks), abs(scan.exponent) <= FormatDigits.mostZeros else {
      return false
    }
    let start = buffer.count
    var digits = FormatDigits(scan, text, into: &buffer)
    return finish(&digits, from: start, marks, &buffer)
  }

  /// Appends `number` as the spec shows it; false, and nothing appended, where the kind cannot show it.
  ///
  /// A double is rounded as the digits it prints as, so that what shows as `2.675` gives `2.68`.
  func apply(to number: Number, marks: NumberMarks = .standard, into buffer: inout ByteBuffer) -> Bool {
    let start = buffer.count
    guard var digits = FormatDigits(number, into: &buffer) else {
      NumberWriter.append(number, to: &buffer)
      pad(from: start, &buffer)
      return true
    }
    return finish(&digits, from: start, marks, &buffer)
  }
}

extension FormatSpec {
  /// Writes the body after the raw digits, takes those away, and fills up to the width.
  private func finish(
    _ digits: inout FormatDigits, from start: Int, _ marks: NumberMarks, _ buffer: inout ByteBuffer
  ) -> Bool {
    let isWritten = write(&digits, marks, &buffer)
    guard isWritten else {
      buffer.truncate(to: start)
      return false
    }
    buffer.remove(start..<digits.bodyStart)
    pad(from: start, &buffer)
    return true
  }

  private func write(_ digits: inout FormatDigits, _ marks: NumberMarks, _ buffer: inout ByteBuffer) -> Bool {
    switch kind {
    case nil: writePlain(&digits, marks, &buffer)
    case .fixed: writeFixed(&digits, decimals: precision ?? 6, marks, &buffer)
    case .integer: writeFixed(&digits, decimals: 0, marks, &buffer)
    case .percent:
      digits.movePoint(by: 2)
      writeFixed(&digits, decimals: precision ?? 0, suffix: " %", marks, &buffer)
    case .exponent: writeExponent(&digits, decimals: precision ?? 6, marks, &buffer)
    case .general: writeGeneral(&digits, marks, &buffer)
    case .hexadecimal: return writeHexadecimal(&digits, &buffer)
    case .thousands: writeThousands(&digits, marks, &buffer)
    case .bytes: writeBytes(&digits, marks, &buffer)
    case .time: return writeTime(&digits, marks, &buffer)
    }
    return true
  }

  private func writeFixed(
    _ digits: inout FormatDigits, decimals: Int, suffix: StaticString = "", _ marks: NumberMarks,
    _ buffer: inout ByteBuffer
  ) {
    digits.round(to: decimals, &buffer)
    writeDecimal(&digits, decimals: decimals, suffix: suffix, marks, &buffer)
  }

  private func writePlain(_ digits: inout FormatDigits, _ marks: NumberMarks, _ buffer: inout ByteBuffer) {
    if let precision { return writeFixed(&digits, decimals: precision, marks, &buffer) }
    if digits.isDouble, !(-4..<16).contains(digits.power), !digits.isZero {
      return writeExponent(&digits, decimals: digits.count - 1, marks, &buffer)
    }
    writeDecimal(&digits, decimals: digits.ownDecimals, suffix: "", marks, &buffer)
  }

  private func writeGeneral(_ digits: inout FormatDigits, _ marks: NumberMarks, _ buffer: inout ByteBuffer) {
    let wanted = max(precision ?? 6, 1)
    digits.round(toDigits: wanted, &buffer)
    digits.dropZerosAtEnd(buffer)
    if (-4..<wanted).contains(digits.power) {
      writeDecimal(&digits, decimals: digits.ownDecimals, suffix: "", marks, &buffer)
    } else {
      writeExponent(&digits, decimals: digits.count - 1, marks, &buffer)
    }
  }

  private func writeExponent(
    _ digits: inout FormatDigits, decimals: Int, _ marks: NumberMarks, _ buffer: inout ByteBuffer
  ) {
    digits.round(toDigits: decimals + 1, &buffer)
    let power = digits.power
    digits.movePoint(by: -power)
    let tail = 2 + max(2, NumberWriter.digitCount(UInt64(power.magnitude)))
    writeDecimal(&digits, decimals: decimals, suffix: "", tail: tail, marks, &buffer)
    buffer.append(power < 0 ? "e-" : "e+")
    if power.magnitude < 10 { buffer.append(UInt8(ascii: "0")) }
    buffer.append(decimal: Int(power.magnitude))
  }

  private func writeHexadecimal(_ digits: inout FormatDigits, _ buffer: inout ByteBuffer) -> Bool {
    digits.round(to: 0, &buffer)
    guard let rest = digits.whole(buffer) else { return false }
    digits.bodyStart = buffer.count
    appendSign(digits, &buffer)
    var count = 1
    while count < 32, rest >> UInt128(4 * count) > 0 { count += 1 }
    if fillsWithZeros {
      buffer.append(repeating: UInt8(ascii: "0"), count: width - (buffer.count - digits.bodyStart) - count)
    }
    for place in stride(from: count - 1, through: 0, by: -1) {
      let nibble = UInt8(truncatingIfNeeded: rest >> UInt128(4 * place)) & 15
      buffer.append(nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }
    return true
  }

  /// Appends the minus, or the plus where one is shown.
  func appendSign(_ digits: FormatDigits, _ buffer: inout ByteBuffer) {
    if digits.isNegative, !digits.isZero {
      buffer.append(UInt8(ascii: "-"))
    } else if showsPlus {
      buffer.append(UInt8(ascii: "+"))
    }
  }

  /// Zeros fill the width unless a side was asked for.
  var fillsWithZeros: Bool { padsWithZeros && side == nil }
}
