/// `--skip`, `--head` and `--tail`, in this order: for rows as they come, or for all if other steps reorder
/// them.
struct RowWindow: PassingStep {
  private var skip: Int
  private var room: Int?
  private let isTrimmed: Bool
  private let allBut: Int?
  private let tail: Int?

  /// Whether only the ends of the table are drawn, of which it tells `--explain`.
  private var drawsEnds = false

  /// Whether rows come out in the order in which they came, so that `--skip` and a positive `--head` need not
  /// wait for all.
  private var takesEarly = true

  /// The rows that a negative `--head` leaves out unless others follow.
  private var heldBack: StoredRows?

  /// Creates a window.
  ///
  /// - Parameters:
  ///   - skip: the rows left out at the beginning.
  ///   - first: the rows kept after them, if limited.
  ///   - allBut: the rows left out at the end, if there are any.
  ///   - tail: the rows kept at the end, if limited.
  init(skip: Int, first: Int?, allBut: Int?, tail: Int?) {
    self.skip = skip
    room = first
    self.allBut = allBut
    self.tail = tail
    isTrimmed = allBut ?? 0 > 0 || tail != nil
  }

  /// The window that a plan asks for.
  init(_ plan: borrowing Plan) {
    switch plan.head {
    case .first(let count)?: self.init(skip: plan.skip, first: count, allBut: nil, tail: plan.tail)
    case .allButLast(let count)?: self.init(skip: plan.skip, first: nil, allBut: count, tail: plan.tail)
    case nil: self.init(skip: plan.skip, first: nil, allBut: nil, tail: plan.tail)
    }
    drawsEnds = plan.layout.ends != nil
  }

  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    let demands: StepDemands = plan.tail == nil && plan.layout.ends == nil ? [] : .allRows
    if case .allButLast? = plan.head { return demands.union(.records) }
    return demands
  }

  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? {
    if plan.tail != nil { return .tail }
    if plan.layout.ends != nil { return .ends }
    if case .allButLast? = plan.head { return .head }
    return nil
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    func holding(_ count: Int) -> PlannedStep.HeldAmount { schedule.changesOrder ? .batch : .rows(count) }
    var steps: [PlannedStep] = []
    if skip > 0 { steps.append(PlannedStep(work: .skip, holding: .batch)) }
    if room != nil { steps.append(PlannedStep(work: .head, holding: .batch)) }
    if let allBut { steps.append(PlannedStep(work: .head, holding: holding(allBut))) }
    if let tail { steps.append(PlannedStep(work: .tail, holding: holding(tail))) }
    if drawsEnds {
      steps.append(PlannedStep(work: .ends, holding: schedule.changesOrder ? .batch : .spilled(.all)))
    }
    return steps
  }

  /// The number of rows left out at the end.
  private var dropsLast: Int { allBut ?? 0 }

  /// The number of rows at the end that decide what is shown of them; `nil` if none of them is special.
  var endCount: Int? {
    guard isTrimmed else { return nil }
    let (count, isTooLarge) = dropsLast.addingReportingOverflow(tail ?? 0)
    return isTooLarge ? .max : count
  }

  /// Whether the last rows are kept, however many there are.
  var keepsEnd: Bool { tail != nil }

  /// The number of first rows needed, if no others are; `nil` if that depends on how many there are.
  var firstCount: Int? { isTrimmed ? nil : countNeeded }

  /// Whether no more rows are wanted.
  var isFull: Bool { room == 0 }

  /// Whether all rows pass unchanged.
  var isOpen: Bool { skip == 0 && room == nil && !isTrimmed }

  /// The number of further rows that are needed; `nil` if all are.
  var countNeeded: Int? {
    guard let room else { return nil }
    let (count, isTooLarge) = skip.addingReportingOverflow(room)
    return isTooLarge ? nil : count
  }

  /// Prepares to hold rows as scheduled.
  mutating func begin(_ schedule: Schedule) {
    takesEarly = !schedule.changesOrder
    if case .delayed(let count) = schedule.holding { heldBack = StoredRows(last: count) }
  }

  var storeCount: Int { heldBack == nil ? 0 : 1 }

  /// Passes on the rows that are sure to be shown, and holds the others back.
  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    var rows = rows
    if takesEarly { keepFirst(of: &rows) }
    do { return try heldBack?.exchange(rows, budget: room) ?? rows } catch { throw Failure(reading: error) }
  }

  mutating func release(room: Int) throws(Failure) -> Rows? {
    guard let held = heldBack.take() else { return nil }
    do { return try held.surplus() } catch { throw Failure(reading: error) }
  }

  /// Keeps what `--skip` and a positive `--head` leave of the next rows.
  private mutating func keepFirst(of rows: inout Rows) {
    if skip > 0 {
      let skipped = min(skip, rows.count)
      rows.ids.removeFirst(skipped)
      skip -= skipped
    }
    if let left = room {
      if rows.count > left { rows.ids.removeLast(rows.count - left) }
      room = left - rows.count
    }
  }

  /// The range of `count` ordered rows that is kept.
  func range(of count: Int) -> Range<Int> {
    if takesEarly { return end(of: count) }
    let start = min(skip, count)
    let end = max(start, min(room.map { $0 < count - start ? start + $0 : count } ?? count, count))
    return self.end(of: end - start).moved(by: start)
  }

  /// The range that is kept of `count` rows that `--skip` and a positive `--head` have left.
  private func end(of count: Int) -> Range<Int> {
    let end = count - min(dropsLast, count)
    return (tail.map { $0 < end ? end - $0 : 0 } ?? 0)..<end
  }
}

extension Range<Int> {
  fileprivate func moved(by distance: Int) -> Range { lowerBound + distance..<upperBound + distance }
}

extension PlannedStep.Work {
  static let skip = Self(rawValue: "--skip")
  static let head = Self(rawValue: "--head")
  static let tail = Self(rawValue: "--tail")
  static let ends = Self(rawValue: "--ends")
}

extension RowWindow {
  /// The first rows are left out, or the only ones asked; the last ones are known to nobody before all have come.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.layout.ends != nil { query.leave(PlannedStep.Work.ends.rawValue) }
    if !query.left.isEmpty {
      let works: [(Bool, PlannedStep.Work)] = [
        (plan.skip > 0, .skip), (plan.head != nil, .head), (plan.tail != nil, .tail),
      ]
      for (isGiven, work) in works where isGiven { query.leave(work.rawValue) }
      return
    }
    if plan.tail != nil { throw .query(.fromEnd("--tail")) }
    var count: Int?
    switch plan.head {
    case .allButLast: throw .query(.fromEnd("--head"))
    case .first(let first): count = first
    case nil: break
    }
    let skip = plan.skip
    if skip > 0 {
      try query.ask(PlannedStep.Work.skip.rawValue) { (query) throws(ExpressionError) in
        query.cut(skip: skip, head: count)
      }
      plan.skip = 0
    }
    guard let count else { return }
    try query.ask(PlannedStep.Work.head.rawValue) { (query) throws(ExpressionError) in
      query.cut(skip: skip, head: count)
    }
    plan.head = nil
  }
}
