/// What stands before the lines that go on with a text too wide for its column, which came after the rows looked at.
enum LateMark {
  /// The cells it takes.
  static let width = 1

  /// The cells of a column in which any text can go on: the mark and a wide character.
  static let leastWidth = width + 2

  /// The mark; nothing above 127 where that may not be added.
  static func text(isASCII: Bool) -> [UInt8] { Array((isASCII ? ">" : "↪").utf8) }
}
