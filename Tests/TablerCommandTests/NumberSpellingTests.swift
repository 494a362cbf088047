import Foundation
import Testing

/// However a number is spelled, it compares, sorts and adds up as Python's `decimal` says (R26, R27).
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "python3 is not installed"))
struct NumberSpellingTests {
  /// Numbers spelled at random, the same in every run.
  private struct Speller {
    var generator = Splitter(state: 20_260_501)

    /// A spelling of `digits` times ten to the power of `power`, one of many.
    mutating func spelling(_ digits: String, power: Int, isJSON: Bool) -> String {
      var digits = digits
      var power = power
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        digits += "0"
        power -= 1
      }
      if (-6 ... -1).contains(power), Bool.random(using: &generator) {
        while digits.count <= -power { digits = "0" + digits }
        return digits.dropLast(-power) + "." + digits.suffix(-power)
      }
      if (0...6).contains(power), Bool.random(using: &generator) {
        digits += String(repeating: "0", count: power)
        power = 0
      }
      let point = isJSON ? 1 : Int.random(in: 0...digits.count, using: &generator)
      let exponent = power + digits.count - point
      if power == 0, Bool.random(using: &generator) { return digits }
      var text = String(digits.prefix(point))
      if point < digits.count || (!isJSON && Bool.random(using: &generator)) {
        text += "." + digits.dropFirst(point)
      }
      let sign = exponent >= 0 && Bool.random(using: &generator) ? "+" : ""
      return text
        + (exponent == 0 ? "" : (Bool.random(using: &generator) ? "e" : "E") + sign + String(exponent))
    }

    /// Two spellings of numbers that are equal, or near to one another, more often than not.
    mutating func pair(longest: Int, powers: ClosedRange<Int>, isJSON: Bool = false) -> (String, String) {
      let count = Int.random(in: 1...longest, using: &generator)
      let digits = (0..<count).map { String(Int.random(in: ($0 == 0 ? 1 : 0)...9, using: &generator)) }
        .joined()
      let power = Int.random(in: powers, using: &generator)
      var other = digits
      var otherPower = power
      switch Int.random(in: 0...5, using: &generator) {
      case 0: other = digits.dropLast() + "7"
      case 1:
        other += "1"
        otherPower -= 1
      case 2: otherPower += Int.random(in: -2...2, using: &generator)
      default: break
      }
      let signs = isJSON ? ["", "-"] : ["", "", "-", "+"]
      let sign = signs.randomElement(using: &generator) ?? ""
      let otherSign = Int.random(in: 0...7, using: &generator) == 0 ? "-" : sign
      return (
        sign + spelling(digits, power: power, isJSON: isJSON),
        otherSign + spelling(other, power: otherPower, isJSON: isJSON)
      )
    }
  }

  /// SplitMix64.
  private struct Splitter: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }

  private static let operators = ["=", "<", "<=", ">", ">=", "in"]

  /// What Python says of a program's lines.
  private static func python(_ program: String, _ input: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", program]
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    process.standardInput = try FileHandle(forReadingFrom: file)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile().text
    process.waitUntilExit()
    return output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// For each operator the rows whose first number stands so to the second, then the rows sorted by the first.
  private static let comparing = """
    import sys, operator
    from decimal import Decimal
    rows = [(r[0], Decimal(r[1]), Decimal(r[2])) for r in (l.rstrip('\\n').split(',') for l in sys.stdin)]
    for name in ('eq', 'lt', 'le', 'gt', 'ge', 'eq'):
        print(' '.join(r[0] for r in rows if getattr(operator, name)(r[1], r[2])))
    print(' '.join(r[0] for r in sorted(rows, key=lambda r: r[1])))
    """

  private static let adding = """
    import sys
    from decimal import Decimal, getcontext
    getcontext().prec = 100
    numbers = [Decimal(l) for l in sys.stdin]
    print(*(format(n, 'f') for n in (sum(numbers), min(numbers), max(numbers))))
    """

  private func ids(_ arguments: [String], _ input: String, isJSON: Bool = false) throws -> String {
    let run = try Run(arguments + ["--columns", "id", "--csv"], input: input)
    #expect(run.errors.text == "")
    return run.output.text.split(separator: "\n").dropFirst().joined(separator: " ")
  }

  @Test(arguments: [false, true])
  func pairsCompareAndSort(isJSON: Bool) throws {
    var speller = Speller()
    var plain = ""
    var input = isJSON ? "" : "id,a,b\n"
    for id in 0..<10_000 {
      let isLong = id % 5 == 0
      let powers = id % 50 == 0 ? -400...400 : isLong ? -60...40 : -12...8
      let (a, b) = speller.pair(longest: isLong ? 45 : 16, powers: powers, isJSON: isJSON)
      plain += "\(id),\(a),\(b)\n"
      input += isJSON ? "{\"id\":\(id),\"a\":\(a),\"b\":\(b)}\n" : "\(id),\(a),\(b)\n"
    }
    let expected = try Self.python(Self.comparing, plain)
    for (index, symbol) in Self.operators.enumerated() {
      let right = symbol == "in" ? "(b)" : "b"
      let isRight = try ids(["--filter", "a \(symbol) \(right)"], input) == expected[index]
      #expect(isRight, "a \(symbol) b")
    }
    for key in ["a", "(a)"] {
      let isSorted = try ids(["--sort", key], input) == expected[6]
      #expect(isSorted, "sorted by \(key)")
    }
  }

  @Test func cellsCompareWithLiterals() throws {
    var speller = Speller()
    var pairs: [(String, String)] = []
    while pairs.count < 400 {
      let isLong = pairs.count % 5 == 0
      pairs.append(speller.pair(longest: isLong ? 45 : 6, powers: isLong ? -60...40 : -8...4))
    }
    let input = "id,a\n" + pairs.enumerated().map { "\($0),\($1.0)\n" }.joined()
    let literals = pairs.map(\.1).filter { !$0.hasSuffix(".") && !$0.contains(".e") && !$0.contains(".E") }
      .prefix(40)
    for literal in literals {
      let plain = pairs.enumerated().map { "\($0),\($1.0),\(literal)\n" }.joined()
      let expected = try Self.python(Self.comparing, plain)
      for (index, symbol) in Self.operators.enumerated() {
        let right = symbol == "in" ? "(\(literal), \(literal))" : literal
        let isRight = try ids(["--filter", "a \(symbol) \(right)"], input) == expected[index]
        #expect(isRight, "a \(symbol) \(right)")
      }
    }
  }

  @Test func sumsAndExtremesAreExact() throws {
    var speller = Speller()
    for _ in 0..<20 {
      let numbers = (0..<500).map { _ in speller.pair(longest: 12, powers: -10...8).0 }
      let lines = numbers.map { $0 + "\n" }.joined()
      let run = try Run(["--footer", "v={sum(v)} {min(v)} {max(v)}"], input: "v\n" + lines)
      let last = run.output.text.split(separator: "\n").last.map { $0.drop { $0 == " " } }
      #expect(last.map(String.init) == (try Self.python(Self.adding, lines)[0]))
    }
  }
}
