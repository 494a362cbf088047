import Testing

@testable import TablerEngine

/// Columns whose types are declared: `--types`.
@Suite struct TypeTests {
  @Test(arguments: [
    (ValueType.number, ["5", " 5 ", "007", ".5", "1e3"], ["", "x", "1,5", "true", "5 kg"]),
    (.int, ["5", "-3", "007", "5.0"], ["5.5", "x", "1e-3"]),
    (.decimal, ["2.50", "7"], ["x"]), (.double, ["2.50", "7"], ["x"]),
    (.bool, ["true", "false"], ["1", "yes", "True"]),
    (.date, ["2025-06-01", "2025-06-01T10:00"], ["2025-02-30", "01.06.2025", "5"]),
    (.datetime, ["2025-06-01", "2025-06-01T10:00Z"], ["10:00"]),
    (.duration, ["1d2h", "P1D"], ["1", "x"]), (.size, ["1.5G", "45%", "7"], ["1.5X"]),
    (.list, ["[]", "[1, 2]"], ["{}", "1", "[1"]), (.object, ["{}", " {\"a\":1}"], ["[]", "a"]),
    (.text, ["", "x", "007"], []),
  ])
  func `A cell that is not of the declared type is null`(
    _ type: ValueType, _ fit: [String], _ misfit: [String]
  ) {
    for (texts, isNull) in [(fit, false), (misfit.filter { !$0.isEmpty }, true)] {
      for text in texts {
        let table = ExpressionTable(["a"], [[text]])
        var schema = table.schema
        try? schema.declare([TypeDeclaration(.glob("*"), type)])
        var checker = TypeChecker(schema, EvaluationContext())
        var rows = BatchRows(table.batch, count: 1)
        checker.apply(to: &rows)
        #expect(rows.batch.cell(row: 0, column: 0).isMisfit == isNull, "\(type): \(text)")
        #expect((checker.tallies.first?.entries.first?.count ?? 0) == (isNull ? 1 : 0))
      }
    }
  }

  @Test func `The first declaration of a column counts, also for columns that come later`() throws {
    var schema = Schema(titles: [], isOpen: true)
    _ = schema.see(key: "a")
    try schema.declare([
      TypeDeclaration(.column(.name("b", isQuoted: false)), .int), TypeDeclaration(.glob("?"), .date),
      TypeDeclaration(.column(.name("a", isQuoted: false)), .bool), TypeDeclaration(.glob("*"), .text),
    ])
    for key in ["b", "c", "cc"] { _ = schema.see(key: key) }
    let types = ["a", "b", "c", "cc"].map { name in schema.index(of: name).flatMap { schema.columns[$0].type }
    }
    #expect(types == [.date, .int, .date, .text])
    #expect(schema.typedColumns.map(\.name).sorted() == ["a", "b", "c"])
  }

  @Test(arguments: [
    "a > 'x'", "a + 'x' > 1", "d > 5", "d = true", "b > 1", "not d",
  ])
  func `A value of the wrong kind is refused before any row`(_ expression: String) throws {
    var schema = Schema(titles: ["a", "b", "d"])
    try schema.declare([
      TypeDeclaration(.column(.position(1)), .number), TypeDeclaration(.column(.position(2)), .bool),
      TypeDeclaration(.column(.position(3)), .date),
    ])
    var binder = Binder(schema: schema)
    let source = try SourceExpression(expression, option: "--filter")
    #expect(throws: ExpressionError.self) { _ = try binder.bind(condition: source) }
  }
}
