import Testing

@testable import TablerEngine

@Suite struct TextLineBreakerTests {
  /// The lines of `text`, a replaced one as `?`.
  private func wrapped(_ text: String, _ width: Int?, _ metrics: TextMetrics = TextMetrics()) -> [String] {
    let bytes = Array(text.utf8)
    return TextSamples.lines(bytes, width: width, metrics).map {
      $0.isReplaced ? "?" : String(decoding: bytes[$0.range], as: UTF8.self)
    }
  }

  @Test(arguments: [
    ("", 5, [""]), ("abc", 5, ["abc"]), ("ab cd ef", 5, ["ab cd", "ef"]), ("ab   cdef", 4, ["ab", "cdef"]),
    ("ab cdefgh", 4, ["ab", "cdef", "gh"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
    ("ab-cd-ef", 5, ["ab-", "cd-ef"]),
    ("usr/local/bin", 10, ["usr/local/", "bin"]), ("/usr/bin", 3, ["/us", "r/", "bin"]),
    ("-5 -6", 3, ["-5", "-6"]),
    ("x --flag", 6, ["x", "--flag"]), ("日本語", 4, ["日本", "語"]), ("日本語", 5, ["日本", "語"]),
    ("ab日本", 4, ["ab日", "本"]),
    ("a\n\nb", 9, ["a", "", "b"]), ("a\n", 9, ["a", ""]), ("ab \ncd", 2, ["ab", "cd"]), ("abc  ", 3, ["abc"]),
    ("  abcd", 4, ["abcd"]), ("  abcd", 3, ["abc", "d"]), ("  abc", 5, ["  abc"]), ("      ", 4, ["    "]),
    ("日", 1, ["?"]), ("日本a", 1, ["?", "?", "a"]),
    ("👩‍💻👩‍💻", 3, ["👩‍💻", "👩‍💻"]), ("e\u{301}e\u{301}e\u{301}", 2, ["e\u{301}e\u{301}", "e\u{301}"]),
    ("abc", 0, ["a", "b", "c"]), ("1️⃣2️⃣", 2, ["1️⃣", "2️⃣"]),
  ])
  func `lines break at blanks, marks, wide characters, clusters`(text: String, width: Int, expected: [String])
  {
    #expect(wrapped(text, width) == expected)
  }

  @Test func `without a width only newlines break`() {
    #expect(wrapped("a long line\nand another one", nil) == ["a long line", "and another one"])
  }

  @Test func `control sequences are not split and take no room`() {
    let text = "\u{1B}[31mabc\u{1B}[0m def"
    let metrics = TextMetrics(passesControl: true)
    #expect(wrapped(text, 3, metrics) == ["\u{1B}[31mabc\u{1B}[0m", "def"])
    #expect(wrapped(text, 2, metrics) == ["\u{1B}[31mab", "c\u{1B}[0m", "de", "f"])
  }

  @Test(arguments: [
    ("", 0), ("ab", 2), ("ab cdef g", 4), ("ab-cde", 3), ("日本語", 2), ("a日本", 3), ("a\nbcd", 3), ("  ab  ", 2),
  ])
  func `the longest word is what a break leaves whole`(text: String, width: Int) {
    let part = TextMetrics().widestPart(of: Array(text.utf8).span)
    #expect(part.width == width)
  }

  @Test(arguments: [
    ("彼は「はい」と言った。", 4, ["彼は", "「は", "い」", "と言", "っ", "た。"]),
    ("東京、大阪", 4, ["東", "京、", "大阪"]), ("안녕 하세요", 6, ["안녕", "하세요"]), ("ab日本cd", 4, ["ab日", "本cd"]),
  ])
  func `no line begins with closing punctuation, and Korean breaks at blanks`(
    text: String, width: Int, lines: [String]
  ) {
    #expect(wrapped(text, width) == lines)
  }

  @Test(arguments: [
    ("bill_length_mm", 7, ["bill_", "length_", "mm"]), ("recordedAt", 9, ["recorded", "At"]),
    ("HTTPServer", 9, ["HTTPServe", "r"]), ("a.b:c/d-e", 4, ["a.b:", "c/d-", "e"]),
    ("имяФамилия", 8, ["имя", "Фамилия"]),
    ("body mass", 5, ["body", "mass"]),
  ])
  func `titles break at more places`(text: String, width: Int, lines: [String]) {
    let bytes = Array(text.utf8)
    var breaker = LineBreaker(width: width, metrics: TextMetrics(), isTitle: true)
    var found: [String] = []
    while let line = breaker.next(in: bytes.span) {
      found.append(String(decoding: bytes[line.range], as: UTF8.self))
    }
    #expect(found == lines)
  }

  @Test(arguments: [
    ("abcdef", 6, false, "abcdef"), ("abcdef", 5, false, "abcd…"), ("abcdef", 5, true, "ab..."),
    ("日本語", 5, false, "日本…"),
    ("日本語", 4, false, "日…"), ("abc", 2, true, ".."), ("abc", 1, false, "…"), ("abc", 0, false, ""),
    ("", 0, false, ""),
    ("ae\u{301}bc", 3, false, "ae\u{301}…"), ("👩‍💻ab", 3, false, "👩‍💻…"),
  ])
  func `a cut ends in its mark`(text: String, width: Int, isASCII: Bool, expected: String) {
    let bytes = Array(text.utf8)
    let mark = CutMark(isASCII: isASCII, metrics: TextMetrics())
    let cut = TextMetrics().cut(bytes.span, to: width, mark: mark)
    var buffer = ByteBuffer()
    buffer.append(bytes.span.extracting(0..<cut.count))
    mark.append(to: &buffer, cells: cut.markWidth)
    #expect(buffer.string() == expected)
    #expect(cut.isCut == (text != expected))
  }

  @Test func `a mark too wide for its place becomes a dot`() {
    let metrics = TextMetrics(ambiguousWidth: 2)
    let mark = CutMark(isASCII: false, metrics: metrics)
    var buffer = ByteBuffer()
    mark.append(to: &buffer, cells: 1)
    #expect(mark.width == 2 && buffer.string() == ".")
  }

  @Test(arguments: [TextMetrics(), TextMetrics(ambiguousWidth: 2), TextMetrics(passesControl: true)])
  func `R35 no line is too wide, no cluster is split, nothing but blanks is lost`(metrics: TextMetrics) {
    let escaper = Escaper(newlines: .kept, passesControl: metrics.passesControl)
    for text in TextSamples.texts(1500, seed: 17) {
      let bytes = TextSamples.escaped(text, escaper)
      let starts = Set(
        TextSamples.clusters(bytes, metrics).flatMap { [$0.range.lowerBound, $0.range.upperBound] } + [0])
      for limit in [1, 2, 3, 7, 20] {
        var end = 0
        for line in TextSamples.lines(bytes, width: limit, metrics) {
          #expect(line.width <= limit)
          if !line.isReplaced { #expect(TextSamples.width(bytes[line.range], metrics) == line.width) }
          #expect(starts.contains(line.range.lowerBound) && starts.contains(line.range.upperBound))
          #expect(bytes[end..<line.range.lowerBound].allSatisfy(isBlankOrNewline))
          end = line.range.upperBound
        }
        #expect(bytes[end...].allSatisfy(isBlankOrNewline))
      }
    }
  }

  /// Letters of one byte take a shorter way than those of two.
  @Test func `R35 plain text breaks where other text breaks`() {
    var generator = SeededGenerator(seed: 23)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &generator)
      let plain = String((0..<count).map { _ in "xxxx  -/\n".randomElement(using: &generator) ?? "x" })
      let other = plain.replacing("x", with: "é")
      for limit in [1, 2, 3, 7, 20] {
        let lines = TextSamples.lines(Array(plain.utf8), width: limit, TextMetrics())
        let expected = TextSamples.lines(Array(other.utf8), width: limit, TextMetrics())
        #expect(lines.map(\.width) == expected.map(\.width), "\(plain.debugDescription) to \(limit)")
        #expect(lines.map(\.isContinued) == expected.map(\.isContinued))
      }
    }
  }

  @Test func `R35 a cell of printable ASCII breaks where other text breaks`() {
    var generator = SeededGenerator(seed: 29)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &generator)
      let text = "x" + (0..<count).map { _ in "xxx  -/".randomElement(using: &generator) ?? "x" }
      // It stands among other bytes.
      let block = Array("- \(text) -".utf8)
      for limit in [1, 2, 3, 7, 20] {
        var breaker = PlainLineBreaker(2..<3 + count)
        var lines: [String] = []
        while !breaker.isFinished {
          lines.append(String(decoding: block[breaker.next(in: block.span, limit: limit)], as: UTF8.self))
        }
        #expect(lines == wrapped(text, limit), "\(text.debugDescription) to \(limit)")
      }
    }
  }

  private func isBlankOrNewline(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D }

  @Test func `R35 a cut is never too wide and never splits a cluster`() {
    for text in TextSamples.texts(1500, seed: 19) {
      let bytes = TextSamples.escaped(text, Escaper(newlines: .marked(ascii: false)))
      let ends = Set(TextSamples.clusters(bytes).map(\.range.upperBound) + [0])
      for isASCII in [true, false] {
        for limit in [0, 1, 2, 3, 7, 20] {
          let cut = TextMetrics().cut(
            bytes.span, to: limit, mark: CutMark(isASCII: isASCII, metrics: TextMetrics()))
          #expect(cut.width + cut.markWidth <= limit && ends.contains(cut.count))
          #expect(TextSamples.width(bytes[..<cut.count]) == cut.width)
          #expect(cut.isCut == (TextSamples.width(bytes) > limit))
        }
      }
    }
  }

  @Test func `a line closes what it opens and the next opens it again`() {
    var carry = LineCarry()
    var buffer = ByteBuffer()
    for line in ["\u{2067}\u{1B}[1mab", "cd\u{1B}[0m", "e\u{2069}", "f"] {
      carry.append(line: Array(line.utf8).span, to: &buffer)
      buffer.append("|")
    }
    let expected =
      "\u{2067}\u{1B}[1mab\u{2069}\u{1B}[0m|\u{1B}[1m\u{2067}cd\u{1B}[0m\u{2069}|\u{2067}e\u{2069}|f|"
    #expect(buffer.string() == expected)
  }
}
