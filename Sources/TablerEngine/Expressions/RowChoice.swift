/// A range of row numbers as typed: 1-based, -1 is the last, `nil` is open.
public struct RowRange: Equatable, Sendable {
  /// The first row, or `nil` for the beginning.
  public var first: Int?
  /// The last row, or `nil` for the end.
  public var last: Int?

  /// Creates a range.
  public init(first: Int?, last: Int?) {
    self.first = first
    self.last = last
  }

  /// The rows meant among `count` rows, as indices from 0; ends outside of the table are clamped, perhaps to
  /// nothing.
  func indices(count: Int) -> Range<Int> {
    let lower = max(Self.number(first ?? 1, of: count), 1)
    let upper = min(Self.number(last ?? -1, of: count), count)
    return lower <= upper ? lower - 1..<upper : 0..<0
  }

  /// A row number counted from 1 at the top; -1 is the last.
  private static func number(_ number: Int, of count: Int) -> Int {
    number < 0 ? count + 1 + number : number
  }
}

/// The rows that an option names.
public enum RowChoice: Sendable {
  /// Rows by number.
  case rows([RowRange])
  /// Rows for which an expression is true.
  case matching(SourceExpression)
}

/// Which rows an option is about, with its expression bound.
enum BoundRowChoice: Sendable {
  /// Rows by number.
  case rows([RowRange])
  /// Rows for which an expression is true.
  case matching(Program)

  /// Binds the expression of a choice.
  init(_ choice: RowChoice, _ binder: inout Binder) throws(ExpressionError) {
    switch choice {
    case .rows(let ranges): self = .rows(ranges)
    case .matching(let expression): self = .matching(try binder.bind(condition: expression))
    }
  }
}

extension RowRange {
  /// A number of rows that is never reached, to use until the number of all rows is known.
  static let unknownCount = 1 << 60

  /// The number of last rows that must be known to tell which rows are meant.
  fileprivate var endCount: Int {
    let ends = [first, last].compactMap { $0 }.filter { $0 < 0 }
    return ends.min().map { $0 == .min ? .max : -$0 } ?? 0
  }
}

extension RowChoice {
  /// The number of last rows that must be known to tell which rows are meant.
  public var endCount: Int {
    if case .rows(let ranges) = self { ranges.map(\.endCount).max() ?? 0 } else { 0 }
  }
}
