/// Roundings that keep the kind of a number: an int stays an int, a decimal gets the decimals asked for.
extension Number {
  /// The number with `decimals` decimals, half away from zero: `2.1000` to 2 is `2.10`.
  ///
  /// An int without decimals stays an int. Doubles round as they print, so that what shows as `2.675` gives
  /// `2.68`.
  func rounded(to decimals: Int) -> Self {
    switch self {
    case .int(let value):
      return ExactDecimal(value).rounded(to: decimals).map(Self.init) ?? self
    case .decimal(let value):
      return value.rounded(to: decimals).map(Self.decimal) ?? self
    case .long(_, let value), .double(let value):
      return .double(Self.changed(value, decimals) { $0.rounded(to: $1) })
    }
  }

  /// The number with `decimals` decimals, cut toward zero.
  func truncated(to decimals: Int) -> Self {
    switch self {
    case .int(let value):
      return ExactDecimal(value).truncated(to: decimals).map(Self.init) ?? self
    case .decimal(let value):
      return value.truncated(to: decimals).map(Self.decimal) ?? self
    case .long(_, let value), .double(let value):
      return .double(Self.changed(value, decimals) { $0.truncated(to: $1) })
    }
  }

  /// The largest whole number that is not above this one.
  var floor: Self { whole(.down) }

  /// The smallest whole number that is not below this one.
  var ceiling: Self { whole(.up) }

  /// -1, 0 or 1 by the sign; a NaN stays.
  var signum: Self {
    if isNaN { return self }
    return .int(isNegative ? -1 : isZero ? 0 : 1)
  }
}

extension Number {
  private func whole(_ rule: FloatingPointRoundingRule) -> Self {
    switch self {
    case .int: return self
    case .long(_, let value), .double(let value): return .double(value.rounded(rule))
    case .decimal(let value):
      guard value.scale > 0, let cut = value.truncated(to: 0) else { return self }
      let isShort = rule == .down ? value < cut : cut < value
      guard isShort else { return .decimal(cut) }
      return cut.adding(ExactDecimal(rule == .down ? -1 : 1)).map(Self.decimal) ?? self
    }
  }

  /// `value` changed as the decimal that it prints as; values beyond a decimal's digits have nothing to round.
  private static func changed(
    _ value: Double, _ decimals: Int, by change: (ExactDecimal, Int) -> ExactDecimal?
  ) -> Double {
    guard value.isFinite, let digits = ShortestDigits(value) else { return value }
    if 0 &- digits.exponent <= decimals { return value }
    guard let exact = digits.exact else { return digits.exponent < 0 && decimals <= 20 ? 0 : value }
    return change(exact, decimals)?.doubleValue ?? value
  }
}
