/// A step of a run as `--explain plan` tells of it: what it is, and what it holds.
public struct PlannedStep: Equatable, Sendable {
  /// What a step does; the raw value of what an option asks for is the option.
  public enum Work: String, Sendable {
    case read
    case derive = "--derive"
    case filter = "--filter"
    case delete = "--delete"
    case verifyOrder = "--sorted-by"
    case sort = "--sort"
    case move = "--move"
    case skip = "--skip"
    case head = "--head"
    case tail = "--tail"
    case sections = "--section-by"
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

    /// So much of them; beyond the budget in a temporary file.
    case spilled(Portion)

    /// All rows, to measure them; of a file that is read twice nothing.
    case allForWidths

    /// All rows, to know their columns.
    case allForColumns
  }

  /// How much of the rows is held at once.
  public enum Portion: String, Sendable {
    case all = "all rows"
    case section = "the rows of a section"
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
