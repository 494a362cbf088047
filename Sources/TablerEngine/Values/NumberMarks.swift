/// The marks that numbers in cells are written with: `1234.50`, or `1.234,50` after `--decimal , --thousands .`.
///
/// They are used to read, compare and write cells; expressions and JSON always have the point. The thousands
/// mark may take several bytes (U+00A0, U+202F); it is kept inline, so that the value is cheap to copy.
struct NumberMarks: Hashable, Sendable {
  /// The mark before the decimals.
  let decimal: UInt8

  /// The number of bytes of the thousands mark; 0 if there is none.
  let thousandsLength: Int

  private let packedThousands: UInt32

  /// The point, and no thousands mark.
  static let standard = NumberMarks()

  private init() {
    decimal = .init(ascii: ".")
    thousandsLength = 0
    packedThousands = 0
  }

  /// Creates the marks; nil if they are alike, or could be mistaken for a part of a number.
  init?(decimal: UInt8 = .init(ascii: "."), thousands: [UInt8]? = nil) {
    let thousands = thousands ?? []
    guard Self.isMark(decimal), decimal < 0x80, thousands.count <= 4, thousands.allSatisfy(Self.isMark),
      thousands != [decimal]
    else { return nil }
    self.decimal = decimal
    thousandsLength = thousands.count
    packedThousands = thousands.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The bytes of the thousands mark; empty if there is none.
  var thousands: [UInt8] { (0..<thousandsLength).map(thousandsByte) }

  /// Whether the thousands mark is at `offset` in `text`, before `end`.
  @inline(__always)
  func isThousands(in text: Span<UInt8>, at offset: Int, before end: Int) -> Bool {
    guard thousandsLength > 0, end &- offset >= thousandsLength else { return false }
    for index in 0..<thousandsLength where text[offset &+ index] != thousandsByte(index) { return false }
    return true
  }

  /// Appends the mark that separates thousands in a format with `,`.
  ///
  /// Without a thousands mark it is the comma, or the point if the comma is the decimal mark.
  func appendGroupMark(to buffer: inout ByteBuffer) {
    guard thousandsLength > 0 else {
      let comma = UInt8(ascii: ",")
      buffer.append(decimal == comma ? UInt8(ascii: ".") : comma)
      return
    }
    for index in 0..<thousandsLength { buffer.append(thousandsByte(index)) }
  }
}

extension NumberMarks {
  private func thousandsByte(_ index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: packedThousands >> UInt32(truncatingIfNeeded: 8 &* index))
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-"):
      false
    case 0..<0x20, 0x7F: false
    default: true
    }
  }
}
