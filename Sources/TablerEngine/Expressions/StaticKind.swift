/// What is known of a value before any row is read.
enum StaticKind: Sendable {
  /// A cell, an `--arg`, or one of several kinds: known when the row is.
  case any
  case null
  case bool
  case number
  case text
  case list

  /// The kind of a value that is one or the other.
  func or(_ other: StaticKind) -> StaticKind {
    self == other || other == .null ? self : self == .null ? other : .any
  }

  /// The name of the kind in messages.
  var valueKind: ExpressionError.ValueKind {
    switch self {
    case .any, .text: .text
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .list: .list
    }
  }
}
