/// How a row shows in the output: where the number stands that its record begins with.
enum RowMark {
  /// At the beginning of a line, after blanks and borders.
  case leadingNumber
  /// In a line of a card: after the label `id`.
  case card
  /// In the first cell of a row of HTML.
  case tableRow
  /// In an object of JSON lines, whose first key is `id`.
  case object
  /// In every line but the first: the number of the line.
  case line

  /// How much of a line is looked at.
  static let longestBeginning = 160

  /// The number in a line that begins a row; nothing in any other line.
  func number(in line: [UInt8]) -> Int? {
    switch self {
    case .leadingNumber: Self.number(in: line.drop(while: Self.isBlankOrBorder))
    case .card: Self.number(in: line.drop(while: Self.isBlankOrBorder), after: "id")
    case .tableRow: Self.numberOfTableRow(in: line)
    case .object: Self.numberOfObject(in: line)
    case .line: nil
    }
  }
}

extension RowMark {
  private static func numberOfObject(in line: [UInt8]) -> Int? {
    let opening = Array("{\"id\":".utf8)
    guard line.starts(with: opening) else { return nil }
    // Miller writes a blank after the colon.
    return number(in: line.dropFirst(opening.count).drop { $0 == UInt8(ascii: " ") })
  }

  private static func isBlankOrBorder(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "|") || byte >= 0x80
  }

  /// The digits that the text begins with.
  private static func number(in text: ArraySlice<UInt8>) -> Int? {
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty else { return nil }
    return digits.reduce(0) { $0 &* 10 &+ Int($1 - UInt8(ascii: "0")) }
  }

  private static func number(in text: ArraySlice<UInt8>, after label: String) -> Int? {
    guard text.starts(with: (label + " ").utf8) else { return nil }
    let value = text.dropFirst(label.utf8.count).drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "=") }
    return number(in: value)
  }

  /// The text of the cell in `<tr><td`, in capitals or not.
  private static func numberOfTableRow(in line: [UInt8]) -> Int? {
    let opening = Array("<tr><td".utf8)
    var rest = line[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if rest.prefix(opening.count).map({ $0 | 0x20 }) == opening.map({ $0 | 0x20 }) {
        return number(in: rest.dropFirst(opening.count).drop { $0 != UInt8(ascii: ">") }.dropFirst())
      }
      rest.removeFirst()
    }
    return nil
  }
}
