/// A length in CSS: a sum of pixels, ems and character widths.
struct CSSLength: Equatable {
  private var pixels = 0.0
  private var ems = 0.0
  private var characters = 0.0

  /// So many pixels.
  static func pixels(_ amount: Double) -> CSSLength {
    var length = CSSLength()
    length.pixels = amount
    return length
  }

  /// So many times the size of the font.
  static func ems(_ amount: Double) -> CSSLength {
    var length = CSSLength()
    length.ems = amount
    return length
  }

  /// So many character widths.
  static func characters(_ amount: Double) -> CSSLength {
    var length = CSSLength()
    length.characters = amount
    return length
  }

  /// A length across lines: a bare number counts lines of 1.25em.
  static func vertical(_ length: Length) -> CSSLength { CSSLength(length, line: 1.25) }

  /// A length along lines: a bare number counts characters.
  static func horizontal(_ length: Length) -> CSSLength { CSSLength(length, line: nil) }

  private init() {}

  private init(_ length: Length, line: Double?) {
    let amount = length.amount.isNaN ? 0 : min(max(length.amount, -10_000), 10_000)
    switch length.unit {
    case .pixels: pixels = amount
    case .ems: ems = amount
    case .cells: if let line { ems = amount * line } else { characters = amount }
    }
  }

  /// The sum, unit by unit.
  static func + (left: CSSLength, right: CSSLength) -> CSSLength {
    var sum = left
    sum.pixels += right.pixels
    sum.ems += right.ems
    sum.characters += right.characters
    return sum
  }

  /// The length divided by two.
  var half: CSSLength {
    var half = self
    half.pixels /= 2
    half.ems /= 2
    half.characters /= 2
    return half
  }

  /// The length as CSS writes it; never negative.
  var css: String {
    let parts = [(pixels, "px"), (ems, "em"), (characters, "ch")].filter { $0.0 != 0 }
    guard let first = parts.first else { return "0" }
    if parts.count == 1 { return first.0 < 0 ? "0" : Self.digits(first.0) + first.1 }
    let sum = parts.map { Self.digits($0.0) + $0.1 }.joined(separator: " + ")
    return parts.contains { $0.0 < 0 } ? "max(0px,\(sum))" : "calc(\(sum))"
  }

  /// At most three decimals, and no exponent.
  private static func digits(_ amount: Double) -> String {
    let thousandths = Int((amount * 1000).rounded())
    var fraction = String(thousandths.magnitude % 1000)
    fraction = String(repeating: "0", count: 3 - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    let whole = thousandths.magnitude / 1000
    let text = fraction.isEmpty ? String(whole) : (whole == 0 ? "." : "\(whole).") + fraction
    return (thousandths < 0 ? "-" : "") + text
  }
}
