/// Whether the cells of a column have values, and different ones.
///
/// It is only needed for tables whose columns may be left out.
struct CellVariety: Equatable, Sendable {
  /// Whether a cell has a value.
  private var hasValue = false

  /// Whether two cells differ.
  private var differs = false

  /// The text of all cells so far; `nil` before the first.
  private var text: [UInt8]?

  /// The length of a text, in bytes, from which on cells count as different.
  private static let longest = 256

  /// The worth of a column of such cells to a reader.
  enum Worth: Int {
    /// No cell has a value.
    case nothing
    /// All cells have the same text.
    case oneText
    /// Cells differ.
    case texts
  }

  /// The worth of the column.
  var worth: Worth { !hasValue ? .nothing : differs ? .texts : .oneText }

  /// Whether further cells would not change it.
  var isSettled: Bool { hasValue && differs }

  /// Adds the text of a cell; an empty one for a cell without a value.
  mutating func addText(_ cell: Span<UInt8>) {
    if !hasValue { hasValue = !cell.isWithoutValue }
    if differs { return }
    if let text {
      differs = !cell.equals(text)
    } else if cell.count < Self.longest {
      text = Array(copying: cell)
    } else {
      differs = true
    }
    if differs { text = nil }
  }

  /// Adds the cells of other rows.
  mutating func merge(_ other: CellVariety) {
    hasValue = hasValue || other.hasValue
    if let text, let otherText = other.text { differs = text != otherText }
    differs = differs || other.differs
    text = differs ? nil : text ?? other.text
  }
}

extension Span<UInt8> {
  /// Whether the text is blank or a word for a missing value, such as `NA`, `-` and `<none>` of `kubectl`.
  fileprivate var isWithoutValue: Bool {
    isNullLike || equals("<none>") || indices.allSatisfy { self[$0] == 0x20 }
  }
}
