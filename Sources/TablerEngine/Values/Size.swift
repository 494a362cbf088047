/// An amount as programs print it for people: `900K`, `1.5G`, `512Mi`, `1.2 MB`, `45%`, `153m`.
///
/// `K M G T P E Z Y` count 1024, with `B` after them 1000, with `i` or `iB` 1024 again; `m` is a thousandth. A
/// percentage is the number before its mark. The value is exact.
public enum Size {
  /// The bytes that `text` means; nil if it is neither an amount, `512M`, nor a share of `whole`, `25%`.
  public static func bytes(_ text: String, of whole: Int) -> Int? {
    let bytes = Array(text.utf8)
    guard unit(of: bytes.span) != .thousandth, let size = read(bytes.span)?.doubleValue, size >= 0 else {
      return nil
    }
    return Int(exactly: (bytes.last == UInt8(ascii: "%") ? Double(whole) / 100 * size : size).rounded())
  }

  /// The number that `text` means; nil if it is no size.
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

    /// Any other letter of a unit, even one that is not read: `k`, `g`, `b`, `GiB`.
    case other
  }

  /// The kind of the unit that `text` ends with, judged by its last letters; nil if it has none.
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

  /// How a text spells its unit; nil if it has none.
  static func spelling(of text: Span<UInt8>, marks: NumberMarks = .standard) -> UnitSpelling? {
    var start = 0
    while start < text.count, NumberScan.isBlank(text[start]) { start += 1 }
    let inner = text.extracting(start..<text.count)
    var length = 0
    guard NumberScan(prefixOf: inner, marks: marks, length: &length) != nil else { return nil }
    return UnitSpelling(inner.extracting(length..<inner.count))
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
  /// The spelling of units in the cells of a column, for a size that is drawn below them: `1.8G`, `1.8 GiB`, `45%`.
  struct UnitSpelling: Sendable {
    private enum Scale: Sendable {
      /// A thousandth, or a percentage.
      case fixed(UInt8)
      /// Steps of 1000 or of 1024, and the text after their letters.
      case steps(of1000: Bool, suffix: [UInt8])
    }

    private let scale: Scale

    /// Whether the step of its units is known: after `512B` the steps of other cells may be either.
    let isCertain: Bool

    /// Whether a blank precedes the unit.
    private let isApart: Bool

    /// Whether thousands are `k`.
    private let hasSmallK: Bool

    /// Reads the text after the number of a cell; nil if it is no unit.
    fileprivate init?(_ text: Span<UInt8>) {
      var start = 0
      var end = text.count
      while start < end, NumberScan.isBlank(text[start]) { start += 1 }
      while end > start, NumberScan.isBlank(text[end - 1]) { end -= 1 }
      guard start < end, let unit = Unit(text) else { return nil }
      isApart = start > 0
      hasSmallK = text[start] == UInt8(ascii: "k")
      let first = text[start]
      isCertain = first != UInt8(ascii: "B")
      if unit.power < 0 || first == UInt8(ascii: "%") {
        scale = .fixed(first)
      } else {
        let suffix = text.extracting((unit.power == 0 ? start : start + 1)..<end)
        scale = .steps(of1000: unit.power == 0 || unit.base == 1000, suffix: Array(copying: suffix))
      }
    }

    /// Appends a size in its largest unit with at most `decimals` decimals.
    func append(_ size: Number, decimals: Int, marks: NumberMarks, to buffer: inout ByteBuffer) {
      switch scale {
      case .fixed(let letter):
        let isPart = letter == UInt8(ascii: "m")
        let product = isPart ? size.multiplied(by: .int(1000)) : size
        let number = product.exact.map { Number($0.withoutTrailingZeros) } ?? product
        NumberWriter.append(number, marks: marks, to: &buffer)
        if isApart { buffer.append(UInt8(ascii: " ")) }
        buffer.append(letter)
      case .steps(let of1000, let suffix):
        let step = FormatSpec.append(
          size, inStepsOf: of1000 ? 1000 : 1024, decimals: decimals, marks: marks, to: &buffer)
        let letters: [UInt8] =
          step == 0 ? [] : step == 1 && hasSmallK ? [UInt8(ascii: "k")] : [Size.letters[step - 1]]
        // Single bytes have no `i`.
        let unit = letters + suffix.drop { step == 0 && $0 == UInt8(ascii: "i") }
        if isApart, !unit.isEmpty { buffer.append(UInt8(ascii: " ")) }
        buffer.append(unit)
      }
    }
  }

  /// What follows the number: `base^power`, or a thousandth if `power` is negative.
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
      if index < end, text[index] | 0x20 == UInt8(ascii: "i") {
        index += 1
        if index < end, text[index] == UInt8(ascii: "B") { index += 1 }
      } else if index < end, text[index] == UInt8(ascii: "B") {
        index += 1
        base = 1000
      }
      guard index == end else { return nil }
    }
  }

  /// The letters of the units, by their powers from 1 on.
  private static let letters = Array("KMGTPEZY".utf8)

  /// The power of a unit's letter.
  private static func power(of letter: UInt8) -> Int? {
    letters.firstIndex(of: letter == UInt8(ascii: "k") ? UInt8(ascii: "K") : letter).map { $0 + 1 }
  }
}
