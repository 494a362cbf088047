/// The query of a run as text.
public struct QueryText: Sendable {
  /// The query, with the mark at its end.
  public let text: String

  /// The types that columns were taken to have by the looks of their first cells, with these columns.
  public let guesses: [(column: String, type: ValueType)]

  /// The table that the file is taken to be, if the engine does not read files.
  public let table: String?

  /// The options that the query does not ask for: they would be done here.
  public let left: [String]

  /// Whether the rows have an order, ties apart; if not, they may come in any.
  public let isOrdered: Bool
}

extension TableReader {
  /// The query that asks an engine for the rows of this run.
  ///
  /// - Parameter table: the name of the table; `nil` for the file that is read.
  func query(_ dialect: SQLDialect, from table: String?) throws(Failure) -> QueryText {
    let (columns, guesses) = try typedColumns()
    var schema = Schema(titles: columns.map(\.title))
    for (index, column) in columns.enumerated() { schema.declare(column.type, at: index) }
    let (source, name) = try source(dialect, table, columns)
    var rest = plan
    var query = try Query(
      dialect, from: source, schema, &rest, isFile: table == nil, tellsEmpty: name != nil || table != nil)
    if plan.input.isFlattened { throw .query(.option("--flatten")) }
    if plan.output.isInPlace { throw .query(.option("--in-place")) }
    try query.refuseNames()
    if query.left.isEmpty { try project(&query) }
    try query.refuseNames()
    let text = query.text + ";"
    if text.utf8.count > Query.mostBytes { throw .query(.tooLong(Query.mostBytes)) }
    return QueryText(
      text: text, guesses: guesses, table: name, left: query.left, isOrdered: query.isOrdered)
  }

  /// Keeps the columns that are shown, under the titles that were given.
  private func project(_ query: inout Query) throws(Failure) {
    let isCut = !plan.hidden.entries.isEmpty
    guard let list = plan.columns ?? (isCut ? ColumnList([]) : nil) else { return }
    var kept: [SelectedColumn] = []
    do throws(ColumnError) {
      let hidden = try query.binder.schema.resolveAll(plan.hidden)
      kept = try query.binder.schema.select(list).filter { !hidden.contains($0.column.identity) }
    } catch { throw .column(option: "--columns", error) }
    if kept.contains(where: { !$0.column.path.isEmpty }) { throw .query(.partOfCell("--columns")) }
    query.project(kept.map { ($0.column.index, $0.hasOwnTitle ? $0.title : $0.name) })
  }

  /// The columns as they are read, with their types: declared ones, or those that their first cells look like.
  private func typedColumns() throws(Failure) -> (
    [(title: String, type: ValueType)], guesses: [(column: String, type: ValueType)]
  ) {
    let (sample, schema) = try sample(TypeGuess.mostRows)
    let read = schema.shown.filter { !schema.columns[$0].isComputed }
    var guesses: [(column: String, type: ValueType)] = []
    let columns = read.map { index -> (title: String, type: ValueType) in
      let column = schema.columns[index]
      if let type = column.type { return (column.name, type) }
      let type = TypeGuess(column: index, of: sample, marks: plan.marks).type
      guesses.append((column.name, type))
      return (column.name, type)
    }
    return (columns, guesses)
  }

  /// What is asked: a table, or the file in words of the dialect.
  ///
  /// - Returns: the source as written, and the name of the table if the file is taken to be one.
  private func source(
    _ dialect: SQLDialect, _ table: String?, _ columns: [(title: String, type: ValueType)]
  ) throws(Failure) -> (String, String?) {
    if let table {
      guard dialect.tableParts(table) != nil else { throw .query(.noTable) }
      return (dialect.tableName(table), nil)
    }
    guard let path = plan.sources.first?.path else { throw .query(.noTable) }
    if dialect == .duckdb, let file = try duckdbFile(path, columns) { return (file, nil) }
    let name = path.stem
    return (dialect.name(name), name)
  }
}

extension TableReader {
  /// The file as DuckDB reads it; `nil` for a form that it does not read.
  private func duckdbFile(
    _ path: FilePath, _ columns: [(title: String, type: ValueType)]
  ) throws(Failure) -> String? {
    let dialect = SQLDialect.duckdb
    let input = plan.input
    let changed: [(Bool, String)] = [
      (plan.marks != .standard, "--decimal"), (plan.dateFormat != nil, "--date-format"),
      (input.quote != .byForm, "--quote"), (input.escape != .byForm, "--escape"),
      (input.hasLazyQuotes, "--lazy-quotes"), (input.comment != nil, "--comment"),
      (input.skippedLines > 0, "--skip-lines"), (input.names != nil, "--names"),
      (input.autoNames != nil, "--auto-names"), (input.headerLines != 1, "--header-lines"),
      (input.mostFields != .max, "--max-fields"),
      (input.footerLines > 0, "--footer-lines"), (input.isTrimmed, "--trim"), (input.at != nil, "--at"),
      (input.ragged != .error, "--ragged"), (input.quotedEmptyIsText, "--quoted-empty"),
      (input.encoding != nil, "--encoding"),
    ]
    if let (_, option) = changed.first(where: \.0) { throw .query(.option(option)) }
    func literal(_ text: String) throws(Failure) -> String {
      guard !text.contains("\r"), !text.contains("\r\n"), let text = dialect.text(text) else {
        throw .query(.oddText)
      }
      return text
    }
    var types: [String] = []
    for column in columns {
      types.append("\(try literal(column.title)): '\(dialect.typeName(SQLType(column.type)))'")
    }
    let list = "columns = {\(types.joined(separator: ", "))}"
    let form = beginning.dialect
    // A pattern of names would be read as all files that have one.
    let file = try literal(path.text.map { "*?[".contains($0) ? "[\($0)]" : String($0) }.joined())
    switch form.form {
    case .json: return "read_json(\(file), \(list))"
    case .csv, .tsv:
      var options: [String] = []
      if form.delimiter != UInt8(ascii: ",") {
        options.append("delim = \(try literal(String(UnicodeScalar(form.delimiter))))")
      }
      if !plan.input.nullWords.isEmpty {
        var words = ["''"]
        for word in plan.input.nullWords { words.append(try literal(word)) }
        options.append("nullstr = [\(words.joined(separator: ", "))]")
      }
      options += ["header = \(beginning.hasTitles)", list]
      return "read_csv(\(file), \(options.joined(separator: ", ")))"
    case .words: return nil
    }
  }
}

/// What the cells of a column look like: their type, if all that are not null agree.
struct TypeGuess {
  /// The type.
  let type: ValueType

  /// The rows that are looked at.
  static let mostRows = 1000

  /// Looks at the first cells of a column.
  init(column: Int, of sample: [(batch: Batch, count: Int)], marks: NumberMarks) {
    var found: ValueType?
    for (batch, count) in sample {
      for row in 0..<count where found != .text {
        let cell = batch.cell(row: row, column: column)
        if cell.isNull { continue }
        let type = Self.type(of: batch.content(cell), marks)
        switch (found, type) {
        case (nil, _): found = type
        case (.int?, .double), (.double?, .int), (.decimal?, .double), (.double?, .decimal): found = .double
        case (.int?, .decimal), (.decimal?, .int): found = .decimal
        case (.date?, .datetime), (.datetime?, .date): found = .datetime
        case (let known?, _): if known != type { found = .text }
        }
      }
    }
    type = found ?? .text
  }

  private static func type(of text: Span<UInt8>, _ marks: NumberMarks) -> ValueType {
    let digits = text.count > 0 && text[0] == UInt8(ascii: "-") ? text.extracting(1...) : text
    // A number with zeros before it is more likely a name.
    let isName = digits.count > 1 && digits[0] == UInt8(ascii: "0") && digits[1] &- UInt8(ascii: "0") < 10
    if !isName, let number = NumberReader.typed(text, marks: marks) {
      if case .int = number { return .int }
      // A whole number beyond 64 bits.
      if case .decimal(let decimal) = number, decimal.scale == 0 { return .decimal }
      return .double
    }
    if let time = Timestamp(text), time.offset == nil { return time.isDate ? .date : .datetime }
    return ["true", "false"].contains(String(decoding: text)) ? .bool : .text
  }
}
