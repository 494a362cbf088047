import Foundation
import Testing

/// Columns that are computed are as good as those that are read.
@Suite struct DeriveTests {
  /// The same rows without and with the last two columns.
  private struct Tables {
    var short: String
    var long: String
  }

  /// Rows of csv; some names need quotes, some weights are missing.
  private static func csv(_ count: Int) -> Tables {
    var tables = Tables(short: "id,name,weight\n", long: "id,name,weight,double,label\n")
    for row in 0..<count {
      let name = ["Kiwi", "Ban,ana", "日本🍌", "pur\"ple", "", "Fig"][row % 6]
      let spelled =
        name.contains(",") || name.contains("\"") ? "\"\(name.replacing("\"", with: "\"\""))\"" : name
      let weight = row % 7 == 3 ? "" : "\(row * 31 % 997).\(row % 10)5"
      let double = weight.isEmpty ? "" : "\((row * 31 % 997) * 200 + (row % 10 * 10 + 5) * 2)"
      let scaled = double.isEmpty ? "" : hundredths(double)
      let label = name.isEmpty ? "" : name + ", \(row)"
      let quoted = label.isEmpty ? "" : "\"\(label.replacing("\"", with: "\"\""))\""
      tables.short += "\(row),\(spelled),\(weight)\n"
      tables.long += "\(row),\(spelled),\(weight),\(scaled),\(quoted)\n"
    }
    return tables
  }

  /// A number of hundredths, with its point.
  private static func hundredths(_ digits: String) -> String {
    let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    return padded.dropLast(2) + "." + padded.suffix(2)
  }

  /// Rows of JSON lines, which have other keys here and there.
  private static func json(_ count: Int) -> Tables {
    var tables = Tables(short: "", long: "")
    for row in 0..<count {
      let name = ["Kiwi", "日本🍌", "a\\\"b", "tab\\t"][row % 4]
      let key = row % 50 == 49 ? "\"more\":[\(row)]," : ""
      let start = "{\(key)\"id\":\(row),\"name\":\"\(name)\",\"weight\":\(row * 31 % 997)"
      tables.short += start + "}\n"
      tables.long += start + ",\"double\":\((row * 31 % 997) * 2),\"label\":\"\(name), \(row)\"}\n"
    }
    return tables
  }

  /// So many rows that they are cut, sorted and spilled in parts.
  private static let many = csv(5_000)
  private static let derivation = "double = weight * 2; label = name ++ ', ' ++ id"

  @Test(arguments: Choice.all)
  func `a computed column is written and drawn as one that was read`(_ form: String) throws {
    for tables in [Self.csv(40), Self.json(120)] {
      for options in [
        [], ["--sort", "-double"], ["--sort", "label:natural,-id"], ["--sort", "double", "--head", "7"],
        ["--filter", "double > 500 and label like '%1'"], ["--move", "3..5 to bottom"], ["--tail", "9"],
        ["--head=-4"], ["-c", "label,double,id"], ["--hide", "id"], ["--sort", "-double", "--memory", "1K"],
        ["--move", "(double > 900) to top", "--memory", "1K"], ["--format", "double={:.1f}"],
      ] {
        // Of JSON, keys that come late stand before what is computed.
        let hasOwnOrder = ["--to=json", "--to=jsonl", "--detail"].contains(form)
        let columns = hasOwnOrder ? [] : ["-c", "id,name,weight,double,label"]
        // A computed null shows `--missing`, an empty cell of csv nothing.
        // A page marks it besides.
        let missing =
          switch form {
          case _ where Choice.data.contains(form): [String]()
          case "--to=html": ["--filter", "weight is not null and name is not null"]
          default: ["--missing", ""]
          }
        let all = [form] + columns + options + missing
        let expected = try Run(all, input: tables.long)
        let found = try Run(all + ["--derive", Self.derivation], input: tables.short)
        #expect(expected.status < 2 && expected.output.count > 0, "\(all)")
        #expect(found.output.text == expected.output.text, "\(all)")
        #expect(found.status == expected.status, "\(all)")
      }
    }
  }

  @Test(arguments: [
    [], ["--sort", "-double"], ["--sort", "-double", "--memory", "64K"], ["--move", "1 to bottom"],
    ["--move", "(double > 1900) to top", "--memory", "64K"], ["--tail", "3000", "--memory", "64K"],
    ["--sort", "label", "--head", "1000"], ["--filter", "double < 50"],
  ])
  func `computed cells come again where rows are cut again, spilled, sorted and moved`(_ options: [String])
    throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString).csv")
    defer { try? FileManager.default.removeItem(at: file) }
    let tables = Self.many
    try Data(tables.short.utf8).write(to: file)
    for form in ["--csv", "--list"] {
      let missing = form == "--list" ? ["--missing", ""] : []
      let all = [form, "-c", "id,name,weight,double,label"] + options + missing
      let expected = try Run(all, input: tables.long)
      let derive = ["--derive", Self.derivation]
      let piped = try Run(all + derive, input: tables.short)
      let read = try Run(all + derive + [file.path], input: "")
      #expect(expected.status == 0 && expected.output.count > 1000, "\(all)")
      #expect(piped.output == expected.output, "\(all)")
      #expect(read.output == expected.output, "\(all)")
    }
  }

  @Test(arguments: [
    ("name = 1", "tabler: --derive: column 'name' exists; --set changes it\n  name = 1\n  ^~~~\n"),
    (
      "= 1",
      "tabler: --derive: assignment needs a column on the left, as in 'bmi = weight/height^2'\n  = 1\n  ^\n"
    ),
    ("kg =", "tabler: --derive: expected a value after '='\n  kg =\n      ^\n"),
    ("kg = weight where", "tabler: --derive: expected a value after 'where'\n"),
    ("kg = 1 2", "tabler: --derive: expected an operator, not '2'\n"),
    ("a = 1; a = 2", "tabler: --derive: column 'a' exists; --set changes it\n  a = 1; a = 2\n         ^\n"),
    ("and = 1", "tabler: --derive: assignment needs a column on the left"),
    (
      "$9 = 1",
      "tabler: --derive: a new column needs a name; '$9' is a position, by which --set changes a column\n  $9 = 1\n  ^~\n"
    ),
    ("kg = wieght", "tabler: --derive: column 'wieght' not found; did you mean 'weight'?\n"),
    ("", "tabler: --derive: needs a value, but it is empty\n"),
  ])
  func `an assignment that means nothing is refused before a row is read`(
    _ derivation: String, _ message: String
  ) throws {
    let run = try Run(["--derive", derivation], input: Self.csv(2).short)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.text.hasPrefix(message), "\(run.errors.text)")
  }

  /// Rows with comments between them; the second column is what the first is padded to.
  private static let padded: Tables = {
    var tables = Tables(short: "a\n", long: "a,x\n")
    let hyphens = String(repeating: "-", count: 100_000)
    for row in 1...200 {
      let comment = row % 17 == 3 ? "# \(row)\n" : ""
      tables.short += "\(comment)\(row)\n"
      tables.long += "\(comment)\(row),\(row)\(hyphens.dropFirst("\(row)".count))\n"
    }
    return tables
  }()

  @Test(arguments: [
    ["--csv"], ["--csv", "--sort", "-a"], ["--list", "--tail", "3"], ["--jsonl", "--head", "150"],
    ["--csv", "--delete", "-1,3"], ["--csv", "--filter", "a % 7 = 0"],
    ["--csv", "--move", "1 to bottom", "--memory", "1K"],
    ["--csv", "--sorted-by", "a", "--filter", "n > 120"],
    ["--csv", "--filter", "must(a < 180)"], ["--csv", "--head", "150"],
  ])
  func `R52 rows whose computed cells do not fit together are taken in parts`(_ options: [String]) throws {
    let all = options + ["--comment", "#"]
    let expected = try Run(all, input: Self.padded.long)
    let run = try Run(all + ["--derive", "x = rpad(a, 100000, \"-\")"], input: Self.padded.short)
    #expect(run.output == expected.output)
    #expect(run.status == expected.status)
    #expect(run.errors == expected.errors)
  }

  @Test(arguments: [2, 60, 130, 149, 150, 151])
  func `R66 keys are shown whatever part of the rows they come in`(_ row: Int) throws {
    let input = (1...200).map { "{\"a\":\($0)\($0 == row ? ",\"z\":1" : "")}\n" }.joined()
    for options in [
      ["--lookahead", "150", "--grid"], ["--head", "150", "--csv"], ["--lookahead", "5", "--csv"],
    ] {
      let all = options + ["--hide", "x"]
      let run = try Run(all + ["--derive", "x = rpad(text(a), 100000)"], input: input)
      let expected = try Run(options, input: input)
      #expect(run.output == expected.output && run.errors == expected.errors, "\(options)")
    }
  }

  @Test
  func `R52 a row whose computed cells do not fit into the budget ends the run`() throws {
    let derivations = (1...40).flatMap { ["--derive", "x\($0) = repeat(a, 900000)"] }
    let run = try Run(["--csv", "-c", "a", "--memory", "1M"] + derivations, input: "a\n1\n")
    #expect(run.status == 3)
    #expect(
      run.errors.text.hasPrefix(
        "tabler: <stdin>:2: the record that begins here is larger than the memory budget"),
      "\(run.errors.text)")
    let fitting = try Run(["--csv", "-c", "a", "--memory", "1G"] + derivations, input: "a\n1\n")
    #expect(fitting.status == 0)
  }
}
