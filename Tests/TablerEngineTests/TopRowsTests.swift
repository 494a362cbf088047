import Testing

@testable import TablerEngine

/// `--sort` with `--head N` in memory for N rows.
@Suite struct TopRowsTests {
  @Test(
    "R28 The first rows are those of a sort of all rows, and so are the misfits",
    arguments: 0..<40 as Range<UInt64>)
  func law(seed: UInt64) throws {
    let count = [0, 1, 30, 3000, 5000][Int(seed % 5)]
    let sample = try SortLawTests.table(seed: seed, count: count)
    var random = SplitMix(state: seed &+ 4000)
    var keys = SortLawTests.keys(&random)
    if seed % 6 == 5 { keys.insert(try .expression("length(x) % 3"), at: 0) }
    let order = try sample.order(keys)
    let wanted = [0, 1, 7, 600, 1500, 9000][Int(seed % 6)]
    var sorted = sample.table.rows
    var sorter = Sorter(order)
    try sorter.sort(&sorted)
    sorted.ids.removeLast(max(0, count - wanted))
    var top = TopRows(order, count: wanted)
    for part in sample.table.rows.parts(of: [1, 100, 3000][Int(seed % 3)]) { try top.add(part) }
    let tally = top.tally
    let first = try top.finish()
    #expect(first.places == sorted.places)
    #expect(sample.texts("n", first) == sample.texts("n", sorted))
    for (entry, wanted) in zip(tally.entries, sorter.tally.entries) {
      #expect(entry.count == wanted.count)
      #expect(entry.first?.row == wanted.first?.row)
    }
  }

  @Test("Rows of every form are painted as after a sort", arguments: RandomInput.Kind.allCases)
  func painting(kind: RandomInput.Kind) throws {
    var input = RandomInput(seed: 30)
    let table = try input.table(kind, rows: 3000)
    var schema = table.profile.schema
    let order = try SortOrder(
      [.column(schema.columns[0].name)], schema: &schema, SortOrder.Surroundings())
    var sorted = table.rows
    var sorter = Sorter(order)
    try sorter.sort(&sorted)
    sorted.ids.removeLast(max(0, sorted.count - 40))
    var top = TopRows(order, count: 40)
    for part in table.rows.parts(of: 50) { try top.add(part) }
    let first = try top.finish()
    #expect(first.places == sorted.places)
    #expect(try table.with(first).everyPainting() == table.with(sorted).everyPainting())
  }
}
