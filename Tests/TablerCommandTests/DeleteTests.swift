import Foundation
import Testing

/// Rows that are taken away, by number and by expression.
@Suite struct DeleteTests {
  /// The numbers from 1 to `count`, a line each.
  private static func lines(_ numbers: some Sequence<Int>) -> String { numbers.map { "\($0)\n" }.joined() }

  @Test(arguments: [
    (["1"], Array(2...12)), (["-1"], Array(1...11)), (["2..4,-2.."], [1] + Array(5...10)),
    (["5.."], Array(1...4)),
    (["..-5"], Array(9...12)), (["2..-2"], [1, 12]), (["$1 > 3 and $1 < 11"], [1, 2, 3, 11, 12]),
    (["99"], Array(1...12)), (["-99"], Array(1...12)), (["..3,-9223372036854775807.."], []),
    (["-1", "-1"], Array(1...10)), (["-1", "1"], Array(2...11)), (["1", "1"], Array(3...12)),
    (["-2", "$1 = 12"], Array(1...10)), (["$1 = 12", "-2"], Array(1...9) + [11]),
  ])
  func `rows are counted among those that the deletion before left`(_ deletions: [String], _ left: [Int])
    throws
  {
    let options = deletions.flatMap { ["--delete", $0] } + ["-H", "--csv"]
    for more in [[], ["--memory", "1K"]] {
      let run = try Run(options + more, input: Self.lines(1...12))
      #expect(run.output.text == Self.lines(left))
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors.text)")
    }
  }

  @Test(arguments: [
    (["--filter", "$1 % 2 = 0", "--delete", "1,-1"], Array(stride(from: 4, to: 30_000, by: 2))),
    (["--delete", "-20000..", "--head", "3"], [1, 2, 3]), (["--delete", "2..", "--tail", "1"], [1]),
    (["--delete", "$1 > 2"], [1, 2]), (["--delete", "-29999..-2", "--sort", "-1"], [30_000, 1]),
    (["--delete", "3..", "--move", "1 to bottom"], [2, 1]),
    (["--delete", "2..-3", "--head=-1"], [1, 29_999]),
  ])
  func `deletions come after the filter and before all other steps`(_ options: [String], _ left: [Int]) throws
  {
    for memory in ["1K", "1G"] {
      let run = try Run(options + ["-H", "--csv", "--memory", memory], input: Self.lines(1...30_000))
      #expect(run.output.text == Self.lines(left))
      #expect(run.status == 0)
    }
  }

  @Test(arguments: [
    (["2"], "$1 > 4", Array(1...12), "1 row", 2),
    (["2..6"], "$1 > 4", [1, 2, 3, 4] + Array(7...12), "3 rows", 2),
    (["-3.."], "$1 != 11", Array(1...9) + [11], "1 row", 11),
    (["$1 < 3", "1"], "$1 = 2", [1] + Array(3...12), "1 row", 1),
  ])
  func `R50 rows that may not go stay, are counted, and the first is named`(
    _ deletions: [String], _ guarding: String, _ left: [Int], _ count: String, _ line: Int
  ) throws {
    let options = deletions.flatMap { ["--delete", $0] } + ["--can-delete", guarding, "-H", "--csv"]
    let run = try Run(options, input: Self.lines(1...12))
    #expect(run.output.text == Self.lines(left))
    #expect(run.status == 0)
    #expect(
      run.errors.text
        == "tabler: warning: \(count) may not be deleted (--can-delete; first: <stdin>:\(line))\n")
  }

  @Test func `R66 rows after the last one needed are not looked at`() throws {
    let input = Self.lines(1...5) + "\"open\n"
    let run = try Run(["--delete", "2", "--head", "3", "-H", "--csv"], input: input)
    #expect(run.output.text == Self.lines([1, 3, 4]) && run.status == 0)
  }

  @Test(arguments: [
    ("0", "tabler: --delete: the first row is 1, the last is -1; there is no row 0\n"),
    ("3..2", "tabler: --delete: this range ends before it begins"),
    ("weight >", "tabler: --delete: expected a value after '>'\n"),
    ("", "tabler: --delete: needs a value, but it is empty\n"), ("1 2", "tabler: --delete: expected"),
    ("\"a\"", "tabler: --delete: expected a condition, true or false"),
  ])
  func `what names no rows is refused`(_ rows: String, _ message: String) throws {
    let run = try Run(["--delete", rows], input: "weight\n1\n")
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.text.hasPrefix(message), "\(run.errors.text)")
  }
}
