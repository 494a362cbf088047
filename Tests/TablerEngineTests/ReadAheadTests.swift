import Testing

@testable import TablerEngine

/// The thread that reads ahead has the reader alone.
@Suite struct ReadAheadTests {
  private static let rowCount = 4000

  /// A table of many batches, read by a thread of its own after the first of them.
  private func reader(longRecord: Bool = false) throws -> InputReader {
    var bytes = Array("a,b\n".utf8)
    for row in 0..<Self.rowCount {
      let text = longRecord && row == 2000 ? String(repeating: "x", count: 1 << 23) : "text"
      bytes += Array("\(row),\(text)\n".utf8)
    }
    let source = ByteSource(bytes: bytes)
    let reader = InputReader([.standardInput], options: InputOptions(), mayGrow: false, Self.tuning) { _ in
      source
    }
    try reader.open()
    return reader
  }

  private static let tuning: Tuning = {
    var tuning = Tuning()
    tuning.blockSize = 1 << 10
    tuning.smallInput = 1 << 12
    tuning.threadLimit = 2
    return tuning
  }()

  private func rows(_ reading: ReadAhead) throws -> [String] {
    var texts: [String] = []
    while let batch = try reading.next() {
      for row in 0..<batch.rowCount { texts.append(batch.text(batch.cell(row: row, column: 0))) }
    }
    return texts
  }

  @Test(arguments: [false, true]) func `batches come in their order`(longRecord: Bool) throws {
    let reading = ReadAhead(try reader(longRecord: longRecord), Self.tuning)
    let texts = try rows(reading)
    #expect(texts == (0..<Self.rowCount).map(String.init))
    #expect(reading.progress.rowCount == Self.rowCount)
  }

  @Test func `a reader is out of reach while the thread has it`() throws {
    let reading = ReadAhead(try reader(), Self.tuning)
    reading.timeout = 5
    for _ in 0..<20 { _ = try reading.next() }
    // It was handed over: there is none whose timeout could be set.
    #expect(reading.timeout == nil)
    reading.timeout = 5
    #expect(reading.timeout == nil)
  }

  @Test func `a reader that somebody else holds stays where it is`() throws {
    let reader = try reader()
    let reading = ReadAhead(reader, Self.tuning)
    reading.timeout = 5
    for _ in 0..<20 { _ = try reading.next() }
    #expect(reading.timeout == 5)
    #expect(try rows(reading).last == "\(Self.rowCount - 1)")
    withExtendedLifetime(reader) {}
  }
}
