/// What ends a run before its time: one case for each stage that can fail.
public enum Failure: Error, Sendable {
  /// Damage in the input, or an input that the system would not give.
  case input(InputError)
  /// An expression or a template that means nothing for these columns.
  case expression(ExpressionError)
  /// A column that an option names and the input has not.
  case column(option: String, ColumnError)
  /// A value that `must()` did not let pass.
  case must(path: String?, line: Int, text: [UInt8], type: String)
  /// The output could not be written.
  case output(SystemError)
}

/// Something worth a warning or a note on stderr; facts only.
public enum Notice: Sendable {
  /// Of the input.
  case input(InputNotice)
  /// Of the drawing.
  case layout(LayoutNotice)
  /// Cells that did not convert and were treated as null.
  case misfits(
    column: String, count: Int, first: InputError.Place, text: [UInt8], wanted: ExpressionError.ValueKind)
  /// Cells that `--formula-guard` changed.
  case guardedFormulas(Int)
}

/// How a run ended that did not fail.
public struct Outcome: Sendable {
  /// The number of rows that came out.
  public var rowCount = 0
  /// The first row that `--sorted-by` found out of order.
  public var disorder: InputError.Place?
  /// What was noticed on the way, in the order of the stages.
  public var notices: [Notice] = []
}

extension MustFailure {
  /// The failure with the name of its file.
  func failure(_ sources: [Source]) -> Failure {
    .must(path: sources[source].path, line: line, text: text, type: type.rawValue)
  }
}

extension FooterError {
  /// The failure with the option's name.
  var failure: Failure {
    switch self {
    case .column(let error): .column(option: "--footer", error)
    case .expression(let error): .expression(error)
    }
  }
}

extension ConversionTally {
  /// What is worth a warning.
  func notices(_ sources: [Source]) -> [Notice] {
    entries.compactMap { entry in
      guard let first = entry.first else { return nil }
      let place = InputError.Place(path: sources[first.source].path, line: first.line)
      return .misfits(
        column: entry.column, count: entry.count, first: place, text: first.text, wanted: first.wanted)
    }
  }
}
