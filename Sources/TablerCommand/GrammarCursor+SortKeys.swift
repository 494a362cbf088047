import TablerEngine

extension GrammarCursor {
  /// `key { "," key }`, as in `-weight:number,(len(name)),"a,b"`.
  mutating func sortKeys() throws(GrammarError) -> [SortKey] {
    try list { (cursor) throws(GrammarError) in try cursor.sortKey() }
  }

  private mutating func sortKey() throws(GrammarError) -> SortKey {
    var flags = SortFlags()
    let start = offset
    if take("-") { flags.direction = "-" } else if take("+") { flags.direction = "+" }
    skipBlanks()
    let target: SortKey.Target
    let place: Range<Int>
    if next == UInt8(ascii: "(") {
      let opening = offset
      target = .expression(try parenthesizedExpression())
      place = opening..<offset
      skipBlanks()
    } else {
      let name = try name(.column)
      target = .column(name.column)
      place = name.range
    }
    while take(":") {
      skipBlanks()
      let flag = word()
      guard !flag.text.isEmpty else { throw expected(.flag) }
      if let kind = flags.add(flag.text) {
        throw error(kind, at: kind == .twiceReversed ? start..<offset : flag.range)
      }
      skipBlanks()
    }
    return SortKey(
      target: target, comparison: flags.comparison ?? .auto, isDescending: flags.isDescending,
      nulls: flags.nulls, place: place)
  }
}

/// The sign and the flags of a sort key, of which some exclude each other.
private struct SortFlags {
  var direction: String?
  var comparison: SortKey.Comparison?
  var nulls: NullPlacement?

  var isDescending: Bool { direction == "-" || direction == "desc" }

  static let words = ["asc", "desc", "first", "last"] + SortKey.Comparison.allCases.map(\.rawValue)

  /// Takes one more flag in; returns what is wrong with it, if anything.
  mutating func add(_ flag: String) -> GrammarError.Kind? {
    switch flag {
    case "asc", "desc":
      if isDescending, flag == "desc" { return .twiceReversed }
      if let direction, direction != "+" || flag == "desc" { return .contradictingFlags(direction, flag) }
      direction = flag
    case "first", "last":
      if let nulls { return .contradictingFlags(nulls.rawValue, flag) }
      nulls = NullPlacement(rawValue: flag)
    default:
      guard let new = SortKey.Comparison(rawValue: flag) else {
        return .unknownFlag(flag, suggestion: OtherTools.sortFlag(flag) ?? flag.nearest(among: Self.words))
      }
      if let comparison { return .contradictingFlags(comparison.rawValue, flag) }
      comparison = new
    }
    return nil
  }
}
