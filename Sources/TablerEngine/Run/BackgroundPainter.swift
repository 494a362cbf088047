/// Paints rows in order: on a thread of its own, once they have proved not to be few.
///
/// That thread paints into a buffer of its own and writes it out; a few parts of 2048 rows or fewer wait for it. While rows
/// wait or are being painted it uses the painter exclusively; `settle` waits until none are.
final class BackgroundPainter<P: Painter & ~Copyable> {
  private let brush: Brush<P>
  private let tuning: Tuning

  /// Whether rows depend on earlier ones only through the painter, and a thread may be started.
  private var mayStart: Bool

  /// What the thread has to do, once there is one.
  private var queue: Monitor<PaintQueue>?

  /// The bytes of the rows that were painted on this thread, estimated generously.
  private var paintedHere = 0

  /// Takes over a painter.
  ///
  /// - Parameters:
  ///   - mayStart: whether a thread may be started: only rows are painted, and nobody scrolls through them meanwhile.
  ///   - countsRows: whether the progress of the run is that of painting.
  init(_ painter: consuming P, _ tuning: Tuning, mayStart: Bool, countsRows: Bool) {
    brush = Brush(painter, countsRows: countsRows)
    self.tuning = tuning
    self.mayStart = mayStart && tuning.threadCount > 1
  }

  /// Ends the thread.
  ///
  /// It owns the output, too, and a file that is not committed is removed by its last owner.
  deinit {
    guard let queue else { return }
    queue.access { $0.isClosed = true }
    queue.wait { $0.hasEnded ? () : nil }
  }

  /// The painter, which may be used after `settle` until the next rows are painted.
  var painter: P {
    _read { yield brush.painter }
    _modify { yield &brush.painter }
  }

  /// Waits until all rows are painted and written; throws what has kept the thread from writing them.
  func settle() throws(Failure) {
    guard let queue else { return }
    if let failure = queue.wait(for: { $0.isIdle ? .some($0.failure) : nil }) { throw failure }
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
    guard mayStart, !rows.batches.contains(where: \.isLarge), let queue = try startedQueue(&sink) else {
      try settle()
      paintedHere += weight * range.count
      return try brush.paint(rows, range, into: &sink)
    }
    // Rows of a large batch were painted here.
    try sink.flush()
    let size = Tuning.pieceSize(weight, atMost: tuning.pieceSize)
    for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
      let stretch = PaintQueue.Stretch(rows: rows, range: start..<min(start + size, range.upperBound))
      try queue.wait { $0.add(stretch) }.get()
    }
  }

  /// What the thread has to do, if there is one; it is started if enough rows were painted without it.
  private func startedQueue(_ sink: inout Sink) throws(Failure) -> Monitor<PaintQueue>? {
    if queue != nil || paintedHere <= tuning.smallInput { return queue }
    try sink.flush()
    brush.sink = sink.another()
    let queue = Monitor(PaintQueue())
    mayStart = Worker.start { [brush] in brush.paint(from: queue) }
    if mayStart { self.queue = queue }
    return self.queue
  }
}

/// A painter, and the buffer of the thread that has it.
private final class Brush<P: Painter & ~Copyable>: @unchecked Sendable {
  // Why it may be shared: a thread uses it while `PaintQueue.isIdle` is false, and its owner otherwise.

  var painter: P

  /// The buffer, until the thread has taken it.
  var sink: Sink?

  /// Whether rows are counted as they are painted.
  private let countsRows: Bool

  init(_ painter: consuming P, countsRows: Bool) {
    self.painter = painter
    self.countsRows = countsRows
  }

  /// Paints what waits in a queue, until it is closed.
  func paint(from queue: Monitor<PaintQueue>) {
    if let sink = sink.take() { paint(from: queue, into: sink) }
    queue.access { $0.hasEnded = true }
  }

  /// The same; the buffer is freed before this returns.
  private func paint(from queue: Monitor<PaintQueue>, into sink: consuming Sink) {
    while let next = queue.wait(for: { $0.next() }) {
      do throws(Failure) {
        try paint(next.rows, next.range, into: &sink)
        // Nothing is kept back while the pipeline may wait for more.
        if queue.access({ $0.waiting.isEmpty }) { try sink.flush() }
        queue.access { $0.isPainting = false }
      } catch {
        queue.access { $0.end(error) }
      }
    }
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

/// What the thread of `BackgroundPainter` has to do.
private struct PaintQueue: Sendable {
  /// Rows that are painted together.
  struct Stretch: Sendable {
    let rows: Rows
    let range: Range<Int>
  }

  var waiting: [Stretch] = []
  var isPainting = false
  var isClosed = false

  /// Whether the thread has ended, and given up its buffer.
  var hasEnded = false

  /// Why nothing more is written.
  private(set) var failure: Failure?

  var isIdle: Bool { waiting.isEmpty && !isPainting }

  /// The stretches that may wait.
  private static let depth = 4

  /// Adds rows, as soon as few enough wait; the failure if nothing more is written.
  mutating func add(_ stretch: Stretch) -> Result<Void, Failure>? {
    if let failure { return .failure(failure) }
    guard waiting.count < Self.depth else { return nil }
    waiting.append(stretch)
    return .success(())
  }

  /// The next rows, as soon as there are some; `nil` inside if none will come.
  mutating func next() -> Stretch?? {
    guard !waiting.isEmpty else { return isClosed ? .some(nil) : nil }
    isPainting = true
    return waiting.removeFirst()
  }

  /// Ends painting, because nothing more can be written.
  mutating func end(_ failure: Failure) {
    self.failure = failure
    waiting = []
    isPainting = false
  }
}

extension Rows {
  /// As `rowWeight`, of the batches that contain a range of rows.
  fileprivate func weight(of range: Range<Int>) -> Int {
    range.count == count ? rowWeight : rowWeight(of: range)
  }
}
