/// A batch without the notes on its cells: its bytes, or where to read them, and how to cut them again.
///
/// Cutting again costs less than fresh pages for the notes of all rows would.
struct FoldedBatch: Sendable {
  private enum Bytes {
    case held(ByteBlock)
    case stored(StoredPlace)
  }

  /// The number of records.
  let rowCount: Int

  private let cutting: Batch.Cutting
  private var origin: Batch.Origin
  private var bytes: Bytes

  /// Folds a batch, if it knows how it is made again.
  init?(_ batch: Batch) {
    guard let cutting = batch.cutting else { return nil }
    self.cutting = cutting
    rowCount = batch.rowCount
    origin = batch.origin
    bytes = .held(batch.block)
    if let place = cutting.place { leave(batch.block, at: place.advanced(by: cutting.range.lowerBound)) }
  }

  /// The bytes that are held in memory.
  var memory: Int {
    if case .held(let block) = bytes { block.capacity } else { 0 }
  }

  /// Appends the bytes to a file, and no longer holds them in memory.
  ///
  /// - Throws: what the system says of a file that cannot be written.
  mutating func store(in file: SpillFile) throws(SystemError) {
    guard case .held(let block) = bytes else { return }
    let place = StoredPlace(store: file, offset: file.count)
    try file.append(block.span.extracting(cutting.range))
    leave(block, at: place)
  }

  /// The batch, with the same rows and cells as before.
  ///
  /// - Throws: what the system says of the file, `readAgain` where it does not hold the same records.
  func unfolded() throws(SystemError) -> Batch {
    switch bytes {
    case .held(let block):
      guard let batch = cut(block, cutting.range) else { break }
      return batch
    case .stored(let place):
      let block = try place.store.read(place.offset..<place.offset + cutting.range.count)
      guard let batch = cut(block, 0..<block.count) else { break }
      return batch
    }
    throw SystemError(.readAgain, path: cutting.place?.store.path, code: 0)
  }
}

extension FoldedBatch {
  /// Holds on to the place of the records instead of their block.
  private mutating func leave(_ block: ByteBlock, at place: StoredPlace) {
    origin.line += block.span.extracting(..<cutting.range.lowerBound).lineEnds
    bytes = .stored(place)
  }

  /// Cuts the records again; `nil` where they have changed.
  private func cut(_ block: ByteBlock, _ range: Range<Int>) -> Batch? {
    let batch = cutting.cutter.cut(block, range, origin: origin)
    return batch?.rowCount == rowCount ? batch : nil
  }
}
