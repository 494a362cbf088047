/// A column of a query.
struct QueryColumn: Sendable {
  /// Its name.
  let name: String

  /// What it is made of, or its name if it comes as it is from what is asked.
  var text: String

  /// The type of its values; `nil` if all are null.
  var type: SQLType?

  /// How tightly the text holds together.
  var rank = SQLFragment.Rank.whole

  /// Whether it is computed: what comes next cannot name it, unless it stands around this query.
  var isComputed = false
}

/// The query that asks an engine for the rows that some steps of a plan make.
///
/// Steps add to it in the order of work. What reads a column that this query computes, or comes after its groups or its
/// end, is asked of the query as a whole: that then stands in parentheses. So no name means two things in a query, and
/// the order of steps is that of the queries, from the inside out.
struct Query {
  /// The dialect in which it is written.
  let dialect: SQLDialect

  /// What binds expressions: its schema is that of the columns so far, with their types.
  var binder: Binder

  /// What is asked: a table, a file, or a query in parentheses; line by line, because a text may have line ends, too.
  private var source: [String]

  /// What the columns of the schema are, by their numbers.
  private var columns: [Int: QueryColumn] = [:]

  /// The conditions, each of which must be true.
  private var conditions: [SQLFragment] = []

  /// The keys of groups; `nil` if rows are not grouped.
  private var groupKeys: [String]?

  private var order: [String] = []
  private var offset = 0
  private var limit: Int?

  /// Whether an empty text may differ from null there.
  private let tellsEmpty: Bool

  /// The options that are asked, and those that are done here.
  private(set) var asked: [String] = []
  private(set) var left: [String] = []

  /// Whether the rows have an order.
  var isOrdered: Bool { !order.isEmpty }

  /// The most bytes of a query: ClickHouse reads no more than 262,144.
  static let mostBytes = 250_000

  /// The most queries inside of each other.
  private static let deepest = 100

  /// The number of queries inside of this one.
  private var depth = 0

  /// Whether no engine would read it.
  private var isTooLong = false

  /// Begins with all rows of a source.
  ///
  /// - Parameters:
  ///   - source: the table or the file as it is written.
  ///   - binder: its schema is that of the source; a column without a declared type can only be fetched.
  ///   - tellsEmpty: whether an empty text may differ from null there.
  init(_ dialect: SQLDialect, from source: String, _ binder: consuming Binder, tellsEmpty: Bool) {
    self.dialect = dialect
    self.source = [dialect.qualifiesColumns ? "\(source) AS \(SQLDialect.table)" : source]
    self.binder = binder
    self.tellsEmpty = tellsEmpty
    for index in self.binder.schema.shown { columns[index] = plainColumn(index) }
  }

  /// A column as it comes.
  private func plainColumn(_ index: Int) -> QueryColumn {
    let column = binder.schema.columns[index]
    return QueryColumn(
      name: column.name, text: dialect.column(column.name), type: column.type.map { SQLType($0) } ?? .other)
  }

  /// The columns in the order in which they come.
  var shownColumns: [QueryColumn] { binder.schema.shown.compactMap { columns[$0] } }

  /// Writes an expression over the columns; the query is put in parentheses if it reads what that computes.
  private mutating func written(
    _ typed: TypedExpression, _ source: SourceExpression, _ kind: WantedKind = .any
  ) throws(ExpressionError) -> SQLFragment {
    if isClosed || typed.columns.contains(where: { columns[$0]?.isComputed ?? false }) { nest() }
    return try kind == .truth ? writer(source).truth(typed) : writer(source).value(typed)
  }

  private enum WantedKind {
    case any
    case truth
  }

  /// Whether rows were grouped or cut off: what comes next is asked of the result.
  private var isClosed: Bool { groupKeys != nil || offset > 0 || limit != nil || !order.isEmpty }

  /// Puts the query in parentheses, to be asked like a table; one that no engine reads stays as it is.
  private mutating func nest() {
    let lines = lines
    depth += 1
    isTooLong = isTooLong || depth > Self.deepest || lines.reduce(0) { $0 + $1.utf8.count } > Self.mostBytes
    if isTooLong { return }
    source = ["("] + lines.map { "  " + $0 } + [") AS \(SQLDialect.table)"]
    for (index, column) in columns {
      columns[index] = QueryColumn(name: column.name, text: dialect.column(column.name), type: column.type)
    }
    (conditions, groupKeys, order, offset, limit) = ([], nil, [], 0, nil)
  }

  /// The query, without the mark at its end.
  var text: String { lines.joined(separator: "\n") }

  private var lines: [String] {
    let shown = shownColumns.map { column in
      let name = dialect.name(column.name)
      if !column.isComputed, column.text == dialect.column(column.name) {
        return dialect.qualifiesColumns ? "\(column.text) AS \(name)" : column.text
      }
      return "\(column.text) AS \(name)"
    }
    var lines = ["SELECT " + shown.joined(separator: ", "), "FROM " + source[0]] + source.dropFirst()
    if !conditions.isEmpty {
      let needed: SQLFragment.Rank = conditions.count > 1 ? .not : .or
      lines.append("WHERE " + conditions.map { $0.text(needed) }.joined(separator: " AND "))
    }
    if let groupKeys, !groupKeys.isEmpty { lines.append("GROUP BY " + groupKeys.joined(separator: ", ")) }
    if !order.isEmpty { lines.append("ORDER BY " + order.joined(separator: ", ")) }
    if limit != nil || offset > 0 { lines.append(window) }
    return lines
  }

  /// Where the rows begin and end.
  private var window: String {
    let start = offset > 0 ? "OFFSET \(offset)" : ""
    guard let limit else {
      switch dialect {
      case .sqlite: return "LIMIT -1 \(start)"
      case .clickhouse: return "LIMIT 18446744073709551615 \(start)"
      case .trino, .ansi: return start + " ROWS"
      case .duckdb, .postgres, .spark, .portable: return start
      }
    }
    if dialect == .ansi || dialect == .trino {
      return (start.isEmpty ? "" : start + " ROWS ") + "FETCH FIRST \(limit) ROWS ONLY"
    }
    return "LIMIT \(limit)" + (start.isEmpty ? "" : " " + start)
  }
}

// MARK: - Steps

extension Query {
  /// Adds what an option does, unless something before it is done here.
  mutating func ask(
    _ option: String, _ add: (inout Query) throws(ExpressionError) -> Void
  ) throws(Failure) {
    if !left.isEmpty { return leave(option) }
    do { try add(&self) } catch { throw .expression(error) }
    if isTooLong { throw .query(.tooLong(Self.mostBytes)) }
    if asked.last != option { asked.append(option) }
  }

  /// Leaves what an option does, and all after it, to be done here.
  mutating func leave(_ option: String) { if left.last != option { left.append(option) } }

  /// Computes the cells of a column: a new one, or one that is there.
  mutating func compute(_ assignment: Assignment, isNew: Bool) throws(ExpressionError) {
    let typed = try binder.typed(assignment.value)
    var value = try written(typed, assignment.value)
    if let condition = assignment.condition {
      let truth = try written(try binder.typed(condition: condition), condition, .truth)
      // The condition may have put the query in parentheses.
      value = try written(typed, assignment.value)
      value = SQLFragment(text: "CASE WHEN \(truth.text(.or)) THEN \(value.text(.or))", type: value.type)
    }
    let schema = binder.schema
    let there = assignment.position.map { schema.positions[$0 - 1] } ?? schema.index(of: assignment.column)
    if !isNew, let there, columns[there]?.isComputed ?? false { nest() }
    let found = isNew ? binder.schema.derive(name: assignment.column) : there
    guard let index = found else { return }
    if assignment.condition != nil {
      let old = isNew ? nil : columns[index]
      if let old { value.text += " ELSE \(old.text)" }
      value.text += " END"
      if let type = old?.type, value.type != type, value.type != nil {
        throw assignment.value.error(.notInQuery(.mixedTypes), at: assignment.value.expression.range)
      }
    }
    binder.schema.declare(value.type?.valueType ?? (value.type == nil ? .text : nil), at: index)
    columns[index] = QueryColumn(
      name: binder.schema.columns[index].name, text: value.text, type: value.type, rank: value.rank,
      isComputed: true)
  }

  /// Keeps the rows for which a condition is true or, if they are deleted, those for which it is not.
  mutating func filter(_ source: SourceExpression, deletes: Bool = false) throws(ExpressionError) {
    let truth = try written(try binder.typed(condition: source), source, .truth)
    conditions.append(
      deletes
        ? SQLFragment(text: "\(truth.text(.sum)) IS NOT TRUE", type: .bool, rank: .comparison) : truth)
  }

  /// A key of groups: a column, or a value with its name.
  enum GroupKey {
    case column(Int)
    case value(SourceExpression)
  }

  /// Makes one row of all rows with the same keys.
  ///
  /// - Parameters:
  ///   - keys: the keys.
  ///   - aggregates: the values of a row besides them.
  ///   - schema: the columns of these rows: keys, then aggregates.
  ///   - row: what the names of keys mean in a value.
  mutating func group(
    _ keys: [GroupKey], _ aggregates: [Assignment], _ schema: Schema, _ row: GroupRow
  ) throws(ExpressionError) {
    if isClosed || columns.values.contains(where: \.isComputed) { nest() }
    var made: [QueryColumn] = []
    var texts: [String] = []
    for (key, column) in zip(keys, schema.columns) {
      let value: SQLFragment
      switch key {
      case .column(let index):
        let known = columns[index]
        value = SQLFragment(text: known?.text ?? "NULL", type: known?.type)
      case .value(let source): value = try written(try binder.typed(source), source)
      }
      texts.append(value.text)
      made.append(
        QueryColumn(name: column.name, text: value.text, type: value.type, rank: value.rank, isComputed: true)
      )
    }
    var row = row
    var groupValues: [ExactName: SQLFragment] = [:]
    for key in made {
      groupValues[ExactName(key.name)] = SQLFragment(text: key.text, type: key.type, rank: key.rank)
    }
    for (pair, column) in zip(aggregates, schema.columns.dropFirst(keys.count)) {
      let typed = try binder.typed(aggregate: pair.value, in: row)
      var writer = writer(pair.value)
      writer.groupValues = groupValues
      let value = try writer.value(typed)
      row.values[ExactName(column.name)] = .aggregate(groupValues.count - keys.count)
      groupValues[ExactName(column.name)] = value
      made.append(
        QueryColumn(name: column.name, text: value.text, type: value.type, rank: value.rank, isComputed: true)
      )
    }
    if aggregates.isEmpty {
      made += schema.columns.dropFirst(keys.count).map {
        QueryColumn(name: $0.name, text: "COUNT(*)", type: .int, isComputed: true)
      }
    }
    groupKeys = texts
    binder.schema = schema
    columns = [:]
    for (index, column) in made.enumerated() {
      columns[index] = column
      binder.schema.declare(column.type?.valueType ?? (column.type == nil ? .text : nil), at: index)
    }
  }

  /// Orders the rows by a key, after those that were given before.
  ///
  /// A text without characters counts as null, as it does here.
  ///
  /// - Parameters:
  ///   - column: the column, if the key is one.
  ///   - values: the values that come first, in this order.
  mutating func sort(
    by key: SortKey, column: Int?, nulls: NullPlacement, first values: [String]?
  ) throws(ExpressionError) {
    var value: SQLFragment
    let source: SourceExpression
    if let column {
      if groupKeys != nil || columns[column]?.isComputed ?? false { nest() }
      let known = columns[column]
      value = SQLFragment(text: known?.text ?? "NULL", type: known?.type)
      let name = Expression(kind: .column(known?.name ?? ""), range: 0..<(known?.name.utf8.count ?? 0))
      source = SourceExpression(name, in: known?.name ?? "", option: "--sort")
    } else if case .expression(let expression) = key.target {
      let typed = try binder.typed(expression)
      if groupKeys != nil || typed.columns.contains(where: { columns[$0]?.isComputed ?? false }) { nest() }
      (value, source) = (try writer(expression).value(typed), expression)
    } else {
      return
    }
    let direction = key.isDescending ? "DESC" : "ASC"
    if let values { order.append("\(try rank(of: value, in: values, source)) \(direction)") }
    value = try writer(source).ordered(value, by: key.comparison)
    var text = value.text(.or)
    if value.type == .text {
      if tellsEmpty { text = "NULLIF(\(text), '')" }
      if dialect == .postgres { text += " COLLATE \"C\"" }
    }
    order.append("\(text) \(direction) NULLS \(nulls == .first ? "FIRST" : "LAST")")
  }

  /// The place of a value in a list, or the end.
  private func rank(
    of value: SQLFragment, in values: [String], _ source: SourceExpression
  ) throws(ExpressionError) -> String {
    guard value.type == .text else {
      throw source.error(.notInQuery(.order("--order")), at: source.expression.range)
    }
    var text = "CASE"
    for (place, wanted) in values.enumerated() {
      guard let literal = dialect.text(wanted) else {
        throw source.error(.notInQuery(.nul), at: source.expression.range)
      }
      text += " WHEN \(value.text(.sum)) = \(literal) THEN \(place)"
    }
    return text + " ELSE \(values.count) END"
  }

  private func writer(_ source: SourceExpression) -> SQLWriter {
    SQLWriter(dialect: dialect, source: source, columns: columns)
  }

  /// Leaves out the first rows, and those after some more.
  mutating func cut(skip: Int, head: Int?) {
    offset = skip
    limit = head
  }

  /// Keeps some columns, in their order, perhaps under other names.
  mutating func project(_ kept: [(index: Int, name: String)]) {
    var made: [Int: QueryColumn] = [:]
    var schema: [Schema.Column] = []
    for (index, name) in kept {
      guard let column = columns[index] else { continue }
      made[schema.count] = QueryColumn(
        name: name, text: column.text, type: column.type, rank: column.rank, isComputed: column.isComputed)
      var known = binder.schema.columns[index]
      (known.name, known.title) = (name, name)
      schema.append(known)
    }
    binder.schema = Schema(made: schema, header: nil)
    columns = made
  }
}
