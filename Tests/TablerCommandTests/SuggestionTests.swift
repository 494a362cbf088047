import Testing

@testable import TablerCommand

@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("wieght", "weight"), ("weigth", "weight"), ("Weight", "weight"), ("colour", "color"),
      ("colr", "color"),
      ("weight_in_grams", "weight"), ("nam", "name"), ("x", nil), ("", nil), ("price", nil), ("id", nil),
    ])
  func `the nearest name is within two edits or begins alike`(typed: String, nearest: String?) {
    #expect(Suggestion.nearest(to: typed, among: ["name", "weight", "color"]) == nearest)
  }

  @Test(arguments: [
    ("", "", 0), ("ab", "ba", 1), ("abc", "abd", 1), ("abc", "ac", 1), ("kitten", "sitting", 3),
  ])
  func `edits are counted`(left: String, right: String, distance: Int) {
    #expect(
      Suggestion.editDistance(Array(left.unicodeScalars), Array(right.unicodeScalars), atMost: 9) == distance)
  }
}
