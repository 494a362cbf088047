/// Where the cells of a column may break if space is short.
enum Breaking {
  /// Between words.
  case words

  /// Between words, in a column that should stay wide because some cells are long.
  case paragraphs

  /// Nowhere: numbers, dates and times.
  case nowhere

  /// The width from which on cells are paragraphs.
  private static let paragraphWidth = 40

  /// Decides by the measured rows.
  ///
  /// Row names are sticky and should stay narrow.
  init(_ column: ShownColumn, _ measure: ColumnMeasure, holdsDates: Bool) {
    if measure.isNumeric || holdsDates {
      self = .nowhere
    } else {
      self = measure.width >= Self.paragraphWidth && !column.isRowHeader ? .paragraphs : .words
    }
  }
}

/// Determines whether all cells of a column, except missing ones, are dates or times.
struct DateColumn {
  private var text: CellText
  private var hasDates = false
  private var hasOthers = false

  /// Begins with a column none of whose cells has been examined.
  init(_ text: CellText) { self.text = text }

  /// Whether the cells are only dates or times.
  var holdsDates: Bool { hasDates && !hasOthers }

  /// Examines the next rows.
  ///
  /// - Parameters:
  ///   - number: the number of the first of them among the rows shown, from 1.
  ///   - scratch: a buffer for texts.
  mutating func examineRows(_ rows: Rows, firstNumber number: Int, _ scratch: inout ByteBuffer) {
    for (index, id) in rows.ids.enumerated() where !hasOthers {
      let batch = rows.batches[id.batch]
      switch text.show(batch, id.row, number: number + index, into: &scratch) {
      case .cell(let cell): examineText(batch.drawn(cell))
      case .scratch: examineText(scratch.span)
      case .absent: break
      }
    }
  }

  private mutating func examineText(_ text: Span<UInt8>) {
    if text.isEmpty || text.isNullLike { return }
    if text.isDateOrTime { hasDates = true } else { hasOthers = true }
  }
}

extension Span<UInt8> {
  /// Whether the text looks like a date or a time by its characters.
  ///
  /// These are digits and `- / : . T Z +`, with at most one blank between them; plain numbers look the same.
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
