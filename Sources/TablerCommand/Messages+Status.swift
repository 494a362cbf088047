import TablerEngine

/// The exit statuses, as scripts see them.
enum Status {
  /// Done; zero rows are success.
  static let done: Int32 = 0
  /// The answer is no.
  static let no: Int32 = 1
  /// Usage: an option, an expression, an unknown column.
  static let usage: Int32 = 2
  /// Bad data.
  static let data: Int32 = 3
  /// The system would not.
  static let system: Int32 = 4
}

extension Messages {
  /// The exit status of a word that could not be taken apart.
  static func status(of error: ArgumentError) -> Int32 { Status.usage }

  /// The exit status of options that make no plan.
  static func status(of error: PlanError) -> Int32 { Status.usage }

  /// The exit status of a run that failed.
  static func status(of failure: Failure) -> Int32 {
    switch failure {
    case .input(.system), .spill, .output: Status.system
    case .input(.foreignOptions): Status.usage
    case .input, .must: Status.data
    case .expression, .column, .repeatedKey, .misread, .noOrder: Status.usage
    }
  }

  /// The exit status of a run that came to its end.
  static func status(of outcome: Outcome, _ plan: Plan) -> Int32 {
    outcome.disorder != nil || (plan.failsWhenEmpty && outcome.rowCount == 0) ? Status.no : Status.done
  }
}
