/// Sorts rows by keys: stable, in one total order.
///
/// 1. Every key is coded for all rows, in input order: 64 bits each.
/// 2. The rows are sorted by the codes of the first key.
/// 3. Rows of equal code that are not equal are sorted by the next bytes of their texts, or by all their
///    digits; rows that are equal by the codes of the next key, and so on.
struct Sorter: Sendable {
  /// What is sorted by.
  let order: SortOrder

  /// The cells that did not convert, by key.
  private(set) var tally: ConversionTally

  /// What was sorted as text, by key.
  private(set) var findings: [KeyFindings]

  private var deriver: KeyDeriver

  /// What `(expr)` keys left behind.
  var states: [EvaluationState] { deriver.states.compactMap(\.self) }

  /// Prepares to sort by an order.
  init(_ order: SortOrder) {
    self.order = order
    tally = order.freshTally
    findings = order.keys.map { _ in KeyFindings() }
    deriver = KeyDeriver(order)
  }

  /// Sorts `rows`.
  ///
  /// - Parameter threadCount: the threads that may work at once.
  mutating func sort(_ rows: inout Rows, threadCount: Int = 1) throws(SortError) {
    guard !order.keys.isEmpty, rows.count > 0 else { return }
    let columns = try order.columns(of: rows, &deriver, threadCount: threadCount)
    tally.merge(ConversionTally(entries: columns.map(\.misfits)))
    for index in columns.indices { findings[index].merge(columns[index].findings) }
    rows.ids = Refinement.sorted(rows.ids, by: columns, threadCount: threadCount)
  }
}

/// Why rows cannot be sorted.
public enum SortError: Error, Equatable, Sendable {
  /// A key of `--sort` or `--sorted-by` names no column; the key's place in the option's text, in bytes.
  case column(ColumnError, key: Range<Int>)

  /// `--order` names no column.
  case orderColumn(ColumnError)

  /// An `(expr)` key that cannot be bound.
  case expression(ExpressionError)

  /// A key met a list or an object, which have no order.
  case noOrder(Unordered)

  /// A value that has no order, and where it was met.
  public struct Unordered: Equatable, Sendable {
    /// The key's column, as addressed, or its expression.
    public var column: String

    /// Whether it is a list; else an object.
    public var isList: Bool

    /// The names of the first members of an object, to suggest one.
    public var members: [String]

    /// The key's place in the option's text, in bytes.
    public var key: Range<Int>

    /// The input, as an index into the plan's sources.
    public var source: Int

    /// The line the record begins on, counted from 1.
    public var line: Int
  }
}
