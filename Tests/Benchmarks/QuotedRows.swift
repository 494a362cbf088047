/// Records whose fields are all quoted; titles hold commas and quotes, bodies also line feeds, some after a carriage
/// return.
///
/// The first column is the number of the record.
struct QuotedRows: Sequence, IteratorProtocol {
  private var random = SeededGenerator(seed: 909)
  private let count: Int
  private var made = 0

  /// The titles, as a line of csv.
  static let header = #""id","title","body","tag","amount""# + "\n"

  init(count: Int) {
    self.count = count
  }

  mutating func next() -> String? {
    guard made < count else { return nil }
    made += 1
    let title = "\(random.word(of: Words.firstNames)), \"\"\(random.word(of: Words.lastNames))\"\""
    let cents = String(100 + random.number(below: 100)).dropFirst()
    return "\"\(made)\",\"\(title)\",\"\(body())\",\"\(random.word(of: Words.categories))\","
      + "\"\(random.number(below: 10_000)).\(cents)\"\n"
  }

  /// Up to twenty words, three times one of them in quotes, with a comma or at the end of a line.
  private mutating func body() -> String {
    var words = (0..<(6 + random.number(below: 14))).map { _ in random.word(of: Words.plain) }
    for _ in 0..<3 {
      let index = random.number(below: words.count)
      let kind = random.fraction()
      if kind < 0.4 {
        words[index] = "\"\"" + words[index] + "\"\""
      } else {
        words[index] += kind < 0.7 ? "," : kind < 0.95 ? "\n" : "\r\n"
      }
    }
    return words.joined(separator: " ")
  }
}
