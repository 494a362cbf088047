/// Reads columns by position, as `ps`, `df`, `docker` and `kubectl` print them.
final class WordsReader: RecordReader {
  private(set) var titles: [String]?
  let header: Batch? = nil
  let hasHeader: Bool
  let dialect = Dialect(form: .words)

  let feed: BlockFeed
  private let context: InputContext
  private var layout = WordsLayout(rows: [], count: nil)
  private var columnCount = 0
  private var isDone = false
  private var needsMore = false
  private var crossed: (count: Int, first: InputError.Place)?

  /// How many rows are looked at to find the columns.
  private static let sampleRows = 100

  /// Creates a reader and finds the columns.
  init(_ feed: BlockFeed, _ context: InputContext) throws(InputError) {
    self.feed = feed
    self.context = context
    hasHeader = !context.options.hasNoHeader
    var sample: Sample
    var lines = context.options.isFollowed ? 1 : Self.sampleRows + 1
    repeat {
      do { try feed.hold(lines: lines) } catch { throw .system(error) }
      sample = self.sample()
      lines += 1
    } while sample.rows.isEmpty && !feed.isLast && feed.held < FormDetector.sampleSize
    settle(sample)
  }

  var notices: [InputNotice] {
    if let crossed { [.crossedBoundary(count: crossed.count, first: crossed.first)] } else { [] }
  }

  func next(_ schema: inout Schema, row: Int) throws(InputError) -> Batch? {
    while !isDone {
      if needsMore, try !context.advance(feed) { return nil }
      let block = feed.block
      let line = feed.line
      var cells: [Cell] = []
      var starts: [UInt32] = []
      var end = feed.start
      while let bounds = nextLine(from: end) {
        if bounds.text.count > 0, !isComment(block, bounds.text.lowerBound) {
          starts.append(UInt32(truncatingIfNeeded: bounds.text.lowerBound))
          try append(block, bounds.text, to: &cells)
        }
        end = bounds.next
      }
      isDone = feed.isLast
      needsMore = true
      feed.consume(to: end)
      if !starts.isEmpty {
        starts.append(UInt32(truncatingIfNeeded: end))
        let origin = Batch.Origin(
          source: context.source, line: line, row: row, isVerbatim: false, dialect: dialect)
        return Batch(
          block: block, decoded: ByteBlock(capacity: 0), escapes: [], cells: cells, columnCount: columnCount,
          recordStarts: starts, origin: origin)
      }
    }
    return nil
  }
}

extension WordsReader {
  /// The header and the first rows.
  private struct Sample {
    var header: WordsLine?
    var rows: [WordsLine] = []

    /// Where the rows begin.
    var start: Int
  }

  private func sample() -> Sample {
    let block = feed.block
    var end = feed.start
    var sample = Sample(start: feed.start)
    while sample.rows.count < Self.sampleRows, end - feed.start < FormDetector.sampleSize,
      let bounds = nextLine(from: end)
    {
      end = bounds.next
      guard bounds.text.count > 0, !isComment(block, bounds.text.lowerBound) else { continue }
      let line = WordsLine(block.span.extracting(bounds.text))
      if hasHeader, sample.header == nil {
        sample.header = line
        sample.start = end
      } else {
        sample.rows.append(line)
      }
    }
    return sample
  }

  /// Settles what the columns are; nobody waits for the rows of a stream that is followed, so positions say nothing.
  private func settle(_ sample: Sample) {
    let count = context.options.names?.count
    if context.options.isFollowed {
      layout = WordsLayout(parting: sample.header, firstRow: sample.rows.first, count: count)
    } else if let header = sample.header {
      layout = WordsLayout(header: header, rows: sample.rows)
    } else {
      layout = WordsLayout(rows: sample.rows, count: count)
    }
    feed.consume(to: sample.start)
    var names = layout.columns.map(\.title)
    for (index, name) in (context.options.names ?? []).enumerated() {
      if index < names.count { names[index] = name } else { names.append(name) }
    }
    titles = names.named(by: context.options.autoNames, orNumbered: !hasHeader)
    columnCount = names.count
  }

  /// The line at `start` and where the next one begins; `nil` where it goes on in the next block.
  private func nextLine(from start: Int) -> (text: Range<Int>, next: Int)? {
    let block = feed.block
    guard start < block.count else { return nil }
    let end = block.span.lineEnd(from: start)
    let isWhole = end < block.count && (block[end] == 10 || end + 1 < block.count)
    guard isWhole || feed.isLast else { return nil }
    let isPair = end + 1 < block.count && block[end] == 13 && block[end + 1] == 10
    return (start..<end, min(end + (isPair ? 2 : 1), block.count))
  }

  private func isComment(_ block: ByteBlock, _ start: Int) -> Bool {
    context.options.comment.map { block[start] == $0 } ?? false
  }

  private func append(_ block: ByteBlock, _ text: Range<Int>, to cells: inout [Cell]) throws(InputError) {
    guard text.count <= Cell.longest else { throw .cellTooLong(context.place(feed, at: text.lowerBound)) }
    let (ranges, hasCrossed) = layout.cells(of: WordsLine(block.span.extracting(text)))
    if hasCrossed {
      let place = crossed?.first ?? context.place(feed, at: text.lowerBound)
      crossed = ((crossed?.count ?? 0) + 1, place)
    }
    for column in 0..<columnCount {
      guard column < ranges.count else {
        cells.append(.missing)
        continue
      }
      let start = text.lowerBound + ranges[column].lowerBound
      let content = block.span(from: start, count: ranges[column].count)
      let isNull = context.options.nullWords.contains { content.equals([UInt8]($0.utf8)) }
      cells.append(
        Cell(
          offset: start, length: content.count, kind: isNull ? .null : content.isEmpty ? .empty : .text,
          isPlain: content.isPrintableASCII))
    }
  }
}
