/// Reads batches a few ahead of who asks for them: on a thread of its own, once the input has shown not to be small.
///
/// While that thread runs it has the reader, and nobody else does; what else is to be known of the input comes with
/// each batch.
final class ReadAhead {
  /// What is known of the input when a batch is handed on.
  struct Progress {
    /// The columns.
    var schema: Schema

    /// What was noticed so far of headers and whole files.
    var notices: [InputNotice]

    /// What was found with the last batch.
    var findings: InputFindings

    /// The number of rows read so far.
    var rowCount: Int

    /// How many columns were seen before the last batch.
    var shownBefore: Int
  }

  /// How things stood when the last batch was handed on.
  private(set) var progress: Progress

  /// What was found before the last batch.
  private var tally: InputTally

  /// What there is to say of the input as far as it was needed.
  var notices: [InputNotice] { progress.notices + whole.notices }

  /// The empty lines that are no records, as far as they are counted.
  var emptyLineCount: Int { whole.emptyLineCount }

  /// What was found, the last batch included.
  private var whole: InputTally {
    var whole = tally
    whole.take(progress.findings)
    return whole
  }

  /// The columns known so far.
  var schema: Schema { progress.schema }

  /// The milliseconds that `next` waits for bytes; `nil` waits for as long as it takes.
  ///
  /// Not while a thread of its own reads.
  var timeout: Int? {
    get { reader?.timeout }
    set { reader?.timeout = newValue }
  }

  /// Whether batches are handed on as soon as reading more would wait.
  let isLive: Bool

  /// Whether the last `next` gave up waiting instead of coming to the end.
  var isPaused: Bool { reader?.isPaused ?? false }

  /// Whether the next batch, or the end, can be had without waiting for the thread.
  var isReady: Bool { queue?.access { !$0.deliveries.isEmpty } ?? false }

  /// The reader, while no thread of its own has it.
  private var reader: InputReader?
  private let tuning: Tuning
  private var queue: Monitor<Queue>?
  private var bytesRead = 0

  /// The first rows of batches before which more columns were seen than before the last such batch, and how many.
  private var shownBefore: [(row: Int, count: Int)]

  /// Whether the thread has handed on its last.
  private var isOver = false

  /// A batch, the end or damage, and how things stand with it.
  private struct Delivery {
    var batch: Result<Batch?, InputError>
    var progress: Progress

    /// Whether nothing comes after.
    var isLast: Bool {
      if case .success(.some) = batch { false } else { true }
    }

    /// Whether the batch is so large that no other is read before it is done with.
    var isLarge: Bool {
      if case .success(.some(let batch)) = batch { batch.isLarge } else { false }
    }
  }

  /// What was read and not yet asked for.
  private struct Queue {
    var deliveries: [Delivery] = []
    var isClosed = false

    /// The reader on its way to the thread, or back from it.
    var handover: Handover?
  }

  /// A reader that changes its owner.
  private struct Handover: @unchecked Sendable {
    // Why it may be shared: it is made of the only reference to a reader, lies in the queue, and is taken out of it by
    // one thread, which touches the reader alone until it puts it back.

    let reader: InputReader

    /// Takes a reader away from its owner; `nil` if somebody else holds it too.
    init?(taking owned: inout InputReader?) {
      guard isKnownUniquelyReferenced(&owned), let reader = owned.take() else { return nil }
      self.reader = reader
    }

    /// Reads the next batch.
    func read() -> Delivery {
      let batch: Result<Batch?, InputError>
      do throws(InputError) { batch = .success(try reader.next()) } catch { batch = .failure(error) }
      return Delivery(batch: batch, progress: reader.progress)
    }
  }

  /// The batches that may wait to be asked for.
  private static let depth = 8

  /// Reads on where `reader` stands; while somebody else holds it, it gets no thread of its own.
  init(_ reader: InputReader, _ tuning: Tuning) {
    self.reader = reader
    self.tuning = tuning
    isLive = reader.isLive
    progress = reader.progress
    tally = reader.tally
    shownBefore = [(0, reader.shownBefore)]
  }

  deinit { queue?.access { $0.isClosed = true } }

  /// The next batch of rows; `nil` at the end, and after the timeout.
  func next() throws(InputError) -> Batch? {
    if isOver { return nil }
    tally.take(progress.findings)
    let batch: Batch?
    if let queue { batch = try delivered(by: queue) } else { batch = try read() }
    noteColumns(before: batch)
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

  /// Reads no more, and lets go of what was read beyond the batch handed on last.
  func stop() {
    isOver = true
    queue?.access { $0.isClosed = true }
    reader = nil
  }

  /// Waits for the next batch that the thread has read.
  private func delivered(by queue: Monitor<Queue>) throws(InputError) -> Batch? {
    let delivery = queue.wait { $0.deliveries.isEmpty ? nil : $0.deliveries.removeFirst() }
    isOver = delivery.isLast
    progress = delivery.progress
    if delivery.isLarge {
      // Its thread has ended, and the reader is ours again.
      reader = queue.access { $0.handover.take() }?.reader
      self.queue = nil
    }
    return try delivery.batch.get()
  }

  /// Remembers how many columns were seen before a batch, if there were more than before the last.
  private func noteColumns(before batch: Batch?) {
    guard let batch, progress.shownBefore != shownBefore.last?.count else { return }
    shownBefore.append((batch.origin.row, progress.shownBefore))
  }

  /// Takes note of the columns that come before a row of the batch handed on last, from which on its rows are taken by
  /// themselves.
  func split(_ batch: Batch, at row: Int) {
    shownBefore.append((batch.rowNumber(ofRow: row), schema(through: row - 1, of: batch).readCount))
  }

  /// Knows nothing of what stands after a row of the batch handed on last: how much was read makes no difference.
  func endInput(after row: Int, of batch: Batch) {
    tally.take(progress.findings, through: row)
    progress.findings = InputFindings()
    progress.schema = schema(through: row, of: batch)
  }

  /// The columns without those that first come after a row: how much was read makes no difference.
  func schema(through row: Int, of batch: Batch) -> Schema {
    let number = batch.rowNumber(ofRow: row)
    let count = shownBefore.last { $0.row <= number }?.count ?? 0
    var schema = progress.schema
    if schema.readCount <= count { return schema }
    var seen: Set<Int> = []
    for row in 0...row {
      for note in batch.notes(ofRow: row) {
        let cell = batch.cells[note]
        if cell.kind != .missing, !batch.isAdded(cell) { seen.insert(batch.column(ofNote: note, row: row)) }
      }
    }
    schema.hide(from: count) { !seen.contains($0) }
    return schema
  }
}

extension ReadAhead {
  /// Gives the reader to a thread of its own, where there may be one.
  private func start() {
    guard tuning.threadCount > 1, let handover = Handover(taking: &reader) else { return }
    let queue = Monitor(Queue(handover: handover))
    if Worker.start({ Self.readOn(queue) }) {
      self.queue = queue
    } else {
      reader = handover.reader
    }
  }

  /// Reads with the reader in the queue until the end, until nobody wants more, or until a batch is large.
  private static func readOn(_ queue: Monitor<Queue>) {
    var handover = queue.access { $0.handover.take() }
    while let delivery = handover?.read() {
      let isWanted = queue.wait { (queue: inout Queue) -> Bool? in
        if queue.isClosed { return false }
        guard queue.deliveries.count < depth else { return nil }
        if delivery.isLarge { queue.handover = handover.take() }
        queue.deliveries.append(delivery)
        return true
      }
      if delivery.isLast || !isWanted { return }
    }
  }
}

extension InputReader {
  /// How things stand.
  fileprivate var progress: ReadAhead.Progress {
    ReadAhead.Progress(
      schema: schema, notices: notices, findings: findings, rowCount: rowCount, shownBefore: shownBefore)
  }
}
