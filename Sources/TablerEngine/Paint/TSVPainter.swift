/// Writes tsv: tabs between cells, `\t \n \r \\` for what would part them, no quotes.
///
/// From tsv input untouched cells keep their bytes, and records that are shown whole are copied whole.
struct TSVPainter: ~Copyable, Painter {
  private let columns: [DataColumn]
  private let hasHeader: Bool
  private let profile: InputProfile
  private let end: [UInt8]
  private let showsInputOrder: Bool
  private var formulas: FormulaGuard

  /// What a nested value says.
  private var scratch = ByteBuffer(capacity: 256)

  private static let tab: UInt8 = 9

  /// How many cells got a leading `'` from `--formula-guard`.
  var guardedCells: Int { formulas.count }

  init(_ shown: [ShownColumn], _ options: OutputOptions, input profile: InputProfile) {
    columns = DataColumn.columns(of: shown, profile.schema)
    hasHeader = options.hasHeader && (profile.hasTitles || columns.contains(where: \.hasOwnTitle))
    end = profile.dialect.form == .tsv ? profile.dialect.recordEnd : [10]
    self.profile = profile
    formulas = FormulaGuard(isOn: options.guardsFormulas, marks: profile.marks)
    var isInOrder = true
    for (place, column) in columns.enumerated() where column.index != place || !column.path.isEmpty {
      isInOrder = false
    }
    showsInputOrder = isInOrder
  }

  mutating func begin(into out: inout ByteBuffer) {
    guard hasHeader, !columns.isEmpty else { return }
    let keeps = keepsBytes(of: profile.dialect)
    for (place, column) in columns.enumerated() {
      if place > 0 { out.append(Self.tab) }
      let title = Array(column.title.utf8)
      if formulas.catches(title.span) {
        formulas.count += 1
        out.append(UInt8(ascii: "'"))
      } else if keeps, let spelling = column.spelling {
        out.append(spelling)
        continue
      }
      append(title.span, to: &out)
    }
    out.append(end)
  }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    var index = range.lowerBound
    while index < range.upperBound {
      let first = rows.ids[index]
      let batch = rows.batches[first.batch]
      index &+= 1
      guard copiesRecords(of: batch) else {
        paintRecord(first.row, of: batch, into: &out)
        continue
      }
      var last = first.row
      while index < range.upperBound, rows.ids[index] == RowID(batch: first.batch, row: last &+ 1) {
        last &+= 1
        index &+= 1
      }
      copyRecords(first.row...last, of: batch, into: &out)
    }
  }

  mutating func end(footers: [FooterLine], into out: inout ByteBuffer) {}
}

extension TSVPainter {
  private func keepsBytes(of dialect: Dialect) -> Bool {
    dialect.form == .tsv && dialect.delimiter == Self.tab && dialect.quote == nil
      && profile.dialect.form == .tsv && dialect.escape == profile.dialect.escape
  }

  private func copiesRecords(of batch: Batch) -> Bool {
    showsInputOrder && batch.origin.isVerbatim && batch.columnCount == columns.count && !formulas.isOn
      && keepsBytes(of: batch.origin.dialect)
  }

  /// Copies records that follow one another as they stand.
  private func copyRecords(_ rows: ClosedRange<Int>, of batch: Batch, into out: inout ByteBuffer) {
    let start = Int(batch.recordStarts[rows.lowerBound])
    let stop = Int(batch.recordStarts[rows.upperBound &+ 1])
    out.append(batch.block.span(from: start, count: stop &- start, heldBy: batch))
    if !batch.hasRecordEnd(before: stop) { out.append(end) }
  }

  private mutating func paintRecord(_ row: Int, of batch: Batch, into out: inout ByteBuffer) {
    let keeps = keepsBytes(of: batch.origin.dialect)
    for place in columns.indices {
      if place > 0 { out.append(Self.tab) }
      let cell = batch.cell(row: row, column: columns[place].index)
      if columns[place].path.isEmpty {
        append(cell, of: batch, keeps: keeps, to: &out)
      } else {
        appendNested(cell, of: batch, columns[place].path, to: &out)
      }
    }
    let ownEnd = batch.recordEnd(ofRow: row)
    if keeps, !ownEnd.isEmpty { out.append(ownEnd) } else { out.append(end) }
  }

  @inline(__always)
  private mutating func append(_ cell: Cell, of batch: Batch, keeps: Bool, to out: inout ByteBuffer) {
    if cell.kind == .missing || (cell.kind == .null && batch.origin.dialect.form == .json) { return }
    let content = batch.content(cell)
    if formulas.catches(content) {
      formulas.count += 1
      out.append(UInt8(ascii: "'"))
    } else if keeps {
      return out.append(batch.raw(cell))
    }
    append(content, to: &out)
  }

  private mutating func appendNested(
    _ cell: Cell, of batch: Batch, _ path: [PathStep], to out: inout ByteBuffer
  ) {
    scratch.removeAll()
    let content = batch.content(cell)
    NestedValue(path, in: content).appendText(of: content, to: &scratch)
    if formulas.catches(scratch.span) {
      formulas.count += 1
      out.append(UInt8(ascii: "'"))
    }
    append(scratch.span, to: &out)
  }

  /// Appends a cell with escapes for what would part cells or records.
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
