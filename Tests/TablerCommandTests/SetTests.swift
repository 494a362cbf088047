import Foundation
import Testing

/// Cells that are changed are as good as those that are read, and nothing else changes.
@Suite struct SetTests {
  /// The same rows before and after the edits.
  private struct Tables {
    var old: String
    var new: String
  }

  /// Rows of csv: some names need quotes or have some without need, some weights are missing.
  private static func csv(_ count: Int) -> Tables {
    var tables = Tables(old: "id,name,weight\r\n", new: "id,name,weight\r\n")
    for row in 0..<count {
      let name = ["Kiwi", "Ban,ana", "日本🍌", "pur\"ple", "\"", "Fig"][row % 6]
      let isQuoted = name.contains(",") || name.contains("\"") || row % 5 == 0
      func spelled(_ name: String) -> String {
        isQuoted ? "\"\(name.replacing("\"", with: "\"\""))\"" : name
      }
      let weight = row % 7 == 3 ? "" : "\(row * 31 % 997).\(row % 10)5"
      let number = (row * 31 % 997) * 100 + row % 10 * 10 + 5
      let isHeavy = !weight.isEmpty && number > 50_000
      let end = row % 4 == 0 ? "\n" : "\r\n"
      tables.old += "\(row),\(spelled(name)),\(weight)\(end)"
      let doubled = weight.isEmpty || row % 3 != 0 ? weight : hundredths(number * 2)
      tables.new += "\(row),\(spelled(isHeavy ? name + "!" : name)),\(doubled)\(end)"
    }
    return tables
  }

  /// A number of hundredths, with its point.
  private static func hundredths(_ number: Int) -> String {
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    return padded.dropLast(2) + "." + padded.suffix(2)
  }

  /// Rows of JSON lines, some of which lack the weight.
  private static func json(_ count: Int) -> Tables {
    var tables = Tables(old: "", new: "")
    for row in 0..<count {
      let name = ["Kiwi", "日本🍌", "a\\\"b", "tab\\t"][row % 4]
      let weight = row * 31 % 997
      let hasWeight = row % 7 != 3
      func line(_ name: String, _ weight: Int?) -> String {
        "{\"name\":\"\(name)\"\(weight.map { ",\"weight\":\($0)" } ?? ""),\"id\":\(row),\"more\":[\(row)]}\n"
      }
      tables.old += line(name, hasWeight ? weight : nil)
      tables.new += line(
        hasWeight && weight > 500 ? name + "!" : name, hasWeight ? row % 3 == 0 ? weight * 2 : weight : nil)
    }
    return tables
  }

  /// So many rows that they are cut, sorted and spilled in parts.
  private static let many = csv(5_000)
  private static let changes = [
    "--set", "name = name ++ '!' where weight > 500; weight = weight * 2 where id % 3 = 0",
  ]

  @Test(arguments: Choice.all)
  func `a changed cell is written and drawn as one that was read so`(_ form: String) throws {
    for tables in [Self.csv(60), Self.json(120)] {
      for options in [
        [], ["--sort", "-weight"], ["--sort", "name:natural,-id"], ["--sort", "weight", "--head", "7"],
        ["--filter", "weight > 500 and name like '%!'"], ["--move", "3..5 to bottom"], ["--tail", "9"],
        ["--head=-4"], ["-c", "weight,name"], ["--hide", "id"], ["--sort", "-weight", "--memory", "1K"],
        ["--move", "(weight > 900) to top", "--memory", "1K"], ["--format", "weight={:.1f}"],
        ["--delete", "weight > 700"], ["--group-by", "name", "--aggregate", "s = sum(weight)"],
        ["--derive", "d = weight + 1"], ["--row-numbers", "--footer", "totals"], ["--tail", "3"],
      ] {
        if options.first == "--row-numbers", form != "--list" { continue }
        if options.first == "--format", Choice.data.contains(form) { continue }
        let all = [form] + options
        let expected = try Run(all, input: tables.new)
        let found = try Run(Self.changes + all, input: tables.old)
        #expect(expected.status < 2 && expected.output.count > 0, "\(all)")
        #expect(found.output.text == expected.output.text, "\(all)")
        #expect(found.status == expected.status, "\(all)")
      }
    }
  }

  @Test(arguments: [
    [], ["--sort", "-weight"], ["--sort", "-weight", "--memory", "64K"], ["--move", "1 to bottom"],
    ["--move", "(weight > 1900) to top", "--memory", "64K"], ["--tail", "3000", "--memory", "64K"],
    ["--sort", "name", "--head", "1000"], ["--filter", "weight < 50"],
  ])
  func `changed cells come again where rows are cut again, spilled, sorted and moved`(_ options: [String])
    throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString).csv")
    defer { try? FileManager.default.removeItem(at: file) }
    let tables = Self.many
    try Data(tables.old.utf8).write(to: file)
    for form in ["--csv", "--list"] {
      let all = [form] + options
      let expected = try Run(all, input: tables.new)
      let piped = try Run(Self.changes + all, input: tables.old)
      let read = try Run(Self.changes + all + [file.path], input: "")
      #expect(expected.status == 0 && expected.output.count > 1000, "\(all)")
      #expect(piped.output == expected.output, "\(all)")
      #expect(read.output == expected.output, "\(all)")
    }
  }

  @Test(arguments: [
    ("n = 1 where false", "\u{FEFF}n,m\r\n\"1\" ,2\n", "a record with text after its quotes"),
    ("n = 1 where n = 5", "\u{FEFF}\"n\",m\r\n1,\"a\"\"b\"\r\n2, x\n\n3,\"\"", "nothing fits"),
    ("n = n; m = m", "n,m\r\n\"1\",\"a\"\"b\"\n 2 ,\n\"\",3\r\n", "the same values"),
    ("n = n + 1 where m > 1", "n,m\n1,x\n,\n2,\"\"\n", "null is not true"),
    ("n = n * 2", "n,m\n,a\n\"\",b\n", "null stays null"),
  ])
  func `R12 what is not changed keeps its bytes`(_ change: String, _ input: String, _ title: String) throws {
    let options = ["--csv", "--set", change, "--lazy-quotes"]
    let run = try Run(options, input: input)
    let unchanged = try Run(["--csv", "--lazy-quotes"], input: input)
    #expect(run.output == unchanged.output, "\(title)")
    #expect(run.status == 0)
  }

  @Test(arguments: [
    (["--set", "price = price + 0.5"], "12.50\n0.10\n3\n", "13.00\n0.60\n3.5\n"),
    (["--set", "price = round(price * 1.1, 2)"], "12.50\n0.10\n3\n", "13.75\n0.11\n3.30\n"),
    (
      ["--set", "price = price - 0.10"], "0.30\n99999999999999999999.99\n", "0.20\n99999999999999999999.89\n"
    ),
    (
      ["--set", "price = round(price * 2, 2) where price > 1000", "--decimal", ",", "--thousands", "."],
      "1.234,50\n7,25\n", "2469,00\n7,25\n"
    ),
    (
      ["--set", "price = price + 0.05", "--decimal", ",", "--filter", "price > 7"], "1234,50\n6,25\n",
      "1234,55\n"
    ),
  ])
  func `R31 R59 decimals keep their scale and their marks`(
    _ options: [String], _ prices: String, _ expected: String
  ) throws {
    let run = try Run(options + ["--csv", "-d", ";"], input: "price\n" + prices)
    #expect(run.output.text == "price\n" + expected)
    #expect(run.status == 0 && run.errors.isEmpty)
  }

  @Test(arguments: [
    (["--set", "$1 = 0", "--can-edit", "true"], "0,x\n0,y\n0,x\n0,y\n", 0),
    (["--set", "a = 0 where a > 2", "--can-edit", "b = 'x'"], "1,x\n2,y\n0,x\n4,y\n", 1),
    (["--set", "a = 0", "--can-edit", "b = 'x'"], "0,x\n2,y\n0,x\n4,y\n", 2),
    // Judged on the row before the option, counted once.
    (["--set", "b = 'z'; a = 0", "--can-edit", "b = 'x'"], "0,z\n2,y\n0,z\n4,y\n", 2),
    (["--set", "b = 'z'", "--set", "a = 0", "--can-edit", "b = 'x'"], "1,z\n2,y\n3,z\n4,y\n", 4),
    (["--set", "a = 0 where false", "--can-edit", "false"], "1,x\n2,y\n3,x\n4,y\n", 0),
    (
      ["--derive", "c = a * 2", "--set", "a = 9", "--can-edit", "c > 6", "--hide", "c"],
      "1,x\n2,y\n3,x\n9,y\n", 3
    ),
  ])
  func `R50 rows that may not be edited stay, are counted once, and the first is named`(
    _ options: [String], _ left: String, _ count: Int
  ) throws {
    let run = try Run(options + ["--csv"], input: "a,b\n1,x\n2,y\n3,x\n4,y\n")
    #expect(run.output.text == "a,b\n" + left)
    #expect(run.status == 0)
    let start =
      "tabler: warning: \(count) row\(count == 1 ? "" : "s") may not be edited (--can-edit; first: <stdin>:"
    #expect(count == 0 ? run.errors.isEmpty : run.errors.text.hasPrefix(start), "\(run.errors.text)")
  }

  @Test(arguments: [
    ("$2 = upper($2)", "name = upper(name)"),
    ("$3 = $1 where $1 > 2; $1 = 0", "weight = id where id > 2; id = 0"),
    ("$0[\"name\"] = 'x'", "name = 'x'"),
    ("$0['weight'] = 1; $2 = 'y' where $0.weight = 1", "weight = 1; name = 'y'"),
  ])
  func `a column is named by its position, or as a member of the row`(_ change: String, _ byName: String)
    throws
  {
    for input in [Self.csv(8).old, "{\"id\":1,\"name\":\"Kiwi\",\"weight\":7}\n{\"weight\":8,\"id\":3}\n"] {
      for form in ["--csv", "--jsonl"] {
        let run = try Run(["--set", change, form], input: input)
        let expected = try Run(["--set", byName, form], input: input)
        #expect(run.output == expected.output && run.errors == expected.errors && run.status == 0)
        #expect(run.output != Data(input.utf8))
      }
    }
    let nameless = try Run(
      ["--set", "$2 = $2 * 2 where $2 is number", "--csv"], input: "a,,\n1,2,3\n4,x,6\n")
    #expect(nameless.output.text == "a,,\n1,4,3\n4,x,6\n" && nameless.errors.isEmpty)
  }

  @Test(arguments: [
    ("bmi = 1", "tabler: --set: column 'bmi' does not exist; --derive adds new ones\n  bmi = 1\n  ^~~\n"),
    (
      "wieght = 1",
      "tabler: --set: column 'wieght' does not exist; did you mean 'weight'? --derive adds new ones\n"
    ),
    (
      "Name = 1",
      "tabler: --set: column 'Name' does not exist; 'name' differs only in case; --derive adds new ones\n"
    ),
    (
      "= 1",
      "tabler: --set: assignment needs a column on the left, as in 'bmi = weight/height^2'\n  = 1\n  ^\n"
    ),
    ("name =", "tabler: --set: expected a value after '='\n"),
    ("$4 = 1", "tabler: --set: there is no column $4; the input has 3 columns\n  $4 = 1\n  ^~\n"),
    (
      "$99999999999999999999 = 1",
      "tabler: --set: there is no column of that number; the input has 3 columns\n"
    ),
    ("$0 = 1", "tabler: --set: assignment needs a column on the left"),
    ("$who = 1", "tabler: --set: assignment needs a column on the left"),
    ("$0[\"\"] = 1", "tabler: --set: column name is empty\n"),
    (
      "$0[\"nme\"] = 1",
      "tabler: --set: column 'nme' does not exist; did you mean 'name'? --derive adds new ones\n"
    ),
    ("name = nmae", "tabler: --set: column 'nmae' not found; did you mean 'name'?\n"),
    ("name = 1 where weight", ""),
    ("name = 1 where 'x'", "tabler: --set: expected a condition, true or false, but this is text\n"),
    ("", "tabler: --set: needs a value, but it is empty\n"),
  ])
  func `what means nothing is refused before a row is read`(_ change: String, _ message: String) throws {
    let run = try Run(["--set", change], input: Self.csv(2).old)
    if message.isEmpty { return }
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.text.hasPrefix(message), "\(run.errors.text)")
  }

  @Test(arguments: [
    ("weight:number", "weight = name", "Kiwi", ["weight"], "1 cell of 'weight' is not a number"),
    (
      "weight:int", "weight = 2.5 + weight - weight", "Kiwi", ["weight"],
      "1 cell of 'weight' is not a whole number"
    ),
    ("weight:number", "weight = '12'", "Kiwi", ["12"], ""),
    ("weight:number", "weight = null", "Kiwi", ["weight"], ""),
    ("name:bool", "name = weight > 1", "true", ["true"], ""),
    ("name:text", "name = weight", "Kiwi", ["7"], ""),
  ])
  func `a value is of the type that is declared for its column`(
    _ types: String, _ change: String, _ name: String, _ expected: [String], _ warning: String
  ) throws {
    let run = try Run(["--types", types, "--set", change, "--csv"], input: "name,weight\n\(name),7\n")
    #expect(run.status == 0)
    if warning.isEmpty {
      #expect(run.errors.isEmpty)
      for text in expected { #expect(run.output.text.contains(text)) }
    } else {
      #expect(run.output.text == "name,weight\n\(name),\n")
      #expect(run.errors.text.contains(warning), "\(run.errors.text)")
    }
  }

  @Test func `a constant of another type than declared is refused`() throws {
    let run = try Run(["--types", "weight:number", "--set", "weight = 'x'"], input: "weight\n1\n")
    #expect(run.status == 2)
    #expect(
      run.errors.text == "tabler: --set: column 'weight' is declared number, but 'x' is not of that type\n"
        + "  weight = 'x'\n           ^~~\n")
  }

  @Test func `a short record gets the cells that are put into it`() throws {
    let run = try Run(
      ["--ragged", "fill", "--set", "c = 9 where a = 3", "--csv"], input: "a,b,c\n1,2\n3\n4,5,6,7\n")
    #expect(run.output.text == "a,b,c,4\n1,2,,\n3,,9,\n4,5,6,7\n" || run.status == 3)
    let plain = try Run(
      ["--ragged", "fill", "--set", "c = 9 where a = 3", "--csv"], input: "a,b,c\n1,2\n3\n4,5,6\n")
    #expect(plain.output.text == "a,b,c\n1,2,\n3,,9\n4,5,6\n")
  }

  @Test(arguments: [
    (["--jsonl"], "{\"a\":1,\"b\":\"x\"}\n{\"b\":\"x\"}\n", ""),
    (["--csv"], "a,b\n1,x\n,x\n", ""),
  ])
  func `a key that comes later is changed where it is`(
    _ options: [String], _ expected: String, _ errors: String
  ) throws {
    let run = try Run(
      options + ["--set", "b = 'x'"], input: "{\"a\":1,\"b\":2}\n{}\n".replacing("{}", with: "{\"b\":null}"))
    #expect(run.output.text == expected && run.errors.text == errors)
  }

  @Test func `R66 a key that no record has is added at the end, with a warning`() throws {
    let input = (1...2_000).map { "{\"a\":\($0)\($0 == 1_500 ? ",\"z\":1" : "")}\n" }.joined()
    let run = try Run(["--csv", "--set", "x = a where a > 1998"], input: input)
    #expect(
      run.output.text.hasPrefix("a,z,x\n1,,\n") && run.output.text.hasSuffix("1999,,1999\n2000,,2000\n"))
    #expect(
      run.errors.text == "tabler: warning: --set: column 'x' is not in the input; --derive adds new ones\n")
    let late = try Run(["--csv", "--set", "z = a where a > 1998"], input: input)
    #expect(late.output.text.hasPrefix("a,z\n1,\n") && late.output.text.hasSuffix("1999,1999\n2000,2000\n"))
    #expect(late.errors.isEmpty)
    let stopped = try Run(["--csv", "--set", "x = 1", "--on-error", "stop"], input: input)
    #expect(stopped.status == 3)
  }

  @Test(arguments: [
    ["--csv"], ["--csv", "--sort", "-a"], ["--list", "--tail", "3"], ["--jsonl", "--head", "150"],
    ["--csv", "--move", "1 to bottom", "--memory", "1K"],
  ])
  func `R52 rows whose changed cells do not fit together are taken in parts`(_ options: [String]) throws {
    let rows = (1...200).map { ("\($0)", "\($0)".padding(toLength: 100_000, withPad: "-", startingAt: 0)) }
    let long = "a,x\n" + rows.map { "\($0.0),\($0.1)\n" }.joined()
    let short = "a,x\n" + rows.map { "\($0.0),\"y\"\n" }.joined()
    let unquoted = short.replacing("\"", with: "")
    let expected = try Run(options, input: long)
    let run = try Run(options + ["--set", "x = rpad(a, 100000, \"-\")"], input: unquoted)
    #expect(run.output == expected.output && run.status == expected.status)
  }
}
