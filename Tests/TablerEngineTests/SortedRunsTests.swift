import Testing

@testable import TablerEngine

/// Sorted rows in temporary files, in runs of three rows and pieces of a few.
@Suite struct SortedRunsTests {
  @Test("R28 R33 merged runs are what one sort gives", arguments: 0..<40 as Range<UInt64>)
  func merging(seed: UInt64) throws {
    let count = [0, 1, 2, 30, 150, 700][Int(seed % 6)]
    let sample = try SortLawTests.table(seed: seed, count: count)
    var random = SplitMix(state: seed &+ 3000)
    var keys = SortLawTests.keys(&random)
    if seed % 5 == 4 { keys.insert(try .expression("length(x) % 3", descending: seed % 2 == 0), at: 0) }
    if seed % 7 == 6 { keys.insert(try .expression("x ++ $0"), at: 1) }
    let table = sample.table
    let sorted = try sample.sorted(keys)
    let runs = try table.rows.sortedRuns(
      of: count > 200 ? 10 : 3, by: sample.order(keys), pieceSize: [1, 150, 1000][Int(seed % 3)],
      fanIn: [2, 3, 64][Int(seed % 4 % 3)])
    #expect(runs.count == count)
    for _ in 0..<2 {
      let merged = try runs.all()
      #expect(merged.places == sorted.places)
      #expect(sample.texts("n", merged) == sample.texts("n", sorted))
    }
  }

  @Test("R33 merged runs of every form are painted as one sort is", arguments: RandomInput.Kind.allCases)
  func painting(kind: RandomInput.Kind) throws {
    for seed in 20..<24 as Range<UInt64> {
      var input = RandomInput(seed: seed)
      let table = try input.table(kind, rows: 60)
      var schema = table.profile.schema
      let name = schema.columns[0].name
      let keys: [SortKey] = [.column(name, descending: seed % 2 == 0)]
      let order = try SortOrder(keys, schema: &schema, SortOrder.Surroundings())
      var sorted = table.rows
      var sorter = Sorter(order)
      try sorter.sort(&sorted)
      let merged = try table.rows.sortedRuns(of: 3, by: order, pieceSize: 300, fanIn: 4).all()
      #expect(merged.places == sorted.places)
      #expect(try table.with(merged).everyPainting() == table.with(sorted).everyPainting(), "seed \(seed)")
    }
  }

  @Test("R33 listed values, paths and places of rows sort as in memory")
  func otherKeys() throws {
    let lines = (0..<40).map {
      #"{"n":\#($0),"s":"\#(["high", "low", "mid"][$0 % 3])","o":{"k":[\#($0 * 7 % 5)]}}"#
    }
    var sample = try SortSample(jsonl: lines.joined(separator: "\n"))
    sample.surroundings.valueOrders = [
      ValueOrder(column: .name("s", isQuoted: false), values: ["low", "mid", "high"])
    ]
    for keys: [SortKey] in [
      [.column("s")], [.column("s", descending: true), .column("o.k[0]")], [.column("o.k[0]", .number)],
      [try .expression("row_number() % 4")], [try .expression("line_number() % 4"), .column("s")],
    ] {
      let sorted = try sample.sorted(keys)
      let merged = try sample.table.rows.sortedRuns(of: 3, by: sample.order(keys), pieceSize: 200, fanIn: 3)
        .all()
      #expect(sample.texts("n", merged) == sample.texts("n", sorted))
    }
  }
}

extension Rows {
  /// The rows in parts of so many.
  func parts(of size: Int) -> [Rows] {
    stride(from: 0, to: count, by: size).map { start in
      var part = Rows()
      part.batches = batches
      part.ids = Array(ids[start..<Swift.min(start + size, count)])
      return part
    }
  }

  /// The rows in sorted runs of so many.
  func sortedRuns(of size: Int, by order: SortOrder, pieceSize: Int, fanIn: Int) throws -> SortedRuns {
    var runs = SortedRuns(order, pieceSize: pieceSize, fanIn: fanIn)
    for part in parts(of: size) {
      var part = part
      var sorter = Sorter(order)
      try sorter.sort(&part)
      try runs.add(run: part)
    }
    try runs.finish()
    return runs
  }
}

extension RowStore {
  /// All rows in order.
  func all() throws -> Rows {
    var rows = Rows()
    try forEachPiece { (some, start) in
      #expect(start == rows.count)
      rows.append(some)
    }
    return rows
  }
}
