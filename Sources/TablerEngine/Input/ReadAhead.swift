/// Reads batches a few ahead of the pipeline: on a thread of its own, once the input has proved not to be small.
///
/// While that thread reads it owns the reader exclusively; whatever else must be known about the input comes
/// with each batch.
final class ReadAhead {
  /// What is known about the input when a batch is delivered.
  struct KnownInput {
    /// The columns.
    var schema: Schema

    /// The notices so far about headers and whole files.
    var notices: [InputNotice]

    /// The findings of the last batch.
    var findings: InputFindings

    /// The number of rows read so far.
    var rowCount: Int

    /// The number of columns that were seen before the last batch.
    var shownBefore: Int
  }

  /// The keys of the rows of a batch.
  struct BatchKeys {
    let batch: Batch
    let keys: [ComparisonKey]
  }

  /// The state of the input when the last batch was delivered.
  private(set) var progress: KnownInput

  /// Reads the keys of the rows of a batch, if rows are compared; the thread that reads has time for it.
  var keyReading: (@Sendable (Batch) -> [ComparisonKey])?

  /// The keys of the batch that was delivered last, if a thread has read them.
  private(set) var keys: BatchKeys?

  /// The findings before the last batch.
  private var tally: InputTally

  /// The notices about the part of the input that was needed.
  var notices: [InputNotice] { progress.notices + whole.notices }

  /// The number of empty lines that are not records, if they are counted.
  var emptyLineCount: Int { whole.emptyLineCount }

  /// The findings so far, including those of the last batch.
  private var whole: InputTally {
    var whole = tally
    whole.count(progress.findings)
    return whole
  }

  /// The columns known so far.
  var schema: Schema { progress.schema }

  /// The milliseconds that `next` waits for bytes; `nil` waits indefinitely.
  ///
  /// It has no effect while a separate thread reads.
  var timeout: Int? {
    get { reader?.timeout }
    set { reader?.timeout = newValue }
  }

  /// Whether batches are delivered as soon as reading more would wait.
  let isLive: Bool

  /// Whether the last `next` timed out instead of reaching the end.
  var isPaused: Bool { reader?.isPaused ?? false }

  /// Whether the next batch, or the end, is available without waiting for the thread.
  var isReady: Bool { queue?.access { !$0.deliveries.isEmpty } ?? false }

  /// The threads that do jobs while they wait; they look into the queue as they do, never the other way.
  let crew: Crew

  /// The reader, unless a separate thread has it.
  private var reader: InputReader?
  private let tuning: Tuning
  private var queue: Monitor<Queue>?
  private var bytesRead = 0

  /// The numbers of columns seen before batches, with the first rows of these, wherever the number increased.
  private var shownBefore: [(row: Int, count: Int)]

  /// Whether the thread has delivered its last batch.
  private var isOver = false

  /// A batch, the end or damage, along with the state of the input.
  private struct Delivery {
    var batch: Result<Batch?, InputError>
    var progress: KnownInput

    /// The keys of its rows, if they are wanted.
    var keys: BatchKeys?

    /// Whether nothing follows.
    var isLast: Bool {
      if case .success(.some) = batch { false } else { true }
    }

    /// Whether the batch is so large that no other is read until it has been processed.
    var isLarge: Bool {
      if case .success(.some(let batch)) = batch { batch.isLarge } else { false }
    }
  }

  /// What was read but not yet requested.
  private struct Queue {
    var deliveries: [Delivery] = []
    var isClosed = false

    /// The reader while it is handed to the thread, or back.
    var handover: Handover?
  }

  /// A reader that changes its owner.
  private struct Handover: @unchecked Sendable {
    // Why it may be shared: it holds the only reference to a reader, is in the queue, and is taken out of it
    // by one thread, which uses the reader exclusively until it puts it back.

    let reader: InputReader

    /// Takes a reader away from its owner; `nil` if anything else holds it too.
    init?(taking owned: inout InputReader?) {
      guard isKnownUniquelyReferenced(&owned), let reader = owned.take() else { return nil }
      self.reader = reader
    }

    /// Reads the next batch, and the keys of its rows if they are wanted.
    func read(_ keyReading: (@Sendable (Batch) -> [ComparisonKey])?) -> Delivery {
      do throws(InputError) {
        let batch = try reader.next()
        var delivery = Delivery(batch: .success(batch), progress: reader.progress)
        if let batch, let keyReading { delivery.keys = BatchKeys(batch: batch, keys: keyReading(batch)) }
        return delivery
      } catch { return Delivery(batch: .failure(error), progress: reader.progress) }
    }
  }

  /// The number of batches that may wait to be requested.
  private static let depth = 8

  /// Reads from the current position of `reader`; while anything else holds it, it gets no thread of its own.
  init(_ reader: InputReader, _ tuning: Tuning) {
    self.reader = reader
    self.tuning = tuning
    crew = reader.crew
    isLive = reader.isLive
    progress = reader.progress
    tally = reader.tally
    shownBefore = [(0, reader.shownBefore)]
  }

  deinit { close() }

  /// Lets the thread end reading.
  private func close() {
    guard let queue else { return }
    queue.access { $0.isClosed = true }
    crew.notify()
  }

  /// The next batch of rows; `nil` at the end, and after the timeout.
  func next() throws(InputError) -> Batch? {
    if isOver { return nil }
    tally.count(progress.findings)
    // They hold their batch, which may be large.
    keys = nil
    let batch: Batch?
    if let queue { batch = try delivered(by: queue) } else { batch = try read() }
    recordColumns(before: batch)
    if let batch, queue == nil, !batch.isLarge, bytesRead > tuning.smallInput { start() }
    return batch
  }

  /// Reads the next batch on this thread.
  private func read() throws(InputError) -> Batch? {
    guard let reader else { return nil }
    defer { progress = reader.progress }
    let batch = try reader.next()
    bytesRead += batch?.block.count ?? 0
    return batch
  }

  /// Stops reading, and drops what was read beyond the batch delivered last.
  func stop() {
    isOver = true
    close()
    reader = nil
    keys = nil
  }

  /// Waits for the next batch that the thread has read.
  private func delivered(by queue: Monitor<Queue>) throws(InputError) -> Batch? {
    let delivery = crew.waitForBatch {
      queue.access { queue -> (Delivery, Int)? in
        guard !queue.deliveries.isEmpty else { return nil }
        return (queue.deliveries.removeFirst(), queue.deliveries.count)
      }
    }
    isOver = delivery.isLast
    progress = delivery.progress
    keys = delivery.keys
    if delivery.isLarge {
      // The thread has ended, and the reader is ours again.
      reader = queue.access { $0.handover.take() }?.reader
      self.queue = nil
    }
    return try delivery.batch.get()
  }

  /// Remembers how many columns were seen before a batch, if there were more than before the last.
  private func recordColumns(before batch: Batch?) {
    guard let batch, progress.shownBefore != shownBefore.last?.count else { return }
    shownBefore.append((batch.origin.row, progress.shownBefore))
  }

  /// Records the columns that come before a row of the batch delivered last; from that row on, its rows are
  /// processed separately.
  func split(_ batch: Batch, at row: Int) {
    shownBefore.append((batch.rowNumber(ofRow: row), schema(through: row - 1, of: batch).readCount))
  }

  /// Ignores what comes after a row of the batch delivered last: it makes no difference how much was read.
  func endInput(after row: Int, of batch: Batch) {
    tally.count(progress.findings, through: row)
    progress.findings = InputFindings()
    progress.schema = schema(through: row, of: batch)
  }

  /// The columns without those that first appear after a row: it makes no difference how much was read.
  func schema(through row: Int, of batch: Batch) -> Schema {
    let number = batch.rowNumber(ofRow: row)
    let count = shownBefore.last { $0.row <= number }?.count ?? 0
    var schema = progress.schema
    if schema.readCount <= count { return schema }
    var seen: Set<Int> = []
    for row in 0...row {
      for index in batch.cellIndices(ofRow: row) {
        let cell = batch.cells[index]
        if cell.kind != .missing, !batch.isAdded(cell) { seen.insert(batch.column(ofCell: index, row: row)) }
      }
    }
    schema.hide(from: count) { !seen.contains($0) }
    return schema
  }
}

extension ReadAhead {
  /// Hands the reader to a thread of its own, if there may be one.
  private func start() {
    guard tuning.threadCount > 1, let handover = Handover(taking: &reader) else { return }
    let queue = Monitor(Queue(handover: handover))
    if crew.start({ [keyReading] crew in Self.readOn(queue, crew, keyReading) }) {
      self.queue = queue
    } else {
      reader = handover.reader
    }
  }

  /// Reads with the reader in the queue until the end, until no more is wanted, or until a batch is large.
  ///
  /// - Returns: whether the reader was not handed back, so that no other thread will be started for it.
  private static func readOn(
    _ queue: Monitor<Queue>, _ crew: Crew, _ keyReading: (@Sendable (Batch) -> [ComparisonKey])?
  ) -> Bool {
    var handover = queue.access { $0.handover.take() }
    while let delivery = handover?.read(keyReading) {
      let isWanted = crew.wait {
        queue.access { (queue: inout Queue) -> Bool? in
          if queue.isClosed { return false }
          guard queue.deliveries.count < depth else { return nil }
          if delivery.isLarge { queue.handover = handover.take() }
          queue.deliveries.append(delivery)
          return true
        }
      }
      if delivery.isLast || !isWanted { return true }
    }
    return false
  }
}

extension InputReader {
  /// The present state of the input.
  fileprivate var progress: ReadAhead.KnownInput {
    ReadAhead.KnownInput(
      schema: schema, notices: notices, findings: findings, rowCount: rowCount, shownBefore: shownBefore)
  }
}
