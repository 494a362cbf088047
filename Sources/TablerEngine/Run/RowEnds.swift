/// Passes on the first and the last rows of a table, and a line in place of those between them: `--ends`.
///
/// 1. The end of a section waits as long as rows that are left out may come next: the line belongs to it.
/// 2. The beginning of a section waits for its first row that is shown; if there is none, the section is left out.
struct RowEnds {
  /// The rows that are left out, by their numbers from 0.
  let hidden: Range<Int>

  private let isASCII: Bool

  /// The number of rows that have passed or were left out.
  private var number = 0

  /// The beginning of a section of which no row was shown, and the end of one, if they wait.
  private var waitingBegin: SectionPart?
  private var waitingEnd: SectionPart?

  /// Whether the line was passed on.
  private var hasGap = false

  /// Leaves out all but `count` rows at either end of `rowCount`; `nil` if none is left out.
  init?(_ count: Int, of rowCount: Int, isASCII: Bool) {
    guard rowCount / 2 >= count, rowCount - count > count else { return nil }
    hidden = count..<rowCount - count
    self.isASCII = isASCII
  }

  /// Passes on what is shown of a part.
  mutating func pass<Problem: Error>(
    _ part: SectionPart, _ body: (SectionPart) throws(Problem) -> Void
  ) throws(Problem) {
    switch part {
    case .begin:
      if hidden.contains(number) {
        waitingBegin = part
      } else {
        try body(part)
      }
    case .rows(let rows, let range): try pass(rows, range, body)
    case .end:
      if waitingBegin != nil {
        waitingBegin = nil
      } else if !hasGap, hidden.contains(number) {
        waitingEnd = part
      } else {
        try body(part)
      }
    case .gap: try body(part)
    }
  }

  private mutating func pass<Problem: Error>(
    _ rows: Rows, _ range: Range<Int>, _ body: (SectionPart) throws(Problem) -> Void
  ) throws(Problem) {
    let base = number - range.lowerBound
    number += range.count
    let start = min(max(hidden.lowerBound - base, range.lowerBound), range.upperBound)
    let end = min(max(hidden.upperBound - base, start), range.upperBound)
    if range.lowerBound < start { try body(.rows(rows, range.lowerBound..<start)) }
    if start < end, !hasGap {
      hasGap = true
      try body(.gap(text, hidden.count))
      if let waitingEnd { try body(waitingEnd) }
      waitingEnd = nil
    }
    guard end < range.upperBound else { return }
    if let waitingBegin { try body(waitingBegin) }
    waitingBegin = nil
    try body(.rows(rows, end..<range.upperBound))
  }

  /// The line.
  var text: [UInt8] {
    var digits = String(hidden.count)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    let mark = isASCII ? "..." : "…"
    return Array("\(mark) \(digits) row\(hidden.count == 1 ? "" : "s") \(mark)".utf8)
  }
}
