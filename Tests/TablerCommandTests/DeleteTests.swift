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
      // Numbers of no row are warned of.
      #expect(run.status == 0 && run.errors.isEmpty != deletions[0].hasSuffix("99"), "\(run.errors.text)")
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
    // Counted once, though several deletions name the row, of which some hold rows back.
    (["-1", "-2"], "false", Array(1...12), "2 rows", 11),
    (["-2", "-1"], "false", Array(1...12), "2 rows", 11),
    (["-3..", "-4..", "-2"], "$1 != 11 and $1 != 9", Array(1...6) + [9, 11], "2 rows", 9),
    (["3..5,9", "-9..-6,-1"], "$1 % 2 = 0", [1, 2, 3, 5] + Array(7...11), "4 rows", 3),
    (["$1 > 6", "-6.."], "$1 = 8", Array(1...7) + Array(9...12), "6 rows", 6),
    (["-6..", "$1 > 5"], "$1 = 8", Array(1...7) + Array(9...12), "6 rows", 6),
    (
      ["-6..", "$1 = 2", "$1 > 5", "2..3,-2"], "$1 = 8 or $1 = 2", [1] + Array(3...7) + Array(9...12),
      "8 rows", 3
    ),
    // The first of the rows, not the first that was refused.
    (["5..", "2"], "false", Array(1...12), "9 rows", 2),
    (["5", "-9.."], "false", Array(1...12), "9 rows", 4),
  ])
  func `R50 rows that may not go stay, are counted, and the first is named`(
    _ deletions: [String], _ guarding: String, _ left: [Int], _ count: String, _ line: Int
  ) throws {
    let options = deletions.flatMap { ["--delete", $0] } + ["--can-delete", guarding, "-H", "--csv"]
    for more in [[], ["--memory", "1K"]] {
      let run = try Run(options + more, input: Self.lines(1...12))
      #expect(run.output.text == Self.lines(left))
      #expect(run.status == 0)
      #expect(
        run.errors.text
          == "tabler: warning: \(count) may not be deleted (--can-delete; first: <stdin>:\(line))\n")
    }
  }

  /// A deletion, and whether it names a row: by its place, counted from 1, among so many, and its number.
  private struct Deletion: Sendable {
    var text: String
    var isNamed: @Sendable (_ place: Int, _ count: Int, _ number: Int) -> Bool
  }

  private static let manyDeletions: [[Deletion]] = [
    [
      Deletion(text: "-2000..") { place, count, _ in place > count - 2000 },
      Deletion(text: "-3000..-1500") { place, count, _ in place > count - 3000 && place <= count - 1499 },
      Deletion(text: "$1 % 7 = 0") { _, _, number in number % 7 == 0 },
      Deletion(text: "-100..,1..5") { place, count, _ in place > count - 100 || place <= 5 },
    ],
    [
      Deletion(text: "$1 % 3 = 0") { _, _, number in number % 3 == 0 },
      Deletion(text: "100..200,-100..-50") { place, count, _ in
        100...200 ~= place || place > count - 100 && place <= count - 49
      },
      Deletion(text: "150..12000") { place, _, _ in 150...12_000 ~= place },
      Deletion(text: "-1") { place, count, _ in place == count },
    ],
    [
      Deletion(text: "..-2") { place, count, _ in place < count },
      Deletion(text: "2..") { place, _, _ in place > 1 }, Deletion(text: "-20000..") { _, _, _ in true },
    ],
  ]

  @Test(arguments: 0..<3)
  func `R50 a row of many batches is counted once`(_ index: Int) throws {
    var left = Array(1...20_000)
    var refused: Set<Int> = []
    for deletion in Self.manyDeletions[index] {
      let named = left.indices.filter { deletion.isNamed($0 + 1, left.count, left[$0]) }.map { left[$0] }
      refused.formUnion(named.filter { $0 % 4 == 1 })
      let going = Set(named).subtracting(refused)
      left.removeAll { going.contains($0) }
    }
    let options =
      Self.manyDeletions[index].flatMap { ["--delete", $0.text] } + ["--can-delete", "$1 % 4 != 1"]
    for memory in ["1K", "1G"] {
      let run = try Run(options + ["-H", "--csv", "--memory", memory], input: Self.lines(1...20_000))
      #expect(run.output.text == Self.lines(left) && run.status == 0)
      let start = "tabler: warning: \(refused.count) rows may not be deleted (--can-delete; first: <stdin>:"
      let errors = run.errors.text.replacing(",", with: "")
      #expect(errors == start + "\(refused.min() ?? 0))\n", "\(run.errors.text)")
    }
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
