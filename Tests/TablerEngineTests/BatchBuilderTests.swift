import Testing

@testable import TablerEngine

/// Rows copied into new batches are the rows they were.
@Suite struct BatchBuilderTests {
  @Test("Rows copied in any order are painted as before", arguments: RandomInput.Kind.allCases)
  func paintings(kind: RandomInput.Kind) throws {
    for seed in 0..<6 as Range<UInt64> {
      var input = RandomInput(seed: seed)
      var table = try input.table(kind, rows: [1, 3, 40][Int(seed % 3)])
      if seed > 2 { table.rows.ids.shuffle(using: &input) }
      let copy = table.with(seed % 2 == 0 ? table.rows.copied() : table.rows.copiedByLines())
      #expect(try copy.everyPainting() == table.everyPainting(), "seed \(seed)")
    }
  }

  @Test("Rows copied know their places in the input", arguments: RandomInput.Kind.allCases)
  func places(kind: RandomInput.Kind) throws {
    var input = RandomInput(seed: 11)
    var table = try input.table(kind, rows: 40)
    table.rows.ids.shuffle(using: &input)
    let copy = table.rows.copied()
    let again = copy.copiedByLines()
    #expect(copy.places == table.rows.places)
    #expect(again.places == table.rows.places)
    let lines = RowLines(table.rows.batches)
    #expect(RowLines(copy.batches)[copy.ids[0]] == copy.places[0].line)
    #expect(table.rows.ids.map { lines[$0] } == table.rows.places.map(\.line))
  }

  @Test("A record without an end of its own may stand before others")
  func ends() throws {
    let table = try SampleTable.read(["a,b\r\n1,2\n3,4"])
    var rows = table.rows
    rows.ids.reverse()
    let copy = table.with(rows.copied())
    let painted = copy.paint(CSVPainter(copy.columns(), OutputOptions(), input: copy.profile))
    #expect(String(decoding: painted, as: UTF8.self) == "a,b\r\n3,4\r\n1,2\n")
  }

  @Test("Records copied whole from the input can be copied whole again")
  func verbatim() throws {
    let table = try SampleTable.read(["a,b\n1,2\n3,4\n", "a,b\n5,6\n"])
    let batches = table.rows.copied().batches
    #expect(batches.map(\.origin.isVerbatim) == [true])
    #expect(
      try SampleTable.read(["a,b\n1,2\n\n3,4\n"]).rows.copiedByLines().batches[0].origin.isVerbatim
        == false)
  }

  @Test("Cells that lie outside their record are copied with it")
  func strays() throws {
    let table = try SampleTable.read(["a,b\n1,\"x\"\"y\"\n3,4\n"])
    let batch = table.rows.batches[0]
    let cells = [batch.cells[2], batch.cells[3], batch.cells[0], batch.cells[1]]
    let swapped = Batch(
      block: batch.block, decoded: batch.decoded, escapes: batch.escapes, cells: cells, columnCount: 2,
      recordStarts: batch.recordStarts, origin: batch.origin)
    let copy = Rows(swapped).copied().batches[0]
    #expect(copy.cells.map { copy.text($0) } == ["3", "4", "1", "x\"y"])
    #expect(copy.cells.map { String(decoding: copy.raw($0)) } == ["3", "4", "1", "x\"\"y"])
    #expect(!copy.origin.isVerbatim)
  }

  // MARK: - Lines

  @Test(
    "The line of a row is the same, counted from the start or from a row before",
    arguments: RandomInput.Kind.allCases)
  func lines(kind: RandomInput.Kind) throws {
    for seed in 0..<6 as Range<UInt64> {
      var input = RandomInput(seed: seed)
      for batch in try input.table(kind, rows: 60).rows.batches {
        checkLines(of: batch, "\(kind), seed \(seed)")
      }
    }
  }

  @Test(arguments: [
    "a,b\n1,2\n3,4\n", "a,b\n1,\"2\n\"\n3,4\n5,6\n", "a,b\r\n1,2\r\n3,4\r\n5,6", "a,b\n1,2\n\n\n3,4\n5,6\n",
    "a,b\n1\n3,4\n5,6\n", "a,b\n\"1\n\n\",\"2\n\"\n\"\n\"\n7,8\n", "a\n\"x\"\n\"y\"\n",
  ])
  func `the line of a row in text that was written by hand`(text: String) throws {
    for batch in try SampleTable.csv(text).rows.batches { checkLines(of: batch, text) }
  }

  private func checkLines(of batch: Batch, _ hint: String) {
    // Places say the lines; here they are counted.
    guard batch.rowCount > 0, batch.places.isEmpty else { return }
    let lines = (0..<batch.rowCount).map { batch.line(ofRow: $0) }
    for row in lines.indices {
      for last in 0...row {
        #expect(batch.line(ofRow: row, from: (last, lines[last])) == lines[row], "\(hint), row \(row)")
      }
    }
    #expect(batch.withPlaces.places.map(\.line) == lines, "\(hint)")
  }
}

extension RandomInput: RandomNumberGenerator {
  mutating func next() -> UInt64 { UInt64(number(below: 1 << 32)) << 32 | UInt64(number(below: 1 << 32)) }
}

extension Rows {
  /// The rows in batches of their own, with lines counted for all of them first.
  func copiedByLines() -> Rows {
    var copy = Rows()
    let lines = RowLines(batches)
    var start = 0
    while start < count {
      var builder = BatchBuilder(origin: batches[ids[start].batch].origin, capacity: 64)
      while start < count, builder.accepts(batches[ids[start].batch]) {
        builder.append(batches[ids[start].batch], row: ids[start].row, line: lines[ids[start]])
        start += 1
      }
      copy.append(Rows(builder.finish()))
    }
    return copy
  }

  /// Where each row stands in the input.
  var places: [RowPlace] {
    ids.map { id in
      let batch = batches[id.batch]
      return RowPlace(
        source: batch.source(ofRow: id.row), line: batch.line(ofRow: id.row),
        number: batch.rowNumber(ofRow: id.row))
    }
  }
}
