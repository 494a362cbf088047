/// Words whose order is not that of their letters: months, weekdays, sizes, levels, quarters before their years.
struct WordScale: Sendable {
  /// The words in order, in lower case; those of one rank beside each other.
  private let ranks: [[String]]

  /// The number of different words that shows that the scale is meant: `S` and `M` may mean anything.
  let leastWords: Int

  private init(_ words: String, leastWords: Int = 2) {
    ranks = words.split(separator: " ").map { $0.split(separator: "|").map(String.init) }
    self.leastWords = leastWords
  }

  /// All scales, the more likely ones first; that without words is the one of quarters.
  private static let all = [
    WordScale("jan feb mar apr may jun jul aug sep|sept oct nov dec"),
    WordScale(
      "january february march april may june july august september october november december"),
    WordScale("mon tue|tues wed thu|thur|thurs fri sat sun"),
    WordScale("monday tuesday wednesday thursday friday saturday sunday"),
    WordScale("xxs xs s m l xl xxl xxxl", leastWords: 3),
    WordScale("tiny small medium large huge"),
    WordScale("low medium|moderate high critical"),
    WordScale("trace debug info notice warn|warning error critical fatal|emergency", leastWords: 3),
    WordScale(""),
  ]

  /// The rank of a word in lower case; `nil` if it is not of the scale.
  private func rank(of word: String) -> Int? {
    ranks.isEmpty ? Self.quarter(word) : ranks.firstIndex { $0.contains(word) }
  }

  /// The number of a quarter or half of a year, such as `q1-2024`, `h2/24` or `q3 '24`, which grows with time.
  private static func quarter(_ word: String) -> Int? {
    var rest = Array(word.utf8)[...]
    guard rest.first == UInt8(ascii: "q") || rest.first == UInt8(ascii: "h"),
      let part = rest.dropFirst().first,
      (UInt8(ascii: "1")...UInt8(ascii: "4")).contains(part)
    else { return nil }
    rest = rest.dropFirst(2)
    if let mark = rest.first, " -/".utf8.contains(mark) { rest = rest.dropFirst() }
    if rest.first == UInt8(ascii: "'") { rest = rest.dropFirst() }
    guard rest.count == 2 || rest.count == 4, rest.allSatisfy(\.isDigit) else { return nil }
    return rest.reduce(0) { $0 * 10 + Int(NumberScan.digit($1)) } * 10 + Int(part)
  }

  /// Texts in the order of the scale that they all belong to; `nil` if there is none, or if it is that of their letters.
  ///
  /// - Parameter texts: different ones.
  static func ordered(_ texts: [[UInt8]]) -> [String]? {
    let words = texts.map { String(decoding: $0, as: UTF8.self) }
    for scale in all {
      let ranked = words.compactMap { word in scale.rank(of: word.lowercased()).map { (rank: $0, word: word) }
      }
      guard ranked.count == words.count, Set(ranked.map(\.rank)).count >= scale.leastWords else { continue }
      let byBytes = ranked.sorted { $0.word.utf8.lexicographicallyPrecedes($1.word.utf8) }
      if zip(byBytes, byBytes.dropFirst()).allSatisfy({ $0.rank <= $1.rank }) { return nil }
      return byBytes.sorted { $0.rank < $1.rank }.map(\.word)
    }
    return nil
  }

  /// Whether a text is a word of a scale.
  static func contains(_ text: [UInt8]) -> Bool {
    let word = String(decoding: text, as: UTF8.self).lowercased()
    return all.contains { $0.rank(of: word) != nil }
  }
}

/// The different texts of a sort key, while all are words of a scale.
struct ScaleFindings: Sendable {
  /// The texts; none once there was another one.
  private(set) var texts: [[UInt8]] = []

  /// The number of cells that have one of them.
  private(set) var count = 0

  /// Whether all texts so far are words of a scale.
  private(set) var isPossible = true

  /// The most texts that are kept: those of the longest scale in two spellings.
  private static let mostTexts = 24

  /// Records a text.
  @inline(__always)
  mutating func recordText(_ text: Span<UInt8>) {
    if isPossible { recordWord(text) }
  }

  @inline(never)
  private mutating func recordWord(_ text: Span<UInt8>) {
    count += 1
    if texts.contains(where: { text.equals($0) }) { return }
    add(Array(copying: text))
  }

  private mutating func add(_ text: [UInt8]) {
    isPossible = texts.count < Self.mostTexts && WordScale.contains(text)
    if isPossible { texts.append(text) } else { texts = [] }
  }

  /// Adds the findings of another part of the same key.
  mutating func merge(_ other: ScaleFindings) {
    count += other.count
    isPossible = isPossible && other.isPossible
    for text in other.texts where isPossible && !texts.contains(text) { add(text) }
    if !isPossible { texts = [] }
  }
}
