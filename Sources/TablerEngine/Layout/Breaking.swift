/// Where the cells of a column may break when room is short.
enum Breaking {
  /// Between words.
  case words

  /// Between words, of which some cells have many: the column is not to become narrow.
  case paragraphs

  /// Nowhere: numbers, dates and times.
  case nowhere

  /// Cells this wide are paragraphs.
  private static let paragraphWidth = 40

  /// Decides it by the rows looked at; row names, which stay in sight, are not to take room from the rest.
  init(
    _ column: ShownColumn, _ measure: ColumnMeasure, _ text: CellText, _ rows: Rows, _ range: Range<Int>
  ) {
    if measure.isNumeric || Self.holdsDates(text, rows, range) {
      self = .nowhere
    } else {
      self = measure.width >= Self.paragraphWidth && !column.isRowHeader ? .paragraphs : .words
    }
  }

  /// Whether all cells that are there are dates or times.
  private static func holdsDates(_ text: CellText, _ rows: Rows, _ range: Range<Int>) -> Bool {
    var text = text
    var scratch = ByteBuffer()
    var hasDates = false
    for index in range {
      let id = rows.ids[index]
      let batch = rows.batches[id.batch]
      let isDate: Bool?
      switch text.show(batch, id.row, number: index + 1, into: &scratch) {
      case .cell(let cell): isDate = isDateUnlessNull(batch.content(cell))
      case .scratch: isDate = isDateUnlessNull(scratch.span)
      case .absent: isDate = nil
      }
      if isDate == false { return false }
      if isDate == true { hasDates = true }
    }
    return hasDates
  }

  private static func isDateUnlessNull(_ text: Span<UInt8>) -> Bool? {
    text.isEmpty || text.isNullLike ? nil : text.isDateOrTime
  }
}

extension Span<UInt8> {
  /// Whether the text is a date or a time, as far as its characters go.
  ///
  /// These are digits and `- / : . T Z +`, with at most one blank between them; plain numbers are the same.
  var isDateOrTime: Bool {
    var hasDigits = false
    var blanks = 0
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigits = true
      case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "T"),
        UInt8(ascii: "Z"), UInt8(ascii: "+"):
        break
      case UInt8(ascii: " ") where index > 0 && index < count &- 1: blanks &+= 1
      default: return false
      }
    }
    return hasDigits && blanks <= 1
  }
}
