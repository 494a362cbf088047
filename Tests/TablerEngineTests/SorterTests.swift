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
}
