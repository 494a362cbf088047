/// Where a row that was copied into another batch stood in the input; 16 bytes.
public struct RowPlace: Equatable, Sendable, BitwiseCopyable {
  private var sourceAndLine: UInt64

  /// The number of the row among all input rows, counted from 1.
  public var number: Int

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - source: the input, as an index into the plan's sources; below 2^24.
  ///   - line: the line that the record begins on, counted from 1; below 2^40.
  ///   - number: the number of the row among all input rows, counted from 1.
  @inline(__always)
  init(source: Int, line: Int, number: Int) {
    sourceAndLine = UInt64(truncatingIfNeeded: source) &<< 40 | UInt64(truncatingIfNeeded: line) & Self.lines
    self.number = number
  }

  /// Where a row of a batch stood.
  init(_ row: Int, of batch: Batch) {
    self.init(
      source: batch.source(ofRow: row), line: batch.line(ofRow: row), number: batch.rowNumber(ofRow: row))
  }

  /// The input, as an index into the plan's sources.
  public var source: Int { Int(truncatingIfNeeded: sourceAndLine &>> 40) }

  /// The line that the record begins on, counted from 1.
  public var line: Int { Int(truncatingIfNeeded: sourceAndLine & Self.lines) }

  private static var lines: UInt64 { 1 &<< 40 &- 1 }
}
