/// In what portions the work is done: nothing of what comes out depends on it.
struct Tuning: Sendable {
  /// The bytes read together, unless a record is longer.
  var blockSize = 1 << 18

  /// The bytes read before reading gets a thread of its own.
  var smallInput = 1 << 19

  /// The threads that may work at once.
  var threadCount = Worker.processorCount

  /// The rows that a thread paints or measures at a time.
  var pieceSize = 2048

  /// The same without threads beside the first.
  var onOneThread: Tuning {
    var tuning = self
    tuning.threadCount = 1
    return tuning
  }
}
