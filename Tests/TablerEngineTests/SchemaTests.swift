import Testing

@testable import TablerEngine

@Suite struct SchemaTests {
  @Test(arguments: [
    (["x", "x", "x"], ["x", "x_2", "x_3"]),
    (["x", "x_2", "x", "x"], ["x", "x_2", "x_3", "x_4"]),
    (["x", " x ", "x_2"], ["x", "x_3", "x_2"]),
    (["", "", "x"], ["", "", "x"]),
  ])
  func `repeated names count on past those that are taken`(titles: [String], names: [String]) {
    #expect(Schema(titles: titles).columns.map(\.name) == names)
  }

  @Test func `one name many times is no more work than many names`() {
    let schema = Schema(titles: [String](repeating: "x", count: 20_000))
    #expect(schema.columns.last?.name == "x_20000")
  }
}
