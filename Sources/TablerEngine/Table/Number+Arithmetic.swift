/// `+ - * / // % ^`: exact where both sides are exact, a double where one is or where digits run out.
extension Number {
  /// The sum.
  func adding(_ other: Self) -> Self {
    if case .int(let left) = self, case .int(let right) = other {
      let (sum, overflow) = left.addingReportingOverflow(right)
      if !overflow { return .int(sum) }
    }
    guard let left = exact, let right = other.exact, let sum = left.adding(right)
    else { return .double(doubleValue + other.doubleValue) }
    return .decimal(sum)
  }

  /// The difference.
  func subtracting(_ other: Self) -> Self {
    if case .int(let left) = self, case .int(let right) = other {
      let (difference, overflow) = left.subtractingReportingOverflow(right)
      if !overflow { return .int(difference) }
    }
    guard let left = exact, let right = other.exact, let difference = left.subtracting(right)
    else { return .double(doubleValue - other.doubleValue) }
    return .decimal(difference)
  }

  /// The product.
  func multiplied(by other: Self) -> Self {
    if case .int(let left) = self, case .int(let right) = other {
      let (product, overflow) = left.multipliedReportingOverflow(by: right)
      if !overflow { return .int(product) }
    }
    guard let left = exact, let right = other.exact, let product = left.multiplied(by: right)
    else { return .double(doubleValue * other.doubleValue) }
    return .decimal(product)
  }

  /// The true quotient, always a double; nil when `divisor` is zero.
  func divided(by divisor: Self) -> Self? {
    divisor.isZero ? nil : .double(doubleValue / divisor.doubleValue)
  }

  /// The quotient cut toward zero, exact for exact numbers; nil when `divisor` is zero.
  func quotient(by divisor: Self) -> Self? {
    if divisor.isZero { return nil }
    if let left = exact, let right = divisor.exact, let quotient = left.quotient(by: right) {
      return Self(quotient)
    }
    return .double((doubleValue / divisor.doubleValue).rounded(.towardZero))
  }

  /// What `quotient` leaves, with the sign of the dividend; nil when `divisor` is zero.
  func remainder(dividingBy divisor: Self) -> Self? {
    if divisor.isZero { return nil }
    if case .int(let left) = self, case .int(let right) = divisor {
      // The smallest integer over -1 does not fit, and leaves nothing.
      return .int(right == -1 ? 0 : left % right)
    }
    if let left = exact, let right = divisor.exact, let rest = left.remainder(dividingBy: right) {
      return .decimal(rest)
    }
    return .double(doubleValue.truncatingRemainder(dividingBy: divisor.doubleValue))
  }

  /// The number with the other sign.
  var negated: Self {
    switch self {
    case .int(let value) where value != .min: .int(-value)
    case .int(let value): .decimal(ExactDecimal(value).negated)
    case .decimal(let value): .decimal(value.negated)
    case .long(let digits, let nearest): .long(digits.negated, nearest: -nearest)
    case .double(let value): .double(-value)
    }
  }

  /// The number without sign.
  var magnitude: Self { isNegative ? negated : self }

  /// The power: exact for an exact base and a whole exponent from 0 on while the digits last, else a double.
  ///
  /// Nil where it has no value: `0 ^ -1`, `(-8) ^ 0.5`.
  func power(_ exponent: Self) -> Self? {
    if let base = exact, case .int(let times) = exponent, times >= 0,
      let power = Self.exactPower(of: base, times)
    {
      return isDecimal ? .decimal(power) : Self(power)
    }
    let result = Mathematics.power(doubleValue, exponent.doubleValue)
    if result.isNaN, !isNaN, !exponent.isNaN { return nil }
    if result.isInfinite, isZero { return nil }
    return .double(result)
  }
}

extension Number {
  private var isDecimal: Bool {
    if case .decimal = self { true } else { false }
  }

  /// `base` to the power `times` by squaring; nil when it does not fit.
  private static func exactPower(of base: ExactDecimal, _ times: Int64) -> ExactDecimal? {
    var result = ExactDecimal(1)
    var square = base
    var rest = times
    while rest > 0 {
      if rest & 1 == 1 {
        guard let product = result.multiplied(by: square) else { return nil }
        result = product
      }
      rest >>= 1
      if rest > 0 {
        guard let product = square.multiplied(by: square) else { return nil }
        square = product
      }
    }
    return result
  }
}
