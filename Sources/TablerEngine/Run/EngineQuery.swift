/// Which rows an engine is asked for: `--via` with `--table`, `--tables` or a file.
public struct EngineRequest: Sendable {
  /// What is asked.
  public enum Subject: Sendable {
    /// A table by its name, perhaps with that of its schema.
    case table(String)
    /// A file that the engine reads, or a pattern for several.
    case file(FilePath)
    /// The tables that there are.
    case tables
  }

  /// The client that is started.
  public var client: EngineClient

  /// What is asked.
  public var subject: Subject

  /// Asks a client.
  public init(_ client: EngineClient, for subject: Subject) {
    self.client = client
    self.subject = subject
  }
}

/// What an engine is asked in a run, and what is left to do here.
///
/// The engine was asked for the columns and their types, and for nothing else so far.
public struct EngineQuery: Sendable {
  /// The client of the engine.
  public let client: EngineClient

  /// The query as it is asked.
  public let text: String

  /// The options that the engine is asked, in the order of work.
  public let asked: [String]

  /// The options whose work is done here.
  public let left: [String]

  /// Whether the engine is asked for all rows of a table or a file.
  public let fetchesAll: Bool

  /// Whether the rows have an order, ties apart; if not, they may come in any.
  public let isOrdered: Bool

  /// What is done with the answer.
  let plan: Plan

  /// The older table of a comparison takes all steps, and has the types that the engine knows.
  let oldPlan: Plan

  /// Builds the query of a plan.
  ///
  /// - Throws: what neither the engine nor this program after it can do; a client that fails.
  public init(_ plan: Plan, for request: EngineRequest) throws(Failure) {
    client = request.client
    Progress.awaits(client.name)
    var plan = plan
    plan.engine = nil
    if case .tables = request.subject {
      text = client.dialect.tablesQuery
      (asked, left, fetchesAll, isOrdered) = (["--tables"], [], false, true)
      plan.input = client.descriptionOptions
      plan.input.isAnswer = true
      plan.sources = [.program(client.run(describing: text))]
      plan.types = [TypeDeclaration(.glob("rows"), .int), TypeDeclaration(.glob("*"), .text)]
      (self.plan, oldPlan) = (plan, plan)
      return
    }
    let subject = try AskedSubject(request)
    let columns = try subject.columns(plan)
    var schema = Schema(titles: columns.map(\.name))
    let readings = try Self.readings(
      of: columns, &schema, plan.types, client.dialect, areCells: !subject.tellsEmpty)
    for (index, reading) in zip(schema.shown, readings) {
      schema.declare(reading.reading.type.valueType, at: index)
    }
    var query = try Query(
      client.dialect, from: subject.source, schema, plan, isFile: false,
      tellsEmpty: subject.tellsEmpty, readings: readings)
    try query.refuseNames()
    var rest = plan.left(by: query.asked)
    rest.sortsEmptyAsNull = client.tellsEmpty && subject.tellsEmpty
    let seesLengths = client.tellsEmpty || !subject.tellsEmpty
    let ordered = try query.begin(&rest, asked: plan, seesLengths: seesLengths)
    try query.refuseNames()
    text = query.text + subject.settings
    if text.utf8.count > Query.mostBytes { throw .query(.tooLong(Query.mostBytes)) }
    asked = query.asked
    left = query.left
    isOrdered = query.isOrdered
    fetchesAll = Set(asked).isDisjoint(with: Self.reducing)
    rest.sortedBy = ordered
    rest.types = query.shownColumns.compactMap { column in
      column.type?.valueType.map { TypeDeclaration(.column(.name(column.name, isQuoted: true)), $0) }
    }
    rest.input = client.answerOptions
    rest.input.isAnswer = true
    let names = query.shownColumns.map(\.name)
    rest.answerNames = names
    rest.sources = [.program(client.run(asking: text, names: names))]
    self.plan = rest
    var old = plan
    old.types = zip(schema.shown, readings).compactMap { index, reading in
      reading.reading.type.valueType.map {
        TypeDeclaration(.column(.name(schema.columns[index].name, isQuoted: true)), $0)
      }
    }
    oldPlan = old
    try checkRest()
  }

  /// The options that make fewer rows of those of a table.
  private static let reducing: Set<String> = [
    "--filter", "--delete", "--group-by", "--aggregate", "--head", "--skip",
  ]

  /// The columns of the table that is asked, as they are read: as the engine has them, or as `--types` declares them.
  private static func readings(
    of columns: [(name: String, type: String)], _ schema: inout Schema, _ types: [TypeDeclaration],
    _ dialect: SQLDialect, areCells: Bool
  ) throws(Failure) -> [(name: String, reading: SQLReading)] {
    do { try schema.declare(types) } catch {
      throw Failure.column(option: "--types", error).listing(schema)
    }
    var readings: [(name: String, reading: SQLReading)] = []
    for (index, column) in zip(schema.shown, columns) {
      var reading = dialect.reading(ofType: column.type)
      if areCells { reading.type = .undeclared }
      if let type = schema.columns[index].type {
        guard let declared = reading.declared(as: type, dialect) else {
          throw .query(.conversion(column: column.name, from: column.type, to: type))
        }
        reading = declared
      }
      readings.append((column.name, reading))
    }
    return readings
  }

  /// Binds what is done here to the columns of the answer: what is wrong with it is told before anything is fetched.
  private func checkRest() throws(Failure) {
    guard let names = plan.answerNames else { return }
    var trial = plan
    trial.preamble = nil
    trial.postamble = nil
    trial.input = InputOptions()
    trial.input.form = .csv
    trial.input.delimiter = UInt8(ascii: ",")
    let bytes = EngineClient.header(names)
    _ = try Resolution(trial, Tuning()) { (source) throws(SystemError) in
      if case .program = source { ByteSource(bytes: bytes) } else { try source.open() }
    }
  }
}

/// The table or the file that is asked, in words of the dialect.
private struct AskedSubject {
  let client: EngineClient

  /// The table, or a file as the engine reads it.
  let source: String

  /// The name of the table; `nil` for a file.
  let table: String?

  /// What stands after the query.
  var settings = ""

  /// Whether an empty text may differ from null there.
  var tellsEmpty = true

  init(_ request: EngineRequest) throws(Failure) {
    client = request.client
    switch request.subject {
    case .table(let name):
      if name.split(separator: ".", omittingEmptySubsequences: false).contains("") {
        throw .query(.noTable)
      }
      if name.unicodeScalars.contains("\0") { throw .query(.oddText) }
      table = name
      source = client.dialect.tableName(name)
    case .file(let path):
      guard client.readsFiles else { throw .query(.readsNoFiles(client.name)) }
      table = nil
      guard path.text.utf8.elementsEqual(path.bytes), let reader = client.reader(of: path) else {
        throw .query(.oddText)
      }
      source = reader.source
      settings = reader.settings
      tellsEmpty = !reader.isText
    case .tables: throw .query(.noTable)
    }
  }

  /// Asks the engine for the columns and their types.
  func columns(_ plan: Plan) throws(Failure) -> [(name: String, type: String)] {
    let query = try client.dialect.columnsQuery(source, table: table) + settings
    var options = client.descriptionOptions
    options.isAnswer = true
    var columns: [(name: String, type: String)] = []
    var isOver = false
    var room = max(plan.memory / 8, 16 << 20)
    let opening = SideFile.Opening(options, memory: plan.memory, recordLimit: plan.recordLimit) {
      (source) throws(SystemError) in try source.open()
    }
    do {
      _ = try SideFile(.program(client.run(describing: query)), opening, room: &room) { batch, schema in
        guard schema.shown.count >= 2 else { return 0 }
        for row in 0..<batch.rowCount where !isOver {
          var texts = schema.shown.prefix(2).map { index in
            String(decoding: batch.content(batch.cell(row: row, column: index)))
          }
          // Spark fills cells with blanks.
          if client.dialect == .spark { texts = texts.map(\.trimmingBlanks) }
          // Spark goes on with the columns by which a table is partitioned, which it has told already.
          isOver = client.dialect == .spark && (texts[0].isEmpty || texts[0].hasPrefix("#"))
          if !isOver { columns.append((texts[0], texts[1])) }
        }
        return 0
      }
    } catch { throw .input(error) }
    if columns.isEmpty { throw .query(.noSuchTable(table ?? source)) }
    return columns
  }
}

extension EngineClient {
  /// A file in words of the dialect, and whether all its cells are texts; `nil` for a name that no query can have.
  ///
  /// Cells of csv are texts, as they are here, unless `--types` declares them.
  fileprivate func reader(
    of path: FilePath
  ) -> (source: String, settings: String, isText: Bool)? {
    // A file of that name is one file, whatever characters it has; otherwise they are a pattern.
    let isOne = path.isRegularFile
    let name = path.text.map { isOne && "*?[".contains($0) && dialect == .duckdb ? "[\($0)]" : String($0) }
      .joined()
    guard !name.unicodeScalars.contains("\r"), let file = dialect.text(name) else { return nil }
    let packed = ["gz", "zst", "bz2", "xz"]
    var suffix = path.suffix
    if packed.contains(suffix) { suffix = FilePath(path.stem).suffix }
    let isTSV = suffix == "tsv" || suffix == "tab"
    guard dialect == .duckdb else {
      let format =
        switch suffix {
        case "csv", "txt": ", 'CSVWithNames'"
        case "tsv", "tab": ", 'TSVWithNames'"
        case "json", "jsonl", "ndjson": ", 'JSONEachRow'"
        case "parquet": ", 'Parquet'"
        default: ""
        }
      let isText = suffix == "csv" || suffix == "txt" || isTSV
      let setting = "input_format_\(isTSV ? "tsv" : "csv")_use_best_effort_in_schema_inference"
      return ("file(\(file)\(format))", isText ? "\nSETTINGS \(setting) = 0" : "", isText)
    }
    return switch suffix {
    case "csv", "txt": ("read_csv(\(file), header = true, all_varchar = true)", "", true)
    case "tsv", "tab":
      ("read_csv(\(file), delim = '\t', quote = '', header = true, all_varchar = true)", "", true)
    case "json", "jsonl", "ndjson": ("read_json(\(file))", "", false)
    case "xlsx": ("read_xlsx(\(file))", "", false)
    case "parquet": ("read_parquet(\(file))", "", false)
    default: (file, "", false)
    }
  }
}

extension Plan {
  /// The plan without the steps that were asked.
  fileprivate func left(by asked: [String]) -> Plan {
    var plan = self
    plan.computations.removeFirst(asked.count { $0 == "--derive" || $0 == "--set" })
    if asked.contains("--filter") { plan.filters = [] }
    plan.deletions.removeFirst(asked.count { $0 == "--delete" })
    if asked.contains("--group-by") || asked.contains("--aggregate") { plan.grouping = nil }
    if asked.contains("--sort") { plan.sortKeys = [] }
    if asked.contains("--skip") { plan.skip = 0 }
    if asked.contains("--head") { plan.head = nil }
    return plan
  }

  /// Whether nothing but the list of columns names columns of the answer.
  fileprivate var namesNoColumns: Bool {
    layout.namesNoColumns && valueOrders.isEmpty && rules.isEmpty && rowKeys == nil && comparison == nil
  }
}

extension LayoutOptions {
  /// Whether no option of the layout names a column.
  fileprivate var namesNoColumns: Bool {
    footers.isEmpty && sections == nil && cardTitle == nil && alignments.isEmpty && formats.isEmpty
      && rowNames == nil && rowBackgrounds.isEmpty && rowOverlays.isEmpty && cellStyles.isEmpty
      && selections.isEmpty && gridItems.isEmpty
  }
}

extension Query {
  /// Leaves out the columns that are not needed here, and names those that are.
  ///
  /// - Parameters:
  ///   - rest: what is done here: columns are named in it, because their positions are others.
  ///   - plan: the whole plan.
  ///   - seesLengths: whether a text without characters is no null in the answer.
  /// - Returns: the keys of the order in which the answer must come, so far as it can be seen in it.
  fileprivate mutating func begin(
    _ rest: inout Plan, asked plan: Plan, seesLengths: Bool
  ) throws(Failure) -> [SortKey] {
    var keys: [(key: SortKey, column: Int)] = []
    if asked.contains("--sort"), plan.comparison == nil {
      for key in plan.sortKeys {
        // Values of expressions may differ in their last digits, and so tie here or there.
        guard case .column(let reference) = key.target, seesLengths || key.comparison != .length else {
          break
        }
        var named = key
        let index: Int
        do throws(ColumnError) { index = try binder.schema.resolve(reference).index } catch {
          throw .column(option: "--sort", error)
        }
        named.target = .column(.name(binder.schema.columns[index].name, isQuoted: true))
        keys.append((named, index))
        // SQLite writes fewer digits of a double than it compares.
        if dialect == .sqlite,
          shownColumns.contains(where: { $0.name == binder.schema.columns[index].name && $0.type == .double })
        {
          break
        }
      }
    }
    let isCut = !plan.hidden.entries.isEmpty
    if left.isEmpty, rest.namesNoColumns, let list = plan.columns ?? (isCut ? ColumnList([]) : nil) {
      var kept: [SelectedColumn] = []
      do throws(ColumnError) {
        let hidden = try binder.schema.resolveAll(plan.hidden)
        kept = try binder.schema.select(list).filter { !hidden.contains($0.column.identity) }
      } catch { throw Failure.column(option: "--columns", error).listing(binder.schema) }
      if kept.allSatisfy({ $0.column.path.isEmpty }), !kept.isEmpty {
        var indices: [Int] = []
        for index in kept.map(\.column.index) + keys.map(\.column) where !indices.contains(index) {
          indices.append(index)
        }
        rest.columns = ColumnList(
          kept.map {
            .init(.column(.name($0.name, isQuoted: true), title: $0.hasOwnTitle ? $0.title : nil))
          })
        rest.hidden = ColumnList([])
        let names = binder.schema.columns.map(\.name)
        project(indices.map { ($0, names[$0]) })
        note("--columns")
      }
    }
    return keys.map(\.key)
  }
}
