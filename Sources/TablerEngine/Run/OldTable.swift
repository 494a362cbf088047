/// The older table of `--diff`.
enum OldTable {
  /// The suffixes of files that tell their forms.
  private static let suffixes: Set<String> = ["csv", "tsv", "tab", "json", "jsonl", "ndjson"]

  /// The reader of the table that a plan compares its rows with, if there is one: its rows take the same steps.
  static func reader(
    _ plan: Plan, _ tuning: Tuning, _ open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) -> TableReader? {
    guard let comparison = plan.comparison else { return nil }
    var old = plan
    old.sources = [comparison.old]
    // A form that was named is that of the new table; the name of a file tells that of the old one.
    if let suffix = comparison.old.path?.suffix, Self.suffixes.contains(suffix) { old.input.form = .auto }
    old.memory /= 2
    old.output = OutputOptions()
    old.output.form = .csv
    old.layout = LayoutOptions()
    (old.preamble, old.postamble) = (nil, nil)
    // A list of changes is one of the new table.
    (old.replay, old.changes) = (nil, nil)
    do { return TableReader(try Resolution(old, tuning, open)) } catch {
      // Damage of the input names its file.
      if case .input = error { throw error }
      throw .old(error, path: comparison.old.path)
    }
  }
}
