import Testing

@testable import TablerEngine

/// The entries of functions and aggregates.
@Suite struct FunctionTests {
  /// The table `fruit.csv` of the manual.
  private static let fruit = ExpressionTable(
    ["id", "name", "weight", "color"],
    [
      ["🍌", "Banana", "118", "brown"], ["🍓", "Strawberry", "12", "red"], ["🍊", "Orange", "190", "orange"],
      ["🥝", "Kiwi", "75", "green"], ["🍇", "Grape", "7", "purple"], ["🫐", "Blueberry", "2", "blue"],
    ])

  /// A table of `--lookup`.
  private static let prices = ExpressionTable(["name", "price"], [["Kiwi", "0.80"], ["Banana", "3.20"]])

  @Test(arguments: Function.all)
  func `R53 an example gives what stands beside it`(_ function: Function) throws {
    #expect(function.example.call.contains(function.name + "("))
    #expect(try value(function) == function.example.value)
  }

  private func value(_ function: Function) throws -> String {
    let context = EvaluationContext(
      sourceNames: ["fruit.csv"], now: Timestamp(instant: 1_800_000_000, offset: 0),
      lookups: ["prices": LookupTable(Self.prices.schema, [Self.prices.batch])])
    var binder = Binder(schema: Self.fruit.schema, context: context)
    let source = try SourceTemplate("{\(function.example.call)}", option: "--footer")
    var buffer = ByteBuffer()
    if case .aggregate = function.body {
      var template = try binder.bind(footer: source)
      let rows = (0..<UInt32(Self.fruit.batch.rowCount)).map { $0 }
      template.accumulate(Self.fruit.batch, rows: rows.span)
      template.render(into: &buffer)
    } else if case .series = function.body {
      let assignment = try Assignment.all(in: "x = \(function.example.call)", option: "--compute")[0]
      var computer = try SeriesComputer(assignment, nil, budget: 1 << 20, Tuning(), &binder)
      var rows = try computer.pass(Rows(Self.fruit.batch), room: 1 << 20)
      while let more = try computer.release(room: 1 << 20) { rows.append(more) }
      let batch = rows.batches[rows.ids[0].batch]
      buffer.append(batch.drawn(batch.cell(row: rows.ids[0].row, column: batch.columnCount - 1)))
    } else if function.name == "unique" {
      let expression = try SourceExpression(function.example.call, option: "--filter")
      var filter = try Filter([expression], countsLosses: false, &binder)
      var rows = BatchRows(Self.fruit.batch, count: Self.fruit.batch.rowCount)
      filter.apply(to: &rows)
      return rows.numbersOfRows.first == 0 ? "true" : "false"
    } else {
      binder.selection = .chosen(rows: [], conditions: [])
      let template = try binder.bind(row: source, hasCell: false)
      var state = template.freshState
      template.render(Self.fruit.batch, row: 0, into: &buffer, state: &state)
    }
    return buffer.string()
  }

  @Test func `R53 no name stands for two functions, and all are in lower case`() {
    let names = Function.all.flatMap { [$0.name] + $0.otherNames }
    #expect(Set(names).count == names.count)
    for name in names { #expect(name == name.lowercased() && Function.named(name) != nil, "\(name)") }
  }

  @Test func `R12 all functions that are null if their argument does not convert are known to be so`() throws
  {
    for function in Function.all where function.brief.contains("else null") {
      let call = try SourceExpression("\(function.name)(x)", option: "--set")
      #expect(call.expression.converts, "\(function.name)")
    }
  }

  @Test(arguments: Function.all)
  func `R53 parameters are in an order that calls can follow`(_ function: Function) {
    let parameters = function.parameters
    let isSorted = parameters.drop { !$0.isOptional }.allSatisfy { $0.isOptional }
    #expect(isSorted)
    #expect(parameters.dropLast().allSatisfy { !$0.repeats })
    #expect(parameters.count { $0.kind == .pattern } <= 1 && parameters.first?.kind != .pattern)
  }

  @Test(
    "R53 a call is shown with what may be left out",
    arguments: [
      ("substr", "substr(s, start[, count])"), ("count", "count([x])"),
      ("concat_ws", "concat_ws(sep, a, ...)"),
      ("pi", "pi()"), ("must", "must(x, \"type\")"),
    ])
  func signatures(name: String, expected: String) throws {
    #expect(try #require(Function.named(name)).signature == expected)
  }
}

extension Function: CustomTestStringConvertible {
  /// Its name.
  public var testDescription: String { name }
}
