import Foundation
import Testing

@testable import TablerEngine

/// R66: the same input gives the same output, warnings and status, however it comes.
@Suite struct ArrivalTests {
  /// An input with things to be said of, before and after the rows that are wanted.
  struct Sample: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    var change: @Sendable (inout Plan) throws -> Void

    init(_ name: String, _ text: String, _ change: @escaping @Sendable (inout Plan) throws -> Void = { _ in })
    {
      self.init(name, Array(text.utf8), change)
    }

    init(_ name: String, _ bytes: [UInt8], _ change: @escaping @Sendable (inout Plan) throws -> Void) {
      testDescription = name
      self.bytes = bytes
      self.change = change
    }
  }

  static func filter(_ text: String) throws -> SourceExpression {
    try SourceExpression(text, option: "--filter")
  }

  static func rule(_ text: String) throws -> ValidationRule {
    let name = text.prefix { $0 != ":" }
    guard name.count < text.count else {
      return try ValidationRule(text, option: "--validate", columns: nil, at: 0)
    }
    let selector: ColumnSelector = name == "*" ? .glob("*") : .column(column(String(name)))
    return try ValidationRule(
      text, option: "--validate", columns: (selector, 0..<name.utf8.count), at: name.utf8.count + 1)
  }

  /// A layout with rules of all kinds about rows and cells.
  static func looks(_ layout: LayoutOptions) throws -> LayoutOptions {
    var layout = layout
    layout.colorDepth = .basic
    layout.isStriped = true
    layout.selections = [.rows([RowRange(first: -2, last: nil)]), .matching(try filter("a = 1"))]
    var rule = StyleRule()
    rule.condition = try filter("number(a) > 2")
    rule.background = try filter("b")
    layout.rowBackgrounds = [rule]
    rule.isBoxed = true
    layout.rowOverlays = [rule]
    rule.condition = try filter("number(value) > 1")
    rule.style.isBold = true
    layout.cellStyles = [CellStyleRule(.glob("*"), in: "*: bold", range: 0..<1, rule)]
    return layout
  }

  static func column(_ name: String) -> ColumnReference { .name(name, isQuoted: false) }

  static func columns(_ names: String...) -> ColumnList {
    ColumnList(names.map { .init(.column(column($0), title: nil)) })
  }

  static func join(_ name: String) -> Join {
    Join(side, keys: [Join.EqualColumns(own: column(name), other: column("a"))])
  }

  /// A table that others are joined with, whose bytes are always the same.
  static let side = Source.file(FilePath("side.csv"))
  static let sideText = "a,v,n\n1,x,u\n1,y,u\n3,z,2\n2,w,u\nn/a,u,1\nx,q,q\n"
  static let lists =
    "{\"l\":[1,\"x\"],\"i\":1}\n{\"l\":[],\"o\":{\"m\":[3,{\"k\":4}]}}\n{\"i\":3}\n{\"l\":[2],\"o\":{\"m\":[]},\"z\":5}\n"

  static let csv = "a,b\n1,x\nn/a,y\n3,\n4,z\nbad,u\n6,worse\n2,w\n"
  static let nothings = "a,b\n1,x\nNA,y\n2,z\nnull,y\n-,u\nbad,v\n1.234,w\n5k,x\n7m,y\n"
  static let json =
    "{\"a\":1}\n{\"a\":2,\"b.c\":1,\"b\":{\"c\":5}}\n{\"b\":{\"c\":6},\"a\":\"x\"}\n{\"d\":{\"e\":7},\"a\":3}\n"
  static let samples: [Sample] = [
    Sample("misfits of one filter", csv) { $0.filters = [try filter("a > 0")] },
    Sample("a second line that only begins like the rule of a drawn table", "| a | b |\n|-|--c|") { _ in },
    Sample("a drawn table without rows", "| color |\n|---|\n"),
    Sample("cells of which functions convert none, and some", csv) {
      $0.filters = [
        try filter("number(b) > 0 and number(a) > 0"), try filter("number(a) > 1 and date(b) > today()"),
      ]
    },
    Sample("misfits of rows that wait for others", csv) {
      $0.computed = try Assignment.all(
        in: "x = next(number(a), 2), y = running(number(b))", option: "--compute")
    },
    Sample("misfits of two filters", csv) {
      $0.filters = [try filter("a > 0"), try filter("b > 0 or a > 1")]
    },
    Sample("misfits of one column in two places", "a,b\n1,x\n2,1\n1,2\n2,y\n1,z\n") {
      $0.filters = [try filter("a = 1 and b > 0 or a = 2 and b < 9 or a > 0")]
    },
    Sample("misfits in sections, whose values come back", csv) {
      var sections = SectionOptions(by: try filter("number(a) % 3"))
      sections.header = try SourceTemplate("{section}: {sum(number(b))}", option: "--section-header")
      sections.footer = .columns(.totals)
      $0.layout.sections = sections
    },
    Sample("cells over several rows, and titles over several columns", csv) {
      let column = ColumnList.Entry(.column(.name("a", isQuoted: false), title: nil))
      $0.layout.merged = ColumnList([column])
      $0.layout.spans = [ColumnSpan("both", over: ColumnList([ColumnList.Entry(.glob("*"))]))]
    },
    Sample("columns of fixed widths, which cells are wider than", csv) {
      $0.layout.gridItems = [GridItem(least: 1, most: 1), GridItem(most: 3)]
    },
    Sample("records side by side", csv) {
      $0.filters = [try filter("a > 0")]
      $0.layout.flow = FlowWidth(least: 20)
    },
    Sample("records with keys that come late side by side", json) {
      $0.layout.flow = FlowWidth(least: 20, most: 30)
    },
    Sample("more widths than columns that are known at the end", json) {
      $0.layout.gridItems = [GridItem(least: 1, most: 1), GridItem(), GridItem(), GridItem()]
    },
    Sample("columns that become rows", csv) {
      $0.unpivoting = Unpivoting(columns("a", "b"), name: "what", value: "value")
    },
    Sample("columns that become rows, of which few are wanted", csv) {
      $0.filters = [try filter("a > 0")]
      $0.unpivoting = Unpivoting(columns("a", "b"), name: "what", value: "value")
      $0.head = .first(3)
    },
    Sample("keys that become rows", json) {
      $0.unpivoting = Unpivoting(columns("a", "d"), name: "what", value: "value")
    },
    Sample("joined rows, some of them several times", csv) { $0.joins = [join("a")] },
    Sample("joined rows of which few have a match", csv) {
      $0.joins = [join("b")]
      $0.joinKind = .inner
    },
    Sample("joined rows with keys that come late", json) { $0.joins = [join("a")] },
    Sample("keys of the footer alone", json) { $0.input.footerLines = 1 },
    Sample("keys of a footer of several records", json) { $0.input.footerLines = 3 },
    Sample("joined rows without a match, by a value inside of another", json) {
      $0.joins = [Join(side, keys: [Join.EqualColumns(own: column("b.c"), other: column("v"))])]
      $0.joinKind = .inner
    },
    Sample("joined rows without a match, before a footer", json) {
      $0.joins = [join("d")]
      $0.joinKind = .inner
      $0.input.footerLines = 1
    },
    Sample("rows without a match, checked after those shown", json) {
      $0.joins = [join("a")]
      $0.joinKind = .anti
      $0.rules = [try rule("a: value > 2")]
      $0.head = .first(1)
    },
    Sample("joined rows whose names are taken late", "{\"a\":1}\n{\"a\":2}\n{\"a\":3,\"v\":4}\n") {
      $0.joins = [join("a")]
    },
    Sample("joined rows, joined again and filtered", csv) {
      $0.joins = [join("a"), join("v")]
      $0.filters = [try filter("n > 0 or b = 'x'")]
    },
    Sample("elements of lists", lists) {
      $0.explosion = Explosion([column("l"), column("o.m")])
      $0.joins = [join("l")]
    },
    Sample("elements of lists, before a footer", lists) {
      $0.explosion = Explosion([column("l")], empty: .drop)
      $0.input.footerLines = 1
    },
    Sample("misfits in groups", csv) {
      $0.grouping = Grouping(
        by: nil,
        aggregates: try Assignment.aggregates(
          in: "n = count(), s = sum(a), m = min(b)", option: "--aggregate"))
    },
    Sample("misfits of changed cells, and rows that may not be edited", csv) {
      $0.computations = [
        .set(try Assignment.all(in: "a = a * 2 where b > 'u'; b = 'q' where a > 3", option: "--set"))
      ]
      $0.canEdit = try filter("a > 1")
    },
    Sample("a position that the first record lacks", json) { $0.filters = [try filter("$2 > 0")] },
    Sample("a position that the first record has", json) { $0.filters = [try filter("$1 > 0")] },
    Sample("a column at a position that the first record lacks", json) {
      $0.columns = ColumnList([.init(.column(.position(2), title: nil))])
    },
    Sample("looks of rows and cells", csv) {
      $0.layout = try looks($0.layout)
    },
    Sample("looks of rows and cells in pages with a footer", csv) {
      $0.layout = try looks($0.layout)
      $0.layout.kind = .grid
      $0.layout.pageHeight = 8
      $0.layout.footers = [.titles, .totals]
    },
    Sample("columns in further lines", csv) {
      $0.layout = try looks($0.layout)
      $0.layout.kind = .grid
      $0.layout.wrapsColumns = true
      $0.layout.width = .atMost(12)
    },
    Sample("looks of cards with keys that come late", json) {
      $0.layout = try looks($0.layout)
      $0.layout.kind = .detail
    },
    Sample("colors that are met after the style was written", "a,b\nred,x\n#123,y\nno,z\n#123,z\nblue,z\n") {
      var rule = StyleRule()
      rule.background = try filter("a")
      $0.layout.rowOverlays = [rule]
      $0.lookAhead = .first(2)
    },
    Sample("rows that are not valid, with marks", csv) {
      $0.rules = try ["a: value > 1", "*: value != 'x'", "b: unique(value)"].map(rule)
    },
    Sample("rows that are not valid, after those shown", csv) {
      $0.rules = [try rule("a: value > 2")]
      $0.head = .first(1)
    },
    Sample("rows that are not valid, after those shown of JSON", json) {
      $0.rules = try ["*: value > 2", "b: value is not null"].map(rule)
      $0.head = .first(2)
    },
    Sample("invalid rows of keys that come late", json) {
      $0.rules = try ["*: value > 2", "a > 1"].map(rule)
      $0.invalidRowPolicy = .keepOnly
    },
    Sample("changed keys that come late", json) {
      $0.computations = [
        .set(try Assignment.all(in: "e = 1 where a > 1; d = 2; b = 3 where a is null", option: "--set"))
      ]
    },
    Sample("changed keys that come late, one row looked ahead", json) {
      $0.computations = [.set(try Assignment.all(in: "e = 1 where a > 1; d = 2", option: "--set"))]
      $0.lookAhead = .first(1)
    },
    Sample("added rows", csv) {
      $0.additions = [try Assignment.record(in: "b = 'x', a = 'y'", option: "--add")]
      $0.filters = [try filter("a > 0 or b = 'x'")]
    },
    Sample("added rows with new keys", json) {
      $0.additions = [
        try Assignment.record(in: "e = 1, d = 2", option: "--add"),
        try Assignment.record(in: "a = 1, f = 2", option: "--add"),
      ]
    },
    Sample("must() in groups", "a\n1\n2\nx\n4\n") {
      $0.grouping = Grouping(
        by: ColumnList([ColumnList.Entry(.column(.name("a", isQuoted: false), title: nil))]),
        aggregates: try Assignment.aggregates(in: "n = must(first(a), \"int\")", option: "--aggregate"))
    },
    Sample("must() in the value of sections", "a\n1\n2\nx\n4\n") {
      $0.layout.sections = SectionOptions(by: try filter("must(a, \"int\")"))
    },
    Sample("must() in the header of a section", "a\n1\n2\nx\n4\n") {
      $0.layout.sections = SectionOptions(by: try filter("a"))
      $0.layout.sections?.header = try SourceTemplate("{must(section, \"int\")}", option: "--section-header")
    },
    Sample("must() after some rows", "a\n1\n2\nx\n4\n") { $0.filters = [try filter("must(a, \"int\") > 0")] },
    Sample("a cell of another type, which ends the run before words for null", nothings) {
      $0.misfits = .stop
      $0.types = [TypeDeclaration(.column(column("a")), .number)]
    },
    Sample("a misfit of a filter, which ends the run before words for null", nothings) {
      $0.misfits = .stop
      $0.filters = [try filter("a > 0")]
    },
    Sample("a misfit of a change, which ends the run before words for null", nothings) {
      $0.misfits = .stop
      $0.computations = [.set(try Assignment.all(in: "b = a * 2", option: "--set"))]
    },
    Sample("a misfit of an aggregate, which ends the run before words for null", nothings) {
      $0.misfits = .stop
      $0.grouping = Grouping(
        by: columns("b"), aggregates: try Assignment.aggregates(in: "s = sum(a)", option: "--aggregate"))
    },
    Sample("a misfit of a sort key, which ends the run before words for null", nothings) {
      $0.misfits = .stop
      $0.sortKeys = [.column("a", .number)]
    },
    Sample("disorder", "a\n1\n2\n1\n3\n0\n") { $0.sortedBy = [.column("a")] },
    Sample("disorder of a path", "{\"a\":{\"b\":1}}\n{\"a\":{\"b\":2}}\n{\"a\":{\"b\":0}}\n") {
      $0.sortedBy = [.column("a.b")]
    },
    Sample("ragged rows left out", "a,b\n1,2\n1\n3,4\n1,2,3\n5,6\n7\n") { $0.input.ragged = .skip },
    Sample("ragged rows", "a,b\n1,2\n3,4\n1,2,3\n5,6\n"),
    Sample("ragged rows filled", "a,b\n1,2\n3\n1,2,3\n5,6,7,8\n") { $0.input.ragged = .fill },
    Sample("text before the table", "Report\nof a year\n\na,b\n1,2\n3,4\n"),
    Sample("quotes in text", "a,b\n1,2\" x 3\" y\n2,b\"\n3,4\n5,6\"\n") {
      $0.filters = [try filter("a != 2")]
    },
    Sample("damaged lines left out", "{\"a\":1}\nx y\n{\"a\":2,\"b\":\n{\"a\":3} {}\n[4]\n{\"c\":5}\n{\"a\"")
    {
      $0.input.ragged = .skip
    },
    Sample("a damaged line", "{\"a\":1}\n{\"a\":2}\nstarting up\n{\"a\":3}\n"),
    Sample("a line that names the delimiter", "sep=;\r\na;b,c\r\n1;2\r\n3\r\n"),
    Sample(
      "records of psql", "-[ RECORD 1 ]\nid | 1\nn  | x  +\n   | y\n-[ RECORD 2 ]\nid | 2\nn  | \n\nthe end\n"
    ),
    Sample(
      "records of mysql",
      "*** 1. row ***\nid: 1\n n: x\n\nid: 7\n*** 2. row ***\nid: 2\n n: y\n*** 3. row ***\nm: 3\n2 rows in set (0.00 sec)\n"
    ),
    Sample(
      "a drawn table with a title",
      "+-------+\n|   x   |\n+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+\n"),
    Sample(
      "sections of a drawn table",
      " a | b\n===+===\n x\n x | 1\n---+---\n x | 2\n\n y\n y | 3\n===+===\n   | 6\n"),
    Sample("damaged quotes", "a,b\n1,2\n3,\"x\"y\n4,5\n"),
    Sample("lines left out", "skipped\n#1\na,b\n#2\n1,2\n#3\n#4\n3,4\n5,6\n#5\n") {
      $0.input.comment = UInt8(ascii: "#")
      $0.input.skippedLines = 1
    },
    Sample("NUL and bytes that are not UTF-8", Array("a\nx\n".utf8) + [0, 10, 0xE9, 10, 0xFF, 0, 10]) { _ in
    },
    Sample("late keys", json),
    Sample("late keys, named", json) { $0.columns = columns("a", "b.c", "d.e", "d.f", "g") },
    Sample("late keys, filtered by a name with a dot", json) { $0.filters = [try filter("b.c >= 5")] },
    Sample("late keys, sorted by a name with a dot", json) {
      $0.sortKeys = [.column("b.c", descending: true)]
    },
    Sample("late keys, one row looked ahead", json) { $0.lookAhead = .first(1) },
    Sample("late keys, one row looked ahead, the last left out", json) {
      $0.lookAhead = .first(1)
      $0.head = .allButLast(1)
    },
    Sample("late keys, one row looked ahead, three left out", json) {
      $0.lookAhead = .first(1)
      $0.head = .allButLast(3)
    },
    Sample("lists where objects are wanted", "[[ \"a\",\"b\"],[1,2],[3]]"),
    Sample("a number where objects are wanted", "[12.5, 1]"),
    Sample("a word where objects are wanted", "[{\"a\":1},trup]"),
    Sample("late keys, hidden", json) { $0.hidden = ColumnList([.init(.glob("b*")), .init(.glob("z*"))]) },
    Sample("damaged JSON", "{\"a\":1}\n{\"a\":2,\"a\":3}\n{\"a\":4}\n{\"a\":nope}\n"),
    Sample("keys that stand twice", "{\"a\":1}\n{\"a\":2,\"a\":3}\n{\"b\":2,\"b\":3,\"a\":1}\n"),
    Sample("a lone object", "{\"items\":[{\"a\":1},{\"a\":2}],\"n\":2}"),
    Sample("an object that is not alone", "{\"items\":[{\"a\":1},{\"a\":2}],\"n\":2}\n{\"n\":3}\n"),
    Sample(
      "elements", "{\"m\":[1],\"r\":[{\"a\":1},{\"a\":2,\"b\":1},{\"a\":3}],\"z\":\"[\"}{\"r\":[{\"c\":1}]}"
    ) {
      $0.input.at = JSONPath("r")
    },
    Sample("elements with damage", "{\"m\":{\"x\":2},\"r\":[[\"a\",\"b\"],[1,2],[3],[5,6]],\"z\":]") {
      $0.input.at = JSONPath("r")
    },
    Sample(
      "damage after wide characters",
      "{\"m\":\"a\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}e\u{301}\u{1F1E9}\u{1F1EA}\",\"r\":[{\"a\":1},"
    ) {
      $0.input.at = JSONPath("r")
    },
    Sample(
      "elements after damage",
      "{\"m\":[1,{\"k\":-0.5e3,\"l\":\"\\u00e9\\n\",\"m\":{}},[],true,nope],\"r\":[{\"a\":1}]}"
    ) {
      $0.input.at = JSONPath("r")
    },
    Sample("elements before damage", "{\"r\":[{\"a\":1}],\"m\":{\"k\":\"\\ud83d\\ude00\\x\"}}") {
      $0.input.at = JSONPath("r")
    },
    Sample("elements that are not there", "{\"m\":{\"x\":2},\"s\":[{\"a\":1}]}") {
      $0.input.at = JSONPath("r")
    },
    Sample("words across a boundary", "NAME   STATE\na      b\nlonger than  c\nd      e\nalso longer  f\n"),
    Sample("a footer over misfits", csv) {
      $0.layout.footers = [
        .templates([
          (
            column: column("a"),
            template: try SourceTemplate("{sum(a)}", option: "--footer")
          )
        ])
      ]
    },
    Sample("some rows skipped", csv) {
      $0.skip = 1
      $0.filters = [try filter("a > 0 or b = \"y\"")]
    },
    Sample("the last rows", csv) {
      $0.tail = 2
      $0.filters = [try filter("a > 0")]
    },
    Sample("the ends", csv) {
      $0.layout.ends = 1
      $0.filters = [try filter("a > 0")]
    },
    Sample("a move", csv) {
      $0.moves = [Move(what: .rows([RowRange(first: 1, last: 1)]), place: .bottom, source: "m")]
      $0.filters = [try filter("a > 0")]
    },
  ]

  static let forms: [(OutputForm, LayoutKind)] = [
    (.text, .list), (.text, .grid), (.text, .detail), (.markdown, .list), (.pandoc, .stack), (.html, .list),
    (.csv, .list),
    (.tsv, .list), (.json, .list), (.jsonl, .list),
  ]

  @Test(arguments: samples)
  func `R66 nothing depends on how the input comes`(_ sample: Sample) throws {
    var random = SplitMix(state: 66)
    for (form, kind) in Self.forms {
      for head in [nil, 0, 1, 2, 3, 4] as [Int?] {
        var plan = Plan()
        plan.head = head.map { .first($0) }
        plan.output.form = form
        plan.output.isFragment = true
        plan.layout.kind = kind
        try sample.change(&plan)
        // Other tables have the room of the tuning.
        if !plan.joins.isEmpty { plan.memory = 0 }
        // Without room all records are read: their keys are known, and joined again they are counted.
        let isJSON = sample.bytes.first == UInt8(ascii: "{")
        let isPlain = !isJSON && head != 0 && plan.joins.count < 2
        let room = plan.head == nil || isPlain ? 0 : Tuning().sideRoom
        let whole = Self.ending(of: plan, sample.bytes, pausingAfter: [], Tuning())
        let portions = (0..<7).map { _ in Int.random(in: 1...20, using: &random) }
        for (portions, tuning) in [
          ([1], Tuning()),
          ([1], Tuning(blockSize: 64, smallInput: 0, threadLimit: 3, pieceSize: 1, sideRoom: room)),
          (portions, Tuning()), (portions, Tuning(blockSize: 64, threadLimit: 1, sideRoom: room)),
        ] {
          let slow = Self.ending(of: plan, sample.bytes, pausingAfter: portions, tuning)
          #expect(slow == whole, "\(form) \(kind), head \(head as Any), portions of \(portions)")
          if slow != whole { return }
        }
      }
    }
  }

  /// A portion may end inside a character then, and give no byte of UTF-8.
  @Test(arguments: samples)
  func `R66 nothing depends on how UTF-16 comes`(_ sample: Sample) throws {
    let text = String(decoding: sample.bytes, as: UTF8.self)
    for isBigEndian in [false, true] {
      let bytes = ("\u{FEFF}" + text).utf16.flatMap { unit in
        isBigEndian ? [UInt8(unit >> 8), UInt8(unit & 255)] : [UInt8(unit & 255), UInt8(unit >> 8)]
      }
      for (form, kind) in [(.text, .grid), (.csv, .list)] as [(OutputForm, LayoutKind)] {
        var plan = Plan()
        plan.output.form = form
        plan.layout.kind = kind
        try sample.change(&plan)
        let whole = Self.ending(of: plan, bytes, pausingAfter: [], Tuning())
        for portions in [[1], [3], [2, 1, 5]] {
          let slow = Self.ending(of: plan, bytes, pausingAfter: portions, Tuning())
          #expect(slow == whole, "\(form) \(kind), portions of \(portions)")
          if slow != whole { return }
        }
      }
    }
  }

  /// Keys in any order, new and repeated ones, empty lines, escapes, and damage.
  @Test(arguments: 0..<48)
  func `R23 JSON lines are the same whoever cuts them`(_ seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    var text = ""
    for number in 0..<Int.random(in: 20...150, using: &random) {
      var members = ["\"a\":\(number)", "\"b\":\"x\\u00e9\(number % 7) y\"", "\"c\":[1, {\"d\": \"\\n\"}]"]
      if seed % 2 == 1 { members.shuffle(using: &random) }
      var line = ""
      switch Int.random(in: 0..<(seed < 24 ? 12 : 60), using: &random) {
      case 0: members.append("\"k\(number)\":null")
      case 1: members.append("\"a\":0")
      case 2: line = " \r\n"
      case 3: members.removeFirst()
      case 4 where seed % 4 == 3: line = ["{\"a\":}\n", "{\"a\":\n1}\n", "7\n", "{\"a\":1}{}\n"][number % 4]
      default: break
      }
      text += line + "{" + members.joined(separator: ", ") + "}" + (number % 9 == 5 ? " \r\n" : "\n")
    }
    if seed % 5 == 0 { text.removeLast() }
    var plan = Plan()
    plan.output.form = [.text, .csv, .jsonl][seed % 3]
    plan.input.form = .jsonl
    plan.input.isFlattened = seed % 4 == 1
    plan.input.ragged = seed % 8 < 4 ? .error : .skip
    if seed % 7 == 2 { plan.head = .first(number(of: text) / 2) }
    expectSame(plan, Array(text.utf8))
  }

  /// Boundaries that are none, in texts and nested lists; new and repeated keys, and damage.
  @Test(arguments: 0..<48)
  func `R23 JSON arrays are the same whoever cuts them`(_ seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    let gap = ["", " ", "\n", "\r\n  ", "\n\t"][seed % 5]
    var records: [String] = []
    for number in 0..<Int.random(in: 20...150, using: &random) {
      var members = ["\"a\":\(number)", "\"b\":\"},\(gap == "" ? "" : " "){\(number % 7)\""]
      members.append("\"c\":[{\"d\":\(number)},\(gap){\"d\":[]}]")
      switch Int.random(in: 0..<(seed < 24 ? 12 : 60), using: &random) {
      case 0: members.append("\"k\(number)\":null")
      case 1: members.append("\"a\":0")
      case 2: members.removeLast()
      case 3: members.shuffle(using: &random)
      case 4 where seed % 4 == 3:
        members.append(["\"x\":", "7", "\"x\":1} {\"x\":1", "\"x\":1},[{"][number % 4])
      default: break
      }
      records.append("{" + members.joined(separator: number % 9 == 5 ? ",\n    " : ",") + "}")
    }
    var text = "[" + gap + records.joined(separator: "," + gap) + "\n]\n"
    if seed % 8 == 6 { text.removeLast(number(of: text) + 3) }
    var plan = Plan()
    plan.output.form = [.text, .csv, .jsonl][seed % 3]
    plan.input.form = .json
    if seed % 7 == 2 { plan.head = .first(records.count / 2) }
    expectSame(plan, Array(text.utf8))
    plan.input.at = JSONPath("rows[0].of")
    let around = "{\"rows\":[{\"x\":[{\"a\":1},\(gap){\"a\":2}],\"of\":\(text)}],\"y\":[{}]}"
    expectSame(plan, Array(around.utf8))
  }

  /// Cells of all kinds, and what is said of them and done with them once all rows are there.
  @Test(arguments: 0..<48)
  func `R23 packed rows are drawn as others are`(_ seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    let ends = seed % 4 == 3 ? ["\r\n", "\n\n", "\n"] : seed % 4 == 2 ? ["\r\n"] : ["\n"]
    var text = ""
    for number in 0..<Int.random(in: 20...150, using: &random) {
      var members = seed % 5 == 2 && number % 6 == 5 ? [] : ["\"a\":\(number % 17)"]
      let value = [
        "\"x\"", "\"\"", "null", "-1.50", "1e3", "true", "\"é漢🙂\"", "\"q\\\"\\u00e9\"",
        "[1, {\"y\":\"z\"}]", "\"<i>|*\\\"*\"",
        "\"\(String(repeating: "w", count: 1_022 + number % 4))\"", "\"\\u001b[31m\"",
        "\"\(String(repeating: "\\n", count: seed % 3))\"", "\"NA\"",
      ]
      members.append("\"b\":" + value[Int.random(in: 0..<(seed % 2 == 0 ? 10 : value.count), using: &random)])
      if number % 5 < 4 { members.append("\"c\":\"\(number)\"") }
      if seed % 12 == 7, number > 60 { members.append("\"d\":\(number)") }
      let gap = seed % 16 == 9 && number % 2 == 0 ? ",\r" : ", "
      text += "{" + members.joined(separator: gap) + "}" + ends[number % ends.count]
    }
    // A line end is one character.
    if seed % 5 == 1 { text.removeLast() }
    var plan = Plan()
    plan.output.form = [.text, .markdown, .html, .pandoc][seed % 4]
    plan.layout.kind = seed % 3 == 0 ? .grid : .list
    plan.layout.hasRowNumbers = seed % 2 == 0
    plan.input.form = .jsonl
    plan.input.nullWords = seed % 4 == 1 ? ["NA"] : []
    plan.lookAhead = .all
    // Rows of known columns are measured before they are packed.
    if seed % 3 == 1 {
      plan.columns = ColumnList((1...3).map { .init(.column(.position($0), title: nil)) })
    }
    if seed % 6 == 1 { plan.memory = 1 << 12 }
    if seed % 7 == 2 { plan.moves = [try ComputedCellTests.move("a = 3", .top)] }
    if seed % 7 == 4 { plan.filters = [try Self.filter("a > 3")] }
    if seed % 7 == 5 { plan.tail = 40 }
    if seed % 9 == 4 {
      plan.layout.sections = SectionOptions(by: try SourceExpression("a", option: "--section-by"))
    }
    let bytes = Array(text.utf8)
    let whole = Self.ending(of: plan, bytes, pausingAfter: [], Tuning(threadLimit: 1))
    #expect(!whole.hasPrefix("input("), "\(whole.prefix(200))")
    for threadCount in [2, 3] {
      for blockSize in [300, 4_000, 1 << 18] {
        let tuning = Tuning(
          blockSize: blockSize, smallInput: 0, unpackedInput: 0, threadLimit: threadCount, pieceSize: 7)
        let packed = Self.ending(of: plan, bytes, pausingAfter: [], tuning)
        #expect(packed == whole, "\(threadCount) threads, blocks of \(blockSize)")
      }
    }
  }

  /// Line ends in quotes and after escapes, records of other lengths, empty lines, comments, and damage.
  @Test(arguments: 0..<96)
  func `R23 csv and tsv are the same whoever cuts them`(_ seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    let (isTSV, end) = (seed % 3 == 2, ["\n", "\r\n", "\r", "\n"][seed / 3 % 4])
    let mark = isTSV ? "\t" : ","
    var text = ["a", "b", "c"].joined(separator: mark) + end
    for number in 0..<Int.random(in: 20...200, using: &random) {
      var cells = ["\(number)", ["", "x", "NA", "\"\"", "é🙂", "-"][number % 6], "\(number % 7) y"]
      switch Int.random(in: 0..<(seed < 48 ? 12 : 80), using: &random) {
      case 0: cells[1] = isTSV ? "a\\\nb\\tc\\N" : "\"a\(end)b, \"\"c\"\"\(end)\""
      case 1: cells.removeLast()
      case 2: cells.append("more")
      case 3: cells = [""]
      case 4: cells[0] = "# \(number)"
      case 5: cells[1] = "in \"text\""
      case 6 where seed % 8 == 7: cells[1] = ["\"open", "\"x\"y", "\"", "\u{0}"][number % 4]
      default: break
      }
      text += cells.joined(separator: mark) + (number % 9 == 5 ? "\n" : end)
    }
    if seed % 5 == 0 { text.removeLast() }
    var plan = Plan()
    plan.output.form = [.text, .csv, .jsonl][seed % 3]
    plan.input.form = isTSV ? .tsv : .csv
    plan.input.ragged = [.fill, .skip, .error][seed / 2 % 3]
    plan.input.nullWords = seed % 4 == 1 ? ["NA", "-"] : []
    plan.input.isTrimmed = seed % 11 == 3
    if seed % 10 == 4 { plan.input.comment = UInt8(ascii: "#") }
    if seed % 7 == 2 { plan.head = .first(number(of: text) / 2) }
    if seed % 13 == 6 { plan.filters = [try Self.filter("a > 20 and line_number() > 3")] }
    expectSame(plan, Array(text.utf8))
  }

  @Test(arguments: 0..<24)
  func `Columns over rows are the same whatever number of threads computes them`(seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    let words = ["7", "-2.50", "1e3", "x", "", "NA", "12345678901234567890", "0.1", "\"1\n5\"", "3"]
    let (isJSON, end) = (seed % 8 > 5, seed % 8 == 5 ? "\r\n" : "\n")
    let rows = (0..<Int.random(in: 40...200, using: &random)).map { number in
      let word = words.randomElement(using: &random) ?? ""
      let group = Int.random(in: 0...3, using: &random)
      if !isJSON { return "\(number),\(word),\(group)" }
      // Some records lack a key, or have others.
      let members = [
        "\"a\":\(number)", "\"b\":\"\(word.filter { $0 != "\"" && $0 != "\n" })\"", "\"c\":\(group)",
      ]
      let other = group == 1 ? ["\"z\":[\(number)]"] : []
      return "{"
        + (members.filter { _ in Int.random(in: 0...9, using: &random) > 0 } + other).joined(separator: ",")
        + "}"
    }
    var plan = Plan()
    plan.computations = [
      .derive(try Assignment.all(in: "e = b ++ '/' ++ c, l = line_number()", option: "--derive"))
    ]
    plan.output.form = [.csv, .jsonl, .text][seed % 3]
    plan.sortKeys = [[.column("c")], [.column("a", .text)]][seed / 3 % 2]
    plan.computed = try Assignment.all(
      in: "r = running(b), d = b - prior(b), p = prior(b, 3) where c > 0, n = next(b), m = next(c, 2), "
        + "w = line_number(), f = prior(e), q = r / 3, o = join([prior(q), next(b, 2)], '/')"
        + (seed % 4 < 2 ? "" : ", s = share(b), k = rank(b)"),
      option: "--compute")
    if seed % 5 == 1 { plan.memory = 1 << 10 }
    if seed % 6 > 3 {
      plan.layout.sections = SectionOptions(by: try SourceExpression("c", option: "--section-by"))
    }
    let bytes = Array(((isJSON ? "" : "a,b,c" + end) + rows.joined(separator: end) + end).utf8)
    let whole = Self.ending(of: plan, bytes, pausingAfter: [], Tuning(threadLimit: 1))
    #expect(!whole.hasPrefix("expression("), "\(whole)")
    for threadCount in [1, 2, 3, 8, 32] {
      let tuning = Tuning(blockSize: 300, smallInput: 0, threadLimit: threadCount, pieceSize: 1)
      #expect(Self.ending(of: plan, bytes, pausingAfter: [], tuning) == whole, "\(threadCount) threads")
    }
  }

  /// Groups of numbers alone, beside others, and with cells that do not convert.
  @Test(arguments: 0..<48)
  func `R23 groups are the same whatever number of threads adds them up`(seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    let words = ["7", "-2.50", "1e3", seed % 3 == 0 ? "x" : "8", "", "NA", "12345678901234567890", "0.1"]
    let isJSON = seed % 8 > 5
    let rows = (0..<Int.random(in: 40...200, using: &random)).map { number in
      let word = words.randomElement(using: &random) ?? ""
      let key = Int.random(in: 0...(seed % 2 == 0 ? 3 : 60), using: &random)
      return isJSON
        ? "{\"a\":\"\(word)\",\"b\":\(key),\"c\":\(number)}" : "\(word),\(key),\(number)"
    }
    var plan = Plan()
    let numbers = "n = count(), s = sum(a), m = mean(c + 1), t = sum(a * 2 - c), w = n + s"
    let others = [numbers, numbers + ", d = median(c)", numbers + ", l = last(a)", "n = count()"]
    plan.grouping = Grouping(
      by: seed % 5 == 4 ? nil : Self.columns("b"),
      aggregates: try Assignment.aggregates(in: others[seed / 2 % 4], option: "--aggregate"))
    if seed % 7 == 3 { plan.having = try Self.filter("n > 2") }
    if seed % 6 > 3 { plan.memory = 1 << 10 }
    plan.misfits = [.null, .skip, .stop][seed / 4 % 3]
    plan.input.nullWords = seed % 4 == 1 ? ["NA"] : []
    plan.output.form = [.csv, .jsonl, .text][seed % 3]
    let bytes = Array(((isJSON ? "" : "a,b,c\n") + rows.joined(separator: "\n") + "\n").utf8)
    let whole = Self.ending(of: plan, bytes, pausingAfter: [], Tuning(threadLimit: 1))
    for threadCount in [1, 2, 3, 8, 32] {
      // With little room for groups, most rows wait until others are grouped, and so does what they would end the run with.
      for groupRoom in plan.misfits == .stop ? [1 << 25] : [1, 4_000, 1 << 25] {
        let tuning = Tuning(blockSize: 64, smallInput: 0, threadLimit: threadCount, groupRoom: groupRoom)
        let added = Self.ending(of: plan, bytes, pausingAfter: [], tuning)
        #expect(added == whole, "\(threadCount) threads, \(groupRoom) bytes of groups")
      }
    }
  }

  /// Expects the same of JSON that any number of threads cut.
  private func expectSame(_ plan: Plan, _ bytes: [UInt8]) {
    let whole = Self.ending(of: plan, bytes, pausingAfter: [], Tuning(threadLimit: 1))
    for (threadCount, blockSize) in [(1, 300), (2, 64), (2, 1 << 18), (3, 300), (8, 64), (32, 64), (32, 300)]
    {
      let tuning = Tuning(
        blockSize: blockSize, smallInput: 0, unpackedInput: blockSize == 300 ? 0 : 1 << 23,
        threadLimit: threadCount)
      let cut = Self.ending(of: plan, bytes, pausingAfter: [], tuning)
      #expect(cut == whole, "\(threadCount) threads, blocks of \(blockSize)")
    }
  }

  private func number(of text: String) -> Int { text.utf8.count { $0 == 10 } }

  /// What a run writes, says and fails with.
  static func ending(
    of plan: Plan, _ bytes: [UInt8], pausingAfter portions: [Int], _ tuning: Tuning
  ) -> String {
    var plan = plan
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    plan.output.path = FilePath(file.path)
    do {
      let pipeline = try Pipeline(plan, tuning) { source in
        source == side
          ? ByteSource(bytes: Array(sideText.utf8)) : ByteSource(bytes: bytes, pausingAfter: portions)
      }
      let outcome = try pipeline.run()
      // A file of data is not written where rows are not valid.
      if outcome.unwritten != nil { return "\(outcome.notices)" }
      let text = try String(decoding: Data(contentsOf: file), as: UTF8.self)
      return text + "\(outcome.rowCount) \(outcome.disorder as Any) \(outcome.notices)"
    } catch { return "\(error)" }
  }
}
