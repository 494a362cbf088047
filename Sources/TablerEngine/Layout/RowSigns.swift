/// What text draws beside and round rows: the mark of those that are selected, and boxes.
struct RowSigns: Sendable {
  /// The mark of a selected row.
  let mark: [UInt8]

  /// The corners of a box: those above at both ends, and those below.
  let top: (start: [UInt8], end: [UInt8])
  let bottom: (start: [UInt8], end: [UInt8])

  /// The horizontal line of a box.
  let across: [UInt8]

  /// The vertical line of a box.
  let side: [UInt8]

  /// The cells of a mark with the blank after it.
  let markWidth: Int

  /// The cells of a character of the horizontal line.
  let acrossWidth: Int

  /// The cells of a vertical line with the blanks beside it.
  let sideWidth: Int

  /// The signs of `options`; a border of ASCII has signs of ASCII.
  init(_ options: LayoutOptions) {
    let isASCII = options.isASCII || options.border == .ascii
    let metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    let mark = Array((isASCII ? ">" : "▶").utf8)
    let across = Array((isASCII ? "-" : "─").utf8)
    let side = Array((isASCII ? "|" : "│").utf8)
    (self.mark, self.across, self.side) = (mark, across, side)
    top = isASCII ? (Array("+".utf8), Array("+".utf8)) : (Array("┌".utf8), Array("┐".utf8))
    bottom = isASCII ? top : (Array("└".utf8), Array("┘".utf8))
    markWidth = metrics.width(of: mark.span) + 1
    acrossWidth = metrics.width(of: across.span)
    // The rule of a box crosses the lines of a table, so what stands beside them takes whole characters of it.
    sideWidth = metrics.width(of: side.span) + acrossWidth
  }
}
