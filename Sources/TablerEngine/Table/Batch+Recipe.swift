/// What cuts the records of an input, and can do so again.
protocol BatchCutter: Sendable {
  /// The cells that a record has, or more.
  var columnCount: Int { get }

  /// Whether each record means the same wherever it stands, so that they can be packed in any order.
  var isOrderFree: Bool { get }

  /// Cuts the records that lie in a range of a block, the last of which ends with it; `nil` where it holds damage or
  /// no record.
  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch?
}

extension Batch {
  /// How a batch is made again of its bytes.
  struct Recipe: Sendable {
    /// What cuts its records.
    var cutter: any BatchCutter

    /// The bytes of the block that the batch was cut from.
    var range: Range<Int>

    /// Where the block begins in the input, if that can be read again.
    var place: StoredPlace?
  }
}
