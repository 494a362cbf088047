/// An amount as programs print it for people: `900K`, `1.5G`, `512Mi`, `1.2 MB`, `45%`.
///
/// `K M G T P E Z Y` count 1024, with `B` after them 1000, with `i` or `iB` 1024 again. A percentage is
/// the number before its mark. The value is exact.
public enum Size {
  /// The bytes that `text` stands for; nil when it is neither an amount, `512M`, nor a part of `whole`, `25%`.
  public static func bytes(_ text: String, of whole: Int) -> Int? {
    let bytes = Array(text.utf8)
    guard let size = read(bytes.span)?.doubleValue, size >= 0 else { return nil }
    return Int(exactly: (bytes.last == UInt8(ascii: "%") ? Double(whole) / 100 * size : size).rounded())
  }

  /// The number that `text` stands for; nil when it is no size.
  static func read(_ text: Span<UInt8>, marks: NumberMarks = .standard) -> Number? {
    var start = 0
    while start < text.count, NumberScan.isBlank(text[start]) { start += 1 }
    let inner = text.extracting(start..<text.count)
    var length = 0
    guard let scan = NumberScan(prefixOf: inner, marks: marks, length: &length),
      let unit = Unit(inner.extracting(length..<inner.count))
    else { return nil }
    let number = NumberReader.number(scan, inner)
    guard unit.power > 0 else { return number }
    return scaled(number, by: unit)
  }

  private static func scaled(_ number: Number, by unit: Unit) -> Number {
    var factor: Int128 = 1
    for _ in 0..<unit.power { factor &*= unit.base }
    guard let exact = number.exact,
      let product = exact.multiplied(by: ExactDecimal(unchecked: factor, scale: 0))
    else { return .double(number.doubleValue * Double(factor)) }
    return Number(product.withoutTrailingZeros)
  }
}

extension Size {
  /// What stands after the number: `base^power`.
  private struct Unit {
    var base: Int128 = 1024
    var power = 0

    init?(_ text: Span<UInt8>) {
      var index = 0
      var end = text.count
      while index < end, NumberScan.isBlank(text[index]) { index += 1 }
      while end > index, NumberScan.isBlank(text[end - 1]) { end -= 1 }
      guard index < end else { return }
      let first = text[index]
      index += 1
      if first == UInt8(ascii: "%") || first == UInt8(ascii: "B") {
        guard index == end else { return nil }
        return
      }
      guard let power = Self.power(first) else { return nil }
      self.power = power
      if index < end, text[index] == UInt8(ascii: "i") {
        index += 1
        if index < end, text[index] == UInt8(ascii: "B") { index += 1 }
      } else if index < end, text[index] == UInt8(ascii: "B") {
        index += 1
        base = 1000
      }
      guard index == end else { return nil }
    }

    private static func power(_ letter: UInt8) -> Int? {
      switch letter {
      case UInt8(ascii: "K"), UInt8(ascii: "k"): 1
      case UInt8(ascii: "M"): 2
      case UInt8(ascii: "G"): 3
      case UInt8(ascii: "T"): 4
      case UInt8(ascii: "P"): 5
      case UInt8(ascii: "E"): 6
      case UInt8(ascii: "Z"): 7
      case UInt8(ascii: "Y"): 8
      default: nil
      }
    }
  }
}
