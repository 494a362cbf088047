/// A step of a run as `--explain plan` tells of it: what it is, and what it holds.
public struct PlannedStep: Equatable, Sendable {
  /// What a step does.
  public enum Work: Equatable, Sendable {
    case read
    case derive
    case filter
    case delete
    case verifyOrder
    case sort
    case move
    case skip
    case head
    case tail
    /// Lays the rows out, or writes them in another form.
    case write
  }

  /// What a step holds of the rows.
  public enum Holding: Equatable, Sendable {
    /// One batch: the step streams.
    case batch

    /// So many rows.
    case rows(Int)

    /// All rows in the order of keys; beyond the budget as sorted runs in a temporary file.
    case sorted

    /// All rows; beyond the budget in a temporary file.
    case all

    /// All rows, to measure them; of a file that is read twice nothing.
    case allForWidths

    /// All rows, to know their columns.
    case allForColumns
  }

  /// What the step does.
  public var work: Work

  /// What it holds.
  public var holding: Holding
}

extension Schedule {
  /// What laying out and writing hold, beside what the steps before do.
  var writing: PlannedStep.Holding {
    switch taking {
    case .allForWidths: needsAllRows ? .batch : .allForWidths
    case .all: knowsColumns ? .batch : .allForColumns
    case .asTheyCome(let count): count > 1 ? .rows(count) : .batch
    }
  }
}
