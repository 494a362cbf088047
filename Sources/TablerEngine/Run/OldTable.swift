/// The older table of `--diff`.
enum OldTable {
  /// The reader of the table that a plan compares its rows with, if there is one: its rows take the same steps.
  static func reader(
    _ plan: Plan, _ tuning: Tuning, _ open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) -> TableReader? {
    guard let comparison = plan.comparison else { return nil }
    var old = plan
    old.sources = [comparison.old]
    // A form that was named is that of the new table; the name of a file tells that of the old one.
    if plan.input.form != .auto, !(comparison.old.path?.suffix.isEmpty ?? true) { old.input.form = .auto }
    old.memory /= 2
    old.rules = []
    old.invalidRowPolicy = .keep
    old.output = OutputOptions()
    old.output.form = .csv
    old.layout = LayoutOptions()
    (old.preamble, old.postamble) = (nil, nil)
    // A list of changes is one of the new table.
    (old.replay, old.changes) = (nil, nil)
    return TableReader(try Resolution(old, tuning, open))
  }
}
