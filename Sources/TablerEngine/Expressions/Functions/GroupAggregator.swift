/// A running call of an aggregate over groups of rows: its state for each group, and the cells that did not
/// convert.
struct GroupAggregator: Sendable {
  private let call: BoundAggregate

  /// The argument of an aggregate of numbers, if it is a term that is computed for many rows at once.
  let term: NumberTerm?

  private var accumulators = GroupAccumulators()

  /// The cells that did not convert, of all groups.
  private var tally: ConversionTally

  /// The cells that are misfits because of what other rows of their group contain, for groups whose values
  /// were requested.
  private var late: ConversionTally

  /// Starts before the first row.
  ///
  /// - Parameter tally: the columns whose misfits are counted.
  init(_ call: BoundAggregate, _ tally: ConversionTally, _ context: EvaluationContext) {
    self.call = call
    term =
      call.accumulator is any NumberAccumulator.Type
      ? call.argument.flatMap { NumberTerm($0, context) } : nil
    self.tally = tally
    late = tally.emptied
  }

  /// The cells that did not convert, in groups whose values were requested.
  var misfitCells: ConversionTally {
    var tally = tally
    tally.merge(late)
    return tally
  }

  /// Adds rows of the evaluator's batch, in order.
  ///
  /// - Parameters:
  ///   - groups: the group of each row.
  ///   - count: the number of groups.
  ///   - numbers: the values of its term in these rows.
  mutating func add(
    _ rows: Span<UInt32>, of groups: Span<UInt32>, count: Int, _ numbers: NumberColumns?,
    _ evaluator: inout Evaluator
  ) {
    swap(&evaluator.state.tally, &tally)
    defer { swap(&evaluator.state.tally, &tally) }
    if let numbers, let accumulator = call.accumulator as? any NumberAccumulator.Type {
      return accumulator.add(numbers, rows, of: groups, count: count, to: &accumulators, call, &evaluator)
    }
    call.accumulator.add(rows, of: groups, count: count, to: &accumulators, call, &evaluator)
  }

  /// The values of some of `count` groups, each of which is requested once.
  mutating func values(of groups: Range<Int>, count: Int) throws(SystemError) -> [Value] {
    try call.accumulator.values(of: groups, count: count, in: &accumulators, &late)
  }

  /// Its approximate size in bytes, once there are `count` groups.
  func byteCount(ofGroups count: Int) -> Int {
    accumulators.byteCount + max(0, count - accumulators.count) * call.accumulator.stride
  }

  /// Whether the size of what it keeps for a group never changes.
  var isFixed: Bool { call.accumulator.isFixed }

  /// Whether it has no argument, or one that is a term of numbers.
  var takesNumbersOnly: Bool { term != nil || call.argument == nil }

  /// Writes the data that it does not need for now to a temporary file.
  mutating func spill(to file: SpillFile) throws(SystemError) {
    try call.accumulator.spill(&accumulators, to: file)
  }

  /// Forgets all groups.
  mutating func reset() { accumulators = GroupAccumulators() }
}

/// The accumulators of one aggregate, one for each group.
struct GroupAccumulators: Sendable {
  /// An array of accumulators of one type, which alone knows the type of the array.
  fileprivate var all: (any Sendable)?

  /// Their number.
  fileprivate(set) var count = 0

  /// Their approximate size in bytes.
  fileprivate(set) var byteCount = 0
}

// The loops over rows are here, so that each is compiled for one type of accumulator.
extension Accumulator {
  /// The bytes that each takes in an array.
  fileprivate static var stride: Int { MemoryLayout<Self>.stride }

  static func add(
    _ rows: Span<UInt32>, of groups: Span<UInt32>, count: Int, to accumulators: inout GroupAccumulators,
    _ call: BoundAggregate, _ evaluator: inout Evaluator
  ) {
    var all = extractAll(from: &accumulators, count: count)
    if let argument = call.argument {
      for index in rows.indices {
        evaluator.row = Int(rows[index])
        all[Int(groups[index])].counting(&accumulators.byteCount) {
          $0.add(argument, call.further, &evaluator)
        }
      }
      if !isFixed {
        for index in groups.indices {
          all[Int(groups[index])].growing(&accumulators.byteCount) {
            $0.hold(from: evaluator.batch, atMost: evaluator.context.longestText)
          }
        }
      }
    } else {
      var places = all.mutableSpan
      for index in groups.indices { places[Int(groups[index])].addRow() }
    }
    accumulators.all = all
  }

  /// Records how much accumulators grow by calling `change` with numbers.
  @inline(__always)
  fileprivate mutating func growing(_ total: inout Int, _ change: (inout Self) -> Void) {
    if Self.isFixed { return change(&self) }
    counting(&total, change)
  }

  /// Records how much accumulators grow by calling `change`.
  @inline(__always)
  fileprivate mutating func counting(_ total: inout Int, _ change: (inout Self) -> Void) {
    let before = byteCount
    change(&self)
    total += byteCount - before
  }

  static func values(
    of groups: Range<Int>, count: Int, in accumulators: inout GroupAccumulators, _ late: inout ConversionTally
  ) throws(SystemError) -> [Value] {
    let all = extractAll(from: &accumulators, count: count)
    var values: [Value] = []
    for group in groups {
      if let misfits = all[group].lateMisfits { late.merge(misfits) }
      values.append(try all[group].result)
    }
    accumulators.all = all
    return values
  }

  static func spill(_ accumulators: inout GroupAccumulators, to file: SpillFile) throws(SystemError) {
    guard !isFixed, var all = accumulators.all.take() as? [Self] else { return }
    defer { accumulators.all = all }
    accumulators.byteCount = 0
    for group in all.indices {
      try all[group].spill(to: file)
      accumulators.byteCount += all[group].byteCount
    }
  }

  /// The accumulators of `count` groups, which must have one owner while they are changed; otherwise they
  /// would be copied.
  fileprivate static func extractAll(from accumulators: inout GroupAccumulators, count: Int) -> [Self] {
    var all = accumulators.all.take() as? [Self] ?? []
    let added = max(count - all.count, 0)
    for _ in 0..<added { all.append(Self()) }
    accumulators.count += added
    accumulators.byteCount += added * stride
    return all
  }
}

extension NumberAccumulator {
  static func add(
    _ numbers: NumberColumns, _ rows: Span<UInt32>, of groups: Span<UInt32>, count: Int,
    to accumulators: inout GroupAccumulators, _ call: BoundAggregate, _ evaluator: inout Evaluator
  ) {
    guard let argument = call.argument else { return }
    var all = extractAll(from: &accumulators, count: count)
    var places = all.mutableSpan
    for index in rows.indices {
      let group = Int(groups[index])
      switch numbers[0, index] {
      case .number(let number): places[group].growing(&accumulators.byteCount) { $0.add(number) }
      case .null: continue
      case .other:
        evaluator.row = Int(rows[index])
        places[group].counting(&accumulators.byteCount) { $0.add(argument, call.further, &evaluator) }
      }
    }
    accumulators.all = all
  }
}
