import Testing

@testable import TablerEngine

/// Groups against a simple model, in all ways of reading and holding rows.
@Suite struct GroupTests {
  /// A row: two keys and a value; nil is an empty cell.
  private struct Row {
    var first: String?
    var second: String?
    var value: Int?
  }

  private static let words: [String?] = [
    nil, "", "a", "b", "ab", "abcdefgh", "abcdefghi", "日本", "ü", "x\"y", "two\nlines", "1", "1.0", "01", "-",
  ]

  private static func rows(_ random: inout SplitMix) -> [Row] {
    let (count, keyCount) = (Int.random(in: 0...160, using: &random), Int.random(in: 1...60, using: &random))
    return (0..<count).map { _ in
      let word = words[Int.random(in: 0..<words.count, using: &random)]
      let number = Int.random(in: 0..<keyCount, using: &random)
      return Row(
        first: word?.isEmpty ?? true ? nil : word, second: number == 0 ? nil : "k\(number)",
        value: number % 5 == 0 ? nil : Int.random(in: -99...99, using: &random))
    }
  }

  /// What comes out of rows, as csv.
  private static func grouped(_ rows: [Row], keyCount: Int) -> [String] {
    struct Key: Hashable {
      var first: String?
      var second: String?
    }
    var order: [Key] = []
    var groups: [Key: [Row]] = [:]
    for row in rows {
      let key = Key(first: keyCount > 0 ? row.first : nil, second: keyCount > 1 ? row.second : nil)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(row)
    }
    if keyCount == 0, order.isEmpty { order = [Key()] }
    return order.map { key in
      let rows = groups[key] ?? []
      let values = rows.compactMap(\.value)
      var cells = [key.first, key.second].prefix(keyCount).map { $0.map(quoted) ?? "" }
      cells.append("\(rows.count)")
      cells.append(values.isEmpty ? "" : "\(values.reduce(0, +))")
      cells.append(values.min().map { "\($0)" } ?? "")
      cells.append(rows.compactMap(\.second).last ?? "")
      cells.append("\(Set(values).count)")
      cells.append(median(values))
      return cells.joined(separator: ",")
    }
  }

  private static func median(_ values: [Int]) -> String {
    let sorted = values.sorted()
    guard let low = sorted.dropLast(sorted.count / 2).last else { return "" }
    let sum = low + sorted[sorted.count / 2]
    return sum % 2 == 0 ? "\(sum / 2)" : (sum < 0 ? "-" : "") + "\(abs(sum) / 2).5"
  }

  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { ",\"\n".contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  private static func csv(_ rows: [Row]) -> String {
    "a,b,v\n"
      + rows.map { row in
        let cells = [row.first.map(quoted) ?? "", row.second ?? "", row.value.map { "\($0)" } ?? ""]
        return cells.joined(separator: ",") + "\n"
      }.joined()
  }

  private static func json(_ rows: [Row]) -> String {
    rows.enumerated().map { index, row in
      func text(_ text: String?) -> String {
        text.map {
          "\"" + $0.replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
        } ?? "null"
      }
      // A null and a key that is missing are the same.
      let first = row.first == nil && index % 2 == 0 ? "" : "\"a\":\(text(row.first)),"
      return "{\(first)\"b\":\(text(row.second)),\"v\":\(row.value.map { "\($0)" } ?? "null")}\n"
    }.joined()
  }

  private static let tunings = [
    Tuning(), Tuning(blockSize: 64, smallInput: 0, threadLimit: 2, groupRoom: 1),
    Tuning(blockSize: 300, groupRoom: 3000),
    Tuning(blockSize: 100, smallInput: 0, pieceSize: 3, groupRoom: 1),
  ]

  @Test(arguments: 0..<3) func `R62 groups are those of a model, spilled or not`(_ keyCount: Int) throws {
    var random = SplitMix(state: UInt64(62 + keyCount))
    let aggregates = "n = count(), s = sum(v), low = min(v), l = last(b), d = distinct(v), m = median(v)"
    for _ in 0..<12 {
      let rows = Self.rows(&random)
      let model = Self.grouped(rows, keyCount: keyCount)
      var plan = Plan()
      plan.output.form = .csv
      plan.grouping = Grouping(
        by: keyCount == 0 ? nil : Self.columns(Array(["a", "b"].prefix(keyCount))),
        aggregates: try Assignment.aggregates(in: aggregates, option: "--aggregate"))
      let header = (["a", "b"].prefix(keyCount) + ["n", "s", "low", "l", "d", "m"]).joined(separator: ",")
      for (form, text) in [(InputForm.csv, Self.csv(rows)), (.jsonl, Self.json(rows))] {
        plan.input.form = form
        for tuning in Self.tunings {
          for memory in [1, 2000, 1 << 30] {
            plan.memory = memory
            let lines = ([header] + model).joined(separator: "\n") + "\n"
            #expect(try PipelineTests.run(plan, text, tuning) == lines)
            #expect(try PipelineTests.run(plan, file: text, tuning) == lines, "from a file")
          }
        }
      }
    }
  }

  @Test func `R62 what comes after the groups sees them, spilled or not`() throws {
    var random = SplitMix(state: 7)
    let rows = Self.rows(&random) + Self.rows(&random)
    let model = Self.grouped(rows, keyCount: 2)
    for change: (inout Plan) -> Void in [
      { $0.head = .first(3) }, { $0.skip = 2 }, { $0.tail = 4 }, { $0.head = .allButLast(5) },
      { $0.moves = [Move(what: .rows([RowRange(first: 2, last: 3)]), place: .bottom, source: "m")] },
      { $0.sortKeys = [.column("n", descending: true)] },
    ] {
      var plan = Plan()
      plan.output.form = .csv
      plan.grouping = Grouping(
        by: Self.columns(["a", "b"]),
        aggregates: try Assignment.aggregates(
          in: "n = count(), s = sum(v), low = min(v), l = last(b), d = distinct(v), m = median(v)",
          option: "--aggregate"))
      change(&plan)
      var expected = model
      if case .first(let count)? = plan.head { expected = Array(expected.prefix(count)) }
      if case .allButLast(let count)? = plan.head { expected = Array(expected.dropLast(count)) }
      if let count = plan.tail { expected = Array(expected.suffix(count)) }
      expected = Array(expected.dropFirst(plan.skip))
      if !plan.moves.isEmpty { expected = [expected[0]] + expected[3...] + expected[1...2] }
      var direct = Plan()
      direct.output.form = .csv
      direct.sortKeys = plan.sortKeys
      let lines = (["a,b,n,s,low,l,d,m"] + expected).joined(separator: "\n") + "\n"
      let sorted = try PipelineTests.run(direct, lines)
      for tuning in Self.tunings {
        for memory in [1, 1 << 30] {
          plan.memory = memory
          #expect(try PipelineTests.run(plan, Self.csv(rows), tuning) == sorted)
        }
      }
    }
  }

  private static func columns(_ names: [String]) -> ColumnList {
    ColumnList(names.map { ColumnList.Entry(.column(.name($0, isQuoted: false), title: nil)) })
  }
}
