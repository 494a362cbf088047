import Testing

@testable import TablerEngine

struct ExpressionTemplateTests {
  private static let table = ExpressionTable(
    ["name", "weight", "price"],
    [
      ["Kiwi", "75", "0.1"], ["Mango", "200", "0.2"], ["Fig", "x", ""], ["Apple", "", "1e1"],
      ["Pear", "180.5", "0.3"],
    ])

  @Test(
    "Footers are filled by all rows",
    arguments: [
      ("{count()} fruits", "5 fruits"), ("{sum(weight):.0f} g", "456 g"), ("{sum(weight)}", "455.5"),
      ("{count(weight)}", "4"),
      ("{min(weight)}..{max(weight)}", "75..200"), ("{min(name)} {max(name)}", "Apple Pear"),
      ("{mean(weight):.2f}", "151.83"),
      ("{first(name)}-{last(name)}", "Kiwi-Pear"), ("{sum(price)}", "10.6"),
      ("{sum(weight) / count():,.1f}", "91.1"),
      ("{count(name =~ 'i') ++ ''}", "5"), ("{{{count()}}}", "{5}"), ("no field", "no field"),
      ("{sum(number(none))}", "none?"),
      ("{sum(if(weight > 100, weight, null))}", "380.5"), ("{if(count() > 3, 'many', 'few')}", "many"),
      ("{(count() > 3 ? 'many' : 'few')}", "many"), ("{max(weight) - min(weight)}", "125"),
      ("{first(name):.2f}", "Kiwi"),
      ("{sum(weight):>8.1f}|", "   455.5|"), ("{count():,}", "5"),
      ("{sum($rate * number(price)):.1f}", "21.2"),
      ("{median(weight)}", "180.5"), ("{median(price)}", "0.25"), ("{percentile(weight, 0)}", "75.0"),
      ("{percentile(weight, 1)} {percentile(weight, 0.25)}", "200.0 127.75"),
      ("{percentile(weight, $rate)}", ""),
      ("{median(price * 0 + 12345678901234567890)}", "12345678901234567890.0"),
      ("{median(if(weight > 100, weight / 1, 9007199254740993))}", "9007199254740993"),
      ("{stddev(weight):.6f} {stddev(price):.6f}", "67.250155 4.900680"),
      ("{stddev(weight + 1000000000000000):.6f}", "67.250155"), ("{stddev(if(weight = 75, 1, null))}", ""),
      ("{stddev(weight / 7):.8f}", "9.60716498"), ("{stddev(weight * 0 + 2)}", "0"),
      ("{distinct(name)} {distinct(weight)} {distinct(price / price)}", "5 4 1"),
      ("{distinct(if(weight > 100, '1.0', 1))}", "2"),
      (
        "{all(weight > 5)} {all(weight > 75)} {any(weight > 200)} {any(weight > 199)}",
        "true false false true"
      ),
      ("{join_agg(weight, ', ')}", "75, 200, x, 180.5"), ("{join_agg(price, '')}", "0.10.21e10.3"),
      ("{string_agg(name, weight)}", "Kiwi200MangoxFig180.5Pear"),
    ])
  func footers(source: String, expected: String) throws {
    var binder = Binder(schema: Self.table.schema, variables: ["rate": "2"])
    if expected == "none?" {
      #expect(throws: ExpressionError.self) {
        try binder.bind(footer: SourceTemplate(source, option: "--footer"))
      }
      return
    }
    let template = try binder.bind(footer: SourceTemplate(source, option: "--footer"))
    var whole = template
    let rows: [UInt32] = [0, 1, 2, 3, 4]
    whole.accumulate(Self.table.batch, rows: rows.span)
    #expect(text(whole) == expected)
    for cut in 0...5 {
      var first = template
      var second = template
      first.accumulate(Self.table.batch, rows: Array(rows[..<cut]).span)
      for row in rows[cut...] { second.accumulate(Self.table.batch, row: Int(row)) }
      first.merge(second)
      #expect(text(first) == expected)
    }
  }

  @Test(
    "Without rows counts are 0 and all else is empty",
    arguments: [
      ("{count()}", "0"), ("{count(weight)}", "0"),
      ("[{sum(weight)}{min(name)}{mean(weight)}{first(name)}]", "[]"),
      ("[{median(weight)}{percentile(weight, 0.5)}{stddev(weight)}{join_agg(name, '-')}]", "[]"),
      ("{distinct(name)} {all(weight > 1)} {any(weight > 1)}", "0 true false"),
    ])
  func noRows(source: String, expected: String) throws {
    var binder = Binder(schema: Self.table.schema)
    #expect(text(try binder.bind(footer: SourceTemplate(source, option: "--footer"))) == expected)
  }

  @Test(
    "A given name means the value that comes with the rows, but not in aggregates and backquotes",
    arguments: [
      ("{name}: {count()}", "Fruit: 5"), ("{lower(name)}", "fruit"), ("{first(name)}", "Kiwi"),
      ("{name ?? '-'} {max(name)}", "Fruit Pear"),
    ])
  func givenNames(source: String, expected: String) throws {
    var binder = Binder(schema: Self.table.schema)
    var template = try binder.bind(footer: SourceTemplate(source, option: "--footer"), given: "name")
    template.given = .text("Fruit")
    let rows: [UInt32] = [0, 1, 2, 3, 4]
    template.accumulate(Self.table.batch, rows: rows.span)
    #expect(text(template) == expected)
    for quoted in ["{`name`}", "{weight}"] {
      #expect(throws: ExpressionError.self) {
        try binder.bind(footer: SourceTemplate(quoted, option: "--footer"), given: "name")
      }
    }
  }

  private func text(_ template: FooterTemplate) -> String {
    var buffer = ByteBuffer()
    template.render(into: &buffer)
    return buffer.string()
  }

  @Test(
    "Rows fill templates, and a cell that is no number stands as it is",
    arguments: [
      ("{:.1f} g", 0, "75.0 g"), ("{:.1f} g", 2, "-"), ("<{}>", 2, "<x>"),
      ("{name}: {weight * 2}", 0, "Kiwi: 150"),
      ("Row {n}", 0, "Row 7"), ("{name} {price:.2f}", 4, "Pear 0.30"), ("{name} {price:.2f}", 2, "Fig "),
      ("{date '2025-06-01':%d %b} {price:%Y}", 0, "01 Jun 0.1"), ("{:%Y}", 0, "-"), ("{now():%H:%M}", 0, ""),
      ("{concat('2025', '-06-01'):%d.%m.%Y}", 0, "01.06.2025"),
      ("{90m:%H} {90m:t} {name:%Y}", 0, "1h30m 1h 30m Kiwi"),
      ("{$0.name ++ '!'}", 1, "Mango!"), ("}}{{", 0, "}{"), ("{name:>6}", 0, "Kiwi"),
    ])
  func rows(source: String, row: Int, expected: String) throws {
    var binder = Binder(schema: Self.table.schema)
    let template = try binder.bind(row: SourceTemplate(source, option: "--format"), hasCell: true)
    var state = template.freshState
    state.shownRow = 7
    var buffer = ByteBuffer()
    let batch = Self.table.batch
    let cell = batch.cell(row: row, column: 1)
    let isFilled = template.render(
      batch, row: row, cell: batch.content(cell), kind: cell.kind, into: &buffer, state: &state)
    #expect((isFilled ? buffer.string() : "-") == expected)
  }

  @Test(
    "A mistake in a template is found at its place",
    arguments: [
      ("{sum▸(◂weight}", .unclosed("(")), ("▸{◂count()", .unclosedBrace), ("▸{◂count():.2", .unclosedBrace),
      ("a ▸}◂ b", .unopenedBrace),
      ("{count():▸.f◂}", .malformedFormat(".f")),
      ("{sum(▸wight◂)}", .unknownColumn("wight", suggestion: "weight", differsOnlyInCase: false)),
      ("{▸weight◂}", .columnOutsideAggregate("weight")),
      ("{sum(▸max(weight)◂)}", .aggregateNotAllowed("max")), ("▸{}◂", .noCell),
      ("▸{:.2f}◂", .noCell), ("{▸sum()◂}", .argumentCount(function: "sum", least: 1, most: 1, given: 0)),
      ("{count() ▸?◂ 1 : 2}", .conditionalInField), ("{(a ? 1▸)◂}", .expected(":", after: "1", found: ")")),
      ("{sum(▸'x'◂)}", .wrongKind(user: "sum()", needs: .number, operand: "'x'", is: .text)),
      ("{a ▸?◂ 'x' : 'y'}", .conditionalInField), ("{:▸20000◂}", .formatTooLarge("20000", limit: 1000)),
      ("{count() ▸x◂}", .expectedOperator(found: "x", column: nil)),
      ("{percentile(weight, ▸90◂)}", .partNeeded(function: "percentile")),
      ("{percentile(weight, ▸-0.1◂)}", .partNeeded(function: "percentile")),
      ("{▸percentile(weight)◂}", .argumentCount(function: "percentile", least: 2, most: 2, given: 1)),
      ("{all(▸5◂)}", .wrongKind(user: "all()", needs: .bool, operand: "5", is: .number)),
      ("{join_agg(name, ▸5◂)}", .wrongKind(user: "join_agg()", needs: .text, operand: "5", is: .number)),
    ] as [(String, ExpressionError.Kind)])
  func mistakes(marked: String, kind: ExpressionError.Kind) {
    let source = Marked(marked).source
    var binder = Binder(schema: Self.table.schema)
    do {
      _ = try binder.bind(footer: SourceTemplate(source, option: "--footer"))
      Issue.record("bound")
    } catch {
      #expect(error.kind == kind)
      #expect(Marked.mark(source, error.range) == marked)
    }
  }

  @Test("Templates in a list end at a comma outside braces")
  func lists() throws {
    let text = "name={concat('a,b}', 'c')} x,weight={sum(weight):,.1f} g"
    var end = 0
    let first = try SourceTemplate(listedIn: text, option: "--footer", at: 5, end: &end)
    #expect(text.bytes(end..<text.utf8.count) == ",weight={sum(weight):,.1f} g")
    #expect(first.template.pieces.count == 2)
    let second = try SourceTemplate(listedIn: text, option: "--footer", at: end + 8, end: &end)
    #expect(end == text.utf8.count)
    #expect(second.template.pieces.count == 2)
  }

  @Test("Sums are exact for exact numbers and compensated for doubles")
  func sums() {
    var exact = ExactSum()
    for _ in 0..<10 { exact.add(NumberReader.loose(Array("0.1".utf8).span) ?? .int(0)) }
    #expect(exact.total == .int(1))
    var mixed = ExactSum()
    for value in [1e16, 1, 1, -1e16] { mixed.add(.double(value)) }
    #expect(mixed.total == .double(2))
    var large = ExactSum()
    for _ in 0..<3 { large.add(.int(.max)) }
    guard case .decimal(let decimal) = large.total else {
      Issue.record("not exact")
      return
    }
    #expect(decimal.significand == Int128(Int64.max) * 3)
  }

  @Test(
    "format() and its kin write numbers as formats do",
    arguments: [
      ("format('{} of {:8.2f}|', 'a', 2)", "a of     2.00|"), ("format('{{}} {}', null)", "{} "),
      ("format('{} {}', 1)", "1 "),
      ("percent(0.25)", "25%"), ("bytes_text(1536)", "1.5 KiB"), ("thousands(1234567)", "1,234,567"),
      ("percent(none)", "NULL"),
      ("format(name, 1)", "Kiwi"),
    ])
  func formats(source: String, expected: String) throws {
    #expect(try ExpressionTable.fruit.value(source) == expected)
  }
}
