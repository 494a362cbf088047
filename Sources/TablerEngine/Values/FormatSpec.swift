/// How a number is shown: the part after the colon in `{:,.2f}`.
///
/// In this order: a fill character and `<`, `>` or `^`, or one of these alone; `+`; `0`; a width in cells; `,`;
/// a point with the number of decimals; a kind. Every part may be left out.
struct FormatSpec: Hashable, Sendable {
  /// The letter at the end.
  enum Kind: UInt8, Sendable {
    /// Fixed decimals, 6 unless given: `2.10`.
    case fixed = 0x66
    /// One digit, decimals and an exponent of two digits or more: `1.50e+03`.
    case exponent = 0x65
    /// As many digits as given, otherwise 6, in the shorter of both forms above.
    case general = 0x67
    /// A whole number.
    case integer = 0x64
    /// A whole number in base 16.
    case hexadecimal = 0x78
    /// A percentage: 0.25 is `25%`.
    case percent = 0x25
    /// Thousands, millions and so on: `1.2k`, `3.4M`.
    case thousands = 0x6B
    /// Bytes in steps of 1024: `512 B`, `1.2 MiB`.
    case bytes = 0x42
    /// Seconds in the two largest units: `45s`, `5m 03s`, `1h 05m`, `2d 03h`.
    case time = 0x74
  }

  /// The side of the width at which the text is aligned.
  enum Side: UInt8, Sendable {
    case left = 0x3C
    case right = 0x3E
    case center = 0x5E
  }

  /// What fills the width, one character of one cell.
  private(set) var fill: [UInt8] = [0x20]
  /// The side; without one, numbers are aligned right.
  private(set) var side: Side?
  /// Whether numbers above zero get a plus.
  private(set) var showsPlus = false
  /// Whether zeros fill the width, after the sign.
  private(set) var padsWithZeros = false
  /// The least number of cells.
  private(set) var width = 0
  /// Whether thousands are separated.
  private(set) var groups = false
  /// The number of decimals (for `g`, of digits); nil if the kind decides.
  private(set) var precision: Int?
  /// The kind; nil shows the digits of the number.
  private(set) var kind: Kind?

  /// Whether exactly the digits of the number are shown.
  var keepsDigits: Bool { kind == nil && precision == nil }

  /// The largest width and number of decimals.
  static let limit = 1000

  /// A spec without any part.
  private init() {}

  /// Reads a spec.
  init(_ text: Span<UInt8>) throws(FormatSpecError) {
    var reader = Reader(text)
    try reader.consumeSide(&fill, &side)
    showsPlus = reader.consume("+")
    padsWithZeros = reader.consume("0")
    width = try reader.digits() ?? 0
    groups = reader.consume(",")
    if reader.consume(".") {
      let start = reader.offset
      guard let count = try reader.digits() else { throw .unexpected(at: start) }
      precision = count
    }
    if let byte = reader.next {
      guard let found = Kind(rawValue: byte), found != .hexadecimal || !groups
      else { throw .unexpected(at: reader.offset) }
      kind = found
      reader.offset += 1
    }
    guard reader.next == nil else { throw .unexpected(at: reader.offset) }
  }
}

/// What is wrong with a format; offsets are bytes within the spec.
enum FormatSpecError: Error, Equatable {
  /// This does not belong here.
  case unexpected(at: Int)
  /// A width or number of decimals above the limit.
  case tooLarge(at: Int)
}

/// A position in a spec.
private struct Reader: ~Escapable {
  let text: Span<UInt8>
  var offset = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  var next: UInt8? { offset < text.count ? text[offset] : nil }

  mutating func consume(_ mark: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == mark.value else { return false }
    offset += 1
    return true
  }

  mutating func consumeSide(_ fill: inout [UInt8], _ side: inout FormatSpec.Side?) throws(FormatSpecError) {
    guard let first = next else { return }
    let length = text.scalar(at: 0).length
    if length < text.count, let found = FormatSpec.Side(rawValue: text[length]) {
      let character = text.extracting(0..<length)
      guard first >= 0x20, displayWidth(of: character) == 1 else { throw .unexpected(at: 0) }
      fill = character.indices.map { character[$0] }
      side = found
      offset = length + 1
    } else if let found = FormatSpec.Side(rawValue: first) {
      side = found
      offset = 1
    }
  }

  mutating func digits() throws(FormatSpecError) -> Int? {
    let start = offset
    var value = 0
    while let next, NumberScan.digit(next) <= 9 {
      value = min(value * 10 + Int(NumberScan.digit(next)), FormatSpec.limit + 1)
      offset += 1
    }
    if value > FormatSpec.limit { throw .tooLarge(at: start) }
    return offset > start ? value : nil
  }
}

extension FormatSpec {
  /// Appends the number in `text` as the spec shows it; false, with nothing appended, if it is no number.
  ///
  /// The digits of the text are rounded directly, half away from zero, however many they are.
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

  /// Appends `number` as the spec shows it; false, with nothing appended, if the kind cannot show it.
  ///
  /// A double is rounded by the digits that it prints, so that `2.675` gives `2.68`.
  func apply(to number: Number, marks: NumberMarks = .standard, into buffer: inout ByteBuffer) -> Bool {
    let start = buffer.count
    guard var digits = FormatDigits(number, isDrawn: keepsDigits, into: &buffer) else {
      NumberWriter.append(number, to: &buffer)
      pad(from: start, &buffer)
      return true
    }
    return finish(&digits, from: start, marks, &buffer)
  }
}

extension FormatSpec {
  /// Writes the body after the raw digits, removes those, and pads the body to the width.
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
      writeFixed(&digits, decimals: precision ?? 0, suffix: "%", marks, &buffer)
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

  /// Appends the minus, or the plus if one is shown.
  private func appendSign(_ digits: FormatDigits, _ buffer: inout ByteBuffer) {
    if digits.isNegative, !digits.isZero {
      buffer.append(UInt8(ascii: "-"))
    } else if showsPlus {
      buffer.append(UInt8(ascii: "+"))
    }
  }

  /// Zeros fill the width unless a side was requested.
  private var fillsWithZeros: Bool { padsWithZeros && side == nil }
}

/// Units.
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

  /// Appends a number in its largest unit, without its letter, with at most `decimals` decimals.
  ///
  /// - Returns: the power of the unit; 0 for a number without one.
  static func append(
    _ number: Number, inStepsOf base: Int, decimals: Int, marks: NumberMarks, to buffer: inout ByteBuffer
  ) -> Int {
    let start = buffer.count
    guard var digits = FormatDigits(number, into: &buffer) else {
      NumberWriter.append(number, to: &buffer)
      return 0
    }
    var spec = FormatSpec()
    spec.precision = decimals
    let step = base == 1000 ? spec.scaleThousands(&digits, &buffer) : spec.scaleBytes(&digits, &buffer)
    digits.dropZerosAtEnd(buffer)
    spec.writeDecimal(&digits, decimals: digits.ownDecimals, suffix: "", marks, &buffer)
    buffer.remove(start..<digits.bodyStart)
    return step
  }

  /// Writes the number in thousands, millions and so on, with their letter.
  private func writeThousands(_ digits: inout FormatDigits, _ marks: NumberMarks, _ buffer: inout ByteBuffer)
  {
    let step = scaleThousands(&digits, &buffer)
    writeScaled(&digits, step, ofBytes: false, marks, &buffer)
  }

  /// Scales the number to thousands, millions and so on, rounded; returns the power.
  private func scaleThousands(_ digits: inout FormatDigits, _ buffer: inout ByteBuffer) -> Int {
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
    return step
  }

  /// Writes the number in steps of 1024, with their unit.
  private func writeBytes(_ digits: inout FormatDigits, _ marks: NumberMarks, _ buffer: inout ByteBuffer) {
    let step = scaleBytes(&digits, &buffer)
    writeScaled(&digits, step, ofBytes: true, marks, &buffer)
  }

  /// Scales the number by steps of 1024, rounded; returns the power.
  private func scaleBytes(_ digits: inout FormatDigits, _ buffer: inout ByteBuffer) -> Int {
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
    return step
  }

  /// Without a precision there is one decimal, or none if it would be 0; single bytes have none.
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

  /// Writes seconds in the two largest units; false, with nothing written, if there are too many.
  private func writeTime(_ digits: inout FormatDigits, _ marks: NumberMarks, _ buffer: inout ByteBuffer)
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

/// Writing.
extension FormatSpec {
  /// Appends sign, zeros, digits with their marks, and `suffix`; `tail` more cells will follow.
  private func writeDecimal(
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

  /// Pads what was written from `start` on to the width.
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
