/// The C library: everything that the module uses from the system.
///
/// It is exported, so that every file of the module sees it and no other file imports it.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Darwin
#endif

/// The functions of the C library's mathematics that the standard library lacks.
enum Mathematics {
  /// `base` to the power of `exponent`.
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
  /// The cube root.
  static func cubeRoot(_ value: Double) -> Double { cbrt(value) }
  /// e to the power of `value`.
  static func exponential(_ value: Double) -> Double { exp(value) }
  /// The natural logarithm.
  static func logarithm(_ value: Double) -> Double { log(value) }
  /// The logarithm to base 2.
  static func logarithm2(_ value: Double) -> Double { log2(value) }
  /// The logarithm to base 10.
  static func logarithm10(_ value: Double) -> Double { log10(value) }
  /// The sine of an angle in radians.
  static func sine(_ value: Double) -> Double { sin(value) }
  /// The cosine of an angle in radians.
  static func cosine(_ value: Double) -> Double { cos(value) }
  /// The tangent of an angle in radians.
  static func tangent(_ value: Double) -> Double { tan(value) }
  /// The angle in radians whose sine is `value`.
  static func arcSine(_ value: Double) -> Double { asin(value) }
  /// The angle in radians whose cosine is `value`.
  static func arcCosine(_ value: Double) -> Double { acos(value) }
  /// The angle in radians whose tangent is `value`.
  static func arcTangent(_ value: Double) -> Double { atan(value) }
  /// The angle in radians of the point `vertical` units up and `horizontal` units to the right.
  static func arcTangent(_ vertical: Double, _ horizontal: Double) -> Double { atan2(vertical, horizontal) }
}
