/// Moves rows to the bottom while the others pass: `--move 'WHAT to bottom'`, guarded by `--can-move`.
///
/// Only the rows that move are held, until no more rows come. Several moves follow one another: the rows that
/// one has held go through those after it.
struct BottomMover: PassingStep {
  /// One move.
  private struct BottomMove {
    let move: BoundMove

    /// The rows by their numbers, counted from 0, and the number of these ranges that no later row is in.
    var bounds: [Range<Int>] = []
    var passed = 0

    /// The evaluation state of the expression.
    var state = EvaluationState(slots: [])

    /// The number of rows that have come, and of those that were named.
    var count = 0
    var namedCount = 0

    /// The rows that move.
    var held = StoredRows()

    /// The notices about names that match no row.
    var missing: [Notice] {
      switch move.what {
      case .matching: namedCount == 0 ? [.nothingToMove(move: move.source)] : []
      case .rows(let ranges):
        ranges.filter { $0.indices(count: count).isEmpty }.map { move.missing($0, among: count) }
      }
    }
  }

  private var moves: [BottomMove]

  /// The rows that may move; all if there is no guard.
  private var guarding: RowGuard?

  /// Whether no more rows come, so that the held rows are released.
  private(set) var isReordering = false

  /// Binds moves, all of them to the bottom, and their guard.
  init(_ moves: [Move], canMove: SourceExpression?, _ binder: inout Binder) throws(ExpressionError) {
    self.moves = []
    for move in moves {
      var bottom = BottomMove(move: try BoundMove(move, &binder))
      switch bottom.move.what {
      case .matching(let program): bottom.state = program.freshState
      case .rows(let ranges): bottom.bounds = ranges.bounds(count: RowRange.unknownCount)
      }
      self.moves.append(bottom)
    }
    guarding = try RowGuard(canMove, &binder)
  }

  var states: [EvaluationState] { moves.map(\.state) + (guarding.map { [$0.state] } ?? []) }

  /// A message may name the line of a row.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.streamsMoves(isOpen: isOpen) ? [.places, .records] : []
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    [PlannedStep(work: .move, holding: .spilled(.moved))]
  }

  func notices(_ sources: [Source]) -> [Notice] {
    var notices: [Notice] = []
    if isReordering {
      for move in moves { notices += move.missing }
    }
    return notices + (guarding?.refusals.notices(.move, sources) ?? [])
  }

  var holdsRows: Bool { true }

  var storeCount: Int { 1 }

  /// The rows that are passed on at once; the others are held.
  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    do { return try pass(rows, from: 0, room) } catch { throw Failure(reading: error) }
  }

  mutating func release(room: Int) throws(Failure) -> Rows? {
    isReordering = true
    do {
      for index in moves.indices {
        guard let rows = try moves[index].held.takeFirst() else { continue }
        return try pass(rows, from: index + 1, room)
      }
      return nil
    } catch { throw Failure(reading: error) }
  }

  private mutating func pass(_ rows: Rows, from first: Int, _ room: Int) throws(SystemError) -> Rows {
    var rows = rows
    for index in moves.indices.dropFirst(first) {
      var (left, moving) = (Rows(), Rows())
      rows.forEachRun { batch, run in
        let going = choose(index, run, of: batch)
        let staying = going.isEmpty ? run : run.without(going)
        if !going.isEmpty { moving.append(Rows(batch, going)) }
        if !staying.isEmpty { left.append(Rows(batch, staying)) }
      }
      rows = left
      if moving.count == 0 { continue }
      moves[index].held.append(moving.isSparse() ? moving.copied() : moving)
      if moves[index].held.memory >= room { try moves[index].held.spill() }
    }
    return rows
  }

  /// The rows that a move picks from the next ones.
  private mutating func choose(_ index: Int, _ run: [UInt32], of batch: Batch) -> [UInt32] {
    var going = run
    switch moves[index].move.what {
    case .matching(let program): program.filter(batch, rows: &going, state: &moves[index].state)
    case .rows:
      going = run.lying(
        in: moves[index].bounds, from: moves[index].count, passed: &moves[index].passed)
    }
    moves[index].count += run.count
    moves[index].namedCount += going.count
    guard !going.isEmpty, let allowed = guarding?.allowed(going, of: batch) else { return going }
    guarding?.countRefused(going.without(allowed), of: batch)
    return allowed
  }
}

extension BottomMover {
  /// `Mover` answers for all moves.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {}
}
