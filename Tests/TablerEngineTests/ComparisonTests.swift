import Testing

@testable import TablerEngine

/// `--diff`, with rows and keys in memory and in temporary files.
@Suite struct ComparisonTests {
  private static let tunings = [
    Tuning(), Tuning(blockSize: 64, smallInput: 0, threadLimit: 2, groupRoom: 1),
    Tuning(blockSize: 300, groupRoom: 3000),
    Tuning(blockSize: 100, smallInput: 0, pieceSize: 3, groupRoom: 1),
  ]

  /// A table and a later version of it, as csv.
  private static func tables(_ random: inout SplitMix, repeats: Bool) -> (old: String, new: String) {
    let count = Int.random(in: 0..<120, using: &random)
    var rows = (0..<count).map { row in
      ["k\(repeats ? row % 3 : row)", "\(Int.random(in: 0..<5, using: &random))", "x"]
    }
    let old = rows
    var next = 0
    for _ in 0..<Int.random(in: 0..<12, using: &random) where !rows.isEmpty {
      let place = Int.random(in: 0..<rows.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: rows.remove(at: place)
      case 1:
        next += 1
        rows.insert(["n\(next)", "1", "y"], at: place)
      case 2: rows[place][1] = "\(Int.random(in: 0..<9, using: &random))"
      default: rows.insert(rows.remove(at: place), at: Int.random(in: 0..<rows.count, using: &random))
      }
    }
    func csv(_ rows: [[String]]) -> String {
      "id,v,w\n" + rows.map { $0.joined(separator: ",") + "\n" }.joined()
    }
    return (csv(old), csv(rows))
  }

  @Test(arguments: [["id"], []]) func `R62 changes are the same, spilled or not`(_ keys: [String]) throws {
    var random = SplitMix(state: 34)
    for _ in 0..<10 {
      let (old, new) = Self.tables(&random, repeats: keys.isEmpty)
      for form in [OutputForm.csv, .jsonl, .text] {
        var plan = Plan()
        plan.output.form = form
        plan.sources = [.file("new.csv")]
        plan.comparison = ComparisonOptions(with: .file("old.csv"))
        if form == .text { plan.comparison?.context = .rows(1) }
        if !keys.isEmpty {
          plan.rowKeys = ColumnList(
            keys.map { ColumnList.Entry(.column(.name($0, isQuoted: false), title: nil)) })
        }
        var first: String?
        for tuning in Self.tunings {
          for memory in [1, 4000, 1 << 30] {
            plan.memory = memory
            let found = try PipelineTests.run(plan, tuning) { source in
              ByteSource(bytes: Array((source == .file("old.csv") ? old : new).utf8), chunk: 50)
            }
            first = first ?? found
            #expect(found == first, "\(tuning), \(memory) bytes")
          }
        }
      }
    }
  }

  /// A table with the rows of another in the order of their ids; for `nocase` every third row is in capitals.
  private static func sorted(_ table: String, by comparison: SortKey.Comparison) -> String {
    var lines = table.split(separator: "\n").map(String.init)
    let header = lines.removeFirst()
    if comparison == .nocase {
      lines = lines.enumerated().map { $0.offset % 3 == 0 ? $0.element.uppercased() : $0.element }
    }
    lines.sort { left, right in
      let keys = [left, right].map { comparison == .nocase ? $0.lowercased() : $0 }
        .map { Array($0.prefix { $0 != "," }.utf8) }
      return keys[0].lexicographicallyPrecedes(keys[1])
    }
    return ([header] + lines).map { $0 + "\n" }.joined()
  }

  private static func merge(_ comparison: SortKey.Comparison, to form: OutputForm) -> Plan {
    var plan = Plan()
    plan.output.form = form
    plan.sources = [.file("new.csv")]
    plan.comparison = ComparisonOptions(with: .file("old.csv"))
    let id = ColumnReference.name("id", isQuoted: false)
    plan.rowKeys = ColumnList([ColumnList.Entry(.column(id, title: nil))])
    plan.sortedBy = [SortKey(target: .column(id), comparison: comparison)]
    return plan
  }

  /// What a plan gives, or its failure; it must be the same in whatever parts the tables come.
  private static func found(_ plan: Plan, _ old: String, _ new: String) -> String {
    var plan = plan
    var first: String?
    for tuning in tunings {
      for memory in [1, 1 << 30] {
        plan.memory = memory
        var found: String
        do {
          found = try PipelineTests.run(plan, tuning) { source in
            ByteSource(bytes: Array((source == .file("old.csv") ? old : new).utf8), chunk: 50)
          }
        } catch { found = "\(error)" }
        first = first ?? found
        #expect(found == first, "\(tuning), \(memory) bytes")
      }
    }
    return first ?? ""
  }

  @Test(arguments: [SortKey.Comparison.text, .nocase])
  func `sorted tables are merged, in whatever parts they come`(_ comparison: SortKey.Comparison) throws {
    var random = SplitMix(state: 35)
    for round in 0..<12 {
      var (old, new) = Self.tables(&random, repeats: false)
      (old, new) = (Self.sorted(old, by: comparison), Self.sorted(new, by: comparison))
      for form in [OutputForm.csv, .text] {
        var plan = Self.merge(comparison, to: form)
        plan.comparison?.context = [.rows(0), .rows(2), .all][round % 3]
        if round % 2 == 0 { plan.lookAhead = .first(2) }
        #expect(Self.found(plan, old, new).contains("id"))
      }
      // Any order gives the same changes, though perhaps other moves.
      var plan = Self.merge(comparison, to: .jsonl)
      func changes(_ plan: Plan) -> [Substring] {
        Self.found(plan, old, new).split(separator: "\n").filter { !$0.contains("move") }.sorted()
      }
      let merged = changes(plan)
      plan.sortedBy = []
      #expect(changes(plan) == merged)
    }
  }

  @Test func `a merge fails at the first row that is out of order`() {
    var random = SplitMix(state: 36)
    for _ in 0..<12 {
      let (first, second) = Self.tables(&random, repeats: false)
      let (old, new) = (Self.sorted(first, by: .text), Self.sorted(second, by: .text))
      // What comes after the row must not matter.
      func broken(_ table: String) -> String { "\(table)z,1,x\na,1,x\n\(table.dropFirst(7))" }
      let whole = (old: old + "z,1,x\n", new: new + "z,1,x\n")
      let pairs: [(old: String, new: String)] = [
        (broken(old), whole.new), (whole.old, broken(new)), (broken(old), broken(new)),
      ]
      for form in [OutputForm.csv, .jsonl, .text] {
        let plan = Self.merge(.text, to: form)
        for pair in pairs { #expect(Self.found(plan, pair.old, pair.new).contains("outOfOrder")) }
      }
    }
  }

  @Test func `R48 the least rows are moved`() {
    var random = SplitMix(state: 5)
    for count in 0..<7 {
      for _ in 0..<40 {
        let places = (0..<count).map { UInt32($0) }.shuffled(using: &random)
        let moves = Moves(places)
        // All sets of rows that may stay.
        let longest =
          (0..<(1 << count)).filter { set in
            let some = places.indices.filter { set >> $0 & 1 == 1 }.map { places[$0] }
            return some == some.sorted()
          }.map(\.nonzeroBitCount).max() ?? 0
        #expect(moves.count == count - longest)
        let left = places.indices.filter { !moves.contains($0) }.map { places[$0] }
        #expect(left == left.sorted() && left.count == longest)
      }
    }
  }

  /// Tables that are like each other, and such that the search for an order is given up.
  @Test(arguments: [0, 3, 6000]) func `R48 as many equal rows are matched as there are`(_ changes: Int) {
    var random = SplitMix(state: 48)
    let old = (0..<8000).map { _ in UInt32.random(in: 0..<3, using: &random) }
    var new = old
    for _ in 0..<changes {
      let row = new.remove(at: Int.random(in: 0..<8000, using: &random))
      new.insert(row, at: Int.random(in: 0..<8000, using: &random))
    }
    new[7999] = RowMatcher.none
    let matched = WholeRowMatching(old: old, new: new, count: 4).oldRows
    for (row, oldRow) in matched.enumerated() where oldRow != RowMatcher.none {
      #expect(old[Int(oldRow)] == new[row])
    }
    #expect(matched.filter { $0 != RowMatcher.none }.count == 7999)
    #expect(Set(matched).count == 8000)
    if changes <= 3 { #expect(Moves(matched).count <= changes) }
  }
}
