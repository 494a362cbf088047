import Testing

@testable import TablerEngine

struct ExpressionBindingTests {
  @Test(
    "What can be refused is refused before any row, at its place",
    arguments: [
      ("▸wieght◂ > 10", .unknownColumn("wieght", suggestion: "weight", differsOnlyInCase: false)),
      ("a = 1 or ▸Weight◂ > 10", .unknownColumn("Weight", suggestion: "weight", differsOnlyInCase: true)),
      ("▸qqq◂ is null", .unknownColumn("qqq", suggestion: nil, differsOnlyInCase: false)),
      ("▸`no such`◂ = 1", .unknownColumn("no such", suggestion: nil, differsOnlyInCase: false)),
      ("$0.▸nowhere◂ = 1", .unknownColumn("nowhere", suggestion: nil, differsOnlyInCase: false)),
      ("$0[▸'nowhere'◂] = 1", .unknownColumn("nowhere", suggestion: nil, differsOnlyInCase: false)),
      ("$0[▸5◂] = 1", .recordMemberNeedsText),
      ("▸net-weight◂ > 5", .subtractionOfColumn("net-weight", missing: "net")),
      ("2 * ▸net-weight◂ - 1 > 5", .subtractionOfColumn("net-weight", missing: "net")),
      ("▸$99◂ = 1", .unknownPosition(99, count: 8)),
      ("name = ▸$whom◂", .unknownArgument("whom", suggestion: "who")),
      ("▸lenth◂(name) > 1", .unknownFunction("lenth", suggestion: "length")),
      ("▸len2◂(name) > 1", .unknownFunction("len2", suggestion: nil)),
      ("name = ▸Kiwi◂", .unquotedText("Kiwi")), ("name in ('a', ▸Kiwi◂)", .unquotedText("Kiwi")),
      ("name in ▸Kiwi◂", .unquotedText("Kiwi")), ("name like ▸Kiwi◂", .unquotedText("Kiwi")),
      ("name =~ ▸Kiwi◂", .unquotedText("Kiwi")), ("contains(name, ▸Kiwi◂)", .unquotedText("Kiwi")),
      ("name between ▸aa◂ and 'b'", .unquotedText("aa")), ("name = ▸light-red◂", .unquotedText("light-red")),
      ("(weight > 5 ? ▸yes◂ : 'no') = 'yes'", .unquotedText("yes")),
      ("(name ?? ▸none◂) = 'x'", .unquotedText("none")),
      ("name = ▸wieght◂", .unknownColumn("wieght", suggestion: "weight", differsOnlyInCase: false)),
      ("name = ▸Kiwi◂ + 1", .unknownColumn("Kiwi", suggestion: nil, differsOnlyInCase: false)),
      ("▸$weight◂ > 1", .argumentIsColumn("weight")),
      (#"▸"Unit Price"◂ =~ /5/"#, .textIsColumn(literal: "\"Unit Price\"", column: "Unit Price")),
      (#"▸"Unit Price"◂ like '5%'"#, .textIsColumn(literal: "\"Unit Price\"", column: "Unit Price")),
      (#"▸"Unit Price"◂ is null"#, .textIsColumn(literal: "\"Unit Price\"", column: "Unit Price")),
      (#"▸"Unit Price"◂ in ('5')"#, .textIsColumn(literal: "\"Unit Price\"", column: "Unit Price")),
      (
        #"▸"Unit Price"◂ between '1' and '5'"#, .textIsColumn(literal: "\"Unit Price\"", column: "Unit Price")
      ),
      ("name in ▸1◂", .inNeedsParentheses(subject: "name", item: "1")),
      (
        "name = 'a' or ▸'b'◂",
        .valueAfterOr(operand: "'b'", is: .text, subject: "name", first: "'a'")
      ),
      ("weight = 1 or ▸2◂", .valueAfterOr(operand: "2", is: .number, subject: "weight", first: "1")),
      ("▸'first'◂ or name", .joinedByOr(operand: "'first'", left: "'first'", right: "name")),
      ("▸lookupp◂(a, b) is null", .unknownFunction("lookupp", suggestion: "lookup")),
      ("▸round(1, 2, 3)◂ = 1", .argumentCount(function: "round", least: 1, most: 2, given: 3)),
      ("▸pi(1)◂ = 1", .argumentCount(function: "pi", least: 0, most: 0, given: 1)),
      ("▸concat()◂ = 'x'", .argumentCount(function: "concat", least: 1, most: nil, given: 0)),
      ("▸log(8)◂ = 1", .logarithmNeedsBase),
      (#"1 + ▸"x"◂ = 2"#, .wrongKind(user: "+", needs: .number, operand: "\"x\"", is: .text)),
      ("▸true◂ * 2 = 2", .wrongKind(user: "*", needs: .number, operand: "true", is: .bool)),
      ("▸'first'◂ || name", .joinedByOr(operand: "'first'", left: "'first'", right: "name")),
      ("name || ▸' '◂ || name", .joinedByOr(operand: "' '", left: "name", right: "' '")),
      ("name or ▸'x'◂", .joinedByOr(operand: "'x'", left: "name", right: "'x'")),
      ("weight > 1 and ▸5◂", .wrongKind(user: "and", needs: .bool, operand: "5", is: .number)),
      ("not ▸lower(name)◂", .wrongKind(user: "not", needs: .bool, operand: "lower(name)", is: .text)),
      ("name like ▸5◂", .wrongKind(user: "like", needs: .text, operand: "5", is: .number)),
      ("contains(name, ▸5◂)", .wrongKind(user: "contains()", needs: .text, operand: "5", is: .number)),
      ("abs(▸'x'◂) > 1", .wrongKind(user: "abs()", needs: .number, operand: "'x'", is: .text)),
      (#"▸"Unit Price"◂ > 10"#, .textIsColumn(literal: "\"Unit Price\"", column: "Unit Price")),
      (#"▸"color"◂ = "red""#, .textIsColumn(literal: "\"color\"", column: "color")),
      (#"2 * ▸'weight'◂ > 1"#, .textIsColumn(literal: "'weight'", column: "weight")),
      ("▸5 = '5'◂", .incomparable(left: "5", leftKind: .number, right: "'5'", rightKind: .text)),
      (
        "▸weight * 2 = 'x'◂",
        .incomparable(left: "weight * 2", leftKind: .number, right: "'x'", rightKind: .text)
      ),
      ("▸true = 1◂", .incomparable(left: "true", leftKind: .bool, right: "1", rightKind: .number)),
      ("▸weight + 1◂", .conditionNeeded(is: .number)), ("▸'x'◂", .conditionNeeded(is: .text)),
      ("▸'flag'◂", .textIsColumn(literal: "'flag'", column: "flag")),
      ("name in ▸'Kiwi'◂", .inNeedsList(subject: "name", text: "'Kiwi'")),
      ("name in ▸$who◂", .inNeedsList(subject: "name", text: "$who")),
      ("name in ▸lower(color)◂", .inNeedsList(subject: "name", text: "lower(color)")),
      ("▸(1, 2)◂ = 1", .listNotAllowed),
      ("abs(▸[1]◂) = 1", .listNotAllowed), ("▸[1]◂ + 1 = 1", .listNotAllowed),
      ("upper(▸[1]◂) = 'x'", .listNotAllowed),
      ("name > ▸date '2025-13-01'◂", .malformedLiteral(.date, "2025-13-01")),
      ("name > ▸date '2025-01-01T10:00'◂", .malformedLiteral(.date, "2025-01-01T10:00")),
      ("name > ▸duration '5'◂", .malformedLiteral(.duration, "5")),
      ("date(name) + ▸1◂ > now()", .wrongKind(user: "+", needs: .duration, operand: "1", is: .number)),
      ("▸1d◂", .conditionNeeded(is: .duration)),
      ("not ▸date(name)◂", .wrongKind(user: "not", needs: .bool, operand: "date(name)", is: .date)),
      ("year(▸5◂) = 1", .wrongKind(user: "year()", needs: .date, operand: "5", is: .number)),
      ("abs(▸1d◂) = 1", .wrongKind(user: "abs()", needs: .number, operand: "1d", is: .duration)),
      (
        "▸date(name) > 5◂", .incomparable(left: "date(name)", leftKind: .date, right: "5", rightKind: .number)
      ),
      (
        "▸date(name) > 'x'◂",
        .incomparable(left: "date(name)", leftKind: .date, right: "'x'", rightKind: .text)
      ),
      ("date_trunc(▸'mnth'◂, name) > now()", .unknownUnit("mnth", suggestion: "month")),
      ("strftime(name, ▸'%Q'◂) = 'x'", .malformedDateFormat("%Q")),
      ("date(name, ▸'%V'◂) > now()", .malformedDateFormat("%V")),
      ("lookup(▸'prices'◂, name) > 1", .unknownTable("prices", suggestion: nil)),
      ("lookup(▸name◂, name) > 1", .lookupNeedsLiteral),
      ("to_zone(name, ▸'Nowhere'◂) > now()", .unknownZone("Nowhere")),
      ("to_zone(name, ▸color◂) > now()", .zoneNeedsLiteral),
      ("weight > ▸10kg◂", .malformedNumber("10kg")), ("weight > ▸1e5d◂", .malformedNumber("1e5d")),
      ("▸split(name, ';')◂ = 'x'", .listNotAllowed), ("▸[1]◂ ++ 'x' = 'x'", .listNotAllowed),
      ("▸[1, 2]◂", .listNotAllowed),
      ("join(name, ▸5◂) = 'x'", .wrongKind(user: "join()", needs: .text, operand: "5", is: .number)),
      ("len(▸5◂) = 1", .wrongKind(user: "len()", needs: .text, operand: "5", is: .number)),
      ("keys(▸'x'◂) is null", .wrongKind(user: "keys()", needs: .container, operand: "'x'", is: .text)),
      ("has(▸5◂, 'x')", .wrongKind(user: "has()", needs: .container, operand: "5", is: .number)),
      ("get(▸'x'◂, 'x') = 1", .wrongKind(user: "get()", needs: .container, operand: "'x'", is: .text)),
      ("has($0, ▸'nope'◂)", .unknownColumn("nope", suggestion: nil, differsOnlyInCase: false)),
      ("get([1], ▸true◂) = 1", .wrongKind(user: "get()", needs: .text, operand: "true", is: .bool)),
      ("name = ▸/x/◂", .patternNotAllowed),
      ("name =~ /x\\/▸(◂b/", .invalidPattern(.unclosedGroup)),
      ("name =~ /a▸(◂b/", .invalidPattern(.unclosedGroup)),
      ("name =~ /(a)▸\\1◂/", .invalidPattern(.backReference)),
      ("name =~ /▸(?=◂a)/", .invalidPattern(.lookAround)),
      ("name =~ 'a▸(◂b'", .invalidPattern(.unclosedGroup)),
      ("name =~ ▸'a''(b'◂", .invalidPattern(.unclosedGroup)),
      ("▸sum(weight)◂ > 1", .aggregateNotAllowed("sum")),
      ("must(weight, ▸name◂) > 1", .typeNeedsLiteral(function: "must")),
      ("must(weight, ▸'itn'◂) > 1", .unknownType("itn", suggestion: "int")),
    ] as [(String, ExpressionError.Kind)])
  func refusals(marked: String, kind: ExpressionError.Kind) throws {
    let schema = Schema(titles: ["name", "weight", "color", "flag", "net-weight", "Unit Price", "a", "b"])
    let source = Marked(marked).source
    do {
      let expression = try SourceExpression(source, option: "--filter")
      var binder = Binder(schema: schema, variables: ["who": "x"])
      _ = try binder.bind(condition: expression)
      Issue.record("bound")
    } catch {
      #expect(error.kind == kind)
      #expect(Marked.mark(source, error.range) == marked)
    }
  }

  @Test("An open schema takes note of names that may still come")
  func openSchema() throws {
    var binder = Binder(schema: Schema(titles: ["a"], isOpen: true))
    let program = try binder.bind(SourceExpression("late.x ?? a", option: "--filter"))
    #expect(binder.schema.index(of: "late") == 1)
    guard case .coalesce(let nodes) = program.node, case .way(let column, _) = nodes[0] else {
      Issue.record("\(program.node)")
      return
    }
    // A record may have a key "late.x" as well.
    #expect(column.index == 1 && column.path == [.member("x")])
    #expect(column.longer == [ResolvedColumn(index: 2)])
    #expect(binder.schema.wanted.map(\.name) == ["late.x", "a"])
  }

  @Test("Long chains and deep trees bind and run in little stack")
  func size() throws {
    func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }
    let table = ExpressionTable(["a"], [["1"]])
    #expect(try table.value(times(15_000, "a + ") + "a") == "15001")
    #expect(try table.value(times(7_000, "a = 2 or ") + "a = 1") == "true")
    #expect(try table.value(times(10_000, "a ?? ") + "a") == "1")
    #expect(try table.value(times(10_000, "a ++ ") + "a").utf8.count == 10_001)
    #expect(try table.value(times(190, "(") + "a" + times(190, ")")) == "1")
    #expect(try table.value(times(190, "-") + "a") == "1")
    #expect(try table.value("a" + times(30_000, ".b")) == "NULL")
    #expect(try table.value(times(60, "abs(if(true, ") + "a" + times(60, ", 2))")) == "1")
    #expect(try table.value("a in (" + times(9_999, "2,") + "1)") == "true")
  }
}
