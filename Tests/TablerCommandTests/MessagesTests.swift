import Testing

@testable import TablerCommand
@testable import TablerEngine

/// The words of every message, and its status.
@Suite struct MessagesTests {
  @Test(arguments: [
    (
      "--row-paddings",
      "unknown option '--row-paddings'; did you mean '--row-padding'?  ('tabler --help' lists all)"
    ),
    ("--zzzzzz", "unknown option '--zzzzzz'  ('tabler --help' lists all)"),
    ("--sort", "--sort needs a value"),
    (
      "--sort --grid",
      "--sort needs a value, but the next word is '--grid'; for a column of that name write --sort=--grid"
    ),
    (
      "--title --grid",
      "--title needs a value, but the next word is '--grid'; for that text write --title=--grid"
    ),
    (
      "-o --grid",
      "--output needs a value, but the next word is '--grid'; for a file of that name write --output=--grid"
    ),
    ("-s=-weight", "-s: no '=' after a letter; write -s -weight or --sort=-weight"),
    (
      "--join-type right",
      "--join-type: unknown value 'right'; 'left' with the two files exchanged keeps all rows of the other  (left inner semi anti)"
    ),
    (
      "--join-type outer",
      "--join-type: unknown value 'outer'; 'left' keeps all rows of this table, 'anti' with the two files exchanged the rest of the other  (left inner semi anti)"
    ),
    ("--grid=1", "--grid takes no value"),
    (
      "--border lihgt",
      "--border: unknown value 'lihgt'; did you mean 'light'?  (none ascii light heavy double round rules dots outline)"
    ),
    ("--head x", "--head: 'x' is not a whole number"),
    ("--width x", "--width: 'x' is not a whole number, auto or none"),
    ("--skip -1", "--skip: -1 is less than 0"),
    ("--head 99999999999999999999", "--head: 99999999999999999999 is too large"),
    ("--head -99999999999999999999", "--head: -99999999999999999999 is too large"),
    ("--width 10001", "--width: 10001 is not between 0 and 10000"),
    ("--min-width 99999999999999999999", "--min-width: 99999999999999999999 is not between 0 and 10000"),
    ("--min-row-height 0", "--min-row-height: 0 is not between 1 and 10000"),
    ("--no-grid", "unknown option '--no-grid'; did you mean '--list'?  ('tabler --help' lists all)"),
    ("--where=x", "unknown option '--where'; did you mean '--filter'?  ('tabler --help' lists all)"),
    ("-where x", "--width: 'here' is not a whole number, auto or none"),
    ("-r", "unknown option '-r'; did you mean '--sort -KEY'?  ('tabler --help' lists all)"),
    ("-y", "unknown option '-y'  ('tabler --help' lists all)"),
    ("--delimiter ;;", "--delimiter: ';;' is not one ASCII character"),
    ("--quote ab", "--quote: 'ab' is not one ASCII character or none"),
    ("--sort=", "--sort: needs a value, but it is empty"),
    ("- -", "-: standard input can be read only once"),
  ])
  func saysWhatIsWrongWithAWord(_ line: String, _ message: String) throws {
    let error = #expect(throws: ArgumentError.self) {
      try Arguments(line.split(separator: " ").map(String.init))
    }
    #expect(Messages(Environment()).text(try #require(error)) == "tabler: \(message)\n")
    #expect(Messages.status(of: try #require(error)) == 2)
  }

  @Test func wordsThatAreNotTextAreRepaired() {
    let error = #expect(throws: ArgumentError.self) { try Arguments([Array("--title".utf8), [0x61, 0xFF]]) }
    #expect(error.map(Messages(Environment()).text) == "tabler: --title: 'a\u{FFFD}' is not UTF-8\n")
  }

  // MARK: Expressions

  /// What is said of mistakes in expressions, word for word.
  @Test(arguments: [
    (
      "wieght > 10 and color = \"red\"",
      "column 'wieght' not found; did you mean 'weight'?\n  wieght > 10 and color = \"red\"\n  ^~~~~~\n"
    ),
    ("Weight > 1", "column 'Weight' not found; 'weight' differs only in case\n  Weight > 1\n  ^~~~~~\n"),
    ("weight > 10 and", "expected a value after 'and'\n  weight > 10 and\n                 ^\n"),
    ("lenth(name) > 1", "unknown function 'lenth'; did you mean 'length'?\n  lenth(name) > 1\n  ^~~~~\n"),
    (
      "round(weight, 1, 2) > 1",
      "round() takes 1 or 2 arguments, not 3\n  round(weight, 1, 2) > 1\n  ^~~~~~~~~~~~~~~~~~~\n"
    ),
    (
      "1 < weight < 5",
      "comparisons do not chain; write '1 < weight and weight < 5'\n  1 < weight < 5\n             ^\n"
    ),
    (
      "\"Unit Price\" > 5",
      "\"Unit Price\" is text; the column is written `Unit Price`\n  \"Unit Price\" > 5\n  ^~~~~~~~~~~~\n"
    ),
  ])
  func saysWhatIsWrongWithAnExpression(_ source: String, _ message: String) throws {
    let error = #expect(throws: ExpressionError.self) {
      let expression = try SourceExpression(source, option: "--filter")
      let schema = Schema(titles: ["name", "weight", "color", "Unit Price"])
      var binder = Binder(schema: schema, variables: [:], context: EvaluationContext())
      _ = try binder.bind(condition: expression)
    }
    let text = Messages(Environment()).text(Failure.expression(try #require(error)))
    #expect(text == "tabler: --filter: \(message)")
    #expect(Messages.status(of: .expression(try #require(error))) == 2)
  }

  @Test(arguments: [
    (
      ExpressionError.Kind.joinedByOr(operand: "first", left: "first", right: "last"),
      "'or' needs true or false, but 'first' is text; to join text write first ++ last"
    ),
    (
      .wrongKind(user: "+", needs: .number, operand: "\"a\"", is: .text),
      "'+' needs numbers, but \"a\" is text; texts are joined by ++"
    ),
    (
      .wrongKind(user: "round", needs: .number, operand: "true", is: .bool),
      "round() needs numbers, but 'true' is true or false"
    ),
    (.nullInList(subject: "x"), "null in a list matches nothing; add 'or x is null'"),
    (.argumentCount(function: "pi", least: 0, most: 0, given: 1), "pi() takes no arguments, not 1"),
    (
      .argumentCount(function: "concat", least: 1, most: nil, given: 0),
      "concat() takes at least 1 argument, not 0"
    ),
    (
      .subtractionOfColumn("net-weight", missing: "net"),
      "column 'net' not found; the column 'net-weight' is written `net-weight`"
    ),
    (.unknownPosition(9, count: 4), "there is no column $9; the input has 4 columns"),
    (.unknownArgument("who", suggestion: nil), "no --arg is called 'who'"),
    (
      .inNeedsList(subject: "\"a\"", text: "name"),
      "'in' needs a list, but 'name' is text; write contains(name, \"a\")"
    ),
    (
      .expectedOperator(found: "weight", column: "net weight"),
      "expected an operator, not 'weight'; a column of that name is written `net weight`"
    ),
    (.unknownEscape("\\d"), "unknown escape '\\d' in \"…\"; '…' and /…/ take a backslash literally"),
    (.invalidPattern(.backReference), "patterns have no back-references: they match in linear time"),
  ])
  func saysWhatAnExpressionNeeds(_ kind: ExpressionError.Kind, _ words: String) {
    let error = ExpressionError(option: "--filter", source: "x", range: 0..<1, kind: kind)
    #expect(Messages(Environment()).text(error) == "tabler: --filter: \(words)\n  x\n  ^\n")
  }

  // MARK: Columns

  @Test(arguments: [
    (
      ["--sort", "-wieght"], ColumnError.notFound("wieght", suggestion: "weight", differsOnlyInCase: false),
      "--sort", "column 'wieght' not found; did you mean 'weight'?\n  -wieght\n   ^~~~~~\n"
    ),
    (
      ["--sort", "-g"], .notFound("g", suggestion: nil, differsOnlyInCase: false), "--sort",
      "column 'g' not found (-g is also an option; a value is missing?)\n  -g\n   ^\n"
    ),
    (
      ["-c", "id,Name,nameless"], .notFound("Name", suggestion: "name", differsOnlyInCase: true), "--columns",
      "column 'Name' not found; 'name' differs only in case\n  id,Name,nameless\n     ^~~~\n"
    ),
    (
      ["-c", "id,@9"], .noPosition(9, count: 1), "--columns",
      "there is no column @9; the input has 1 column\n  id,@9\n     ^~\n"
    ),
  ])
  func saysWhichColumnIsMissing(_ words: [String], _ error: ColumnError, _ option: String, _ message: String)
    throws
  {
    let failure = Failure.column(option: option, error)
    #expect(Messages(try Arguments(words), Environment()).text(failure) == "tabler: \(option): \(message)")
    #expect(Messages.status(of: failure) == 2)
  }

  // MARK: Runs

  private static let place = InputError.Location(path: "data.csv", line: 14, column: 7)
  private static let line = InputError.Location(path: nil, line: 2000)

  @Test(arguments: [
    (
      Failure.input(.textAfterQuote(place)),
      "data.csv:14:7: text after a closing quote; --lazy-quotes takes it as text", 3
    ),
    (
      .input(.ragged(line, fields: 3, columns: 4, hint: nil)),
      "<stdin>:2000: 3 fields, but the header has 4; --ragged fill keeps such rows", 3
    ),
    (
      .input(.ragged(line, fields: 1, columns: 4, hint: .delimiter(UInt8(ascii: ";")))),
      "<stdin>:2000: 1 field, but the header has 4; --ragged fill keeps such rows (separated by ';'? -d ';')",
      3
    ),
    (
      .input(.unclosedQuote(line)),
      "<stdin>:2000: this quote is never closed; --quote none takes quotes as text", 3
    ),
    (.input(.json(place, .expectedValue, hint: nil)), "data.csv:14:7: expected a JSON value", 3),
    (
      .input(.json(line, .unexpectedEnd, hint: .from(.json))),
      "<stdin>:2000: the input ends inside a value (--from json?)", 3
    ),
    (
      .input(.notText(path: nil, .packed(.gzip))),
      "<stdin>: compressed; decompress it first: zcat | tabler", 3
    ),
    (.input(.system(SystemError(.open, path: "x.csv", code: 2))), "x.csv: No such file or directory", 4),
    (.output(SystemError(.write, path: nil, code: 28)), "write error: No space left on device", 4),
    (
      .spill(SystemError(.writeTemporary, path: "/var/tmp", code: 28)),
      "/var/tmp: cannot write temporary file: No space left on device", 4
    ),
    (
      .output(SystemError(.replace, path: "o.csv", code: 13)), "o.csv: cannot be written: Permission denied",
      4
    ),
    (
      .must(path: nil, line: 3, text: Array("a\u{1b}".utf8), type: "number"),
      "<stdin>:3: must(): 'a\\x1b' is not of type number", 3
    ),
    (
      .noOrder(option: "--sort", column: "tags", isList: true, members: [], place: place),
      "--sort: 'tags' holds a list, which has no order (first: data.csv:14:7); sort by an item: 'tags[0]'",
      2
    ),
    (
      .noOrder(option: "--sort", column: "user", isList: false, members: ["name"], place: line),
      "--sort: 'user' holds an object, which has no order (first: <stdin>:2000); sort by a member: user.name",
      2
    ),
  ])
  func saysWhyARunFailed(_ failure: Failure, _ message: String, _ status: Int32) {
    #expect(Messages(Environment()).text(failure) == "tabler: \(message)\n")
    #expect(Messages.status(of: failure) == status)
  }

  @Test(arguments: [
    (
      Notice.misfits(
        column: "weight", count: 3, first: place, text: Array("n/a".utf8), wanted: .number, areLeftOut: false),
      "warning: data.csv: 3 cells of 'weight' are not numbers (first: line 14, 'n/a'); treated as null"
    ),
    (
      .misfits(
        column: "Preis", count: 9, first: .init(path: "umsatz.csv", line: 2), text: Array("1.234,50".utf8),
        wanted: .number, areLeftOut: false, remedies: [.marks(decimal: ",", thousands: "")]),
      "warning: umsatz.csv: 9 cells of 'Preis' are not numbers (first: line 2, '1.234,50'); treated as null (decimal commas? --decimal ,)"
    ),
    (
      .misfits(
        column: "t", count: 2, first: line, text: Array("x".utf8), wanted: .duration, areLeftOut: true),
      "warning: <stdin>: 2 cells of 't' are not durations (first: line 2000, 'x'); their rows were left out"
    ),
    (
      .misfits(
        column: "t", count: 1, first: line, text: Array("x".utf8), wanted: .duration, areLeftOut: false),
      "warning: <stdin>: 1 cell of 't' is not a duration (first: line 2000, 'x'); treated as null"
    ),
    (
      .input(.loneObject(key: "items", path: "items", count: 12)),
      "note: one row; its 'items' holds 12 objects: --at items"
    ),
    (
      .input(.repeatedName("x", addresses: ["x_2"], others: 0)),
      "warning: column 'x' appears twice; the second is called 'x_2'"
    ),
    (
      .input(.repeatedName("x", addresses: ["x_2", "x_3"], others: 2)),
      "warning: column 'x' appears 3 times; the others are called 'x_2' and 'x_3' (and so for 2 other names)"
    ),
    (.input(.noInput(path: nil)), "warning: <stdin>: no input"),
    (
      .input(.skippedRows(count: 2, first: line)),
      "warning: <stdin>: 2 rows with too few or too many fields left out (first: line 2000)"
    ),
    (
      .refused(.edit, count: 2, first: .init(path: "fruit.csv", line: 3)),
      "warning: 2 rows may not be edited (--can-edit; first: fruit.csv:3)"
    ),
    (
      .refused(.move, count: 2, first: .init(path: "fruit.csv", line: 3)),
      "warning: 2 rows may not be moved (--can-move; first: fruit.csv:3)"
    ),
    (.nothingToMove(move: "(a > 1) to top"), "warning: --move: '(a > 1) to top': no row to move"),
    (.guardedFormulas(1), "warning: 1 cell began like a formula and got a leading '"),
    (.betweenEnds(1), "note: 1 row between the ends left out"),
    (
      .layout(.leftOutBars),
      "note: bars left out, because they do not fit beside the numbers; a larger --width has room"
    ),
    (.layout(.cutCells(2)), "warning: 2 cells cut to fit; --overflow wrap shows all"),
    (
      .layout(.lateCells(1)),
      "warning: 1 cell is wider than the cells measured first; a larger --lookahead makes room"
    ),
    (
      .input(.lateKey("c\n", line)),
      "warning: <stdin>:2000: key 'c\\x0a' came after the columns were fixed and is not shown; name it in --columns"
    ),
    (
      .layout(.widerThanLimit(by: 12)),
      "warning: lines are 12 cells wider than the width; --detail or --columns makes them fit"
    ),
  ])
  func saysWhatWasNoticed(_ notice: Notice, _ message: String) {
    #expect(Messages(Environment()).text(notice) == "tabler: \(message)\n")
  }

  @Test func disorderIsNamedWithItsLine() throws {
    let messages = Messages(try Arguments(["--sorted-by", "-weight"]), Environment())
    #expect(
      messages.text(disorder: Self.place)
        == "tabler: data.csv:14:7: this row is out of order (--sorted-by -weight)\n")
  }

  /// R1: names of files and cells cannot drive the terminal.
  @Test func namesAreEscaped() {
    let failure = Failure.input(.system(SystemError(.open, path: "a\u{1b}]0;x\u{7}\nb", code: 2)))
    #expect(
      Messages(Environment()).text(failure) == "tabler: a\\x1b]0;x\\x07\\x0ab: No such file or directory\n")
  }

  // MARK: Carets

  @Test(arguments: [
    ("a + b", 4..<5, 80, ["a + b", "    ^"]),
    ("größe > 1", 0..<7, 80, ["größe > 1", "^~~~~"]),
    ("重量 > x", 9..<10, 80, ["重量 > x", "       ^"]),
    ("a\tb\u{1b} c", 5..<6, 80, ["a b\\x1b c", "        ^"]),
    ("a >\n  b +\n c", 6..<7, 80, ["  b +", "  ^"]),
    ("abc", 3..<3, 80, ["abc", "   ^"]),
    (" ", 0..<0, 80, []),
    (
      String(repeating: "x", count: 100) + "!", 100..<101, 30,
      ["..." + String(repeating: "x", count: 7) + "!", "          ^"]
    ),
    (
      "!" + String(repeating: "x", count: 100), 0..<1, 30,
      ["!" + String(repeating: "x", count: 21) + "...", "^"]
    ),
    (
      String(repeating: "a", count: 50) + "bb" + String(repeating: "c", count: 50), 50..<52, 30,
      ["...aaaaaaabbccccccccccccc...", "          ^~"]
    ),
  ])
  func caretsStandBelowThePlace(_ source: String, _ range: Range<Int>, _ width: Int, _ lines: [String]) {
    #expect(Caret(source, range).lines(width: width) == lines)
  }
}
