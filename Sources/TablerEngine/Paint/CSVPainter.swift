/// Writes csv; cells that were not changed keep their bytes, including quotes.
///
/// A cell is untouched if the output has the delimiter and the quote mark of its input. Records that are
/// shown whole are copied whole, several at a time if they are consecutive.
struct CSVPainter: ~Copyable, DelimitedPainter {
  let output: DelimitedOutput
  var formulas: FormulaGuard

  /// Whether an empty text is written with quotes, to tell it from null.
  private let quotesEmptyTexts: Bool

  /// The text of a nested value.
  private var scratch = ByteBuffer(capacity: 256)

  /// Creates a painter that writes like the input, if that was csv.
  init(_ shown: [ShownColumn], _ options: OutputOptions, input profile: InputProfile) {
    output = .csv(shown, options, profile)
    quotesEmptyTexts = profile.quotedEmptyIsText
    formulas = FormulaGuard(isOn: options.guardsFormulas, marks: profile.marks)
  }

  private var delimiter: UInt8 { output.dialect.delimiter }
  private var quote: UInt8? { output.dialect.quote }
  private var escape: UInt8? { output.dialect.escape }

  mutating func begin(into out: inout ByteBuffer) {
    guard output.hasHeader, !output.columns.isEmpty else { return }
    let start = out.count
    for (place, column) in output.columns.enumerated() {
      if place > 0 { out.append(delimiter) }
      let title = column.title.utf8.span
      if formulas.catches(title) {
        formulas.count += 1
        appendGuarded(title, to: &out)
      } else if !output.append(spellingOfTitle: column, to: &out) {
        append(title, to: &out)
      }
    }
    fillEmptyRecord(from: start, in: &out)
    out.append(output.dialect.recordEnd)
  }

  mutating func paintRecord(_ row: Int, of batch: Batch, into out: inout ByteBuffer) {
    let keeps = output.keepsBytes(of: batch)
    let start = out.count
    let copied = formulas.isOn ? 0 : output.leadingCells(of: batch)
    if copied > 0 { append(leadingCellsOfRow: row, of: batch, to: &out) }
    for place in copied..<output.columns.count {
      if place > 0 { out.append(delimiter) }
      if output.columns[place].isWhole {
        append(batch.cell(row: row, column: output.columns[place].index), of: batch, keeps: keeps, to: &out)
      } else {
        let found = batch.value(of: output.columns[place].source, row: row)
        if found.isWhole {
          append(found.cell, of: batch, keeps: keeps, to: &out)
        } else {
          append(found, of: batch, to: &out)
        }
      }
    }
    fillEmptyRecord(from: start, in: &out)
    output.appendEnd(ofRow: row, of: batch, keeps: keeps, to: &out)
  }
}

// All of it is `mutating`: to lend a painter that may be changed, the compiler copies all 340 bytes of it for every cell.
extension CSVPainter {
  @inline(__always)
  mutating func append(_ cell: Cell, of batch: Batch, keeps: Bool, to out: inout ByteBuffer) {
    if cell.kind == .missing || (cell.kind == .null && batch.isNullValue(cell)) { return }
    let content = batch.content(cell)
    if formulas.catches(content) {
      formulas.count += 1
      return appendGuarded(content, to: &out)
    }
    guard keeps, !batch.isComputed(cell) else {
      // A computed cell goes into the quotes of the one that it replaces, unless it says nothing.
      let isNothing = cell.kind == .null || cell.kind == .empty && content.isEmpty
      if cell.isQuoted, !isNothing, keeps, self.quote != nil {
        return appendQuoted(content, to: &out)
      }
      if cell.kind == .text, content.isEmpty,
        quotesEmptyTexts || cell.isQuoted && batch.origin.dialect.form == .csv
      {
        return appendQuoted(content, to: &out)
      }
      return append(content, to: &out)
    }
    guard cell.isQuoted, let quote else { return out.append(batch.raw(cell)) }
    out.append(quote)
    out.append(batch.raw(cell))
    out.append(quote)
  }

  private mutating func append(_ found: NestedValue, of batch: Batch, to out: inout ByteBuffer) {
    var text = ByteBuffer(capacity: 0)
    swap(&text, &scratch)
    defer { swap(&text, &scratch) }
    text.removeAll()
    found.appendText(of: batch.content(found.cell), to: &text)
    guard formulas.catches(text.span) else { return append(text.span, to: &out) }
    formulas.count += 1
    appendGuarded(text.span, to: &out)
  }

  /// Adds quotes to a record that would be an empty line, so that it is read as a record.
  private mutating func fillEmptyRecord(from start: Int, in out: inout ByteBuffer) {
    if out.count == start { out.append(repeating: quote ?? UInt8(ascii: "\""), count: 2) }
  }

  private mutating func appendGuarded(_ content: Span<UInt8>, to out: inout ByteBuffer) {
    if needsQuotes(content) { return appendQuoted(content, isGuarded: true, to: &out) }
    out.append(UInt8(ascii: "'"))
    out.append(content)
  }

  /// Appends a cell, in quotes if it needs them.
  @inline(__always)
  private mutating func append(_ content: Span<UInt8>, to out: inout ByteBuffer) {
    if needsQuotes(content) { return appendQuoted(content, to: &out) }
    out.append(content)
  }

  @inline(__always)
  private mutating func needsQuotes(_ content: Span<UInt8>) -> Bool {
    for index in content.indices {
      let byte = content[index]
      if byte == delimiter || byte == quote || byte == 10 || byte == 13 || byte == escape { return true }
    }
    return false
  }

  /// Appends a cell in quotes; in the usual ones if the input has none, and no escape mark either.
  private mutating func appendQuoted(
    _ content: Span<UInt8>, isGuarded: Bool = false, to out: inout ByteBuffer
  ) {
    if self.quote == nil, let escape { return appendEscaped(content, escape, isGuarded: isGuarded, to: &out) }
    let quote = quote ?? UInt8(ascii: "\"")
    out.append(quote)
    if isGuarded { out.append(UInt8(ascii: "'")) }
    var pending = 0
    for index in content.indices where content[index] == quote || content[index] == escape {
      out.append(content.extracting(pending..<index))
      out.append(escape ?? quote)
      pending = index
    }
    out.append(content.extracting(pending...))
    out.append(quote)
  }

  /// Appends a cell with an escape mark before characters that would separate cells or records.
  private mutating func appendEscaped(
    _ content: Span<UInt8>, _ escape: UInt8, isGuarded: Bool, to out: inout ByteBuffer
  ) {
    if isGuarded { out.append(UInt8(ascii: "'")) }
    for index in content.indices {
      let byte = content[index]
      if byte == delimiter || byte == 10 || byte == 13 || byte == escape { out.append(escape) }
      out.append(byte)
    }
  }
}
