import Testing

@testable import TablerEngine

/// Cutting 64 bytes at once against cutting mark by mark, with the machine's vector and with words.
@Suite struct DelimitedParserTests {
  /// What a parser made of a block.
  struct Cut: Equatable {
    var end: Int?
    var damage: DelimitedDamage?
    var cells: [Cell]
    var contents: [[UInt8]]
    var recordStarts: [UInt32]
    var escapes: [Escape]
    var findings: [Int]
    var isVerbatim: Bool
  }

  /// Pieces of csv, quotes and newlines among them more often than in any real file.
  static let pieces = [
    "\"", "\"\"", "\"\"\"", "\",\"", ",", "\n", "\r\n", "\r", "\"\n\"", "\"\r\n\"", "a", "bc", "é", "\t",
    "a long piece of text, in which a comma stands", "\"a, \"\"quoted\"\" text\nof two lines\",",
    "plain,cells,of,one,record\n", "\"1\",\"2\"\n",
    "0123456789012345678901234567890123456789012345678901234567890",
  ]

  @Test(arguments: [7, 8, 9], [true, false])
  func `R23 64 bytes at once are cut as mark by mark`(_ seed: UInt64, _ isClean: Bool) {
    var random = SplitMix(state: seed)
    let likely = isClean ? Array(Self.pieces[13...]) : Self.pieces
    for _ in 0..<4000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        text +=
          Int.random(in: 0..<30, using: &random) == 0
          ? Self.pieces.randomElement(using: &random)! : likely.randomElement(using: &random)!
      }
      let isLast = Bool.random(using: &random)
      let slow = cut(text, isLast: isLast, limit: .max - 1, MachineVector.self)
      let others = [
        cut(text, isLast: isLast, limit: .max, MachineVector.self),
        cut(text, isLast: isLast, limit: .max, WordVector.self),
        cut(text, isLast: isLast, limit: .max - 1, WordVector.self),
      ]
      #expect(others.allSatisfy { $0 == slow }, "\(text.debugDescription)")
      if others.contains(where: { $0 != slow }) { return }
    }
  }

  @Test(arguments: [1, 2, 3], [Int.max, .max - 1])
  func `as many lines end as there are records, if that is said`(_ seed: UInt64, _ limit: Int) throws {
    var random = SplitMix(state: seed)
    var knownCount = 0
    for _ in 0..<4000 {
      let count = Int.random(in: 1...20, using: &random)
      let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random)! }.joined()
      let block = ByteBlock(Array(text.utf8).span)
      var parser = DelimitedParser<MachineVector>(
        rules: Self.rules, fieldCount: nil, columnCount: 0, ragged: .error, mayGrow: false)
      guard let end = try? parser.parse(block, from: 0, isLast: false, limit: limit),
        let lineEnds = parser.lineEnds
      else { continue }
      let counted = block.span.extracting(..<end).lineEnds
      try #require(lineEnds == counted, "\(text.debugDescription)")
      if text.contains("\"") { knownCount += 1 }
    }
    #expect(knownCount > 100)
  }

  /// How csv is written.
  private static let rules = DelimitedRules(
    marks: StructuralMarks(delimiter: UInt8(ascii: ","), quote: UInt8(ascii: "\""), escape: nil),
    decodesLetters: false, isLazy: false, comment: nil, nullWords: [], quotedEmptyIsText: false,
    emptyLineIsRow: false)

  private func cut<Vector: ByteVector>(_ text: String, isLast: Bool, limit: Int, _: Vector.Type) -> Cut {
    let bytes = Array(text.utf8)
    let block = ByteBlock(bytes.span)
    var parser = DelimitedParser<Vector>(
      rules: Self.rules, fieldCount: 2, columnCount: 2, ragged: .fill, mayGrow: true)
    var end: Int?
    var damage: DelimitedDamage?
    do { end = try parser.parse(block, from: 0, isLast: isLast, limit: limit) } catch { damage = error }
    if damage != nil { _ = parser.forgetOpenRecord() }
    let cells = parser.cells.array
    let contents = cells.map { cell in
      if cell.isEscaped {
        let start = Int(parser.escapes[cell.offset].offset)
        return (start..<start + cell.length).map { parser.decoded.span[$0] }
      }
      return Array(bytes[cell.offset..<cell.offset + cell.length])
    }
    return Cut(
      end: end, damage: damage, cells: cells, contents: contents, recordStarts: parser.recordStarts,
      escapes: parser.escapes, findings: parser.findings.flatMap { [$0.offset, $0.row] },
      isVerbatim: parser.isVerbatim)
  }
}
