/// An amount as programs print it for people: `900K`, `1.5G`, `512Mi`, `1.2 MB`, `45%`, `153m`.
///
/// `K M G T P E Z Y` count 1024, with `B` after them 1000, with `i` or `iB` 1024 again; `m` is a thousandth. A
/// percentage is the number before its mark. The value is exact.
public enum Size {
  /// The bytes that `text` means; nil when it is neither an amount, `512M`, nor a part of `whole`, `25%`.
  public static func bytes(_ text: String, of whole: Int) -> Int? {
    let bytes = Array(text.utf8)
    guard unit(of: bytes.span) != .thousandth, let size = read(bytes.span)?.doubleValue, size >= 0 else {
      return nil
    }
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
    guard unit.power != 0 else { return number }
    return scaled(number, by: unit)
  }

  /// What kind of unit a text ends with.
  enum UnitKind {
    /// `m`, which is a thousandth but in other notations means mega.
    case thousandth

    /// Any other letter of a unit, also one that is not read: `k`, `g`, `b`, `GiB`.
    case other
  }

  /// The kind of the unit that `text` ends with, as far as its last letters tell; nil where it has none.
  static func unit(of text: Span<UInt8>) -> UnitKind? {
    var end = text.count
    while end > 0, NumberScan.isBlank(text[end - 1]) { end -= 1 }
    var start = end
    while start > 0, (text[start - 1] | 0x20) &- 0x61 < 26 { start -= 1 }
    switch end - start {
    case 1 where text[start] == UInt8(ascii: "m"): return .thousandth
    case 1...3 where start > 0:
      return power(of: text[start] & 0xDF) != nil || text[start] | 0x20 == 0x62 ? .other : nil
    default: return nil
    }
  }

  private static func scaled(_ number: Number, by unit: Unit) -> Number {
    if unit.power < 0 {
      guard let part = number.exact?.multiplied(by: ExactDecimal(unchecked: 1, scale: 3)) else {
        return .double(number.doubleValue / 1000)
      }
      return Number(part.withoutTrailingZeros)
    }
    var factor: Int128 = 1
    for _ in 0..<unit.power { factor &*= unit.base }
    guard let exact = number.exact,
      let product = exact.multiplied(by: ExactDecimal(unchecked: factor, scale: 0))
    else { return .double(number.doubleValue * Double(factor)) }
    return Number(product.withoutTrailingZeros)
  }
}

extension Size {
  /// What follows the number: `base^power`, or a thousandth where `power` is below 0.
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
      if first == UInt8(ascii: "m") {
        guard index == end else { return nil }
        power = -1
        return
      }
      guard let power = Size.power(of: first) else { return nil }
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
  }

  /// The power of a unit's letter.
  private static func power(of letter: UInt8) -> Int? {
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
