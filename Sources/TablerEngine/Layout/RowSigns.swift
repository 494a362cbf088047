/// The signs that text draws beside and around rows: the marks of selected and of invalid rows, and boxes.
struct RowSigns: Sendable {
  /// The mark of a selected row.
  let mark: [UInt8]

  /// The mark of a row whose record violates a rule.
  let invalid: [UInt8]

  /// The corners of a box: the upper ones at both ends, and the lower ones.
  let top: (start: [UInt8], end: [UInt8])
  let bottom: (start: [UInt8], end: [UInt8])

  /// The horizontal line of a box.
  let across: [UInt8]

  /// The vertical line of a box.
  let side: [UInt8]

  /// The cells of all marks with the blank after them; 0 if no row may have one.
  let markRoom: Int

  /// The cells of the marks, if rows may have them.
  private let widths: (mark: Int, invalid: Int)

  /// The cells of a character of the horizontal line.
  let acrossWidth: Int

  /// The cells of a vertical line with the blanks beside it.
  let sideWidth: Int

  /// The signs of `options`; with a border of ASCII they are ASCII.
  init(_ options: LayoutOptions) {
    let isASCII = options.isASCII || options.border == .ascii
    let metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    let mark = Array((isASCII ? ">" : "▶").utf8)
    let across = Array((isASCII ? "-" : "─").utf8)
    let side = Array((isASCII ? "|" : "│").utf8)
    (self.mark, self.across, self.side) = (mark, across, side)
    top = isASCII ? (Array("+".utf8), Array("+".utf8)) : (Array("┌".utf8), Array("┐".utf8))
    bottom = isASCII ? top : (Array("└".utf8), Array("┘".utf8))
    let invalid = options.hasRecordMarks ? DrawnFieldSigns(options).invalid : []
    let markWidth = options.hasSelectionMarks ? metrics.width(of: mark.span) : 0
    let marksWidth = markWidth + metrics.width(of: invalid.span)
    self.invalid = invalid
    widths = (markWidth, marksWidth - markWidth)
    markRoom = marksWidth == 0 ? 0 : marksWidth + 1
    acrossWidth = metrics.width(of: across.span)
    // The rule of a box crosses the lines of a table, so that the sides take whole characters of it.
    sideWidth = metrics.width(of: side.span) + acrossWidth
  }

  /// Appends the marks of a row in the room for them.
  func appendMarks(isSelected: Bool, isInvalid: Bool, to out: inout ByteBuffer) {
    if widths.mark > 0, isSelected { out.append(mark) } else { out.append(blanks: widths.mark) }
    if isInvalid { out.append(invalid) } else { out.append(blanks: widths.invalid) }
    out.append(blanks: min(1, markRoom))
  }
}
