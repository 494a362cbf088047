/// Verifies that rows come in the order of keys, one batch after another: `--sorted-by`.
///
/// It accepts exactly what `Sorter` produces, by the same codes and the same comparison of ties.
struct OrderVerifier: PassingStep {
  /// The first row that should precede the row above it.
  struct Disorder: Equatable, Sendable {
    /// The input, as an index into the plan's sources.
    var source: Int

    /// The line the row's record begins on, counted from 1.
    var line: Int
  }

  /// The order to verify.
  let order: SortOrder

  /// The first row out of order, once there is one; nothing more is then examined.
  private(set) var disorder: Disorder?

  private let sources: [Source]
  private var columns: [KeyColumn]
  private var deriver: KeyDeriver

  /// The batch of the last row examined, which the columns still hold.
  private var last: (batch: Batch, row: Int)?

  /// Prepares to verify an order of rows that come from some sources.
  init(_ order: SortOrder, _ sources: [Source] = []) {
    self.order = order
    self.sources = sources
    columns = order.keys.map { KeyColumn($0) }
    deriver = KeyDeriver(order)
  }

  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.sortedBy.isEmpty ? [] : .records
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    order.keys.isEmpty ? [] : [PlannedStep(work: .verifyOrder, holding: .batch)]
  }

  /// The cells that did not convert, by key.
  var tallies: [ConversionTally] {
    columns.isEmpty ? [] : [ConversionTally(entries: columns.map(\.misfits))]
  }

  func notices(_ sources: [Source]) -> [Notice] {
    order.notices(columns.map(\.findings), sources, areVerified: true)
  }

  var states: [EvaluationState] { deriver.states.compactMap(\.self) }

  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    do { try verify(rows) } catch { throw error.failure(option: "--sorted-by", sources) }
    return rows
  }

  /// Verifies the next rows, up to the first that is out of order or has none.
  ///
  /// Whatever comes after that one is not counted, however many rows came together with it: the rows are then
  /// examined again in halves.
  mutating func verify(_ rows: Rows) throws(SortError) {
    guard disorder == nil, !columns.isEmpty, rows.count > 0 else { return }
    let before = self
    do {
      try verifyRows(rows)
      if disorder == nil || rows.count == 1 { return }
    } catch { if rows.count == 1 { throw error } }
    self = before
    var half = rows
    half.ids = Array(rows.ids.prefix(rows.count / 2))
    try verify(half)
    half.ids = Array(rows.ids.suffix(rows.count - half.count))
    try verify(half)
  }

  private mutating func verifyRows(_ rows: Rows) throws(SortError) {
    guard let end = rows.ids.last else { return }
    var chain: [RowID] = []
    var origins: [Batch] = []
    if let last {
      chain.append(RowID(batch: 0, row: last.row))
      origins.append(last.batch)
    }
    let base = origins.count
    origins += rows.batches
    for id in rows.ids { chain.append(RowID(batch: base &+ id.batch, row: id.row)) }
    for index in columns.indices {
      columns[index].add(rows, &deriver)
      try columns[index].encode(chain.span.extracting(base..<chain.count), origins: origins)
    }
    if let place = (1..<chain.count).first(where: { isReversed(chain[$0 - 1], chain[$0], at: $0) }) {
      let batch = origins[chain[place].batch]
      let row = chain[place].row
      disorder = Disorder(source: batch.source(ofRow: row), line: batch.line(ofRow: row))
    }
    last = (rows.batches[end.batch], end.row)
    for index in columns.indices { columns[index].keepLast(batch: base &+ end.batch) }
  }
}

extension OrderVerifier {
  /// Whether the row at `place` should precede the one above it.
  private func isReversed(_ above: RowID, _ row: RowID, at place: Int) -> Bool {
    for column in columns {
      let upper = column.codes[place - 1]
      let lower = column.codes[place]
      if upper != lower { return upper > lower }
      let order = column.order(above, row, tie: column.tie(upper))
      if order != 0 { return order > 0 }
    }
    return false
  }
}

extension PlannedStep.Work {
  static let verifyOrder = Self(rawValue: "--sorted-by")
}

extension OrderVerifier {
  /// The order is verified here.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if !plan.sortedBy.isEmpty { query.leave(PlannedStep.Work.verifyOrder.rawValue) }
  }
}
