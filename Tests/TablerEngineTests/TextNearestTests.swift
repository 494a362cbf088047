import Testing

@testable import TablerEngine

@Suite struct TextNearestTests {
  @Test(
    arguments: [
      ("wieght", "weight"), ("weigth", "weight"), ("Weight", "weight"), ("colour", "color"),
      ("colr", "color"), ("weight_in_grams", nil), ("nam", "name"), ("x", nil), ("", nil),
      ("price", nil), ("id", nil), ("weight", nil), ("wei", nil), ("no", nil), ("nme", "name"), ("nmea", nil),
      ("clr", nil), ("wegt", nil), ("wegth", nil),
    ])
  func `the nearest name is within two edits and a third of the length`(typed: String, nearest: String?) {
    #expect(typed.nearest(among: ["name", "weight", "color"]) == nearest)
  }
}
