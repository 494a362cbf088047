/// What the row loop needs to know of one column.
struct TextSlot: Sendable {
  /// The column of the batch whose cells are copied; beyond all columns where it is not that simple.
  let column: Int
  /// The cells of the column.
  let width: Int
  /// Where texts stand in it.
  let alignment: Alignment
  /// Whether blanks follow a text that does not fill the column.
  let isPadded: Bool
  /// Whether its cells are styled.
  let isStyled: Bool
  /// What follows the column in every line; `nil` if it is long.
  let gap: ByteSnippet?

  /// The slots of an arrangement.
  static func slots(of arrangement: Arrangement, _ texts: [CellText], hasStyledNames: Bool) -> [TextSlot] {
    let frame = arrangement.frame
    let isFolded = !arrangement.lines.isEmpty
    return arrangement.columns.indices.map { index in
      let column = arrangement.columns[index]
      let isStyled = hasStyledNames && column.isRowHeader
      let isSimple = column.alignment != .decimal && !isStyled
      return TextSlot(
        column: isSimple ? texts[index].verbatimColumn ?? .max : .max, width: column.width,
        alignment: column.alignment,
        isPadded: index < frame.gaps.count || frame.isClosed || column.mark != nil || isFolded,
        isStyled: isStyled,
        gap: ByteSnippet(index < frame.gaps.count ? frame.gaps[index] : frame.tail))
    }
  }
}
