import Testing

@testable import TablerEngine

/// `--ends`: which parts of a table are passed on.
struct RowEndsTests {
  /// Passes sections of these sizes, in pieces of some rows, and describes what comes out.
  private static func passed(_ count: Int, _ sizes: [Int], pieces: Int) throws -> String {
    let total = sizes.reduce(0, +)
    guard var ends = RowEnds(count, of: total, isASCII: true) else { return "all" }
    var words: [String] = []
    func pass(_ part: SectionPart) {
      ends.pass(part) { part in
        switch part {
        case .begin: words.append("[")
        case .rows(let rows, let range): words += range.map { "\(rows.ids[$0].row)" }
        case .gap(let text, let count):
          words.append("(\(count))")
          #expect(String(decoding: text, as: UTF8.self).hasPrefix("... \(count) row"))
        case .end: words.append("]")
        }
      }
    }
    let rows = try SampleTable.csv("a\n" + String(repeating: "x\n", count: total)).rows
    var start = 0
    for size in sizes {
      pass(.begin(heading: nil))
      for first in stride(from: start, to: start + size, by: pieces) {
        pass(.rows(rows, first..<min(first + pieces, start + size)))
      }
      pass(.end(footers: []))
      start += size
    }
    return words.joined(separator: " ")
  }

  @Test(
    "rows between the ends are left out, and sections without a row",
    arguments: [
      (2, [12], "[ 0 1 (8) 10 11 ]"), (5, [12], "[ 0 1 2 3 4 (2) 7 8 9 10 11 ]"), (6, [12], "all"),
      (Int.max, [12], "all"),
      (1, [3, 3, 3, 3], "[ 0 (10) ] [ 11 ]"), (3, [3, 3, 3, 3], "[ 0 1 2 (6) ] [ 9 10 11 ]"),
      (4, [3, 3, 3, 3], "[ 0 1 2 ] [ 3 (4) ] [ 8 ] [ 9 10 11 ]"),
      (5, [5, 7], "[ 0 1 2 3 4 (2) ] [ 7 8 9 10 11 ]"), (2, [2, 8, 2], "[ 0 1 (8) ] [ 10 11 ]"),
      (2, [1, 10, 1], "[ 0 ] [ 1 (8) 10 ] [ 11 ]"),
    ])
  func leavesRowsOut(_ count: Int, _ sizes: [Int], _ expected: String) throws {
    for pieces in [1, 2, 5, 12] { #expect(try Self.passed(count, sizes, pieces: pieces) == expected) }
  }
}
