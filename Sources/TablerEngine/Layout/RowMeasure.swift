/// What is found by measuring rows piece by piece, in any order.
protocol RowMeasure: Sendable {
  /// Measures some of the rows.
  ///
  /// - Parameter number: the number of the first of them among the rows shown, from 1.
  mutating func measure(_ rows: Rows, _ range: Range<Int>, firstNumber number: Int)

  /// Takes over what another one has found in other rows.
  mutating func merge(_ other: Self)
}

extension RowMeasure {
  /// Measures all rows, on several threads if there are many.
  mutating func measure(_ rows: any RowStore, _ tuning: Tuning) throws(SystemError) {
    if let rows = rows.inMemory { return measure(rows, tuning) }
    let pieces = try rows.pieces(of: .max, rowSize: 0)
    let next = Monitor(0)
    let parts = Monitor([Result<Self, SystemError>]())
    let fresh = self
    Worker.concurrently(min(tuning.threadCount, rows.count / tuning.pieceSize + 1)) { _ in
      var part = fresh
      var result: Result<Self, SystemError>
      do throws(SystemError) {
        while let piece = try pieces(
          next.access { (number: inout Int) -> Int in
            number += 1
            return number - 1
          })
        {
          part.measure(piece.rows, piece.range, firstNumber: piece.start + 1)
        }
        result = .success(part)
      } catch { result = .failure(error) }
      parts.access { $0.append(result) }
    }
    for part in parts.access({ $0 }) { merge(try part.get()) }
  }

  private mutating func measure(_ rows: Rows, _ tuning: Tuning) {
    let count = min(tuning.threadCount, rows.count / tuning.pieceSize)
    guard count > 1 else { return measure(rows, 0..<rows.count, firstNumber: 1) }
    let fresh = self
    let parts = Worker.map(rows.count, onThreads: count) { range in
      var part = fresh
      part.measure(rows, range, firstNumber: range.lowerBound + 1)
      return part
    }
    for part in parts { merge(part) }
  }
}

/// Measures rows as they come: on several threads, once they have proved not to be few.
struct MeasuringCrew<Measure: RowMeasure> {
  /// A measure of nothing.
  private let fresh: Measure
  private let tuning: Tuning

  /// The measures of rows that nobody is adding to.
  private let parts: Monitor<[Measure]>

  /// The threads that measure them.
  private let crew: Crew

  /// The jobs that these were given.
  private var tickets: [Crew.Ticket] = []

  /// The bytes of the rows that were measured without them, estimated generously.
  private var measuredHere = 0

  /// Begins with a measure of nothing.
  init(_ measure: Measure, _ crew: Crew, _ tuning: Tuning) {
    fresh = measure
    self.crew = crew
    parts = Monitor([])
    self.tuning = tuning
  }

  /// Measures rows, or has them measured.
  ///
  /// - Parameter number: the number of the first of them among the rows shown, from 1.
  mutating func measure(_ rows: Rows, firstNumber number: Int) {
    let job: @Sendable () -> Void = { [fresh, parts] in
      var part = parts.access { $0.popLast() } ?? fresh
      part.measure(rows, 0..<rows.count, firstNumber: number)
      parts.access { $0.append(part) }
    }
    if rows.batches.contains(where: \.isLarge) {
      // The memory of its rows is needed for the next ones.
      wait(forAllBut: 0)
      return job()
    }
    if measuredHere <= tuning.smallInput || tuning.threadCount == 1 {
      measuredHere += rows.rowWeight * rows.count
      return job()
    }
    wait(forAllBut: crew.threadCount)
    tickets.append(crew.add(job))
  }

  /// Waits until at most so many jobs are left, and does some meanwhile.
  private mutating func wait(forAllBut count: Int) {
    while tickets.count > count { crew.finish(tickets.removeFirst()) }
  }

  /// What was found in all rows.
  mutating func finish() -> Measure {
    wait(forAllBut: 0)
    var whole = fresh
    for part in parts.access({ $0 }) { whole.merge(part) }
    return whole
  }
}
