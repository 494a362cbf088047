/// The order in which rows must come out; those with equal keys in the order of the input.
enum RowOrder {
  case input
  case weightDown
  case name
  case categoryThenWeightDown
  /// By the date in lines of csv.
  case date

  /// What a row is compared by, least first.
  struct Key {
    var text: [UInt8] = []
    var number = 0.0
    var position: Int

    /// Whether the row must not come out before the other one.
    func isBehind(_ other: Key) -> Bool {
      if text != other.text { return other.text.lexicographicallyPrecedes(text) }
      if number != other.number { return other.number < number }
      return other.position < position
    }
  }

  /// The key of a row, read from its line in the output; nothing where the cells of the key are not there.
  func key(position: Int, line: [UInt8]) -> Key? {
    if case .input = self { return Key(position: position) }
    if case .date = self { return Self.date(in: line).map { Key(text: $0, position: position) } }
    let cells = Self.cells(of: line)
    guard cells.count >= 5, let weight = Double(String(decoding: cells[2], as: UTF8.self)) else { return nil }
    switch self {
    case .input, .date: return Key(position: position)
    case .weightDown: return Key(number: -weight, position: position)
    case .name: return Key(text: Array(cells[1]), position: position)
    case .categoryThenWeightDown: return Key(text: Array(cells[4]), number: -weight, position: position)
    }
  }

  /// The first cell of a line of csv that looks like a date.
  private static func date(in line: [UInt8]) -> [UInt8]? {
    let (comma, hyphen) = (UInt8(ascii: ","), UInt8(ascii: "-"))
    for start in line.indices where line[start] == comma && start + 11 < line.count {
      let cell = line[(start + 1)..<(start + 11)]
      guard line[start + 11] == comma, line[start + 5] == hyphen, line[start + 8] == hyphen else { continue }
      return Array(cell)
    }
    return nil
  }

  /// The first cells of a line of List or Grid; all of them are ASCII, and none is empty or holds two blanks.
  private static func cells(of line: [UInt8]) -> [ArraySlice<UInt8>] {
    var cells: [ArraySlice<UInt8>] = []
    var start = 0
    for index in line.indices where cells.count < 5 {
      let isBorder = line[index] >= 0x80
      let isGap = line[index] == UInt8(ascii: " ") && (index == 0 || line[index - 1] == UInt8(ascii: " "))
      guard isBorder || isGap else { continue }
      let cell = line[start..<index].trimmed
      if !cell.isEmpty { cells.append(cell) }
      start = index + 1
    }
    return cells
  }
}

extension ArraySlice<UInt8> {
  /// Without the blanks at both ends.
  fileprivate var trimmed: Self {
    var slice = self
    while slice.first == UInt8(ascii: " ") { slice.removeFirst() }
    while slice.last == UInt8(ascii: " ") { slice.removeLast() }
    return slice
  }
}
