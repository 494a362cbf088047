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
