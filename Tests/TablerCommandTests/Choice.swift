import TablerEngine

/// What chooses how a table comes out: an option for every layout and every form there is.
enum Choice {
  /// The names of the forms, as `--to` has them.
  static let forms = OutputForm.allCases.map(\.rawValue)
  /// The layouts, as text: `--list` and so on.
  static let layouts = LayoutKind.allCases.map { "--\($0.rawValue)" }
  /// The forms for people other than text: `--to=html` and so on.
  static let documents = options { $0.isDisplay && $0 != .text }
  /// The forms for programs: `--to=csv` and so on.
  static let data = options { !$0.isDisplay }
  /// All that is drawn.
  static let drawn = layouts + documents
  /// All there is.
  static let all = drawn + data

  private static func options(_ isWanted: (OutputForm) -> Bool) -> [String] {
    OutputForm.allCases.filter(isWanted).map { "--to=\($0.rawValue)" }
  }
}
