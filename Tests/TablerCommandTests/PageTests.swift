import Foundation
import Testing

/// Pages do not change rows.
@Suite struct PageTests {
  /// Rows of one and of several lines, in sections.
  static let input =
    "id,name,kind\n"
    + (0..<60).map { row in
      "\(row),\(row % 7 == 3 ? "\"a\nb\nc\"" : "n\(row)"),\(row / 13)\n"
    }.joined()

  static let ways = [
    [], ["--no-header"], ["--footer", "titles"], ["--footer", "totals", "--footer-spacing", "1"],
    ["--row-rules"], ["--row-spacing", "1", "--header-spacing", "1"], ["--zebra", "--color", "always"],
    ["--lookahead", "5", "--footer", "totals"], ["--follow"], ["--item-padding", "1"],
    ["--select", "2,-1", "--selection-style", "overlay"], ["--sort", "-id"], ["--row-names", "name"],
    ["--section-by", "kind", "--section-header", "§ {section}"],
    [
      "--section-by", "kind", "--section-header", "§ {section}: {count()}", "--section-footer", "§ {count()}",
    ],
    ["--section-by", "kind", "--section-header", "none", "--section-footer", "totals"],
  ]

  @Test(arguments: ways, [12, 17, 40, 10_000])
  func `R39 pages keep all rows and their line limit`(
    _ options: [String], _ height: Int
  ) throws {
    let whole = try Run(["--grid", "--width", "30"] + options, input: Self.input)
    let paged = try Run(["--grid", "--width", "30", "--page", "\(height)"] + options, input: Self.input)
    #expect(whole.status == 0 && paged.status == 0 && paged.errors == whole.errors)
    let header = options.contains("--no-header") ? nil : Self.lines(whole).first { $0.contains("name") }
    let pages = Self.pages(paged)
    if height == 10_000 { #expect(paged.output == whole.output) } else { #expect(pages.count > 1) }
    for page in pages { #expect(page.count <= height, "\(page)") }
    if let header {
      let count = options.contains("titles") ? 2 : 1
      for page in pages { #expect(page.count { $0 == header } == count, "\(page)") }
    }
    #expect(Self.rows(pages.flatMap { $0 }) == Self.rows(Self.lines(whole)))
  }

  @Test func `a row that is taller than a page goes on where the next one begins`() throws {
    let run = try Run(["--grid", "--page", "6"], input: "id,b\n1,\"v\nw\nx\"\n2,y\n")
    let pages = Self.pages(run)
    #expect(pages.map(\.count) == [6, 6])
    #expect(Self.rows(pages.flatMap { $0 }) == ["│  1 │ v │", "│    │ w │", "│    │ x │", "│  2 │ y │"])
  }

  @Test func `a title that is cut on every page is counted once`() throws {
    let options = ["--grid", "--header-height", "1", "--width", "14", "--footer", "titles"]
    let input = "id,a long title of words\n" + (1...30).map { "\($0),x\n" }.joined()
    let run = try Run(options + ["--page", "8"], input: input)
    #expect(try run.errors == Run(options, input: input).errors)
  }

  @Test(arguments: [
    ["--list"], ["--detail"], ["--html"], ["--markdown"], ["--stack", "--header-position", "inside"],
    ["--grid", "--grid-items", "adaptive(10)"],
  ])
  func `pages are refused where no header stands outside of the rows`(_ options: [String]) throws {
    let run = try Run(options + ["--page", "9"], input: Self.input)
    #expect(run.status == 2 && run.output.isEmpty && run.errors.text.contains("--page"))
  }

  @Test(arguments: ["auto", "none"])
  func `a pipe has pages only with a given height`(_ value: String) throws {
    let run = try Run(["--grid", "--page", value], input: Self.input)
    #expect(try run.output == Run(["--grid"], input: Self.input).output)
  }

  private static func lines(_ run: Run) -> [String] {
    run.output.text.split(separator: "\n").map(String.init)
  }

  /// The lines of each page: every one begins with the top of the frame.
  private static func pages(_ run: Run) -> [[String]] {
    var pages: [[String]] = []
    for line in lines(run) {
      if line.contains("╥") || line.contains("┬"), line.contains("┌"), line.contains("┐") {
        pages.append([])
      }
      if !pages.isEmpty { pages[pages.count - 1].append(line) }
    }
    return pages
  }

  /// The lines that hold cells of rows.
  private static func rows(_ lines: [String]) -> [String] {
    let marks = ["§", "id", "1770", "═", "─"]
    return lines.filter { line in
      line.contains("│") && !marks.contains { line.contains($0) }
        && line.contains { $0.isLetter || $0.isNumber }
    }
  }
}
