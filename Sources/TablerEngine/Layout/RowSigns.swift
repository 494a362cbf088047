/// The signs that text draws beside and around rows: the marks of selected and of invalid rows, and boxes.
struct RowSigns: Sendable {
  /// The corners of a box: those above at both ends, and those below.
  let top: (start: [UInt8], end: [UInt8])
  let bottom: (start: [UInt8], end: [UInt8])

  /// The horizontal line of a box.
  let across: [UInt8]

  /// The vertical line of a box.
  let side: [UInt8]

  /// The cells of all marks with the blank after them; 0 if rows have none.
  private let markRoom: Int

  /// The marks that rows may have, and the cells of each.
  private let marks: [(mark: RowMarks, sign: [UInt8], width: Int)]

  /// The cells of a character of the horizontal line.
  let acrossWidth: Int

  /// The cells of a vertical line with the blanks beside it.
  let sideWidth: Int

  /// The signs of `options`; with a border of ASCII they are ASCII.
  init(_ options: LayoutOptions) {
    let isASCII = Self.isASCII(options)
    let metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    let across = Array((isASCII ? "-" : "─").utf8)
    let side = Array((isASCII ? "|" : "│").utf8)
    (self.across, self.side) = (across, side)
    top = isASCII ? (Array("+".utf8), Array("+".utf8)) : (Array("┌".utf8), Array("┐".utf8))
    bottom = isASCII ? top : (Array("└".utf8), Array("┘".utf8))
    marks = Self.marks(options)
    markRoom = Self.markRoom(options)
    acrossWidth = metrics.width(of: across.span)
    // The rule of a box crosses the lines of a table, so that the sides take whole characters of it.
    sideWidth = metrics.width(of: side.span) + acrossWidth
  }

  /// The cells of all marks with the blank after them; 0 if rows have none.
  static func markRoom(_ options: LayoutOptions) -> Int {
    guard options.hasSelectionMarks || options.hasRecordMarks else { return 0 }
    let width = marks(options).reduce(0) { $0 + $1.width }
    return width == 0 ? 0 : width + 1
  }

  private static func marks(_ options: LayoutOptions) -> [(mark: RowMarks, sign: [UInt8], width: Int)] {
    let signs = RowMarks.signs(options, selects: options.hasSelectionMarks, isASCII: isASCII(options))
    let metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    return signs.map { ($0.mark, $0.sign, metrics.width(of: $0.sign.span)) }
  }

  private static func isASCII(_ options: LayoutOptions) -> Bool {
    options.isASCII || options.border == .ascii
  }

  /// Appends the marks of a row in their room.
  func append(_ rowMarks: RowMarks, to out: inout ByteBuffer) {
    for (mark, sign, width) in marks {
      if rowMarks.contains(mark) { out.append(sign) } else { out.append(blanks: width) }
    }
    out.append(blanks: min(1, markRoom))
  }
}
