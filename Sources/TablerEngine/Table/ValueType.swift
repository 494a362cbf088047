/// The type of a value: by its look, by `is TYPE`, or as `--types` declares it.
public enum ValueType: String, CaseIterable, Sendable {
  case number
  case int
  case decimal
  case double
  case text
  case bool
  case date
  case datetime
  case duration
  case size
  case list
  case object

  /// Whether its values are numbers as they are written.
  var isNumeric: Bool {
    switch self {
    case .number, .int, .decimal, .double: true
    case .text, .bool, .date, .datetime, .duration, .size, .list, .object: false
    }
  }
}

/// `--types COL:TYPE`: the type of a column, or of all whose names fit a pattern.
public struct TypeDeclaration: Equatable, Sendable {
  /// The columns.
  public var columns: ColumnSelector
  /// Their type.
  public var type: ValueType
  /// Whether no cell can be of another type, so that none is checked.
  var isSure = false

  /// Declares a type.
  public init(_ columns: ColumnSelector, _ type: ValueType) {
    self.columns = columns
    self.type = type
  }
}
