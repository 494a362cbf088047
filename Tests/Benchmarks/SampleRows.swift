/// The rows of the sample table: mixed columns, some text beyond ASCII, 5 % of the notes in need of quotes.
///
/// The same count gives the same rows, and a shorter table is the beginning of a longer one.
struct SampleRows: Sequence, IteratorProtocol {
  private var random = SeededGenerator(seed: 20_240_607)
  private let phrases: [String]
  private let count: Int
  private var made = 0

  init(count: Int) {
    var random = SeededGenerator(seed: 7_919)
    phrases = (0..<4_096).map { _ in
      (0..<(3 + random.number(below: 6))).map { _ in random.word(of: Self.words) }.joined(separator: " ")
    }
    self.count = count
  }

  mutating func next() -> SampleRow? {
    guard made < count else { return nil }
    made += 1
    let isWholeWeight = random.fraction() >= 0.97
    return SampleRow(
      id: made * 7_919 % 100_000_007,
      name: random.word(of: Self.firstNames) + " " + random.word(of: Self.lastNames),
      weight: isWholeWeight
        ? random.number(below: 100_000) * 10_000 : random.number(below: 10_000_000) - 1_000_000,
      isWholeWeight: isWholeWeight,
      date: date(),
      category: Self.categories[Int(random.fraction() * random.fraction() * Double(Self.categories.count))],
      city: random.word(of: Self.cities),
      note: note(),
      isActive: random.fraction() < 0.5)
  }
}

extension SampleRows {
  private mutating func date() -> String {
    let year = 1995 + random.number(below: 31)
    let month = 101 + random.number(below: 12)
    let day = 101 + random.number(below: 28)
    return "\(year)-\(String(month).dropFirst())-\(String(day).dropFirst())"
  }

  private mutating func note() -> String {
    let phrase = random.word(of: phrases)
    let kind = random.fraction()
    guard kind < 0.07 else { return phrase }
    guard kind < 0.05 else { return "" }
    let parts = phrase.split(separator: " ", maxSplits: 1)
    if kind < 0.03 { return "\(parts[0]), \(parts[1])" }
    return kind < 0.045 ? "\(parts[0]) \"\(parts[1])\"" : "\(parts[0]), \"\(parts[1])\", etc"
  }

  private static let firstNames = list(
    """
    Ada Grace Linus Ken Dennis Bjarne Guido Larry Yukihiro James Brendan Anders Donald Edsger Barbara Frances
    Margaret Katherine Radia Shafi Tim Vint Leslie Alan John Jean Hedy Mary Joan Niklaus Tony Robin Per Ole
    """)

  private static let lastNames = list(
    """
    Lovelace Hopper Torvalds Thompson Ritchie Stroustrup Rossum Wall Matsumoto Gosling Eich Hejlsberg Knuth
    Dijkstra Liskov Allen Hamilton Johnson Perlman Goldwasser Lee Cerf Lamport Turing Backus Bartik Lamarr
    """)

  private static let categories = list("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu")

  private static let cities =
    list("London Paris Berlin Madrid Rome Lisbon Vienna Oslo Helsinki Dublin Nairobi Sydney Toronto Austin")
    + ["New York", "San Francisco", "Buenos Aires", "Cape Town"]
    + list("Zürich München Köln Bogotá Malmö Kraków Łódź Reykjavík 東京 大阪 北京 서울 Αθήνα Москва Київ")

  private static let words = list(
    """
    the quick brown fox jumps over lazy dog stream table format align column row sort filter key stable index
    value parse emit grid stack list pipe shell text plain wide narrow header border pad space left right
    """)

  private static func list(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
