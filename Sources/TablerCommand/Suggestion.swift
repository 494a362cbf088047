/// The search for the name somebody may have meant.
enum Suggestion {
  /// The candidate nearest to `typed`: within two edits, else one that begins like it.
  ///
  /// Of equally near ones the first wins. Nothing is ever done with it but saying it.
  static func nearest(to typed: String, among candidates: some Sequence<String>) -> String? {
    let word = Array(typed.unicodeScalars)
    var best: (name: String, distance: Int)?
    var relative: String?
    for candidate in candidates where candidate != typed {
      let name = Array(candidate.unicodeScalars)
      let limit = min(2, best.map { $0.distance - 1 } ?? 2, max(word.count, name.count) / 2)
      if limit >= 0, let distance = editDistance(word, name, atMost: limit) {
        best = (candidate, distance)
      } else if isRelated(word, name), candidate.count < relative?.count ?? Int.max {
        relative = candidate
      }
    }
    return best?.name ?? relative
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours that
  /// make `right` of `left`, or nil if it is more than `limit`.
  static func editDistance(
    _ left: [Unicode.Scalar], _ right: [Unicode.Scalar], atMost limit: Int
  ) -> Int? {
    if abs(left.count - right.count) > limit { return nil }
    var before: [Int] = []
    var above = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        var cost = above[column] + (left[row] == right[column] ? 0 : 1)
        cost = min(cost, above[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        current.append(cost)
      }
      before = above
      above = current
    }
    let distance = above[right.count]
    return distance <= limit ? distance : nil
  }

  /// Whether one of the two begins with the other, three characters at least.
  private static func isRelated(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Bool {
    min(left.count, right.count) >= 3 && (left.starts(with: right) || right.starts(with: left))
  }
}
