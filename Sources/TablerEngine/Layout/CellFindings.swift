/// What cells hold that cannot be drawn as it stands: bytes that no text should hold, or too many of them.
struct CellFindings: Equatable, Sendable {
  /// How many stretches are not UTF-8.
  var illFormed = 0

  /// How many NUL bytes there are.
  var nul = 0

  /// How many cells are too long to be drawn whole.
  var cut = 0

  /// Whether there are none.
  @inline(__always)
  var isEmpty: Bool { illFormed | nul | cut == 0 }

  /// Adds up what was met.
  @inline(__always)
  static func += (left: inout CellFindings, right: CellFindings) {
    left.illFormed &+= right.illFormed
    left.nul &+= right.nul
    left.cut &+= right.cut
  }
}

/// What the cells of rows that are shown hold, counted, with the first rows of each kind.
struct FindingsTally: Sendable {
  /// The first row of the input with something of one kind, by its number.
  private struct First {
    var batch: Batch
    var row: Int
    var number: Int

    var place: RowPlace {
      RowPlace(source: batch.source(ofRow: row), line: batch.line(ofRow: row), number: number)
    }
  }

  private var counts = CellFindings()
  private var firstIllFormed: First?
  private var firstNul: First?
  private var firstCut: First?

  /// Counts nothing yet.
  init() {}

  /// Counts what the cells of a row hold.
  @inline(__always)
  mutating func note(_ found: CellFindings, _ batch: Batch, _ row: Int) {
    if !found.isEmpty { add(found, batch, row) }
  }

  /// What a person should hear of.
  var notices: [LayoutNotice] {
    var notices: [LayoutNotice] = []
    if let firstIllFormed {
      notices.append(.replacedBytes(counts.illFormed, first: firstIllFormed.place))
    }
    if let firstNul { notices.append(.nulBytes(counts.nul, first: firstNul.place)) }
    if let firstCut { notices.append(.longCells(counts.cut, first: firstCut.place)) }
    return notices
  }

  @inline(never)
  private mutating func add(_ found: CellFindings, _ batch: Batch, _ row: Int) {
    counts += found
    let first = First(batch: batch, row: row, number: batch.rowNumber(ofRow: row))
    if found.illFormed > 0, first.number < firstIllFormed?.number ?? .max { firstIllFormed = first }
    if found.nul > 0, first.number < firstNul?.number ?? .max { firstNul = first }
    if found.cut > 0, first.number < firstCut?.number ?? .max { firstCut = first }
  }
}

extension Escaper.Findings {
  /// What a person should hear of, if it was the text of a cell.
  @inline(__always)
  var ofCell: CellFindings {
    CellFindings(illFormed: replacements, nul: nuls, cut: cuts)
  }
}
