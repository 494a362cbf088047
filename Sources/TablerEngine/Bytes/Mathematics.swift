#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The functions of the C library's mathematics that the standard library lacks.
enum Mathematics {
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
  static func cubeRoot(_ value: Double) -> Double { cbrt(value) }
  static func exponential(_ value: Double) -> Double { exp(value) }
  static func logarithm(_ value: Double) -> Double { log(value) }
  static func logarithm2(_ value: Double) -> Double { log2(value) }
  static func logarithm10(_ value: Double) -> Double { log10(value) }
  static func sine(_ value: Double) -> Double { sin(value) }
  static func cosine(_ value: Double) -> Double { cos(value) }
  static func tangent(_ value: Double) -> Double { tan(value) }
  static func arcSine(_ value: Double) -> Double { asin(value) }
  static func arcCosine(_ value: Double) -> Double { acos(value) }
  static func arcTangent(_ value: Double) -> Double { atan(value) }
  static func arcTangent(_ vertical: Double, _ horizontal: Double) -> Double { atan2(vertical, horizontal) }
}
