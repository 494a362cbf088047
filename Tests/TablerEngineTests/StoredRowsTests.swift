import Testing

@testable import TablerEngine

/// Rows that are stored come back as they were, however they are stored.
@Suite struct StoredRowsTests {
  @Test("Rows come back from a temporary file as they were", arguments: RandomInput.Kind.allCases)
  func spilling(kind: RandomInput.Kind) throws {
    for seed in 0..<4 as Range<UInt64> {
      var input = RandomInput(seed: seed)
      var table = try input.table(kind, rows: 50)
      if seed % 2 == 0 { table.rows.ids.shuffle(using: &input) }
      var stored = StoredRows(pieceSize: [1, 400, 1 << 18][Int(seed % 3)])
      for part in table.rows.parts(of: 7) { try stored.spill(part) }
      #expect(stored.count == table.rows.count)
      #expect(stored.memory == 0)
      for _ in 0..<2 {
        let found = try stored.all()
        #expect(found.places == table.rows.places)
        #expect(try table.with(found).everyPainting() == table.everyPainting(), "seed \(seed)")
      }
    }
  }

  @Test("Rows in their order come back, held, cut again and spilled", arguments: RandomInput.Kind.allCases)
  func storing(kind: RandomInput.Kind) throws {
    for seed in 0..<6 as Range<UInt64> {
      var input = RandomInput(seed: seed)
      let table = try input.table(kind, rows: 60)
      var stored = StoredRows(
        mostHeld: [0, 2000, .max][Int(seed % 3)], pieceSize: 300, fetchesFew: seed % 2 == 0)
      var wanted = Rows()
      for (index, batch) in table.rows.batches.enumerated() {
        let numbers = (0..<UInt32(batch.rowCount)).filter { _ in seed < 3 || input.number(below: 3) > 0 }
        stored.append(Rows(batch, numbers))
        wanted.append(Rows(batch, numbers))
        if index % 3 == 1 { try stored.spill() }
      }
      #expect(stored.count == wanted.count)
      let found = try stored.all()
      #expect(found.places == wanted.places)
      #expect(try table.with(found).everyPainting() == table.with(wanted).everyPainting(), "seed \(seed)")
      let pieces = stored.pieces(of: 2, rowSize: 0)
      var sliced = Rows()
      var number = 0
      while let piece = try pieces(number) {
        #expect(piece.start == sliced.count && piece.range.count <= 4)
        sliced.append(piece.own)
        number += 1
      }
      #expect(sliced.places == wanted.places)
      let fetcher = RowFetcher(stored)
      for count in [1, 2, wanted.count / 6, wanted.count] {
        let origins = (0..<count).map { _ in input.number(below: wanted.count) }
        var some = wanted
        some.ids = origins.map { wanted.ids[$0] }
        let fetched = try fetcher.rows(at: origins)
        #expect(fetched.places == some.places)
        #expect(try table.with(fetched).everyPainting() == table.with(some).everyPainting(), "seed \(seed)")
      }
    }
  }

  @Test("The last rows are held, and those before them until they are dropped", arguments: [1, 7, 30, 100])
  func last(limit: Int) throws {
    var input = RandomInput(seed: UInt64(limit))
    let table = try input.table(.csv, rows: 60)
    for spills in [false, true] {
      var stored = StoredRows(last: limit, pieceSize: 1)
      var dropped = Rows()
      for part in table.rows.parts(of: 4) {
        stored.append(part)
        while stored.hasSurplus {
          dropped.append(try stored.rows(ofPiece: 0))
          stored.dropFirst()
        }
        if spills { try stored.spill() }
      }
      #expect(stored.count >= min(limit, table.rows.count) && stored.count < limit + 4)
      let held = try stored.all()
      #expect(dropped.places + held.places == table.rows.places)
      let surplus = try stored.surplus()
      #expect(surplus.places == Array(held.places.prefix(max(0, held.count - limit))))
    }
  }
}
