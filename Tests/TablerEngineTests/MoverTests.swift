import Testing

@testable import TablerEngine

@Suite("Moving rows")
struct MoverTests {
  /// Rows 1 to 6, named a to f.
  static func sample() throws -> SortSample {
    try SortSample(csv: "id,name\n1,a\n2,b\n3,c\n4,d\n5,e\n6,f\n")
  }

  static func move(
    _ moves: [Move], canMove: String? = nil, _ sample: SortSample
  ) throws -> (names: String, mover: Mover) {
    var binder = Binder(schema: sample.table.profile.schema)
    let guardian = try canMove.map { try SourceExpression($0, option: "--can-move") }
    var mover = try Mover(moves, canMove: guardian, &binder)
    var rows = sample.table.rows
    rows.reorder(try mover.arrange(rows))
    return (sample.texts("name", rows).joined(), mover)
  }

  static func expression(_ text: String) throws -> SourceExpression {
    try SourceExpression(text, option: "--move")
  }

  @Test(
    "moves rows by number and keeps their order",
    arguments: [
      ([RowRange(first: 5, last: 6)], Move.Position.top, "efabcd"),
      ([RowRange(first: 6, last: 6), RowRange(first: 5, last: 5)], .top, "efabcd"),
      ([RowRange(first: 1, last: 2)], .bottom, "cdefab"),
      ([RowRange(first: -1, last: -1)], .beforeRow(2), "afbcde"),
      ([RowRange(first: 2, last: 3)], .beforeRow(3), "abcdef"),
      ([RowRange(first: 2, last: nil)], .beforeRow(1), "bcdefa"),
      ([RowRange(first: nil, last: 2)], .afterRow(-1), "cdefab"),
      ([RowRange(first: 1, last: 1)], .afterRow(3), "bcadef"),
      ([RowRange(first: 1, last: 1)], .beforeRow(-1), "bcdeaf"),
      ([RowRange(first: 4, last: 99)], .top, "defabc"),
    ])
  func byNumber(ranges: [RowRange], place: Move.Position, expected: String) throws {
    let (names, mover) = try Self.move(
      [Move(what: .rows(ranges), place: place, source: "m")], try Self.sample())
    #expect(names == expected)
    #expect(mover.missed.isEmpty)
  }

  @Test(
    "moves rows that an expression names, to places that one names",
    arguments: [
      ("name in ('b', 'e')", "id > 0", true, "beacdf"), ("name in ('b', 'e')", "id > 0", false, "acdfbe"),
      ("id = 6", "id between 2 and 4", true, "afbcde"), ("id = 1", "id between 2 and 4", false, "bcdaef"),
      ("id between 2 and 4", "id = 3", true, "abcdef"),
    ])
  func byExpression(what: String, place: String, isBefore: Bool, expected: String) throws {
    let place = try Self.expression(place)
    let move = Move(
      what: .matching(try Self.expression(what)), place: isBefore ? .beforeMatch(place) : .afterMatch(place),
      source: "m")
    #expect(try Self.move([move], try Self.sample()).names == expected)
  }

  @Test("lets each move see what the one before it left")
  func sequence() throws {
    let first = Move(what: .rows([RowRange(first: 6, last: 6)]), place: .top, source: "1")
    let second = Move(what: .rows([RowRange(first: 1, last: 1)]), place: .afterRow(2), source: "2")
    #expect(try Self.move([first, second], try Self.sample()).names == "afbcde")
  }

  @Test("R50: leaves the rows that may not move, counts each once and names the line of the first")
  func guarded() throws {
    let top = Move(what: .rows([RowRange(first: 3, last: 6)]), place: .top, source: "1")
    let (names, mover) = try Self.move([top, top], canMove: "name != 'd' and id < 6", try Self.sample())
    #expect(names == "abcedf")
    #expect(mover.refusals.count == 2)
    let (once, guarded) = try Self.move([top], canMove: "name != 'd' and id < 6", try Self.sample())
    #expect(once == "ceabdf")
    #expect(
      (guarded.refusals.count, guarded.refusals.first?.source, guarded.refusals.first?.line) == (2, 0, 5))
    let (all, refused) = try Self.move([top], canMove: "null", try Self.sample())
    #expect(all == "abcdef")
    #expect(refused.refusals.count == 4)
  }

  @Test("says what named no row, and moves nothing then")
  func findings() throws {
    let none = try Self.expression("id > 99")
    let some = RowChoice.rows([RowRange(first: 1, last: 1)])
    let cases: [(Move, Notice)] = [
      (Move(what: .matching(none), place: .top, source: "m"), .nothingToMove(move: "m")),
      (Move(what: some, place: .beforeMatch(none), source: "m"), .noPlaceToMove(move: "m")),
      (Move(what: some, place: .afterMatch(none), source: "m"), .noPlaceToMove(move: "m")),
      (Move(what: some, place: .beforeRow(8), source: "m"), .noRowToMove(move: "m", number: 8, count: 6)),
      (
        Move(what: .rows([RowRange(first: 9, last: 9)]), place: .top, source: "m"),
        .noRowToMove(move: "m", number: 9, count: 6)
      ),
      (
        Move(what: .rows([RowRange(first: -7, last: -7)]), place: .top, source: "m"),
        .noRowToMove(move: "m", number: -7, count: 6)
      ),
      (Move(what: .rows([RowRange(first: 5, last: 2)]), place: .top, source: "m"), .nothingToMove(move: "m")),
    ]
    for (move, finding) in cases {
      let (names, mover) = try Self.move([move], try Self.sample())
      #expect(names == "abcdef")
      #expect(mover.missed.map { "\($0)" } == ["\(finding)"])
    }
  }

  @Test("copes with no rows and with the largest numbers")
  func extremes() throws {
    let empty = try SortSample(csv: "id,name\n")
    let move = Move(what: .rows([RowRange(first: .min, last: .max)]), place: .afterRow(.min), source: "m")
    #expect(try Self.move([move], empty).names.isEmpty)
    #expect(try Self.move([move], try Self.sample()).names == "abcdef")
  }

  @Test("keeps the order of many rows in a bit for each", arguments: [1, 63, 4096, 4097, 40_000])
  func largeOrders(count: Int) {
    var random = RandomInput(seed: UInt64(count))
    var order = RowOrder(count: count)
    var model = Array(0..<count)
    for _ in 0..<6 {
      var isMoving = RowBits(rowCount: count)
      let start = random.number(below: count)
      isMoving.insert(start..<min(start + random.number(below: count), count))
      for _ in 0..<random.number(below: count + 1) { isMoving.insert(random.number(below: count)) }
      let boundary = random.number(below: count + 1)
      order.move(isMoving, to: boundary)
      let (before, after) = (Array(0..<boundary), Array(boundary..<count))
      let places =
        before.filter { !isMoving.contains($0) } + isMoving.rows + after.filter { !isMoving.contains($0) }
      model = places.map { model[$0] }
      #expect(order.origins(of: 0..<count) == model)
      let some = count / 3..<count - count / 4
      #expect(order.origins(of: some) == Array(model[some]))
    }
  }
}
