import Foundation
import Testing

@testable import TablerEngine

private func typed(_ text: String, _ marks: NumberMarks = .standard) -> Number? {
  NumberReader.typed(Array(text.utf8).span, marks: marks)
}

private func loose(_ text: String, _ marks: NumberMarks = .standard) -> Number? {
  NumberReader.loose(Array(text.utf8).span, marks: marks)
}

private func written(_ number: Number?, _ marks: NumberMarks = .standard) -> String {
  guard let number else { return "nil" }
  var buffer = ByteBuffer()
  NumberWriter.append(number, marks: marks, to: &buffer)
  return buffer.string()
}

private func bits(_ text: String) -> UInt64? { NumberReader.approximate(Array(text.utf8).span)?.bits }

private func moment(_ text: String) -> CivilDateTime? { CivilDateTime(Array(text.utf8).span) }

private func kind(_ number: Number?) -> String {
  switch number {
  case .int: "int"
  case .decimal: "decimal"
  case .long: "long"
  case .double: "double"
  case nil: "nil"
  }
}

private let european = NumberMarks(decimal: UInt8(ascii: ","), thousands: Array(".".utf8)) ?? .standard
private let french = NumberMarks(decimal: UInt8(ascii: ","), thousands: Array("\u{202F}".utf8)) ?? .standard

@Suite struct NumberReadingTests {
  @Test(arguments: [
    ("0", "int"), ("-0", "int"), ("+1", "int"), ("42", "int"), ("9223372036854775807", "int"),
    ("-9223372036854775808", "int"), ("9223372036854775808", "decimal"), ("1.50", "decimal"),
    ("0.1", "decimal"), ("1e5", "decimal"), ("-1.5E-3", "decimal"), ("42924e28", "decimal"),
    ("12345678901234567890123456789012345678", "decimal"),
    ("123456789012345678901234567890123456789", "long"), ("1e38", "long"), ("1e37", "decimal"),
    ("1e-38", "decimal"),
    ("1e-39", "long"), ("0e99", "decimal"), ("  7\t", "int"),
    ("007", "nil"), ("08", "nil"), ("00.5", "nil"), ("0x1F", "nil"), (".", "nil"), ("-", "nil"), ("", "nil"),
    (" ", "nil"), (".5", "decimal"), ("5.", "decimal"), ("-.5e1", "decimal"), ("5.e1", "decimal"),
    (".e1", "nil"), ("1_000", "nil"), ("Infinity", "nil"), ("nan", "nil"),
    ("E1", "nil"), ("20200407_2", "nil"), ("1e", "nil"), ("1e+", "nil"), ("1 2", "nil"), ("--1", "nil"),
    ("1,000", "nil"), ("\u{0663}", "nil"),
  ])
  func aCellIsTypedByItsLook(_ text: String, _ expected: String) {
    #expect(kind(typed(text)) == expected)
  }

  @Test(arguments: [
    ("08", "8"), ("007.50", "7.50"), ("+1", "1"), ("-0", "0"), ("00501", "501"), ("0.10", "0.10"),
    ("1e5", "100000"), ("1E400", "1e400"), ("-1.5e-400", "-1.5e-400"),
    ("1e99999999999999999999", "1e100000000000000000"),
    ("1.5e3", "1500"), ("5.0e-2", "0.050"), ("5.", "5"), ("1.50e1", "15.0"), ("0e-99", "0"),
    ("1.00000000000000000000000000000000000000000", "1"),
    ("0.000123456789012345678901234567890123456789", "0.000123456789012345678901234567890123456789"),
    ("1234567890123456789012345678901234567890.50", "1234567890123456789012345678901234567890.5"),
    ("1234567890123456789012345678901234567890e3", "1234567890123456789012345678901234567890000"),
    ("12345678901234567890", "12345678901234567890"),
    ("00000000000000000000000000000000000000000000007", "7"),
    ("0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
    ("0x1F", "nil"), ("1_000", "nil"), (".5", "0.5"),
  ])
  func aNumberAskedForTakesLeadingZeros(_ text: String, _ expected: String) {
    #expect(written(loose(text)) == expected)
    #expect(NumberReader.isNumber(Array(text.utf8).span) == (expected != "nil"))
  }

  @Test(arguments: [
    ("1.234,50", "1234.50"), ("1234,50", "1234.50"), ("1.234.567", "1234567"), ("0,5", "0.5"),
    ("-12.345", "-12345"), ("1.23,4", "nil"), ("1.2345", "nil"), ("1234.567", "nil"), (".123", "nil"),
    ("1..234", "nil"), ("1.5", "nil"), ("1.234.", "nil"), ("1,234.5", "nil"), ("1,5e3", "1500"),
    ("0.001", "1"), ("0.000,10", "0.10"),
  ])
  func marksPartThousandsInThrees(_ text: String, _ expected: String) {
    #expect(written(loose(text, european)) == expected)
    let other = text.replacingOccurrences(of: ".", with: "\u{202F}")
    #expect(written(loose(other, french)) == expected)
  }

  @Test func marksThatCannotBeToldApartAreRefused() {
    let point = UInt8(ascii: ".")
    #expect(NumberMarks(decimal: point, thousands: [point]) == nil)
    #expect(NumberMarks(decimal: UInt8(ascii: "5")) == nil)
    #expect(NumberMarks(decimal: UInt8(ascii: "e")) == nil)
    #expect(NumberMarks(decimal: point, thousands: [UInt8(ascii: "-")]) == nil)
    #expect(NumberMarks(decimal: point, thousands: Array("\u{A0}".utf8))?.thousands == [0xC2, 0xA0])
    #expect(written(loose("-1234.50"), european) == "-1234,50")
  }

  @Test func randomBytesNeverTrap() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("0019.,eE+-  \u{202F}KMiB%dhmsPTZ:".utf8) + [0xFF, 0x00]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<14, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      for marks in [NumberMarks.standard, european, french] {
        let number = NumberReader.loose(bytes.span, marks: marks)
        #expect((number != nil) == NumberReader.isNumber(bytes.span, marks: marks))
        _ = Size.read(bytes.span, marks: marks)
      }
      _ = TablerEngine.Duration(bytes.span)
      _ = CivilDateTime(bytes.span)
    }
  }

  @Test(arguments: [
    ("9007199254740993.", "", 0x1p53), ("9007199254740993.", "1", 0x1p53 + 2), ("000000.", "25", 0),
    ("-9007199254740993.", "1", -0x1p53 - 2),
  ])
  func oneOfVeryManyDigitsDecidesADouble(_ start: String, _ end: String, _ expected: Double) {
    let zeros = String(repeating: "0", count: 3000)
    #expect(loose(start + zeros + end)?.doubleValue == expected)
  }

  @Test func doublesReadAsTheLibraryReadsThem() {
    for _ in 0..<20_000 {
      let value = Double(bitPattern: UInt64.random(in: 0..<0x7FF0_0000_0000_0000))
      #expect(loose(value.description)?.doubleValue == value)
      let digits = String(UInt64.random(in: 0...UInt64.max).description.prefix(Int.random(in: 1...20)))
      let text = "\(digits).\(UInt64.random(in: 0...UInt64.max))"
      #expect(loose(text)?.doubleValue == Double(text))
      let long = String(UInt64.random(in: 1_000_000_000_000_000...9_999_999_999_999_999_999))
      let point = long.index(long.startIndex, offsetBy: .random(in: 1..<long.count))
      let parted = "\(long[..<point]).\(long[point...])"
      #expect(loose(parted)?.doubleValue == Double(parted))
      #expect(NumberReader.orderedBits(loose(parted)?.doubleValue ?? 0) == bits(parted))
      let near = Double.random(in: 0...1).description
      #expect(bits(near) == Double(near).map { NumberReader.orderedBits($0) })
      let short = "\(Int.random(in: -999_999...999_999)).\(Int.random(in: 0...999))"
      #expect(loose(short)?.doubleValue == Double(short))
    }
  }
}

@Suite struct NumberOrderTests {
  /// Each line is below the next.
  private static let ascending = [
    "-1e400", "-123456789012345678901234567890123456789012", "-123456789012345678901234567890123456789011",
    "-9223372036854775809", "-9223372036854775808", "-1.5", "-1.25", "-1", "0", "1e-400000", "1e-400",
    "1e-300", ".1",
    "0.10000000000000000555111512312578270211815834045411", "0.2", "08", "9007199254740992",
    "9007199254740993", "9007199254740993.5", "9007199254740994", "9223372036854775807",
    "9223372036854775808",
    "99999999999999991611391", "99999999999999991611393", "1e23", "100000000000000000000000.5",
    "123456789012345678901234567890123456789011", "123456789012345678901234567890123456789012", "1e300",
    "1e999", "1e1000", "2e1000",
  ]

  @Test func everyPairOfTheLadderIsInOrder() {
    for (low, lower) in Self.ascending.enumerated() {
      for (high, upper) in Self.ascending.enumerated() {
        let left = Array(lower.utf8)
        let right = Array(upper.utf8)
        let expected = (low - high).signum()
        #expect(NumberReader.compareDigits(left.span, right.span) == expected, "\(lower) \(upper)")
        guard let first = NumberReader.approximate(left.span),
          let second = NumberReader.approximate(right.span)
        else { continue }
        let bySight =
          first.bits < second.bits
          ? -1 : first.bits > second.bits ? 1 : first.isExact && second.isExact ? 0 : 2
        #expect(bySight == 2 || bySight == expected, "\(lower) \(upper)")
        if let one = loose(lower), let two = loose(upper), lower.count < 39, upper.count < 39 {
          #expect(Number.compare(one, two) == expected, "\(lower) \(upper)")
        }
      }
    }
  }

  @Test(arguments: [
    ("2.10", "2.1"), ("08", "8"), ("-0", "0"), ("1e2", "100"), ("0.50", "5e-1"), (" 7 ", "+7.000"),
    ("1000000000000000000000000000000000000000000", "1000000000000000000000000000000000000000000.0"),
  ])
  func otherSpellingsAreEqual(_ left: String, _ right: String) {
    #expect(NumberReader.compareDigits(Array(left.utf8).span, Array(right.utf8).span) == 0)
    #expect(loose(left) == loose(right))
    #expect(loose(left)?.hashValue == loose(right)?.hashValue)
  }

  @Test func nanComesAfterAllAndEqualsItself() {
    #expect(Number.compare(.double(.nan), .double(.infinity)) == 1)
    #expect(Number.compare(.int(.max), .double(.nan)) == -1)
    #expect(Number.compare(.double(.nan), .double(.nan)) == 0)
    #expect(NumberReader.orderedBits(.nan) > NumberReader.orderedBits(.infinity))
    #expect(NumberReader.orderedBits(-0.0) == NumberReader.orderedBits(0))
    #expect(NumberReader.orderedBits(-1) < NumberReader.orderedBits(-0.5))
  }

  @Test func randomDecimalsCompareAsFoundationCompares() {
    for _ in 0..<5_000 {
      let texts = (0..<2).map { _ in
        "\(Int.random(in: -20...20)).\(String(UInt64.random(in: 0...UInt64.max)).prefix(.random(in: 1...20)))"
      }
      guard let left = Decimal(string: texts[0]), let right = Decimal(string: texts[1]) else { continue }
      let expected = left < right ? -1 : left > right ? 1 : 0
      #expect(NumberReader.compareDigits(Array(texts[0].utf8).span, Array(texts[1].utf8).span) == expected)
    }
  }
}

@Suite struct NumberArithmeticTests {
  @Test(arguments: [
    ("0.1", "+", "0.2", "0.3"), ("1.50", "+", "1", "2.50"),
    ("9223372036854775807", "+", "1", "9223372036854775808"),
    ("2.00", "*", "1.05", "2.1000"), ("3", "-", "5", "-2"),
    ("-9223372036854775808", "-", "1", "-9223372036854775809"),
    ("3037000500", "*", "3037000500", "9223372037000250000"), ("1e2", "+", "0.5", "100.5"),
    ("7", "/", "2", "3.5"), ("6", "/", "2", "3"), ("1", "/", "0", "nil"), ("1", "/", "0.00", "nil"),
    ("7", "//", "2", "3"), ("-7", "//", "2", "-3"), ("7.5", "//", "0.5", "15"), ("1", "//", "0", "nil"),
    ("-9223372036854775808", "//", "-1", "9223372036854775808"), ("-9223372036854775808", "%", "-1", "0"),
    ("7", "%", "3", "1"), ("-7", "%", "3", "-1"), ("7", "%", "-3", "1"), ("1.25", "%", "0.5", "0.25"),
    ("1", "%", "0.3", "0.1"), ("5", "%", "0", "nil"), ("1e1", "%", "3", "1"), ("0.5", "//", "100", "0"),
    ("12345678901234567890123456789012345678", "%", "0.0000007", "0.0000006"),
    ("2", "^", "10", "1024"), ("2", "^", "-1", "0.5"), ("1.5", "^", "2", "2.25"), ("0", "^", "0", "1"),
    ("0", "^", "-1", "nil"), ("-8", "^", "0.5", "nil"), ("2", "^", "64", "18446744073709551616"),
    ("99999999999999999999999999999999999999", "+", "1", "1e38"),
    ("99999999999999999999999999999999999999", "*", "10", "1e39"), ("10", "^", "9223372036854775807", "inf"),
    ("-1", "^", "9223372036854775807", "-1"),
  ])
  func operatorsAreExactWhileDigitsLast(_ left: String, _ mark: String, _ right: String, _ expected: String) {
    guard let one = loose(left), let two = loose(right) else {
      Issue.record("not a number")
      return
    }
    let result: Number? =
      switch mark {
      case "+": one.adding(two)
      case "-": one.subtracting(two)
      case "*": one.multiplied(by: two)
      case "/": one.divided(by: two)
      case "//": one.quotient(by: two)
      case "%": one.remainder(dividingBy: two)
      default: one.power(two)
      }
    #expect(written(result) == expected)
  }

  @Test(arguments: [
    ("2.1000", 2, "2.10"), ("2.675", 2, "2.68"), ("-2.5", 0, "-3"), ("2.5", 0, "3"), ("0.4", 0, "0"),
    ("1250", -2, "1300"),
    ("7", 2, "7.00"), ("7", 0, "7"), ("7", 99, "7"), ("1.5", 3, "1.500"), ("2675e-3", 2, "2.68"),
    ("99.99", 1, "100.0"), ("1e300", 2, "1e300"),
    ("123.456", -5, "0"), ("123.456", -99, "0"), ("9223372036854775807", -1, "9223372036854775810"),
  ])
  func roundingGoesHalfAwayFromZero(_ text: String, _ decimals: Int, _ expected: String) {
    #expect(written(loose(text)?.rounded(to: decimals)) == expected)
  }

  @Test(arguments: [
    ("1.5", "1", "2"), ("-1.5", "-2", "-1"), ("3", "3", "3"), ("2.0", "2", "2"), ("-25e-1", "-3", "-2"),
  ])
  func floorAndCeilingAreWhole(_ text: String, _ floor: String, _ ceiling: String) {
    #expect(written(loose(text)?.floor) == floor)
    #expect(written(loose(text)?.ceiling) == ceiling)
  }

  @Test func randomSumsAndProductsAgreeWithFoundation() {
    for _ in 0..<5_000 {
      let left = "\(Int.random(in: -99_999_999...99_999_999)).\(Int.random(in: 0...9999))"
      let right = "\(Int.random(in: -99_999_999...99_999_999)).\(Int.random(in: 0...9999))"
      guard let one = loose(left), let two = loose(right), let first = Decimal(string: left),
        let second = Decimal(string: right)
      else { continue }
      #expect(Decimal(string: written(one.adding(two))) == first + second)
      #expect(Decimal(string: written(one.subtracting(two))) == first - second)
      #expect(Decimal(string: written(one.multiplied(by: two))) == first * second)
      guard let quotient = one.quotient(by: two), let rest = one.remainder(dividingBy: two) else { continue }
      #expect(quotient.multiplied(by: two).adding(rest) == one)
    }
  }

  @Test(arguments: [
    (3.0, "3"), (0.1, "0.1"), (-0.0, "0"), (1e15, "1000000000000000"), (1e16, "1e16"), (1.5e21, "1.5e21"),
    (0.0001, "0.0001"), (0.00001, "1e-5"), (-2.5e-7, "-2.5e-7"), (123456.789, "123456.789"), (.nan, "NaN"),
    (.infinity, "inf"), (-.infinity, "-inf"),
    (1.7976931348623157e308, "1.7976931348623157e308"),
    (9_007_199_254_740_994, "9007199254740994"),
  ])
  func doublesAreWrittenAsTheShortestText(_ value: Double, _ expected: String) {
    #expect(written(.double(value)) == expected)
  }

  @Test func whatIsWrittenReadsBackTheSame() {
    for _ in 0..<5_000 {
      let value = Double(bitPattern: UInt64.random(in: 0..<0x7FF0_0000_0000_0000))
      #expect(loose(written(.double(value)))?.doubleValue == value)
      let exact = ExactDecimal(
        unchecked: Int128(Int64.random(in: .min ... .max)) * Int128(Int64.random(in: 0...999_999)),
        scale: .random(in: 0...38))
      let text = written(.decimal(exact))
      #expect(loose(text) == .decimal(exact))
      #expect(loose(text)?.exact?.scale == exact.scale)
    }
  }
}

@Suite struct SizeAndTimeTests {
  @Test(arguments: [
    ("900K", "921600"), ("1.5G", "1610612736"), ("512Mi", "536870912"), ("512MiB", "536870912"),
    ("1.2 MB", "1200000"),
    ("45%", "45"), ("45.5 %", "45.5"), ("7", "7"), ("1.50", "1.50"), ("0", "0"), ("12B", "12"),
    ("1k", "1024"), ("1kB", "1000"),
    ("-1K", "-1024"), ("1T", "1099511627776"), ("1P", "1125899906842624"), ("1.1K", "1126.4"),
    (" 4.0K ", "4096"),
    ("1.5X", "nil"), ("K", "nil"), ("", "nil"), ("1KK", "nil"), ("1 iB", "nil"), ("1Bi", "nil"),
    ("1m", "0.001"),
    ("1K 2", "nil"), ("1E", "1152921504606846976"), ("1e3", "1000"),
  ])
  func sizesAreExact(_ text: String, _ expected: String) {
    #expect(written(Size.read(Array(text.utf8).span)) == expected)
  }

  @Test(arguments: [
    ("1d2h", "93600"), ("P1DT2H", "93600"), ("1h 05m", "3900"), ("90s", "90"), ("1.5h", "5400.0"),
    ("-1d", "-86400"),
    ("250ms", "0.250"), ("1m30.25s", "90.25"), ("PT0.5S", "0.5"), ("P2W", "1209600"), ("1w1d", "691200"),
    ("3us", "0.000003"),
    ("3µs", "0.000003"), ("1s 2ms", "1.002"), ("p1dt2h", "93600"),
    ("", "nil"), ("90", "nil"), ("1h1h", "nil"), ("1m2h", "nil"), ("P", "nil"), ("PT", "nil"), ("P1H", "nil"),
    ("P1DT", "nil"),
    ("P1Y", "nil"), ("P1M", "nil"), ("PT1M", "60"), ("1.5h2m", "nil"), ("h", "nil"), ("1x", "nil"),
    ("1.h", "nil"), ("-", "nil"),
  ])
  func durationsAreExactSeconds(_ text: String, _ expected: String) {
    let seconds = TablerEngine.Duration(Array(text.utf8).span)?.seconds
    #expect(written(seconds.map(Number.decimal)) == expected)
  }

  @Test(
    arguments: [
      ("1970-01-01", 0), ("2026-11-21", 1_795_219_200), ("20261121", 1_795_219_200),
      ("2000-02-29", 951_782_400),
      ("1969-12-31T23:59:59Z", -1), ("2026-11-21T08:01:01", 1_795_248_061),
      ("2026-11-21 08:01:01", 1_795_248_061),
      ("2026-11-21T08:01:01+02:00", 1_795_240_861), ("2026-11-21T08:01:01-0130", 1_795_253_461),
      ("20261121T080101Z", 1_795_248_061), ("2026-11-21T08:01", 1_795_248_060),
      ("2026-11-21T08", 1_795_248_000),
      ("2026-11-21T24:00", 1_795_305_600), ("0000-03-01", -62_162_035_200), (" 1970-01-01 ", 0),
      ("2025-02-29", nil), ("2026-13-01", nil), ("2026-1-1", nil), ("2026-11-21T25:00", nil),
      ("2026-11-21T24:01", nil),
      ("2026-11-21T08:60", nil), ("2026-11-21Z", nil), ("2026-11-21T", nil), ("2026-11", nil), ("", nil),
      ("21.11.2026", nil),
      ("2026-11-21T08:01:01+", nil), ("2026-11-21T08:01:01.", nil), ("2026-1121", nil),
    ] as [(String, Int64?)])
  func datesCountSecondsSinceTheEpoch(_ text: String, _ expected: Int64?) {
    #expect(CivilDateTime(Array(text.utf8).span)?.secondsSinceEpoch == expected)
  }

  @Test func finerDigitsOrderWithinASecond() throws {
    let early = try #require(moment("2026-11-21T08:01:01.25"))
    let late = try #require(moment("2026-11-21T09:01:01,2500000019+01"))
    #expect(early.nanosecond == 250_000_000 && late.nanosecond == 250_000_001)
    #expect(early < late && early.offset == nil && late.offset == 3600)
  }

  @Test func everyDayFollowsTheOneBefore() {
    var expected = (CivilDate(year: 0, month: 1, day: 1)?.daysSinceEpoch ?? 0) - 1
    for year in 0...9999 {
      for month in 1...12 {
        for day in [1, CivilDate.days(inMonth: month, of: year)] {
          expected += day == 1 ? 1 : day - 1
          #expect(CivilDate(year: year, month: month, day: day)?.daysSinceEpoch == expected)
        }
      }
    }
  }
}
