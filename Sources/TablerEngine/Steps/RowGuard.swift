/// A condition for the rows that an operation may touch: `--can-edit`, `--can-delete`.
///
/// It tests the rows that the operation would touch, before they are changed.
struct RowGuard {
  private let program: Program

  /// The evaluation state of the expression.
  private(set) var state: EvaluationState

  /// The rows that may not be touched although the operation would.
  private(set) var refusals = Refusals()

  /// Binds the expression of a guard; `nil` if every row may be touched.
  init?(_ source: SourceExpression?, _ binder: inout Binder) throws(ExpressionError) {
    guard let source else { return nil }
    program = try binder.bind(condition: source)
    state = program.stepState
  }

  /// Those of some ascending rows that may be touched; the caller records the others.
  mutating func allowed(_ rows: [UInt32], of batch: Batch) -> [UInt32] {
    var allowed = rows
    program.filter(batch, rows: &allowed, state: &state)
    return allowed
  }

  /// Counts rows of a batch, as it was read, that may not be touched.
  mutating func countRefused(_ rows: [UInt32], of batch: Batch) { refusals.countRows(rows, of: batch) }

  /// The rows that have had misfits since the last call, if such rows are left out.
  mutating func takeMisfits() -> [UInt32] { state.tally.takeRows() }
}

/// The rows that a guard refused, each counted once.
struct Refusals: Sendable {
  private var tally = Tally<RowPlace>()

  /// The number of rows.
  var count: Int { tally.count }

  /// The first of them.
  var first: RowPlace? { tally.first }

  /// The rows of the current batch that are counted, and the number of its first row.
  private var counted: (batch: Int, rows: Set<UInt32>) = (0, [])

  /// Counts rows of a batch that are not counted yet.
  mutating func countRows(_ rows: [UInt32], of batch: Batch) {
    let first = batch.rowNumber(ofRow: 0)
    if counted.batch != first { counted = (first, []) }
    for row in rows where counted.rows.insert(row).inserted {
      tally.record(inRow: batch.rowNumber(ofRow: Int(row)), RowPlace(Int(row), of: batch))
    }
  }

  /// Counts a row that is not counted yet; `noteFirst` records the place of the first.
  mutating func add() { tally.recordWithoutPlace() }

  /// Records the place of the first row.
  mutating func recordFirst(_ row: Int, of batch: Batch) {
    tally.recordFirst(inRow: batch.rowNumber(ofRow: row), RowPlace(row, of: batch))
  }

  /// The notices about the refused rows.
  func notices(_ operation: GuardedOperation, _ sources: [Source]) -> [Notice] {
    guard let first = tally.first else { return [] }
    return [.refused(operation, count: count, first: InputError.Location(first, sources))]
  }
}

/// An operation that a guard may refuse for a row.
public enum GuardedOperation: Sendable {
  /// `--can-edit`.
  case edit
  /// `--can-delete`.
  case delete
  /// `--can-move`.
  case move
}

extension [UInt32] {
  /// The numbers without some of them, both ascending.
  func without(_ others: [UInt32]) -> [UInt32] {
    var left: [UInt32] = []
    var place = 0
    for number in self {
      if place < others.count, others[place] == number { place += 1 } else { left.append(number) }
    }
    return left
  }
}
