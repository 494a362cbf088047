/// Defuses cells that a spreadsheet would take for formulas, and counts them (`--formula-guard`).
struct FormulaGuard: Sendable {
  /// Whether cells are looked at.
  let isOn: Bool

  /// The marks that numbers are written with; `-5` is no formula.
  let marks: NumberMarks

  /// How many cells got a leading `'`; whoever writes it counts it.
  var count = 0

  /// Creates a guard that has caught nothing.
  init(isOn: Bool, marks: NumberMarks) {
    self.isOn = isOn
    self.marks = marks
  }

  /// Whether a cell needs the leading `'`.
  @inline(__always)
  func catches(_ content: Span<UInt8>) -> Bool {
    guard isOn, !content.isEmpty else { return false }
    switch content[0] {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 9, 10, 13:
      return !NumberReader.isNumber(content, marks: marks)
    default: return false
    }
  }
}
