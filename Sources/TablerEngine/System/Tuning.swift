/// The portions in which work is done: no output depends on them.
struct Tuning: Sendable {
  /// The bytes read together, unless a record is longer.
  var blockSize = 1 << 18

  /// The cells of a batch, unless a record has more.
  var cellLimit = 1 << 18

  /// The bytes read before reading gets a thread of its own.
  var smallInput = 1 << 19

  /// The bytes of rows that are held although they could be read and cut again, if that takes long: a log that grows
  /// meanwhile cannot be read again.
  var heldInput = 1 << 30

  /// The bytes of rows of JSON from which on further ones are packed: packing costs more than it saves as long as what is
  /// held is in the caches of the processor.
  var unpackedInput = 1 << 23

  /// The maximum number of threads that may work at once; by default as many as the machine has processors.
  var threadLimit: Int?

  /// The rows that a thread paints or measures at a time.
  var pieceSize = 2048

  /// The bytes that the keys of groups and their aggregates may take with almost no budget.
  var groupRoom = 1 << 25

  /// The bytes that other tables may take with almost no budget.
  var sideRoom = 16 << 20

  /// The same without threads besides the first.
  var onOneThread: Tuning {
    var tuning = self
    tuning.threadLimit = 1
    return tuning
  }

  /// The number of rows that are taken together if each takes `rowSize` bytes: at most `bytes` together, but
  /// at least one row.
  static func pieceSize(_ rowSize: Int, bytes: Int = 1 << 21, atMost most: Int) -> Int {
    max(1, min(most, bytes / max(rowSize, 1)))
  }

  /// The number of threads that may work at once; the machine is only asked for large inputs.
  var threadCount: Int { threadLimit ?? Worker.processorCount }
}
