/// What looks at all rows before the first is painted.
///
/// Rows are measured piece by piece, in any order; measurements of the same columns merge.
protocol Measuring: Sendable {
  /// Measures some of the rows.
  ///
  /// - Parameter number: the number of the first of them among the rows shown, from 1.
  mutating func measure(_ rows: Rows, _ range: Range<Int>, firstNumber number: Int)

  /// Takes over what is larger in `other`.
  mutating func merge(_ other: Self)
}

extension Measuring {
  /// Measures all rows, on several threads where there are many.
  mutating func measure(_ rows: Rows, _ tuning: Tuning) {
    let count = min(tuning.threadCount, rows.count / tuning.pieceSize)
    guard count > 1 else { return measure(rows, 0..<rows.count, firstNumber: 1) }
    let parts = Monitor([Self]())
    let fresh = self
    Worker.concurrently(count) { part in
      let range = rows.count * part / count..<rows.count * (part + 1) / count
      var measurement = fresh
      measurement.measure(rows, range, firstNumber: range.lowerBound + 1)
      parts.access { $0.append(measurement) }
    }
    for part in parts.access({ $0 }) { merge(part) }
  }

  /// Measures rows that are kept, on several threads where there are many pieces of them.
  mutating func measure(_ kept: any RowStore, _ tuning: Tuning) throws(SystemError) {
    let count = min(tuning.threadCount, kept.pieceCount)
    let parts = Monitor([Result<Self, SystemError>]())
    let fresh = self
    Worker.concurrently(count) { part in
      var measurement = fresh
      var damage: SystemError?
      for piece in kept.pieceCount * part / count..<kept.pieceCount * (part + 1) / count where damage == nil {
        do throws(SystemError) {
          let rows = try kept.rows(ofPiece: piece)
          measurement.measure(rows, 0..<rows.count, firstNumber: kept.start(ofPiece: piece) + 1)
        } catch { damage = error }
      }
      parts.access { $0.append(damage.map { .failure($0) } ?? .success(measurement)) }
    }
    for part in parts.access({ $0 }) { merge(try part.get()) }
  }
}
