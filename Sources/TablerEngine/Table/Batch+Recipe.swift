/// What cuts the records of an input, and can do so again.
protocol BatchCutter: Sendable {
  /// The cells that a record has, or more.
  var columnCount: Int { get }

  /// Whether each record means the same wherever it stands, so that they can be packed in any order.
  var isOrderFree: Bool { get }

  /// Cuts the records of a block from `start` on; `nil` where it holds damage or no record.
  ///
  /// - Parameter isLast: whether the input ends with the block.
  func cut(_ block: ByteBlock, from start: Int, isLast: Bool, origin: Batch.Origin) -> Batch?
}

extension Batch {
  /// How a batch is made again of its bytes.
  struct Recipe: Sendable {
    /// What cuts its records.
    var cutter: any BatchCutter

    /// The bytes of the block that the batch was cut from.
    var range: Range<Int>

    /// Whether the input ends with the block.
    var isLast: Bool

    /// Where the block begins in the input, if that can be read again.
    var place: StoredPlace?
  }
}
