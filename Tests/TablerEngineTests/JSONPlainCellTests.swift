import Testing

@testable import TablerEngine

/// R39: values of JSON that are noted without a walk over their bytes.
@Suite struct JSONPlainCellTests {
  private static let values = [
    "0", "-0", "00", "-01", "7", "-7", "1234567", "12345678", "123456789012345", "1234567890123456", "1.5",
    "-1.5", "0.5",
    "1.", ".5", "-", "--1", "-.5", "1.2.3", "1e5", "1E5", "1.5e3", "0e0", "0.0", "123.4567",
    "12345678.12345678", "1-2",
    "+1", "/", ":", "true", "truE", "tru", "false", "falsy", "fals", "null", "nul", "nil", "NaN", "{}", "[]",
    "a", "f",
    "\"\"", "\"a\"", "\"a", "\"é\"", "\"a\\n\"", "\"a\tb\"", "\"a\u{7F}\"", "\"\u{0}\"",
    "\"fifteen letters\"",
    "\"sixteen letters.\"", "\"more than sixteen letters\"", "\"more than sixteen letters, é\"", "",
  ]

  @Test(arguments: ByteVectorTests.Kind.allCases)
  func `a plain value is noted as one that is walked over`(kind: ByteVectorTests.Kind) throws {
    try check(kind.type)
  }

  private func check<Vector: ByteVector>(_: Vector.Type) throws {
    var noted: Set<String> = []
    for value in Self.values {
      for next in [",", "}", " ", "\n", "e5", ".5", "0", "x", "\"", "\u{0}"] {
        for room in 0..<20 {
          let text = Array((value + next + String(repeating: "9", count: room)).utf8)
          guard let (cell, end) = JSONScanner.plainCell(text.span, at: 0, Vector.self) else { continue }
          var scanner = JSONScanner(at: 0)
          let whole = try scanner.value(text.span)
          #expect(end == scanner.offset && !whole.isEscaped && whole.isPlain, "\(value)\(next)")
          let expected = Cell(
            offset: whole.start, length: whole.end - whole.start, kind: whole.kind, isPlain: true,
            isQuoted: whole.kind == .text)
          #expect(cell == expected, "\(value)\(next)")
          noted.insert(value)
        }
      }
    }
    // Of those that may be, most are: numbers must be shorter than the vector.
    #expect(
      noted.isSuperset(of: ["0", "-7", "1.5", "-1.5", "0.5", "true", "false", "null", "\"\"", "\"a\""]))
    #expect(noted.contains("\"more than sixteen letters\""))
  }

  /// A word for null that no cell is makes the reader walk over every value.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `rows are the same if every value is walked over`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let spaces = ["", "", "", " ", "\t", "  "]
    func pick<T>(_ items: [T]) -> T { items[Int.random(in: 0..<items.count, using: &random)] }
    for _ in 0..<150 {
      let (colon, comma, open) = (
        pick(spaces) + ":" + pick(spaces), pick(spaces) + "," + pick(spaces), "{" + pick(spaces)
      )
      let keys = (0..<Int.random(in: 1...5, using: &random)).map {
        "k\(String(repeating: "y", count: 5 * $0))\($0)"
      }
      var lines: [String] = []
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        var known = keys
        if pick([true, false, false]) { known.shuffle(using: &random) }
        if pick([true, false, false]) { known.removeLast(Int.random(in: 0...known.count, using: &random)) }
        if pick([true, false, false, false, false]) { known += [pick(keys)] }
        let members = known.map {
          "\"\($0)\"" + colon + pick(pick([true, false, false]) ? Self.values : ["12", "\"x\"", "true"])
        }
        lines.append(open + members.joined(separator: comma) + pick(spaces) + "}")
      }
      var options = InputOptions()
      options.form = pick([.json, .jsonl])
      let text = lines.joined(separator: pick(["\n", "\r\n", "\n\n"])) + pick(["", "\n"])
      let plain = Result { try SampleTable.read([text], options).everyPainting() }
      options.nullWords = ["no cell is this"]
      let walked = Result { try SampleTable.read([text], options).everyPainting() }
      switch (plain, walked) {
      case (.success(let plain), .success(let walked)): #expect(plain == walked, "\(text)")
      case (.failure(let plain), .failure(let walked)):
        #expect(try #require(plain as? InputError) == #require(walked as? InputError), "\(text)")
      default: Issue.record("\(plain) is not \(walked): \(text)")
      }
    }
  }
}
