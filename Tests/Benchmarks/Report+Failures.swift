extension Report {
  static func text(of failure: TaskRunner.Failure) -> String {
    switch failure {
    case .system(let failure): text(of: failure)
    case .status(let command, let status): "'\(command)' ended with status \(status)"
    case .count(let rows, let expected): "\(rows) rows came out, but there are \(expected)"
    case .otherRows: "other rows came out than had to"
    case .order(let row): "row \(row) of the output is not in order"
    case .noCount(let command): "'\(command)' printed no count"
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
    case .alone(let option, let other): "\(option) needs \(other)"
    case .both(let option, let other): "\(option) and \(other) cannot be used together"
    case .unreadable(let failure): text(of: failure)
    }
  }
}
