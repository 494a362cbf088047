/// The values of a column of `--compute`, once it is known what its calls found in other rows.
///
/// The rows of different batches are computed at once if there are many.
struct SeriesColumn: Sendable {
  private let index: Int
  private let program: Program
  private(set) var state: EvaluationState

  /// The rows that get the value, all of them if there is no condition; the others get null.
  private let condition: Program?
  private(set) var conditionState = EvaluationState(slots: [])

  /// The rows that had a cell of their own in the column, and the first of them.
  private(set) var replaced = Tally<RowPlace>()

  /// A row whose cell alone takes too much memory.
  private(set) var overflow: RowPlace?

  /// The maximum size of the cell of a row, in bytes.
  private let room: Int

  /// The bytes that the cell of a row may take with almost no budget.
  private static let leastRoom = 32 << 20

  /// The bytes that the cells of several rows may take together.
  private static let sharedRoom = 8 << 20

  /// Some rows of a batch that has the column, and their positions among those that were to get it.
  private struct Computed {
    var batch: Batch
    var rows: ArraySlice<UInt32>
    var places: ArraySlice<Int>
  }

  /// Prepares to compute a column.
  ///
  /// - Parameters:
  ///   - index: its index in a batch.
  ///   - budget: the memory budget in bytes.
  init(at index: Int, _ program: Program, where condition: Program?, budget: Int) {
    self.index = index
    self.program = program
    self.condition = condition
    state = program.freshState
    if let condition { conditionState = condition.freshState }
    room = max(budget / 4, Self.leastRoom)
  }

  var context: EvaluationContext { program.context }

  /// Rows with the column.
  ///
  /// - Parameter values: the values of each call, row by row.
  mutating func compute(_ rows: Rows, _ values: [[Value]], _ tuning: Tuning) -> Rows {
    let fresh = SeriesColumn(self)
    let parts = rows.mapBatches(tuning) { batches in
      var column = fresh
      var computed: [Computed] = []
      for (batch, places) in batches {
        let numbers = places.map { UInt32(truncatingIfNeeded: rows.ids[$0].row) }
        column.compute(numbers[...], of: rows.batches[batch], places[...], values, &computed)
      }
      return (column, computed)
    }
    var done = Rows()
    done.ids = rows.ids
    for (column, computed) in parts {
      merge(column)
      for computed in computed {
        for (row, place) in zip(computed.rows, computed.places) {
          done.ids[place] = RowID(batch: done.batches.count, row: Int(row))
        }
        done.batches.append(computed.batch)
      }
    }
    return done
  }

  /// The same column before the first row.
  private init(_ other: SeriesColumn) {
    (index, program, condition, room) = (other.index, other.program, other.condition, other.room)
    state = program.freshState
    if let condition { conditionState = condition.freshState }
  }

  /// Takes over what was found in later rows.
  private mutating func merge(_ later: SeriesColumn) {
    state = state.merged(with: later.state)
    conditionState = conditionState.merged(with: later.conditionState)
    replaced.merge(later.replaced)
    overflow = overflow ?? later.overflow
  }

  /// Adds some rows of a batch with the column.
  private mutating func compute(
    _ rows: ArraySlice<UInt32>, of batch: Batch, _ places: ArraySlice<Int>, _ values: [[Value]],
    _ done: inout [Computed]
  ) {
    let room = rows.count > 1 ? Self.sharedRoom : room
    var column = ComputedColumn(at: index, of: batch, count: batch.rowCount, room: room)
    let types = CellTypes(batch, of: program)
    let marks = program.context.marks
    var evaluator = Evaluator(program.context, batch: batch, state: state)
    evaluator.aggregates = values.map { _ in .null }
    var chosen = Array(rows)
    condition?.filter(batch, rows: &chosen, state: &conditionState)
    var next = 0
    for (row, place) in zip(rows, places) {
      guard next < chosen.count, chosen[next] == row else {
        column.set(.null, row: Int(row), types, marks)
        continue
      }
      next += 1
      evaluator.row = Int(row)
      for call in values.indices { evaluator.aggregates[call] = values[call][place] }
      column.set(evaluator.value(program.node), row: Int(row), types, marks)
    }
    if column.room < 0, rows.count > 1 {
      let middle = rows.startIndex + rows.count / 2
      let place = places.startIndex + rows.count / 2
      compute(rows[..<middle], of: batch, places[..<place], values, &done)
      return compute(rows[middle...], of: batch, places[place...], values, &done)
    }
    state = evaluator.state
    if column.room < 0 { overflow = overflow ?? rows.first.map { RowPlace(Int($0), of: batch) } }
    if let row = column.replaced.first {
      replaced.record(column.replaced.count, inRow: batch.rowNumber(ofRow: row), RowPlace(row, of: batch))
    }
    done.append(Computed(batch: column.finish(cutting: nil), rows: rows, places: places))
  }
}

extension Rows {
  /// What `body` makes of the rows of some batches each, in the order of the batches; threads share them if there are
  /// many rows.
  ///
  /// - Parameter body: gets indices of batches, and the positions of the rows of each.
  func mapBatches<Part: Sendable>(
    _ tuning: Tuning, _ body: @escaping @Sendable (ArraySlice<(batch: Int, places: [Int])>) -> Part
  ) -> [Part] {
    let batches = placesByBatch
    let threadCount = count < 32 * tuning.pieceSize ? 1 : min(tuning.threadCount, batches.count)
    if threadCount <= 1 { return [body(batches[...])] }
    return Worker.map(batches.count, onThreads: threadCount) { body(batches[$0]) }
  }

  /// The positions of the rows of each batch.
  private var placesByBatch: [(batch: Int, places: [Int])] {
    var places = [[Int]](repeating: [], count: batches.count)
    for (place, id) in ids.enumerated() { places[id.batch].append(place) }
    return places.indices.filter { !places[$0].isEmpty }.map { ($0, places[$0]) }
  }
}
