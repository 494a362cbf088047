/// Counts the rows of an output that arrives in pieces.
struct RowCounter {
  private let mark: RowMark
  private var found = 0
  /// The beginning of the line that is being read; marks stand there.
  private var line: [UInt8] = []
  /// How much of `<tr` the bytes read last are.
  private var matched = 0

  private static let longestBeginning = 128
  private static let tag = Array("<tr".utf8)

  init(mark: RowMark) {
    self.mark = mark
  }

  /// The rows seen so far.
  var rows: Int {
    if case .tableRow = mark { return max(found - 1, 0) }
    return found
  }

  mutating func read(_ bytes: [UInt8]) {
    if case .tableRow = mark {
      for byte in bytes { match(byte) }
      return
    }
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if isMarked { found += 1 }
        line.removeAll(keepingCapacity: true)
      } else if line.count < Self.longestBeginning {
        line.append(byte)
      }
    }
  }
}

extension RowCounter {
  private mutating func match(_ byte: UInt8) {
    matched = byte == Self.tag[matched] ? matched + 1 : byte == Self.tag[0] ? 1 : 0
    guard matched == Self.tag.count else { return }
    found += 1
    matched = 0
  }

  private var isMarked: Bool {
    let content = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "|") || $0 >= 0x80 }
    switch mark {
    case .leadingDigit:
      return content.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    case .leadingWord(let word):
      return content.starts(with: (word + " ").utf8)
    case .tableRow:
      return false
    }
  }
}
