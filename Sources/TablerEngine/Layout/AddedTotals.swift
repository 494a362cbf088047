/// Rows that are called a total, as spreadsheets have them, and are added with the rows that they are the total of.
struct AddedTotals: Sendable {
  /// A column whose texts are examined.
  private struct Label: Sendable {
    let index: Int
    let name: String
  }

  /// The first columns: one of them says what a row is about.
  private let labels: [Label]

  /// The label that calls the first such row a total; other rows are examined only there.
  private var label: Int?
  private var found = Tally<RowPlace>()

  /// The different texts, unless there are too many to be named.
  private var texts: [[UInt8]] = []
  private var hasMoreTexts = false

  private var rowCount = 0

  private static let mostLabels = 3
  private static let mostTexts = 3

  /// Examines no rows.
  init() { labels = [] }

  /// Examines the first of the columns that are shown.
  init(in schema: Schema) {
    labels = schema.shown.prefix(Self.mostLabels).map { Label(index: $0, name: schema.columns[$0].name) }
  }

  /// Examines the first of some columns.
  init(in columns: [ShownColumn]) {
    var labels: [Label] = []
    for column in columns where labels.count < Self.mostLabels {
      guard case .column(let source) = column.source, source.path.isEmpty else { continue }
      labels.append(Label(index: source.index, name: column.name))
    }
    self.labels = labels
  }

  /// Examines rows of a batch, in order.
  mutating func examine(_ rows: [UInt32], of batch: Batch) {
    if labels.isEmpty { return }
    rowCount += rows.count
    for row in rows {
      for place in label.map({ $0...$0 }) ?? 0...labels.count - 1 {
        let cell = batch.cell(row: Int(row), column: labels[place].index)
        guard cell.kind == .text, Self.lengths.contains(cell.length), Self.isTotal(batch.content(cell)) else {
          continue
        }
        label = place
        found.record(inRow: 0, RowPlace(Int(row), of: batch))
        record(batch.content(cell))
        break
      }
    }
  }

  private mutating func record(_ text: Span<UInt8>) {
    if texts.contains(where: { text.equals($0) }) { return }
    if texts.count < Self.mostTexts { texts.append(Array(copying: text)) } else { hasMoreTexts = true }
  }

  /// The note on them, if most rows are others.
  func notices(_ sources: [Source]) -> [Notice] {
    guard let first = found.first, let label, 2 * found.count < rowCount else { return [] }
    return [
      .totalsAdded(
        column: labels[label].name, count: found.count, first: InputError.Location(first, sources),
        text: texts[0], all: hasMoreTexts ? [] : texts)
    ]
  }

  /// The lengths of texts that may be such words, in bytes.
  private static let lengths = 3...24

  /// What totals are called in small letters, without a colon at the end.
  private static let words: [StaticString] = [
    "total", "totals", "grand total", "grand totals", "overall total", "sum", "subtotal", "sub-total",
    "sub total", "summe", "gesamt", "gesamtsumme", "insgesamt", "zwischensumme", "somme", "sous-total",
    "suma", "totale", "totaal",
  ]

  private static func isTotal(_ text: Span<UInt8>) -> Bool {
    switch text[0] | 0x20 {
    case UInt8(ascii: "g"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "s"), UInt8(ascii: "t"),
      UInt8(ascii: "z"):
      break
    default: return false
    }
    var end = text.count
    while end > 0, text[end - 1] == UInt8(ascii: ":") || NumberScan.isBlank(text[end - 1]) { end -= 1 }
    for word in words where word.utf8CodeUnitCount == end {
      if text.extracting(..<end).equalsInSmallLetters(word) { return true }
    }
    return false
  }
}

extension Span<UInt8> {
  /// Whether these are the bytes of a word of as many, once letters of ASCII are small.
  fileprivate func equalsInSmallLetters(_ word: StaticString) -> Bool {
    for index in indices {
      let isCapital = self[index] &- 0x41 < 26
      if (isCapital ? self[index] | 0x20 : self[index]) != word.byte(at: index) { return false }
    }
    return true
  }
}
