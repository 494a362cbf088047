import TablerEngine

/// What `--explain` prints instead of the table.
enum Explanation: String, CaseIterable {
  /// The steps, what each holds, and the memory there is for rows.
  case plan

  /// The text, its last newline included.
  static func text(_ steps: [PlannedStep], _ plan: Plan) -> String {
    var lines = steps.map { (name(of: $0.work, plan), text($0.holding)) }
    lines.append(("--memory", size(plan.memory)))
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { name, text in
      name + String(repeating: " ", count: width + 2 - name.count) + text + "\n"
    }.joined()
  }

  /// The option that asks for a step.
  private static func name(of work: PlannedStep.Work, _ plan: Plan) -> String {
    guard case .write = work else { return work.rawValue }
    return switch plan.output.form {
    case .text: "--\(plan.layout.kind.rawValue)"
    case .markdown, .html, .csv, .tsv, .json, .jsonl: "--to \(plan.output.form.rawValue)"
    }
  }

  private static func text(_ holding: PlannedStep.Holding) -> String {
    switch holding {
    case .batch: "streams"
    case .rows(let count): "holds \(count) \(count == 1 ? "row" : "rows")"
    case .sorted: "holds all rows; beyond the memory in sorted runs in a temporary file"
    case .spilled(let portion): "holds \(portion.rawValue); beyond the memory in a temporary file"
    case .allForWidths: "measures all rows; a file is read twice, other rows are held"
    case .allForColumns: "holds all rows until their columns are known"
    }
  }

  /// A number of bytes in binary units, rounded down.
  private static func size(_ bytes: Int) -> String {
    let units = ["", "K", "M", "G", "T"]
    var (rest, unit) = (bytes, 0)
    while rest >= 10 * 1024, unit + 1 < units.count { (rest, unit) = (rest / 1024, unit + 1) }
    return "\(rest)\(units[unit])"
  }
}
