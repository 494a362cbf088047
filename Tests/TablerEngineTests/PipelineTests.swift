import Foundation
import Testing

@testable import TablerEngine

/// Whole runs over bytes in memory.
@Suite struct PipelineTests {
  /// An input that is awkward where it is cut.
  struct Sample: CustomTestStringConvertible, Sendable {
    var name: String
    var form: InputForm
    var text: String
    var change: @Sendable (inout Plan) -> Void = { _ in }

    var testDescription: String { name }
  }

  static let samples: [Sample] = [
    Sample(
      name: "csv with declared types", form: .csv,
      text: "a,b,c\n1,2025-06-01,x\n007,\"so\non\",2\nx,2025-06-02,\"3\"\n,,\n"
    ) {
      $0.types = [
        TypeDeclaration(.column(.position(1)), .number), TypeDeclaration(.glob("b*"), .date),
        TypeDeclaration(.glob("*"), .text),
      ]
    },
    Sample(
      name: "json lines with declared types", form: .jsonl,
      text: "{\"a\":1,\"b\":\"x\"}\n{\"c\":[1],\"a\":\"y\"}\n{\"b\":2,\"d\":{\"e\":1}}\n{\"c\":3}\n"
    ) {
      $0.types = [
        TypeDeclaration(.column(.name("a", isQuoted: false)), .int), TypeDeclaration(.glob("*"), .list),
      ]
    },
    Sample(name: "csv without rows that do not convert", form: .csv, text: "a,b\nx,1\n2,y\n3,4\nz,w\n5,6\n") {
      $0.misfits = .skip
      $0.types = [TypeDeclaration(.column(.position(2)), .int)]
    },
    Sample(name: "csv with a footer", form: .csv, text: "a,b\n1,\"x\ny\"\n2,z\n,total\n3,\"two\nlines\"") {
      $0.input.footerLines = 2
    },
    Sample(
      name: "json lines with a footer", form: .jsonl,
      text: "{\"a\":1}\n{\"b\":2,\"a\":3}\n{\"a\":4}\n{\"total\":8,\"a\":9}\n"
    ) {
      $0.input.footerLines = 1
    },
    Sample(
      name: "json lines with objects in objects", form: .jsonl,
      text: "{\"a\":{\"b\":1,\"c\":{\"d\":2}},\"e\":{}}\n{\"e\":3,\"a\":{\"c\":{\"d\":4,\"\\u00e9\":[5]}}}\n"
        + "{\"a\":{\"b\":6},\"a\":7}\n{\"a\":8}\n"
    ) {
      $0.input.isFlattened = true
    },
    Sample(
      name: "csv with quotes, newlines and CRLF", form: .csv,
      text: "id,na\"me,\"no\r\nte\"\r\n1,\"a,\"\"b\"\"\",x\r\n\r\n"
        + "2,\"line\nline\",\"\"\n3,ü,\"日本, 語\"\r4,,z"),
    Sample(
      name: "csv with comments and skipped lines", form: .csv,
      text: "first line\nsecond, line\n#comment, with \"quote\na,b\n# another one\r\n1,2\n#\n\n3,4\n# last"
    ) {
      $0.input.comment = UInt8(ascii: "#")
      $0.input.skippedLines = 2
    },
    Sample(name: "csv with short and long rows", form: .csv, text: "a,b\n1\n1,2,3\n\n4,5\n6,7,8,9\n") {
      $0.input.ragged = .fill
    },
    Sample(name: "csv with an escape mark", form: .csv, text: "a,b\n\"x\\\"y\",1\nz\\,z,2\n\"w\\\\\",3\n") {
      $0.input.escape = .byte(UInt8(ascii: "\\"))
    },
    Sample(name: "csv with lazy quotes", form: .csv, text: "a,b\n\"x\"y,1\n\"p\"\"q\" ,2\n3,\"r\"s\"t\"\n") {
      $0.input.hasLazyQuotes = true
    },
    Sample(name: "tsv with escapes", form: .tsv, text: "a\tb\nx\\ty\t\"q\\\\\r\n\\n\t\n"),
    Sample(name: "tsv of one column", form: .tsv, text: "a\n1\n\n3\n"),
    Sample(name: "tsv of one column with a CR", form: .tsv, text: "h\nx\ry\n\nz\n"),
    Sample(name: "csv with CR and an escape at its end", form: .csv, text: "a,b\r2,x\r1,y\\") {
      $0.input.escape = .byte(UInt8(ascii: "\\"))
    },
    Sample(name: "csv with an open end", form: .csv, text: "a,b\r2,x\r1,y"),
    Sample(
      name: "words by position", form: .words,
      text:
        "NAME   STATE     SINCE\nalpha  running   2 hours ago\nbeta             1 day ago\nγamma  stopped\n"),
    Sample(
      name: "words with a rule and a legend", form: .words,
      text: "NAME   STATE\n-----  -----\nalpha  up   now\nb      down\n\nlegend\nand more\n"),
    Sample(name: "fields between blanks", form: .blanks, text: "\n a b\tc \n1  2 3\n\n 4\t5   ü\n") {
      $0.input.ragged = .fill
    },
    Sample(
      name: "fields between blanks with long rows", form: .blanks,
      text: "a b\n1 2\n" + String(repeating: "3 4\n", count: 30) + "5 6 7\n8\n9 10 11 12\n"
    ) {
      $0.input.ragged = .fill
    },
    Sample(
      name: "a Markdown table with long rows", form: .table,
      text: "| a | b |\n|---|---|\n| 1 | 2 |\n" + String(repeating: "| 3 | 4 |\n", count: 30)
        + "| 5 | 6 | 7 |\n| 8 |\n| 9 | 10 | 11 | 12 |\n"
    ) {
      $0.input.ragged = .fill
    },
    Sample(
      name: "a Markdown table", form: .table,
      text: "| a | b |\n|:-:|--|\n| x\\|y | 1<br>2 |\n| - | \\* |\n| short\n\nmore\n"),
    Sample(
      name: "a drawn table with lines that go on", form: .table,
      text: " a | note \n---+------\n 1 | x   +\n   | y\n 2 | C+\n(2 rows)\n\nmore\n"),
    Sample(
      name: "a drawn table whose rows rules part", form: .table,
      text:
        "+---+---+\n| a | b |\n+===+===+\n| 1 | ü |\n|   | y |\n+---+---+\n| 2 |   |\n+---+---+\n"),
    Sample(
      name: "JSON lines", form: .jsonl,
      text: #"{"a":1,"b":"x\u00e9\ud83d\ude00"}"# + "\n\n" + #"{"b":null,"c":[1, {"d":2 }]}"# + "\r\n"
        + #"{"c":true,"a":-1.50e+10,"e\"f":""}"#),
    Sample(
      name: "JSON over several lines", form: .json,
      text: "[\n {\"a\": 1,\n  \"b\": {\"c\": [ 1, 2 ]}} ,\n {\"a\" : \"x\\n\"}\n]\n"),
    Sample(
      name: "JSON objects one after the other", form: .json,
      text: "{\"z\":0} {\"a\": [ ],\n\"z\" : {\"b\": 1}\n}{\"z\":\n\"x\"}"),
    Sample(
      name: "JSON lines with late keys, columns named with a glob", form: .jsonl,
      text:
        "{\"a\":1,\"b\":1}\n{\"a\":2}\n{\"b\":3,\"c\":\"cccccccccccccccccccccccccccc\"}\n{\"bb\":4,\"a\":5}\n"
    ) {
      $0.columns = ColumnList([.init(.column(.name("b", isQuoted: false), title: "B")), .init(.glob("*"))])
    },
    Sample(
      name: "JSON lines with late keys, a glob hidden", form: .jsonl,
      text:
        "{\"a\":1,\"b\":1}\n{\"a\":2}\n{\"b\":3,\"c\":\"cccccccccccccccccccccccccccc\"}\n{\"bb\":4,\"a\":5}\n"
    ) {
      $0.hidden = ColumnList([.init(.glob("b*"))])
    },
    Sample(
      name: "JSON lines with late keys, all columns but one", form: .jsonl,
      text:
        "{\"a\":1,\"b\":1}\n{\"a\":2}\n{\"b\":3,\"c\":\"cccccccccccccccccccccccccccc\"}\n{\"bb\":4,\"a\":5}\n"
    ) {
      $0.columns = ColumnList([.init(.column(.name("a", isQuoted: false), title: nil), isExcluded: true)])
    },
    Sample(
      name: "JSON lines with late keys, all others hidden", form: .jsonl,
      text:
        "{\"a\":1,\"b\":1}\n{\"a\":2}\n{\"b\":3,\"c\":\"cccccccccccccccccccccccccccc\"}\n{\"bb\":4,\"a\":5}\n"
    ) {
      $0.hidden = ColumnList([.init(.column(.name("a", isQuoted: false), title: nil), isExcluded: true)])
    },
    Sample(
      name: "JSON lines with late keys, one row looked ahead", form: .jsonl,
      text:
        "{\"a\":1,\"b\":1}\n{\"a\":2}\n{\"b\":3,\"c\":\"cccccccccccccccccccccccccccc\"}\n{\"bb\":4,\"a\":5}\n"
    ) {
      $0.lookAhead = .first(1)
    },
    Sample(
      name: "JSON lines with late keys, a glob hidden, one row looked ahead", form: .jsonl,
      text: "{\"a\":1,\"b\":1}\n{\"b1\":2,\"a\":3}\n{\"b\":3,\"a late key\":\"c\"}\n{\"bb\":4,\"a\":5}\n"
    ) {
      $0.hidden = ColumnList([.init(.glob("b*"))])
      $0.lookAhead = .first(1)
    },
    Sample(
      name: "JSON lines with keys after the first hundred", form: .jsonl,
      text: String(repeating: "{\"a\":1,\"bb\":2}\n", count: 100)
        + "{\"late\":1,\"a\":2}\n{\"bb\":3}\n{\"later still\":4,\"late\":5}\n{\"a\":6,\"b\":7}\n"),
    Sample(
      name: "csv with wide cells after the rows looked ahead", form: .csv,
      text: "a,b\n1,x\n2,wider than x\n33333,\"日本\n, 語 語\"\n4,x\n"
    ) {
      $0.lookAhead = .first(2)
    },
    Sample(name: "csv with fewer rows than are looked ahead", form: .csv, text: "a,b\n1,x\n2,yy\n3,z\n") {
      $0.lookAhead = .first(100)
    },
    Sample(name: "csv drawn from its titles", form: .csv, text: "a,b\n1,x\n2,wider than x\n33333,x\n") {
      $0.lookAhead = .first(0)
    },
    Sample(
      name: "words that are followed", form: .words,
      text: "NAME   STATE  OF IT\nalpha  running 2 hours ago\nbeta\n\nγamma-delta stopped\n"
    ) {
      $0.input.isFollowed = true
      $0.lookAhead = .first(2)
    },
    Sample(
      name: "JSON lines with damage and a key after the rows wanted", form: .jsonl,
      text: "{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n{\"d\":4} x\n{"
    ) {
      $0.head = .first(2)
    },
    Sample(
      name: "a JSON array with damage and a key after the rows wanted", form: .json,
      text: "[{\"a\":1},\n{\"a\":2,\"b\":2},\n{\"a\":3,\"c\":3},,\n"
    ) {
      $0.head = .first(2)
    },
  ]

  static let forms: [(OutputForm, LayoutKind)] = [
    (.text, .list), (.text, .grid), (.text, .detail), (.markdown, .detail), (.pandoc, .list),
    (.pandoc, .grid), (.pandoc, .detail), (.html, .list), (.csv, .list),
    (.tsv, .list),
    (.jsonl, .list),
  ]

  /// Chunks of bytes, and portions in which one thread or several work on them.
  static let portions: [(chunk: Int, Tuning)] =
    [(1, 64), (2, 64), (3, 65), (7, 80), (1, 1 << 18)].flatMap { chunk, block in
      [
        (chunk, Tuning(blockSize: block, threadLimit: 1)),
        (chunk, Tuning(blockSize: block, smallInput: 0, heldInput: 0, threadLimit: 3, pieceSize: 1)),
        (chunk, Tuning(blockSize: block, smallInput: 0, unpackedInput: 0, threadLimit: 2, pieceSize: 1)),
      ]
    }

  @Test(arguments: samples)
  func `R23 the same bytes in any chunks and blocks give the same table`(_ sample: Sample) throws {
    for (form, kind) in Self.forms {
      var plan = Plan()
      plan.input.form = sample.form
      sample.change(&plan)
      plan.output.form = form
      plan.output.isFragment = true
      plan.layout.kind = kind
      if sample.name.contains("long rows"), form != .text || kind == .detail { continue }
      let whole = try Self.run(plan, sample.text)
      #expect(!whole.isEmpty)
      for (chunk, tuning) in Self.portions {
        let cut = try Self.run(plan, sample.text, chunk: chunk, tuning)
        #expect(cut == whole, "\(form) \(kind), chunks of \(chunk), \(tuning)")
      }
      for tuning in Self.portions.map(\.1) {
        let read = try Self.run(plan, file: sample.text, tuning)
        #expect(read == whole, "\(form) \(kind), from a file, \(tuning)")
      }
    }
  }

  /// Lines of csv and of JSON, and what they are changed to.
  static let changed: [(text: String, changes: [String])] = {
    let csv = "a,b\n" + String(repeating: "1,some text\n", count: 50)
    let json = String(repeating: "{\"a\":1,\"b\":\"some text\"}\n", count: 50)
    return [
      (csv, ["a,b\n", String(csv.dropLast(3)), csv.replacing("1,some", with: "1\nsome")]),
      (json, ["{}\n", String(json.dropLast(3)), json.replacing("\"b", with: "\"c")]),
    ]
  }()

  @Test(
    arguments: [
      Tuning(blockSize: 64, smallInput: 0, heldInput: 0, threadLimit: 1),
      Tuning(blockSize: 64, smallInput: 0, heldInput: 0, threadLimit: 3),
    ], changed.indices)
  func `A file that is cut short or changed before it is read again is damage`(
    _ tuning: Tuning, _ index: Int
  ) throws {
    let (text, changes) = Self.changed[index]
    // One thread does not cut JSON ahead, and only what is cut ahead is cut again.
    if text.hasPrefix("{"), tuning.threadLimit == 1 { return }
    for change in changes {
      let file = Self.newFile
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(text.utf8).write(to: file)
      var plan = Plan()
      plan.sources = [.file(FilePath(file.path))]
      plan.input.form = text.hasPrefix("{") ? .jsonl : .csv
      plan.output.path = FilePath(Self.newFile.path)
      let resolution = try Resolution(plan, tuning) { (source) throws(SystemError) in try source.open() }
      let table = try TableReader(resolution).read()
      #expect(table.rows.inMemory == nil && table.rows.count == 50)
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: Data(change.utf8))
      #expect {
        try table.forEachPiece { _ in }
      } throws: {
        if case Failure.input(.changed(path: FilePath(file.path))) = $0 { true } else { false }
      }
    }
  }

  @Test(arguments: samples.filter { $0.form == .csv || $0.form == .tsv })
  func `R33 Rows sorted without the notes on their cells are drawn as with them`(_ sample: Sample) throws {
    for (form, kind) in Self.forms + [(.html, .list), (.markdown, .list)] {
      var plan = Plan()
      plan.input.form = sample.form
      sample.change(&plan)
      plan.output.form = form
      plan.layout.kind = kind
      plan.lookAhead = .all
      if sample.name.contains("long rows") { continue }
      plan.sortKeys = [SortKey(target: .column(.position(1)), isDescending: true)]
      if !sample.name.contains("one column") {
        plan.sortKeys.insert(
          SortKey(target: .column(.position(2)), comparison: .nocase, isDescending: true), at: 0)
      }
      // Rows that may be longer than the header keep their notes.
      plan.input.ragged = .fill
      let whole = try Self.run(plan, sample.text)
      plan.input.ragged = .skip
      for (chunk, tuning) in Self.portions {
        #expect(try Self.run(plan, sample.text, chunk: chunk, tuning) == whole, "\(form) \(kind), \(tuning)")
        var small = plan
        small.memory = 100
        #expect(try Self.run(small, sample.text, chunk: chunk, tuning) == whole, "\(form) \(kind), spilled")
      }
    }
  }

  /// Moves, windows and keys, over the columns `a` and `b`.
  static let gatherings: [(String, @Sendable (inout Plan) throws -> Void)] = [
    ("tail", { $0.tail = 7 }), ("all but the last", { $0.head = .allButLast(9) }),
    (
      "moves by number",
      {
        $0.moves = [
          Move(
            what: .rows([RowRange(first: 250, last: nil), RowRange(first: 3, last: 3)]), place: .top,
            source: "m"),
          Move(what: .rows([RowRange(first: 1, last: 120)]), place: .afterRow(-2), source: "m"),
        ]
      }
    ),
    (
      "moves by expression",
      {
        $0.canMove = try SourceExpression("a != 14", option: "--can-move")
        $0.moves = [
          Move(what: .matching(try MoverTests.expression("a % 7 = 0")), place: .bottom, source: "m"),
          Move(
            what: .matching(try MoverTests.expression("a between 30 and 40")),
            place: .beforeMatch(try MoverTests.expression("a = 5")), source: "m"),
        ]
        $0.skip = 3
      }
    ),
    (
      "sections whose headers count their rows",
      {
        var sections = SectionOptions(by: try SourceExpression("a // 40", option: "--section-by"))
        sections.header = try SourceTemplate(
          "{section}: {count()} {max(b)}", option: "--section-header")
        sections.footer = .columns(.totals)
        $0.layout.sections = sections
        $0.moves = [Move(what: .rows([RowRange(first: 250, last: nil)]), place: .top, source: "m")]
        $0.skip = 3
      }
    ),
    (
      "sections of rows as they come",
      {
        var sections = SectionOptions(by: try SourceExpression("a // 9 % 5", option: "--section-by"))
        sections.header = try SourceTemplate("{section} {first(b)}", option: "--section-header")
        sections.footer = .text(try SourceTemplate("{count()}", option: "--section-footer"))
        $0.layout.sections = sections
        $0.lookAhead = .first(20)
      }
    ),
    (
      "sorted, then moved",
      {
        $0.sortKeys = [try .expression("a % 10"), .column("b", descending: true)]
        $0.moves = [Move(what: .rows([RowRange(first: 1, last: 40)]), place: .bottom, source: "m")]
        $0.tail = 250
      }
    ),
    ("a sample", { $0.sample = 20 }),
    ("a summary", { $0.isSummary = true }),
    (
      "columns that become rows",
      {
        let columns = ColumnList([.init(.column(.name("a", isQuoted: false), title: nil))])
        $0.unpivoting = Unpivoting(columns, name: "what", value: "value")
        $0.sortKeys = [.column("value", descending: true)]
      }
    ),
    (
      "computed over sorted rows",
      {
        $0.sortKeys = [try .expression("a % 10"), .column("b", descending: true)]
        $0.computed = try Assignment.all(
          in: "r = running(a), s = share(a), p = prior(b, 7)", option: "--compute")
        $0.tail = 250
      }
    ),
    (
      "computed over rows as they come",
      { $0.computed = try Assignment.all(in: "k = rank(a), x = next(b, 3)", option: "--compute") }
    ),
    (
      "a pivoted table",
      {
        $0.grouping = Grouping(
          by: ColumnList([.init(.column(.name("b", isQuoted: false), title: nil))]),
          aggregates: try Assignment.aggregates(in: "s = sum(a), n = count()", option: "--aggregate"))
        $0.pivot = Pivot(
          by: nil, values: [.init(try SourceExpression("a % 3", option: "--pivot"), title: nil, after: 0)],
          total: "all")
      }
    ),
    ("the ends", { $0.layout.ends = 9 }),
    (
      "cells over several rows, and titles over several columns",
      {
        let column = ColumnList.Entry(.column(.name("b", isQuoted: false), title: nil))
        $0.sortKeys = [.column("b", descending: true)]
        $0.layout.merged = ColumnList([column])
        $0.layout.spans = [ColumnSpan("both", over: ColumnList([ColumnList.Entry(.glob("*"))]))]
      }
    ),
    (
      "a sample of sorted rows",
      {
        $0.sortKeys = [try .expression("a % 10"), .column("b", descending: true)]
        $0.sample = 40
        $0.skip = 3
      }
    ),
    (
      "a sample of moved rows",
      {
        $0.moves = [Move(what: .rows([RowRange(first: 1, last: 120)]), place: .afterRow(-2), source: "m")]
        $0.sample = 60
        $0.tail = 50
      }
    ),
  ]

  @Test(arguments: gatherings.indices, [InputForm.csv, .jsonl])
  func `R33 Rows that are moved and cut are the same beyond the budget`(
    _ index: Int, _ form: InputForm
  ) throws {
    let rows = (0..<300).map { ($0, "x\($0 % 13) ü") }
    let text =
      form == .csv
      ? "a,b\n" + rows.map { "\($0),\"\($1)\"\n" }.joined()
      : rows.map { "{\"a\":\($0),\"b\":\"\($1)\"}\n" }.joined()
    for (output, kind) in Self.forms {
      var plan = Plan()
      plan.input.form = form
      plan.output.form = output
      plan.output.isFragment = true
      plan.layout.kind = kind
      try Self.gatherings[index].1(&plan)
      let whole = try Self.run(plan, text)
      #expect(!whole.isEmpty)
      for tuning in [
        Tuning(blockSize: 64, smallInput: 0, threadLimit: 1),
        Tuning(blockSize: 128, smallInput: 0, heldInput: 0, threadLimit: 3, pieceSize: 2),
      ] {
        #expect(try Self.run(plan, text, tuning) == whole, "\(output) \(kind)")
        #expect(try Self.run(plan, file: text, tuning) == whole, "\(output) \(kind), from a file")
        var small = plan
        small.memory = 300
        #expect(try Self.run(small, text, tuning) == whole, "\(output) \(kind), spilled")
      }
    }
  }

  @Test func `Rows of JSON are sorted if a key comes after the first that are kept`() throws {
    let text =
      (0..<150).map { "{\"k\":\($0 / 50),\"a\":\($0 * 7 % 150)}\n" }.joined()
      + "{\"k\":2,\"a\":5,\"late\":1}\n"
    var plan = Plan()
    plan.input.form = .jsonl
    plan.output.form = .csv
    plan.filters = [try SourceExpression("k = 2", option: "--filter")]
    plan.sortKeys = [.column("a")]
    let whole = try Self.run(plan, text)
    #expect(whole.contains("2,5,1"))
    let tuning = Tuning(blockSize: 64, smallInput: 0, heldInput: 0, threadLimit: 3, pieceSize: 2)
    #expect(try Self.run(plan, file: text, tuning) == whole)
    plan.memory = 300
    #expect(try Self.run(plan, file: text, tuning) == whole)
  }

  /// Ways to part the rows of the columns `a` and `b`, by the expression, header and footer.
  static let partings: [(value: String, header: String?, footer: String?)] = [
    ("b", "{section}: {count()}, {max(a)}", "totals"), ("a // 7", "{section}", "{count()} in all"),
    ("a", "{section}", nil), ("1", "one", "all"), ("if(a % 9 = 0, a, null)", nil, "totals"),
  ]

  /// A plan for rows in sections, every other row shaded and some selected.
  private static func plan(
    _ kind: LayoutKind, _ form: OutputForm, in parting: (value: String, header: String?, footer: String?)
  ) throws -> Plan {
    var sections = SectionOptions(by: try SourceExpression(parting.value, option: "--section-by"))
    sections.header = try parting.header.map { try SourceTemplate($0, option: "--section-header") }
    if let footer = parting.footer {
      sections.footer =
        footer == "totals"
        ? .columns(.totals) : .text(try SourceTemplate(footer, option: "--section-footer"))
    }
    var plan = Plan()
    plan.output.form = form
    plan.output.isFragment = true
    plan.layout.kind = kind
    plan.layout.sections = sections
    plan.layout.isStriped = true
    plan.layout.colorDepth = .full
    plan.layout.selections = [.rows([RowRange(first: 5, last: 9)])]
    return plan
  }

  @Test(arguments: LayoutKind.allCases, OutputForm.allCases.filter(\.isDisplay))
  func `Sections are the same whether they are recorded or not, whoever paints them`(
    _ kind: LayoutKind, _ form: OutputForm
  ) throws {
    let text = "a,b\n" + (0..<60).map { "\($0),\($0 % 11 == 0 ? "" : "x\($0 / 4 % 3)")\n" }.joined()
    for parting in Self.partings {
      var plan = try Self.plan(kind, form, in: parting)
      plan.lookAhead = .first(1000)
      let streamed = try Self.run(plan, text, Tuning(threadLimit: 1))
      plan.lookAhead = .all
      #expect(try Self.run(plan, text, Tuning(threadLimit: 1)) == streamed, "\(parting)")
      for size in [1, 2, 5, 30] {
        let tuning = Tuning(blockSize: 64, smallInput: 0, threadLimit: 3, pieceSize: size)
        #expect(try Self.run(plan, text, tuning) == streamed, "\(parting), pieces of \(size)")
        var moved = plan
        moved.moves = [Move(what: .rows([RowRange(first: 60, last: 60)]), place: .bottom, source: "m")]
        #expect(try Self.run(moved, text, tuning) == streamed, "\(parting), pieces of \(size), moved")
      }
    }
  }

  @Test func `Sections that are too many to be recorded are found again`() throws {
    let text = "a\n" + (0..<20_000).map { "\($0)\n" }.joined()
    var plan = try Self.plan(.list, .text, in: ("a", "{section}: {count()}", nil))
    let whole = try Self.run(plan, text)
    plan.memory = 1
    #expect(try Self.run(plan, text) == whole)
  }

  @Test func `The first row whose style fails is told, whoever paints it`() throws {
    let text = "a\n" + (0..<600).map { $0 % 50 == 7 ? "x\($0)\n" : "\($0)\n" }.joined()
    var rule = StyleRule()
    rule.condition = try SourceExpression("must(a, \"int\") > 5", option: "--row-background")
    rule.style.isBold = true
    var plan = Plan()
    plan.layout.rowBackgrounds = [rule]
    func failure(_ tuning: Tuning) throws -> String {
      do { return try Self.run(plan, text, tuning) } catch { return String(describing: error) }
    }
    let first = try failure(Tuning(threadLimit: 1))
    #expect(first.contains("line: Optional(9)"))
    for _ in 0..<20 {
      let tuning = Tuning(blockSize: 64, smallInput: 0, threadLimit: 4, pieceSize: 3)
      #expect(try failure(tuning) == first)
    }
  }

  @Test func `R23 Runs that are repeated give the same bytes, whoever works on them`() throws {
    let text = "a,b\n" + (0..<2000).map { "\($0 * 7919 % 100),\"\($0) \"\"日本\"\"\"\n" }.joined()
    for keys: [SortKey] in [[], [.column("a")]] {
      var plan = Plan()
      plan.sortKeys = keys
      plan.layout.kind = .grid
      let whole = try Self.run(plan, text, Tuning(threadLimit: 1))
      for memory in [1 << 30, 20_000] {
        plan.memory = memory
        for _ in 0..<15 {
          let run = try Self.run(
            plan, text, Tuning(blockSize: 300, smallInput: 0, threadLimit: 4, pieceSize: 5))
          #expect(run == whole)
        }
      }
    }
  }

  @Test(arguments: [
    Tuning(blockSize: 64, smallInput: 0, threadLimit: 2), Tuning(blockSize: 64), Tuning(),
  ])
  func `Rows left out at both ends are those that counting leaves out`(_ tuning: Tuning) throws {
    let rows = (0..<200).map { "\($0 * 7 % 200),x\($0)\n" }
    let bounds = [nil, 0, 1, 3, 50, 199, 200, 1000]
    for isFiltered in [false, true] {
      let kept = isFiltered ? rows.filter { Int($0.prefix { $0 != "," }) ?? 0 < 20 } : rows
      for (head, tail) in bounds.flatMap({ head in bounds.map { (head, $0) } }) {
        for (skip, dropsLast) in [(0, false), (0, true), (7, false), (7, true)] {
          var plan = Plan()
          plan.output.form = .csv
          plan.skip = skip
          plan.head = head.map { dropsLast ? .allButLast($0) : .first($0) }
          plan.tail = tail
          if isFiltered { plan.filters = [try SourceExpression("a < 20", option: "--filter")] }
          var expected = kept.dropFirst(skip)
          if let head { expected = dropsLast ? expected.dropLast(head) : expected.prefix(head) }
          if let tail { expected = expected.suffix(tail) }
          let text = "a,b\n" + expected.joined()
          #expect(
            try Self.run(plan, "a,b\n" + rows.joined(), tuning) == text, "\(plan.head as Any) \(tail as Any)")
          plan.memory = 3000
          #expect(try Self.run(plan, "a,b\n" + rows.joined(), tuning) == text, "beyond the budget")
        }
      }
    }
  }

  @Test func `R33 Rows beyond the budget give the bytes of rows that fit, in the order they came`() throws {
    let text = "a,b\n" + (0..<300).map { "\($0),\"x\n\($0 * $0) ü\"\n" }.joined() + "7,\"\"\"\""
    for form in [InputForm.csv, .jsonl] {
      var plan = Plan()
      plan.input.form = form
      plan.layout.kind = .grid
      let json = (0..<300).map {
        "{\"a\":\($0),\"b\":\"x\n\($0 * $0) ü\"}".replacing("\n", with: "\\n") + "\n"
      }
      let input = form == .csv ? text : json.joined()
      let whole = try Self.run(plan, input)
      plan.memory = 1000
      for tuning in [
        Tuning(blockSize: 64, smallInput: 0), Tuning(blockSize: 256, smallInput: 1 << 20, pieceSize: 3),
      ] {
        #expect(try Self.run(plan, input, tuning) == whole)
      }
    }
  }

  @Test func `R23 UTF-16 in any chunks gives the same table`() throws {
    let text = "id,name\n1,日本\n2,😀 \n3,ü\n"
    var plan = Plan()
    let whole = try Self.run(plan, text)
    for isBigEndian in [false, true] {
      var bytes: [UInt8] = isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
      for unit in text.utf16 {
        let pair = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
        bytes += isBigEndian ? pair.reversed() : pair
      }
      for chunk in [1, 2, 3, 1 << 16] {
        let cut = try Self.run(plan, bytes: bytes, chunk: chunk, Tuning(blockSize: 64))
        #expect(cut == whole, "chunks of \(chunk)")
      }
    }
    plan.input.encoding = .latin1
    #expect(try Self.run(plan, bytes: [0x61, 0x0A, 0xFC, 0x80, 0x0A]).contains("ü€"))
  }

  static func run(_ plan: Plan, _ text: String, chunk: Int = .max, _ tuning: Tuning = Tuning()) throws
    -> String
  {
    try run(plan, bytes: Array(text.utf8), chunk: chunk, tuning)
  }

  /// Runs a plan over bytes and returns what it writes.
  static func run(
    _ plan: Plan, bytes: [UInt8], chunk: Int = .max, _ tuning: Tuning = Tuning()
  ) throws -> String {
    try run(plan, tuning) { _ in ByteSource(bytes: bytes, chunk: chunk) }
  }

  /// Runs a plan over a file that holds `text` and returns what it writes.
  static func run(_ plan: Plan, file text: String, _ tuning: Tuning) throws -> String {
    let file = newFile
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    var plan = plan
    plan.sources = [.file(FilePath(file.path))]
    return try run(plan, tuning) { (source) throws(SystemError) in try source.open() }
  }

  /// A path in the folder of temporary files that nothing has yet.
  private static var newFile: URL {
    FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
  }

  /// Runs a plan over what `open` gives for each source and returns what it writes.
  static func run(
    _ plan: Plan, _ tuning: Tuning, open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws -> String {
    var plan = plan
    let file = newFile
    defer { try? FileManager.default.removeItem(at: file) }
    plan.output.path = FilePath(file.path)
    let pipeline = try Pipeline(plan, tuning, open: open)
    _ = try pipeline.run()
    return try String(decoding: Data(contentsOf: file), as: UTF8.self)
  }
}
