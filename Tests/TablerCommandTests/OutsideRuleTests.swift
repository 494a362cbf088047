import Foundation
import Testing

/// Rules that need a shell.
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

  /// What stood before the block at hand was not counted.
  @Test(arguments: [
    (#"(printf '[{"a":1},'; sleep .3; printf '{"b":x}]')"#, "1:15: expected a JSON value"),
    (
      #"(printf '['; yes '{"a":1},' | tr -d '\n' | head -c 8000000; printf 'x]')"#,
      "1:8000002: expected a JSON value"
    ),
    (#"(printf '[\n{"a":1},{"b":"é'; sleep .3; printf '"},x]')"#, "2:19: expected a JSON value"),
  ])
  func `columns in messages about JSON count from the start of the line`(_ input: String, _ expected: String)
    throws
  {
    #expect(try shell(input + " | \"$0\" --csv 2>&1 >/dev/null").hasPrefix("tabler: <stdin>:" + expected))
  }
}
