import Testing

@testable import TablerEngine

@Suite struct TextNearestTests {
  @Test(
    arguments: [
      ("wieght", "weight"), ("weigth", "weight"), ("Weight", "weight"), ("colour", "color"),
      ("colr", "color"), ("weight_in_grams", "weight"), ("nam", "name"), ("x", nil), ("", nil),
      ("price", nil),
      ("id", nil), ("weight", nil),
    ])
  func `the nearest name is within two edits or begins alike`(typed: String, nearest: String?) {
    #expect(typed.nearest(among: ["name", "weight", "color"]) == nearest)
  }
}
