import Foundation
import Testing

/// Rules about what comes in: marks and encodings, ends, quotes, names, detection, JSON.
@Suite struct InputRuleTests {
  @Test(arguments: ["a,b\n1,é😀\n", "\"a\",b\n1,é😀\n", "a\tb\n1\té😀\n", "{\"a\":1,\"b\":\"é😀\"}\n"])
  func `R13 a byte order mark belongs to no name, in UTF-8 and UTF-16 both ways`(_ text: String) throws {
    let wanted = "{\"a\":1,\"b\":\"é😀\"}\n"
    let units = Array(text.utf16)
    let spellings: [[UInt8]] = [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
      [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
    ]
    for bytes in spellings {
      let run = try Run(["--jsonl", "--filter", "a = 1"], bytes: bytes)
      #expect(run.output.text == wanted && run.errors.isEmpty && run.status == 0, "\(bytes.prefix(4))")
    }
  }

  @Test func `R13 csv output has no mark, and each file may have its own`() throws {
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("\"a\",b\n1,2\n".utf8)
    #expect(try Run(["--csv"], bytes: marked).output.text == "\"a\",b\n1,2\n")
    let folder = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["1.csv", "2.csv"] { try Data(marked).write(to: folder.appending(path: name)) }
    let run = try Run(["--csv", "1.csv", "2.csv"], input: URL(fileURLWithPath: "/dev/null"), in: folder)
    #expect(run.output.text == "\"a\",b\n1,2\n1,2\n" && run.status == 0)
  }

  @Test func `R13 UTF-16 that is damaged or cut short is drawn as U+FFFD and stops nothing`() throws {
    let lone: [UInt8] = [0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x00, 0xD8, 0x0A, 0, 0x31, 0, 0x0A]
    let run = try Run(["--jsonl"], bytes: lone)
    #expect(run.status == 0)
    #expect(run.output.text == "{\"a\":\"\u{FFFD}\"}\n{\"a\":\"1\u{FFFD}\"}\n")
  }

  @Test(arguments: [
    ("a,b\n1,2", "{\"a\":1,\"b\":2}\n"), ("a,b\r\n1,2\r\n\r\n\r\n", "{\"a\":1,\"b\":2}\n"),
    ("\n\na,b\n\n1,2\n\n", "{\"a\":1,\"b\":2}\n"), ("a\n \n", "{\"a\":\" \"}\n"),
    ("{\"a\":1}\n \t\n\n{\"a\":2}", "{\"a\":1}\n{\"a\":2}\n"), ("[{\"a\":1}]  \n\n", "{\"a\":1}\n"),
    ("a  b\n1  2", "{\"a\":1,\"b\":2}\n"), ("a,b", ""), ("a,b\n", ""), ("[]", ""),
  ])
  func `R15 ends that are missing, and lines that are empty, make no rows`(
    _ input: String, _ output: String
  ) throws {
    let run = try Run(["--jsonl"], input: input)
    #expect(run.output.text == output && run.errors.isEmpty && run.status == 0)
  }

  @Test func `R15 a line of blanks is a row, and too short where there are two columns`() throws {
    let run = try Run(["--jsonl"], input: "a,b\n  \n1,2\n")
    #expect(run.status == 3 && run.output.isEmpty)
    #expect(run.errors.text.hasPrefix("tabler: <stdin>:2: 1 field, but the header has 2"))
  }

  @Test(arguments: Choice.all)
  func `R15 no byte at all is no table and a warning in every form`(_ form: String) throws {
    for input in ["", "\n\n"] {
      let run = try Run([form], input: input)
      #expect(run.output.text == (form == "--to=json" ? "[]\n" : "") && run.status == 0)
      #expect(run.errors.text == "tabler: warning: <stdin>: no input\n")
    }
    let closed = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: closed) }
    let run = try FedRun("exec \"$0\" \(form) <&- 2> \(closed.path)", header: "")
    #expect(try run.ends() && run.process.terminationStatus == 4)
    #expect(try Data(contentsOf: closed).text.hasPrefix("tabler: <stdin>: read error"))
  }

  @Test(arguments: [
    (["--skip-lines", "9"], "a,b\n1,2\n"), ([], "total 0\n"), (["--comment", "#"], "# a\n"),
  ])
  func `R15 lines that are all left out are not no input`(_ options: [String], _ input: String) throws {
    let run = try Run(options, input: input)
    #expect(run.output.isEmpty && run.status == 0)
    #expect(run.errors.text == "tabler: warning: <stdin>: no lines are left\n")
  }

  @Test(arguments: [
    ("n,d\n1,27\" screen\n", "{\"n\":1,\"d\":\"27\\\" screen\"}\n"),
    ("n,d\n1,\"\"\"\"\n2,\"a\"\"b\"\n", "{\"n\":1,\"d\":\"\\\"\"}\n{\"n\":2,\"d\":\"a\\\"b\"}\n"),
    ("n,d\n,\n\"\",\"\"\n", "{\"n\":null,\"d\":null}\n{\"n\":null,\"d\":null}\n"),
    (
      "n\td\n\"x\ty\"\n\"\"\t\"a\n",
      "{\"n\":\"\\\"x\",\"d\":\"y\\\"\"}\n{\"n\":\"\\\"\\\"\",\"d\":\"\\\"a\"}\n"
    ),
    ("n,d\n\"x,\r\ny\",2\r\n", "{\"n\":\"x,\\r\\ny\",\"d\":2}\n"),
  ])
  func `R18 quotes where they are text, and where they are not`(_ input: String, _ output: String) throws {
    let run = try Run(["--jsonl", "--quiet"], input: input)
    #expect(run.output.text == output && run.status == 0)
  }

  @Test func `R18 quotes inside unquoted fields are warned of once, with the first`() throws {
    let run = try Run(["--csv"], input: "n,d\n1,27\" a\n2,b\"c\n")
    #expect(run.output.text == "n,d\n1,27\" a\n2,b\"c\n")
    #expect(run.errors.text.split(separator: "\n").count == 1)
    #expect(run.errors.text.hasPrefix("tabler: warning: <stdin>:2:"))
  }

  @Test(arguments: [
    ("n,d\n1,2\n3,\"a\"b\n", "3:6"), ("n;d\n\"x\ny\";\"é\" \n", "3:7"), ("\"n\"d\n1\n", "1:4"),
  ])
  func `R18 text after a closing quote is named by line and column`(_ input: String, _ place: String) throws {
    let run = try Run(["--csv"], input: input)
    #expect(run.status == 3)
    #expect(
      run.errors.text
        == "tabler: <stdin>:\(place): text after a closing quote; --lazy-quotes takes it as text\n")
  }

  static let names = "\"a,b\",\"c:d\",e.f,\" g h \",-x,12,\"q\"\"q\",😀,,r,r\n1,2,3,4,5,6,7,8,9,10,11\n"

  @Test(arguments: [
    ("\"a,b\"", 1), ("`a,b`", 1), ("\"c:d\"", 2), ("e.f", 3), ("g h", 4), (" g h ", 4), ("-x", 5), ("12", 6),
    ("@6", 6), ("3", 3), ("\"q\"\"q\"", 7), ("😀", 8), ("@9", 9), ("r", 10), ("r_2", 11), ("@-1", 11),
  ])
  func `R20 any name can be said to every option`(_ name: String, _ value: Int) throws {
    let columns = try Run(["--csv", "--no-header", "-q", "--columns", name], input: Self.names)
    #expect(columns.output.text == "\(value)\n" && columns.status == 0)
    let hidden = try Run(["--csv", "--no-header", "-q", "--hide", name], input: Self.names)
    let rest = (1...11).filter { $0 != value }.map(String.init).joined(separator: ",")
    #expect(hidden.output.text == rest + "\n")
    guard name != "-x" else { return }
    let sorted = try Run(["--csv", "--no-header", "-q", "--sort", "-" + name, "-c", "r"], input: Self.names)
    #expect(sorted.output.text == "10\n", "\(sorted.errors.text)")
  }

  @Test func `R20 repeated names are counted on past those that other columns have`() throws {
    let run = try Run(["--jsonl"], input: "x,x,x_2,x\n1,2,3,4\n")
    #expect(run.output.text == "{\"x\":1,\"x_3\":2,\"x_2\":3,\"x_4\":4}\n")
    #expect(try Run(["--csv", "-q"], input: "x,x,x_2\n1,2,3\n").output.text == "x,x,x_2\n1,2,3\n")
    #expect(try Run(["--csv", "-q", "-c", "x_2"], input: "x,x,x_2\n1,2,3\n").output.text == "x_2\n3\n")
  }

  @Test func `R20 outer blanks of JSON keys need not be said, unless another key is so called`() throws {
    let run = try Run(["--jsonl", "-c", "s"], input: "{\" s \":1}\n{\" s \":2}\n")
    #expect(run.output.text == "{\" s \":1}\n{\" s \":2}\n" && run.errors.isEmpty)
    let both = try Run(["--jsonl", "-c", "s"], input: "{\" s \":1,\"s\":3}\n")
    #expect(both.output.text == "{\"s\":3}\n")
  }

  @Test(arguments: [
    ("a;b\n1,5;2\n", "{\"a\":\"1,5\",\"b\":2}\n"), ("a,b\n1;2,3;4\n", "{\"a\":\"1;2\",\"b\":\"3;4\"}\n"),
    ("x\n1\n", "{\"x\":1}\n"), ("\"a;b;c\",d\n1,2\n", "{\"a;b;c\":1,\"d\":2}\n"),
    ("a,b;c,d\n1;2\n", "{\"a,b\":1,\"c,d\":2}\n"), ("a|b\n1|2\n", "{\"a\":1,\"b\":2}\n"),
    ("1,2\n3,4\n", "{\"1\":3,\"2\":4}\n"),
    ("\"a\nb;\",c\n\"1\n;;;\",2\n", "{\"a\\nb;\":\"1\\n;;;\",\"c\":2}\n"),
    ("a\tb,c\n1\t2\n", "{\"a\":1,\"b,c\":2}\n"), ("a  b,c\n1  2,3\n", "{\"a  b\":\"1  2\",\"c\":3}\n"),
    ("a  b\n1  2\n", "{\"a\":1,\"b\":2}\n"), (" {\"a\":\n1}", "{\"a\":1}\n"),
  ])
  func `R21 a file and a pipe are told by the same bytes`(_ input: String, _ output: String) throws {
    let file = try Run(["--jsonl"], input: input)
    #expect(file.output.text == output && file.status == 0)
    let written = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: written) }
    let piped = try FedRun("exec \"$0\" --jsonl > \(written.path)", header: "")
    for character in input { try piped.feed(String(character)) }
    try piped.closeInput()
    #expect(try piped.ends())
    #expect(try Data(contentsOf: written).text == output)
  }

  @Test func `R21 a first line beyond 64 KiB is told by what there is of it`() throws {
    let titles = (0..<12_000).map { "col\($0)" }.joined(separator: ";")
    let numbers = (0..<12_000).map(String.init).joined(separator: ";")
    let csv = try Run(["--jsonl", "-c", "@-1"], input: titles + "\n" + numbers + "\n")
    #expect(csv.output.text == "{\"col11999\":11999}\n")
    let members = (0..<9_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let json = try Run(["--jsonl", "-c", "k8999,k1"], input: "{\(members)}\n{\"k1\":5}\n")
    #expect(json.output.text == "{\"k8999\":8999,\"k1\":1}\n{\"k1\":5}\n")
  }

  @Test func `R22 numbers keep their digits and compare by them`() throws {
    let input = "{\"n\":12345678901234567890123,\"m\":12345678901234567890124,\"d\":1.50E+10}\n"
    #expect(try Run(["--jsonl", "--filter", "n < m"], input: input).output.text == input)
    #expect(try Run(["--jsonl", "--filter", "n >= m"], input: input).output.isEmpty)
    #expect(
      try Run(["--csv"], input: input).output.text.hasSuffix(
        "\n12345678901234567890123,12345678901234567890124,1.50E+10\n"))
  }

  @Test func `R22 of repeated keys the last wins, with one warning, however they are spelled`() throws {
    let run = try Run(["--jsonl"], input: "{\"a\":1,\"b\":0,\"\\u0061\":2}\n{\"a\":3,\"a\":4}\n")
    #expect(run.output.text == "{\"b\":0,\"\\u0061\":2}\n{\"a\":4}\n")
    #expect(
      run.errors.text == "tabler: warning: <stdin>:1: key 'a' appears twice in an object; the last one wins\n"
    )
    let table = try Run(["--csv", "-q"], input: "{\"a\":1,\"b\":0,\"\\u0061\":2}\n")
    #expect(table.output.text == "a,b\n2,0\n")
  }

  @Test(arguments: [
    ("{\"a\":\"\\ud83d\\ude00\\u00e9\"}", "😀é"), ("{\"a\":\"\\ud83d x\"}", "\u{FFFD} x"),
    ("{\"a\":{\"b\":[1, {\"c\":null}]}}", "{\"b\":[1,{\"c\":null}]}"), ("{\"a\":\"\\\\n\\/\"}", "\\n/"),
    ("{\"a\":\"\\t\"}", "\t"),
  ])
  func `R22 escapes, surrogates and nested values read as what they mean`(_ input: String, _ cell: String)
    throws
  {
    let run = try Run(["--csv", "--no-header", "--output-delimiter", "|", "--quiet"], input: input)
    let isQuoted = cell.contains("\"")
    let wanted = isQuoted ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
    #expect(run.output.text == wanted + "\n")
  }

  @Test(arguments: [
    ("{\"a\":NaN}", "1:6: JSON has no NaN and no Infinity"), ("{\"a\":01}", "1:7: this is not a JSON number"),
    ("{\"a\":1,}", "1:8: expected a key in double quotes"),
    ("{\"a\":1", "1:7: the input ends inside a value"),
    ("{\"a\":\"x\ty\"}", "1:8: a control character in a string must be escaped"),
    ("{\"a\":1}\n{\"a\":tru}", "2:6: expected a JSON value; --ragged skip leaves it out"),
  ])
  func `R22 damage is named by line and column`(_ input: String, _ message: String) throws {
    let run = try Run(["--grid"], input: input)
    #expect(run.status == 3 && run.output.isEmpty && run.errors.text == "tabler: <stdin>:\(message)\n")
  }

  /// The form goes by the suffix, whatever the file begins with.
  @Test(arguments: [
    ("x.csv", "{\"a\"\n1\n", "[{\"{\\\"a\\\"\":1}]"), ("x.tsv", "a,b\n1,2\n", "[{\"a,b\":\"1,2\"}]"),
    ("x.tab", "a,b\n1,2\n", "[{\"a,b\":\"1,2\"}]"), ("x.jsonl", "{\"a\":1}\n", "[{\"a\":1}]"),
    ("x.NDJSON", "{\"a\":1}\n", "[{\"a\":1}]"), ("x.json", "{\"a\":1}\n{\"a\":2}\n", "[{\"a\":1},{\"a\":2}]"),
    ("x.json", "1,2\n3,4\n", ""), ("x.txt", "1,2\n3,4\n", "[{\"1\":3,\"2\":4}]"),
  ])
  func `the suffix says the form`(_ name: String, _ text: String, _ rows: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    let run = try Run([file.path, "--json"], input: "")
    #expect(run.output.text.filter { $0 != "\n" } == rows)
    #expect(run.status == (rows.isEmpty ? 3 : 0))
  }
}

extension Run {
  /// Runs the binary with bytes on its standard input.
  init(_ arguments: [String], bytes: [UInt8]) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try self.init(arguments, input: file)
  }
}
