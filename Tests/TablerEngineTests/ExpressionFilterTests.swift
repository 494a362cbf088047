import Testing

@testable import TablerEngine

struct ExpressionFilterTests {
  private static let conditions = [
    "w > 5", "w <= 2.5", "5 < w", "w = 3", "w != 3.0", "w > -1.25", "w >= 99999999999999999999", "w < 1e2",
    "c = 'a'",
    "c != 'a'", "c < 'b'", "c in ('a', 'c', '')", "w in (1, 2, 3)", "w in (1, 'a')", "c like 'a%'",
    "c not like '%b'",
    "c =~ /a/", "c !~ /a/", "c is null", "c is not null", "c is empty", "w between 1 and 5",
    "w not between 1 and 5",
    "contains(c, 'a')", "not starts_with(c, 'a')", "ends_with(c, 'b')", "c = w", "c > w", "c", "not c",
    "w + 1 > 3",
    "w > 5 and c = 'a'", "w > 5 or c = 'a'", "not (w > 5 and c = 'a')", "not (w > 5 or c = 'a')",
    "(w > 1 or c = 'b') and not (w < 3 or c is null)", "c = 'true' or c", "w is int and w > 1",
    "w * 2 + length(c) > 6", "w + c != w", "w - 0.25 <= c * w", "not (w * w * w < 9)", "-w * 1.50 = 5 + w",
    "round(w) + abs(w) >= length(c)", "w * 9e17 > 1",
  ]

  /// Cells of numbers of all kinds, and some that are none.
  private static let numbers = [
    "1", "2", "3", "3.0", "2.5", "-1.25", "-2", "05", "1e1", "x", "", "99999999999999999999", " 7 ", "+4",
    ".", "9223372036854775807", "999999999999999999", "0.0000000000000001", "-0", "5.", ".5",
  ]

  /// A table of a column of numbers and one of texts.
  private static var randomTable: ExpressionTable {
    var random = RepeatableRandom(seed: 11)
    let texts = ["a", "b", "c", "ab", "A", "", "3", "2.5", "true", "false", "é"]
    let rows = (0..<1_500).map { _ -> [String?] in
      [
        Int.random(in: 0..<20, using: &random) == 0 ? nil : numbers.randomElement(using: &random),
        texts.randomElement(using: &random),
      ]
    }
    return ExpressionTable(["w", "c"], rows)
  }

  @Test(
    "Values of whole batches are those of single rows",
    arguments: [
      "w + c", "w - c", "w * c", "-w", "-(w - c) * 2 + 0.5", "w * w * c", "length(c)", "length(c) * w - 1",
      "abs(w) + round(c)", "w * 0.0000000001", "w * 1000000000000", "w + 0.00000000000000001", "w / 2 + 1",
      "ceil(w) - floor(c)", "1 + 2",
    ])
  func values(source: String) throws {
    let table = Self.randomTable
    var binder = Binder(schema: table.schema)
    let program = try binder.bind(SourceExpression(source, option: "--derive"))
    let rows = (0..<UInt32(table.batch.rowCount)).map { $0 }
    var (state, expectedState) = (program.freshState, program.freshState)
    var found: [String] = []
    program.forEachValue(table.batch, rows: rows.span, state: &state) { (value, evaluator) in
      found.append("\(evaluator.row): \(text(value, evaluator))")
    }
    let expected = rows.map { row in
      let value = program.value(table.batch, row: Int(row), state: &expectedState)
      return "\(row): \(text(value, Evaluator(program.context, batch: table.batch, state: expectedState)))"
    }
    #expect(found == expected)
    #expect(state.tally.entries.map(\.count) == expectedState.tally.entries.map(\.count))
    #expect(state.tally.entries.map(\.first?.row) == expectedState.tally.entries.map(\.first?.row))
  }

  private func text(_ value: Value, _ evaluator: borrowing Evaluator) -> String {
    guard let text = evaluator.text(of: value) else { return "NULL" }
    return String(decoding: Array(copying: text.bytes(in: evaluator.batch)), as: UTF8.self)
  }

  @Test("Whole batches are filtered as single rows are judged", arguments: conditions)
  func agreement(source: String) throws {
    let table = Self.randomTable
    var binder = Binder(schema: table.schema)
    let program = try binder.bind(condition: SourceExpression(source, option: "--filter"))
    var state = program.freshState
    let rows = 0..<table.batch.rowCount
    var kept = rows.map { UInt32($0) }
    program.filter(table.batch, rows: &kept, state: &state)
    var evaluator = Evaluator(program.context, batch: table.batch, state: program.freshState)
    let expected = rows.filter { row in
      evaluator.row = row
      return evaluator.truth(program.node) == true
    }
    #expect(kept.map { Int($0) } == expected)
    #expect(!expected.isEmpty || source.contains("999"))
  }

  @Test("Cells that do not convert are counted with the first line")
  func misfits() throws {
    let table = ExpressionTable(
      ["w", "c"], [["1", "a"], ["x", "b"], ["", "c"], ["y", "d"], [nil, "e"], ["7", "f"]])
    for source in ["w > 5", "w + 1 > 6", "(w ?? 0) > 5", "w between 6 and 9", "w in (7)", "not (w <= 5)"] {
      var binder = Binder(schema: table.schema)
      let program = try binder.bind(condition: SourceExpression(source, option: "--filter"))
      var state = program.freshState
      var rows: [UInt32] = [0, 1, 2, 3, 4, 5]
      program.filter(table.batch, rows: &rows, state: &state)
      #expect(rows == [5])
      let entry = try #require(state.tally.entries.first)
      #expect(entry.column == "w")
      #expect(entry.count == 2, "\(source)")
      #expect(entry.first?.line == 3)
      #expect(entry.first?.text == Array("x".utf8))
    }
  }

  @Test("must() notes the first value that has not its type")
  func must() throws {
    let table = ExpressionTable(["w"], [["1"], ["x"], ["y"]])
    var binder = Binder(schema: table.schema)
    let program = try binder.bind(condition: SourceExpression("must(w, 'int') > 0", option: "--filter"))
    var state = program.freshState
    var rows: [UInt32] = [0, 1, 2]
    program.filter(table.batch, rows: &rows, state: &state)
    #expect(state.failure == .must(source: 0, line: 3, text: Array("x".utf8), type: .int))
  }
}
