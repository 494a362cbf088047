/// The functions over doubles; nil outside the domain.
enum NumberFunctions {
  /// The value of a function of one number.
  static func value(_ function: Function, _ x: Double) -> Double? {
    switch function {
    case .sqrt: x < 0 ? nil : x.squareRoot()
    case .cbrt: cubeRoot(x)
    case .exp: Mathematics.exponential(x)
    case .ln: x <= 0 ? nil : Mathematics.logarithm(x)
    case .log10: x <= 0 ? nil : Mathematics.logarithm10(x)
    case .log2: x <= 0 ? nil : Mathematics.logarithm2(x)
    case .sin: x.isInfinite ? nil : Mathematics.sine(x)
    case .cos: x.isInfinite ? nil : Mathematics.cosine(x)
    case .tan: x.isInfinite ? nil : Mathematics.tangent(x)
    case .asin: abs(x) > 1 ? nil : Mathematics.arcSine(x)
    case .acos: abs(x) > 1 ? nil : Mathematics.arcCosine(x)
    case .atan: Mathematics.arcTangent(x)
    default: nil
    }
  }

  /// The cube root; that of a cube is whole, which not every C library sees to.
  private static func cubeRoot(_ x: Double) -> Double {
    let root = Mathematics.cubeRoot(x)
    let whole = root.rounded()
    return whole * whole * whole == x ? whole : root
  }

  /// The value of a function of two numbers.
  static func value(_ function: Function, _ x: Double, _ y: Double) -> Double? {
    switch function {
    case .atan2: return Mathematics.arcTangent(x, y)
    case .log:
      guard x > 0, x != 1, y > 0 else { return nil }
      return Mathematics.logarithm(y) / Mathematics.logarithm(x)
    default: return nil
    }
  }

  /// The multiple of `unit` nearest to `value`, half away from zero; nil when `unit` is zero.
  static func rounded(_ value: Number, toMultipleOf unit: Number) -> Number? {
    let unit = unit.magnitude
    guard !unit.isZero, let quotient = value.quotient(by: unit), let rest = value.remainder(dividingBy: unit)
    else {
      return nil
    }
    let isFar = rest.magnitude.adding(rest.magnitude) >= unit
    let steps = isFar ? quotient.adding(.int(value.isNegative ? -1 : 1)) : quotient
    return steps.multiplied(by: unit)
  }
}
