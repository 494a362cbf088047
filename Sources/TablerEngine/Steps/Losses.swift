/// The data that a file that is written back would lose to one expression because cells did not convert.
///
/// The rows that may be affected are evaluated once more, one by one, so that the others cost nothing.
struct Losses: Sendable {
  /// The cells that did not convert, of the rows in which something would be lost.
  private(set) var tally: ConversionTally

  /// The number of these rows.
  private(set) var rowCount = 0

  /// Creates an empty count for a program with such a state.
  init(_ state: EvaluationState) { tally = state.tally.emptied }

  /// Evaluates a row once more, and counts its misfits if there are any.
  ///
  /// - Parameter evaluate: evaluates it; returns whether something is lost if a cell did not convert.
  mutating func countMisfits(_ state: EvaluationState, _ evaluate: (inout EvaluationState) -> Bool) {
    var state = state
    state.countsDeclared = true
    // At first nothing is counted. Then all rows share a tally: only its first cell has its line determined.
    state.tally = ConversionTally(entries: [])
    guard evaluate(&state) else { return }
    let count = tally.misfitCount
    state.tally = tally
    tally = ConversionTally(entries: [])
    _ = evaluate(&state)
    tally = state.tally
    if tally.misfitCount > count { rowCount += 1 }
  }

  /// The failure if something would be lost.
  ///
  /// - Parameter slot: counts the values that are not of the type of the column they are assigned to.
  func failure(_ part: LostPart, putIn slot: Int? = nil, _ sources: [Source]) -> Failure? {
    guard rowCount > 0, let place = tally.entries.firstIndex(where: { $0.count > 0 }) else { return nil }
    let entry = tally.entries[place]
    guard let first = entry.first else { return nil }
    return .loss(
      part, count: rowCount,
      MisfitReport(
        column: entry.column, count: entry.count, first: first.place(sources), text: first.text,
        wanted: first.wanted, remedies: place == slot ? [] : entry.remedies(ofRows: .max), use: entry.use,
        isPutIn: place == slot))
  }
}

/// The data that would be lost because cells did not convert.
public enum LostPart: Sendable {
  /// The cells of a column that `--set` changes, or `--derive` makes.
  case cells(isDerived: Bool)
  /// The rows that `--filter` leaves out.
  case rows
}
