/// A step that makes rows of the rows that come, before all steps that look at rows one by one: `--explode`, `--join`.
///
/// It passes them on some at a time, however many it makes of one row.
protocol RowMaker: Step {
  /// Takes the rows of a batch, once all that were made of the one before were passed on.
  mutating func take(_ batch: Batch)

  /// Counts what there is to say of the rows that were taken last, up to one of them; of all of them by default.
  mutating func settle(through row: Int?)

  /// Whether it passes no row on before the last one has come.
  var holdsRows: Bool { get }

  /// Learns that no more rows come: what it holds may be passed on.
  mutating func end()

  /// The next rows that are made of them, perhaps none, and the number of the row that each was made of; `nil` if there
  /// are no more.
  mutating func next() throws(Failure) -> (batch: Batch, sources: [UInt32])?
}

extension RowMaker {
  /// None does, unless it says so.
  var holdsRows: Bool { false }

  /// Nothing, unless a step holds rows.
  mutating func end() {}

  /// Nothing, unless a step counts rows.
  mutating func settle(through row: Int?) {}
}

/// The steps that make rows of rows, each of those that the one before has made.
struct RowMakers {
  private var makers: [any RowMaker]

  /// The row of the batch that was read for each row that a step has taken; `nil` for the first step.
  private var sources: [[UInt32]?]

  /// The row that each row was made of that a step made last, among those that it has taken.
  private var made: [[UInt32]]

  /// The batch whose rows are taken; `nil` once no more come.
  private var read: Batch?

  /// Whether no more rows come, and how many steps know it.
  private var isOver = false
  private var endedCount = 0

  /// Rows that were made.
  struct Made {
    /// The rows.
    let batch: Batch

    /// The batch that they were made of, as it was read; `nil` if they were held until all had been read.
    let read: Batch?

    /// The row of that batch that each was made of.
    let sources: [UInt32]
  }

  /// Begins without rows.
  init(_ makers: [any RowMaker]) {
    self.makers = makers
    sources = makers.map { _ in nil }
    made = makers.map { _ in [] }
  }

  /// Whether there are none.
  var isEmpty: Bool { makers.isEmpty }

  /// Whether rows are held until all have been read.
  var holdsRows: Bool { makers.contains { $0.holdsRows } }

  /// The steps, in order.
  var steps: [any RowMaker] { makers }

  /// Takes the rows of a batch, once all that were made of the one before were passed on.
  mutating func take(_ batch: Batch) {
    read = batch
    makers[0].settle(through: nil)
    makers[0].take(batch)
  }

  /// Counts what there is to say of the rows so far.
  ///
  /// - Parameter row: the last row that is needed of those that were made last; `nil` for all rows.
  mutating func settle(through row: Int?) {
    var row = row
    for index in makers.indices.reversed() {
      row = row.flatMap { made[index].indices.contains($0) ? Int(made[index][$0]) : nil }
      makers[index].settle(through: row)
    }
  }

  /// Learns that no more rows come: what steps hold may be passed on.
  ///
  /// - Returns: whether that is new.
  mutating func end() -> Bool {
    if isEmpty || isOver { return false }
    (isOver, read) = (true, nil)
    return true
  }

  /// The next rows that are made of them, perhaps none; `nil` if there are no more.
  mutating func next() throws(Failure) -> Made? {
    guard !isEmpty, let (batch, sources) = try next(of: makers.count - 1) else { return nil }
    return Made(batch: batch, read: read, sources: sources)
  }

  /// The next rows that a step makes.
  private mutating func next(of index: Int) throws(Failure) -> (batch: Batch, sources: [UInt32])? {
    while true {
      if let made = try makers[index].next() {
        self.made[index] = made.sources
        guard let known = sources[index] else { return made }
        return (made.batch, made.sources.map { known[Int($0)] })
      }
      if index > 0, let taken = try next(of: index - 1) {
        sources[index] = taken.sources
        makers[index].settle(through: nil)
        makers[index].take(taken.batch)
      } else if isOver, endedCount == index {
        endedCount += 1
        sources[index] = nil
        makers[index].settle(through: nil)
        makers[index].end()
      } else {
        return nil
      }
    }
  }
}
