/// What stands between two columns: blanks, a line or a text, blanks.
struct ColumnGap: Equatable, Sendable {
  /// Blanks before what separates.
  var before: Int
  /// Blanks after it.
  var after: Int
  /// What separates; empty where it is only space.
  private(set) var text = ""
  /// The cells it takes.
  private(set) var textWidth = 0
  /// Whether it is a line of the frame, which rules cross.
  private(set) var isLine = false
  /// Whether row names end here.
  var isBehindNames = false

  /// Creates a gap of blanks.
  init(before: Int, after: Int) {
    self.before = before
    self.after = after
  }

  /// The cells of the gap.
  var width: Int { before + textWidth + after }

  /// The gap as it is drawn, its text in a style.
  func bytes(_ style: TextStyle) -> [UInt8] {
    Array(repeating: 0x20, count: before) + style.styled(Array(text.utf8))
      + Array(repeating: 0x20, count: after)
  }

  /// Puts the spacing between columns half to each side; a negative one takes padding away.
  mutating func widen(by spacing: Int) {
    let half = spacing / 2
    if spacing >= 0 {
      before += half
      after += spacing - half
    } else {
      let taken = min(before, (1 - spacing) / 2)
      before -= taken
      after = max(0, after + spacing + taken)
    }
  }

  /// Puts what separates between the blanks.
  mutating func fill(_ separator: Separator, line: String, _ metrics: TextMetrics) {
    switch separator {
    case .byLayout, .none: return
    case .line:
      text = line
      isLine = true
    case .text(let separator): text = String(decoding: TextContext.label(separator), as: UTF8.self)
    }
    textWidth = metrics.width(of: Array(text.utf8).span)
  }
}
