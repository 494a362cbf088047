/// A move whose expressions are bound.
struct BoundMove: Sendable {
  /// The rows that move.
  enum What: Sendable {
    case rows([RowRange])
    case matching(Program)
  }

  /// Where they go.
  enum Place: Sendable {
    case top
    case bottom
    case beforeRow(Int)
    case afterRow(Int)
    case beforeMatch(Program)
    case afterMatch(Program)
  }

  /// The rows that move.
  let what: What

  /// Where they go.
  let place: Place

  /// The move as typed, for messages.
  let source: String

  /// Binds the expressions of a move.
  init(_ move: Move, _ binder: inout Binder) throws(ExpressionError) {
    what =
      switch move.what {
      case .rows(let ranges): .rows(ranges)
      case .matching(let expression): .matching(try binder.bind(condition: expression))
      }
    place =
      switch move.place {
      case .top: .top
      case .bottom: .bottom
      case .beforeRow(let number): .beforeRow(number)
      case .afterRow(let number): .afterRow(number)
      case .beforeMatch(let expression): .beforeMatch(try binder.bind(condition: expression))
      case .afterMatch(let expression): .afterMatch(try binder.bind(condition: expression))
      }
    source = move.source
  }
}
