/// The words that sample rows are made of.
enum Words {
  static let firstNames = list(
    """
    Ada Grace Linus Ken Dennis Bjarne Guido Larry Yukihiro James Brendan Anders Donald Edsger Barbara Frances
    Margaret Katherine Radia Shafi Tim Vint Leslie Alan John Jean Hedy Mary Joan Niklaus Tony Robin Per Ole
    """)

  static let lastNames = list(
    """
    Lovelace Hopper Torvalds Thompson Ritchie Stroustrup Rossum Wall Matsumoto Gosling Eich Hejlsberg Knuth
    Dijkstra Liskov Allen Hamilton Johnson Perlman Goldwasser Lee Cerf Lamport Turing Backus Bartik Lamarr
    """)

  static let categories = list("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu")

  static let cities =
    list("London Paris Berlin Madrid Rome Lisbon Vienna Oslo Helsinki Dublin Nairobi Sydney Toronto Austin")
    + ["New York", "San Francisco", "Buenos Aires", "Cape Town"]
    + list("Zürich München Köln Bogotá Malmö Kraków Łódź Reykjavík 東京 大阪 北京 서울 Αθήνα Москва Київ")

  /// Words of text.
  static let plain = list(
    """
    the quick brown fox jumps over lazy dog stream table format align column row sort filter key stable index
    value parse emit grid stack list pipe shell text plain wide narrow header border pad space left right
    """)

  private static func list(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
