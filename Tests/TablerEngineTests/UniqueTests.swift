import Testing

@testable import TablerEngine

/// `unique()` against a simple model, and beside `distinct()`.
@Suite struct UniqueTests {
  private static let words = [
    "1", "1.0", "01", "1e0", "2", "-0", "0", "x", "y", "", "日本", "0.10", ".1", "1e50",
  ]

  /// Texts are the same key only if they are spelled alike, as for groups.
  private static func key(_ word: String) -> String? { word.isEmpty ? nil : word }

  private static let tunings = [
    Tuning(), Tuning(blockSize: 64, smallInput: 0, threadLimit: 2), Tuning(blockSize: 100, threadLimit: 1),
  ]

  @Test(arguments: ["unique(a)", "unique(a, b)", "b = 'k1' or unique(a)", "not unique(b, a)"])
  func `Rows are the first with their key wherever the call stands`(_ condition: String) throws {
    var random = SplitMix(state: 12)
    for _ in 0..<20 {
      let rows = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        (Self.words.randomElement(using: &random) ?? "", "k\(Int.random(in: 0...3, using: &random))")
      }
      var seen: Set<String> = []
      let first = rows.map { row in
        guard let key = Self.key(row.0) else { return true }
        return seen.insert(condition == "unique(a)" || condition.hasPrefix("b") ? key : key + row.1).inserted
      }
      let expected = rows.indices.filter { index in
        switch condition {
        case "b = 'k1' or unique(a)": rows[index].1 == "k1" || first[index]
        case "not unique(b, a)": !first[index]
        default: first[index]
        }
      }
      var plan = Plan()
      plan.output.form = .csv
      plan.filters = [try SourceExpression(condition, option: "--filter")]
      let input = "a,b\n" + rows.map { "\($0.0),\($0.1)\n" }.joined()
      for head in [nil, 1, 3, 7] {
        plan.head = head.map { .first($0) }
        let lines = expected.prefix(head ?? .max).map { "\(rows[$0].0),\(rows[$0].1)\n" }
        for tuning in Self.tunings {
          #expect(try PipelineTests.run(plan, input, tuning) == "a,b\n" + lines.joined(), "\(condition)")
        }
      }
    }
  }

  @Test func `As many rows are the first as there are distinct values`() throws {
    var random = SplitMix(state: 3)
    let values = (0..<400).map { _ in
      let digits = Int64.random(in: -30...30, using: &random)
      return
        "\(digits)\(["", ".0", ".00", ".50", "e1", "00000000000000000000", "e-30"].randomElement(using: &random) ?? "")"
    }
    let input = "a\n" + values.joined(separator: "\n") + "\n"
    var plan = Plan()
    plan.output.form = .csv
    plan.grouping = Grouping(
      by: nil, aggregates: try Assignment.aggregates(in: "d = distinct(a)", option: "--aggregate"))
    let distinct = try PipelineTests.run(plan, input, Tuning())
    plan.grouping = nil
    plan.filters = [try SourceExpression("unique(a)", option: "--filter")]
    let rows = try PipelineTests.run(plan, input, Tuning()).split(separator: "\n").count - 1
    #expect(distinct == "d\n\(rows)\n")
    #expect(rows == Set(values).count)
    plan.filters = [try SourceExpression("a is not null", option: "--filter")]
    plan.grouping = Grouping(
      by: ColumnList([ColumnList.Entry(.column(.position(1), title: nil))]),
      aggregates: try Assignment.aggregates(in: "n = count()", option: "--aggregate"))
    #expect(try PipelineTests.run(plan, input, Tuning()).split(separator: "\n").count - 1 == rows)
  }

  private static let manyKeys = "a\n" + (0..<400_000).map { "key number \($0)\n" }.joined()

  @Test func `R52 keys of unique() beyond the budget end the run`() throws {
    var plan = Plan()
    plan.output.form = .csv
    plan.memory = 1
    plan.filters = [try SourceExpression("unique(a)", option: "--filter")]
    #expect {
      try PipelineTests.run(plan, Self.manyKeys, Tuning())
    } throws: { error in
      if case Failure.tooManyKeys(function: "unique")? = error as? Failure { true } else { false }
    }
  }

  @Test func `R33 keys of distinct() beyond the budget are spilled`() throws {
    var plan = Plan()
    plan.output.form = .csv
    plan.memory = 1
    plan.grouping = Grouping(
      by: nil, aggregates: try Assignment.aggregates(in: "d = distinct(a)", option: "--aggregate"))
    var tuning = Tuning()
    tuning.groupRoom = 1 << 20
    #expect(try PipelineTests.run(plan, Self.manyKeys, tuning) == "d\n400000\n")
  }
}
