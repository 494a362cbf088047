/// A line as display cells over bytes; a tab extends to the next multiple of eight cells.
///
/// After the first `mappedCells` of them every byte counts as a cell, so that a long line takes little memory
/// (R52): its texts are split at the same blanks, wherever these are.
struct WordsLine {
  /// The number of display cells.
  let width: Int

  /// The bytes.
  let text: [UInt8]

  /// The byte at which each of the first display cells begins; empty if every byte is a cell.
  private let bytes: [UInt32]

  /// The byte after those cells.
  private let mappedEnd: Int

  /// The approximate number of display cells that are mapped one by one.
  private static let mappedCells = 1 << 20

  /// Measures a line without its end.
  init(_ line: Span<UInt8>) {
    text = [UInt8](line)
    guard !line.isPrintableASCII else {
      bytes = []
      mappedEnd = 0
      width = line.count
      return
    }
    var starts: [UInt32] = []
    starts.reserveCapacity(min(line.count, Self.mappedCells))
    var end = 0
    var cursor = ClusterCursor(metrics: TextMetrics())
    while starts.count < Self.mappedCells, let cluster = cursor.next(in: line) {
      let isTab = line[cluster.range.lowerBound] == 9
      let width = isTab ? 8 - starts.count % 8 : cluster.width
      for _ in 0..<width { starts.append(UInt32(truncatingIfNeeded: cluster.range.lowerBound)) }
      end = cluster.range.upperBound
    }
    bytes = starts
    mappedEnd = end
    width = starts.count + line.count - end
  }

  /// The byte at which a display cell begins, or the length of the line.
  func offset(ofCell cell: Int) -> Int {
    cell < bytes.count ? Int(bytes[cell]) : mappedEnd + cell - bytes.count
  }

  /// The number of words between blanks and tabs.
  var wordCount: Int {
    var count = 0
    var isInWord = false
    for byte in text {
      let isBlank = byte == 32 || byte == 9
      if !isBlank, !isInWord { count += 1 }
      isInWord = !isBlank
    }
    return count
  }

  /// Whether a display cell has a blank, or is after the end.
  func isBlank(_ cell: Int) -> Bool {
    guard cell < width else { return true }
    let byte = text[offset(ofCell: cell)]
    return byte == 32 || byte == 9
  }

  /// The line between columns in a display cell, if there is one; a colon counts in tables of dots.
  func vertical(at cell: Int, isDotted: Bool) -> UInt32? {
    guard cell < width else { return nil }
    let scalar = text.span.scalar(at: offset(ofCell: cell)).value
    return TableRule.isVertical(scalar) || isDotted && scalar == 0x3A ? scalar : nil
  }

  /// The text of some bytes.
  func text(ofBytes range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

  /// The text in some display cells, without outer blanks.
  func text(in cells: Range<Int>) -> String { text(ofBytes: trimmed(cells: cells)) }

  /// Whether the text in some display cells has two blanks, or nothing, before it.
  func isSpaced(before cells: Range<Int>) -> Bool {
    var first = cells.lowerBound
    while first < min(cells.upperBound, width), isBlank(first) { first += 1 }
    return first == 0 || isBlank(first - 1) && (first == 1 || isBlank(first - 2))
  }

  /// The bytes of some display cells, without outer blanks.
  func trimmed(cells: Range<Int>) -> Range<Int> {
    var low = min(cells.lowerBound, width)
    var high = min(cells.upperBound, width)
    while low < high, isBlank(low) { low += 1 }
    while high > low, isBlank(high - 1) { high -= 1 }
    return offset(ofCell: low)..<offset(ofCell: high)
  }

  /// The start of the next column after a blank cell between the end of one and the start of the next, or
  /// `nil` if text crosses.
  func boundary(between end: Int, and start: Int) -> Int? {
    var cell = start - 1
    while cell >= end {
      if isBlank(cell) { return cell + 1 }
      cell -= 1
    }
    return nil
  }

  /// The display cells of the words between runs of blanks.
  func words(in cells: Range<Int>) -> [Range<Int>] {
    var words: [Range<Int>] = []
    let end = min(cells.upperBound, width)
    var cell = cells.lowerBound
    while true {
      while cell < end, isBlank(cell) { cell += 1 }
      guard cell < end else { return words }
      let start = cell
      while cell < end, !isBlank(cell) { cell += 1 }
      words.append(start..<cell)
    }
  }

  /// The bytes of the fields between runs of blanks, at most `count`; the last gets the rest.
  func parted(_ cells: Range<Int>, into count: Int) -> [Range<Int>] {
    let end = min(cells.upperBound, width)
    var fields: [Range<Int>] = []
    var cell = cells.lowerBound
    while true {
      while cell < end, isBlank(cell) { cell += 1 }
      guard cell < end, fields.count < count else { return fields }
      if fields.count == count - 1 {
        fields.append(trimmed(cells: cell..<end))
        return fields
      }
      let start = cell
      while cell < end, !isBlank(cell) { cell += 1 }
      fields.append(offset(ofCell: start)..<offset(ofCell: cell))
    }
  }

  /// The bytes of the fields of the whole line.
  func parted(into count: Int) -> [Range<Int>] { parted(0..<width, into: count) }

  /// The display cells of the texts between runs of at least two blanks.
  func titles(in cells: Range<Int>) -> [Range<Int>] {
    var titles: [Range<Int>] = []
    for word in words(in: cells) {
      if let last = titles.last, word.lowerBound == last.upperBound + 1, !isTab(last.upperBound) {
        titles[titles.count - 1] = last.lowerBound..<word.upperBound
      } else {
        titles.append(word)
      }
    }
    return titles
  }

  /// Whether the word that ends with a display cell begins with a digit, or is `-`.
  func holdsValue(endingAt cell: Int) -> Bool {
    var first = cell
    while first > 0, !isBlank(first - 1) { first -= 1 }
    let byte = text[offset(ofCell: first)]
    return byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "-") && first == cell
  }

  /// The display cell of a title that `ss` prints without a blank before it.
  var gluedTitle: Int? {
    let title: StaticString = "Address:PortProcess"
    guard width == text.count, text.count >= title.utf8CodeUnitCount else { return nil }
    let start = (0...text.count - title.utf8CodeUnitCount).first { text.span.holds(title, at: $0) }
    return start.map { $0 + 12 }
  }

  /// Whether a selected row begins here: `▶` or `>` and a blank.
  var hasSelectionMark: Bool { text.span.endOfSelectionMark > 0 }

  /// The line with a blank instead of the mark of a selected row.
  var withoutGutter: WordsLine {
    guard hasSelectionMark else { return self }
    let blank = [32] + text.dropFirst(text.span.endOfSelectionMark)
    return WordsLine(blank.span)
  }

  /// The number of titles of the line.
  var titleCount: Int { titles(in: 0..<width).count }

  /// Whether the cell belongs to a tab.
  private func isTab(_ cell: Int) -> Bool { cell < width && text[offset(ofCell: cell)] == 9 }

  /// Whether the line is one of `-` `=` `─` `═` `━` and blanks, with two or more of them under each title of a header.
  func isRule(below header: WordsLine) -> Bool {
    let runs = words(in: 0..<width)
    guard !runs.isEmpty, Self.holdsRuleMarks(text.span) else { return false }
    return header.titles(in: 0..<header.width).allSatisfy { title in
      runs.contains {
        $0.clamped(to: title.lowerBound..<max(title.upperBound, title.lowerBound + 2)).count > 1
      }
    }
  }

  private static func holdsRuleMarks(_ text: Span<UInt8>) -> Bool {
    var offset = 0
    while offset < text.count {
      switch text[offset] {
      case 9, 32, UInt8(ascii: "-"), UInt8(ascii: "="): offset += 1
      case 0xE2:
        guard text.holds("─", at: offset) || text.holds("═", at: offset) || text.holds("━", at: offset)
        else { return false }
        offset += 3
      default: return false
      }
    }
    return true
  }
}

extension Span<UInt8> {
  /// The length of the mark of a selected row, `▶` or `>` with a blank after it; 0 if there is none.
  var endOfSelectionMark: Int {
    let length = holds("▶", at: 0) ? 3 : count > 0 && self[0] == UInt8(ascii: ">") ? 1 : 0
    let isMark = length > 0 && (length == count || self[length] == 32 || self[length] == 9)
    return isMark ? length : 0
  }
}
