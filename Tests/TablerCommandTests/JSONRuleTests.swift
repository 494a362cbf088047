import Foundation
import Testing

/// Ways into JSON, `--at`, `--trim`, and what is said of the input.
@Suite struct JSONRuleTests {
  /// A cell of csv that holds JSON, and the same as tsv and as JSON.
  static let nested = [
    "a,j\n1,\"{\"\"x\"\":5,\"\"t\"\":[7,{\"\"y\"\":\"\"z\"\"}]}\"\n2,\" {\"\"x\"\":3}\"\n3,\n",
    "a\tj\n1\t{\"x\":5,\"t\":[7,{\"y\":\"z\"}]}\n2\t{\"x\":3}\n3\t\n",
    "{\"a\":1,\"j\":{\"x\":5,\"t\":[7,{\"y\":\"z\"}]}}\n{\"a\":2,\"j\":{\"x\":3}}\n{\"a\":3,\"j\":null}\n",
    "{\"a\":1,\"j\":\"{\\\"x\\\":5,\\\"t\\\":[7,{\\\"y\\\":\\\"z\\\"}]}\"}\n{\"a\":2,\"j\":\"{\\\"x\\\":3}\"}\n{\"a\":3}\n",
    "a  j\n1  {\"x\":5,\"t\":[7,{\"y\":\"z\"}]}\n2  {\"x\":3}\n3\n",
  ]

  @Test(arguments: [
    (
      "--csv -c a,j.x,j.t[0],j.t[1].y,j.t[-1].y",
      "a,j.x,j.t[0],j.t[1].y,j.t[-1].y\n1,5,7,z,z\n2,3,,,\n3,,,,\n"
    ),
    ("--tsv -c j.t[1]", "j.t[1]\n{\"y\":\"z\"}\n\n\n"),
    (
      "--jsonl -c a,j.x,j.t",
      "{\"a\":1,\"j.x\":5,\"j.t\":[7,{\"y\":\"z\"}]}\n{\"a\":2,\"j.x\":3}\n{\"a\":3}\n"
    ),
    ("--csv -c a -f j.x=5", "a\n1\n"), ("--csv -c a -f j[\"x\"]=5", "a\n1\n"),
    ("--csv -c a -f j.t[1].y=\"z\"", "a\n1\n"), ("--csv -c a -f j.t[a]=\"{}\"||j[\"t\"][a-1]=7", "a\n1\n"),
    ("--csv -c a -s j.x", "a\n2\n1\n3\n"), ("--csv -c a -s -j.x:number", "a\n1\n2\n3\n"),
    ("--csv -c a -s (j.x)", "a\n2\n1\n3\n"), ("--csv -c a --order j.x=3,5 -s j.x", "a\n2\n1\n3\n"),
    ("--csv -c a --sorted-by -j.x", "a\n1\n2\n3\n"), ("--csv -c a --move (j.x=3)->top", "a\n2\n1\n3\n"),
    (
      "--list -c a,j.x --footer a={count()},j.x={sum(j.x)}",
      "a  j.x\n─  ───\n1    5\n2    3\n3   NA\n─  ───\n3    8\n"
    ),
    ("--list -c a,j.x --footer totals", "a  j.x\n─  ───\n1    5\n2    3\n3   NA\n─  ───\n6    8\n"),
    ("--list -c a,j.x --align j.x:l", "a  j.x\n─  ───\n1  5\n2  3\n3  NA\n"),
    ("--list -c a,j.x --format j.x={:.1f}", "a  j.x\n─  ───\n1  5.0\n2  3.0\n3   NA\n"),
    ("--list -c a,j.x --format a={j.x}!", " a  j.x\n──  ───\n5!    5\n3!    3\n !   NA\n"),
    ("--list -c a --row-names j.x", "j.x  a\n───  ─\n  5  1\n  3  2\n NA  3\n"),
  ])
  func `A path means the same in every option, in cells and in JSON`(_ options: String, _ output: String)
    throws
  {
    for input in Self.nested {
      let run = try Run(options.split(separator: " ").map { String($0) }, input: input)
      #expect(run.output.text == output && run.status == 0, "\(input)\(run.errors.text)")
    }
  }

  @Test func `A key that holds a dot comes before a path, whenever it turns up`() throws {
    let input = "{\"a\":1}\n{\"j.x\":2,\"j\":{\"x\":9}}\n{\"j\":{\"x\":3}}\n"
    let columns = try Run(["--csv", "-c", "j.x"], input: input)
    #expect(columns.output.text == "j.x\n\"\"\n2\n3\n")
    #expect(try Run(["--csv", "-c", "j.x", "-f", "j.x > 1"], input: input).output.text == "j.x\n2\n3\n")
    #expect(try Run(["--csv", "-c", "j.x", "-s", "-j.x"], input: input).output.text == "j.x\n3\n2\n\"\"\n")
    #expect(try Run(["--jsonl", "--hide", "j.x,a"], input: input).output.text.contains("9"))
    #expect(!(try Run(["--jsonl", "--hide", "j.x"], input: input).output.text.contains("2")))
  }

  @Test(arguments: [
    "--id a", "--id zzz", "--id @2", "--id @9", "--id a,zzz", "--id zzz.x", "--id zzz,yyy", "--id z*",
    "--id a -c a,zzz", "--id a -c a,yyy", "--id a -c a,zzz.x", "--id zzz -c a", "--id a --hide zzz",
    "--id a --diff-ignore zzz", "--id a,zzz --diff-ignore yyy", "--id a --diff-ignore zzz.x",
    "--id a,q --derive c=b*2,q=1", "--id zzz --derive zzz=b*2", "--id zzz --set zzz=1",
    "--id zzz --explode zzz", "--id a --explode zzz", "--id a --sort zzz",
    "--id a --filter zzz=1", "--id a --filter zzz>1",
    "--id a --validate zzz:value>1", "--id a --delete zzz=9", "--id a --compute r=running(zzz)",
    "--id a --types zzz:number", "--id a --sorted-by a", "--id a --sorted-by zzz", "-c zzz", "--hide zzz",
    "--diff-ignore zzz", "--id a --group-by a", "--id a --group-by a -c zzz",
  ])
  func `Changes are counted as they are listed, whatever columns options name`(_ options: String) throws {
    let few = "{\"a\":1,\"b\":2}\n"
    let many = "{\"a\":1,\"b\":3}\n{\"a\":2,\"b\":4,\"c\":5,\"zzz\":9}\n"
    let tables = [
      (few, many), ("", many), (many, ""), (many, many), ("", ""), ("{}", many), (many, "{}"),
      ("a,b\n1,2\n", "a,b,zzz\n1,3,1\n2,4,5\n"), ("a", "a,b,zzz\n1,3,1\n2,4,5\n"),
    ]
    try inFolder { folder in
      let (old, new) = (folder.appending(path: "old"), folder.appending(path: "new"))
      for (before, after) in tables {
        try Data(before.utf8).write(to: old)
        try Data(after.utf8).write(to: new)
        let arguments = options.split(separator: " ").map(String.init) + ["--diff=old"]
        let listed = try Run(["--csv"] + arguments, input: new, in: folder)
        let counted = try Run(["--diff-stat"] + arguments, input: new, in: folder)
        #expect(counted.status == listed.status && counted.status < 4, "\(before)\(after)")
        #expect(counted.errors.text == listed.errors.text, "\(before)\(after)")
      }
    }
  }

  @Test(arguments: [
    (["-c", "nam", "--csv"], "column 'nam' is not in the input; it was read as null; did you mean 'name'?"),
    (
      ["-c", "user.addres", "--csv"],
      "column 'user.addres' is not in the input; it was read as null; did you mean 'user.address'?"
    ),
    (
      ["-f", "usr.address = 2"],
      "column 'usr.address' is not in the input; it was read as null; did you mean 'user.address'?"
    ),
    (
      ["-c", "name=Title", "-s", "Title"],
      "column 'Title' is not in the input; it was read as null; that is the title of 'name'"
    ),
    (
      ["-s", "zzz", "--csv"],
      "column 'zzz' is not in the input; it was read as null; the columns are name, user"
    ),
    (
      ["-f", "user[\"x\"] = 1", "-s", "user.x"],
      "column 'user.x' is not in the input; it was read as null; 'user' has address"
    ),
  ])
  func `A name that never came is said once, with the nearest that did`(
    _ arguments: [String], _ warning: String
  )
    throws
  {
    let run = try Run(arguments, input: "{\"name\":1,\"user\":{\"address\":2}}\n")
    #expect(run.errors.text == "tabler: warning: \(warning)\n" && run.status == 0)
  }

  static let document =
    "{\"meta\":{\"n\":2,\"x\":[1,\"}]\"]},\"items\":[{\"a\":1},{\"a\":2,\"b\":\"x\"}],\"end\":null}"

  @Test(arguments: [
    ("items", document, "{\"a\":1}\n{\"a\":2,\"b\":\"x\"}\n"),
    (".items", document, "{\"a\":1}\n{\"a\":2,\"b\":\"x\"}\n"),
    (
      "items", document + "\n" + document,
      "{\"a\":1}\n{\"a\":2,\"b\":\"x\"}\n{\"a\":1}\n{\"a\":2,\"b\":\"x\"}\n"
    ),
    ("meta.x", document, "{\"value\":1}\n{\"value\":\"}]\"}\n"), ("end", document, ""),
    (
      "d", "{\"d\":{\"k\":{\"a\":1,\"key\":9},\"l\":{}}}",
      "{\"key\":\"k\",\"a\":1,\"key_2\":9}\n{\"key\":\"l\"}\n"
    ),
    (".", "{\"k\":{\"a\":1}} {\"l\":{\"a\":2}}", "{\"key\":\"k\",\"a\":1}\n{\"key\":\"l\",\"a\":2}\n"),
    (".", "[{\"a\":1}]\n[ ]\n[{\"b\":[1 , 2]}]", "{\"a\":1}\n{\"b\":[1,2]}\n"),
    ("r", "{\"r\":[[\"a\",\"b\",\"a\",null],[1,\"x\",3,4]]}", "{\"a\":1,\"b\":\"x\",\"a_2\":3,\"4\":4}\n"),
    (
      "r", "{\"r\":[1,\"x\",null,[1, {}]]}",
      "{\"value\":1}\n{\"value\":\"x\"}\n{\"value\":null}\n{\"value\":[1,{}]}\n"
    ),
    ("p[1].q", "{\"p\":[{\"q\":[{\"a\":1}]},{\"q\":[{\"a\":2}]}]}", "{\"a\":2}\n"),
    ("a.b", "{\"a.b\":[{\"x\":1}]}{\"a\":{\"b\":[{\"x\":2}]}}", "{\"x\":1}\n{\"x\":2}\n"),
  ])
  func `--at takes the rows from inside a document`(_ path: String, _ input: String, _ output: String) throws
  {
    let run = try Run(["--at", path, "--jsonl"], input: input)
    #expect(run.output.text == output && run.errors.isEmpty && run.status == 0, "\(run.errors.text)")
  }

  @Test(arguments: [
    ("item", document, 3, "<stdin>: there is nothing at 'item' (--at); did you mean 'items'?"),
    ("meta.y", document, 3, "<stdin>: there is nothing at 'meta.y' (--at)"),
    ("meta", document, 3, "<stdin>:1:14: expected an object; a row is an object"),
    (
      "meta.n", document, 3,
      "<stdin>:1:14: expected an array, or an object of objects; --at names where the rows are"
    ),
    ("r", "{\"r\":[{\"a\":1},\n2]}", 3, "<stdin>:2:1: expected an object; a row is an object"),
    (
      "r", "{\"r\":[[\"a\"],\n[1,2]]}", 3,
      "<stdin>:2: 2 fields, but the header has 1; --ragged fill keeps such rows"
    ),
    ("r", "{\"x\":[}", 3, "<stdin>:1:7: expected a JSON value"),
    ("r", "{\"x\":\"cut", 3, "<stdin>:1:10: the input ends inside a value"),
    ("r", "{\"r\":[{\"x\":1}]} junk", 3, "<stdin>:1:17: expected a JSON value"),
    ("r", "{\"r\":[{\"x\":1}],\"b\":tru}", 3, "<stdin>:1:20: expected a JSON value"),
    ("r", "{\"r\":[{\"x\":1}],\"b\":NaN}", 3, "<stdin>:1:20: JSON has no NaN and no Infinity"),
    ("r", "{\"r\":[{\"x\":1}],\"b\":01}", 3, "<stdin>:1:21: this is not a JSON number"),
    ("r", "{\"r\":[{\"x\":1}],\"b\":\"\\x\"}", 3, "<stdin>:1:21: unknown escape in a string"),
    ("r", "{\"b\":\"\t\"}", 3, "<stdin>:1:7: a control character in a string must be escaped"),
    ("r", "{\"b\":[1 2]}", 3, "<stdin>:1:9: expected ',' or the end of the object or list"),
    ("r", "{\"b\":{\"c\" 1}}", 3, "<stdin>:1:11: expected ':' after a key"),
    ("r", "{\"b\":[{\"c\":1,}]}", 3, "<stdin>:1:14: expected a key in double quotes"),
    ("a", "x,y\n1,2\n", 2, "<stdin>: this is csv, but --at is only for json and jsonl"),
  ])
  func `--at says where nothing is, and what is no row`(
    _ path: String, _ input: String, _ status: Int32, _ message: String
  ) throws {
    let run = try Run(["--at", path, "--grid"], input: input)
    #expect(run.errors.text == "tabler: \(message)\n" && run.status == status && run.output.isEmpty)
  }

  @Test func `--at of no byte at all is an empty table`() throws {
    let run = try Run(["--at", "x", "--grid"], input: "")
    #expect(run.errors.text == "tabler: warning: <stdin>: no input\n")
    #expect(run.output.isEmpty && run.status == 0)
  }

  @Test func `R52 what stands around the rows is never held`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try FedRun("exec \"$0\" --at items --jsonl > \(file.path)", header: "{\"meta\":{\"text\":\"")
    let filler = String(repeating: "x\\\"[{", count: 50_000)
    for _ in 0..<400 { try run.feed(filler) }
    let peak = try run.systemNumber("VmHWM")
    try run.feed("\"},\"items\":[{\"a\":1}],\"more\":[\"")
    for _ in 0..<50 { try run.feed(filler) }
    try run.feed("\"]}")
    try run.closeInput()
    #expect(try run.ends() && run.process.terminationStatus == 0)
    #expect(try Data(contentsOf: file).text == "{\"a\":1}\n")
    if let peak { #expect(peak < 60_000) }
  }

  @Test(arguments: [
    ("a | b | c\n1 | x  y | \"q | r\" \n2 |  | \n   \n", "a|b|c\n1|x  y|\"q | r\"\n2||\n"),
    ("\" a \";b\r\n\" q\"\" \" ; 1\t\r\n", "\"a\";b\r\n\"q\"\"\";1\r\n"),
    ("a,b\n  ,  \" \" \n", "a,b\n,\"\"\n"),
  ])
  func `--trim takes outer blanks off cells and titles before they are written`(
    _ input: String, _ output: String
  )
    throws
  {
    #expect(try Run(["--trim", "--csv"], input: input).output.text == output)
    // Sorted rows are written cell by cell, each with its own end.
    #expect(try Run(["--trim", "--csv", "--sort", "(1)"], input: input).output.text == output)
  }

  @Test func `--trim makes titles, nulls and numbers of what stands between blanks`() throws {
    let run = try Run(
      ["--trim", "--null", "NA", "--jsonl", "-f", "n = \"x\" or v is null"],
      input: "n , v\nx , 1 \n y, NA \nz,3\n")
    #expect(run.output.text == "{\"n\":\"x\",\"v\":1}\n{\"n\":\"y\",\"v\":null}\n")
    let pairs = try Run(
      ["-d", ":", "-H", "--names", "key,value", "--trim", "--jsonl"],
      input: "CPU(s):     4\nOn-line list:  0-3\n")
    #expect(
      pairs.output.text == "{\"key\":\"CPU(s)\",\"value\":4}\n{\"key\":\"On-line list\",\"value\":\"0-3\"}\n")
    #expect(try Run(["--trim", "--tsv"], input: "a\t b \n 1\t2 \n").output.text == "a\tb\n1\t2\n")
  }

  @Test(arguments: [
    ["-H"], ["--names", "x"], ["--auto-names", "x{n}"], ["--header-lines", "2"], ["--quote", "'"], ["--trim"],
  ])
  func `What JSON does not know is refused, detected or not`(_ option: [String]) throws {
    for (form, input) in [("auto", "{\"a\":1}\n"), ("auto", "[{\"a\":1}]"), ("json", "[]"), ("jsonl", "")] {
      let run = try Run(option + ["--from", form, "--csv"], input: input)
      #expect(run.status == 2 && run.output.isEmpty && run.errors.text.contains("only for"))
    }
    #expect(try Run(option + ["--csv"], input: "a,b\n1,2\n").status == 0)
  }

  @Test(arguments: [
    ("--sorted-by name -n 2 --csv", "name\nA\nB\nA\n", "name\nA\nB\n", ""),
    ("-f a>0 -n 1 --csv", "a,b\n2,2\nx,1\n", "a,b\n2,2\n", ""),
    (
      "-f a>0 -n 1 --tail 1 --csv", "a,b\n2,2\nx,1\n", "a,b\n2,2\n",
      "tabler: warning: <stdin>: 1 cell of 'a' is not a number (first: line 3, 'x'); treated as null\n"
    ),
    (
      "--ragged skip -n 2 --csv", "a,b\n1,2\nx\n3,4\ny\n", "a,b\n1,2\n3,4\n",
      "tabler: warning: <stdin>: 1 row with too few or too many fields left out (first: line 3)\n"
    ),
    ("--ragged skip -n 1 --list", "a,b\n1,2\n3,4,5\n", "a  b\n─  ─\n1  2\n", ""),
    ("--ragged fill -n 1 --list", "a,b\n1,2\n3,4,5\n", "a  b\n─  ─\n1  2\n", ""),
    ("-n 1 --csv", "{\"a\":1}\n{\"b\":2}\n", "a\n1\n", ""),
    (
      "-n 1 --csv -c a,b", "{\"a\":1}\n{\"b\":2}\n", "a,b\n1,\n",
      "tabler: warning: column 'b' is not in the input; it was read as null; the only column is 'a'\n"
    ),
    (
      "--comment # --skip-lines 1 --csv", "x\n# y\na,b\n# z\n1,2\n", "a,b\n1,2\n",
      "tabler: note: <stdin>: 3 lines left out (--skip-lines and --comment)\n"
    ),
    ("--comment # --list", "# y\na,b\n# z\n1,2\n", "a  b\n─  ─\n1  2\n", ""),
    ("--comment # --csv -n 1", "a\n1\n# z\n2\n", "a\n1\n", ""),
    (
      "--csv", "a,b\n1,27\" x 30\" y\n2,b\"c\n", "a,b\n1,27\" x 30\" y\n2,b\"c\n",
      "tabler: warning: <stdin>:2:5: quote inside an unquoted field, taken as text (2 such fields)\n"
    ),
    (
      "--csv", "x,x,x\n1,2,3\n", "x,x,x\n1,2,3\n",
      "tabler: warning: column 'x' appears 3 times; the others are called 'x_2' and 'x_3'\n"
    ),
    (
      "--list", "a\nb\n1\u{0}2\n\u{0}\n", "a\n──────\nb\n1\\x002\n\\x00\n",
      "tabler: warning: <stdin>: 2 NUL bytes in the cells (first: line 3)\n"
    ),
    ("--csv", "a\n1\u{0}2\n", "a\n1\u{0}2\n", ""),
    (
      "--names a,b --csv", "2019,x\n1,2\n", "a,b\n1,2\n",
      "tabler: note: <stdin>:1: --names replaces this header, which contains '2019'; -H keeps it as a row\n"
    ),
    ("--names a,b --csv", "u,v\n1,2\n", "a,b\n1,2\n", ""),
    (
      "--ragged fill --jsonl", "a,b\n1,2\n1,2,3\n4\n",
      "{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":2,\"3\":3}\n{\"a\":4}\n", ""
    ),
    ("--ragged fill --json -c b", "a,b\n1,2\n1,2,3\n4\n", "[\n{\"b\":2},\n{\"b\":2},\n{}\n]\n", ""),
    ("--ragged fill --jsonl -c *", "a\n1\n1,2\n", "{\"a\":1}\n{\"a\":1,\"2\":2}\n", ""),
    (
      "--csv", "{\"n\":1,\"items\":[{\"a\":1}]}", "n,items\n1,\"[{\"\"a\"\":1}]\"\n",
      "tabler: note: one row; its 'items' holds 1 object: --at items\n"
    ),
    (
      "--csv", "[{\"items\":[{\"a\":1}]}]", "items\n\"[{\"\"a\"\":1}]\"\n",
      "tabler: note: one row; its 'items' holds 1 object: --at '[0].items'\n"
    ),
    ("--csv", "{\"a[0]\":[{\"a\":1}]}", "a[0]\n\"[{\"\"a\"\":1}]\"\n", ""),
    ("--list -n -1 --lookahead 1", "{\"a\":1}\n{\"a\":2}\n{\"c\":3}\n", "  a\n───\n  1\n  2\n", ""),
    ("--csv -c n", "{\"n\":1,\"i\":[{\"a\":1}],\"k\":[{\"a\":1}]}", "n\n1\n", ""),
  ])
  func `What is worth a word of the rows needed is said, and nothing of the rest`(
    _ options: String, _ input: String, _ output: String, _ errors: String
  ) throws {
    let run = try Run(options.split(separator: " ").map { String($0) }, input: input)
    #expect(run.output.text == output && run.errors.text == errors && run.status == 0)
  }

  @Test func `Bytes that are not UTF-8 are said with their first line`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString).csv")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(Array("a,b\nx,y\n\"\n".utf8) + [0xE9] + Array("\",u\nz,".utf8) + [0xFF, 10]).write(to: file)
    for form in Choice.drawn + ["--jsonl"] {
      let sorted = try Run([form, "-s", "-a", file.path], input: URL(fileURLWithPath: "/dev/null"))
      #expect(sorted.errors.text.contains("in 2 places of the cells; drawn as U+FFFD"))
      let run = try Run([form, "--move", "1 to bottom", file.path], input: URL(fileURLWithPath: "/dev/null"))
      #expect(
        run.errors.text
          == "tabler: warning: \(file.path): bytes that are not UTF-8 in 2 places of the cells (first: line 3); "
          + "drawn as U+FFFD (--encoding latin1?)\n")
    }
  }

  @Test func `Damage in titles is said as that in cells is`() throws {
    let place = "in 1 place of the cells (first: line 1); drawn as U+FFFD (--encoding latin1?)\n"
    for form in Choice.drawn {
      let run = try Run([form], bytes: [97, 0xFC] + Array(",b\nok,1\n".utf8))
      #expect(run.errors.text == "tabler: warning: <stdin>: bytes that are not UTF-8 " + place)
      let both = try Run([form], bytes: [97, 0xFC] + Array(",b\n".utf8) + [0xFC, 0x2C, 0x31])
      #expect(both.errors.text.contains("in 2 places of the cells (first: line 1)"))
      let nul = try Run([form], input: "a\u{0},b\n1,2\n")
      #expect(nul.errors.text == "tabler: warning: <stdin>: 1 NUL byte in the cells (first: line 1)\n")
    }
    for option in [["--csv"], ["--list", "--no-header"], ["--list", "-c", "@1=A"]] {
      #expect(try Run(option, input: "a\u{0},b\n1,2\n").errors.isEmpty)
    }
  }

  @Test(arguments: [
    ("Report\nof 2020\n\nd,a,b\n1,2,3\n4,5,6\n", " (text before the table? --skip-lines 3)"),
    ("Report of today\nid,name,qty\n1,a,5\n2,b,6\n", " (text before the table? --skip-lines 1)"),
    ("USER GROUPS\nanna adm,wheel\nbob adm,sudo\n", " (--from blanks?)"),
    ("name\nSmith, John\n", " (--from tsv?)"), ("name\nSmith, John\nMiller\n", " (--from tsv?)"),
  ])
  func `Text before a table is offered to be skipped`(_ input: String, _ hint: String) throws {
    let run = try Run(["--csv"], input: input)
    #expect(run.status == 3 && run.errors.text.hasSuffix(hint + "\n"))
  }

  @Test(arguments: [
    (
      "SQLite format 3\u{0}\u{10}\u{0}",
      "a SQLite database, not a table: tabler --via 'sqlite3 FILE' --tables lists its tables"
    ),
    (
      "\u{1}2345678DUCK@\u{0}",
      "a DuckDB database, not a table: tabler --via 'duckdb FILE' --tables lists its tables"
    ),
    ("\u{7F}ELF\u{2}\u{1}", "is a program, not a table"),
    ("MZx\u{0}\u{3}\u{0}", "is a program, not a table"),
  ])
  func `What is no text is named`(_ input: String, _ message: String) throws {
    let run = try Run(["--csv"], input: input)
    #expect(run.status == 3 && run.errors.text == "tabler: <stdin>: \(message)\n")
    #expect(try Run(["--csv"], input: "MZ,b\n1,2\n").status == 0)
  }
}
