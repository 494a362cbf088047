import Foundation
import Testing

@testable import TablerEngine

@Suite struct SpillFileTests {
  /// A folder that is gone after the test.
  struct Folder: ~Copyable {
    let path = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)").path

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test("R33 what is appended is read back, from a file that no folder lists", arguments: [true, false])
  func roundTrip(isNameless: Bool) throws {
    let folder = try Folder()
    let file = try SpillFile(in: FilePath(folder.path), isNameless: isNameless)
    try file.append(Array("first,".utf8).span)
    try file.append(Array("second".utf8).span)
    #expect(file.count == 12)
    for (range, text) in [(6..<12, "second"), (0..<5, "first"), (7..<7, "")] {
      let block = try file.read(range)
      #expect(String(decoding: block.span) == text)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("A folder that takes no file is named")
  func noFolder() throws {
    #expect(throws: SystemError(.writeTemporary, path: "/nowhere/at/all", code: ENOENT)) {
      try SpillFile(in: "/nowhere/at/all")
    }
  }

  @Test("What was never written is an error, not a trap")
  func short() throws {
    let file = try SpillFile()
    try file.append(Array("abc".utf8).span)
    #expect(throws: file.damage) { try file.read(0..<4) }
  }

  @Test("Batches are the same after a round trip through bytes", arguments: RandomInput.Kind.allCases)
  func coding(kind: RandomInput.Kind) throws {
    for seed in 0..<4 as Range<UInt64> {
      var input = RandomInput(seed: seed)
      let table = try input.table(kind, rows: 20)
      for rows in [table.rows, table.rows.copied()] {
        var buffer = ByteBuffer()
        for batch in rows.batches { batch.encode(into: &buffer) }
        var cursor = RawCursor(ByteBlock(buffer.span))
        var decoded = rows
        for index in rows.batches.indices { decoded.batches[index] = try Batch(from: &cursor) }
        #expect(cursor.offset == buffer.count)
        #expect(try table.with(decoded).everyPainting() == table.with(rows).everyPainting())
        #expect(decoded.places == rows.places)
      }
    }
  }

  @Test("Bytes that end too early make no batch")
  func shortBatch() throws {
    var input = RandomInput(seed: 1)
    let batch = try input.table(.jsonLines, rows: 5).rows.copied().batches[0]
    var buffer = ByteBuffer()
    batch.encode(into: &buffer)
    for count in 0..<buffer.count {
      var cursor = RawCursor(ByteBlock(buffer.span.extracting(..<count)))
      #expect(throws: RawCursor.ShortBlock.self) { _ = try Batch(from: &cursor) }
    }
  }
}
