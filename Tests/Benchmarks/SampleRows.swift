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
      (0..<(3 + random.number(below: 6))).map { _ in random.word(of: Words.plain) }.joined(separator: " ")
    }
    self.count = count
  }

  mutating func next() -> SampleRow? {
    guard made < count else { return nil }
    made += 1
    let isWholeWeight = random.fraction() >= 0.97
    return SampleRow(
      position: made,
      name: random.word(of: Words.firstNames) + " " + random.word(of: Words.lastNames),
      weight: isWholeWeight
        ? random.number(below: 100_000) * 10_000 : random.number(below: 10_000_000) - 1_000_000,
      isWholeWeight: isWholeWeight,
      date: date(),
      category: Words.categories[Int(random.fraction() * random.fraction() * Double(Words.categories.count))],
      city: random.word(of: Words.cities),
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
}
