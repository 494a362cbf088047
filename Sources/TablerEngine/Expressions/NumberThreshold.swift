/// A number that the cells of a column are compared with.
///
/// Cells of up to 18 digits are compared as integers: for each number of decimals a cell may have, the
/// threshold is kept with that many, rounded down.
struct NumberThreshold: Sendable {
  private let number: Number
  private let floors: [Int64]
  private let exact: [Bool]
  private let marks: NumberMarks

  private static let mostDecimals = 17

  /// Prepares comparisons with `number`.
  init(_ number: Number, marks: NumberMarks) {
    self.number = number
    self.marks = marks
    var floors: [Int64] = []
    var exact: [Bool] = []
    if let decimal = number.exact, marks == .standard {
      for decimals in 0...Self.mostDecimals {
        let (floor, isExact) = Self.floor(decimal, decimals)
        floors.append(floor)
        exact.append(isExact)
      }
    }
    self.floors = floors
    self.exact = exact
  }

  /// Below 0, 0 or above 0, as the number in `text` is below, equal to or above this one; nil if it is none.
  @inline(__always)
  func order(of text: Span<UInt8>, kind: Cell.Kind) -> Int? {
    let count = text.count
    guard count > 0, count <= 18, !floors.isEmpty else { return slowOrder(of: text, kind: kind) }
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
    guard index > start else { return slowOrder(of: text, kind: kind) }
    var decimals = 0
    if index < count {
      guard text[index] == UInt8(ascii: "."), index &+ 1 < count else {
        return slowOrder(of: text, kind: kind)
      }
      index &+= 1
      decimals = count &- index
      while index < count {
        let digit = text[index] &- 48
        if digit > 9 { return slowOrder(of: text, kind: kind) }
        value = value &* 10 &+ Int64(digit)
        index &+= 1
      }
    }
    if isNegative { value = 0 &- value }
    let floor = floors[decimals]
    return value < floor ? -1 : value > floor ? 1 : exact[decimals] ? 0 : -1
  }

  @inline(never)
  private func slowOrder(of text: Span<UInt8>, kind: Cell.Kind) -> Int? {
    let marks = kind == .number ? NumberMarks.standard : marks
    return NumberReader.loose(text, marks: marks).map { Number.compare($0, number) }
  }

  /// The largest integer that is not above `number` times `10^decimals`, and whether it is the same; values
  /// beyond 64 bits are cut to the largest, which no cell of 18 digits reaches.
  private static func floor(_ number: ExactDecimal, _ decimals: Int) -> (Int64, Bool) {
    var value = number.significand
    if decimals >= number.scale {
      let factor = Int128(ExactDecimal.powerOfTen(decimals - number.scale))
      let (product, overflow) = value.multipliedReportingOverflow(by: factor)
      value = overflow ? (value < 0 ? .min : .max) : product
      return (Int64(clamping: value), true)
    }
    let unit = Int128(ExactDecimal.powerOfTen(number.scale - decimals))
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: unit)
    return (Int64(clamping: rest < 0 ? quotient - 1 : quotient), rest == 0)
  }
}
