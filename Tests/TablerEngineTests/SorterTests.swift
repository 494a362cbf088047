import Testing

@testable import TablerEngine

@Suite("Sorting rows")
struct SorterTests {
  /// One flag on a few values.
  struct Flag: CustomTestStringConvertible {
    var comparison: SortKey.Comparison
    var values: String
    var sorted: String
    var isDescending = false

    init(_ comparison: SortKey.Comparison, _ values: String, _ sorted: String, descending: Bool = false) {
      self.comparison = comparison
      self.values = values
      self.sorted = sorted
      isDescending = descending
    }

    var testDescription: String { "\(comparison): \(values)" }
  }

  static let flags: [Flag] = [
    Flag(.auto, "10|9|8.5|-1|1e1|+3", "-1|+3|8.5|9|10|1e1"),
    Flag(.auto, "b|10|a|2||B|nan", "2|10|B|a|b|nan|"),
    Flag(.auto, "b|10|a|2||B|nan", "nan|b|a|B|10|2|", descending: true),
    // R27
    Flag(
      .auto, "0x1F|1_000|08|.|-|7|+1|Infinity|nan|1e5|20200407_2|E1|42924e28|99999",
      "+1|7|08|99999|1e5|42924e28|-|.|0x1F|1_000|20200407_2|E1|Infinity|nan"),
    Flag(.auto, "08|8.0| 8 |8|7", "7|08|8.0| 8 |8"),
    Flag(.auto, "08|8.0|8|9", "9|08|8.0|8", descending: true),
    // R26
    Flag(
      .auto, "9007199254740993|9007199254740992|9007199254740994|9007199254740991",
      "9007199254740991|9007199254740992|9007199254740993|9007199254740994"),
    Flag(
      .auto, "0.1000000000000000000002|0.1000000000000000000001|0.1|0.1000000000000000000003",
      "0.1|0.1000000000000000000001|0.1000000000000000000002|0.1000000000000000000003"),
    Flag(
      .number, "9007199254740993|9007199254740992|9007199254740994",
      "9007199254740994|9007199254740993|9007199254740992", descending: true),
    Flag(.auto, "0|-0|0.0|-1|1", "-1|0|-0|0.0|1"),
    Flag(.auto, "1e999|-1e999|0|a|", "-1e999|0|1e999|a|"),
    Flag(.number, "10|x|9||y|8", "8|9|10|x||y"),
    Flag(.number, "10|x|9||y|8", "10|9|8|x||y", descending: true),
    Flag(.text, "10|9|B|a|Zürich|Zebra|1", "1|10|9|B|Zebra|Zürich|a"),
    Flag(.text, "abcdefgh|abcdefg|abcdefghi|abcdef|abcdefgg", "abcdef|abcdefg|abcdefgg|abcdefgh|abcdefghi"),
    Flag(
      .text, "abcdefgh|abcdefg|abcdefghi|abcdef|", "abcdefghi|abcdefgh|abcdefg|abcdef|", descending: true),
    Flag(.auto, "abcdefgh|abcdefg|abcde|abcdefghi|abcdef", "abcde|abcdef|abcdefg|abcdefgh|abcdefghi"),
    Flag(.nocase, "b|A|a|B|Ä|ä|z", "A|a|b|B|z|Ä|ä"),
    Flag(.natural, "a10|a9|a1|a|b1|a01b|a1b", "a|a1|a01b|a1b|a9|a10|b1"),
    Flag(
      .natural, "x99999999999999999999999999|x100000000000000000000000000|x2",
      "x2|x99999999999999999999999999|x100000000000000000000000000"),
    Flag(.natural, "f-2.txt|f-10.txt|f.txt|f-2-1.txt", "f-2-1.txt|f-2.txt|f-10.txt|f.txt"),
    Flag(
      .version, "1.0|1.0-rc1|1.0.1|1.0-beta|1.10|1.9|1.0~rc2", "1.0-beta|1.0-rc1|1.0~rc2|1.0|1.0.1|1.9|1.10"),
    Flag(.version, "v2|v10|v1.2-14-gabc|v1.2", "v1.2|v1.2-14-gabc|v2|v10"),
    Flag(
      .date, "2024-02-01|2023-12-31|x|2024-01-15T10:00|2024-01-15T09:00+02:00|2024-01-15",
      "2023-12-31|2024-01-15|2024-01-15T09:00+02:00|2024-01-15T10:00|2024-02-01|x"),
    Flag(
      .date, "1969-12-31T23:59:59.5|1970-01-01|1969-12-31T23:59:59.25",
      "1969-12-31T23:59:59.25|1969-12-31T23:59:59.5|1970-01-01"),
    Flag(.duration, "1h|90s|1d2h|P1D|2m|soon", "90s|2m|1h|P1D|1d2h|soon"),
    // R60
    Flag(.size, "1.5G|900K|512Mi|1.2 MB|12|1.1G|x", "12|900K|1.2 MB|512Mi|1.1G|1.5G|x"),
    Flag(.size, "45%|7%|100%", "7%|45%|100%"),
    Flag(.length, "ccc|dd|e|ééé|日本|", "e|dd|日本|ccc|ééé|"),
  ]

  @Test("orders values by each flag", arguments: flags)
  func flag(_ flag: Flag) throws {
    let sample = try SortSample(
      flag.values.split(separator: "|", omittingEmptySubsequences: false).map(String.init))
    let key = SortKey.column("x", flag.comparison, descending: flag.isDescending)
    #expect(try sample.values("x", [key]).joined(separator: "|") == flag.sorted)
  }

  @Test("puts nulls last both ways, or where the option or the key says")
  func nulls() throws {
    var sample = try SortSample(["b", "", "a"])
    #expect(try sample.values("x", [.column("x")]) == ["a", "b", ""])
    #expect(try sample.values("x", [.column("x", descending: true)]) == ["b", "a", ""])
    #expect(try sample.values("x", [.column("x", nulls: .first)]) == ["", "a", "b"])
    sample.surroundings.nulls = .first
    #expect(try sample.values("x", [.column("x", descending: true)]) == ["", "b", "a"])
    #expect(try sample.values("x", [.column("x", nulls: .last)]) == ["a", "b", ""])
    #expect(try sample.values("x", [.column("x", .text, descending: true)]) == ["", "b", "a"])
  }

  @Test("puts listed values first, then numbers, texts and nulls")
  func listedValues() throws {
    var sample = try SortSample(["blue", "red", "7", "", "orange", "red", "-1e999", "green"])
    let column = ColumnReference.name("x", isQuoted: false)
    sample.surroundings.valueOrders = [
      ValueOrder(column: column, values: ["red"]),
      ValueOrder(column: column, values: ["orange", "7", "red"]),
    ]
    let expected = ["red", "red", "orange", "7", "-1e999", "blue", "green", ""]
    #expect(try sample.values("x", [.column("x")]) == expected)
    #expect(
      try sample.values("x", [.column("x", descending: true)])
        == ["green", "blue", "-1e999", "7", "orange", "red", "red", ""])
    #expect(try sample.values("x", [.column("x", .text)]).first == "-1e999", "a flag overrules the list")
  }

  @Test("R28 R29: consults the next key where the first ones tie, and keeps the input order where all do")
  func severalKeys() throws {
    let sample = try SortSample(csv: "a,b,n\n,2,1\nx,1,2\n,1,3\nx,1,4\ny,9,5\nx,0,6\n,1,7\n")
    #expect(try sample.values("n", [.column("a"), .column("b")]) == ["6", "2", "4", "5", "3", "7", "1"])
    #expect(
      try sample.values("n", [.column("a", descending: true), .column("b", descending: true)])
        == ["5", "2", "4", "6", "1", "3", "7"])
    #expect(try sample.values("n", []) == ["1", "2", "3", "4", "5", "6", "7"])
  }

  @Test(
    "sorts by expressions",
    arguments: [
      ("x / 4", SortKey.Comparison.auto, "-3|0.1|1|2|12||a"), ("0 - x", .auto, "12|2|1|0.1|-3||a"),
      ("if(x > 1, 'z', x)", .auto, "-3|0.1|1|a|12|2|"), ("x ++ ''", .text, "-3|0.1|1|12|2|a|"),
      ("number(x) > 1", .auto, "1|0.1|-3|12|2||a"), ("sqrt(x)", .auto, "0.1|1|2|12||a|-3"),
      ("length(x)", .number, "1|a|2|12|-3|0.1|"), ("x * 1e308 * 10", .auto, "-3|0.1|12|1|2||a"),
    ])
  func expressions(source: String, comparison: SortKey.Comparison, expected: String) throws {
    let sample = try SortSample(["12", "1", "", "a", "0.1", "2", "-3"])
    let sorted = try sample.values("x", [try .expression(source, comparison)])
    #expect(sorted.joined(separator: "|") == expected)
  }

  @Test("sorts JSON by kinds as csv by looks, by members, and by paths that lead nowhere as null")
  func json() throws {
    let sample = try SortSample(
      jsonl: """
        {"n":1,"x":"10","o":{"k":[3,"b\\u0041"]}}
        {"n":2,"x":9,"o":{"k":[20]}}
        {"n":3,"x":true,"o":{"k":[null]}}
        {"n":4,"x":null}
        {"n":5,"x":"","o":{"k":[1e1,"ba"]}}
        {"n":6,"x":"a","o":7}
        """)
    #expect(try sample.values("n", [.column("x")]) == ["2", "1", "5", "6", "3", "4"])
    #expect(try sample.values("n", [.column("o.k[0]")]) == ["1", "5", "2", "3", "4", "6"])
    #expect(try sample.values("n", [.column("o.k[1]", .nocase, descending: true)]).prefix(2) == ["1", "5"])
    #expect(try sample.values("n", [.column("never"), .column("n", descending: true)]).first == "6")
  }

  @Test("refuses lists and objects, naming the line")
  func unordered() throws {
    let sample = try SortSample(jsonl: "{\"o\":1}\n{\"o\":null}\n{\"o\":{\"a\":1,\"b\":2}}\n{\"o\":[]}\n")
    for comparison in SortKey.Comparison.allCases {
      let error = SortError.Unordered(
        column: "o", isList: false, members: ["a", "b"], key: 0..<0, source: 0, line: 3)
      #expect(throws: SortError.noOrder(error)) { try sample.sorted([.column("o", comparison)]) }
    }
    #expect(throws: SortError.self) { try sample.sorted([try .expression("o")]) }
  }

  @Test("counts what does not convert, with the first line")
  func misfits() throws {
    let sample = try SortSample(["1", "x", "", "y", "2"])
    for comparison in [SortKey.Comparison.number, .date, .duration, .size] {
      var rows = sample.table.rows
      var sorter = Sorter(try sample.order([.column("x", comparison)]))
      try sorter.sort(&rows)
      let entry = try #require(sorter.tally.entries.first)
      #expect(entry.column == "x")
      #expect(entry.count == (comparison == .number || comparison == .size ? 2 : 4))
      #expect(entry.first?.line == (comparison == .number || comparison == .size ? 3 : 2))
    }
  }

  @Test("names unknown columns with a suggestion")
  func unknownColumns() throws {
    let sample = try SortSample(csv: "weight,name\n1,a\n")
    let error = ColumnError.notFound("wieght", suggestion: "weight", differsOnlyInCase: false)
    #expect(throws: SortError.column(error, key: 0..<0)) { try sample.sorted([.column("wieght")]) }
    var ordered = sample
    ordered.surroundings.valueOrders = [
      ValueOrder(column: .name("wieght", isQuoted: false), values: ["a"])
    ]
    #expect(throws: SortError.orderColumn(error)) { try ordered.sorted([.column("name")]) }
  }

  @Test("reads numbers by the marks of cells")
  func marks() throws {
    var sample = try SortSample(["1.234,50", "999,9", "12", "1.000.000"])
    sample.surroundings.context.marks = try #require(
      NumberMarks(decimal: UInt8(ascii: ","), thousands: [UInt8(ascii: ".")]))
    #expect(try sample.values("x", [.column("x")]) == ["12", "999,9", "1.234,50", "1.000.000"])
  }
}
