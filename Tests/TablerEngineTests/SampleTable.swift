@testable import TablerEngine

/// A small table as a reader would make it, for painters to paint.
struct SampleTable {
  var rows: Rows
  var profile: InputProfile

  /// Reads csv with a header.
  static func csv(
    _ text: String, delimiter: Character = ",", nullWords: [String] = [], marks: NumberMarks = .standard,
    ragged: InputOptions.Ragged = .fill
  ) throws -> SampleTable {
    try csv(Array(text.utf8), delimiter: delimiter, nullWords: nullWords, marks: marks, ragged: ragged)
  }

  /// Reads csv with a header.
  static func csv(
    _ bytes: [UInt8], delimiter: Character = ",", nullWords: [String] = [], marks: NumberMarks = .standard,
    ragged: InputOptions.Ragged = .fill
  ) throws -> SampleTable {
    let mark = delimiter.asciiValue ?? 44
    return try delimited(
      bytes, Dialect(form: .csv, delimiter: mark), nullWords: nullWords, marks: marks, ragged: ragged)
  }

  /// Reads tsv with a header.
  static func tsv(_ text: String) throws -> SampleTable {
    let dialect = Dialect.tsv
    return try delimited(Array(text.utf8), dialect, nullWords: [], marks: .standard, ragged: .fill)
  }

  /// Reads JSON lines.
  static func jsonl(_ text: String) throws -> SampleTable {
    var reader = SampleJSON()
    return try reader.read(Array(text.utf8))
  }

  /// All columns, or those named, under their own titles.
  func columns(_ names: [String]? = nil) -> [ShownColumn] {
    let schema = profile.schema
    guard let names else {
      return schema.columns.indices.map { index in
        ShownColumn(
          source: .column(ResolvedColumn(index: index)), title: schema.columns[index].title,
          name: schema.columns[index].name)
      }
    }
    return names.map { name in
      let parts = name.split(separator: "=", maxSplits: 1).map(String.init)
      let path = parts[0].split(separator: ".", maxSplits: 1).map(String.init)
      let index = schema.index(of: path[0]) ?? 0
      let steps = path.count > 1 ? PathStep.parse(".\(path[1])") ?? [] : []
      return ShownColumn(
        source: .column(ResolvedColumn(index: index, path: steps)),
        title: parts.count > 1 ? parts[1] : steps.isEmpty ? schema.columns[index].title : parts[0],
        name: parts[0], hasOwnTitle: parts.count > 1)
    }
  }

  /// Everything that a painter writes of the rows.
  func paint(
    _ painter: consuming some Painter & ~Copyable, footers: [FooterLine] = []
  ) -> [UInt8] {
    var out = ByteBuffer()
    painter.begin(into: &out)
    painter.beginSection(heading: nil, into: &out)
    let middle = rows.count / 2
    painter.paint(rows, 0..<middle, into: &out)
    painter.paint(rows, middle..<rows.count, into: &out)
    painter.endSection(footers: [], into: &out)
    painter.end(footers: footers, into: &out)
    return out.array()
  }

  private static func delimited(
    _ bytes: [UInt8], _ dialect: Dialect, nullWords: [String], marks: NumberMarks, ragged: InputOptions.Ragged
  ) throws -> SampleTable {
    let block = ByteBlock(bytes.span)
    let rules = DelimitedRules(
      marks: StructuralMarks(delimiter: dialect.delimiter, quote: dialect.quote, escape: dialect.escape),
      decodesLetters: dialect.form == .tsv, isLazy: true, comment: nil,
      nullWords: nullWords.map { Array($0.utf8) },
      quotedEmptyIsText: false, emptyLineIsRow: false)
    var header = DelimitedParser<MachineVector>(
      rules: rules, fieldCount: nil, columnCount: 0, ragged: .fill, mayGrow: true)
    let start = try header.parse(block, from: 0, isLast: true, limit: 1)
    var dialect = dialect
    let width = header.widths.widest
    let origin = Batch.Origin(source: 0, line: 1, row: 1, isVerbatim: false, dialect: dialect)
    let titles = header.batch(block, end: start, origin: origin)
    let schema = Schema(
      titles: (0..<width).map { titles.text(titles.cell(row: 0, column: $0)) },
      header: titles)
    let end = titles.recordEnd(ofRow: 0).asArray
    dialect.recordEnd = end.isEmpty ? [10] : end
    var parser = DelimitedParser<MachineVector>(
      rules: rules, fieldCount: width, columnCount: width, ragged: ragged, mayGrow: false)
    let stop = try parser.parse(block, from: start, isLast: true)
    let batch = parser.batch(
      block, end: stop, origin: Batch.Origin(source: 0, line: 1, row: 1, isVerbatim: true, dialect: dialect))
    return SampleTable(
      rows: Rows(batch), profile: InputProfile(dialect: dialect, schema: schema, marks: marks))
  }
}

/// Makes a batch of JSON lines.
private struct SampleJSON: ~Copyable {
  var schema = Schema(titles: [], isOpen: true)
  var records: [[Int: Cell]] = []
  var starts: [UInt32] = []
  var escapes: [Escape] = []
  var decoded = ByteBuffer()

  mutating func read(_ text: [UInt8]) throws -> SampleTable {
    let bytes = text.span
    var scanner = JSONScanner(at: 0)
    scanner.skipSpace(bytes)
    while scanner.offset < bytes.count {
      starts.append(UInt32(scanner.offset))
      try record(&scanner, bytes)
      scanner.skipSpace(bytes)
    }
    starts.append(UInt32(bytes.count))
    let dialect = Dialect(form: .json, delimiter: 44, quote: 34, escape: 92)
    let width = schema.count
    let cells = records.flatMap { record in (0..<width).map { record[$0] ?? .missing } }
    let batch = Batch(
      block: ByteBlock(bytes), decoded: ByteBlock(decoded.span), escapes: escapes, cells: cells,
      columnCount: width, recordStarts: starts,
      origin: Batch.Origin(source: 0, line: 1, row: 1, isVerbatim: false, dialect: dialect))
    return SampleTable(rows: Rows(batch), profile: InputProfile(dialect: dialect, schema: schema))
  }

  private mutating func record(_ scanner: inout JSONScanner, _ text: Span<UInt8>) throws {
    var cells: [Int: Cell] = [:]
    scanner.offset += 1
    scanner.skipSpace(text)
    while text[scanner.offset] == UInt8(ascii: "\"") {
      let key = try scanner.key(text)
      let value = try scanner.value(text)
      let name = String(decoding: text.extracting(key.start..<key.end).asArray, as: UTF8.self)
      cells[schema.see(key: name)] = cell(value, text)
      scanner.skipSpace(text)
      if text[scanner.offset] != UInt8(ascii: ",") { break }
      scanner.offset += 1
      scanner.skipSpace(text)
    }
    scanner.offset += 1
    records.append(cells)
  }

  private mutating func cell(_ value: JSONScanner.Value, _ text: Span<UInt8>) -> Cell {
    let spelled = text.extracting(value.start..<value.end)
    guard value.isEscaped else {
      return Cell(
        offset: value.start, length: spelled.count, kind: value.kind, isPlain: value.isPlain,
        isQuoted: value.kind == .text)
    }
    let begin = decoded.count
    if value.kind == .text {
      JSONText.decode(spelled, into: &decoded)
    } else {
      JSONText.compact(spelled, into: &decoded)
    }
    escapes.append(
      Escape(rawOffset: UInt32(value.start), rawLength: UInt32(spelled.count), offset: UInt32(begin)))
    return Cell(
      offset: escapes.count - 1, length: decoded.count - begin, kind: value.kind,
      isQuoted: value.kind == .text, isEscaped: true)
  }
}

extension Span<UInt8> {
  /// The bytes as an array.
  var asArray: [UInt8] { indices.map { self[$0] } }
}
