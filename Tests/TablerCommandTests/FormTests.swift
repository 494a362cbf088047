import Foundation
import Testing

/// How the forms without quotes are told and read: columns by position, fields between blanks, drawn tables.
@Suite struct FormTests {
  /// Lines of input, and the csv that a person reads in them.
  struct Sample: CustomTestStringConvertible, Sendable {
    var name: String
    var input: String
    var output: String
    var errors = ""
    var arguments: [String] = []

    var testDescription: String { name }

    /// Runs the binary with `--csv`.
    func check() throws {
      let run = try Run(arguments + ["--csv"], input: input)
      #expect(run.output.text == output)
      #expect(run.errors.text == errors)
    }
  }

  @Test(arguments: [
    Sample(
      name: "an empty cell before a title of two words",
      input: "NAME   PORT   MOUNTED ON\ndb            /a b\nweb    80     /c d\n",
      output: "NAME,PORT,MOUNTED ON\ndb,,/a b\nweb,80,/c d\n", arguments: ["--from", "words"]),
    Sample(
      name: "two words in every row under a title of two words",
      input:
        "Filesystem  Size  Mounted on\n/dev/sda1   10G   /mnt/my disk\n/dev/sdb1   20G   /mnt/other disk\n",
      output: "Filesystem,Size,Mounted on\n/dev/sda1,10G,/mnt/my disk\n/dev/sdb1,20G,/mnt/other disk\n"),
    Sample(
      name: "a legend below a blank line",
      input: "  UNIT  LOAD\n  a     loaded\n● b     not-found\n \nLOAD = it is\n\n2 units listed.\n",
      output: ",UNIT,LOAD\n,a,loaded\n●,b,not-found\n",
      errors: "tabler: note: <stdin>: 2 lines outside the table left out (first: line 5)\n"),
    Sample(
      name: "a table that ends before its first row",
      input: "UNIT  LOAD\n\n0 units listed.\n", output: "UNIT,LOAD\n",
      errors: "tabler: note: <stdin>: 1 line outside the table left out (first: line 3)\n"),
    Sample(
      name: "a rule below the header", input: "Package    Version\n---------- -------\npip        24.0\n",
      output: "Package,Version\npip,24.0\n"),
    Sample(
      name: "a rule of box lines, and one through all columns",
      input: "A   B  C\n════════\n1   2  3\n", output: "A,B,C\n1,2,3\n"),
    Sample(
      name: "dashes that are cells", input: "AA  BB\n-   -\n--  x\n", output: "AA,BB\n-,-\n--,x\n"),
    Sample(
      name: "titles two blanks apart that share a column",
      input: "NAME  PORT  STATE\nlong-n 80   up now\nx     81    down\n",
      output: "NAME,PORT,STATE\nlong-n,80,up now\nx,81,down\n"),
    Sample(
      name: "rows that do not come out where titles share a column",
      input: "NAME   PORT  STATE\na-long-name  up   now\nb-long-name  up\n",
      output: "NAME,PORT,STATE\na-long-name,,up   now\nb-long-name,,up\n",
      errors:
        "tabler: warning: <stdin>: 2 lines with too few or too many words for the titles (first: line 2); "
        + "split at spaces\n"),
    Sample(
      name: "a long number that moves one line of three",
      input: "PID    RSS TTY\n  1   2048 ?\n  2      0 pts/0\n  3 1234567 ?\n",
      output: "PID,RSS,TTY\n1,2048,?\n2,0,pts/0\n3,1234567,?\n"),
    Sample(
      name: "numbers that move every line",
      input: "procs  free  so    in  cs us\n 1 12345678    0   12  34 5\n 2 12345679    0   15  36 7\n",
      output: "procs,free,so,in,cs,us\n1,12345678,0,12,34,5\n2,12345679,0,15,36,7\n"),
    Sample(
      name: "w without its first line",
      input: """
        USER     TTY      FROM             LOGIN@   IDLE   JCPU   PCPU WHAT
        root     tty1     -                05:52    2days  0.00s  0.01s -bash
        anna     pts/0                     06:59    3:04   0.12s  0.01s vim notes today.txt

        """,
      output: """
        USER,TTY,FROM,LOGIN@,IDLE,JCPU,PCPU,WHAT
        root,tty1,-,05:52,2days,0.00s,0.01s,-bash
        anna,pts/0,,06:59,3:04,0.12s,0.01s,vim notes today.txt

        """),
    Sample(
      name: "ls -l", input: "total 4\n-rw-r--r-- 1 a b  5 Jan  2 a.txt\n-rw-r--r-- 1 a b 15 Jan 12 c d\n",
      output: "-rw-r--r--,1,a,b,5,Jan,2,a.txt\n-rw-r--r--,1,a,b,15,Jan,12,c d\n"),
    Sample(
      name: "ls -lh with names", input: "total 1.2M\nx 1.1M a.txt\nx  12K c d\n",
      output: "mode,size,name\nx,1.1M,a.txt\nx,12K,c d\n", arguments: ["--names", "mode,size,name"]),
    Sample(
      name: "a csv of one column called total", input: "total x\n5\n", output: "total x\n5\n"),
    Sample(
      name: "--follow parts all fields", input: "PID  RSS TTY\n1 2 3 4\n", output: "PID,RSS,TTY\n1,2,3 4\n",
      arguments: ["--follow"]),
    Sample(
      name: "blanks", input: "\n a b\tc \n1  2 3\n\n 4\t5   6\n", output: "a,b,c\n1,2,3\n4,5,6\n",
      arguments: ["--from", "blanks"]),
    Sample(
      name: "blanks, the last name takes the rest", input: "a b\n1  2 3  4 \n5 6\n",
      output: "x,y\n1,2 3  4\n5,6\n",
      arguments: ["--from", "blanks", "--names", "x,y"]),
    Sample(
      name: "blanks without header", input: "1 2\n3 4\n", output: "1,2\n3,4\n",
      arguments: ["--from", "blanks", "-H"]),
    Sample(
      name: "blanks with more fields", input: "a b\n1 2\n1 2 3\n", output: "a,b\n1,2\n",
      errors: "tabler: <stdin>:3: 3 fields, but the header has 2; --ragged skip leaves such rows out\n",
      arguments: ["--from", "blanks"]),
    Sample(
      name: "blanks with more and fewer fields, filled", input: "a b\n1 2 3\n4\n",
      output: "a,b,3\n1,2,3\n4,,\n",
      arguments: ["--from", "blanks", "--ragged", "fill", "--sort", "a"]),
    Sample(
      name: "blanks with a last row of more fields, filled", input: "a b c\n6 7 8 9\n",
      output: "a,b,c,4\n6,7,8,9\n",
      arguments: ["--from", "blanks", "--ragged", "fill", "--sort", "a"]),
    Sample(
      name: "blanks, a header of numbers that names take the place of", input: "1 2\n3 4\n",
      output: "x,y\n3,4\n",
      errors:
        "tabler: note: <stdin>:1: --names replaces this header, which contains '1'; -H keeps it as a row\n",
      arguments: ["--from", "blanks", "--names", "x,y"]),
    Sample(
      name: "words, a header of numbers that names take the place of", input: "\na   2\nb   4\n",
      output: "x,y\nb,4\n",
      errors:
        "tabler: note: <stdin>:2: --names replaces this header, which contains '2'; -H keeps it as a row\n",
      arguments: ["--from", "words", "--names", "x,y"]),
    Sample(
      name: "words without header and with names", input: "a   2\nb   4\n", output: "x,y\na,2\nb,4\n",
      arguments: ["--from", "words", "--names", "x,y", "-H"]),
    Sample(
      name: "blanks with more fields, skipped", input: "a b\n1 2 3\n4 5\n", output: "a,b\n4,5\n",
      errors:
        "tabler: warning: <stdin>: 1 row with too few or too many fields left out (first: line 2)\n",
      arguments: ["--from", "blanks", "--ragged", "skip"]),
    Sample(
      name: "a comment is no row below the header", input: "#x\nA  B\n#y\n1  2\n", output: "A,B\n1,2\n",
      errors: "tabler: note: <stdin>: 2 lines left out (--comment)\n", arguments: ["--comment", "#"]),
  ])
  func `words and blanks have the cells that a person reads`(_ sample: Sample) throws { try sample.check() }

  @Test(arguments: [
    ("blanks", "a b\n6 7 8\n"), ("table", "| a | b |\n|---|---|\n| 6 | 7 | 8 |\n"),
    ("table", "+---+---+\n| a | b |\n+---+---+\n| 6 | 7 | 8 |\n+---+---+\n"),
  ])
  func `R19 a longer last row makes a column in every form`(_ form: String, _ input: String) throws {
    for (options, output) in [
      (["--csv", "--sort", "a"], "a,b,3\n6,7,8\n"),
      (["--jsonl"], "{\"a\":6,\"b\":7,\"3\":8}\n"), (["--json"], "[\n{\"a\":6,\"b\":7,\"3\":8}\n]\n"),
      (["--list"], "a  b  3\n─  ─  ─\n6  7  8\n"),
    ] {
      let run = try Run(["--from", form, "--ragged", "fill"] + options, input: input)
      #expect(run.output.text == output && run.errors.isEmpty && run.status == 0, "\(options)")
    }
  }

  @Test(arguments: ["words", "blanks", "table", "json", "jsonl"])
  func `R18 only csv and tsv know a quote mark`(_ form: String) throws {
    let run = try Run(["--from", form, "--quote", "\""], input: "a  b\n1  2\n")
    #expect(run.status == 2 && run.output.isEmpty)
    let message = "--quote: not for \(form), only for csv and tsv (--from csv, --from tsv)"
    #expect(run.errors.text == "tabler: \(message)\n")
    let told = try Run(["--quote", "\""], input: "a  b\n1  2\n")
    #expect(told.status == 2 && told.errors.text.contains("this is words, but --quote is only for"))
  }

  @Test(arguments: [
    ("a\tb\n1\t2\n", "a\tb\n1\t2\n"), ("a b|c\td\n1|2\n", "a b|c\td\n1|2\n"),
    ("x,y\ta\tb\n\"1\t2\"\t3\t4\n", "x,y\ta\tb\n\"1\t2\"\t3\t4\n"),
  ])
  func `a tab may part the fields of a file called csv`(_ input: String, _ output: String) throws {
    try inFolder { folder in
      try Data(input.utf8).write(to: folder.appending(path: "t.csv"))
      let run = try Run(["--csv", "t.csv"], input: URL(fileURLWithPath: "/dev/null"), in: folder)
      #expect(run.output.text == output && run.errors.isEmpty && run.status == 0)
    }
  }

  @Test(arguments: [
    // Ties go to the comma; the second record decides only where it has two fields and more, as many as the header.
    ("a;b,c\n1;2,3\n", "{\"a;b\":\"1;2\",\"c\":3}\n"), ("a,b;c\n1;2\n", "{\"a,b\":1,\"c\":2}\n"),
    ("a,b\n1\n", nil), ("a,b;c\n# x,y\n1;2\n", "{\"a,b\":1,\"c\":2}\n"),
    ("a,b;c\n\n1;2\n", "{\"a,b\":1,\"c\":2}\n"),
  ])
  func `the second record has a vote on the delimiter`(_ input: String, _ output: String?) throws {
    let run = try Run(["--from", "csv", "--comment", "#", "--jsonl"], input: input)
    #expect(output.map { run.output.text == $0 && run.status == 0 } ?? (run.status == 3))
  }

  @Test(arguments: ["a,b\n1,é😀\n", "é,b\n1,2\n", "日本,b\n1,2\n", "a"])
  func `R13 UTF-16 without a mark is told by its zero bytes, or by its name`(_ text: String) throws {
    let units = Array(text.utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for (bytes, names) in [(little, ["utf-16", "utf-16le"]), (big, ["utf-16", "utf-16be"])] {
      for name in names {
        let run = try Run(["--csv", "--encoding", name], bytes: bytes)
        #expect(run.output.text == (text.last == "\n" ? text : text + "\n") && run.status == 0, "\(name)")
      }
    }
  }

  @Test(arguments: ["a,b\n1,2\n", "a\n1\n"])
  func `R13 UTF-16 that nobody speaks of gets a hint`(_ text: String) throws {
    let units = Array(text.utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for bytes in [little, big] {
      for form in ["--list", "--csv"] {
        let lines = try Run([form], bytes: bytes).errors.text.split(separator: "\n")
        #expect(lines.filter { $0.hasSuffix(" (--encoding utf-16?)") }.count == 1, "\(form)")
      }
    }
  }

  @Test func `latin1 is read as Windows-1252`() throws {
    let run = try Run(["--csv", "--encoding", "latin1"], bytes: [0x61, 0x0A, 0x80, 0xE9, 0x99, 0x0A])
    #expect(run.output.text == "a\n€é™\n")
  }

  @Test(arguments: [
    Sample(
      name: "Markdown with escapes and lines",
      input: "| a | b |\n|:-:|--|\n| x\\|y | 1<br>2 |\n| - | \\* |\n| short\n",
      output: "a,b\nx|y,\"1\n2\"\n-,*\nshort,\n"),
    Sample(
      name: "rules that part rows",
      input: "+---+---+\n| a | b |\n+===+===+\n| 1 | x |\n|   | y |\n+---+---+\n| 2 |   |\n+---+---+\n",
      output: "a,b\n1,\"x\ny\"\n2,\n"),
    Sample(
      name: "a footer after a second double rule",
      input: "┌───┬───┐\n│ a │ b │\n╞═══╪═══╡\n│ 1 │ x │\n│ 2 │ y │\n╞═══╪═══╡\n│ 3 │   │\n└───┴───┘\n",
      output: "a,b\n1,x\n2,y\n"),
    Sample(
      name: "a list with a footer", input: " a  bb\n──  ──\n 1  x\n 2\n──  ──\n 3\n",
      output: "a,bb\n1,x\n2,\n",
      arguments: ["--from", "table"]),
    Sample(
      name: "a stack, parted at positions", input: "  a  b c   d\n═══════════\n  1  x y   \n 22  z     4\n",
      output: "a,b c,d\n1,x y,\n22,z,4\n", arguments: ["--from", "table"]),
    Sample(
      name: "psql with a line that goes on, and what stands below",
      input: " a | note \n---+------\n 1 | x   +\n   | y\n 2 | C+\n(2 rows)\n\nmore\n",
      output: "a,note\n1,\"x\ny\"\n2,C+\n",
      errors: "tabler: note: <stdin>: 1 line outside the table left out (first: line 8)\n"),
    Sample(
      name: "text above a frame",
      input: "Items:\n+----+---+\n| ab | b |\n+----+---+\n| 1  |   |\n+----+---+\n",
      output: "ab,b\n1,\n",
      errors: "tabler: note: <stdin>: 1 line outside the table left out (first: line 1)\n",
      arguments: ["--from", "table"]),
    Sample(
      name: "a frame without header", input: "+---+---+\n| 1 | 2 |\n| 3 | 4 |\n+---+---+\n",
      output: "1,2\n3,4\n",
      arguments: ["-H"]),
    Sample(
      name: "a bar in a cell", input: " a | b \n---+---\n 1 | x | y\n", output: "a,b\n1,x | y\n"),
    Sample(
      name: "a bar in the last cell of a frame",
      input: "+---+-------+\n| a | b     |\n+---+-------+\n| 1 | x | y |\n+---+-------+\n",
      output: "a,b\n1,x | y\n"),
    Sample(
      name: "a row of a frame with more cells",
      input: "+---+---+\n| A | x |\n+---+---+\n| 1 | 2 |\n| 1 | 2 | 3 |\n+---+---+\n",
      output: "A,x\n1,2\n",
      errors: "tabler: <stdin>:5: 3 fields, but the header has 2; --ragged skip leaves such rows out\n"),
    Sample(
      name: "a row of a frame with more cells, filled",
      input: "+---+---+\n| A | x |\n+---+---+\n| 1 | 2 | 3 |\n+---+---+\n", output: "A,x,3\n1,2,3\n",
      arguments: ["--ragged", "fill", "--sort", "A"]),
    Sample(
      name: "a row of a frame with more cells, skipped",
      input: "+---+---+\n| A | x |\n+---+---+\n| 1 | 2 | 3 |\n| 4 | 5 |\n+---+---+\n",
      output: "A,x\n4,5\n",
      errors: "tabler: warning: <stdin>: 1 row with too few or too many fields left out (first: line 4)\n",
      arguments: ["--ragged", "skip"]),
    Sample(
      name: "a frame whose header of numbers names take the place of",
      input: "+---+---+\n| 1 | 2 |\n+---+---+\n| 3 | 4 |\n+---+---+\n", output: "x,y\n3,4\n",
      errors:
        "tabler: note: <stdin>:2: --names replaces this header, which contains '1'; -H keeps it as a row\n",
      arguments: ["--names", "x,y"]),
    Sample(
      name: "no table", input: "a b\n1 2\n", output: "",
      errors:
        "tabler: <stdin>:1: no drawn table: there is no rule of '-', '=' or box lines below the header\n",
      arguments: ["--from", "table"]),
    Sample(
      name: "a bar that is a delimiter", input: "a|b\n--|-\n", output: "a|b\n--|-\n"),
  ])
  func `drawn tables have the cells that a person reads`(_ sample: Sample) throws { try sample.check() }

  @Test(arguments: [
    ("ascii", "+-=|"), ("light", ""), ("heavy", ""), ("double", ""), ("round", ""), ("outline", ""),
    ("dots", ".:"),
    ("markdown", ""),
  ])
  func `R68 a table that is drawn is read back with the same cells`(_ border: String, _ frame: String) throws
  {
    let texts = [
      "", "", "a", "7", "-2.5", "two words", "a  b", "日本", "é", "😀", "x_y", "*b*", "\\", "\\*", "<i>", "<br>",
      "&amp;",
      "#", "-", "---", "+", "=", ".", "a.", "$5 $6", "~", "`c`", "|", "[l](u)", "www.a.b", "http://x",
    ].filter { text in !text.contains { frame.contains($0) } }
    var state: UInt64 = 68
    func number(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    func cell() -> String {
      let pieces = (0...number(below: 2)).map { _ in texts[number(below: texts.count)] }.filter {
        !$0.isEmpty
      }
      return "\"" + pieces.joined(separator: " ") + "\""
    }
    for round in 0..<12 {
      let columnCount = 1 + number(below: 4)
      var lines = [(0..<columnCount).map { "t\($0)" }.joined(separator: ",")]
      for _ in 0..<(1 + number(below: 5)) {
        lines.append((0..<columnCount).map { _ in cell() }.joined(separator: ","))
      }
      let input = lines.joined(separator: "\n") + "\n"
      let wanted = try Run(["--from", "csv", "--tsv"], input: input)
      var options = border == "markdown" ? ["-t", "markdown"] : ["--grid", "--border", border]
      // In dots a rule between two rows looks like the one above a footer.
      if round % 3 == 1, border != "dots" {
        options += border == "markdown" ? ["--lookahead", "0"] : ["--row-rules"]
      }
      let drawn = try Run(["--from", "csv"] + options, input: input)
      let read = try Run(["--from", "table", "--tsv"], input: drawn.output.text)
      #expect(read.output.text == wanted.output.text, "\(drawn.output.text)\(read.errors.text)")
    }
  }
}
