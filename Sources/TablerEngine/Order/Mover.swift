/// Moves rows: `--move`, guarded by `--can-move`.
///
/// Several moves come one after the other, each in the order that the one before left.
struct Mover: Sendable {
  /// What did not go as asked.
  enum Finding: Equatable, Sendable {
    /// No row fits what is to move.
    case nothingToMove(move: String)

    /// No row fits the place to move to; nothing was moved.
    case noPlace(move: String)

    /// There is no row of that number.
    case noRow(move: String, number: Int, count: Int)
  }

  /// The rows that `--can-move` held back.
  struct Refusals: Equatable, Sendable {
    /// How many.
    var count = 0

    /// The input of the first of them, as an index into the plan's sources.
    var source = 0

    /// The line of the first of them, counted from 1.
    var line = 0
  }

  /// What did not go as asked.
  private(set) var findings: [Finding] = []

  /// The rows held back.
  private(set) var refusals = Refusals()

  /// What the expressions left behind.
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

  /// Whether there is nothing to do.
  var isEmpty: Bool { moves.isEmpty }

  /// Moves rows as asked.
  ///
  /// - Parameter kept: where the rows are kept, if their batches are pieces of it.
  mutating func move(_ rows: inout Rows, of kept: (any RowStore)? = nil) throws(SystemError) {
    let allowed: RowSet? = if let canMove { try matches(canMove, rows, kept) } else { nil }
    var refused: Set<RowID> = []
    for move in moves {
      guard let boundary = try boundary(move, rows, kept) else { continue }
      var isMoving = try chosen(move, rows, kept)
      if let allowed {
        for (index, id) in rows.ids.enumerated() where isMoving[index] && !allowed.contains(id) {
          isMoving[index] = false
          if refused.insert(id).inserted { try refuse(id, rows, kept) }
        }
      }
      if isMoving.contains(true) { rows.move(isMoving, to: boundary) }
    }
  }
}

extension Mover {
  private mutating func refuse(_ id: RowID, _ rows: Rows, _ kept: (any RowStore)?) throws(SystemError) {
    if refusals.count == 0 {
      let some = try kept?.rows(ofPiece: id.batch)
      let id = some?.ids[id.row] ?? id
      let batch = (some ?? rows).batches[id.batch]
      refusals.source = batch.source(ofRow: id.row)
      refusals.line = batch.line(ofRow: id.row)
    }
    refusals.count += 1
  }

  /// Which rows a move names.
  private mutating func chosen(
    _ move: BoundMove, _ rows: Rows, _ kept: (any RowStore)?
  ) throws(SystemError) -> [Bool] {
    switch move.what {
    case .matching(let program):
      let matches = try matches(program, rows, kept)
      let isMoving = rows.ids.map { matches.contains($0) }
      if !isMoving.contains(true) { findings.append(.nothingToMove(move: move.source)) }
      return isMoving
    case .rows(let ranges):
      var isMoving = [Bool](repeating: false, count: rows.count)
      for range in ranges {
        let found = range.indices(count: rows.count)
        if found.isEmpty { findings.append(finding(range, move, rows.count)) }
        for index in found { isMoving[index] = true }
      }
      return isMoving
    }
  }

  private func finding(_ range: RowRange, _ move: BoundMove, _ count: Int) -> Finding {
    guard let first = range.first, first == range.last else { return .nothingToMove(move: move.source) }
    return .noRow(move: move.source, number: first, count: count)
  }

  /// Before which row of the order before the move the rows go; the count is the end.
  private mutating func boundary(
    _ move: BoundMove, _ rows: Rows, _ kept: (any RowStore)?
  ) throws(SystemError) -> Int? {
    switch move.place {
    case .top: return 0
    case .bottom: return rows.count
    case .beforeRow(let number): return index(number, move, rows.count)
    case .afterRow(let number): return index(number, move, rows.count).map { $0 + 1 }
    case .beforeMatch(let program):
      let matches = try matches(program, rows, kept)
      return noted(rows.ids.firstIndex { matches.contains($0) }, move)
    case .afterMatch(let program):
      let matches = try matches(program, rows, kept)
      return noted(rows.ids.lastIndex { matches.contains($0) }.map { $0 + 1 }, move)
    }
  }

  private mutating func noted(_ place: Int?, _ move: BoundMove) -> Int? {
    if place == nil { findings.append(.noPlace(move: move.source)) }
    return place
  }

  private mutating func index(_ number: Int, _ move: BoundMove, _ count: Int) -> Int? {
    let index = RowRange(first: number, last: number).indices(count: count).first
    if index == nil { findings.append(.noRow(move: move.source, number: number, count: count)) }
    return index
  }

  /// The rows for which an expression is true.
  private mutating func matches(
    _ program: Program, _ rows: Rows, _ kept: (any RowStore)?
  ) throws(SystemError) -> RowSet {
    var state = program.freshState
    var set = RowSet()
    if let kept {
      for piece in 0..<kept.pieceCount {
        let some = try kept.rows(ofPiece: piece)
        let matches = RowSet(program, some, &state)
        let places = some.ids.indices.filter { matches.contains(some.ids[$0]) }
        set.addBatch(rowCount: some.count, places.map { UInt32(truncatingIfNeeded: $0) })
      }
    } else {
      set = RowSet(program, rows, &state)
    }
    states.append(state)
    return set
  }
}

extension RowSet {
  /// The rows for which an expression is true.
  fileprivate init(_ program: Program, _ rows: Rows, _ state: inout EvaluationState) {
    self.init()
    for (batch, members) in zip(rows.batches, rows.members) {
      var members = members.sorted()
      program.filter(batch, rows: &members, state: &state)
      addBatch(rowCount: batch.rowCount, members)
    }
  }
}

extension Rows {
  /// Moves some rows before the row at `boundary`; moved and other rows keep their order among themselves.
  mutating func move(_ isMoving: [Bool], to boundary: Int) {
    var moved: [RowID] = []
    for index in ids.indices where isMoving[index] { moved.append(ids[index]) }
    var start = 0
    for index in 0..<boundary where !isMoving[index] {
      ids[start] = ids[index]
      start += 1
    }
    var end = count
    for index in (boundary..<count).reversed() where !isMoving[index] {
      end -= 1
      ids[end] = ids[index]
    }
    ids.replaceSubrange(start..<end, with: moved)
  }
}
