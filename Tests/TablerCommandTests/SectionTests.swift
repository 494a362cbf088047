import Foundation
import Testing

/// Sections do not change their rows.
@Suite struct SectionTests {
  /// Rows of several sections; some values come back, and some cells need quotes, escapes or several lines.
  static let rows: String = {
    let names = ["Kiwi", "\"Ban,ana\"", "日本🍌", "\"pur\"\"ple\"", "", "\"two\nlines\"", "a|b<c>", "*"]
    return (0..<400).map { row in
      "\(row),\(names[row % names.count]),\(row * 31 % 97),\(row / 23 % 11)\n"
    }.joined()
  }()

  static let input = "id,name,weight,kind\n" + rows

  /// A mark that stands in every heading and footer, and in no cell.
  static let marks = [
    "--section-header", "§ {section}", "--section-footer", "§ {count()} in all, {sum(weight)} g",
  ]

  static let ways = [
    [], ["--head", "200", "--skip", "3"], ["--sort", "-weight"], ["--filter", "weight > 40"],
    ["--tail", "150"],
    ["--head=-50"], ["--move", "30..60 to bottom"], ["--memory", "1K", "--sort", "kind"],
    ["--section-by", "if(id % 50 = 0, id, null)"], ["--lookahead", "30"],
  ]

  @Test(arguments: Choice.layouts + ["--html", "--markdown --lookahead 0"], ways)
  func `R39 a table with sections holds the same cells as one without`(
    _ form: String, _ options: [String]
  ) throws {
    let form = form.split(separator: " ").map(String.init)
    // Footers are as wide as any cell.
    if form[0] == "--markdown", options.first == "--lookahead" { return }
    let plain = try Run(
      ["--footer", "totals"].filter { _ in form != ["--detail"] } + form
        + options.filter { $0 != "--section-by" && !$0.hasPrefix("if(") }, input: Self.input)
    let parted = try Run(
      ["--section-by", "kind"] + Self.marks + ["--footer", "totals"].filter { _ in form != ["--detail"] }
        + form
        + options, input: Self.input)
    #expect(plain.status == 0 && parted.status == 0)
    #expect(parted.output.text.contains("§"))
    #expect(Self.cells(parted.output.text, form) == Self.cells(plain.output.text, form))
  }

  /// The lines of a table that hold cells.
  private static func cells(_ text: String, _ form: [String]) -> [String] {
    var lines = text.split(separator: "\n").map(String.init).filter { !$0.contains("§") && !$0.isEmpty }
    switch form[0] {
    case "--grid": lines = lines.filter { $0.hasPrefix("│") }
    case "--html":
      // What differs is the style, the titles of cards and where bodies begin.
      let table = text.components(separatedBy: "<thead>").last ?? ""
      lines = table.components(separatedBy: "\n").map {
        $0.replacing("<tbody>", with: "").replacing("</tbody>", with: "")
      }
      lines = lines.filter { !$0.contains("§") && !$0.isEmpty }
    default: break
    }
    return lines
  }

  @Test func `R34 headings and footers never break the frame`() throws {
    for heading in ["x", "{section} 日本語の見出し🍌 and words, words", "§\u{301}\u{202E}\t{section}\n\u{1B}[1m"] {
      for options in [
        [], ["-w", "40"], ["-w", "20"], ["-w", "7"], ["-w", "40", "--overflow", "truncate"],
        ["-w", "30", "--overflow", "scroll"], ["--columns", "kind"], ["--columns", "weight", "--no-header"],
        ["--border", "double", "--row-names", "name"], ["--lookahead", "3"], ["--item-padding", "1 2"],
        ["--ambiguous-width", "2", "-w", "50"], ["--single-line", "-w", "33"],
      ] {
        let run = try Run(
          [
            "--grid", "--section-by", "kind", "--section-header", heading, "--section-footer", heading, "-n",
            "60",
          ]
            + options,
          input: "id,name,weight,kind\n" + (0..<60).map { "\($0),Kiwi,\($0 * 7),\($0 / 9)\n" }.joined())
        #expect(run.status == 0)
        let lines = run.output.text.split(separator: "\n")
        #expect(
          lines.allSatisfy {
            "┌│├╞└╔║╟╠╚".contains($0.first ?? " ") && "┐│┤╡┘╗║╢╣╝".contains($0.last ?? " ")
          })
        // What is ASCII or a frame is one cell wide.
        let plain = lines.filter {
          $0.unicodeScalars.allSatisfy { $0.isASCII || (0x2500..<0x2580).contains($0.value) }
        }
        if !options.contains("--ambiguous-width") {
          #expect(Set(plain.map(\.count)).count == 1, "\(options)")
        }
      }
    }
  }
}
