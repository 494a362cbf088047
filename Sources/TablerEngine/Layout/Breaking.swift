/// Where the cells of a column may break when room is short.
enum Breaking {
  /// Between words.
  case words

  /// Between words.
  ///
  /// Some cells are long, so the column should stay wide.
  case paragraphs

  /// Nowhere: numbers, dates and times.
  case nowhere

  /// Cells this wide are paragraphs.
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

/// Finds out whether all cells of a column that are there are dates or times.
struct DateColumn {
  private var text: CellText
  private var hasDates = false
  private var hasOthers = false

  /// Begins with a column of which no cell was looked at.
  init(_ text: CellText) { self.text = text }

  /// Whether there are dates or times, and nothing else.
  var holdsDates: Bool { hasDates && !hasOthers }

  /// Looks at the next rows.
  ///
  /// - Parameters:
  ///   - number: the number of the first of them among the rows shown, from 1.
  ///   - scratch: where texts are made.
  mutating func look(at rows: Rows, firstNumber number: Int, _ scratch: inout ByteBuffer) {
    for (index, id) in rows.ids.enumerated() where !hasOthers {
      let batch = rows.batches[id.batch]
      switch text.show(batch, id.row, number: number + index, into: &scratch) {
      case .cell(let cell): look(at: batch.drawn(cell))
      case .scratch: look(at: scratch.span)
      case .absent: break
      }
    }
  }

  private mutating func look(at text: Span<UInt8>) {
    if text.isEmpty || text.isNullLike { return }
    if text.isDateOrTime { hasDates = true } else { hasOthers = true }
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
