import Foundation
import Testing

@testable import TablerEngine

/// The same tables sorted by programs that sorted long before.
@Suite("Sorting as others do")
struct SortPeerTests {
  /// What one run of GNU sort is asked, and the key that means the same.
  struct GNU: Sendable, CustomTestStringConvertible {
    var comparison: SortKey.Comparison
    var flags: String
    var isDescending: Bool

    var testDescription: String { "-k2,2\(flags)" }
  }

  static let gnu: [GNU] = [
    GNU(comparison: .text, flags: "", isDescending: false),
    GNU(comparison: .text, flags: "r", isDescending: true),
    GNU(comparison: .number, flags: "n", isDescending: false),
    GNU(comparison: .number, flags: "nr", isDescending: true),
    GNU(comparison: .size, flags: "h", isDescending: false),
    GNU(comparison: .size, flags: "hr", isDescending: true),
  ]

  // R60
  @Test(
    "agrees with GNU sort -s",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sort")),
    arguments: gnu, [UInt64(1), 2, 3])
  func coreutils(_ test: GNU, seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let cells = (0..<2000).map { _ in Self.cell(for: test.comparison, &random) }
    let sample = try SortSample(csv: "n,x\n" + cells.enumerated().map { "\($0),\($1)\n" }.joined())
    let key = SortKey.column(
      "x", test.comparison, descending: test.isDescending, nulls: test.isDescending ? .last : .first)
    let lines = cells.enumerated().map { "\($0),\($1)\n" }.joined()
    let sorted = try output(of: "/usr/bin/sort", ["-s", "-t,", "-k2,2\(test.flags)"], lines)
    let expected = sorted.split(separator: "\n").map { String($0.prefix { $0 != "," }) }
    #expect(expected.count == cells.count)
    #expect(try sample.values("n", [key]) == expected)
  }

  @Test(
    "agrees with SQLite's ORDER BY on numbers, texts and nulls by two keys",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")),
    arguments: [UInt64(1), 2, 3, 4])
  func sqlite(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let rows = (0..<2000).map { _ in (Self.cell(for: .auto, &random), Self.cell(for: .auto, &random)) }
    let sample = try SortSample(
      csv: "n,x,y\n" + rows.enumerated().map { "\($0),\($1.0),\($1.1)\n" }.joined())
    let (isDescending, nulls) = (seed % 2 == 0, seed > 2 ? NullPlacement.first : .last)
    let keys: [SortKey] = [
      .column("x", descending: isDescending, nulls: nulls),
      .column("y", descending: !isDescending, nulls: nulls),
    ]
    let values = rows.enumerated().map { "(\($0),\(Self.literal($1.0)),\(Self.literal($1.1)))" }
    let end = "NULLS \(nulls.rawValue)"
    let query = """
      CREATE TABLE t(n, x, y);
      INSERT INTO t VALUES \(values.joined(separator: ","));
      SELECT n FROM t ORDER BY x \(isDescending ? "DESC" : "ASC") \(end),
        y \(isDescending ? "ASC" : "DESC") \(end), n;
      """
    let expected = try output(of: "/usr/bin/sqlite3", [":memory:"], query).split(separator: "\n").map(
      String.init)
    #expect(expected.count == rows.count)
    #expect(try sample.values("n", keys) == expected)
  }

  /// A cell that both sides read alike, with many ties.
  private static func cell(for comparison: SortKey.Comparison, _ random: inout SplitMix) -> String {
    func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    // GNU sort takes nothing for zero.
    if comparison == .text || comparison == .auto, pick(12) == 0 { return "" }
    switch comparison {
    case .text: return text(&random)
    case .size:
      let unit = ["", "K", "M", "G", "T", "P"][pick(6)]
      // As du -h prints: a decimal below ten, whole numbers up to 1023.
      return unit.isEmpty || pick(2) == 0 ? "\(pick(1024))\(unit)" : "\(1 + pick(9)).\(pick(10))\(unit)"
    case .number:
      let digits = (0...pick(30)).map { _ in String(pick(10)) }.joined()
      let decimals = (0..<pick(30)).map { _ in String(pick(10)) }.joined()
      return (pick(3) == 0 ? "-" : "") + (pick(2) == 0 ? "\(pick(20))" : digits)
        + (decimals.isEmpty ? "" : "." + decimals)
    default:
      switch pick(4) {
      case 0: return text(&random)
      case 1: return "\(Int64(bitPattern: random.next()) >> Int64(pick(63)))"
      case 2: return "\(pick(100) - 50).\(pick(100))"
      default: return "\(9_007_199_254_740_990 + pick(6))"
      }
    }
  }

  private static func text(_ random: inout SplitMix) -> String {
    let parts = ["a", "ab", "abcdefg", "B", "b", "ä", "日本", "🥝", " ", "x", "zz"]
    return "t" + (0..<Int(random.next() % 8)).map { _ in parts[Int(random.next() % 11)] }.joined()
  }

  private static func literal(_ cell: String) -> String {
    cell.isEmpty ? "NULL" : cell.hasPrefix("t") ? "'\(cell)'" : cell
  }

  /// What a program writes when it reads `input`.
  private func output(of program: String, _ arguments: [String], _ input: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ["LC_ALL": "C"]
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    try process.run()
    standardInput.fileHandleForWriting.write(Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let output = String(decoding: standardOutput.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return output
  }
}
