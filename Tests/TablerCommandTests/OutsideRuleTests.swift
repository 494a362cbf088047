import Foundation
import Testing

/// Rules of SPEC §18 that need a shell or an SQL engine.
@Suite struct OutsideRuleTests {
  /// Runs a line of bash with the binary as `$0`.
  private func shell(_ line: String, _ words: [String] = []) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line, Run.binary.path] + words
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile().text
    process.waitUntilExit()
    return output
  }

  @Test func r24ReadsWordsByPosition() throws {
    let input = "  NAME    STATE    SINCE\n- alpha   up       2 hours ago\n* 東京             1 day ago\n"
    let run = try Run(["--from", "words", "--jsonl", "--ragged", "fill"], input: input)
    #expect(run.status == 0)
    #expect(run.output.text.split(separator: "\n").count == 2)
    #expect(run.output.text.contains(#""SINCE":"2 hours ago""#))
  }

  @Test(arguments: ["' or true", "\" or \"\" = \"", "`name`", "{name}", "a\nb", "", "$0", "\\", "/x/"])
  func r63TakesArgumentsForText(_ text: String) throws {
    let run = try Run(
      ["--arg", "who=" + text, "--filter", "name = $who", "--csv"], input: "name\nx\n' or true\n")
    #expect(run.status == 0 && run.errors.text == "")
    #expect(run.output.text == (text == "' or true" ? "name\n' or true\n" : "name\n"))
  }

  @Test func r64EndsAfterTheRowsWanted() throws {
    let line = "(echo a,b; yes 1,2) | timeout 10 \"$0\" --head 20 --grid | wc -l"
    #expect(try shell(line) == "24\n")
    let damaged =
      "(echo a,b; for i in $(seq 20000); do echo $i,x; done; echo 1,2,3) | \"$0\" --head 2 --csv; echo $?"
    #expect(try shell(damaged) == "a,b\n1,x\n2,x\n0\n")
  }

  @Test(arguments: [
    "a + b > 3", "a - b * 2 < 0", "a * b = 6 or c is null", "not (a = 1)", "a in (1, 2, 5)",
    "a between 2 and 4",
    "c = 'x' and a > 1", "c <> 'x'", "c is not null and c > 'b'", "a % 2 = 1", "abs(a - b) >= 2",
    "coalesce(c, 'none') = 'none'", "nullif(a, 2) is null", "c is distinct from 'x'",
    "a is null or b is null",
    "case when a > 2 then c = 'x' else b = 1 end", "trim(c) = c", "replace(c, 'x', 'y') = 'y'",
  ])
  func r47AgreesWithSQLite(_ expression: String) throws {
    var generator = SystemRandomNumberGenerator()
    var rows: [[String]] = []
    for _ in 0..<200 {
      let a = ["", "1", "2", "3", "4", "5", "-1", "0"].randomElement(using: &generator) ?? ""
      let b = ["", "1", "2", "3", "-2"].randomElement(using: &generator) ?? ""
      let c = ["", "x", "y", "b", "xx"].randomElement(using: &generator) ?? ""
      rows.append([a, b, c])
    }
    let table = rows.enumerated().map { "\($0 + 1),\($1.joined(separator: ","))\n" }.joined()
    let ours = try Run(
      ["--filter", expression, "--columns", "id", "--tsv", "--no-header"], input: "id,a,b,c\n" + table)
    #expect(ours.status == 0)
    let values = rows.enumerated().map { index, row in
      "(\(index + 1),\(row[0].isEmpty ? "null" : row[0]),\(row[1].isEmpty ? "null" : row[1]),"
        + (row[2].isEmpty ? "null" : "'\(row[2])'") + ")"
    }.joined(separator: ",")
    let sql = expression.replacingOccurrences(of: "c is distinct from 'x'", with: "c is not 'x'")
    let query = "with t(id, a, b, c) as (values \(values)) select id from t where \(sql) order by id;"
    #expect(try shell("sqlite3 :memory: \"$1\"", [query]) == ours.output.text)
  }
}
