/// The destination of painted bytes: a buffer that is written out when it has grown, and at the end.
struct Sink: ~Copyable {
  /// The buffer that painters write to.
  var buffer: ByteBuffer

  /// The number of the row that was painted last; 0 if none was.
  var lastRow = 0

  /// The number of last bytes that must not be in the file.
  var surplus = 0

  private let output: OutputFile

  /// Whether a file is replaced by one of another owner or group.
  var changesOwner: Bool { output.changesOwner }

  /// Whether the output is no longer seen: the user quit the pager.
  var pagerWasQuit: Bool { output.paged?.pagerWasQuit ?? false }

  /// The number of bytes that are written together.
  static let fullSize = 1 << 18

  /// Creates an empty buffer for `output`.
  init(_ output: OutputFile) {
    self.output = output
    buffer = ByteBuffer(capacity: Self.fullSize + (1 << 16), outlet: output)
  }

  /// Another buffer for the same destination; either may be written out while the other is empty.
  func another() -> Sink { Sink(output) }

  /// Whether the output is shown a screen at a time.
  var isPaged: Bool { output.paged != nil }

  /// Whether the file appears complete or not at all.
  var replacesFile: Bool { output.replaces }

  /// Records that the buffer contains the head of the table, which stays in view while rows are scrolled.
  func pinHead() {
    guard let paged = output.paged, paged.pinsHead else { return }
    paged.head.lines = buffer.span.lineEnds
  }

  /// Records how many display columns at the leading side stay in view while the others are scrolled.
  func pinColumns(_ count: Int) {
    guard let paged = output.paged, paged.pinsHead else { return }
    paged.head.columns = count
  }

  /// Writes the buffer out if it is full.
  mutating func flushIfFull() throws(Failure) {
    if buffer.count >= Self.fullSize { try flush() }
  }

  /// Writes bytes that were painted elsewhere.
  mutating func write(_ bytes: borrowing ByteBuffer) throws(Failure) {
    try flush()
    do { try output.write(bytes.span) } catch { throw .output(error) }
  }

  /// Writes the buffer out.
  mutating func flush() throws(Failure) {
    guard !buffer.isEmpty else { return }
    buffer.writePendingBlanks()
    if let damage = buffer.damage { throw .output(damage) }
    do { try output.write(buffer.span) } catch { throw .output(error) }
    buffer.removeAll()
  }

  /// Writes the rest and completes a file.
  mutating func finish() throws(Failure) {
    try flush()
    do {
      if surplus > 0 { try output.takeBack(surplus) }
      try output.commit()
    } catch {
      throw error.operation == .readAgain ? Failure(reading: error) : .output(error)
    }
  }
}
