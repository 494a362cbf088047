import Testing

@testable import TablerEngine

@Suite("Sorting by very many keys")
struct SortDepthTests {
  @Test("does not run out of stack where all rows are equal")
  func manyKeys() throws {
    let sample = try SortSample([
      "same text that is longer than a code", "same text that is longer than a code",
    ])
    let keys = [SortKey](repeating: .column("x"), count: 30_000)
    #expect(try sample.sorted(keys).ids == sample.table.rows.ids)
  }
}
