import Foundation
import Testing

/// R47: expressions keep the rows that the same expression keeps in SQLite.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"), "sqlite3 is not installed"))
struct SQLRuleTests {
  /// An expression, and how SQLite spells it where that differs.
  struct Pair: Sendable, CustomTestStringConvertible {
    var ours: String
    var sql: String

    init(_ ours: String, _ sql: String? = nil) {
      self.ours = ours
      self.sql = sql ?? ours
    }

    var testDescription: String { ours }
  }

  /// The text column `d` as a number, or null.
  private static let number = "(case when d glob '[0-9]*' then cast(d as integer) end)"

  static let nulls: [Pair] = [
    Pair("a is null"), Pair("a is not null"), Pair("not (a = 1)"), Pair("not (a = 1 and b = 2)"),
    Pair("not (a = 1 or b = 2)"), Pair("a = 1 or b = 2"), Pair("a > 2 or c is null"),
    Pair("(a = 1) is null"), Pair("(a = 1 and b = 1) is null"), Pair("(a = 1 or b = 1) is null"),
    Pair("(a > 1) is true"), Pair("(a > 1) is not true"), Pair("(a > 1) is false"),
    Pair("(a > 1) is not false"), Pair("a is distinct from b", "a is not b"),
    Pair("a is not distinct from b", "a is b"), Pair("c is distinct from 'x'", "c is not 'x'"),
    Pair("coalesce(a, b, 7) = 7"), Pair("a ?? b = 2", "coalesce(a, b) = 2"),
    Pair("coalesce(c, 'none') = 'none'"), Pair("nullif(a, b) is null"), Pair("nullif(a, 2) > 0"),
    Pair("a = null", "a is null"), Pair("c = \"\"", "c is null or c = ''"), Pair("a + b is null"),
    Pair("if(a > 1, b, 3) = 3", "iif(a > 1, b, 3) = 3"), Pair("(a > 1 ? b : 3) = 3", "iif(a > 1, b, 3) = 3"),
    Pair("is_empty(c)", "c is null or c = ''"), Pair("now() is not null", "current_timestamp is not null"),
    Pair("today() > date '2020-01-01'", "current_date > '2020-01-01'"),
  ]

  static let numbers: [Pair] = [
    Pair("a = b"), Pair("a != b"), Pair("a <> b"), Pair("a == b"), Pair("a < b"), Pair("a >= b"),
    Pair("a + b > 3"), Pair("a - b * 2 < 0"), Pair("(a - b) * 2 < 0"), Pair("-a < b"), Pair("- - a = 1"),
    Pair("a * b = 6"), Pair("a / 2 = 1.5", "a / 2.0 = 1.5"), Pair("a / b > 1", "a * 1.0 / b > 1"),
    Pair("a // b = 1", "a / b = 1"), Pair("a // b < 0", "a / b < 0"), Pair("a // 0 is null", "a / 0 is null"),
    Pair("a % 2 = 1"), Pair("a % b = -1"), Pair("a % 0 is null"), Pair("mod(a, 3) = 2", "a % 3 = 2"),
    Pair("abs(a - b) >= 2"), Pair("sign(b) = -1"), Pair("a + b - a = b"), Pair("e > 1"), Pair("e * 2 = 1"),
    Pair("e + a = 2.5"), Pair("e - 0.25 = 1"), Pair("e = a"), Pair("round(e) = 3"), Pair("round(e * 2) < 0"),
    Pair("ceil(e) = 1", "cast(e + 0.75 as integer) = 1 and e > 0"),
    Pair("floor(e) = -1", "cast(e - 1 as integer) = -1 and e < 0"), Pair("e between 0.5 and 1.25"),
    Pair("a in (1, 2, 5)"), Pair("a not in (1, 2)"), Pair("a in (b, 2)"), Pair("a not in (b, 2)"),
    Pair("a between 2 and 4"), Pair("a not between 2 and 4"), Pair("a between b and 3"),
    Pair("not (a between b and 3)"), Pair("case when a > 2 then c = 'x' else b = 1 end"),
    Pair("case when a = 1 then b when a = 2 then 2 end = 2"), Pair("case when a is null then 1 end = 1"),
    Pair("2 ** 2 = a", "4 = a"), Pair("0x5 = a", "5 = a"), Pair("1_0 = a * 2", "10 = a * 2"),
  ]

  static let texts: [Pair] = [
    Pair("c = 'x'"), Pair("c <> 'x'"), Pair("c < 'b'"), Pair("c >= 'X'"), Pair("c between 'a' and 'xx'"),
    Pair("c in ('x', 'Xy')"), Pair("c not in ('x', 'Xy')"), Pair("c like 'x%'"), Pair("c like '_'"),
    Pair("c like '%y'"), Pair("c not like 'x%'"), Pair("c like 'X%'"), Pair("c like '%'"),
    Pair("c ilike 'x%'", "lower(c) like lower('x%')"), Pair("c not ilike '_Y'", "lower(c) not like '_y'"),
    Pair("c ++ 'z' = 'xz'", "c || 'z' = 'xz'"), Pair("a ++ b = '12'", "a || b = '12'"),
    Pair("c ++ a = 'x1'", "c || a = 'x1'"), Pair("c ++ c = 'xx'", "c || c = 'xx'"),
    Pair("concat(c, a) = '1'", "coalesce(c, '') || coalesce(a, '') = '1'"), Pair("trim(f) = 'x'"),
    Pair("ltrim(f) = 'x '"), Pair("rtrim(f) = ' x'"), Pair("trim(f) = f"),
    Pair("replace(c, 'x', 'yy') = 'yyyy'"),
    Pair("replace(c, '', 'y') = c"), Pair("lower(c) = 'xy'"), Pair("upper(c) = 'XX'"), Pair("length(c) = 2"),
    Pair("length(c) > a"), Pair("substr(c, 2) = 'y'"), Pair("substr(c, 1, 1) = 'x'"),
    Pair("substr(c, -1) = 'y'"),
    Pair("left(c, 1) = 'X'", "substr(c, 1, 1) = 'X'"), Pair("position(c, 'y') = 2", "instr(c, 'y') = 2"),
    Pair("contains(c, 'y')", "instr(c, 'y') > 0"), Pair("starts_with(c, 'X')", "substr(c, 1, 1) = 'X'"),
    Pair("ends_with(c, 'y')", "substr(c, -1) = 'y'"),
  ]

  /// `a` holds numbers, `d` text of which some reads as a number.
  static let conversions: [Pair] = [
    Pair("d = 2", "\(number) = 2"), Pair("d > 5", "\(number) > 5"), Pair("d <> 10", "\(number) <> 10"),
    Pair("not (d > 5)", "not (\(number) > 5)"), Pair("d + 1 = 3", "\(number) + 1 = 3"),
    Pair("d in (2, 10)", "\(number) in (2, 10)"), Pair("d between 3 and 11", "\(number) between 3 and 11"),
    Pair("d = '2'"), Pair("d > '5'"), Pair("d in ('2', 'x')"), Pair("a = '2'", "cast(a as text) = '2'"),
    Pair("a < '3'", "cast(a as text) < '3'"), Pair("a like '-%'", "cast(a as text) like '-%'"),
    Pair("a = d", "case when \(number) is null then cast(a as text) = d else a = \(number) end"),
    Pair("a < d", "case when \(number) is null then cast(a as text) < d else a < \(number) end"),
    Pair("number(d) is null", "\(number) is null"), Pair("number(d) > 5", "\(number) > 5"),
    Pair("int(d) = 10", "\(number) = 10"),
    Pair("text(a) = '1'", "cast(a as text) = '1'"), Pair("text(d) > text(a)", "d > cast(a as text)"),
    Pair("is_number(d)", "\(number) is not null"), Pair("d is number", "\(number) is not null and d <> '02'"),
    Pair("coalesce(number(d), 0) = 0", "coalesce(\(number), 0) = 0"),
    Pair("abs(d) = 9", "abs(\(number)) = 9"),
    Pair("d * d = 4", "\(number) * \(number) = 4"), Pair("-d = -9", "-\(number) = -9"),
  ]

  @Test(arguments: nulls) func `R47 null logic agrees with SQLite`(_ pair: Pair) throws { try agrees(pair) }

  @Test(arguments: numbers) func `R47 numbers agree with SQLite`(_ pair: Pair) throws { try agrees(pair) }

  @Test(arguments: texts) func `R47 texts agree with SQLite`(_ pair: Pair) throws { try agrees(pair) }

  @Test(arguments: conversions) func `R47 conversion by use agrees with SQLite`(_ pair: Pair) throws {
    try agrees(pair)
  }

  @Test(arguments: 0..<40) func `R47 conditions put together at random agree with SQLite`(seed: Int) throws {
    var generator = Generator(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
    try agrees(Self.condition(depth: 4, &generator))
  }

  private static let atoms = nulls + numbers + texts + conversions

  /// A tree of `and`, `or` and `not` over the expressions above.
  private static func condition(depth: Int, _ generator: inout Generator) -> Pair {
    let choice = depth == 0 ? 0 : Int.random(in: 0..<8, using: &generator)
    if choice < 2, let atom = atoms.randomElement(using: &generator) {
      return Pair("(\(atom.ours))", "(\(atom.sql))")
    }
    let left = condition(depth: depth - 1, &generator)
    if choice == 2 { return Pair("not \(left.ours)", "not \(left.sql)") }
    let right = condition(depth: depth - 1, &generator)
    let word = choice < 5 ? "and" : "or"
    return Pair("(\(left.ours) \(word) \(right.ours))", "(\(left.sql) \(word) \(right.sql))")
  }

  /// The same table for all: every cell may be null, `a` and `b` are whole, `e` is exact in binary.
  private static let rows: [[String]] = {
    var generator = Generator(state: 47)
    let choices = [
      ["", "1", "2", "3", "4", "5", "-1", "0"], ["", "1", "2", "3", "-2", "0"],
      ["", "x", "Xy", "b", "xx", "y"],
      ["", "2", "9", "10", "02", "x", "abc"], ["", "0.5", "1.25", "2.5", "-0.75", "3"],
      ["", " x ", "x", " x"],
    ]
    return (1...300).map { id in
      ["\(id)"] + choices.map { $0.randomElement(using: &generator) ?? "" }
    }
  }()

  private static let query: String = {
    let lines = rows.map { row in
      let values = row.enumerated().map { column, value in
        value.isEmpty ? "null" : [3, 4, 6].contains(column) ? "'\(value)'" : value
      }
      return "(" + values.joined(separator: ",") + ")"
    }
    return "pragma case_sensitive_like = on; with t(id, a, b, c, d, e, f) as (values "
      + lines.joined(separator: ",") + ") "
  }()

  private static let table = "id,a,b,c,d,e,f\n" + rows.map { $0.joined(separator: ",") + "\n" }.joined()

  private func agrees(_ pair: Pair) throws {
    let ours = try Run(
      ["-q", "--filter", pair.ours, "--columns", "id", "--tsv", "--no-header"], input: Self.table)
    #expect(ours.status == 0, "\(ours.errors.text)")
    #expect(
      try ours.output.text == answer(Self.query + "select id from t where " + pair.sql + " order by id;"),
      "\(pair.ours)")
  }

  /// Functions of all rows, in a footer.
  static let aggregates: [Pair] = [
    Pair("count()", "count(*)"), Pair("count(c)"), Pair("sum(a)"), Pair("sum(a * b)"), Pair("min(b)"),
    Pair("max(a - b)"), Pair("min(c)"), Pair("max(c)"),
    Pair("round(sum(e) * 4)", "cast(sum(e) * 4 as integer)"), Pair("min(e)"),
    Pair("sum(a) - count(a)"), Pair("distinct(a)", "count(distinct a)"),
    Pair("distinct(c)", "count(distinct c)"),
  ]

  @Test(arguments: aggregates) func `R47 aggregates agree with SQLite`(_ pair: Pair) throws {
    let ours = try Run(["-q", "--columns", "id", "--footer", "id={\(pair.ours)}"], input: Self.table)
    #expect(ours.status == 0, "\(ours.errors.text)")
    let words = ours.output.text.split(whereSeparator: \.isWhitespace).map(String.init)
    let last = words.last.map { $0 + "\n" }
    #expect(try last == answer(Self.query + "select \(pair.sql) from t;"), "\(pair.ours)")
  }

  /// Keys of groups.
  static let keys: [[String]] = [[], ["c"], ["a"], ["c", "d"], ["b", "c", "f"]]

  @Test(arguments: keys) func `R62 groups agree with SQLite, spilled or not`(_ keys: [String]) throws {
    let ours = "n = count(), s = sum(a), u = distinct(c), m = max(b), low = min(c), k = sum(a) - count(b)"
    let sql = "count(*), sum(a), count(distinct c), max(b), min(c), sum(a) - count(b)"
    for filter in ["true", "a > 1", "false"] {
      let by = keys.isEmpty ? [] : ["--group-by", keys.joined(separator: ",")]
      for memory in ["1K", "1G"] {
        let run = try Run(
          by + ["--filter", filter, "--aggregate", ours, "--tsv", "--no-header", "--memory", memory],
          input: Self.table)
        let said = run.errors.text.split(separator: "\n").filter {
          !$0.contains("only in blanks at the ends")
        }
        #expect(run.status == 0 && said.isEmpty, "\(said)")
        let list = keys.map { $0 + ", " }.joined()
        let order = keys.isEmpty ? "" : " group by \(keys.joined(separator: ",")) order by min(id)"
        let theirs = try answer(Self.query + "select \(list)\(sql) from t where \(filter)\(order);")
        #expect(run.output.text.replacing("\t", with: "|") == theirs, "\(keys), \(filter)")
      }
    }
  }

  /// What SQLite prints.
  private func answer(_ query: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [":memory:", query]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let theirs = pipe.fileHandleForReading.readDataToEndOfFile().text
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return theirs
  }
}

/// A generator that gives the same numbers in every run.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value &>> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value &>> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value &>> 31
  }
}
