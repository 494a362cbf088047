import Testing

@testable import TablerEngine

struct ExpressionBindingTests {
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
