/// Reads rows that are drawn as cards, with one line for each column: those of `psql -x` and of mysql's `\G`.
///
/// The first card determines the columns. A line that begins with none of their names continues the cell
/// before it, unless it can only be another column: then its card has too many or too few fields.
struct CardsParser: LineParser {
  let titles: [String]
  let hasHeader: Bool
  let headerPlace: InputError.Location? = nil
  let isDrawn = true
  let isOver = false

  private let context: InputContext
  private let names: [[UInt8]]
  private let ragged: RaggedRecords

  /// The character position at which the separator between a name and its cell begins.
  private let markPlace: Int

  /// The kind of separator between a name and its cell.
  private let shape: Shape

  /// The card that is being read.
  private var open: Card?

  /// Whether a card is open, or the last line was the mark above one.
  private var isInside = false

  /// Whether a result has ended, so that the next may have other columns.
  private var isLaterResult = false

  /// A card whose lines are being read.
  private struct Card {
    /// Where it begins.
    let start: Int

    /// The lines of each cell.
    var cells: [[Range<Int>]] = []

    /// Whether it has a column that the first card does not have at this position.
    var hasOther = false
  }

  init(_ feed: BlockFeed, _ context: InputContext) throws(InputError) {
    self.context = context
    hasHeader = !context.options.hasNoHeader
    guard let first = try feed.firstLine(context) else {
      (titles, names, shape, markPlace) = ([], [], Shape(isOfMySQL: false), 0)
      ragged = RaggedRecords(0...0, context)
      return
    }
    let shape = Shape(isOfMySQL: feed.block[first.text.lowerBound] == UInt8(ascii: "*"))
    self.shape = shape
    let place = context.place(feed, at: first.text.lowerBound)
    var names = shape.names(in: feed, from: first.next)
    while !names.isWhole, !feed.isLast {
      try context.advance(feed)
      names = shape.names(in: feed, from: first.next)
    }
    try context.check(columns: names.names.count, of: place)
    try context.check(nameBytes: names.names.reduce(0) { $0 + $1.count }, of: place)
    self.names = names.names
    markPlace = names.mark
    ragged = RaggedRecords(names.names.count...names.names.count, context)
    titles = names.names.map { [hasHeader] in hasHeader ? String(decoding: $0, as: UTF8.self) : "" }
  }

  var hasOpenRecord: Bool { open != nil }

  mutating func consumeLine(
    _ text: Range<Int>, _ feed: BlockFeed, _ records: inout LineRecords
  ) throws(InputError) -> Bool {
    let block = feed.block
    let line = block.span.extracting(text)
    let isMark = line.isMarkOfCard
    if isMark || line.isRowCount {
      try endRecord(feed, &records)
      isInside = isMark
      if !isMark { isLaterResult = true }
      return true
    }
    guard isInside else { return block.isBlank(text) }
    if shape.isEdge(line) { return true }
    var card = open ?? Card(start: text.lowerBound)
    open = nil
    guard text.upperBound - card.start <= Cell.longest else {
      throw .cellTooLong(context.place(feed, at: card.start))
    }
    let count = card.cells.count
    let rest: Range<Int>
    if isOther(line, at: count) {
      card.hasOther = true
      open = card
      return true
    }
    if count < names.count, let cell = shape.cell(of: names[count], line) {
      card.cells.append([])
      rest = cell
    } else if count > 0 {
      rest = shape.continuation(line)
    } else {
      return block.isBlank(text)
    }
    card.cells[card.cells.count - 1].append(
      text.lowerBound + rest.lowerBound..<text.lowerBound + rest.upperBound)
    open = card
    return true
  }

  mutating func endRecord(_ feed: BlockFeed, _ records: inout LineRecords) throws(InputError) {
    guard let card = open else { return }
    open = nil
    let block = feed.block
    let count = card.cells.count
    let fields = card.hasOther && count == names.count ? count + 1 : count
    if card.hasOther, context.options.ragged != .skip {
      throw .ragged(
        context.place(feed, at: card.start), fields: fields, columns: names.count, hint: .leaveOut,
        fillHelps: false
      )
    }
    guard try ragged.check(fields, at: card.start, feed, among: &records) else { return }
    records.begin(at: card.start)
    for (index, lines) in card.cells.enumerated() {
      let isLast = index == card.cells.count - 1
      let lines = Array(isLast ? lines[...(lines.lastIndex { !block.isBlank($0) } ?? 0)] : lines[...])
      if lines.count == 1 {
        records.append(block, lines[0])
      } else {
        let whole = lines[0].lowerBound..<max(lines[0].lowerBound, lines[lines.count - 1].upperBound)
        records.append(decoded: shape.joined(lines, block), of: whole)
      }
    }
  }

  mutating func forgetRecord() { open = nil }

  /// Whether a line can only be a column that is not the one at this position of the first card.
  ///
  /// psql leaves the name blank if a cell continues. mysql does not mark such lines, but the columns of one
  /// result are the same in all its cards.
  private func isOther(_ line: Span<UInt8>, at count: Int) -> Bool {
    guard let found = shape.mark(in: line), !found.name.isEmpty else { return false }
    let isNext = count < names.count && line.extracting(found.name).equals(names[count])
    if !shape.isOfMySQL { return !isNext }
    guard isLaterResult else { return false }
    return isNext ? found.cell != markPlace : count == 0 || count == names.count && found.cell == markPlace
  }
}

extension CardsParser {
  /// How a line of a card is split.
  fileprivate struct Shape {
    /// Whether a name is followed by a colon and then the cell; otherwise by a line between columns, and blanks.
    let isOfMySQL: Bool

    /// How much of the first card is searched for names.
    private static let longestCard = 1 << 20

    /// The names of the first card, the character position of their separators, and whether the card ends in
    /// the block.
    func names(in feed: BlockFeed, from start: Int) -> (names: [[UInt8]], mark: Int, isWhole: Bool) {
      let block = feed.block
      var (names, end, mark): ([[UInt8]], Int, Int?) = ([], start, nil)
      while let line = feed.wholeLine(at: end) {
        end = line.next
        if end - start > Self.longestCard { return (names, mark ?? 0, true) }
        let text = block.span.extracting(line.text)
        if text.isMarkOfCard || text.isRowCount || !isOfMySQL && block.isBlank(line.text) {
          return (names, mark ?? 0, true)
        }
        guard let found = self.mark(in: text), found.cell == mark ?? found.cell else { continue }
        let name = Array(copying: text.extracting(found.name))
        if name.isEmpty { continue }
        mark = found.cell
        names.append(name)
      }
      return (names, mark ?? 0, feed.isLast)
    }

    /// The cell of a line that begins with a name; `nil` if it does not.
    func cell(of name: [UInt8], _ line: Span<UInt8>) -> Range<Int>? {
      guard let found = mark(in: line), line.extracting(found.name).equals(name) else { return nil }
      return content(line, from: found.end)
    }

    /// The text that a line adds to the cell before it.
    func continuation(_ line: Span<UInt8>) -> Range<Int> {
      if isOfMySQL { return 0..<line.count }
      return content(line, from: mark(in: line)?.end ?? 0)
    }

    /// The lines of a cell as one text; psql ends all but the last with `+`.
    func joined(_ lines: [Range<Int>], _ block: ByteBlock) -> [UInt8] {
      var text: [UInt8] = []
      for (index, line) in lines.enumerated() {
        if index > 0 { text.append(10) }
        var piece = Array(copying: block.span.extracting(line))
        if !isOfMySQL, index < lines.count - 1, piece.last == UInt8(ascii: "+") {
          piece.removeLast()
          while piece.last == 32 { piece.removeLast() }
        }
        text += piece
      }
      return text
    }

    /// The text after the separator: for mysql after one blank, for psql without outer blanks and the line at
    /// the edge.
    private func content(_ line: Span<UInt8>, from start: Int) -> Range<Int> {
      var (low, high) = (start, line.count)
      if isOfMySQL { return min(low + 1, high)..<high }
      while high > low, line[high - 1] == 32 { high -= 1 }
      if isFramed(line), high > low, line[high - 1] == UInt8(ascii: "|") { high -= 1 }
      while high > low, line[high - 1] == 32 { high -= 1 }
      while low < high, line[low] == 32 { low += 1 }
      return low..<high
    }

    /// Whether a line closes the frame that psql draws with `\pset border 2`.
    func isEdge(_ line: Span<UInt8>) -> Bool {
      !isOfMySQL && line.count > 2 && line[0] == UInt8(ascii: "+")
        && line.indices.allSatisfy { line[$0] == UInt8(ascii: "+") || line[$0] == UInt8(ascii: "-") }
    }

    private func isFramed(_ line: Span<UInt8>) -> Bool { line.count > 0 && line[0] == UInt8(ascii: "|") }

    /// The range of the name in a line, the end of the separator after it, and the character position where
    /// that begins.
    func mark(in line: Span<UInt8>) -> (name: Range<Int>, end: Int, cell: Int)? {
      var low = !isOfMySQL && isFramed(line) ? 1 : 0
      var (offset, cell) = (low, 0)
      while offset < line.count {
        let scalar = line.scalar(at: offset)
        let end = offset + scalar.length
        let isMark =
          isOfMySQL
          ? scalar.value == 0x3A && (end == line.count || line[end] == 32)
          : scalar.value == 0x7C || scalar.value == 0x2502
        if isMark {
          while low < offset, line[low] == 32 { low += 1 }
          while offset > low, line[offset - 1] == 32 { offset -= 1 }
          return (low..<offset, end, cell)
        }
        offset = end
        cell += 1
      }
      return nil
    }
  }
}

extension Span<UInt8> {
  /// Whether the first line that is not empty is one above a card.
  var beginsWithCard: Bool {
    var start = 0
    while start < count, self[start].isJSONSpace { start += 1 }
    return extracting(start..<lineEnd(from: start)).isMarkOfCard
  }

  /// Whether this is a line above a card: `-[ RECORD 1 ]---`, `*** 1. row ***`.
  var isMarkOfCard: Bool {
    var offset = 0
    while offset < count, self[offset] == UInt8(ascii: "*") { offset += 1 }
    if offset > 2 {
      let stars = offset
      offset += 1
      while offset < count, self[offset].isDigit { offset += 1 }
      return offset > stars + 1 && holds(". row *", at: offset)
    }
    while offset < count, offset < 8 {
      let isLine = holds("─", at: offset)
      guard isLine || self[offset] == UInt8(ascii: "-") || self[offset] == UInt8(ascii: "+") else { break }
      offset += isLine ? 3 : 1
    }
    return offset > 0 && holds("[ RECORD ", at: offset)
  }
}
