/// Finds columns by position, as `ps`, `df`, `docker` and `kubectl` print them.
struct WordsParser: LineParser {
  let titles: [String]
  let hasHeader: Bool
  private(set) var headerPlace: InputError.Location?
  private(set) var headerIsRow = false
  private(set) var isOver = false
  let arePartedByBlanks: Bool

  private let context: InputContext
  private let layout: WordsLayout
  private var hasBegun: Bool

  /// How many rows are examined to find the columns.
  private static let sampleRows = 100

  init(_ feed: BlockFeed, _ context: InputContext) throws(InputError) {
    self.context = context
    let options = context.options
    var isListing = false
    if let first = try feed.firstLine(context) {
      let line = feed.block
      if line.span.extracting(first.text).mayBeListingTotal {
        do { try feed.hold(lines: 1) } catch { throw .system(error) }
        let next = feed.wholeLine(at: first.next)?.text ?? first.next..<first.next
        let block = feed.block
        isListing = block.span.extracting(first.text).isListingTotal(above: block.span.extracting(next))
      }
      if isListing { feed.consume(to: first.next) }
    }
    hasHeader = !options.hasNoHeader && !isListing
    let sample = try Self.sample(feed, context, hasHeader: hasHeader)
    if let header = sample.header, let first = try feed.firstLine(context) {
      let place = context.place(feed, at: first.text.lowerBound)
      try context.check(columns: header.wordCount, of: place)
      headerPlace = place
    }
    feed.consume(to: sample.start)
    hasBegun = sample.header != nil
    // The rows of a followed stream are not waited for, so that positions prove nothing.
    if options.isFollowed {
      layout = WordsLayout(
        parting: sample.header, firstRow: sample.rows.first, count: options.names?.count)
    } else if let header = sample.header {
      layout = WordsLayout(header: header, rule: sample.rule, rows: sample.rows)
    } else {
      layout = WordsLayout(rows: sample.rows, count: options.names?.count)
    }
    titles = layout.titles
    arePartedByBlanks =
      [titles.count] == Set((sample.rows + [sample.header].compactMap(\.self)).map(\.wordCount))
    if sample.header != nil, sample.rule == nil, !options.isFollowed {
      let rows = sample.rows.prefix(RowLikeness.rowCount).map { [layout] row in
        layout.cells(of: row).ranges.map { $0.map { Array(row.text[$0]) } ?? [] }
      }
      headerIsRow = RowLikeness(titles, rows: rows).isRow
    }
  }

  mutating func consumeLine(
    _ text: Range<Int>, _ feed: BlockFeed, _ records: inout LineRecords
  ) throws(InputError) -> Bool {
    let block = feed.block
    if block.isBlank(text) {
      isOver = hasBegun
      return true
    }
    hasBegun = true
    let (ranges, fit) = layout.cells(of: WordsLine(block.span.extracting(text)))
    switch fit {
    case .whole: break
    case .crossed: records.recordLine(.crossedBoundary, place: context.place(feed, at: text.lowerBound))
    case .uneven where context.options.isFollowed: break
    case .uneven: records.recordLine(.unevenWords, place: context.place(feed, at: text.lowerBound))
    }
    records.begin(at: text.lowerBound)
    for range in ranges {
      guard let range else {
        records.skipCell()
        continue
      }
      records.append(block, text.lowerBound + range.lowerBound..<text.lowerBound + range.upperBound)
    }
    return true
  }
}

extension WordsParser {
  /// The header and the first rows.
  private struct Sample {
    var header: WordsLine?
    var rows: [WordsLine] = []

    /// The rule below the header.
    var rule: WordsLine?

    /// The offset of the rows.
    var start: Int

    /// Whether there is nothing else to examine.
    var isFull = false
  }

  /// Reads as many rows as are examined; one for a followed stream.
  private static func sample(
    _ feed: BlockFeed, _ context: InputContext, hasHeader: Bool
  ) throws(InputError) -> Sample {
    _ = try feed.firstLine(context)
    let wanted = context.options.isFollowed ? 1 : sampleRows
    var lines = hasHeader ? wanted : wanted - 1
    while true {
      do { try feed.hold(lines: lines) } catch { throw .system(error) }
      let sample = sample(feed, context, wanted, hasHeader: hasHeader)
      if sample.isFull || feed.isLast || feed.held >= FormDetector.sampleSize { return sample }
      lines += max(1, wanted - sample.rows.count)
    }
  }

  /// Examines the rows read so far.
  private static func sample(
    _ feed: BlockFeed, _ context: InputContext, _ wanted: Int, hasHeader: Bool
  ) -> Sample {
    let block = feed.block
    var end = feed.start
    var sample = Sample(start: feed.start)
    var mayBeRule = false
    var isBelowBlank = false
    while let line = feed.wholeLine(at: end) {
      let isHeader = hasHeader && sample.header == nil
      guard isHeader || line.next - feed.start <= FormDetector.sampleSize else { break }
      end = line.next
      if context.isComment(block, line.text) { continue }
      if block.isBlank(line.text) {
        guard sample.header != nil || !sample.rows.isEmpty else { continue }
        isBelowBlank = true
        if sample.rows.isEmpty { continue }
        sample.isFull = true
        break
      }
      let words = WordsLine(block.span.extracting(line.text))
      if isBelowBlank, let header = sample.header {
        guard words.isRow(below: header) else {
          sample.isFull = true
          break
        }
        if sample.rows.isEmpty { sample.start = line.text.lowerBound }
      }
      if isHeader {
        sample.header = words
        sample.start = end
      } else if mayBeRule, let header = sample.header, words.isRule(below: header) {
        sample.start = end
        sample.rule = words
      } else {
        sample.rows.append(words)
        sample.isFull = sample.rows.count == wanted
        if sample.isFull { break }
      }
      mayBeRule = isHeader
    }
    return sample
  }
}

extension WordsLine {
  /// Whether this is a row, though a blank line is between it and the header, and not a sentence such as `0
  /// loaded units listed.`: it has as many words, or some adjacent blanks.
  fileprivate func isRow(below header: WordsLine) -> Bool {
    wordCount == header.wordCount || words(in: 0..<width).count > 1 && hasGap
  }

  private var hasGap: Bool {
    let inner = text(in: 0..<width).utf8
    return zip(inner, inner.dropFirst()).contains { $0 == 0x20 && $1 == 0x20 || $1 == 9 }
  }
}

extension Span<UInt8> {
  /// Whether this is the first line of `ls -l`: its total with a unit, or with a file below it, or nothing if it is 0.
  func isListingTotal(above next: Span<UInt8>) -> Bool {
    mayBeListingTotal
      && (!self[count - 1].isDigit || next.isListedFile || next.count == 0 && equals("total 0"))
  }

  /// Whether this may be the line of a file in `ls -l`, which begins with a type and permissions, or in `ls -s` and
  /// `ls -i`, which begin with a number.
  private var isListedFile: Bool {
    let words = Array(copying: extracting(..<Swift.min(count, 120))).words(atMost: 1)
    guard let word = words.first else { return false }
    let isMode =
      word.count >= 10 && "-bcdlpsCDMPn?".utf8.contains(word[0])
      && word[1...9].allSatisfy { "rwxsStTlL-?".utf8.contains($0) }
    return isMode || word[0].isDigit || word == [UInt8(ascii: "?")]
  }

  /// Whether this may be the first line of `ls -l` and `ls -lh`: `total 24`, `total 1.2M`.
  fileprivate var mayBeListingTotal: Bool {
    let title: StaticString = "total "
    guard count > title.utf8CodeUnitCount, holds(title, at: 0) else { return false }
    var offset = title.utf8CodeUnitCount
    let digits = offset
    while offset < count, self[offset] >= 0x30, self[offset] <= 0x39 { offset += 1 }
    guard offset > digits else { return false }
    if offset + 1 < count, self[offset] == UInt8(ascii: ".") || self[offset] == UInt8(ascii: ",") {
      offset += 1
      while offset < count, self[offset] >= 0x30, self[offset] <= 0x39 { offset += 1 }
    }
    if offset < count, "KMGTPEZYRQk".utf8.contains(self[offset]) { offset += 1 }
    return offset == count
  }
}
