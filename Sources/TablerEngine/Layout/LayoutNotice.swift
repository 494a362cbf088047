/// A notice about drawing, written to stderr.
public enum LayoutNotice: Equatable, Sendable {
  /// Cells, titles and footers that were cut because they must not wrap.
  case cutCells(Int)

  /// Titles that were cut because they need too many lines.
  case cutTitles(Int)

  /// Cells with a character that is wider than their column.
  case clippedCells(Int)

  /// Columns that were left out for lack of space: the number shown, and the number of all.
  case leftOutColumns(shown: Int, of: Int)

  /// Bars were left out for lack of space.
  case leftOutBars

  /// Cells beyond the look-ahead that are wider than all measured cells.
  case lateCells(Int)

  /// Lines that exceed the width, and by how many display columns.
  case widerThanLimit(by: Int)

  /// Sequences of bytes that are not UTF-8 and were drawn as U+FFFD, and the first row with one.
  case replacedBytes(Int, first: RowPlace?)

  /// NUL bytes in cells, and the first row with one.
  case nulBytes(Int, first: RowPlace?)

  /// Cells that are too long to be drawn whole, and the first row with one.
  case longCells(Int, first: RowPlace?)

  /// Titles that are too long to be drawn whole.
  case longTitles(Int)

  /// Values that are not colors, and the first one.
  case notColors(Int, first: ColorlessValue?)

  /// `--row-spacing` in a form that has no space between rows.
  case ignoredRowSpacing
}

/// A value that a style rule uses as a color, although it is not one.
public struct ColorlessValue: Equatable, Sendable {
  /// The row.
  public var place: RowPlace

  /// The value, if it is a text.
  public var text: [UInt8]?

  /// The option with the rule.
  public var option: String

  /// The column whose cells the rule is about, if it is not about rows.
  public var column: String?
}

extension [LayoutNotice] {
  /// The notices in the order in which they are reported, whichever thread found them first (R66).
  var inOrder: [LayoutNotice] { count < 2 ? self : sorted { $0.rank < $1.rank } }

  /// Adds the notices of another part of the same drawing; counts are added up.
  mutating func merge(_ others: [LayoutNotice]) {
    for other in others {
      guard let index = firstIndex(where: { $0.sum(with: other) != nil }),
        let sum = self[index].sum(with: other)
      else {
        append(other)
        continue
      }
      self[index] = sum
    }
  }
}

extension RowPlace? {
  /// The place that comes first in the input; `nil` if either is not known.
  fileprivate static func earlier(_ first: RowPlace?, _ other: RowPlace?) -> RowPlace? {
    guard let first, let other else { return nil }
    return first.number < other.number ? first : other
  }
}

extension ColorlessValue? {
  /// The value that comes first in the input; `nil` if either is not known.
  fileprivate static func earlier(_ first: ColorlessValue?, _ other: ColorlessValue?) -> ColorlessValue? {
    guard let first, let other else { return nil }
    return first.place.number < other.place.number ? first : other
  }
}

extension LayoutNotice {
  /// The notice without the place of a row, if rows do not know where they were.
  var withoutPlace: LayoutNotice {
    switch self {
    case .replacedBytes(let count, _): .replacedBytes(count, first: nil)
    case .nulBytes(let count, _): .nulBytes(count, first: nil)
    case .longCells(let count, _): .longCells(count, first: nil)
    case .notColors(let count, _): .notColors(count, first: nil)
    case .cutCells, .cutTitles, .clippedCells, .leftOutColumns, .leftOutBars, .lateCells, .widerThanLimit,
      .longTitles,
      .ignoredRowSpacing:
      self
    }
  }

  /// The rank among notices of other kinds.
  fileprivate var rank: Int {
    switch self {
    case .leftOutBars: 0
    case .leftOutColumns: 1
    case .widerThanLimit: 2
    case .lateCells: 3
    case .cutCells: 4
    case .clippedCells: 5
    case .cutTitles: 6
    case .replacedBytes: 7
    case .nulBytes: 8
    case .longCells: 9
    case .longTitles: 10
    case .ignoredRowSpacing: 11
    case .notColors: 12
    }
  }

  /// One notice that replaces two of the same kind; `nil` if they differ.
  fileprivate func sum(with other: LayoutNotice) -> LayoutNotice? {
    switch (self, other) {
    case (.cutCells(let count), .cutCells(let more)): .cutCells(count + more)
    case (.clippedCells(let count), .clippedCells(let more)): .clippedCells(count + more)
    case (.cutTitles(let count), .cutTitles(let more)): .cutTitles(count + more)
    case (.leftOutColumns, .leftOutColumns), (.leftOutBars, .leftOutBars): self
    case (.lateCells(let count), .lateCells(let more)): .lateCells(count + more)
    case (.replacedBytes(let count, let first), .replacedBytes(let more, let other)):
      .replacedBytes(count + more, first: .earlier(first, other))
    case (.nulBytes(let count, let first), .nulBytes(let more, let other)):
      .nulBytes(count + more, first: .earlier(first, other))
    case (.longCells(let count, let first), .longCells(let more, let other)):
      .longCells(count + more, first: .earlier(first, other))
    case (.notColors(let count, let first), .notColors(let more, let other)):
      .notColors(count + more, first: .earlier(first, other))
    case (.widerThanLimit(let excess), .widerThanLimit(let more)): .widerThanLimit(by: max(excess, more))
    case (.longTitles, .longTitles): self
    case (.ignoredRowSpacing, .ignoredRowSpacing): .ignoredRowSpacing
    default: nil
    }
  }
}

/// What cells contain that cannot be drawn unchanged: bytes that no text should have, or too many of them.
struct CellFindings: Equatable, Sendable {
  /// The number of ill-formed stretches.
  var illFormed = 0

  /// The number of NUL bytes.
  var nul = 0

  /// The number of cells that are too long to be drawn whole.
  var cut = 0

  /// Whether there are none.
  @inline(__always)
  var isEmpty: Bool { illFormed | nul | cut == 0 }

  /// Adds other findings.
  @inline(__always)
  static func += (left: inout CellFindings, right: CellFindings) {
    left.illFormed &+= right.illFormed
    left.nul &+= right.nul
    left.cut &+= right.cut
  }
}

/// The findings in the cells of shown rows, counted, with the first row of each kind.
struct FindingsTally: Sendable {
  /// The first row of the input with something of one kind, by its number.
  private enum First: Sendable {
    /// A row whose line number is computed on demand.
    ///
    /// In reversed rows, every row is the first so far.
    case row(Batch, Int)
    case place(RowPlace)

    var place: RowPlace {
      switch self {
      case .row(let batch, let row): RowPlace(row, of: batch)
      case .place(let place): place
      }
    }

    /// The same without a large batch.
    var settled: First {
      if case .row(let batch, _) = self, batch.isLarge { .place(place) } else { self }
    }
  }

  private var illFormed = Tally<First>()
  private var nul = Tally<First>()
  private var cut = Tally<First>()

  /// Creates an empty tally.
  init() {}

  /// Counts the findings in the cells of a row.
  @inline(__always)
  mutating func recordFindings(_ found: CellFindings, _ batch: Batch, _ row: Int) {
    if !found.isEmpty { add(found, batch, row) }
  }

  /// Notices for the user.
  var notices: [LayoutNotice] {
    var notices: [LayoutNotice] = []
    if let first = illFormed.first { notices.append(.replacedBytes(illFormed.count, first: first.place)) }
    if let first = nul.first { notices.append(.nulBytes(nul.count, first: first.place)) }
    if let first = cut.first { notices.append(.longCells(cut.count, first: first.place)) }
    return notices
  }

  /// Releases large batches, because two of them do not fit into memory.
  mutating func releaseLargeBatches() {
    illFormed.changeFirst(\.settled)
    nul.changeFirst(\.settled)
    cut.changeFirst(\.settled)
  }

  @inline(never)
  private mutating func add(_ found: CellFindings, _ batch: Batch, _ row: Int) {
    let number = batch.rowNumber(ofRow: row)
    if found.illFormed > 0 { illFormed.record(found.illFormed, inRow: number, .row(batch, row)) }
    if found.nul > 0 { nul.record(found.nul, inRow: number, .row(batch, row)) }
    if found.cut > 0 { cut.record(found.cut, inRow: number, .row(batch, row)) }
  }
}

extension Escaper.Findings {
  /// The findings, if it was the text of a cell.
  @inline(__always)
  var ofCell: CellFindings {
    CellFindings(illFormed: replacements, nul: nuls, cut: cuts)
  }
}
