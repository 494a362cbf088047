/// Paints rows in order: on any thread of a crew that has time, once they have proved not to be few.
///
/// Only one thread paints at a time, into a buffer that all of them share, and writes that out; a few parts of 2048 rows or
/// fewer wait for it. While rows wait or are being painted, nothing else uses the painter; `settle` waits until none are.
final class BackgroundPainter<P: Painter & ~Copyable> {
  private let brush: Brush<P>
  private let crew: Crew
  private let tuning: Tuning

  /// Whether rows depend on earlier ones only through the painter, and other threads may paint them.
  private let mayShare: Bool

  /// What is to be painted, once rows have proved not to be few.
  private var queue: Monitor<PaintQueue>?

  /// The bytes of the rows that were painted on this thread, estimated generously.
  private var paintedHere = 0

  /// Takes over a painter.
  ///
  /// - Parameters:
  ///   - mayShare: whether other threads may paint: only rows are painted, and nobody scrolls through them meanwhile.
  ///   - countsRows: whether the progress of the run is that of painting.
  init(
    _ painter: consuming P, _ crew: Crew, _ tuning: Tuning, mayShare: Bool, countsRows: Bool
  ) {
    brush = Brush(painter, countsRows: countsRows)
    self.crew = crew
    self.tuning = tuning
    self.mayShare = mayShare && tuning.threadCount > 1
  }

  /// Ends painting, and frees the buffer.
  ///
  /// The buffer owns the output, too, and a file that is not committed is removed by its last owner. A thread may still hold
  /// the brush.
  deinit {
    guard let queue else { return }
    queue.access { $0.end(nil) }
    crew.waitUntilIdle(queue)
    brush.dropSink()
  }

  /// The painter, which may be used after `settle` until the next rows are painted.
  var painter: P {
    _read { yield brush.painter }
    _modify { yield &brush.painter }
  }

  /// Waits until all rows are painted and written; throws what has kept them from being written.
  func settle() throws(Failure) {
    guard let queue else { return }
    crew.waitUntilIdle(queue)
    if let failure = queue.access({ $0.failure }) { throw failure }
  }

  /// Paints a part of a table, or has it painted.
  ///
  /// - Parameter sink: the buffer of this thread, which is written out before another thread writes.
  func paint(_ part: SectionPart, into sink: inout Sink) throws(Failure) {
    guard case .rows(let rows, let range) = part else {
      try settle()
      brush.painter.paint(part, into: &sink.buffer)
      return try sink.flushIfFull()
    }
    if range.isEmpty { return }
    defer { sink.lastRow = rows.number(at: range.upperBound - 1) }
    let weight = rows.weight(of: range)
    guard mayShare, paintedHere > tuning.smallInput, !rows.batches.contains(where: \.isLarge) else {
      try settle()
      paintedHere += weight * range.count
      return try brush.paint(rows, range, into: &sink)
    }
    // The head, the first rows and those of large batches were painted here.
    try sink.flush()
    let size = Tuning.pieceSize(weight, atMost: tuning.pieceSize)
    for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
      let end = min(start + size, range.upperBound)
      try share(PaintQueue.Stretch(rows: rows, range: start..<end), sink)
    }
  }

  /// Has rows painted once few enough others wait: here if no other thread has time for it.
  private func share(_ stretch: PaintQueue.Stretch, _ sink: borrowing Sink) throws(Failure) {
    let queue = self.queue ?? Monitor(PaintQueue())
    self.queue = queue
    let needsJob = try crew.wait { queue.access { $0.add(stretch) } }.get()
    guard needsJob else { return }
    brush.prepare(sink)
    let job: @Sendable () -> Void = { [brush, queue, crew] in brush.paintNext(of: queue, crew) }
    guard crew.offer(job) == nil else { return }
    job()
    try settle()
  }
}

/// A painter, and the buffer of the threads that share it.
private final class Brush<P: Painter & ~Copyable>: @unchecked Sendable {
  // Why it may be shared: a job of a crew uses it while `PaintQueue.isIdle` is false, and its owner otherwise.

  var painter: P

  /// The buffer of the jobs, once there is one.
  private var sink: Sink?

  /// Whether rows are counted as they are painted.
  private let countsRows: Bool

  init(_ painter: consuming P, countsRows: Bool) {
    self.painter = painter
    self.countsRows = countsRows
  }

  /// Makes a buffer for jobs, unless there is one.
  func prepare(_ other: borrowing Sink) { if sink == nil { sink = other.another() } }

  /// Frees the buffer.
  func dropSink() { sink = nil }

  /// Paints the next rows of a queue; the rest is another job, so that the thread can go on with its own work.
  func paintNext(of queue: Monitor<PaintQueue>, _ crew: Crew) {
    if let next = queue.access({ $0.begin() }) {
      crew.notify()
      paint(next, of: queue)
    }
    if queue.access({ $0.finish() }) {
      _ = crew.add({ [self, queue, crew] in paintNext(of: queue, crew) }, isNext: true)
    }
  }

  /// Paints rows into the buffer of the jobs.
  private func paint(_ stretch: PaintQueue.Stretch, of queue: Monitor<PaintQueue>) {
    guard var sink = sink.take() else { return }
    do throws(Failure) {
      try paint(stretch.rows, stretch.range, into: &sink)
      // Nothing is kept back while the pipeline may wait for more.
      if queue.access({ $0.waiting.isEmpty }) { try sink.flush() }
    } catch {
      queue.access { $0.end(error) }
    }
    self.sink = consume sink
  }

  /// Paints rows, and writes out what is painted whenever the buffer is full.
  func paint(_ rows: Rows, _ range: Range<Int>, into sink: inout Sink) throws(Failure) {
    let weight = rows.weight(of: range) + painter.rowSize
    let piece = Tuning.pieceSize(weight, bytes: Sink.fullSize * 4, atMost: 256)
    for start in stride(from: range.lowerBound, to: range.upperBound, by: piece) {
      let end = min(start + piece, range.upperBound)
      painter.paint(rows, start..<end, into: &sink.buffer)
      try sink.flushIfFull()
      if countsRows { Progress.advance(rows: end - start) }
    }
  }
}

/// What the jobs of `BackgroundPainter` have to do.
private struct PaintQueue: Sendable {
  /// Rows that are painted together.
  struct Stretch: Sendable {
    let rows: Rows
    let range: Range<Int>
  }

  private(set) var waiting: [Stretch] = []

  /// Whether there is a job that paints, or will.
  private var hasJob = false

  /// Why nothing more is written.
  private(set) var failure: Failure?

  var isIdle: Bool { !hasJob }

  /// The stretches that may wait.
  private static let depth = 4

  /// Adds rows, as soon as few enough wait.
  ///
  /// - Returns: whether a job is needed, or the failure if nothing more is written; `nil` if too many wait.
  mutating func add(_ stretch: Stretch) -> Result<Bool, Failure>? {
    if let failure { return .failure(failure) }
    guard waiting.count < Self.depth else { return nil }
    waiting.append(stretch)
    defer { hasJob = true }
    return .success(!hasJob)
  }

  /// The next rows, for the job; `nil` if nothing more is written.
  mutating func begin() -> Stretch? { waiting.isEmpty ? nil : waiting.removeFirst() }

  /// Ends the job; returns whether another is needed.
  mutating func finish() -> Bool {
    hasJob = !waiting.isEmpty
    return hasJob
  }

  /// Ends painting, if only because nothing more can be written.
  mutating func end(_ failure: Failure?) {
    self.failure = self.failure ?? failure
    waiting = []
  }
}

extension Crew {
  /// Waits until no rows wait or are being painted.
  fileprivate func waitUntilIdle(_ queue: Monitor<PaintQueue>) {
    wait { queue.access { $0.isIdle ? () : nil } }
  }
}

extension Rows {
  /// As `rowWeight`, of the batches that contain a range of rows.
  fileprivate func weight(of range: Range<Int>) -> Int {
    range.count == count ? rowWeight : rowWeight(of: range)
  }
}
