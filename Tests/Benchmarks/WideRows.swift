/// Records of 300 columns: in turn whole numbers, decimals, words and categories, a fifth of these empty.
///
/// The first column is the number of the record.
struct WideRows: Sequence, IteratorProtocol {
  private var random = SeededGenerator(seed: 303)
  private let count: Int
  private var made = 0

  private static let columns = 300

  /// The titles, as a line of csv.
  static let header = (0..<columns).map { "c\($0)" }.joined(separator: ",") + "\n"

  init(count: Int) {
    self.count = count
  }

  mutating func next() -> String? {
    guard made < count else { return nil }
    made += 1
    var line = String(made)
    for column in 1..<Self.columns {
      line += ","
      line += cell(of: column)
    }
    return line + "\n"
  }

  private mutating func cell(of column: Int) -> String {
    switch column % 4 {
    case 0: String(random.number(below: 100_000))
    case 1: "\(random.number(below: 100)).\(String(1000 + random.number(below: 1000)).dropFirst())"
    case 2: random.word(of: Words.plain)
    default: random.fraction() < 0.2 ? "" : random.word(of: Words.categories)
    }
  }
}
