/// The keys of a call of `unique()`, each with the first row that has it.
///
/// Rows are identified by their position among those that the step has seen. So it makes no difference if a
/// row is evaluated again, as happens if a window ends within a batch.
final class UniqueKeys {
  private let arguments: [Node]
  private var keys = KeyTable()

  /// The position of the first row of each key.
  private var places: [Int] = []

  /// Starts before the first row.
  ///
  /// - Parameter arguments: the parts of a key.
  init(_ arguments: [Node]) { self.arguments = arguments }

  /// The size of the keys in bytes.
  var memory: Int { keys.memory + places.capacity * MemoryLayout<Int>.stride }

  /// Adds the rows to `firsts` that are the first with their key, or have a null in it.
  ///
  /// - Parameters:
  ///   - start: the position of the first of `rows` among all rows that the step has seen.
  ///   - offset: added to the number of a row.
  ///   - room: the maximum size of the keys, in bytes.
  /// - Returns: whether there was room for all of them.
  func find(
    _ rows: [UInt32], from start: Int, _ evaluator: inout Evaluator, into firsts: inout RowBits, offset: Int,
    room: Int
  ) -> Bool {
    var key = ByteBuffer()
    for (index, row) in rows.enumerated() {
      evaluator.row = Int(row)
      key.truncate(to: 0)
      let isKey = arguments.allSatisfy { evaluator.append(keyOf: $0, numbers: .none, to: &key) }
      guard isKey else {
        firsts.insert(offset + Int(row))
        continue
      }
      if key.count > room - keys.memory { return false }
      let (number, isNew) = keys.insert(key.span)
      if isNew { places.append(start + index) }
      if places[number] == start + index { firsts.insert(offset + Int(row)) }
    }
    return true
  }
}
