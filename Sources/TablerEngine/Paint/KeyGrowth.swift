/// What records of JSON that keep their own keys brought after painting had begun.
struct KeyGrowth: Sendable {
  /// The columns of the keys that are new and shown, to stand after those known.
  var columns: [ShownColumn]

  /// What the cells of these columns say.
  var texts: [CellText]

  /// All keys, new ones among them, that are not shown.
  var hidden: [String]
}
