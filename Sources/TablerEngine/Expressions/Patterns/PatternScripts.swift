/// The scripts of Unicode, from a generated table.
enum PatternScripts {
  /// The scalars of the script with that long name (`Greek`, `Old_Italic`); nil when there is none.
  static func scalars(named name: String) -> PatternScalars? {
    lines[name].map { PatternScalars(ranges($0.split(separator: " ").dropFirst())) }
  }

  /// The line of each script in the table.
  private static let lines: [String: Substring] = {
    let lines = table.description.split(separator: "\n")
    return Dictionary(lines.map { (String($0.prefix { $0 != " " }), $0) }) { first, _ in first }
  }()

  /// Each word is the distance from the end of the range before and, after a colon, the length less one.
  private static func ranges(_ words: ArraySlice<Substring>) -> [ClosedRange<UInt32>] {
    var ranges: [ClosedRange<UInt32>] = []
    var end: UInt32 = 0
    for word in words {
      let parts = word.split(separator: ":").map { UInt32($0, radix: 32) ?? 0 }
      let first = end &+ (parts.first ?? 0)
      end = first &+ (parts.count > 1 ? parts[1] : 0)
      ranges.append(first...max(first, end))
    }
    return ranges
  }
}
