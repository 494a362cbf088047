import Testing

@testable import TablerEngine

/// R23: records of JSON that are held without their keys.
@Suite struct PackedRecordsTests {
  private static let text: String = {
    let long = [2_046, 2_047, 2_048, 65_536].map { String(repeating: "é", count: $0 / 2) + "x" }
    let values = [
      "1", "-2.50", "null", "true", "\"\"", "\"x\"", "\"漢 字\"", "\"a\\\"b\\u00e9\"", "[1,{\"y\":2}]", "{}",
    ]
    let rows = (values + long.map { "\"\($0)\"" }).map { "{\"a\":\($0),\"b\":\"\($0.utf8.count)\"}\n" }
    return rows.joined() + "{\"b\":\"no a\"}\n"
  }()

  /// A batch whose records are one line each, as a piece of JSON lines knows.
  private static func batch(_ text: String) throws -> Batch {
    var batch = try #require(try SampleTable.jsonl(text).rows.batches.first)
    var parts = Batch.Parts(taking: &batch)
    parts.origin.areLines = true
    return Batch(parts)
  }

  @Test func `cells are the same after they were packed`() throws {
    let batch = try Self.batch(Self.text)
    var slab: BlockSlab?
    let packed = try #require(PackedRecords(batch, in: &slab))
    let again = try #require(packed.cutter.cut(packed.block, 0..<packed.block.count, origin: batch.origin))
    #expect(again.rowCount == batch.rowCount && again.columnCount == batch.columnCount)
    for row in 0..<batch.rowCount {
      #expect(again.line(ofRow: row) == batch.line(ofRow: row))
      for column in 0..<batch.columnCount {
        let (old, new) = (batch.cell(row: row, column: column), again.cell(row: row, column: column))
        #expect(batch.text(old) == again.text(new) && old.kind == new.kind && old.isQuoted == new.isQuoted)
        #expect(!new.isEscaped && old.isSimple == new.isSimple)
        #expect(old.kind != .missing || new == .missing)
      }
    }
    #expect(packed.block.count < batch.memory)
  }

  @Test(arguments: ["{\"a\":1}\n{\"a\":\"x\\ny\"}\n", "{\"a\":1}\n{\"a\":2}"])
  func `records that would not be one line each are not packed`(_ text: String) throws {
    var slab: BlockSlab?
    let isPacked = PackedRecords(try Self.batch(text), in: &slab) != nil
    #expect(!isPacked)
  }

  /// A temporary file may be damaged.
  @Test func `other bytes are no records, or other ones`() throws {
    let batch = try Self.batch(Self.text)
    var slab: BlockSlab?
    let packed = try #require(PackedRecords(batch, in: &slab))
    let (cutter, count) = (packed.cutter, packed.block.count)
    var random = SplitMix(state: 7)
    for _ in 0..<2_000 {
      var bytes = Array(copying: packed.block.span)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[count - 1 - Int.random(in: 0..<64, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let block = ByteBlock(bytes.span)
      guard let other = cutter.cut(block, 0..<count, origin: batch.origin) else { continue }
      #expect(other.rowCount == batch.rowCount)
      for cell in other.cells { #expect(cell.offset + cell.length <= count) }
    }
    let short = ByteBlock(packed.block.span.extracting(..<(count - 1)))
    #expect(cutter.cut(short, 0..<count - 1, origin: batch.origin) == nil)
  }
}
