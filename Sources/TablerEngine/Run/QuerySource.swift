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

  /// Whether rows have keys that may tie, or groups no order: they may come in any order.
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
    var query = try Query(
      dialect, from: source, schema, plan, isFile: table == nil, tellsEmpty: name != nil || table != nil)
    if query.left.isEmpty { try project(&query) }
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
    let schema = schemaSoFar()
    let read = schema.shown.filter { !schema.columns[$0].isComputed }
    let sample = try firstBatch()
    var guesses: [(column: String, type: ValueType)] = []
    let columns = read.map { index -> (title: String, type: ValueType) in
      let column = schema.columns[index]
      if let type = column.type { return (column.name, type) }
      let type = sample.map { TypeGuess(column: index, of: $0, marks: plan.marks).type } ?? .text
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
    if let table { return (dialect.tableName(table), nil) }
    guard let path = plan.sources.first?.path else { throw .query(.noTable) }
    let types = columns.map { column -> (String, String) in
      (column.title, dialect.typeName(SQLType(column.type)))
    }
    switch dialect {
    case .duckdb:
      guard let file = dialect.text(path.text) else { break }
      let list = types.map { "\(dialect.text($0) ?? "''"): '\($1)'" }.joined(separator: ", ")
      let form = beginning.dialect
      switch form.form {
      case .json: return ("read_json(\(file), columns = {\(list)})", nil)
      case .csv, .tsv:
        let mark =
          form.delimiter == UInt8(ascii: ",")
          ? "" : "delim = \(dialect.text(String(UnicodeScalar(form.delimiter))) ?? ""), "
        return ("read_csv(\(file), \(mark)header = \(beginning.hasTitles), columns = {\(list)})", nil)
      case .words: break
      }
    case .sqlite, .postgres, .clickhouse, .spark, .trino, .ansi, .portable: break
    }
    let name = path.stem
    return (dialect.name(name), name)
  }
}

/// What the cells of a column look like: their type, if all that are not null agree.
struct TypeGuess {
  /// The type.
  let type: ValueType

  /// The rows that are looked at.
  static let mostRows = 1000

  /// Looks at the first cells of a column.
  init(column: Int, of batch: Batch, marks: NumberMarks) {
    var found: ValueType?
    for row in 0..<min(batch.rowCount, Self.mostRows) {
      let cell = batch.cell(row: row, column: column)
      if cell.isNull { continue }
      let type = Self.type(of: batch.content(cell), marks)
      switch (found, type) {
      case (nil, _): found = type
      case (.int?, .double), (.double?, .int): found = .double
      case (.date?, .datetime), (.datetime?, .date): found = .datetime
      case (let known?, _): if known != type { found = .text }
      }
      if found == .text { break }
    }
    type = found ?? .text
  }

  private static func type(of text: Span<UInt8>, _ marks: NumberMarks) -> ValueType {
    let digits = text.count > 0 && text[0] == UInt8(ascii: "-") ? text.extracting(1...) : text
    // A number with zeros before it is more likely a name.
    let isName = digits.count > 1 && digits[0] == UInt8(ascii: "0") && digits[1] &- UInt8(ascii: "0") < 10
    if !isName, let number = NumberReader.typed(text, marks: marks) {
      if case .int = number { return .int }
      return .double
    }
    if let time = Timestamp(text), time.offset == nil { return time.isDate ? .date : .datetime }
    return ["true", "false"].contains(String(decoding: text)) ? .bool : .text
  }
}
