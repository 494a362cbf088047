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

  /// R46: what may be nested has room on any stack.
  @Test(arguments: [
    "ulimit -s 2048; \"$0\" --csv --filter \"$(printf 'abs(%.0s' {1..198})a$(printf ')%.0s' {1..198}) = 1\"",
    "ulimit -s 4096; \"$0\" --csv --filter \"a$(printf '+1%.0s' {1..32000}) = 32001\"",
    "ulimit -s 512; \"$0\" --csv --filter \"$(printf '(%.0s' {1..100})a = 1$(printf ')%.0s' {1..100})\"",
    "ulimit -s 1024; \"$0\" --csv --filter \"$(printf 'not %.0s' {1..190})a = 1\"",
  ])
  func `R46 an expression within the limits has room on any stack`(_ line: String) throws {
    #expect(try shell("echo $'a\\n1' | (\(line)); echo $?") == "a\n1\n0\n")
  }

  @Test func `R46 nested JSON has room on any stack`() throws {
    let open = #"printf '{"a":%.0s' {1..511}"#
    let close = #"printf '}%.0s' {1..511}"#
    let line = "(\(open); printf 1; \(close); echo)"
    let run = "ulimit -s 128; \"$0\" --jsonl --flatten | wc -l; echo ${PIPESTATUS[0]}"
    #expect(try shell("\(line) | (\(run))") == "1\n0\n")
  }
}
