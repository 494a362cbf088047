/// The digits of a number that is being formatted, kept in ASCII at the end of the buffer it goes to.
///
/// So nothing is allocated and no length is too long. The body is written after them, then they are removed.
/// The first digit is never 0; digits beyond either end count as 0.
struct FormatDigits {
  /// Whether it has a minus.
  let isNegative: Bool
  /// Whether the number was a double, whose trailing zeros mean nothing.
  let isDouble: Bool
  /// Where the digits begin in the buffer.
  private var start: Int
  /// The number of digits.
  private(set) var count: Int
  /// The number of digits before the point; zero or less if zeros follow it.
  private(set) var wholeCount: Int
  /// The number of decimals of the original number.
  private(set) var ownDecimals: Int
  /// Where the body begins in the buffer.
  var bodyStart = 0

  /// The largest exponent of a number that is formatted; numbers beyond it are left as they are.
  static let mostZeros = 400

  /// Appends the digits that `scan` found in `text`.
  init(_ scan: NumberScan, _ text: Span<UInt8>, into buffer: inout ByteBuffer) {
    isNegative = scan.isNegative
    isDouble = false
    start = buffer.count
    for index in scan.digits {
      let byte = text[index]
      if NumberScan.digit(byte) <= 9, byte != UInt8(ascii: "0") || buffer.count > start {
        buffer.append(byte)
      }
    }
    count = buffer.count - start
    wholeCount = count == 0 ? 0 : count - scan.scale + scan.exponent
    ownDecimals = max(scan.scale - scan.exponent, 0)
  }

  /// Appends the digits of `number`; nil, with nothing appended, for an infinity, for NaN, or if it needs too
  /// many zeros.
  ///
  /// - Parameter isDrawn: whether a double gets only the digits that are drawn.
  init?(_ number: Number, isDrawn: Bool = false, into buffer: inout ByteBuffer) {
    start = buffer.count
    var exponent = 0
    switch number {
    case .double(let value):
      guard let digits = ShortestDigits(value) else { return nil }
      let shortest = if isDrawn, case .double(let drawn)? = digits.drawn { drawn } else { digits }
      isNegative = shortest.isNegative
      isDouble = true
      if shortest.significand > 0 { buffer.append(decimal: Int(truncatingIfNeeded: shortest.significand)) }
      exponent = shortest.exponent
    case .long(let long, _):
      guard abs(long.wholeCount) <= Self.mostZeros else { return nil }
      isNegative = long.isNegative
      isDouble = false
      for digit in long.digits { buffer.append(UInt8(ascii: "0") + digit) }
      exponent = long.wholeCount - long.digits.count
    case .int, .decimal:
      let exact = number.exact ?? ExactDecimal(0)
      isNegative = exact.significand < 0
      isDouble = false
      NumberWriter.append(digits: exact.significand.magnitude, paddedTo: 0, to: &buffer)
      exponent = -exact.scale
    }
    count = buffer.count - start
    wholeCount = count + exponent
    ownDecimals = max(0, -exponent)
  }

  /// Whether no digit is left, so that the number is shown as 0.
  var isZero: Bool { count == 0 }

  /// The power of ten of the first digit; 0 for zero.
  var power: Int { isZero ? 0 : wholeCount - 1 }

  /// The digit at `place`: 1 is the last before the point, 0 the first after it.
  func digit(beforePoint place: Int, _ buffer: borrowing ByteBuffer) -> UInt8 {
    let index = wholeCount - place
    return index >= 0 && index < count ? buffer[start + index] : UInt8(ascii: "0")
  }

  /// The whole part; nil if it has more than 38 digits.
  func whole(_ buffer: borrowing ByteBuffer) -> UInt128? {
    guard wholeCount <= ExactDecimal.digitLimit else { return nil }
    var value: UInt128 = 0
    for place in stride(from: wholeCount, to: 0, by: -1) {
      value = value * 10 + UInt128(NumberScan.digit(digit(beforePoint: place, buffer)))
    }
    return value
  }

  /// Multiplies by `10^places`.
  mutating func movePoint(by places: Int) {
    if isZero { return }
    wholeCount += places
    ownDecimals = max(0, ownDecimals - places)
  }

  /// Keeps `decimals` decimals, rounded half away from zero.
  mutating func round(to decimals: Int, _ buffer: inout ByteBuffer) {
    round(toDigits: wholeCount + decimals, &buffer)
  }

  /// Keeps the first `wanted` digits, rounded half away from zero.
  mutating func round(toDigits wanted: Int, _ buffer: inout ByteBuffer) {
    guard wanted < count else { return }
    guard wanted >= 0 else { return clear() }
    let roundsUp = buffer[start + wanted] >= UInt8(ascii: "5")
    count = wanted
    if roundsUp { increment(&buffer) }
    if count == 0 { return clear() }
    ownDecimals = max(0, min(ownDecimals, count - wholeCount))
  }

  /// Drops trailing zeros.
  mutating func dropZerosAtEnd(_ buffer: borrowing ByteBuffer) {
    while count > 0, buffer[start + count - 1] == UInt8(ascii: "0") { count -= 1 }
    ownDecimals = max(0, count - wholeCount)
    if isZero { clear() }
  }
}

extension FormatDigits {
  /// Whether the value is 1024 or more.
  func isAtLeast1024(_ buffer: borrowing ByteBuffer) -> Bool {
    guard wholeCount == 4 else { return wholeCount > 4 }
    return whole(buffer).map { $0 >= 1024 } ?? true
  }

  /// Divides by 1024, which is multiplying by 5^10 and moving the point.
  mutating func divideBy1024(_ buffer: inout ByteBuffer) {
    let room = 7
    for _ in 0..<room { buffer.append(UInt8(ascii: "0")) }
    let exponent = wholeCount - count - 10
    var carry = 0
    for index in stride(from: count + room - 1, through: 0, by: -1) {
      if index >= room { carry += Int(NumberScan.digit(buffer[start + index - room])) * 9_765_625 }
      buffer[start + index] = UInt8(ascii: "0") + UInt8(carry % 10)
      carry /= 10
    }
    count += room
    while count > 0, buffer[start] == UInt8(ascii: "0") {
      start += 1
      count -= 1
    }
    wholeCount = count + exponent
    ownDecimals = max(0, -exponent)
  }

  private mutating func increment(_ buffer: inout ByteBuffer) {
    var index = count - 1
    while index >= 0 {
      if buffer[start + index] < UInt8(ascii: "9") {
        buffer[start + index] += 1
        return
      }
      buffer[start + index] = UInt8(ascii: "0")
      index -= 1
    }
    // All digits were 9, or there were none: the number gains a digit in front, and its zeros are not needed.
    buffer[start] = UInt8(ascii: "1")
    count = max(count, 1)
    wholeCount += 1
  }

  private mutating func clear() {
    count = 0
    wholeCount = 0
    ownDecimals = 0
  }
}
