extension String {
  /// The nearest of `candidates`: at most two edits away, or with this text as its beginning.
  public func nearest(among candidates: [String]) -> String? {
    let word = Array(unicodeScalars.prefix(64))
    var best: (name: String, distance: Int)?
    for candidate in candidates where !candidate.isEmpty {
      let distance = Self.editDistance(word, Array(candidate.unicodeScalars.prefix(64)))
      if distance <= min(2, word.count / 2 + 1), distance < best?.distance ?? Int.max {
        best = (candidate, distance)
      }
    }
    if let best { return best.name }
    guard word.count >= 2 else { return nil }
    return candidates.first { $0.hasPrefix(self) }
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
