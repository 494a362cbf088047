/// A pattern over names: `*` stands for any characters, `?` for one.
struct Glob: Sendable {
  private let pattern: [Unicode.Scalar]

  /// Creates a pattern.
  init(_ pattern: String) { self.pattern = Array(pattern.unicodeScalars) }

  /// Whether the whole of `name` fits.
  ///
  /// Takes time in proportion to both lengths: of several stars only the last is ever tried again.
  func matches(_ name: String) -> Bool { matches(Array(name.unicodeScalars)) }

  /// Whether the whole of a name fits, given as its scalars: for names that many patterns are tried on.
  func matches(_ text: [Unicode.Scalar]) -> Bool {
    var place = 0
    var index = 0
    var star: (place: Int, index: Int)?
    while index < text.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, index)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[index] {
        place += 1
        index += 1
      } else if let last = star {
        place = last.place + 1
        index = last.index + 1
        star = (last.place, index)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
