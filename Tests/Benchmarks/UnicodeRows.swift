/// Records of wide characters, emoji of several scalars, and letters with combining marks.
///
/// The first column is the number of the record.
struct UnicodeRows: Sequence, IteratorProtocol {
  private var random = SeededGenerator(seed: 4_242)
  private let count: Int
  private var made = 0

  /// The titles, as a line of csv.
  static let header = "id,名前,説明,emoji,combining,ascii\n"

  init(count: Int) {
    self.count = count
  }

  mutating func next() -> String? {
    guard made < count else { return nil }
    made += 1
    let name = text(of: Self.han, 2..<6)
    let scripts = [Self.kana, Self.hangul, Self.han]
    let description = text(of: scripts[random.number(below: scripts.count)], 4..<18)
    let emoji = text(of: Self.emoji, 1..<5)
    let marks = text(of: Self.combining, 1..<7)
    return "\(made),\(name),\(description),\(emoji),\(marks),\(random.word(of: Words.plain))\n"
  }

  private mutating func text(of pieces: [String], _ lengths: Range<Int>) -> String {
    var text = ""
    for _ in 0..<(lengths.lowerBound + random.number(below: lengths.count)) {
      text += random.word(of: pieces)
    }
    return text
  }

  private static let han = "永和九年歲在癸丑暮春之初會于會稽山陰之蘭亭修禊事也群賢畢至少長咸集此地有崇山峻嶺茂林修竹".map(String.init)
  private static let kana = "いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてアイウエオカキクケコ".map(String.init)
  private static let hangul = "동해물과백두산이마르고닳도록하느님이보우하사우리나라만세무궁화삼천리화려강산".map(String.init)
  private static let emoji = ["😀", "🚀", "🎉", "👩‍💻", "👨‍👩‍👧‍👦", "🇯🇵", "🇫🇷", "👍🏽", "❤️", "🏳️‍🌈", "☃", "✈️", "1️⃣"]
  private static let combining = [
    "e\u{301}", "n\u{303}", "o\u{308}", "a\u{30a}", "c\u{327}", "Z\u{334}\u{321}", "क्षि", "กำ", "ש\u{5c1}",
    "x\u{302}\u{323}",
  ]
}
