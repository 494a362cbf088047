import Testing

@testable import TablerEngine

/// R46: records with few of all keys have notes on their own cells only, and are what they would be with all.
@Suite struct SparseCellsTests {
  /// Tables of JSON lines whose keys are mostly new.
  private static func tables() throws -> [(SampleTable, Batch, Batch)] {
    var tables: [(SampleTable, Batch, Batch)] = []
    for seed in 0..<12 as Range<UInt64> {
      var input = RandomInput(seed: seed)
      let table = try input.table(.sparse, rows: 60)
      for batch in table.rows.batches where batch.sparse != nil && batch.rowCount >= 20 {
        tables.append((table, batch, batch.evened))
      }
    }
    #expect(tables.count > 2)
    return tables
  }

  @Test func `R46 sparse cells are painted as others are`() throws {
    for (table, batch, even) in try Self.tables() {
      #expect(try table.with(Rows(batch)).everyPainting() == table.with(Rows(even)).everyPainting())
      var rows = Rows(batch)
      rows.append(Rows(even))
      rows.ids.reverse()
      #expect(try table.with(rows.copied()).everyPainting() == table.with(rows).everyPainting())
    }
  }

  @Test func `R46 sparse cells are found as others are`() throws {
    for (_, batch, even) in try Self.tables() {
      #expect(even.width == batch.width)
      for row in 0..<batch.rowCount {
        #expect(even.fieldCount(ofRow: row) == batch.fieldCount(ofRow: row))
        #expect(even.endOfCells(row) == batch.endOfCells(row))
      }
      #expect(even.texts == batch.texts)
      let (some, evenSome) = (batch.extracting(2..<9), even.extracting(2..<9))
      #expect(evenSome.texts == some.texts)
      let columns = [batch.width - 1, 0, 3, batch.width + 5]
      #expect(even.projected(to: columns).texts == batch.projected(to: columns).texts)
    }
  }

  @Test func `R46 sparse cells are replaced as others are`() throws {
    for (_, batch, even) in try Self.tables() {
      for ground in [ComputedColumn.Ground.nothing, .cells] {
        for column in [0, 1, batch.width / 2, batch.width + 3] {
          let texts = [batch, even].map { batch in
            var computed = ComputedColumn(at: column, over: ground, of: batch, count: 20, room: .max)
            for row in stride(from: 1, to: 20, by: 3) {
              computed.set(row: row, kind: .text) { $0.append(decimal: row) }
            }
            return computed.finish(cutting: nil).texts
          }
          #expect(texts[0] == texts[1])
        }
      }
    }
  }

  @Test func `R46 columns are computed one after the other as each by itself`() throws {
    for (_, batch, even) in try Self.tables() {
      for start in [batch, even] {
        let columns = [3, batch.width + 1, 0, 3, batch.width + 2]
        var (single, together) = (start, ComputedBatch(start, columns: columns))
        for round in 0..<60 {
          let column = columns[round % columns.count]
          func compute(of batch: Batch) -> ComputedCells {
            var computed = ComputedColumn(at: column, over: .cells, of: batch, count: 20, room: .max)
            for row in stride(from: round % 3, to: 20, by: 2) {
              computed.set(row: row, kind: .text) { $0.append(decimal: row + round) }
            }
            return computed.finish()
          }
          var next = ComputedBatch(single, columns: [column])
          next.put(compute(of: single))
          single = next.finish(cutting: nil)
          together.put(compute(of: together.batch))
        }
        // What cells said before does not stay.
        #expect(together.batch.escapes.count < 2 * (start.escapes.count + start.rowCount + 100))
        #expect(together.finish(cutting: nil).texts == single.texts)
      }
    }
  }

  @Test func `R46 of a repeated key the last counts, however many keys there are`() throws {
    let lines = (0..<200).map { "{\"k\($0)\":1,\"a\":1,\"k\($0)\":[\($0)],\"a\":2}\n" }.joined()
    let table = try SampleTable.read([lines])
    let batch = try #require(table.rows.batches.first)
    #expect(batch.sparse != nil && batch.cellIndices(ofRow: 150).count == 2)
    for row in 0..<batch.rowCount {
      let own = table.profile.schema.index(of: "k\(row)") ?? 0
      #expect(batch.text(batch.cell(row: row, column: own)) == "[\(row)]")
      #expect(batch.text(batch.cell(row: row, column: 1)) == "2")
    }
  }
}

extension Batch {
  /// The batch with notes on all cells.
  fileprivate var evened: Batch {
    Batch(
      block: block, decoded: decoded, escapes: escapes, cells: sparse?.evened(cells) ?? cells,
      columnCount: width,
      recordStarts: recordStarts, origin: origin, places: places)
  }

  /// What each cell says, and of what kind it is.
  fileprivate var texts: [[String]] {
    (0..<rowCount).map { row in
      (0..<width + 6).map { column in
        let cell = cell(row: row, column: column)
        return cell.kind == .missing ? "" : "\(cell.kind) \(text(cell)) \(String(decoding: raw(cell)))"
      }
    }
  }
}
