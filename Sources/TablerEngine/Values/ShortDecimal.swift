/// A number of up to 18 digits, up to 17 of them after the point, in 64 bits: enough for most cells.
struct ShortDecimal: Sendable {
  /// All digits as one integer.
  let digits: Int64

  /// How many of them come after the point; 0 for a whole number.
  let scale: UInt8

  /// The maximum number of decimals that one may have: computed numbers have more than cells.
  static let mostDecimals = 18

  /// Creates a number from its parts.
  @inline(__always)
  init(digits: Int64, scale: UInt8) {
    self.digits = digits
    self.scale = scale
  }

  /// Reads a cell of at most 18 bytes: digits, perhaps with a minus, a point and decimals; `nil` for
  /// everything else, most of which is no number.
  @inline(__always)
  init?(_ text: Span<UInt8>) {
    let count = text.count
    guard count > 0, count <= 18 else { return nil }
    var index = text[0] == UInt8(ascii: "-") ? 1 : 0
    let isNegative = index == 1
    let start = index
    var value: Int64 = 0
    while index < count {
      let digit = text[index] &- 48
      if digit > 9 { break }
      value = value &* 10 &+ Int64(digit)
      index &+= 1
    }
    guard index > start else { return nil }
    var decimals = 0
    if index < count {
      guard text[index] == UInt8(ascii: "."), index &+ 1 < count else { return nil }
      index &+= 1
      decimals = count &- index
      while index < count {
        let digit = text[index] &- 48
        if digit > 9 { return nil }
        value = value &* 10 &+ Int64(digit)
        index &+= 1
      }
    }
    digits = isNegative ? 0 &- value : value
    scale = UInt8(truncatingIfNeeded: decimals)
  }

  /// The number, if it is short.
  init?(_ number: Number) {
    switch number {
    case .int(let value): self.init(digits: value, scale: 0)
    case .decimal(let value):
      guard value.scale <= Self.mostDecimals, let digits = Int64(exactly: value.significand) else {
        return nil
      }
      self.init(digits: digits, scale: UInt8(truncatingIfNeeded: value.scale))
    case .long, .double: return nil
    }
  }

  /// The sum of both, with the larger of their scales; `nil` if it is too long.
  @inline(__always)
  func adding(_ other: ShortDecimal) -> ShortDecimal? {
    var (left, right) = (self, other)
    if left.scale != right.scale {
      guard let (first, second) = Self.toOneScale(left, right) else { return nil }
      (left, right) = (first, second)
    }
    let (sum, isLong) = left.digits.addingReportingOverflow(right.digits)
    return isLong ? nil : ShortDecimal(digits: sum, scale: left.scale)
  }

  /// Both numbers with the larger of their scales; `nil` if one is then too long.
  private static func toOneScale(_ left: ShortDecimal, _ right: ShortDecimal) -> (ShortDecimal, ShortDecimal)?
  {
    let scale = max(left.scale, right.scale)
    guard let left = left.rescaled(to: scale), let right = right.rescaled(to: scale) else { return nil }
    return (left, right)
  }

  private func rescaled(to wanted: UInt8) -> ShortDecimal? {
    var digits = digits
    for _ in scale..<wanted {
      let (product, isLong) = digits.multipliedReportingOverflow(by: 10)
      if isLong { return nil }
      digits = product
    }
    return ShortDecimal(digits: digits, scale: wanted)
  }

  /// The same value as a number of any kind.
  var number: Number {
    scale == 0 ? .int(digits) : .decimal(ExactDecimal(unchecked: Int128(digits), scale: Int(scale)))
  }

  /// The double that is nearest.
  @inline(__always)
  var doubleValue: Double {
    // Both are exact doubles, so that one division rounds once.
    digits.magnitude <= 1 << 53
      ? Double(digits) / DoubleReading.powerOfTen(Int(scale)) : number.doubleValue
  }
}
