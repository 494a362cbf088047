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
