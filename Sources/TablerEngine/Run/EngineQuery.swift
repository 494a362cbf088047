/// The rows that an engine is asked for: `--via` with `--table`, `--tables` or a file.
public struct EngineRequest: Sendable {
  /// What is asked.
  public enum Subject: Sendable {
    /// A table by its name, perhaps with that of its schema.
    case table(String)
    /// A file that the engine reads, or a pattern for several.
    case file(FilePath)
    /// The list of all tables.
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

  /// Builds the query of a plan; the client is started once, and its answer awaited.
  ///
  /// - Throws: what neither the engine nor this program after it can do; a client that fails.
  public init(_ plan: Plan, for request: EngineRequest) throws(Failure) {
    client = request.client
    Progress.awaits(client.name)
    // A terminal that hangs up sends a signal.
    if plan.output.path == nil, Descriptor.isPipe(1) {
      Descriptor.watchesOutput.store(true, ordering: .relaxed)
    }
    var plan = plan
    plan.engine = nil
    if case .tables = request.subject {
      text = client.dialect.tablesQuery
      (asked, left, fetchesAll, isOrdered) = (["--tables"], [], false, true)
      plan.input = client.descriptionOptions(["table"])
      plan.sources = [.program(client.run(describing: text))]
      plan.types = [TypeDeclaration(.glob("rows"), .int), TypeDeclaration(.glob("*"), .text)]
      (self.plan, oldPlan) = (plan, plan)
      return
    }
    let subject = try AskedSubject(request, delimiter: plan.input.delimiter)
    var connection = EngineConnection(client)
    let columns = try subject.columns(plan, &connection)
    var schema = Schema(titles: columns.map(\.name))
    let readings = try Self.readings(
      of: columns, &schema, plan.types, client.dialect, areCells: subject.isCSV)
    for (index, reading) in zip(schema.shown, readings) {
      schema.declare(reading.reading.type.valueType, at: index)
    }
    var rest = plan
    var query = try Query(
      client.dialect, from: subject.source, schema, &rest, isFile: false,
      tellsEmpty: !subject.isCSV, readings: readings)
    try query.refuseNames()
    // Groups come in any order, and so may rows.
    if !query.isOrdered, rest.comparison?.moves == .auto { rest.comparison?.moves = .never }
    rest.sortsEmptyAsNull = client.tellsEmpty && !subject.isCSV
    let seesLengths = client.tellsEmpty || subject.isCSV
    rest.sortedBy = plan.comparison == nil ? try query.verifiableKeys(of: plan, seesLengths: seesLengths) : []
    try query.keepNeededColumns(of: plan, &rest)
    try query.refuseNames()
    text = query.text + subject.settings
    if text.utf8.count > Query.mostBytes { throw .query(.tooLong(Query.mostBytes)) }
    asked = query.asked
    left = query.left
    isOrdered = query.isOrdered
    fetchesAll = Set(asked).isDisjoint(with: Self.reducing)
    rest.types = query.shownColumns.compactMap { column in
      guard let type = column.type, let valueType = type.valueType else { return nil }
      var declaration = TypeDeclaration(.column(.name(column.name, isQuoted: true)), valueType)
      declaration.isSure = request.client.dialect.alwaysWrites(type)
      return declaration
    }
    rest.input = client.answerOptions
    // An empty cell of a file is shown as one.
    if subject.isCSV { rest.input.answer?.null = .empty }
    let names = query.shownColumns.map(\.name)
    rest.answerNames = names
    rest.sources = [connection.rows(of: text, names: names)]
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

  /// The options that reduce the number of rows.
  private static let reducing: Set<String> = [
    "--filter", "--delete", "--group-by", "--aggregate", "--having", "--head", "--skip",
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
    // The columns of a pivoted table are known once all rows are.
    guard let names = plan.answerNames, plan.pivot == nil else { return }
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

  /// The clause with settings that follows the query, or nothing.
  var settings = ""

  /// Whether it is a file whose cells have no types; an empty one is null.
  var isCSV = false

  /// Whether its delimiter was given.
  let hasDelimiter: Bool

  /// - Parameter delimiter: that of a csv, if it is no comma.
  init(_ request: EngineRequest, delimiter: UInt8?) throws(Failure) {
    client = request.client
    hasDelimiter = delimiter != nil
    switch request.subject {
    case .table(let name):
      guard client.dialect.tableParts(name) != nil else { throw .query(.noTable) }
      if name.unicodeScalars.contains("\0") { throw .query(.oddText) }
      table = name
      source = client.dialect.tableName(name)
    case .file(let path):
      guard client.readsFiles, !EngineClient.databaseSuffixes.contains(path.suffix) else {
        throw .query(.readsNoFiles(client.name, path))
      }
      table = nil
      guard path.text.utf8.elementsEqual(path.bytes), let reader = client.reader(of: path, delimiter) else {
        throw .query(.oddText)
      }
      // Only of a csv is it asked.
      if delimiter != nil, client.dialect != .duckdb || !reader.isCSV { throw .query(.option("--delimiter")) }
      source = reader.source
      settings = reader.settings
      isCSV = reader.isCSV
    case .tables: throw .query(.noTable)
    }
  }

  /// What more likely separates the fields of a header that was read as one.
  private static func otherDelimiter(in header: String) -> Character? {
    header.first { ";|\t".contains($0) }
  }

  /// Asks the engine for the columns and their types.
  func columns(
    _ plan: Plan, _ connection: inout EngineConnection
  ) throws(Failure) -> [(name: String, type: String)] {
    let asked = try connection.columns(of: source, table: table, settings: settings)
    let opened = connection
    let options = client.descriptionOptions(["name", "type"])
    var columns: [(name: String, type: String)] = []
    var isList = true
    let opening = SideFile.Opening(options, memory: plan.memory, recordLimit: plan.recordLimit) {
      (source) throws(SystemError) in try opened.open(source)
    }
    var room = opening.room(ofBudget: 8)
    do {
      _ = try SideFile(asked, opening, room: &room) { batch, schema in
        isList = schema.shown.count >= 2
        for row in 0..<batch.rowCount where isList {
          let texts = schema.shown.prefix(2).map { index in
            String(decoding: batch.content(batch.cell(row: row, column: index)))
          }
          // A line without a type continues the comment of a column.
          if !texts[1].isEmpty || client.dialect != .spark { columns.append((texts[0], texts[1])) }
        }
        return 0
      }
    } catch { throw .input(error) }
    if !isList || room < 0 {
      throw .input(.system(SystemError(.answer, path: FilePath(client.name), code: 0)))
    }
    // Only SQLite says nothing of a table that does not exist.
    if isCSV, !hasDelimiter, columns.count == 1, let mark = Self.otherDelimiter(in: columns[0].name) {
      throw .query(.oneColumn(columns[0].name, delimiter: mark))
    }
    if columns.isEmpty {
      throw .query(client.dialect == .sqlite ? .noSuchTable(table ?? source) : .noColumns)
    }
    return columns
  }
}

extension EngineClient {
  /// What DuckDB would guess of a csv, and so lose lines and cells that look like something else.
  private static let noGuesses =
    "comment = '', skip = 0, header = true, all_varchar = true, null_padding = false, strict_mode = true, ignore_errors = false"

  /// A file in words of the dialect, the settings that it needs, and whether its cells have no types.
  ///
  /// - Returns: `nil` for a name that no query can have.
  fileprivate func reader(
    of path: FilePath, _ delimiter: UInt8?
  ) -> (source: String, settings: String, isCSV: Bool)? {
    // DuckDB takes the name of a file for a pattern, even if there is a file of that name.
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
      let isCSV = suffix == "csv" || suffix == "txt" || isTSV
      let setting = "input_format_\(isTSV ? "tsv" : "csv")_use_best_effort_in_schema_inference"
      return ("file(\(file)\(format))", isCSV ? "\nSETTINGS \(setting) = 0" : "", isCSV)
    }
    let mark = dialect.text(String(UnicodeScalar(delimiter ?? UInt8(ascii: isTSV ? "\t" : ",")))) ?? "','"
    return switch suffix {
    case "csv", "txt":
      ("read_csv(\(file), delim = \(mark), quote = '\"', escape = '\"', \(Self.noGuesses))", "", true)
    case "tsv", "tab":
      ("read_csv(\(file), delim = \(mark), quote = '', escape = '', \(Self.noGuesses))", "", true)
    case "json", "jsonl", "ndjson": ("read_json(\(file))", "", false)
    case "xlsx": ("read_xlsx(\(file))", "", false)
    case "parquet": ("read_parquet(\(file))", "", false)
    default: (file, "", false)
    }
  }
}

extension Plan {
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
      && selections.isEmpty && gridItems.isEmpty && spans.isEmpty && merged == nil
  }
}

extension Query {
  /// The keys of the order in which the answer must come, so far as it can be seen in it.
  ///
  /// - Parameter seesLengths: whether a text without characters is no null in the answer.
  fileprivate mutating func verifiableKeys(of plan: Plan, seesLengths: Bool) throws(Failure) -> [SortKey] {
    var keys: [SortKey] = []
    for key in asked.contains("--sort") ? plan.sortKeys : [] {
      // Values of expressions may differ in their last digits, and so tie here or there.
      guard case .column(let reference) = key.target, seesLengths || key.comparison != .length else { break }
      var named = key
      let index: Int
      do throws(ColumnError) { index = try binder.schema.resolve(reference).index } catch {
        throw .column(option: "--sort", error)
      }
      named.target = .column(binder.schema.reference(to: index))
      keys.append(named)
      // SQLite writes fewer digits of a double than it compares.
      if dialect == .sqlite, binder.schema.columns[index].type == .double { break }
    }
    return keys
  }

  /// Leaves out the columns that are not needed here, if that is known.
  ///
  /// - Parameter rest: what is done here: columns are named in it, because their positions become others.
  fileprivate mutating func keepNeededColumns(of plan: Plan, _ rest: inout Plan) throws(Failure) {
    let isCut = !plan.hidden.entries.isEmpty
    guard left.isEmpty, rest.namesNoColumns, let list = plan.columns ?? (isCut ? ColumnList([]) : nil) else {
      return
    }
    var kept: [SelectedColumn] = []
    var indices: [Int] = []
    do throws(ColumnError) {
      let hidden = try binder.schema.resolveAll(plan.hidden)
      kept = try binder.schema.select(list).filter { !hidden.contains($0.column.identity) }
      indices = kept.map(\.column.index)
      for case .column(let reference) in rest.sortedBy.map(\.target) {
        indices.append(try binder.schema.resolve(reference).index)
      }
    } catch { throw Failure.column(option: "--columns", error).listing(binder.schema) }
    if kept.isEmpty || kept.contains(where: { !$0.column.path.isEmpty }) { return }
    rest.columns = ColumnList(
      kept.map {
        .init(.column(.name($0.name, isQuoted: true), title: $0.hasOwnTitle ? $0.title : nil))
      })
    rest.hidden = ColumnList([])
    var seen: Set<Int> = []
    let names = binder.schema.columns.map(\.name)
    project(indices.filter { seen.insert($0).inserted }.map { ($0, names[$0]) })
    note("--columns")
  }
}

extension Schema {
  /// A column by its name.
  fileprivate func reference(to index: Int) -> ColumnReference { .name(columns[index].name, isQuoted: true) }
}
