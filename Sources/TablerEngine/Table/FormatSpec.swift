/// How a number is shown: what stands after the colon in `{:,.2f}`.
///
/// In this order: a fill character and `<`, `>` or `^`, or one of these alone; `+`; `0`; a width in cells; `,`;
/// a point with the number of decimals; a kind. Every part may be left out.
struct FormatSpec: Hashable, Sendable {
  /// The letter at the end.
  enum Kind: UInt8, Sendable {
    /// Fixed decimals, 6 unless given: `2.10`.
    case fixed = 0x66
    /// One digit, decimals and an exponent of two digits or more: `1.50e+03`.
    case exponent = 0x65
    /// As many digits as given, 6 otherwise, in the shorter of both forms above.
    case general = 0x67
    /// A whole number.
    case integer = 0x64
    /// A whole number in base 16.
    case hexadecimal = 0x78
    /// A hundredfold with a mark: 0.25 is `25 %`.
    case percent = 0x25
    /// Thousands, millions and so on: `1.2k`, `3.4M`.
    case thousands = 0x6B
    /// Bytes in steps of 1024: `512 B`, `1.2 MiB`.
    case bytes = 0x42
    /// Seconds in the two largest units: `45s`, `5m 03s`, `1h 05m`, `2d 03h`.
    case time = 0x74
  }

  /// Where the text stands within the width.
  enum Side: UInt8, Sendable {
    case left = 0x3C
    case right = 0x3E
    case center = 0x5E
  }

  /// What fills the width, one character of one cell.
  private(set) var fill: [UInt8] = [0x20]
  /// The side; without one numbers stand on the right.
  private(set) var side: Side?
  /// Whether numbers above zero get a plus.
  private(set) var showsPlus = false
  /// Whether zeros fill the width, after the sign.
  private(set) var padsWithZeros = false
  /// The least number of cells.
  private(set) var width = 0
  /// Whether thousands are parted.
  private(set) var groups = false
  /// The number of decimals (for `g`, of digits); nil when the kind decides.
  private(set) var precision: Int?
  /// The kind; nil shows the digits that the number has.
  private(set) var kind: Kind?

  /// The largest width and number of decimals.
  static let limit = 1000

  /// Reads a spec.
  init(_ text: Span<UInt8>) throws(FormatSpecError) {
    var reader = Reader(text)
    try reader.takeSide(&fill, &side)
    showsPlus = reader.take("+")
    padsWithZeros = reader.take("0")
    width = try reader.digits() ?? 0
    groups = reader.take(",")
    if reader.take(".") {
      let start = reader.offset
      guard let count = try reader.digits() else { throw .unexpected(at: start) }
      precision = count
    }
    if let byte = reader.next {
      guard let found = Kind(rawValue: byte), found != .hexadecimal || !groups
      else { throw .unexpected(at: reader.offset) }
      kind = found
      reader.offset += 1
    }
    guard reader.next == nil else { throw .unexpected(at: reader.offset) }
  }
}

/// What is wrong with a format; offsets are bytes within the spec.
enum FormatSpecError: Error, Equatable {
  /// This does not belong here.
  case unexpected(at: Int)
  /// A width or number of decimals above the limit.
  case tooLarge(at: Int)
}

/// A place within a spec.
private struct Reader: ~Escapable {
  let text: Span<UInt8>
  var offset = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  var next: UInt8? { offset < text.count ? text[offset] : nil }

  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == mark.value else { return false }
    offset += 1
    return true
  }

  mutating func takeSide(_ fill: inout [UInt8], _ side: inout FormatSpec.Side?) throws(FormatSpecError) {
    guard let first = next else { return }
    let length = text.scalar(at: 0).length
    if length < text.count, let found = FormatSpec.Side(rawValue: text[length]) {
      let character = text.extracting(0..<length)
      guard first >= 0x20, displayWidth(of: character) == 1 else { throw .unexpected(at: 0) }
      fill = character.indices.map { character[$0] }
      side = found
      offset = length + 1
    } else if let found = FormatSpec.Side(rawValue: first) {
      side = found
      offset = 1
    }
  }

  mutating func digits() throws(FormatSpecError) -> Int? {
    let start = offset
    var value = 0
    while let next, NumberScan.digit(next) <= 9 {
      value = min(value * 10 + Int(NumberScan.digit(next)), FormatSpec.limit + 1)
      offset += 1
    }
    if value > FormatSpec.limit { throw .tooLarge(at: start) }
    return offset > start ? value : nil
  }
}
