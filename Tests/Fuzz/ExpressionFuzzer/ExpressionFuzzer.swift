// A program for libFuzzer, compiled as one module with the sources of the engine and the command: see `libfuzzer.sh`.
import Foundation

/// What the first byte of an input chooses; the second one varies it, and the rest is text.
private enum Target: UInt8, CaseIterable {
  /// An expression, for every row; a filter must keep the rows for which it is true.
  case expression
  /// Assignments and pairs.
  case assignments
  /// A template of rows and of a footer.
  case template
  /// A pattern of dates, and below it a text.
  case dates
  /// A format of numbers, and below it a number.
  case format
  /// A pattern of `=~` or `like`, and below it a text.
  case pattern
  /// A value of an option with a grammar of its own.
  case grammar
  /// Words of a command line, one a line, over a small table.
  case command
  /// A number, a size, a duration, a date or JSON in a cell.
  case cell
}

/// Called once: prints the words or the first inputs where it is asked to, and ends.
@_cdecl("LLVMFuzzerInitialize")
func initializeFuzzer(
  _ count: UnsafeMutablePointer<CInt>?,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  let variables = ProcessInfo.processInfo.environment
  if let path = variables["FUZZER_DICTIONARY"] {
    try? Data(WordList.text.utf8).write(to: URL(filePath: path))
    _exit(0)
  }
  if let folder = variables["FUZZER_SEEDS"] {
    for (index, seed) in Seeds.all.enumerated() {
      try? Data(seed).write(to: URL(filePath: folder).appending(path: "seed-\(index)"))
    }
    _exit(0)
  }
  return 0
}

/// Called for every input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
  guard bytes.count >= 2, let target = Target(rawValue: bytes[0] % UInt8(Target.allCases.count)) else {
    return 0
  }
  Fuzz.run(target, Int(bytes[1]), String(decoding: bytes[2...], as: UTF8.self))
  return 0
}

/// What is done with an input; a trap, a hang or a false answer is a finding.
private enum Fuzz {
  static let messages = Messages(Environment())
  static let tables = [table(json: false), table(json: true)]
  static let variables: NamedTexts = ["x": "5", "y": "", "long": String(repeating: "ab ", count: 300)]

  static var context: EvaluationContext {
    EvaluationContext(
      sourceNames: ["odd.csv"], now: Timestamp(instant: 1_800_000_000, offset: 0),
      lookups: ["odd": LookupTable(tables[0].schema, [tables[0].batch])], longestText: 2048)
  }

  static func run(_ target: Target, _ choice: Int, _ text: String) {
    switch target {
    case .expression: expression(text, isCondition: choice & 1 != 0)
    case .assignments: assignments(text)
    case .template: template(text)
    case .dates: dates(text)
    case .format: format(text)
    case .pattern: pattern(text, choice)
    case .grammar: grammar(text, choice)
    case .command: command(text, choice)
    case .cell: cell(text)
    }
  }

  /// Reads an expression and evaluates it for every row.
  static func expression(_ text: String, isCondition: Bool) {
    let source: SourceExpression
    do { source = try SourceExpression(text, option: "--filter") } catch { return say(error) }
    for table in tables { evaluate(source, table, isCondition: isCondition) }
  }

  static func evaluate(_ source: SourceExpression, _ table: ExpressionTable, isCondition: Bool) {
    var binder = Binder(schema: table.schema, variables: variables, context: context)
    let program: Program
    do { program = isCondition ? try binder.bind(condition: source) : try binder.bind(source) } catch {
      return say(error)
    }
    var evaluator = Evaluator(program.context, batch: table.batch, state: program.freshState)
    var expected: [UInt32] = []
    var texts: [String?] = []
    for row in 0..<table.batch.rowCount {
      evaluator.row = row
      let value = evaluator.value(program.node)
      texts.append(self.text(value, evaluator))
      if evaluator.truth(program.node) == true { expected.append(UInt32(row)) }
    }
    var rows = (0..<UInt32(table.batch.rowCount)).map { $0 }
    var state = program.freshState
    var index = 0
    program.forEachValue(table.batch, rows: rows.span, state: &state) { value, evaluator in
      check(
        self.text(value, evaluator) == texts[index], "row \(index): values for a batch and for a row differ")
      index += 1
    }
    program.filter(table.batch, rows: &rows, state: &state)
    check(rows == expected, "filter keeps \(rows), not \(expected)")
  }

  static func text(_ value: Value, _ evaluator: borrowing Evaluator) -> String? {
    guard let text = evaluator.text(of: value) else { return nil }
    return String(decoding: Array(copying: text.bytes(in: evaluator.batch)), as: UTF8.self)
  }

  /// Reads assignments and pairs, and evaluates both sides.
  static func assignments(_ text: String) {
    for isPairs in [false, true] {
      let all: [Assignment]
      do {
        all =
          isPairs
          ? try Assignment.aggregates(in: text, option: "--aggregate")
          : try Assignment.all(in: text, option: "--derive")
      } catch {
        say(error)
        continue
      }
      for assignment in all.prefix(8) {
        if let condition = assignment.condition { evaluate(condition, tables[0], isCondition: true) }
        if !isPairs { evaluate(assignment.value, tables[1], isCondition: false) }
        var binder = Binder(schema: tables[0].schema, variables: variables, context: context)
        do { _ = try binder.bind(aggregate: assignment.value, in: GroupRow()) } catch { say(error) }
      }
    }
  }

  /// Fills a template by rows, and by all rows in two ways.
  static func template(_ text: String) {
    let source: SourceTemplate
    do { source = try SourceTemplate(text, option: "--footer") } catch { return say(error) }
    for table in tables {
      var binder = Binder(schema: table.schema, variables: variables, context: context)
      do {
        let template = try binder.bind(row: source.ofDates ?? source, hasCell: true)
        var state = template.freshState
        for row in 0..<table.batch.rowCount {
          var buffer = ByteBuffer()
          let cell = table.batch.cell(row: row, column: row % 3)
          _ = template.render(
            table.batch, row: row, cell: table.batch.content(cell), kind: cell.kind, into: &buffer,
            state: &state)
        }
      } catch { say(error) }
      do {
        let template = try binder.bind(footer: source)
        let rows = (0..<UInt32(table.batch.rowCount)).map { $0 }
        var (whole, first, second) = (template, template, template)
        whole.accumulate(table.batch, rows: rows.span)
        first.accumulate(table.batch, rows: Array(rows[..<9]).span)
        for row in rows[9...] { second.accumulate(table.batch, row: Int(row)) }
        first.merge(second)
        check(filled(whole) == filled(first), "the footer of all rows and that of two parts differ")
      } catch { say(error) }
    }
  }

  static func filled(_ template: FooterTemplate) -> String {
    var buffer = ByteBuffer()
    template.render(into: &buffer)
    return buffer.string()
  }

  /// Writes times by a pattern, and reads them again; reads a text by it.
  static func dates(_ text: String) {
    let (pattern, rest) = parts(text)
    guard let format = DateFormat(reading: pattern) else { return }
    let bytes = Array(rest.utf8)
    var times = samples
    if let time = format.readOrISO(bytes.span) { times.append(time) }
    for time in times {
      var buffer = ByteBuffer()
      format.append(time, to: &buffer)
      _ = format.read(buffer.span)
    }
  }

  /// Reads a format and shows numbers and times in it.
  static func format(_ text: String) {
    let (spec, rest) = parts(text)
    let bytes = Array(spec.utf8)
    guard let format = try? ValueFormat(bytes.span) else { return }
    let cell = Array(rest.utf8)
    for text in numbers.map({ Array($0.utf8) }) + [cell] {
      var buffer = ByteBuffer()
      _ = format.apply(to: text.span, into: &buffer)
      if let number = NumberReader.loose(text.span) {
        _ = format.apply(to: number, marks: commas, into: &buffer)
      }
    }
    for time in samples {
      var buffer = ByteBuffer()
      _ = format.apply(to: time, into: &buffer)
    }
  }

  /// Looks for a pattern in a text in several ways, which must agree.
  static func pattern(_ text: String, _ choice: Int) {
    let (source, rest) = parts(text)
    let subject = Array(rest.utf8)
    let like = LikePattern(Array(source.utf8).span, ignoresCase: choice & 1 != 0)
    _ = like.matches(subject.span)
    guard let pattern = try? Pattern(source, flags: PatternFlags(rawValue: UInt8(choice & 7))) else { return }
    for bytes in [subject, subject + subject, []] {
      var previous: Range<Int>?
      var count = 0
      let matcher = PatternMatcher(pattern)
      let captures = PatternMatcher(pattern)
      while let match = matcher.nextMatch(in: bytes.span, after: previous) {
        check(captures.nextCaptures(in: bytes.span, after: previous) == match, "groups of another match")
        check(
          match.upperBound <= bytes.count && match.lowerBound >= previous?.upperBound ?? 0,
          "match out of place")
        previous = match
        count += 1
      }
      check(PatternMatcher(pattern).matches(bytes.span) == (count > 0), "matches() and nextMatch() differ")
      PatternMatcher(pattern).withMatches { check($0(bytes.span) == (count > 0), "withMatches() differs") }
    }
  }

  /// Reads the value of an option.
  static func grammar(_ text: String, _ choice: Int) {
    let (option, read) = grammars[choice % grammars.count]
    var cursor = GrammarCursor(text, of: option)
    do { try read(&cursor) } catch {
      check(
        error.range.lowerBound >= 0 && error.range.upperBound <= text.utf8.count, "place outside of the text")
      check(messages.text(error).hasPrefix("tabler: \(Option[option].spelling): "), "message without a place")
    }
  }

  private static let grammars: [(Option.ID, @Sendable (inout GrammarCursor) throws(GrammarError) -> Void)] = [
    (.sort, { (cursor) throws(GrammarError) in _ = try cursor.sortKeys() }),
    (.columns, { (cursor) throws(GrammarError) in _ = try cursor.columnList() }),
    (.names, { (cursor) throws(GrammarError) in _ = try cursor.names() }),
    (.align, { (cursor) throws(GrammarError) in _ = try cursor.alignments() }),
    (.order, { (cursor) throws(GrammarError) in _ = try cursor.valueOrder() }),
    (.move, { (cursor) throws(GrammarError) in _ = try cursor.move() }),
    (.delete, { (cursor) throws(GrammarError) in _ = try cursor.rowChoice() }),
    (.tablePadding, { (cursor) throws(GrammarError) in _ = try cursor.edges() }),
    (.headerSpacing, { (cursor) throws(GrammarError) in _ = try cursor.wholeLength() }),
    (.format, { (cursor) throws(GrammarError) in _ = try cursor.formats() }),
    (.groupBy, { (cursor) throws(GrammarError) in _ = try cursor.groupKeys() }),
    (.footer, { (cursor) throws(GrammarError) in _ = try cursor.footer() }),
    (.sectionHeader, { (cursor) throws(GrammarError) in _ = try cursor.sectionHeader() }),
    (.sectionFooter, { (cursor) throws(GrammarError) in _ = try cursor.sectionFooter() }),
    (.headerStyle, { (cursor) throws(GrammarError) in _ = try cursor.style() }),
    (.arg, { (cursor) throws(GrammarError) in _ = try cursor.argument() }),
    (.at, { (cursor) throws(GrammarError) in _ = try cursor.path() }),
    (.aggregate, { (cursor) throws(GrammarError) in _ = try cursor.aggregates() }),
    (.types, { (cursor) throws(GrammarError) in _ = try cursor.types() }),
    (.pattern, { (cursor) throws(GrammarError) in _ = try cursor.lineDivision() }),
    (.join, { (cursor) throws(GrammarError) in _ = try cursor.join() }),
    (.explode, { (cursor) throws(GrammarError) in _ = try cursor.columnAlone() }),
    (.span, { (cursor) throws(GrammarError) in _ = try cursor.spans() }),
    (.memory, { (cursor) throws(GrammarError) in _ = try cursor.size(of: 1 << 30) }),
  ]

  /// Options that neither read nor write files: the first words of a line choose one by its number.
  private static let options: [Option.ID] = [
    .sort, .columns, .hide, .move, .delete, .filter, .derive, .groupBy, .aggregate, .format, .footer, .align,
    .order,
    .sectionHeader, .sectionFooter, .span, .explode, .mergeRepeats, .types, .head, .tail, .skip, .names,
    .null, .at,
    .rowNames, .titleOf,
    .grid, .to,
    .dateFormat, .arg, .sortedBy, .nulls, .onError, .canMove, .canDelete,
  ]

  /// Runs a command line over a small table: of each line the first byte chooses the option, the rest is its value.
  static func command(_ text: String, _ choice: Int) {
    var words: [[UInt8]] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: true).prefix(6) {
      let bytes = Array(line.utf8)
      let option = Option[options[Int(bytes[0]) % options.count]]
      words.append(Array(option.spelling.utf8) + (option.takesValue ? [0x3D] + bytes[1...] : []))
    }
    let isJSON = choice & 1 != 0
    words.append(Array((isJSON ? "--from=jsonl" : "--from=csv").utf8))
    do {
      let arguments = try Arguments(words)
      guard case .table = arguments.request, arguments.sources.isEmpty else { return }
      var notices: [PlanNotice] = []
      var plan = try Plan(arguments, Environment(), notices: &notices)
      plan.memory = choice & 2 != 0 ? 1 : 1 << 24
      let input = Array((isJSON ? odd.json : odd.csv).utf8)
      let pipeline = try Pipeline(plan, Tuning(blockSize: 256, threadLimit: 1)) { _ in
        ByteSource(bytes: input, chunk: 1 + choice)
      }
      _ = messages.text(try pipeline.run(), isQuiet: false)
    } catch let error as Failure { _ = messages.text(error) } catch let error as PlanError {
      _ = messages.text(error)
    } catch let error as ArgumentError { _ = messages.text(error) } catch {}
  }

  /// Reads a text as everything that a cell may be; what is written of it must be read as the same.
  static func cell(_ text: String) {
    let bytes = Array(text.utf8)
    for number in [
      NumberReader.loose(bytes.span), NumberReader.typed(bytes.span),
      NumberReader.loose(bytes.span, marks: commas),
      Size.read(bytes.span),
    ] {
      guard let number else { continue }
      var buffer = ByteBuffer()
      NumberWriter.append(number, marks: .standard, to: &buffer)
      if let again = NumberReader.loose(buffer.span) {
        check(Number.compare(again, number) == 0, "number \(buffer.string()) is read as another")
      } else if case .double(let double) = number {
        check(!double.isFinite, "number \(buffer.string()) is none")
      }
    }
    if let time = Timestamp(bytes.span) {
      var buffer = ByteBuffer()
      time.append(to: &buffer)
      let again = Timestamp(buffer.span)
      check(
        again.map { Timestamp.compare($0, time) == 0 } ?? false, "time \(buffer.string()) is read as another")
    }
    if let duration = Duration(bytes.span) {
      var buffer = ByteBuffer()
      duration.append(to: &buffer)
      let again = Duration(buffer.span)
      check(again?.seconds == duration.seconds, "duration \(buffer.string()) is read as another")
    }
    let names = ["cell"]
    for json in [false, true] {
      let table = ExpressionTable(names, [[text]], json: json)
      for source in readings { evaluate(source, table, isCondition: false) }
    }
  }

  private static let readings: [SourceExpression] = [
    "keys(cell)", "values(cell)", "len(cell)", "cell.a[0].b", "cell[1:]", "parse_json(cell)", "json(cell)",
    "date(cell)",
    "datetime(cell)", "duration(cell)", "size(cell)", "number(cell) + 1", "int(cell)", "bool(cell)",
    "typeof(cell)",
    "cell > 5", "cell = cell", "upper(cell)", "width(cell)", "lpad(cell, 9)", "truncate(cell, 3)",
    "reverse(cell)",
    "strptime(cell, '%Y-%m-%dT%H:%M:%S.%f%z')", "$0", "cell in (1, '2', cell)", "cell like '%a_%'",
    "squeeze(cell)",
  ].compactMap { try? SourceExpression($0, option: "--filter") }

  /// The first line, and what is below it.
  static func parts(_ text: String) -> (String, String) {
    let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    return (parts.first.map(String.init) ?? "", parts.count > 1 ? String(parts[1]) : "")
  }

  /// Makes a message of an error, with its caret.
  static func say(_ error: ExpressionError) {
    check(error.range.upperBound <= error.source.utf8.count, "place outside of the text")
    check(messages.text(error).hasPrefix("tabler: --"), "message without a place")
  }

  static func check(_ condition: Bool, _ what: @autoclosure () -> String) {
    if !condition { fatalError(what()) }
  }
}

// MARK: - Samples

extension Fuzz {
  private static let cells: [String?] = [
    nil, "", " ", "0", "-0", "007", "1e400", "-9223372036854775808", "1.5", "x", "true", "é",
    "[1,[2,\"a\"],null]", #"{"m":{"m":[1,2]},"a":"\ud800"}"#, "[", "2025-06-01T23:59:59.9+14:00",
    "0000-01-01",
    "1h30m", "99999999999999999999999999999999999999", "🇳🇴", "1.5G", "NaN",
  ]

  private static func table(json: Bool) -> ExpressionTable {
    ExpressionTable(
      ["a", "b", "c", "odd name"],
      cells.indices.map {
        [cells[$0], cells[($0 * 7 + 3) % cells.count], cells[($0 * 5 + 1) % cells.count], "k\($0 % 3)"]
      }, json: json)
  }

  private static let odd = (
    csv: "a,b,c,odd name\n1,x,2025-01-31,k1\n,\"y,\"\"z\n\",1h30m,k2\n-0,,\"[1,2]\",k1\n1e400,é,1.5G,k2\n",
    json: """
    {"a":1,"b":"x","c":{"m":[1,2]}}
    {"b":null,"a":"\\ud83d\\ude00","odd name":"k1","c":[1,[2]]}
    {"a":1e400,"late":true,"c":"2025-01-31","odd name":"k1"}
    {}
    """
  )

  private static let numbers = [
    "0", "-0", "1", "-1.5", "0.05", "1e400", "-1e-400", "1e30", "1e-30", "9223372036854775807",
    "123456789.987654321",
    "99999999999999999999999999999999999999", "0.00000000000000000000000000000000000001", "59.999", "1536",
  ]

  private static let commas = NumberMarks(decimal: 0x2C, thousands: [0x2E]) ?? .standard

  private static let samples: [Timestamp] = [
    "2025-01-31", "0000-01-01", "9999-12-31T23:59:59.999999999+14:00", "2024-02-29T12:30:00-05:30",
    "1969-12-31T23:59:59Z",
  ].compactMap { Timestamp(Array($0.utf8).span) }
}

/// The words of the language, as libFuzzer reads them.
private enum WordList {
  static var text: String {
    let marks = Token.Symbol.allCases.map(\.rawValue)
    let reserved = [
      "and", "or", "not", "in", "between", "like", "ilike", "is", "null", "true", "false", "case", "when",
      "then", "else",
      "end", "where", "empty", "distinct from", "value", "date '", "datetime '", "duration '", "$0", "$1",
      "$x", "$long",
      "`odd name`", "0x1F", "1e400", "''", "\\u{1F600}", "\\ud83d", "/a/i", "{:", "}}", "{{", "2025-01-31",
      "1h30m", "..",
      " to ", "top", "bottom", "before ", "after ", "@-1", "!", "*", "totals", "titles", "where ",
    ]
    let flags = "asc desc auto number text natural nocase date duration size length version first last"
    let patterns = [
      "(?i)", "(?:", "(?P<n>", "[[:alpha:]]", "\\p{Greek}", "\\pL", "\\b", "\\Q", "\\E", "{2,3}", "*?", "[^",
      "\\x{10FFFF}",
      "\\d", "\\W", "$", "^", "|",
    ]
    let dates = "YymdHMSfzZjbBaAepIsFTRDhklGVuwUW%".map { "%\($0)" }
    let formats = [
      ":>8", ":<", ":^9", ":+", ":08", ":,", ":.2f", ":e", ":g", ":d", ":x", ":%", ":k", ":B", ":t",
    ]
    let types = ValueType.allCases.map(\.rawValue)
    let words =
      Function.all.flatMap { [$0.name + "("] + $0.otherNames.map { $0 + "(" } } + reserved + marks + patterns
      + dates
      + formats + types + flags.split(separator: " ").map { ":" + $0 }
    return words.map { "\"\(escaped($0))\"\n" }.joined()
  }

  private static func escaped(_ word: String) -> String {
    word.utf8.map { byte in
      switch byte {
      case 0x22, 0x5C: "\\" + String(Unicode.Scalar(byte))
      case 0x20..<0x7F: String(Unicode.Scalar(byte))
      default: "\\x" + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

/// Inputs to begin with: what the manual calls examples, and one of each other kind.
private enum Seeds {
  static var all: [[UInt8]] {
    func seed(_ target: Target, _ choice: UInt8, _ text: String) -> [UInt8] {
      [target.rawValue, choice] + Array(text.utf8)
    }
    var seeds = Function.all.flatMap { function in
      let call = function.example.call
      return [seed(.expression, 0, call), seed(.template, 0, "{\(call)} {\(call):>8.2f}")]
    }
    for text in [
      "a > 1 and not (b like '%x_' or c is not null)", "a ?? b ?? 5 + c * 2 ^ -3", "a in (1, 'x', c)",
      "a between b and c ? a : b", "case when a then b else c end", "a.m.m[0] ++ $0[\"odd name\"]",
      "[a, b][0:1]",
      "a =~ /x|(y+)z/i", "date '2025-01-31' + 1d > date(c)", "c is duration and a is distinct from b",
      "$x ++ $long",
    ] {
      seeds += [
        seed(.expression, 0, text), seed(.expression, 1, text),
        seed(.assignments, 0, "z = \(text) where a; y = b"),
      ]
    }
    seeds += [
      seed(.dates, 0, "%Y-%m-%dT%H:%M:%S.%f%z\n2025-01-31T01:02:03.5+0100"),
      seed(.dates, 0, "%A %e %B %y %j %s\nFriday"),
      seed(.format, 0, "*>+08,.2f\n1.5"), seed(.format, 0, "k\n1e9"),
      seed(.format, 0, "%d.%m.%Y\n2025-01-31"),
      seed(.pattern, 0, "(?i)(a+|b*?)[^c-x]{2,3}\\b$\nabcaab"), seed(.pattern, 0, "%a_b%\nxxaéb"),
      seed(.cell, 0, "1.234,50"), seed(.cell, 0, "1.5GiB"), seed(.cell, 0, "P1DT2H"),
      seed(.cell, 0, "-1e-30"),
      seed(.cell, 0, #"{"a":[{"b":"\u00e9"},null,1.5e3]}"#), seed(.cell, 0, "2024-02-29T23:59:60Z"),
    ]
    let values = [
      "-a:natural,(b ++ c):desc:first", "a,b=Title,!c,a..c,o*", "x,\"y,\"\"z\"", "a:l,b:c", "a=k1,\"k 2\"",
      "2..,-1 to after (a = 1)", "1..2,4", "top=1,horizontal=2px", "1.5em", "a={:.2f},b=%d.%m.%Y",
      "totals,a={count()}",
      "{a}: {count()}", "a={sum(a)}", "bold fg=bright-red bg={c}", "x=5", "a.b[0]", "n = count(), s = sum(a)",
      "a:number,*:text", "512M",
    ]
    for (index, value) in values.enumerated() {
      seeds.append(seed(.grammar, UInt8(index), value))
      for choice in [UInt8(0), 7] {
        for option in UInt8(0)..<33 where option % 3 == UInt8(index % 3) {
          seeds.append(seed(.command, choice, String(Unicode.Scalar(option + 66)) + value))
        }
      }
    }
    return seeds
  }
}
