import Foundation
import Testing

/// R33: rows beyond the memory budget go to a temporary file, and nothing that comes out tells of it.
@Suite struct MemoryRuleTests {
  /// Rows with many equal keys, quotes, newlines, empty cells and characters of several bytes.
  static let rows: String = {
    let words = ["kiwi", "\"a, \"\"b\"\"\"", "ü", "\"two\nlines\"", "", "日本", "Kiwi", "zz top zz top zz top"]
    return (0..<12_000).map { number in
      "\(number),\(words[number * number / 7 % words.count]),\(number * 7919 % 101 - 50)\n"
    }.joined()
  }()

  @Test(arguments: [
    "--sort name", "--sort -weight:number --grid", "--sort 'name:nocase,-weight' --csv",
    "--sort '(weight % 7),name' --markdown", "--sort name --skip 17 --tail 300",
    "--sort weight --skip 30 --head -40 --jsonl", "--sort weight --filter 'weight > 40' --html --skip 3",
    "--row-numbers --sort name:length", "", "--grid --filter 'weight < 0' --skip 5",
    "--footer 'weight={sum(weight)},name={count()}' --sort -name", "--sort weight --head 9 --stack",
    "--markdown", "--tail 5000", "--sort weight --move '3,5 to top'",
    "--detail --sort weight --title-of '{name}'",
    "--ragged fill --sort name",
    "--sort weight --section-by 'weight // 10' --section-header '{section}: {count()}' --section-footer totals --grid",
    "--section-by name --section-header '{count()} {max(weight)}' --detail",
    "--section-by 'id // 5000' --section-header '{sum(weight)}' --section-footer '{last(name)}' --markdown",
    "--group-by name --aggregate 'n = count(), w = sum(weight), f = first(id), d = distinct(weight)'",
    "--set 'weight = weight * 2 where id % 3 = 0' --sort weight --csv",
    "--set 'name = upper(name)' --sort id --grid",
    "--sample 4000 --csv", "--sample 4000 --sort weight --grid",
    "--summary --csv", "--summary --sort -distinct --grid",
    "--compute 'r = running(weight), s = share(weight)' --csv",
    "--sort weight --compute 'k = rank(id), p = prior(name), q = next(name, 3)' --grid",
    "--group-by id --pivot '(id % 3)' --aggregate 's = sum(weight), n = count()' --pivot-total all --csv",
    "--unpivot 'name,weight to what, value' --csv --sort value",
    "--unpivot 'name,weight to what, value' --grid",
    "--sort name --merge-repeats name,weight --html --fragment",
    "--sort name,weight --merge-repeats name,weight --grid --ends 3000",
    "--ends 4000 --csv", "--ends 4000 --sort weight --grid",
    "--group-by id,name --csv --having 'count > 0' --sort -name",
    "--aggregate 'm = median(weight), j = last(name)' --jsonl",
    "--section-by 'id // 7000' --section-header '{count(name)}' --html --move '9000 to top'",
  ])
  func `R33 a sort beyond the budget gives the bytes of one that fits, and leaves no file`(
    _ options: String
  ) throws {
    try inFolder { folder in
      try Data(("id,name,weight\n" + Self.rows).utf8).write(to: folder.appending(path: "rows.csv"))
      let line = """
        mkdir spill; cat rows.csv | "$0" \(options) > whole 2> whole.errors || exit 91
        for size in 1K 300K; do
          cat rows.csv | TMPDIR=spill "$0" --memory $size \(options) > spilled 2> spilled.errors || exit 92
          cmp -s whole spilled || exit 93
          cmp -s whole.errors spilled.errors || exit 94
          [ -z "$(ls -A spill)" ] || exit 95
        done
        """
      #expect(try shell(line, in: folder) == 0)
    }
  }

  @Test func `R33 json goes beyond the budget like csv`() throws {
    try inFolder { folder in
      let lines = (0..<9000).map {
        "{\"id\":\($0),\"b\":\"\($0 % 13)\"\($0 == 8000 ? ",\"late\":[1,2]" : "")}\n"
      }
      try Data(lines.joined().utf8).write(to: folder.appending(path: "rows.jsonl"))
      for options in ["", "--sort b --csv", "--sort 'late[0],-b' --grid", "--sort b --jsonl", "--markdown"] {
        let line = """
          "$0" rows.jsonl \(options) > whole && "$0" rows.jsonl --memory 2K \(options) > spilled && cmp -s whole spilled
          """
        #expect(try shell(line, in: folder) == 0, "\(options)")
      }
    }
  }

  @Test func `R33 a folder for temporary files that is not there is status 4, and nothing is written`() throws
  {
    try inFolder { folder in
      try Data(("id,name,weight\n" + Self.rows).utf8).write(to: folder.appending(path: "rows.csv"))
      let line = "TMPDIR=/nowhere \"$0\" rows.csv --memory 1K --sort name -o out.txt 2> errors"
      #expect(try shell(line, in: folder) == 4)
      let errors = try String(contentsOf: folder.appending(path: "errors"), encoding: .utf8)
      #expect(errors == "tabler: /nowhere: cannot write temporary file: No such file or directory\n")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["errors", "rows.csv"])
    }
  }

  @Test func `R33 while rows are spilled no name of their file is to be seen`() throws {
    try inFolder { folder in
      let run = try FedRun("TMPDIR=. exec \"$0\" --memory 1K --sort a --csv -o /dev/null", in: folder)
      for _ in 0..<3 { try run.feed(ResourceRuleTests.rows) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      kill(run.process.processIdentifier, SIGKILL)
      #expect(try run.ends())
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  /// Runs lines of bash with the binary as `$0`.
  private func shell(_ line: String, in folder: URL) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line, Run.binary.path]
    process.currentDirectoryURL = folder
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
