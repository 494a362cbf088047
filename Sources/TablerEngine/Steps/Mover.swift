/// Moves rows: `--move`, guarded by `--can-move`.
///
/// Several moves follow one another, each in the order that the previous one left.
struct Mover: Step, Sendable {
  /// The notices about moves that could not be made as requested.
  private(set) var missed: [Notice] = []

  /// The rows that `--can-move` held back.
  private(set) var refusals = Refusals()

  /// The evaluation state of the expressions.
  private(set) var states: [EvaluationState] = []

  private let moves: [BoundMove]
  private let canMove: Program?

  /// Binds moves and their guard.
  init(_ moves: [Move], canMove: SourceExpression?, _ binder: inout Binder) throws(ExpressionError) {
    var bound: [BoundMove] = []
    for move in moves { bound.append(try BoundMove(move, &binder)) }
    self.moves = bound
    self.canMove = if let canMove, !moves.isEmpty { try binder.bind(condition: canMove) } else { nil }
  }

  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.moves.isEmpty || plan.streamsMoves(isOpen: isOpen) ? [] : [.allRows, .order, .places, .records]
  }

  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? {
    plan.moves.isEmpty || plan.movesToBottom ? nil : .move
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    moves.isEmpty ? [] : [PlannedStep(work: .move, holding: .spilled(.all))]
  }

  func notices(_ sources: [Source]) -> [Notice] {
    missed + refusals.notices(.move, sources)
  }

  /// Whether there is nothing to do.
  var isEmpty: Bool { moves.isEmpty }

  /// The order that the moves leave rows in.
  ///
  /// - Throws: the system's error for rows that cannot be restored.
  mutating func arrange(_ rows: some RowStore) throws(SystemError) -> RowOrder {
    var order = RowOrder(count: rows.count)
    let allowed: RowBits? = if let canMove { try findMatches(canMove, rows) } else { nil }
    var refused = RowBits(rowCount: allowed == nil ? 0 : rows.count)
    for move in moves {
      guard let boundary = try findBoundary(move, rows, order) else { continue }
      var isMoving = try choose(move, rows, order)
      if let allowed {
        var firstRefused: Int?
        order.forEachBlock { start, origins in
          for (place, origin) in zip(start..., origins)
          where isMoving.contains(place) && !allowed.contains(origin) {
            isMoving.remove(place)
            if refused.contains(origin) { continue }
            refused.insert(origin)
            refusals.add()
            if refusals.count == 1 { firstRefused = origin }
          }
          return true
        }
        if let firstRefused { try recordLine(ofRow: firstRefused, rows) }
      }
      order.move(isMoving, to: boundary)
    }
    return order
  }
}

extension Mover {
  /// Records the place of the first row that was held back.
  private mutating func recordLine(ofRow row: Int, _ rows: some RowStore) throws(SystemError) {
    try rows.forEachPiece { some, start in
      guard (start..<start + some.count).contains(row) else { return }
      let id = some.ids[row - start]
      refusals.recordFirst(id.row, of: some.batches[id.batch])
    }
  }

  /// Chooses the rows that a move names, by their positions in an order.
  private mutating func choose(
    _ move: BoundMove, _ rows: some RowStore, _ order: RowOrder
  ) throws(SystemError) -> RowBits {
    switch move.what {
    case .matching(let program):
      let matches = try findMatches(program, rows)
      if matches.isEmpty { missed.append(.nothingToMove(move: move.source)) }
      if order.isUnchanged { return matches }
      var isMoving = RowBits(rowCount: rows.count)
      order.forEachBlock { start, origins in
        for (place, origin) in zip(start..., origins) where matches.contains(origin) {
          isMoving.insert(place)
        }
        return true
      }
      return isMoving
    case .rows(let ranges):
      var isMoving = RowBits(rowCount: rows.count)
      for range in ranges {
        let found = range.indices(count: rows.count)
        if found.isEmpty { missed.append(move.missing(range, among: rows.count)) }
        isMoving.insert(found)
      }
      return isMoving
    }
  }

  /// Finds the row, in the order before the move, before which the rows go; the count means the end.
  private mutating func findBoundary(
    _ move: BoundMove, _ rows: some RowStore, _ order: RowOrder
  ) throws(SystemError) -> Int? {
    switch move.place {
    case .top: return 0
    case .bottom: return rows.count
    case .beforeRow(let number):
      // One more than the number of rows means the bottom.
      return number - 1 == rows.count ? rows.count : findIndex(number, move, rows.count)
    case .afterRow(let number): return findIndex(number, move, rows.count).map { $0 + 1 }
    case .beforeMatch(let program):
      let matches = try findMatches(program, rows)
      var first: Int?
      order.forEachBlock { start, origins in
        first = origins.firstIndex { matches.contains($0) }.map { start + $0 }
        return first == nil
      }
      return reportIfMissing(first, move)
    case .afterMatch(let program):
      let matches = try findMatches(program, rows)
      var last: Int?
      order.forEachBlock { start, origins in
        last = origins.lastIndex { matches.contains($0) }.map { start + $0 } ?? last
        return true
      }
      return reportIfMissing(last.map { $0 + 1 }, move)
    }
  }

  private mutating func reportIfMissing(_ place: Int?, _ move: BoundMove) -> Int? {
    if place == nil { missed.append(.noPlaceToMove(move: move.source)) }
    return place
  }

  private mutating func findIndex(_ number: Int, _ move: BoundMove, _ count: Int) -> Int? {
    let row = RowRange(first: number, last: number)
    let index = row.indices(count: count).first
    if index == nil { missed.append(move.missing(row, among: count)) }
    return index
  }

  /// Finds the rows for which an expression is true.
  private mutating func findMatches(_ program: Program, _ rows: some RowStore) throws(SystemError) -> RowBits
  {
    var state = program.freshState
    var found = RowBits(rowCount: rows.count)
    try rows.forEachPiece { some, start in
      let matching = zip(some.batches, some.members).map { batch, members in
        var members = members.sorted()
        program.filter(batch, rows: &members, state: &state)
        var bits = RowBits(rowCount: batch.rowCount)
        for row in members { bits.insert(Int(row)) }
        return bits
      }
      for (place, id) in zip(start..., some.ids) where matching[id.batch].contains(id.row) {
        found.insert(place)
      }
    }
    states.append(state)
    return found
  }
}

/// A move whose expressions are bound.
struct BoundMove: Sendable {
  /// The place to move to.
  enum BoundPosition: Sendable {
    case top
    case bottom
    case beforeRow(Int)
    case afterRow(Int)
    case beforeMatch(Program)
    case afterMatch(Program)
  }

  /// The rows that move.
  let what: BoundRowChoice

  /// The place to move to.
  let place: BoundPosition

  /// The move as typed, for messages.
  let source: String

  /// Binds the expressions of a move.
  init(_ move: Move, _ binder: inout Binder) throws(ExpressionError) {
    what = try BoundRowChoice(move.what, &binder)
    place =
      switch move.place {
      case .top: .top
      case .bottom: .bottom
      case .beforeRow(let number): .beforeRow(number)
      case .afterRow(let number): .afterRow(number)
      case .beforeMatch(let expression): .beforeMatch(try binder.bind(condition: expression))
      case .afterMatch(let expression): .afterMatch(try binder.bind(condition: expression))
      }
    source = move.source
  }

  /// The notice about rows named by number of which there are none among `count` rows.
  func missing(_ range: RowRange, among count: Int) -> Notice {
    guard let first = range.first, first == range.last else { return .nothingToMove(move: source) }
    return .noRowToMove(move: source, number: first, count: count)
  }
}

/// `--move 'WHAT to WHERE'`.
public struct Move: Sendable {
  /// The place to move to.
  public enum Position: Sendable {
    /// Before all rows.
    case top
    /// After all rows.
    case bottom
    /// Before row N of the order before the move; one more than the number of rows means the bottom.
    case beforeRow(Int)
    /// After row N of the order before the move.
    case afterRow(Int)
    /// Before the first row for which an expression is true.
    case beforeMatch(SourceExpression)
    /// After the last row for which an expression is true.
    case afterMatch(SourceExpression)
  }

  /// The rows that move.
  public var what: RowChoice
  /// The place to move to.
  public var place: Position
  /// The move as typed, for messages.
  public var source: String

  /// Creates a move.
  public init(what: RowChoice, place: Position, source: String) {
    self.what = what
    self.place = place
    self.source = source
  }
}

extension PlannedStep.Work {
  static let move = Self(rawValue: "--move")
}

extension Mover {
  /// Rows are moved here: all of them must come.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.moves.isEmpty { return }
    if plan.head != nil, query.left.isEmpty { throw .query(.moveWithHead) }
    query.leave(PlannedStep.Work.move.rawValue)
  }
}
