import Foundation
import Testing

/// R9, R12, R25, R57: where output goes and how runs end.
@Suite struct OutputTests {
  private func run(_ arguments: [String], in folder: URL, input: String = "a,b\n1,x\n") throws -> Run {
    let file = folder.appending(path: "input")
    try Data(input.utf8).write(to: file)
    return try Run(arguments, input: file, in: folder)
  }

  /// Runs a line of sh with the binary as `$0`.
  private func shell(_ line: String) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line, Run.binary.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile().text
    process.waitUntilExit()
    return (output, process.terminationStatus)
  }

  @Test(arguments: [
    ("out.csv", "a,b\n1,x\n"), ("out.TSV", "a\tb\n1\tx\n"), ("out.jsonl", "{\"a\":1,\"b\":\"x\"}\n"),
    ("out.ndjson", "{\"a\":1,\"b\":\"x\"}\n"), ("out.md", "|   a | b   |\n| --: | :-- |\n|   1 | x   |\n"),
    ("out.txt", "a  b\n─  ─\n1  x\n"),
  ])
  func r57TakesTheFormOfTheSuffix(_ name: String, _ expected: String) throws {
    try inFolder { folder in
      let run = try run(["-o", name], in: folder)
      #expect(run.status == 0 && run.output.isEmpty && run.errors.text == "")
      #expect(try Data(contentsOf: folder.appending(path: name)).text == expected)
    }
  }

  @Test func r12KeepsModeFollowsLinksAndLeavesNothingBehind() throws {
    try inFolder { folder in
      let target = folder.appending(path: "target.csv")
      try Data("old".utf8).write(to: target)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target.path)
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "link.csv").path, withDestinationPath: "target.csv")
      #expect(try run(["-o", "link.csv"], in: folder).status == 0)
      #expect(try Data(contentsOf: target).text == "a,b\n1,x\n")
      let mode = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int
      #expect(mode == 0o640)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(names == ["input", "link.csv", "target.csv"])
    }
  }

  @Test func r12FollowsALinkToAFileThatIsNotThereYet() throws {
    try inFolder { folder in
      let manager = FileManager.default
      try manager.createDirectory(at: folder.appending(path: "links"), withIntermediateDirectories: false)
      let link = folder.appending(path: "links/link.csv").path
      try manager.createSymbolicLink(atPath: link, withDestinationPath: "../new.csv")
      #expect(try run(["-o", "links/link.csv"], in: folder).status == 0)
      #expect(try Data(contentsOf: folder.appending(path: "new.csv")).text == "a,b\n1,x\n")
      #expect(try manager.destinationOfSymbolicLink(atPath: link) == "../new.csv")
    }
  }

  @Test func r12RefusesLinksThatLeadInACircle() throws {
    try inFolder { folder in
      let one = folder.appending(path: "one.csv").path
      try FileManager.default.createSymbolicLink(atPath: one, withDestinationPath: "two.csv")
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "two.csv").path, withDestinationPath: "one.csv")
      #expect(try run(["-o", "one.csv"], in: folder).status == 4)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: one) == "two.csv")
    }
  }

  @Test func r12WritesOnWhereTheStandardOutputStands() throws {
    try inFolder { folder in
      let file = folder.appending(path: "all.txt").path
      _ = try shell("{ echo before; echo a | $0 -o /dev/stdout; echo after; } > '\(file)'")
      let text = try Data(contentsOf: URL(fileURLWithPath: file)).text
      #expect(text == "before\na\n─\nafter\n")
    }
  }

  @Test func r12LeavesTheOldFileWhenTheInputIsDamaged() throws {
    try inFolder { folder in
      let target = folder.appending(path: "out.csv")
      try Data("old".utf8).write(to: target)
      #expect(try run(["-o", "out.csv"], in: folder, input: "a,b\n1,x\n2\n").status == 3)
      #expect(try Data(contentsOf: target).text == "old")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }
  }

  @Test func r12RefusesAFolderThatDoesNotExist() throws {
    try inFolder { folder in
      let run = try run(["-o", "none/out.csv"], in: folder)
      #expect(run.status == 4)
      #expect(run.errors.text == "tabler: none/out.csv: No such file or directory\n")
    }
  }

  @Test(arguments: [
    ("yes a,b | \"$0\" --csv | head -n 2; echo ${PIPESTATUS[1]}", "a,b\na,b\n141\n"),
    ("trap '' PIPE; yes a,b | \"$0\" --csv 2>&1 | head -n 1; echo ${PIPESTATUS[1]}", "a,b\n141\n"),
    (
      "printf 'a\\n1\\n' | \"$0\" 2>&1 >/dev/full; echo $?",
      "tabler: write error: No space left on device\n4\n"
    ),
    ("\"$0\" -e </dev/null >/dev/null 2>&1; echo $?", "1\n"),
    ("printf 'a\\n1\\n' | \"$0\" -qe --filter 'a > 1' >/dev/null; echo $?", "1\n"),
    ("\"$0\" <&- 2>/dev/null; echo $?", "4\n"),
    (
      "trap '' PIPE; yes a,b | \"$0\" --csv -o /dev/stdout 2>&1 | head -n 1; echo ${PIPESTATUS[1]}",
      "a,b\n141\n"
    ),
    (
      "trap '' PIPE; yes a,b | \"$0\" --csv -o /dev/fd/1 2>&1 | head -n 1; echo ${PIPESTATUS[1]}",
      "a,b\n141\n"
    ),
    ("printf 'a\\n1\\n' | \"$0\" -o /dev/fd/9 2>&1; echo $?", "tabler: /dev/fd/9: Bad file descriptor\n4\n"),
    (
      "printf 'a\\n1\\n' | \"$0\" 2>&1 >&- | cat; echo ${PIPESTATUS[1]}",
      "tabler: write error: Bad file descriptor\n4\n"
    ),
  ])
  func r09EndsQuietlyOrSaysWhy(_ line: String, _ expected: String) throws {
    #expect(try shell(line).output == expected)
  }

  /// A descriptor that was closed went to the next file opened, which then got what was meant for the terminal.
  @Test(arguments: [
    (
      "(echo '{\"a\":1}'; until grep -qs 1 t.csv .tabler*; do sleep .05; done; echo '{\"a\":3,\"b\":1}') | "
        + "timeout 60 \"$0\" --follow --from jsonl --csv -o t.csv 2>&-",
      "a\n1\n3\n", Int32(0)
    ),
    (
      "seq 300 | \"$0\" -H --from csv --sort -1 --memory 1K --csv >&- 2>t.csv",
      "tabler: write error: Bad file descriptor\n", 4
    ),
    ("echo a,b >f.csv; \"$0\" f.csv - --csv -o t.csv <&- 2>/dev/null", "", 4),
    ("echo a,b >f.csv; \"$0\" f.csv --csv -o t.csv <&- >&- 2>&-", "a,b\n", 0),
    ("printf 'a\\n1\\n' | \"$0\" --csv -o t.csv >&-", "a\n1\n", 0),
  ])
  func `R9 a closed descriptor is never that of a file`(_ line: String, _ expected: String, _ status: Int32)
    throws
  {
    try inFolder { folder in
      let run = try shell("cd '\(folder.path)'; " + line)
      #expect(run.status == status)
      let text = (try? Data(contentsOf: folder.appending(path: "t.csv")))?.text ?? ""
      #expect(text == expected)
    }
  }

  /// The name was read as text, so that another file was written, or none.
  @Test(arguments: [
    ("ln -s \"$n\" link; \"$0\" f.csv --csv -o link", "$n"),
    ("mkdir \"$n\"; \"$0\" f.csv -o \"$n/t.csv\"", "$n/t.csv"),
    ("cp f.csv \"$n\"; \"$0\" \"$n\" --csv >t", "t"), ("\"$0\" f.csv --csv --output=\"$n\"", "$n"),
    ("\"$0\" f.csv --csv -qo\"$n\"", "$n"), ("mkdir \"$n\"; cd \"$n\"; \"$0\" ../f.csv -o t.csv", "t.csv"),
    ("mkdir \"$n\"; TMPDIR=$PWD/$n \"$0\" f.csv --sort a --memory 1 --csv >t", "t"),
  ])
  func `R12 the name of a file is bytes`(_ line: String, _ target: String) throws {
    try inFolder { folder in
      let setUp = "cd '\(folder.path)' || exit; n=$(printf 'w\\377x'); printf 'a,b\\n1,2\\n' >f.csv; "
      let run = try shell(setUp + line + " && cat \"\(target)\"; ls -A \"$n\" | grep -c tmp")
      #expect(run.output == "a,b\n1,2\n0\n")
    }
  }

  @Test func `R12 a name may be as long as names can be`() throws {
    try inFolder { folder in
      let name = String(repeating: "x", count: 251) + ".csv"
      let run = try run(["-o", name], in: folder)
      #expect(run.status == 0)
      #expect(try Data(contentsOf: folder.appending(path: name)).text == "a,b\n1,x\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }
  }

  @Test(arguments: [
    ("\"$0\" -H x.csv --csv >>x.csv", "x.csv"), ("\"$0\" -H --csv <x.csv >>x.csv", "<stdin>"),
    ("\"$0\" -H x.csv --csv -o /dev/stdout >>x.csv", "x.csv"),
    ("\"$0\" -H --from csv /dev/null x.csv --csv >>x.csv", "x.csv"),
  ])
  func `R9 a file is not read while it is written`(_ line: String, _ name: String) throws {
    try inFolder { folder in
      let run = try shell("cd '\(folder.path)'; printf '1,2\\n' >x.csv; (\(line)) 2>&1; echo $?; cat x.csv")
      #expect(run.output == "tabler: \(name): the input file is also the output file\n4\n1,2\n")
    }
  }

  /// Rows that keep their order are read a second time to be drawn.
  ///
  /// The gate is opened once the file has been read.
  @Test(arguments: [
    "echo 5,6 >>big.csv", "touch big.csv", "printf 9 | dd of=big.csv conv=notrunc status=none",
  ])
  func `R12 a file that is changed between its two readings is noticed`(_ change: String) throws {
    try inFolder { folder in
      let line = """
        cd '\(folder.path)'; yes 1,2 | head -n 400000 >big.csv; mkfifo gate
        "$0" -H big.csv gate 2>errors >/dev/null & exec 3>gate; \(change); echo 1,2 >&3; exec 3>&-
        wait $!; echo $?; cat errors
        """
      let output = try shell(line).output
      #expect(output == "3\ntabler: big.csv: cut short or changed while it was read\n")
    }
  }

  @Test func r25ReadsANamedFileAlthoughStandardInputNeverCloses() throws {
    let fruit = CaseFolder.root.appending(path: "fruit.csv").path
    let result = try shell("sleep 1 | timeout 5 \"$0\" --head 1 --csv '\(fruit)'; exit ${PIPESTATUS[1]}")
    #expect(result.output.hasPrefix("id,name"))
  }
}
