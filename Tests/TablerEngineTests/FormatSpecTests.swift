import Foundation
import Testing

@testable import TablerEngine

private func formatted(_ spec: String, _ text: String, _ marks: NumberMarks = .standard) -> String {
  guard let spec = try? FormatSpec(Array(spec.utf8).span) else { return "bad spec" }
  var buffer = ByteBuffer()
  buffer.append("[")
  let isShown = spec.apply(to: Array(text.utf8).span, marks: marks, into: &buffer)
  return isShown ? String(buffer.string().dropFirst()) : "as it is\(buffer.string().dropFirst())"
}

private func formatted(_ spec: String, _ number: Number) -> String {
  guard let spec = try? FormatSpec(Array(spec.utf8).span) else { return "bad spec" }
  var buffer = ByteBuffer()
  return spec.apply(to: number, into: &buffer) ? buffer.string() : "as it is"
}

@Suite struct FormatSpecTests {
  @Test(arguments: [
    (".0f", "84.6", "85"), (".2f", "2.675", "2.68"), (".2f", "-0.001", "0.00"), (".0f", "0.5", "1"),
    (".0f", "-2.5", "-3"), (",.2f", "1234567.891", "1,234,567.89"), ("08d", "42", "00000042"),
    ("08d", "-42", "-0000042"), ("d", "3.7", "4"), ("f", "2", "2.000000"), (",", "1234.50", "1,234.50"),
    ("", "08", "8"), ("", "2.10", "2.10"), ("", " 7 ", "7"), ("+", "7", "+7"), ("+", "-7", "-7"),
    ("6", "7", "     7"),
    ("<6", "7", "7     "), ("^6", "77", "  77  "), ("·>6.1f", "7", "···7.0"), ("*^7", "77", "**77***"),
    ("<08", "7", "7       "), ("x", "255", "ff"), ("06x", "-255", "-000ff"), ("x", "0", "0"),
    (".1f", "99.95", "100.0"),
    (".2e", "1234.5", "1.23e+03"), ("e", "0", "0.000000e+00"), (".0e", "9.6", "1e+01"),
    (".1e", "1e-200", "1.0e-200"),
    ("g", "1234567", "1.23457e+06"), ("g", "0.0001", "0.0001"), ("g", "0.00001234", "1.234e-05"),
    (".3g", "1234", "1.23e+03"),
    ("g", "100", "100"), ("%", "0.25", "25%"), (".1%", "0.12345", "12.3%"), ("%", "-0.005", "-1%"),
    ("%", "2", "200%"),
    ("", "1e5", "100000"), ("", "1.5e30", "1500000000000000000000000000000"), (",", "1e6", "1,000,000"),
    (".30f", "0.1", "0.100000000000000000000000000000"),
    (
      ".1f", "123456789012345678901234567890123456789012345678901234567890.25",
      "123456789012345678901234567890123456789012345678901234567890.3"
    ),
    (".2f", "1e999", "as it is"), ("6", "-1e999", "as it is"), (".2f", "1.005e0", "1.01"),
    (".1f", ".25", "0.3"),
    (",.1f", "12345.e1", "123,450.0"), (".2f", "1e-399", "0.00"), ("e", "1e-399", "1.000000e-399"),
    (",d", "999", "999"), (",d", "-1000", "-1,000"),
    (".0f", "0.05", "0"),
    (".1f", "0.05", "0.1"), ("d", "0.00", "0"),
    (".2f", "kiwi", "as it is"), (".2f", "", "as it is"), ("d", "1_000", "as it is"),
    ("t", "1e300", "as it is"),
    ("x", "1e300", "as it is"),
  ])
  func aNumberIsShownAsTheSpecSays(_ spec: String, _ text: String, _ expected: String) {
    #expect(formatted(spec, text) == expected)
  }

  @Test(arguments: [
    ("k", "1200", "1.2k"), ("k", "3400000", "3.4M"), ("k", "1000", "1k"), ("k", "999", "999"),
    ("k", "999.96", "1k"),
    ("k", "999949", "999.9k"), ("k", "999950", "1M"), ("k", "0", "0"), ("k", "-1250", "-1.3k"),
    ("k", "0.5", "0.5"), (".2k", "1000", "1.00k"),
    (".0k", "1499", "1k"), ("k", "12345678901234567890123", "12345.7E"), ("8k", "1200", "    1.2k"),
    ("k", "1e9", "1G"),
    ("B", "512", "512 B"), ("B", "1023", "1023 B"), ("B", "1024", "1 KiB"), ("B", "1258291", "1.2 MiB"),
    ("B", "1048575", "1 MiB"),
    ("B", "1047552", "1023 KiB"), (".2B", "1536", "1.50 KiB"), (".2B", "100", "100 B"),
    ("B", "-2048", "-2 KiB"),
    ("B", "1152921504606846976", "1 EiB"), ("B", "1441151880758558719", "1.2 EiB"),
    ("B", "1441151880758558720", "1.3 EiB"),
    ("B", "0", "0 B"), ("B", "1e6", "976.6 KiB"), (".4B", "1048575.9999", "1.0000 MiB"),
    ("10B", "1024", "     1 KiB"),
  ])
  func largeNumbersAreShownInUnits(_ spec: String, _ text: String, _ expected: String) {
    #expect(formatted(spec, text) == expected)
  }

  @Test(arguments: [
    ("3900", "1h 05m"), ("0", "0s"), ("45", "45s"), ("4.5", "4.5s"), ("59.96", "1m 00s"), ("60", "1m 00s"),
    ("303", "5m 03s"),
    ("3599.4", "59m 59s"), ("3599.5", "1h 00m"), ("3629.9", "1h 00m"), ("3630", "1h 01m"),
    ("86369", "23h 59m"), ("86370", "1d 00h"),
    ("90000", "1d 01h"), ("-3900", "-1h 05m"), ("0.04", "0s"), ("31536000000", "365000d 00h"),
  ])
  func secondsAreShownInTheTwoLargestUnits(_ text: String, _ expected: String) {
    #expect(formatted("t", text) == expected)
  }

  @Test func marksOfTheInputAreWritten() throws {
    let european = try #require(NumberMarks(decimal: UInt8(ascii: ","), thousands: Array(".".utf8)))
    let comma = try #require(NumberMarks(decimal: UInt8(ascii: ",")))
    let narrow = try #require(NumberMarks(decimal: UInt8(ascii: ","), thousands: Array("\u{202F}".utf8)))
    #expect(formatted(",.2f", "1.234.567,891", european) == "1.234.567,89")
    #expect(formatted(",.1f", "1234,56", comma) == "1.234,6")
    #expect(formatted("9,.1f", "1234,56", narrow) == "  1\u{202F}234,6")
    #expect(formatted(".1f", "1.5", comma) == "as it is")
  }

  @Test func doublesRoundAsTheyPrint() {
    #expect(formatted(".2f", .double(2.675)) == "2.68")
    #expect(formatted(".1f", .double(0.25)) == "0.3")
    #expect(formatted("", .double(0.1)) == "0.1")
    #expect(formatted("5", .double(.nan)) == "  NaN")
    #expect(formatted(".2f", .decimal(ExactDecimal(unchecked: -5, scale: 3))) == "-0.01")
    #expect(formatted("", .int(.min)) == "-9223372036854775808")
  }

  /// Written by Python's `format` of `Decimal`, rounding half up: spec, number, text.
  private static let elsewhere: [String] = [
    ".8e|2601.81|2.60181000e+03",
    ".1f|0.1|0.1",
    "020.2f|-6.09139099603082462|-0000000000000006.09",
    ",.2f|-21993518190.93786579754323194875749118|-21,993,518,190.94",
    "*^20.2f|60189555979.7|***60189555979.70***",
    "012,.8f|1049.74650752917034236671276842|1,049.74650753",
    ".3f|-656321223307924402.685995289078|-656321223307924402.686",
    ".8f|0|0.00000000",
    "<15,.2f|90139.6|90,139.60      ",
    ".1f|-711.777|-711.8",
    "020.1f|5472803.85280841485253888539336|000000000005472803.9",
    "*^20.1f|-50047439575.5|***-50047439575.5***",
    ".2f|0|0.00",
    ".8e|-163726516761222029729.9752882001826330|-1.63726517e+20",
    "012,.1f|-95.48620579868282880729022279180588871|-0,000,095.5",
    "*^20.0f|0.1|*********0**********",
    "020.3f|989.834|0000000000000989.834",
    ">20.1f|84.8|                84.8",
    ">20.1f|-0.6|                -0.6",
    "+.1f|0.3|+0.3",
    ">20.0f|42.7|                  43",
    "020.2f|-2.32686563551|-0000000000000002.33",
    ",.0f|-70658948113.1|-70,658,948,113",
    ".2f|26.4628|26.46",
    ".2f|-0.26140|-0.26",
    "012,.2f|-31417058649208312.4|-31,417,058,649,208,312.40",
    "*^20.3f|-3478.24504000883873|*****-3478.245******",
    "020.3f|6843353265020146.20|6843353265020146.200",
    ".0f|49340722470455853043520.5617483|49340722470455853043521",
    ".1f|-0|0.0",
    ".2f|-0|0.00",
    ".8f|-7800.83740718|-7800.83740718",
    "*^20.1f|-741433377.617409319254499207074|****-741433377.6****",
    "*^20.0f|-84.7771|********-85*********",
    "*^20.8f|-0.4|****-0.40000000*****",
    "+.2f|63319.1|+63319.10",
    "*^20.1f|0|********0.0*********",
    ".2f|-6020776.42656|-6020776.43",
    ">20.3f|-5613.04|           -5613.040",
    "012,.2f|-91564041042.34685356068831067924708227|-91,564,041,042.35",
    ".8e|-46347861221387837576283.3125815|-4.63478612e+22",
    ".8e|0.6|6.00000000e-01",
    ">20.3f|45074952.8831|        45074952.883",
    ",.2f|764020679701.687731322817180023|764,020,679,701.69",
    ">20.3f|-48611148936439008474537838306.4|-48611148936439008474537838306.400",
    ".1e|-56563048.137|-5.7e+07",
    ".3f|-344.197923760|-344.198",
    ",.0f|-0.92|-1",
    "+.2f|75.1125328704|+75.11",
    ">20.2f|2101415.61836|          2101415.62",
    "*^20.8f|-0.0|*****0.00000000*****",
    ">20.1f|0|                 0.0",
    "012,.0f|0|0,000,000,000",
    ".8f|-1.95|-1.95000000",
    "*^20.0f|0|*********0**********",
    ".3f|-76467272042935575918.3623610788|-76467272042935575918.362",
    "*^20.3f|-0|*******0.000********",
    "020.1f|-723267938144494544.373233249351|-723267938144494544.4",
    "020.2f|317010737504.310399|00000317010737504.31",
    ".8f|-27.94019953055203409305652941307871616|-27.94019953",
    ",.8f|-26464460495660536630626116.9572|-26,464,460,495,660,536,630,626,116.95720000",
    "*^20.1f|61995822542.8211673420750961923|***61995822542.8****",
    ">20.1f|0.930|                 0.9",
    "+.0f|0.123308|+0",
    ">20.2f|0.6|                0.60",
    ".0f|93.6657|94",
    ",.0f|77.3797276112565178|77",
    ">20.8f|-0|          0.00000000",
  ]

  @Test(arguments: elsewhere) func pythonShowsDecimalsTheSameWay(_ line: String) {
    let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    #expect(formatted(parts[0], parts[1]) == parts[2])
  }

  @Test(arguments: [
    ("▸q", FormatSpecError.unexpected(at: 0)), (".▸", .unexpected(at: 1)), (".2f▸f", .unexpected(at: 3)),
    ("▸9999f", .tooLarge(at: 0)), (".▸1001", .tooLarge(at: 1)), (",▸x", .unexpected(at: 1)),
    ("12▸<", .unexpected(at: 2)),
    ("▸重<5", .unexpected(at: 0)), ("▸\t<5", .unexpected(at: 0)), ("▸ ", .unexpected(at: 0)),
    ("%▸d", .unexpected(at: 1)),
    ("▸99999999999999999999999999", .tooLarge(at: 0)),
  ])
  func badSpecsNameTheirPlace(_ marked: String, _ expected: FormatSpecError) {
    let text = Array(marked.replacingOccurrences(of: "▸", with: "").utf8)
    #expect(throws: expected) { try FormatSpec(text.span) }
  }

  @Test func randomSpecsAndNumbersNeverTrap() {
    let letters = Array("<>^+0123456789,.fegdx%kBt*".utf8)
    let digits = Array("0123456789.e-+95".utf8)
    for _ in 0..<30_000 {
      let spec = (0..<Int.random(in: 0...5)).map { _ in letters.randomElement() ?? 0 }
      let text = (0..<Int.random(in: 1...12)).map { _ in digits.randomElement() ?? 0 }
      guard let parsed = try? FormatSpec(spec.span) else { continue }
      var buffer = ByteBuffer()
      buffer.append("ab")
      let isShown = parsed.apply(to: text.span, into: &buffer)
      #expect(isShown ? buffer.count > 2 : buffer.count == 2)
      #expect(buffer[0] == UInt8(ascii: "a") && buffer[1] == UInt8(ascii: "b"))
    }
  }
}
