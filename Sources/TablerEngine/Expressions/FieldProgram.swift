/// A column whose cells a rule judges.
struct FieldColumn: Sendable {
  /// Its index in the schema.
  var index: Int

  /// What it is called.
  var name: String
}

/// A program with what its runs left behind.
///
/// One that judges the cells of many columns is bound once for all of the same type, and each run names the column. What it
/// found is kept by column, and only of those in which it found something: there may be very many columns.
struct FieldProgram: Sendable {
  /// The program.
  let program: Program

  /// What runs begin with, and what those left behind that name no column.
  private(set) var state: EvaluationState

  /// What was found in cells of columns, by their indices.
  private var found: [Int: EvaluationState] = [:]

  /// Makes the program ready for its first run.
  init(_ program: Program, _ state: EvaluationState) {
    self.program = program
    self.state = state
  }

  /// The columns of which texts are held that were compared: those of each take some 5 KiB.
  private static let mostCompared = 1024

  /// What was found in the cells of a column, if anything was.
  func state(of column: Int) -> EvaluationState? { found[column] }

  /// What was found, by column; that of no column is under `Node.field`.
  var findings: [Int: EvaluationState] {
    var findings = found
    if state.hasFindings { findings[Node.field] = state }
    return findings
  }

  /// Runs the program.
  ///
  /// - Parameter field: the column that is judged, if the program is shared.
  mutating func run<Result>(
    _ field: FieldColumn?, _ body: (Program, _ field: Int, inout EvaluationState) -> Result
  ) -> Result {
    guard let slot = program.fieldSlot, let field else { return body(program, 0, &state) }
    if var known = found.isEmpty ? nil : found.removeValue(forKey: field.index) {
      defer { found[field.index] = known }
      return body(program, field.index, &known)
    }
    state.tally.entries[slot].column = field.name
    state.tally.holdsComparedTexts = field.index < Self.mostCompared
    let result = body(program, field.index, &state)
    if state.hasFindings {
      found[field.index] = state
      state = program.freshState
    }
    return result
  }

  /// Changes the state that runs begin with.
  mutating func change(_ body: (inout EvaluationState) -> Void) { body(&state) }

  /// Adds what another copy found in later rows in the cells of a column, or of none.
  mutating func merge(_ later: EvaluationState, of column: Int) {
    if column == Node.field {
      state = state.merged(with: later)
    } else {
      found[column] = found[column]?.merged(with: later) ?? later
    }
  }
}

extension EvaluationState {
  /// Whether something was found in cells, or the run is to end for it.
  var hasFindings: Bool { failure != nil || !tally.isEmpty }
}
