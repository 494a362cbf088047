/// Keeps some rows, each as likely as any other, in their order: `--sample`.
///
/// Rows that come in their final order pass through it. Others are gathered first, and it moves those that it chooses to
/// the top of their order. Either way the same rows of the same order are chosen.
struct Sampler: PassingStep {
  private var sample: RowSample

  /// The rows that were among the chosen ones when they came, and their numbers.
  private var held = StoredRows()
  private var numbers: [UInt64] = []

  /// The number of held rows that were released or left out.
  private var releasedCount = 0

  /// The largest number of a chosen row, once no more rows come.
  private var limit: UInt64?

  /// The step that a plan asks for, if it does.
  init?(_ plan: borrowing Plan) {
    guard let size = plan.sample else { return nil }
    sample = RowSample(size: size, seed: UInt64(truncatingIfNeeded: plan.seed))
  }

  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.samplesEarly(isOpen: isOpen) ? .records : []
  }

  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? {
    plan.sample == nil ? nil : .sample
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    [PlannedStep(work: .sample, holding: .rows(sample.size))]
  }

  var holdsRows: Bool { true }

  var storeCount: Int { 1 }

  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    var some = rows
    some.ids = []
    for id in rows.ids {
      guard let number = sample.next() else { continue }
      numbers.append(number)
      some.ids.append(id)
    }
    if some.count == 0 { return Rows() }
    held.append(some.isSparse() ? some.copied() : some)
    if held.memory >= room { try Failure.reading { () throws(SystemError) in try held.spill() } }
    return Rows()
  }

  mutating func release(room: Int) throws(Failure) -> Rows? {
    let limit = limit ?? sample.limit
    self.limit = limit
    do {
      guard var rows = try held.takeFirst() else { return nil }
      let ids = rows.ids
      rows.ids = zip(ids, numbers[releasedCount...]).filter { $0.1 <= limit }.map { $0.0 }
      releasedCount += ids.count
      return rows
    } catch { throw Failure(reading: error) }
  }
}

/// A choice of rows by their positions: those with the smallest of the numbers that a seed and a position make.
///
/// The numbers are the sequence of SplitMix64 (Steele, Lea and Flood, 2014), which never repeats one.
///
/// - Complexity: amortized O(log *m*) for a row among the smallest so far, O(1) for any other; memory for 2 *m* numbers.
struct RowSample {
  /// The number of rows to choose.
  let size: Int

  private var state: UInt64

  /// The smallest numbers so far: all that are at most `largest`, and others that must be sorted out.
  private var smallest: [UInt64] = []
  private var largest = UInt64.max

  /// The numbers that are kept before they are sorted out, besides twice those of the sample.
  private static let spare = 1024

  /// Prepares to choose rows.
  init(size: Int, seed: UInt64) {
    self.size = size
    state = Self.mixed(seed)
  }

  /// The number of the next row, unless that row is certainly not chosen.
  mutating func next() -> UInt64? {
    state &+= 0x9E37_79B9_7F4A_7C15
    let number = Self.mixed(state)
    guard number <= largest, size > 0 else { return nil }
    smallest.append(number)
    if smallest.count / 2 >= max(size, Self.spare) { sortOut() }
    return number
  }

  /// The largest number of a chosen row.
  var limit: UInt64 {
    mutating get {
      sortOut()
      return largest
    }
  }

  private mutating func sortOut() {
    guard size > 0, smallest.count > size else { return }
    smallest.sort()
    smallest.removeLast(smallest.count - size)
    largest = smallest[size - 1]
  }

  /// The output function of SplitMix64.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

extension Sampler {
  /// Moves the rows that are chosen of an order to its top.
  ///
  /// - Returns: how many they are.
  func bringUp(in order: inout RowOrder) -> Int {
    var sample = sample
    var numbers: [(row: Int, number: UInt64)] = []
    for row in 0..<order.count {
      if let number = sample.next() { numbers.append((row, number)) }
    }
    let limit = sample.limit
    var chosen = RowBits(rowCount: order.count)
    for (row, number) in numbers where number <= limit { chosen.insert(row) }
    order.move(chosen, to: 0)
    return chosen.count
  }
}

extension Plan {
  /// Whether rows are sampled as they come: no later step changes their order.
  ///
  /// - Parameter isOpen: whether columns may come at any time (JSON).
  func samplesEarly(isOpen: Bool) -> Bool {
    sample != nil && sortKeys.isEmpty && comparison == nil && (moves.isEmpty || streamsMoves(isOpen: isOpen))
  }
}

extension PlannedStep.Work {
  static let sample = Self(rawValue: "--sample")
}

extension Sampler {
  /// Rows are chosen here; what comes after that is done here, too.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.sample != nil { query.leave(PlannedStep.Work.sample.rawValue) }
  }
}
