import Testing

@testable import TablerEngine

struct ExpressionNoiseTests {
  private static let columns = ["a", "b", "c"]
  private static let literals = [
    "0", "1", "-1", "-9223372036854775808", "9223372036854775807", "1e308", "1e400", "1e-400", "0.5", "null",
    "true", "false",
    "99999999999999999999999999999999999999", "0.00000000000000000000000000000000000001",
    "123456789012345678901234567890123456789.5",
    "''", "'x'", "'é'", "'日本'", "'5'", "'{:.2f}'", "'{}{}'", "'%'", "'_'", "$x", "$y", "$0", "2", "3.10",
    "'text'", "/a/",
  ]

  private static let functions = Function.Group.allCases.filter { $0 != .footers && $0 != .series }.flatMap(
    \.functions)

  /// An expression of random shape, `depth` deep at most.
  private static func expression(_ depth: Int, _ random: inout RepeatableRandom) -> String {
    func part() -> String { expression(depth - 1, &random) }
    guard depth > 0, Int.random(in: 0..<6, using: &random) > 0 else {
      let atoms = columns + columns + literals
      return atoms.randomElement(using: &random) ?? "a"
    }
    let operators = [
      "+", "-", "*", "/", "//", "%", "^", "++", "=", "!=", "<", ">=", "and", "or", "??", "like", "ilike",
      "=~", "in", "is distinct from",
    ]
    switch Int.random(in: 0..<14, using: &random) {
    case 0..<5: return "(\(part()) \(operators.randomElement(using: &random) ?? "+") \(part()))"
    case 5: return "-\(part())"
    case 6: return "not \(part())"
    case 7: return "\(part()) between \(part()) and \(part())"
    case 8: return "(\(part()) in (\(part()), \(part())))"
    case 9: return "case when \(part()) then \(part()) else \(part()) end"
    case 10:
      return
        "(\(part()) is \(["null", "empty", "int", "size", "not text"].randomElement(using: &random) ?? "null"))"
    case 11: return "(\(part()))[\(part())].m[\(part()):\(part())]"
    default:
      let function = functions[Int.random(in: functions.indices, using: &random)]
      let count = Int.random(in: function.least...(function.most ?? function.least + 2), using: &random)
      if function.name == "must" { return "must(\(part()), 'int')" }
      return "\(function.name)(\((0..<count).map { _ in part() }.joined(separator: ", ")))"
    }
  }

  @Test("No expression over any cells traps, and whole batches agree with single rows")
  func expressions() throws {
    let tables = [table(json: false), table(json: true)]
    var random = RepeatableRandom(seed: 23)
    var bound = 0
    for round in 0..<6_000 {
      let source = Self.expression(1 + round % 4, &random)
      for table in tables {
        var binder = Binder(schema: table.schema, variables: ["x": "5", "y": ""])
        guard let expression = try? SourceExpression(source, option: "--filter") else { continue }
        guard let program = try? binder.bind(expression) else { continue }
        bound += 1
        var evaluator = Evaluator(program.context, batch: table.batch, state: program.freshState)
        var expected: [UInt32] = []
        for row in 0..<table.batch.rowCount {
          evaluator.row = row
          let value = evaluator.value(program.node)
          _ = evaluator.text(of: value)
          if evaluator.truth(program.node) == true { expected.append(UInt32(row)) }
        }
        var rows = (0..<UInt32(table.batch.rowCount)).map { $0 }
        var state = program.freshState
        program.filter(table.batch, rows: &rows, state: &state)
        #expect(rows == expected, "\(source)")
      }
    }
    #expect(bound > 2_000)
  }

  @Test("Random bytes as templates and patterns of like never trap")
  func templates() {
    var random = RepeatableRandom(seed: 29)
    let pieces = ["{", "}", "{{", "}}", ":", "a", "count()", ".2f", ">8", "'", "%", "é", " ", ","]
    for _ in 0..<3_000 {
      let text = (0..<8).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      _ = try? SourceTemplate(text, option: "--footer")
      var end = 0
      _ = try? SourceTemplate(listedIn: text, option: "--footer", at: 0, end: &end)
      let letters: [UInt8] = [0x25, 0x5F, 0x61, 0xC3, 0xA9, 0xFF, 0xFE]
      let bytes: [UInt8] = (0..<12).map { _ in letters.randomElement(using: &random) ?? 0 }
      let like = LikePattern(Array(bytes[..<5]).span, ignoresCase: Bool.random(using: &random))
      _ = like.matches(bytes.span)
    }
  }

  /// A table of cells that no reader would wish for.
  private func table(json: Bool) -> ExpressionTable {
    let cells: [String?] = [
      nil, "", " ", "0", "-0", "007", "1e400", "-9223372036854775808", "9223372036854775808", "1.5", "x",
      "true", "é", "\u{0}",
      "[1,[2,\"a\"],null]", #"{"m":{"m":[1,2]},"a":"\ud800"}"#, "[", "{\"m\"",
      "12345678901234567890123456789012345678901234567890",
      "🇳🇴", "%", "1,5", "NaN", "日本",
    ]
    return ExpressionTable(
      Self.columns,
      cells.indices.map {
        [cells[$0], cells[($0 * 7 + 3) % cells.count], cells[($0 * 5 + 1) % cells.count]]
      },
      json: json)
  }
}
