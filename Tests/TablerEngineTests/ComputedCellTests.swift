import Testing

@testable import TablerEngine

/// Cells that were added to a batch after it was cut are there again however its rows were held.
@Suite struct ComputedCellTests {
  /// What is done with the rows.
  struct Work: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: @Sendable (inout Plan) throws -> Void
  }

  static let works: [Work] = [
    Work(testDescription: "nothing") { _ in },
    Work(testDescription: "sorted by the computed cells") { $0.sortKeys = [.column("c")] },
    Work(testDescription: "sorted by derived computed cells") { $0.sortKeys = [.column("c", .nocase)] },
    Work(testDescription: "sorted by other cells") { $0.sortKeys = [.column("x"), .column("c")] },
    Work(testDescription: "sorted by an expression") {
      $0.sortKeys = [try .expression("c ++ x", descending: true)]
    },
    Work(testDescription: "moved") { $0.moves = [try move("c like '1%'", .afterRow(2))] },
    Work(testDescription: "sorted and moved") {
      $0.sortKeys = [.column("c")]
      $0.moves = [try move("x = 'b'", .top)]
    },
    Work(testDescription: "the first in order") {
      $0.sortKeys = [.column("c", descending: true)]
      $0.head = .first(9)
    },
    Work(testDescription: "the last in order") {
      $0.sortKeys = [.column("c")]
      $0.tail = 20
    },
    Work(testDescription: "the last") { $0.tail = 40 },
    Work(testDescription: "all but the last") { $0.head = .allButLast(70) },
  ]

  @Test(arguments: works)
  func `Computed cells stay, held, cut again, read again, spilled and sorted`(_ work: Work) throws {
    let table = try Self.table()
    var plan = Plan()
    try work.change(&plan)
    let expected = try Self.texts(plan, table.rows.batches.map { $0.computed(cutting: nil) }, table.schema)
    #expect(expected.count > 5)
    for row in expected { #expect(row[2] == Batch.computed(from: row[0])) }
    let file = try SpillFile()
    for memory in [1, 4000, 1 << 30] {
      plan.memory = memory
      for isReadAgain in [false, true] {
        let batches = try table.rows.batches.map { batch in
          var cutting = batch.cutting
          if isReadAgain {
            cutting?.place = StoredPlace(store: file, offset: file.count)
            let block = batch.block
            try file.append(block.span)
          }
          return batch.computed(cutting: cutting)
        }
        #expect(try Self.texts(plan, batches, table.schema) == expected, "\(memory), \(isReadAgain)")
      }
    }
  }

  @Test func `The works above go through every store`() throws {
    let table = try Self.table()
    var stores: Set<String> = []
    for work in Self.works {
      for memory in [1, 1 << 30] {
        var plan = Plan()
        try work.change(&plan)
        plan.memory = memory
        let batches = table.rows.batches.map { $0.computed(cutting: $0.cutting) }
        stores.insert("\(type(of: try Self.store(plan, batches, table.schema)))")
      }
    }
    #expect(stores == ["Rows", "StoredRows", "OrderedRows", "SortedRuns"])
  }

  @Test func `A long record is stored where it lies with its computed cell`() throws {
    let long = String(repeating: "x", count: 5 << 20)
    let table = try SampleTable.read(["n,x\n1,a\n2,\(long)\n3,\"\(long)\"\"\"\n4,b\n"])
    var rows = Rows()
    for batch in table.rows.batches { rows.append(Rows(batch.computed(cutting: nil))) }
    for numbers in [[0, 1, 2, 3], [1], [3, 2, 1]] {
      var some = rows
      some.ids = numbers.map { rows.ids[$0] }
      var stored = StoredRows()
      try stored.spill(some)
      #expect(try stored.all().texts == some.texts)
    }
  }

  /// Rows in batches of a few.
  static func table() throws -> (rows: Rows, schema: Schema) {
    let text = (1...120).map { "\($0),\(["a", "\"q\"\"r\"", "b", "\"l\nm\""][$0 % 4])\n" }.joined()
    let table = try SampleTable.read(["n,x\n" + text], blockSize: 100)
    #expect(table.rows.batches.count > 5)
    var schema = table.profile.schema
    schema.append(title: "c")
    return (table.rows, schema)
  }

  static func move(_ what: String, _ place: Move.Position) throws -> Move {
    Move(what: .matching(try SourceExpression(what, option: "--move")), place: place, source: what)
  }

  /// The cells of the rows that the steps of a plan leave, row by row.
  static func texts(_ plan: Plan, _ batches: [Batch], _ schema: Schema) throws -> [[String]] {
    try store(plan, batches, schema).all().texts
  }

  /// The rows that the steps of a plan leave.
  static func store(_ plan: Plan, _ batches: [Batch], _ schema: Schema) throws -> any RowStore {
    let tuning = Tuning(smallInput: 0, threadLimit: 1, pieceSize: 7)
    var binder = Binder(schema: schema)
    var steps = try Steps(plan, &binder, tuning)
    steps.begin(Schedule(plan, steps, isOpen: false), on: Crew(Tuning()))
    for batch in batches { try steps.gather(try steps.pass(batch).rows) }
    if let rows = try steps.releaseHeldRows() { try steps.gather(rows) }
    return try steps.finish()
  }
}

/// Cuts records as another does, and computes a cell for each.
private struct ComputingCutter: BatchCutter {
  let cutter: any BatchCutter

  var columnCount: Int { cutter.columnCount + 1 }

  var isOrderFree: Bool { cutter.isOrderFree }

  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    cutter.cut(block, range, origin: origin)?.computed(cutting: nil)
  }
}

extension Batch {
  /// The text of the computed cell of a row whose first cell says `text`.
  fileprivate static func computed(from text: String) -> String { String(text.reversed()) + "\"é" }

  /// The batch with a computed cell in each row, whose bytes lie in no record.
  fileprivate func computed(cutting: Cutting?) -> Batch {
    var bytes = ByteBuffer()
    let decoded = decoded
    bytes.append(decoded.span)
    var (cells, escapes) = ([Cell](), escapes)
    for row in 0..<rowCount {
      for column in 0..<columnCount { cells.append(cell(row: row, column: column)) }
      let text = Array(Self.computed(from: self.text(cell(row: row, column: 0))).utf8)
      cells.append(Cell(offset: escapes.count, length: text.count, isEscaped: true))
      escapes.append(Escape(rawOffset: 0, rawLength: 0, offset: UInt32(bytes.count)))
      bytes.append(text)
    }
    var origin = origin
    origin.isVerbatim = false
    return Batch(
      block: block, decoded: ByteBlock(bytes.span), escapes: escapes, cells: cells,
      columnCount: columnCount + 1,
      recordStarts: recordStarts, origin: origin, places: places,
      cutting: cutting.map {
        Cutting(cutter: ComputingCutter(cutter: $0.cutter), range: $0.range, place: $0.place)
      })
  }
}

extension Rows {
  /// What the cells of the rows say.
  fileprivate var texts: [[String]] {
    ids.map { id in
      let batch = batches[id.batch]
      return (0..<batch.columnCount).map { batch.text(batch.cell(row: id.row, column: $0)) }
    }
  }
}
