import Testing

@testable import TablerEngine

/// How clients of engines are started, what they are asked, and how their answers are read.
@Suite struct EngineQueryTests {
  @Test(arguments: [
    ("duckdb", ["duckdb"], "-no-init -bail -csv -header -nullvalue NULL"),
    ("duckdb", ["/opt/duckdb", "lake.db"], "-no-init -bail -csv -header -nullvalue NULL -readonly lake.db"),
    (
      "duckdb", ["duckdb", "-cmd", "set x = 1", "a.db"],
      "-no-init -bail -csv -header -nullvalue NULL -readonly -cmd set x = 1 a.db"
    ),
    ("duckdb", ["duckdb", "md:lake"], "-no-init -bail -csv -header -nullvalue NULL md:lake"),
    ("duckdb", ["duckdb", ":memory:"], "-no-init -bail -csv -header -nullvalue NULL :memory:"),
    ("sqlite", ["sqlite3", "a.db"], "-batch -bail -init /dev/null -readonly -csv -header a.db"),
    ("postgres", ["psql", "-d", "shop"], "--csv -X -q -v ON_ERROR_STOP=1 -d shop"),
    ("clickhouse", ["clickhouse-client", "-h", "db"], "--format CSVWithNames -h db"),
    ("clickhouse", ["clickhouse", "client", "-h", "db"], "client --format CSVWithNames -h db"),
    (
      "spark", ["spark-sql", "--master", "local"],
      "-S --conf spark.sql.cli.print.header=true --conf spark.sql.variable.substitute=false -f /dev/stdin --master local"
    ),
  ])
  func clientIsStarted(_ dialect: String, _ words: [String], _ arguments: String) throws {
    let client = try #require(EngineClient(words))
    #expect(client.dialect.rawValue == dialect)
    let run = client.run(asking: "SELECT 1", names: ["a"])
    #expect(run.words.first == words.first)
    #expect(
      run.words.dropFirst().map { $0 == "\u{1}null\u{1}" ? "NULL" : $0 }.joined(separator: " ") == arguments)
  }

  @Test func clientIsNotKnown() {
    #expect(EngineClient(["lakectl"]) == nil)
    #expect(EngineClient([]) == nil)
    #expect(
      EngineClient(["lakectl", "x"], dialect: .trino)?.run(asking: "q", names: []).words == ["lakectl", "x"])
  }

  @Test(arguments: [
    ("psql", "COPY (\nSELECT 1\n) TO STDOUT (FORMAT csv, HEADER);\n"),
    ("duckdb", "SELECT 1;\n"),
    ("spark-sql", "SELECT to_json(struct(*), map('ignoreNullFields', 'false')) AS j\nFROM (\nSELECT 1\n);\n"),
  ])
  func clientIsAsked(_ program: String, _ text: String) throws {
    #expect(try #require(EngineClient([program])).run(asking: "SELECT 1", names: ["a"]).input == text)
  }

  @Test(arguments: [
    ("orders", ["orders"]), ("public.orders", ["public", "orders"]),
    ("main.\"my.table\"", ["main", "my.table"]),
    ("\"a\"\"b\".c", ["a\"b", "c"]), ("a\"b", ["a\"b"]), ("a..b", nil), ("", nil), ("\"a", nil), (".", nil),
    ("a.\"\"", nil),
  ])
  func tablesHaveParts(_ name: String, _ parts: [String]?) {
    #expect(SQLDialect.postgres.tableParts(name) == parts)
  }

  @Test func noRowsOfSQLiteHaveNoHeader() throws {
    let run = try #require(EngineClient(["sqlite3"])).run(asking: "q", names: ["a", "b \"c\"", "d,e"])
    #expect(run.emptyOutput == Array("a,\"b \"\"c\"\"\",\"d,e\"\n".utf8))
  }

  @Test(arguments: [
    (SQLDialect.duckdb, "BIGINT", SQLType.int), (.duckdb, "UBIGINT", .decimal(scale: 0)),
    (.duckdb, "DECIMAL(12,2)", .decimal(scale: 2)), (.duckdb, "ENUM('a', 'b')", .text),
    (.duckdb, "TIMESTAMP WITH TIME ZONE", .text), (.duckdb, "TIMESTAMP_NS", .datetime),
    (.duckdb, "INTEGER[]", .text), (.sqlite, "BIGINT UNSIGNED", .int), (.sqlite, "varchar(20)", .text),
    (.sqlite, "FLOATING POINT", .int), (.sqlite, "DECIMAL(10,5)", .double), (.sqlite, "", .text),
    (.sqlite, "date", .date), (.sqlite, "BOOLEAN", .bool), (.sqlite, "TIMESTAMP", .datetime),
    (.sqlite, "TIME", .text), (.sqlite, "UUID", .text), (.sqlite, "NUMBER", .double),
    (.postgres, "numeric(12,2)", .decimal(scale: 2)), (.postgres, "numeric", .decimal(scale: 6)),
    (.postgres, "timestamp(3) without time zone", .datetime), (.postgres, "timestamp with time zone", .text),
    (.postgres, "character varying(20)", .text), (.postgres, "character(3)", .text),
    (.postgres, "uuid", .text),
    (.clickhouse, "LowCardinality(Nullable(String))", .text), (.clickhouse, "Nullable(Int64)", .int),
    (.clickhouse, "UInt64", .decimal(scale: 0)), (.clickhouse, "Decimal(12, 2)", .decimal(scale: 2)),
    (.clickhouse, "DateTime64(3)", .datetime), (.clickhouse, "DateTime64(3, 'UTC')", .text),
    (.clickhouse, "Array(String)", .text), (.spark, "decimal(12,2)", .decimal(scale: 2)),
    (.spark, "timestamp_ntz", .datetime), (.spark, "array<int>", .text), (.spark, "string", .text),
  ])
  func typesAreRead(_ dialect: SQLDialect, _ name: String, _ type: SQLType) {
    #expect(dialect.reading(ofType: name).type == type)
  }

  @Test(arguments: [
    ("psql -d 'my shop' \"x y\"", ["psql", "-d", "my shop", "x y"], false),
    ("a\\ b  c", ["a b", "c"], false),
    ("a 'b", ["a", "b"], true), ("", [], false), ("''", [""], false),
  ])
  func commandsAreSplit(_ command: String, _ words: [String], _ isOpen: Bool) {
    let found = Pager.words(of: command)
    #expect(found.0 == words)
    #expect(found.isOpen == isOpen)
  }

  @Test(arguments: [
    ("cat", "a,b\n1,2\n", nil, "a,b\n1,2\n", nil), ("cat; exit 3", "a\n", nil, "a\n", 3),
    ("cat; kill -TERM $$", "a\n", nil, "a\n", -15), ("true", "a\n", nil, "", 0),
    ("true", "a\n", "x\n", "x\n", nil),
    ("cat /dev/stdin", "a\n", nil, "a\n", nil), ("false", "a\n", "x\n", "", 1),
  ])
  func outputIsWholeOnlyAfterAGoodEnd(
    _ script: String, _ input: String, _ emptyOutput: String?, _ output: String, _ code: Int32?
  ) throws {
    let run = ProgramRun(
      ["sh", "-c", script], reading: input, emptyOutput: emptyOutput.map { Array($0.utf8) })
    let source = try Source.program(run).open()
    var found: [UInt8] = []
    var failure: SystemError?
    do {
      while true {
        var block = ByteBlock.Builder(capacity: 100)
        if try source.read(into: &block) == 0 { break }
        found += Array(copying: block.span)
      }
    } catch { failure = error }
    #expect(String(decoding: found, as: UTF8.self) == output)
    #expect(failure == code.map { SystemError(.answer, path: "sh", code: $0) })
  }

  /// Asks a script in sh for columns, and then for rows.
  private func answers(_ script: String) throws -> (columns: String, rows: String) {
    let first = ProgramRun(["sh", "-c", script], reading: "columns\n")
    let waiting = WaitingProgram(first, from: "start", to: "end")
    let columns = try waiting.firstAnswer()
    var run = ProgramRun(["sh", "-c", "exit 77"], reading: "rows\n")
    run.waiting = waiting
    let source = try Source.program(run).open()
    var rows: [UInt8] = []
    while true {
      var block = ByteBlock.Builder(capacity: 100)
      if try source.read(into: &block) == 0 { break }
      rows += Array(copying: block.span)
    }
    return (String(decoding: columns, as: UTF8.self), String(decoding: rows, as: UTF8.self))
  }

  @Test(arguments: [
    ("echo start; cat /dev/fd/7; echo end; cat", "start\ncolumns\n"),
    ("echo name; echo 'start  int'; echo a; echo 'end  int'; cat", "start  int\na\n"),
    // What is written before may look like the answer.
    ("echo end; echo start; echo x; echo start; echo ' end'; echo end; cat", "start\n end\n"),
  ])
  func programWaitsForItsInput(_ script: String, _ columns: String) throws {
    let found = try answers(script)
    #expect(found.columns == columns)
    #expect(found.rows == "rows\n")
  }

  @Test(arguments: [
    ("exit 1", 1), ("true", 0), ("echo start; echo a; exit 3", 3), ("echo start; echo a", 0), ("echo end", 0),
    ("echo start; printf end", 0), ("kill -KILL $$", -9), ("echo start; echo end", 0),
    ("echo start; echo end; exit 4", 4), ("echo start; echo end; cat; exit 5", 5),
    ("echo start; echo end; read x; kill -TERM $$", -15), ("echo start; echo end; cat >/dev/null", 0),
  ])
  func programDoesNotWaitOrAnswer(_ script: String, _ code: Int32) {
    #expect(throws: SystemError(.answer, path: "sh", code: code)) { _ = try answers(script) }
  }

  @Test func onlySparkItselfWaits() throws {
    #expect(try !#require(EngineClient(["spark-sql"], dialect: .ansi)).canWait)
    #expect(try !#require(EngineClient(["/no/such/spark-sql"])).canWait)
    #expect(try !#require(EngineClient(["duckdb"])).canWait)
    let client = try #require(EngineClient(["spark-sql", "-i", "mine.sql"]))
    let run = client.run(describingFirst: "DESCRIBE QUERY SELECT * FROM t")
    #expect(run.words.suffix(4) == ["-i", "mine.sql", "-i", "/dev/fd/7"])
    #expect(run.input == "DESCRIBE QUERY SELECT * FROM t;\n")
  }

  @Test func missingProgramIsNamed() {
    #expect(throws: SystemError(.start, path: "no-such-client", code: 2)) {
      _ = try Source.program(ProgramRun(["no-such-client"], reading: "")).open()
    }
  }
}
