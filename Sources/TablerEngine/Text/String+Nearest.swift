extension String {
  /// The candidate that this misspelt text most likely means, if any; never the text itself.
  ///
  /// At most two edits away and at most a third of this text's length, ignoring case: a short text is too far
  /// from everything. Among equally near ones the first wins.
  public func nearest(among candidates: [String]) -> String? {
    let word = Array(lowercased().unicodeScalars.prefix(64))
    let limit = Swift.min(2, word.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates where !candidate.isEmpty && candidate != self {
      let other = Array(candidate.lowercased().unicodeScalars.prefix(64))
      guard abs(word.count - other.count) <= limit else { continue }
      let distance = Self.editDistance(word, other)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The number of edits (insertions, deletions, replacements, swaps of neighbors) from one text to another:
  /// optimal string alignment distance.
  ///
  /// - Complexity: O(*m* × *n*), for texts of *m* and *n* scalars.
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
