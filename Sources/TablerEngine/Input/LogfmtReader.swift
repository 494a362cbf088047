/// Reads lines of `key=value`, as Heroku and many servers in Go write their logs: `--pattern logfmt`.
///
/// A value without quotes ends at a blank, one in quotes has the escapes of JSON and of Go. A key alone is true. Each line has
/// keys of its own, as an object of JSON does. There is no standard; this is what Go's packages `logfmt` read.
final class LogfmtReader: RecordReader {
  let titles: [String]? = nil
  let header: Batch? = nil
  let hasHeader = true
  let dialect = Dialect(form: .json)
  let notices: [InputNotice] = []

  let feed: BlockFeed
  private let context: InputContext
  private let nullWords: [[UInt8]]
  private var findings = InputFindings()
  private var repeated: Set<String> = []
  private var needsMore = false
  private var isDone = false

  /// Damage after records that are delivered first: it counts only if more is requested.
  private var pending: InputError?

  /// The column of lines that do not match, if they are kept.
  private static let text = "text"

  /// Creates a reader of lines.
  init(_ feed: BlockFeed, _ context: InputContext) {
    self.feed = feed
    self.context = context
    nullWords = context.options.nullWords.map { Array($0.utf8) }
  }

  func takeFindings() -> InputFindings {
    defer { findings = InputFindings() }
    return findings
  }

  func next(_ schema: inout Schema, row: Int) throws(InputError) -> Batch? {
    if let pending { throw pending }
    while !isDone {
      if needsMore, try !context.advance(feed) { return nil }
      var records = JSONRecords(
        columnCount: schema.count, nullWords: nullWords, limits: context.columnLimits)
      let (block, line) = (feed.block, feed.line)
      var done = feed.start
      needsMore = true
      do { try cut(&records, &schema, &done) } catch {
        guard !records.starts.isEmpty else { throw error }
        pending = error
      }
      isDone = feed.isLast && needsMore
      feed.consume(to: done)
      guard !records.starts.isEmpty else { continue }
      let origin = Batch.Origin(
        source: context.source, line: line, row: row, isVerbatim: false, dialect: dialect)
      return records.batch(block, end: done, origin: origin)
    }
    return nil
  }

  /// Makes records from the complete lines in the block; `done` is the first byte that is not part of a record yet.
  private func cut(
    _ records: inout JSONRecords, _ schema: inout Schema, _ done: inout Int
  ) throws(InputError) {
    let block = feed.block
    while let line = feed.wholeLine(at: done) {
      guard records.cellCount <= context.cellLimit else {
        needsMore = false
        return
      }
      let start = line.text.lowerBound
      guard line.text.count <= Cell.longest else { throw .cellTooLong(context.place(feed, at: start)) }
      if context.isComment(block, line.text) {
        findings.add(.leftOutLine, row: records.starts.count) { context.place(feed, at: start) }
      } else if !block.isBlank(line.text) {
        try add(line.text, block, &records, &schema)
      }
      done = line.next
    }
    if feed.isLast { done = block.count }
  }

  private func add(
    _ line: Range<Int>, _ block: ByteBlock, _ records: inout JSONRecords, _ schema: inout Schema
  ) throws(InputError) {
    let start = line.lowerBound
    var (fields, end) = ([LogField](), start)
    if !LogField.parse(block.span, line, &fields, &end) {
      // It takes time to count lines: for the first one only.
      func place() -> InputError.Location {
        context.place(feed, at: end, withColumn: end < line.upperBound)
      }
      switch context.options.ragged {
      case .error: throw .unmatchedLine(place())
      case .skip: return findings.add(.skippedRow, row: records.starts.count, place: place)
      case .fill: fields = [LogField(value: line)]
      }
    }
    do { try records.add(fields, at: start, block.span, &schema, keyless: Self.text) } catch {
      throw .json(context.place(feed, at: error.offset, withColumn: true), error.damage, hint: nil)
    }
    if let key = records.repeatedKey, repeated.insert(key).inserted {
      findings.add(.repeatedKey, row: records.starts.count - 1, key: key) { context.place(feed, at: start) }
    }
    records.repeatedKey = nil
  }
}

/// A key and its value in a line.
struct LogField {
  /// The place of the key; `nil` for a whole line.
  var key: Range<Int>?

  /// The place of the value, inside of its quotes if it has some; `nil` for a key alone.
  var value: Range<Int>?
  var isQuoted = false

  /// Divides a line into fields.
  ///
  /// - Parameter end: where the line stops being what it should be.
  /// - Returns: whether all of it is fields, and one of them has a value.
  static func parse(
    _ text: Span<UInt8>, _ line: Range<Int>, _ fields: inout [LogField], _ end: inout Int
  ) -> Bool {
    var (place, hasValue) = (line.lowerBound, false)
    while true {
      while place < line.upperBound, text[place] <= 32 { place += 1 }
      if place == line.upperBound { break }
      let start = place
      while place < line.upperBound, text[place] > 32, text[place] != equals, text[place] != quote {
        place += 1
      }
      var field = LogField(key: start..<place)
      if place < line.upperBound, text[place] == equals, place > start {
        hasValue = true
        place += 1
        field.isQuoted = place < line.upperBound && text[place] == quote
        guard let value = value(text, place..<line.upperBound, isQuoted: field.isQuoted) else {
          end = place
          return false
        }
        field.value = value
        place = value.upperBound + (field.isQuoted ? 1 : 0)
      }
      guard place == line.upperBound || text[place] <= 32 else {
        end = place
        return false
      }
      fields.append(field)
    }
    end = line.upperBound
    return hasValue
  }

  /// The value at the beginning of a range; `nil` if its closing quote is missing.
  private static func value(_ text: Span<UInt8>, _ range: Range<Int>, isQuoted: Bool) -> Range<Int>? {
    var place = range.lowerBound
    guard isQuoted else {
      while place < range.upperBound, text[place] > 32 { place += 1 }
      return range.lowerBound..<place
    }
    place += 1
    let start = place
    while place < range.upperBound, text[place] != quote { place += text[place] == backslash ? 2 : 1 }
    return place < range.upperBound ? start..<place : nil
  }

  private static let equals = UInt8(ascii: "=")
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
}

extension ByteBuffer {
  /// Appends a text in quotes of Go or JSON, without its escapes; what is no escape stays as it is.
  mutating func append(unquoting text: Span<UInt8>) {
    var place = 0
    while place < text.count {
      let rest = text.extracting(place...)
      guard rest[0] == UInt8(ascii: "\\"), rest.count > 1 else {
        append(rest[0])
        place += 1
        continue
      }
      place += 2
      switch rest[1] {
      case UInt8(ascii: "n"): append(10)
      case UInt8(ascii: "t"): append(9)
      case UInt8(ascii: "r"): append(13)
      case UInt8(ascii: "a"): append(7)
      case UInt8(ascii: "b"): append(8)
      case UInt8(ascii: "f"): append(12)
      case UInt8(ascii: "v"): append(11)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"): append(rest[1])
      case UInt8(ascii: "x"):
        guard let byte = rest.hexadecimal(2..<4) else { fallthrough }
        append(UInt8(truncatingIfNeeded: byte))
        place += 2
      case UInt8(ascii: "U"):
        guard let scalar = rest.hexadecimal(2..<10).flatMap(Unicode.Scalar.init) else { fallthrough }
        append(scalar: scalar)
        place += 8
      case UInt8(ascii: "u"):
        guard let unit = rest.hexadecimal(2..<6) else { fallthrough }
        place += 4
        if unit & 0xFC00 == 0xD800, rest.count >= 12, rest[6] == rest[0], rest[7] == rest[1],
          let low = rest.hexadecimal(8..<12), low & 0xFC00 == 0xDC00
        {
          place += 6
          append(scalar: Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF) ?? "\u{FFFD}")
        } else {
          append(scalar: Unicode.Scalar(unit) ?? "\u{FFFD}")
        }
      default:
        append(rest[0])
        append(rest[1])
      }
    }
  }
}

extension Span<UInt8> {
  /// The number that hexadecimal digits in a range spell; `nil` if there are not so many.
  fileprivate func hexadecimal(_ range: Range<Int>) -> UInt32? {
    guard range.upperBound <= count else { return nil }
    var number: UInt32 = 0
    for place in range {
      guard let digit = Character(Unicode.Scalar(self[place])).hexDigitValue else { return nil }
      number = number << 4 | UInt32(truncatingIfNeeded: digit)
    }
    return number
  }
}
