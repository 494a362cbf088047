/// A column whose cells a rule checks.
struct FieldColumn: Sendable {
  /// Its index in the schema.
  var index: Int

  /// Its name.
  var name: String
}

/// A program together with the results of its runs.
///
/// One that checks the cells of many columns is bound once for all columns of the same type, and each run
/// specifies the column. The findings are kept by column, and only for columns that have any: there may be
/// very many columns.
struct FieldProgram: Sendable {
  /// The program.
  let program: Program

  /// The state that runs begin with; it collects the findings of runs that specify no column.
  private(set) var state: EvaluationState

  /// The findings in cells of columns, by their indices.
  private var found: [Int: EvaluationState] = [:]

  /// Makes the program ready for its first run.
  init(_ program: Program, _ state: EvaluationState) {
    self.program = program
    self.state = state
  }

  /// The maximum number of columns whose compared texts are held: those of each take about 5 KiB.
  private static let mostCompared = 1024

  /// The findings in the cells of a column, if there are any.
  func state(of column: Int) -> EvaluationState? { found[column] }

  /// The findings, by column; those of no column are under `Node.field`.
  var findings: [Int: EvaluationState] {
    var findings = found
    if state.hasFindings { findings[Node.field] = state }
    return findings
  }

  /// Runs the program.
  ///
  /// - Parameter field: the column that is checked, if the program is shared.
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
      state = program.passingState
    }
    return result
  }

  /// Changes the state that runs begin with.
  mutating func change(_ body: (inout EvaluationState) -> Void) { body(&state) }

  /// Adds the findings of another copy in later rows, in the cells of a column or of none.
  mutating func merge(_ later: EvaluationState, of column: Int) {
    if column == Node.field {
      state = state.merged(with: later)
    } else {
      found[column] = found[column]?.merged(with: later) ?? later
    }
  }
}

extension EvaluationState {
  /// Whether something was found in cells, or ends the run.
  var hasFindings: Bool { failure != nil || !tally.isEmpty }
}
