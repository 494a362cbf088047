/// Writes tsv: tabs between cells, `\t \n \r \\` for characters that would separate them, no quotes.
///
/// From tsv input untouched cells keep their bytes, and records that are shown whole are copied whole.
struct TSVPainter: ~Copyable, DelimitedPainter {
  let output: DelimitedOutput
  var formulas: FormulaGuard

  /// The text of a nested value.
  private var scratch = ByteBuffer(capacity: 256)

  private static let tab = UInt8(ascii: "\t")

  /// Creates a painter.
  init(_ shown: [ShownColumn], _ options: OutputOptions, input profile: InputProfile) {
    output = .tsv(shown, options, profile)
    formulas = FormulaGuard(isOn: options.guardsFormulas, marks: profile.marks)
  }

  mutating func begin(into out: inout ByteBuffer) {
    guard output.hasHeader, !output.columns.isEmpty else { return }
    for (place, column) in output.columns.enumerated() {
      if place > 0 { out.append(Self.tab) }
      let title = column.title.utf8.span
      if formulas.catches(title) {
        formulas.count += 1
        out.append(UInt8(ascii: "'"))
      } else if output.append(spellingOfTitle: column, to: &out) {
        continue
      }
      append(title, to: &out)
    }
    out.append(output.dialect.recordEnd)
  }

  mutating func paintRecord(_ row: Int, of batch: Batch, into out: inout ByteBuffer) {
    let keeps = output.keepsBytes(of: batch)
    let copied = formulas.isOn ? 0 : output.leadingCells(of: batch)
    if copied > 0 { append(leadingCellsOfRow: row, of: batch, to: &out) }
    for place in copied..<output.columns.count {
      if place > 0 { out.append(Self.tab) }
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
    output.appendEnd(ofRow: row, of: batch, keeps: keeps, to: &out)
  }
}

extension TSVPainter {
  @inline(__always)
  mutating func append(_ cell: Cell, of batch: Batch, keeps: Bool, to out: inout ByteBuffer) {
    if cell.kind == .missing || (cell.kind == .null && batch.isNullValue(cell)) { return }
    if cell.isPlain, !cell.isEscaped, !formulas.isOn, !keeps,
      out.append(batch.block, from: cell.offset, count: cell.length, unless: StringMarks.self)
    {
      return
    }
    let content = batch.content(cell)
    if formulas.catches(content) {
      formulas.count += 1
      out.append(UInt8(ascii: "'"))
    } else if keeps, !batch.isComputed(cell) {
      return out.append(batch.raw(cell))
    }
    append(content, to: &out)
  }

  private mutating func append(_ found: NestedValue, of batch: Batch, to out: inout ByteBuffer) {
    scratch.removeAll()
    found.appendText(of: batch.content(found.cell), to: &scratch)
    if formulas.catches(scratch.span) {
      formulas.count += 1
      out.append(UInt8(ascii: "'"))
    }
    append(scratch.span, to: &out)
  }

  /// Appends a cell with escapes for characters that would separate cells or records.
  @inline(__always)
  private func append(_ content: Span<UInt8>, to out: inout ByteBuffer) {
    var pending = 0
    for index in content.indices {
      let letter: UInt8
      switch content[index] {
      case 9: letter = UInt8(ascii: "t")
      case 10: letter = UInt8(ascii: "n")
      case 13: letter = UInt8(ascii: "r")
      case UInt8(ascii: "\\"): letter = UInt8(ascii: "\\")
      default: continue
      }
      out.append(content.extracting(pending..<index))
      out.append(UInt8(ascii: "\\"))
      out.append(letter)
      pending = index &+ 1
    }
    out.append(content.extracting(pending...))
  }
}
