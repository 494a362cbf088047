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
    // These are noted whatever the vector.
    #expect(
      noted.isSuperset(of: ["0", "-7", "1.5", "-1.5", "0.5", "true", "false", "null", "\"\"", "\"a\""]))
    #expect(noted.contains("\"more than sixteen letters\""))
  }

  private static let nested = [
    "[1,2]", "[1, 2]", "{\"x\":[]}", "{\"x\" :1}", "\"é\\u00e9\"", "\"\\/}\"", "\"}\"", "\",\"",
  ]

  private static let usual = ["12", "-0.5", "\"x\"", "true", "null", "\"more than sixteen letters\""]

  /// Random objects that mostly have the same keys, as tokens.
  private static func objects(_ random: inout SplitMix, odd: [String]) -> [[String]] {
    func pick<T>(_ items: [T]) -> T { items[Int.random(in: 0..<items.count, using: &random)] }
    let spellings = ["", "", "\\u0061", "\\/", "é", "\\u00e9"]
    let keys = (0..<Int.random(in: 1...5, using: &random)).map {
      "\"k" + String(repeating: "y", count: 5 * $0) + pick(spellings) + "\($0)\""
    }
    return (0..<Int.random(in: 1...8, using: &random)).map { _ in
      var known = keys
      if pick([true, false, false]) { known.shuffle(using: &random) }
      if pick([true, false, false]) { known.removeLast(Int.random(in: 0...known.count, using: &random)) }
      if pick([true, false, false, false, false]) { known += [pick(keys)] }
      let values = pick([usual, usual, usual + nested, odd])
      return ["{"] + known.map { [$0, ":", pick(values)] }.joined(separator: [","]) + ["}"]
    }
  }

  /// The text of objects; each kind of token mostly has the same blanks after it.
  private static func text(
    _ objects: [[String]], _ random: inout SplitMix, _ form: InputForm, hasBlanks: Bool = true
  ) -> String {
    let blanks = ["", "", "", "", " ", "\t", "  "] + (form == .json ? ["\n", "\r", "\r\n"] : [])
    func blank() -> String { hasBlanks ? blanks[Int.random(in: 0..<blanks.count, using: &random)] : "" }
    let usual = (0..<5).map { _ in blank() }
    return objects.map { tokens in
      tokens.dropLast().map { token in
        let kind = ["{", ":", ","].firstIndex(of: token) ?? (token.hasPrefix("\"k") ? 3 : 4)
        return token + (Int.random(in: 0..<8, using: &random) == 0 ? blank() : usual[kind])
      }.joined() + "}\n"
    }.joined()
  }

  /// Blanks between tokens say nothing.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `rows are the same whatever blanks are between the tokens`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    for round in 0..<200 {
      var options = InputOptions()
      options.form = round % 2 == 0 ? .json : .jsonl
      let objects = Self.objects(&random, odd: Self.usual)
      let text = Self.text(objects, &random, options.form)
      let compact = Self.text(objects, &random, options.form, hasBlanks: false)
      let (spaced, plain) = (try SampleTable.read([text], options), try SampleTable.read([compact], options))
      #expect(try spaced.everyPainting() == plain.everyPainting(), "\(text)")
    }
  }

  /// A null word that matches no cell turns the fast path off.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `rows are the same if every value is walked over`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    for round in 0..<200 {
      var options = InputOptions()
      options.form = round % 2 == 0 ? .json : .jsonl
      let text = Self.text(Self.objects(&random, odd: Self.values), &random, options.form)
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

  /// Hiding a key that no record has turns the fast path off.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `records are written alike if every member is looked at`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    for round in 0..<300 {
      var options = InputOptions()
      options.form = round % 2 == 0 ? .json : .jsonl
      let text = Self.text(Self.objects(&random, odd: Self.values), &random, options.form)
      guard let table = try? SampleTable.read([text], options) else { continue }
      func written(hiding hidden: [String]) -> String {
        let painter = JSONPainter(
          table.columns(), isArray: false, members: .own(hiding: hidden), input: table.profile)
        return String(decoding: table.paint(painter), as: UTF8.self)
      }
      #expect(written(hiding: []) == written(hiding: ["no record has this"]), "\(text)")
    }
  }
}
