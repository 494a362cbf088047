/// A line of words as display cells over bytes; a tab takes cells up to the next multiple of eight.
struct WordsLine {
  /// The byte of the line, counted from its start, at which each display cell begins; the last is the line's length.
  private let bytes: [Int]
  private let text: [UInt8]

  /// Measures a line without its end.
  init(_ line: Span<UInt8>) {
    text = [UInt8](line)
    guard !line.isPrintableASCII else {
      bytes = Array(0...line.count)
      return
    }
    var starts: [Int] = []
    var cursor = ClusterCursor(metrics: TextMetrics())
    while let cluster = cursor.next(in: line) {
      let isTab = line[cluster.range.lowerBound] == 9
      let width = isTab ? 8 - starts.count % 8 : cluster.width
      for _ in 0..<width { starts.append(cluster.range.lowerBound) }
    }
    starts.append(line.count)
    bytes = starts
  }

  /// The number of display cells.
  var width: Int { bytes.count - 1 }

  /// Whether a display cell holds a blank.
  func isBlank(_ cell: Int) -> Bool { text[bytes[cell]] == 32 || text[bytes[cell]] == 9 }

  /// The text in some display cells, without outer blanks.
  func text(in cells: Range<Int>) -> String {
    String(decoding: text[trimmed(cells: cells)], as: UTF8.self)
  }

  /// Whether the text in some display cells has two blanks, or nothing, before it.
  func isSpaced(before cells: Range<Int>) -> Bool {
    var first = cells.lowerBound
    while first < min(cells.upperBound, width), isBlank(first) { first += 1 }
    var gap = 0
    while first > gap, isBlank(first - 1 - gap) { gap += 1 }
    return gap >= 2 || first == gap
  }

  /// The bytes of some display cells, without outer blanks.
  func trimmed(cells: Range<Int>) -> Range<Int> {
    var low = min(cells.lowerBound, width)
    var high = min(cells.upperBound, width)
    while low < high, isBlank(low) { low += 1 }
    while high > low, isBlank(high - 1) { high -= 1 }
    return bytes[low]..<bytes[high]
  }

  /// A blank cell between the end of one column and the start of the next, or `nil` where text crosses.
  func boundary(between end: Int, and start: Int) -> Int? {
    var cell = start - 1
    while cell >= end {
      if cell >= width || isBlank(cell) { return cell + 1 }
      cell -= 1
    }
    return nil
  }

  /// The fields between runs of blanks, at most `count`; the last takes the rest.
  func parted(into count: Int) -> [Range<Int>] {
    var fields: [Range<Int>] = []
    var cell = 0
    while true {
      while cell < width, isBlank(cell) { cell += 1 }
      guard cell < width, fields.count < count else { return fields }
      if fields.count == count - 1 {
        fields.append(trimmed(cells: cell..<width))
        return fields
      }
      let start = cell
      while cell < width, !isBlank(cell) { cell += 1 }
      fields.append(bytes[start]..<bytes[cell])
    }
  }

  /// The texts between runs of at least so many blanks.
  func titles(minimumGap: Int) -> [String] {
    var titles: [String] = []
    for field in parted(into: .max) {
      let word = String(decoding: text[field], as: UTF8.self)
      let before = text[..<field.lowerBound].reversed().prefix { $0 == 32 || $0 == 9 }
      let gap = before.contains(9) ? 8 : before.count
      if gap < minimumGap, let last = titles.popLast() {
        titles.append(last + " " + word)
      } else {
        titles.append(word)
      }
    }
    return titles
  }
}
