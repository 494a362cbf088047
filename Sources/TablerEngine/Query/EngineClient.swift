/// The client of an engine, as a command starts it: `psql -d shop`.
public struct EngineClient: Equatable, Sendable {
  /// The clients that are known.
  private enum Kind: Equatable {
    case duckdb
    case sqlite3
    case clickhouse
    case psql
    case sparkSQL
    /// Any other: it reads a query, and writes csv with a header.
    case other
  }

  /// What DuckDB writes for null, so that it differs from an empty text: no text is likely to be that.
  private static let nullWord = "\u{1}null\u{1}"

  /// The programs that are known.
  public static let names = [
    "duckdb", "sqlite3", "clickhouse", "clickhouse-client", "clickhouse-local", "psql", "spark-sql",
  ]

  /// The suffixes of files that are databases, and no tables.
  public static let databaseSuffixes: Set<String> = ["db", "db3", "ddb", "duckdb", "sqlite", "sqlite3"]

  /// The words of the command: the program, and its arguments.
  public let words: [String]

  /// The dialect of SQL that the engine understands.
  public let dialect: SQLDialect

  private let kind: Kind

  /// Describes the client that a command starts.
  ///
  /// - Parameters:
  ///   - words: at least one.
  ///   - dialect: what the engine understands; `nil` if the name of the program says it.
  /// - Returns: `nil` if nothing says it.
  public init?(_ words: [String], dialect: SQLDialect? = nil) {
    guard let program = words.first else { return nil }
    let name = FilePath(program).name.text
    let kind: Kind
    switch name {
    case "duckdb": kind = .duckdb
    case "sqlite3": kind = .sqlite3
    case "clickhouse", "clickhouse-client", "clickhouse-local": kind = .clickhouse
    case "psql": kind = .psql
    case "spark-sql": kind = .sparkSQL
    default: kind = .other
    }
    guard let dialect = dialect ?? Self.dialect(of: kind) else { return nil }
    self.words = words
    self.dialect = dialect
    self.kind = kind
  }

  private static func dialect(of kind: Kind) -> SQLDialect? {
    switch kind {
    case .duckdb: .duckdb
    case .sqlite3: .sqlite
    case .clickhouse: .clickhouse
    case .psql: .postgres
    case .sparkSQL: .spark
    case .other: nil
    }
  }

  /// The name of the program without its folder.
  public var name: String { FilePath(words[0]).name.text }

  /// The mode of a program that is all of ClickHouse: `clickhouse local`.
  private var mode: String? {
    guard kind == .clickhouse, name == "clickhouse", let word = words.dropFirst().first else { return nil }
    return word.hasPrefix("-") ? nil : word
  }

  /// Whether it reads files itself.
  public var readsFiles: Bool { kind == .duckdb || name == "clickhouse-local" || mode == "local" }
}

extension EngineClient {
  /// The command with the options that make the client write plain csv, or JSON in Spark.
  private var startWords: [String] {
    let added: [String]
    switch kind {
    case .duckdb:
      added =
        ["-no-init", "-bail", "-csv", "-header", "-nullvalue", Self.nullWord]
        + (opensDuckDBFile ? ["-readonly"] : [])
    case .sqlite3: added = ["-batch", "-bail", "-init", "/dev/null", "-readonly", "-csv", "-header"]
    case .clickhouse: added = ["--format", "CSVWithNames"]
    case .psql: added = ["--csv", "-X", "-q", "-v", "ON_ERROR_STOP=1"]
    case .sparkSQL:
      added = [
        "-S", "--conf", "spark.sql.cli.print.header=true", "--conf", "spark.sql.variable.substitute=false",
        "-f", "/dev/stdin",
      ]
    case .other: added = []
    }
    // The mode of a program comes before its options.
    let count = mode == nil ? 1 : 2
    return words.prefix(count) + added + words.dropFirst(count)
  }

  /// Whether a database of DuckDB is a file, which is only read; one in memory cannot be.
  ///
  /// The options with a value are those that `duckdb -help` lists (1.5).
  private var opensDuckDBFile: Bool {
    let valued = [
      "-c", "-cmd", "-f", "-init", "-newline", "-nullvalue", "-s", "-separator", "-storage-version",
    ]
    var isValue = false
    for word in words.dropFirst() {
      if isValue {
        isValue = false
      } else if word.hasPrefix("-") {
        isValue = valued.contains(word)
      } else {
        return word != ":memory:" && !word.hasPrefix("md:")
      }
    }
    return false
  }

  /// The run of the client that answers a query.
  ///
  /// - Parameters:
  ///   - query: without the mark at its end.
  ///   - names: the columns of the answer; empty if it has rows in any case.
  func run(asking query: String, names: [String]) -> ProgramRun {
    var text = query
    var emptyOutput: [UInt8]?
    switch kind {
    case .psql: text = "COPY (\n\(query)\n) TO STDOUT (FORMAT csv, HEADER)"
    case .sparkSQL:
      text = "SELECT to_json(struct(*), map('ignoreNullFields', 'false')) AS j\nFROM (\n\(query)\n)"
    case .sqlite3 where !names.isEmpty:
      // Without rows it writes no header either.
      emptyOutput = Self.header(names)
    case .duckdb, .clickhouse, .sqlite3, .other: break
    }
    // A database may have another encoding, or write dates in another order.
    let variables = kind == .psql ? ["PGCLIENTENCODING": "UTF8", "PGDATESTYLE": "ISO"] : [:]
    return ProgramRun(startWords, reading: text + ";\n", variables: variables, emptyOutput: emptyOutput)
  }

  /// The header of an answer in csv.
  static func header(_ names: [String]) -> [UInt8] {
    let cells = names.map { name in
      guard name.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") })
      else { return name }
      return "\"" + name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }
    return Array((cells.joined(separator: ",") + "\n").utf8)
  }

  /// The run of the client that says something of its tables: as csv, or with TABs in Spark.
  func run(describing query: String) -> ProgramRun {
    if kind == .psql { return run(asking: query, names: []) }
    return ProgramRun(startWords, reading: query + ";\n", emptyOutput: [])
  }

  /// Whether it can wait for a query in its session, whose start takes seconds: so does Spark's own script.
  ///
  /// Another one of that name may run it on another machine, which has no files of this one.
  var canWait: Bool {
    guard kind == .sparkSQL, dialect == .spark, let program = FilePath(program: words[0]),
      let file = try? Descriptor(reading: program), let size = Descriptor.size(ofFile: program),
      let block = try? file.read(0..<min(size, 1 << 16))
    else { return false }
    let driver = Array("org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver".utf8)
    return block.span.firstRange(of: driver.span, from: 0) != nil
  }

  /// The run of a client that can wait, which says something of its tables before it reads a query.
  func run(describingFirst query: String) -> ProgramRun {
    ProgramRun(
      startWords + (Self.firstFiles(in: words) + [WaitingProgram.questionPath]).flatMap { ["-i", $0] },
      reading: query + ";\n")
  }

  /// The files of statements that Spark reads only if it is given no other to read first.
  private static func firstFiles(in words: [String]) -> [String] {
    if words.contains("-i") { return [] }
    let folders = [("HIVE_HOME", "/bin"), ("HIVE_CONF_DIR", ""), ("HOME", "")]
    return folders.compactMap { variable, folder in
      Process.path(ofVariable: variable).map { $0.text + folder + "/.hiverc" }
    }.filter { FilePath($0).isRegularFile }
  }

  /// How the answer to a query is read.
  var answerOptions: InputOptions {
    var options = InputOptions()
    options.encoding = .utf8
    options.answer = AnswerCells()
    switch kind {
    case .sparkSQL:
      options.form = .jsonl
      options.skippedLines = 1
      return options
    case .other: options.answer?.empty = .empty
    case .duckdb:
      options.nullWords = [Self.nullWord]
      options.quotedEmptyIsText = true
      options.answer?.empty = .text
    case .clickhouse:
      options.nullWords = ["\\N"]
      options.quotedEmptyIsText = true
      options.answer?.quotesProtectNull = true
    case .sqlite3, .psql: options.quotedEmptyIsText = true
    }
    options.form = .csv
    options.delimiter = UInt8(ascii: ",")
    return options
  }

  /// How what it says of its tables is read: a line for each, or for each column of one.
  ///
  /// - Parameter names: the names of the cells in Spark, whose header has others.
  func descriptionOptions(_ names: [String]) -> InputOptions {
    var options = answerOptions
    guard kind == .sparkSQL else { return options }
    options = InputOptions()
    options.encoding = .utf8
    options.form = .tsv
    options.ragged = .fill
    options.names = names
    // It fills cells with blanks.
    options.isTrimmed = true
    return options
  }

  /// Whether the answer tells an empty text from null.
  var tellsEmpty: Bool { kind == .sparkSQL || answerOptions.quotedEmptyIsText }
}
