/// Rows that say that they are the total of others, as spreadsheets have them, where all rows are added.
struct AddedTotals: Sendable {
  /// A column whose texts are examined.
  private struct Labels: Sendable {
    let index: Int
    let name: String
  }

  /// The first columns: what a row is about stands in one of them.
  private let labels: [Labels]

  private var found = Tally<RowPlace>()

  /// The column of the first such row, and the different texts in it, as many as are named.
  private var column = ""
  private var texts: [[UInt8]] = []

  private static let mostLabels = 3
  private static let mostTexts = 3

  /// Examines no rows.
  init() { labels = [] }

  /// Examines the first of the columns that are shown.
  init(in schema: Schema) {
    labels = schema.shown.prefix(Self.mostLabels).map { Labels(index: $0, name: schema.columns[$0].name) }
  }

  /// Examines the first of some columns.
  init(in columns: [ShownColumn]) {
    var labels: [Labels] = []
    for column in columns where labels.count < Self.mostLabels {
      guard case .column(let source) = column.source, source.path.isEmpty else { continue }
      labels.append(Labels(index: source.index, name: column.name))
    }
    self.labels = labels
  }

  /// Examines rows of a batch.
  mutating func look(at rows: [UInt32], of batch: Batch) {
    for label in labels {
      for row in rows {
        let cell = batch.cell(row: Int(row), column: label.index)
        guard cell.kind == .text, Self.lengths.contains(cell.length), Self.isTotal(batch.content(cell)) else {
          continue
        }
        found.record(inRow: 0, RowPlace(Int(row), of: batch))
        if column.isEmpty { column = label.name }
        let text = Array(copying: batch.content(cell))
        if label.name == column, texts.count < Self.mostTexts, !texts.contains(text) { texts.append(text) }
      }
    }
  }

  /// The note on them.
  func notices(_ sources: [Source]) -> [Notice] {
    guard let first = found.first else { return [] }
    let place = InputError.Location(first, sources)
    return [.totalsAdded(column: column, count: found.count, first: place, texts: texts)]
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
    guard [0x73, 0x74, 0x67, 0x69, 0x6F, 0x7A].contains(text[0] | 0x20) else { return false }
    var word = Array(copying: text)
    while let last = word.last, last == UInt8(ascii: ":") || NumberScan.isBlank(last) { word.removeLast() }
    for place in word.indices where word[place] &- 0x41 < 26 { word[place] |= 0x20 }
    return words.contains { word.span.equals($0) }
  }
}
