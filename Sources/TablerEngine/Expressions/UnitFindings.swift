/// The units of the sizes of a column: `512m` is a thousandth, but next to `1g` it is hardly meant so.
struct UnitFindings: Sendable {
  private var thousandths = ConversionTally.Cells()
  private var hasOthers = false

  /// The number of values that are thousandths.
  var thousandthCount: Int { thousandths.count }

  /// Whether no value has a unit.
  var isEmpty: Bool { thousandths.count == 0 && !hasOthers }

  /// Records the unit of a value.
  mutating func recordUnit(of text: Span<UInt8>, from origin: Batch, row: Int) {
    switch Size.unit(of: text) {
    case .thousandth: thousandths.count(text, wanted: .size, batch: origin, row: row)
    case .other: hasOthers = true
    case nil: break
    }
  }

  /// Adds the findings in another part of the same input.
  mutating func merge(_ other: UnitFindings) {
    thousandths.merge(other.thousandths)
    hasOthers = hasOthers || other.hasOthers
  }

  /// Takes over the findings of another expression for the same cells if there are more.
  mutating func widen(_ other: UnitFindings) {
    thousandths.widen(other.thousandths)
    hasOthers = hasOthers || other.hasOthers
  }

  /// The first thousandth, if it is doubtful.
  var doubtful: ConversionTally.Misfit? { hasOthers ? thousandths.first : nil }

  /// The approximate bytes that they take besides themselves.
  var byteCount: Int { thousandths.byteCount }
}

extension ConversionTally.Misfit {
  /// The maximum number of bytes in a text that are shown.
  private static let mostShown = 200

  /// A text and where it is.
  init(
    _ text: Span<UInt8>, of origin: Batch, row: Int, line: Int? = nil, wanted: ExpressionError.ValueKind
  ) {
    self.init(
      source: origin.source(ofRow: row), line: line ?? origin.line(ofRow: row),
      row: origin.rowNumber(ofRow: row),
      text: Array(copying: text.extracting(0..<Swift.min(text.count, Self.mostShown))), wanted: wanted)
  }
}
