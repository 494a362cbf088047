/// Everything the runner says: the table of figures, and what went wrong.
enum Report {
  static let heading = """
    | task | command | wall ms (min-max) | cpu ms | peak MiB | x cat (limit) | x input (limit) | tabler / peer |
    | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
    """

  /// The rows of one task: tabler, `cat`, the peers.
  static func lines(of result: TaskResult) -> String {
    let limits = result.task.limits
    let title = "\(result.task.id) \(result.task.title), \(result.rows) rows"
    var lines = [
      line(
        [title, "tabler"], result.tabler,
        [
          "\(decimal(result.timesCat)) (\(decimal(limits.timesCat)))",
          "\(decimal(result.timesInput)) (\(decimal(limits.timesInput)))", "",
        ]),
      line(["", "cat"], result.cat, ["1.0", "", decimal(result.tabler.ratio(to: result.cat), digits: 2)]),
    ]
    for peer in result.peers {
      lines.append(
        line(
          ["", peer.name], peer.figures,
          [
            decimal(peer.figures.wall / max(result.cat.wall, 1e-9)), "",
            decimal(result.tabler.ratio(to: peer.figures), digits: 2),
          ]))
    }
    return lines.joined(separator: "\n")
  }

  /// What a reader of the table has to know.
  static func remarks(ownPeak: Int) -> String {
    """

    cpu and peak are the program's own, without the cat before it; peaks below \(mebibytes(ownPeak)) MiB, the runner's
    own, cannot be seen. x input is the peak less \(BenchmarkTask.Limits.freeMemory >> 20) MiB over the size of the input.
    """
  }

  static func text(of limit: TaskResult.PassedLimit) -> String {
    switch limit {
    case .time(let value, let limit):
      "takes \(decimal(value)) times as long as cat; the limit is \(decimal(limit))"
    case .memory(let value, let limit):
      "holds \(decimal(value)) times its input; the limit is \(decimal(limit))"
    }
  }

  static func text(of failure: TaskRunner.Failure) -> String {
    switch failure {
    case .system(let failure): text(of: failure)
    case .status(let command, let status): "'\(command)' ended with status \(status)"
    case .rows(let rows, let expected): "\(rows) rows came out, but there are \(expected)"
    }
  }

  static func text(of failure: SystemFailure) -> String {
    "\(failure.call) \(failure.subject): \(failure.reason)"
  }

  static func text(of mistake: Options.Mistake) -> String {
    switch mistake {
    case .help: Options.help
    case .unknown(let word): "'\(word)' is no option and no task; --help lists them"
    case .missingValue(let option): "\(option) needs a value"
    case .wrongValue(let text, let option): "'\(text)' is no value of \(option)"
    }
  }
}

extension Report {
  private static func line(_ names: [String], _ figures: Figures, _ ratios: [String]) -> String {
    let walls = figures.walls
    let wall =
      "\(milliseconds(figures.wall)) (\(milliseconds(walls.min() ?? 0))-\(milliseconds(walls.max() ?? 0)))"
    let cells = names + [wall, milliseconds(figures.cpu), mebibytes(figures.peak)] + ratios
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private static func milliseconds(_ seconds: Double) -> String {
    decimal(seconds * 1000, digits: seconds < 0.1 ? 2 : 0)
  }

  private static func mebibytes(_ bytes: Int) -> String {
    decimal(Double(bytes) / 1_048_576)
  }

  private static func decimal(_ value: Double, digits: Int = 1) -> String {
    let scale = digits == 0 ? 1 : digits == 1 ? 10 : 100
    let units = Int((value * Double(scale)).rounded())
    guard digits > 0 else { return String(units) }
    let fraction = String(scale + units % scale).dropFirst()
    return "\(units / scale).\(fraction)"
  }
}
