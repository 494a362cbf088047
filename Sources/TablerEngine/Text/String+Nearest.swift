extension String {
  /// The candidate this misspelt text most likely means, if any; never the text itself.
  ///
  /// At most two edits away (one in texts of up to five characters), in any case; else the one that shares
  /// the longest beginning, of three characters or more; else one that begins with this text.
  public func nearest(among candidates: [String]) -> String? {
    let word = Array(lowercased().unicodeScalars.prefix(64))
    let limit = word.count > 5 ? 2 : 1
    var best: (name: String, distance: Int)?
    var kindred: (name: String, length: Int)?
    for candidate in candidates where !candidate.isEmpty && candidate != self {
      let other = Array(candidate.lowercased().unicodeScalars.prefix(64))
      let shared = zip(word, other).prefix { $0 == $1 }.count
      if shared >= 3 || (shared == 2 && word.count == 2), shared > kindred?.length ?? 0 {
        kindred = (candidate, shared)
      }
      guard abs(word.count - other.count) <= limit else { continue }
      let distance = Self.editDistance(word, other)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name ?? kindred?.name
  }

  /// Edits (insertions, deletions, replacements, swaps of neighbours) from one text to another:
  /// optimal string alignment distance.
  private static func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      row.reserveCapacity(b.count + 1)
      for j in b.indices {
        var cost = Swift.min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = Swift.min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
