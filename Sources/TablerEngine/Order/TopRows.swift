/// The first rows in the order of keys, from rows that come batch by batch: `--sort` with `--head N`.
///
/// 1. Every row is encoded by all keys, so that misfits are counted as in a sort of all rows.
/// 2. A row that comes after the last of the first N so far is dropped: usually after one comparison of codes.
/// 3. Others are copied to the rows held; when there are twice as many as wanted, they are sorted and cut.
///
/// It holds about 2 N rows. The result is that of `Sorter`, stable, cut to N. If N rows take more than the
/// budget, they must be sorted like all others from then on.
///
/// - Complexity: O(*n* + *k* log *N*) comparisons for *n* rows, *k* of which are kept at first.
struct TopRows {
  /// The order.
  let order: SortOrder

  /// The cells that did not convert, by key.
  private(set) var tally: ConversionTally

  /// The findings in values that were sorted as text, by key.
  private(set) var findings: [KeyFindings]

  /// The bytes that the wanted rows may take whatever the budget is: merging sorted runs of few large rows
  /// takes more.
  private static let leastBytes = 24 << 20

  private let wanted: Int
  private let limit: Int
  private var deriver: KeyDeriver

  /// The bytes that rows may take: unwanted ones are dropped then; if the wanted ones take more, `isOutgrown`.
  private let budget: Int

  /// The bytes of rows held at which unwanted ones are dropped.
  private var mostBytes: Int

  /// The size of the rows held, in bytes.
  private var heldBytes = 0

  /// Whether the wanted rows take more than the budget.
  private(set) var isOutgrown = false

  /// Whether rows must not be added because copies of them may take more than the budget.
  func isOutgrown(by rows: Rows) -> Bool {
    rows.batches.contains(where: \.isLarge)
      && heldBytes + rows.memory * order.weight(of: rows) > max(budget, Self.leastBytes)
  }

  /// The rows held: those known to be the first so far, and after them others in the order in which they came.
  private var held = Rows()

  /// The last of the first N so far, as a cursor of one row.
  private var last: KeyedRow?

  /// Keeps the first `count` rows.
  ///
  /// - Parameter budget: the maximum number of bytes that may be held of unwanted rows.
  init(_ order: SortOrder, count: Int, budget: Int = .max) {
    self.order = order
    self.budget = budget
    mostBytes = budget
    wanted = count
    limit = max(2 * min(count, Int.max / 4), 1024)
    tally = order.freshTally
    findings = order.keys.map { _ in KeyFindings() }
    deriver = KeyDeriver(order)
  }

  /// The evaluation state of `(expr)` keys.
  private var states: [EvaluationState] { deriver.states.compactMap(\.self) }

  /// What the keys found so far.
  var found: SortFindings { SortFindings(tally: tally, values: findings, states: states) }

  /// Examines the next rows.
  mutating func add(_ rows: Rows) throws(SortError) {
    let columns = try order.columns(of: rows, &deriver)
    tally.merge(ConversionTally(entries: columns.map(\.misfits)))
    for index in columns.indices { findings[index].merge(columns[index].findings) }
    guard wanted > 0 else { return }
    var start = 0
    while start < rows.count {
      start = keep(rows, columns, from: start)
      if held.count >= limit || heldBytes >= mostBytes { try select() }
    }
  }

  /// The first rows, sorted.
  mutating func finish() throws(SortError) -> Rows {
    try select()
    defer { held = Rows() }
    return held
  }
}

extension TopRows {
  /// Copies rows that may be among the first, until there are enough to sort them.
  ///
  /// - Returns: the position of the next row to examine.
  private mutating func keep(_ rows: Rows, _ columns: [KeyColumn], from start: Int) -> Int {
    var chosen = Rows()
    chosen.batches = rows.batches
    var place = start
    while place < rows.count, held.count &+ chosen.count < limit {
      place = nextCandidate(columns, from: place, count: rows.count)
      guard place < rows.count else { break }
      if last?.follows(columns, rows.ids[place], place) ?? true {
        chosen.ids.append(rows.ids[place])
      }
      place &+= 1
    }
    if chosen.count > 0 {
      let copy = chosen.copied()
      heldBytes += copy.memory * order.weight(of: copy)
      held.append(copy)
    }
    return place
  }

  /// The next row whose first code is not above that of the last wanted row.
  @inline(__always)
  private func nextCandidate(_ columns: [KeyColumn], from start: Int, count: Int) -> Int {
    guard let last, let first = columns.first else { return start }
    let codes = first.codes.span
    let highest = last.code
    var place = start
    while place < count, codes[place] > highest { place &+= 1 }
    return place
  }

  /// Sorts the rows held and drops unwanted ones.
  private mutating func select() throws(SortError) {
    var sorter = Sorter(order)
    try sorter.sort(&held)
    guard held.count > wanted else {
      isOutgrown = heldBytes >= max(budget, Self.leastBytes)
      return
    }
    held.ids.removeLast(held.count - wanted)
    held = held.copied()
    heldBytes = held.memory * order.weight(of: held)
    mostBytes = max(budget, 2 * heldBytes)
    isOutgrown = heldBytes >= max(budget, Self.leastBytes)
    var scratch = KeyDeriver(order)
    if let id = held.ids.last { last = try KeyedRow(Rows(held, only: id), order, &scratch) }
  }
}

/// A row with its keys.
private struct KeyedRow {
  private let row: RowID
  private let columns: [KeyColumn]

  init(_ rows: Rows, _ order: SortOrder, _ deriver: inout KeyDeriver) throws(SortError) {
    row = rows.ids[0]
    columns = try order.columns(of: rows, &deriver)
  }

  /// The code of the first key.
  var code: UInt64 { columns.first?.codes[0] ?? .max }

  /// Whether the row comes after another, the one at `place` of other columns; false if both are equal.
  func follows(_ others: [KeyColumn], _ other: RowID, _ place: Int) -> Bool {
    for index in columns.indices {
      let (code, otherCode) = (columns[index].codes[0], others[index].codes[place])
      if code != otherCode { return code > otherCode }
      let order = columns[index].order(row, against: other, of: others[index], code: code)
      if order != 0 { return order > 0 }
    }
    return false
  }
}

extension Rows {
  /// A single row of `rows`.
  fileprivate init(_ rows: Rows, only id: RowID) {
    self.init(rows.batches[id.batch], [UInt32(truncatingIfNeeded: id.row)])
  }
}
