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

  /// The template of its value in an expression, if it may hold what is not of its type.
  var guarded: String?

  /// Whether it is computed: other parts of the same query cannot name it.
  var isComputed = false

  /// Its value in an expression.
  var value: SQLFragment {
    let plain = SQLFragment(text: text, type: type, rank: rank)
    guard let guarded else { return plain }
    return SQLFragment(text: SQLFragment.filling(guarded, [plain]), type: type)
  }
}

extension Schema {
  /// The column of an assignment, by its name or its position.
  fileprivate func index(of assignment: Assignment) -> Int? {
    guard let position = assignment.position else { return index(of: assignment.column.trimmingBlanks) }
    return positions.indices.contains(position - 1) ? positions[position - 1] : nil
  }
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

  /// Whether a value of the groups is an aggregate.
  private var hasAggregate = false

  private var order: [String] = []
  private var offset = 0
  private var limit: Int?

  /// Whether the source tells an empty text from null.
  private let tellsEmpty: Bool

  /// The options that are asked, in order.
  private(set) var asked: [String] = []

  /// The options that are done here.
  private(set) var left: [String] = []

  /// Whether the rows have an order.
  var isOrdered: Bool { !order.isEmpty }

  /// Whether rows are cut off at the beginning or the end.
  var isCut: Bool { offset > 0 || limit != nil }

  /// The most bytes of a query: ClickHouse reads no more than 262,144.
  static let mostBytes = 250_000

  /// The most queries inside of each other.
  private static let deepest = 100

  /// The number of queries inside of this one.
  private var depth = 0

  /// Whether it is too long, or nested too deeply, for engines.
  private var isTooLong = false

  /// Begins with all rows of a source.
  ///
  /// - Parameters:
  ///   - source: the table or the file as it is written.
  ///   - binder: its schema is that of the source; a column without a declared type can only be fetched.
  ///   - tellsEmpty: whether an empty text may differ from null there.
  ///   - readings: how its columns are read, in order, and their names there, if that is known.
  init(
    _ dialect: SQLDialect, from source: String, _ binder: consuming Binder, tellsEmpty: Bool,
    readings: [(name: String, reading: SQLReading)] = []
  ) {
    self.dialect = dialect
    self.source = [dialect.qualifiesColumns ? "\(source) AS \(SQLDialect.table)" : source]
    self.binder = binder
    self.tellsEmpty = tellsEmpty
    for index in self.binder.schema.shown { columns[index] = plainColumn(index) }
    for (index, (name, reading)) in zip(self.binder.schema.shown, readings) {
      guard var column = columns[index] else { continue }
      column.type = reading.type
      column.guarded = reading.guarded
      column.text = dialect.column(name)
      if let template = reading.fetched {
        column.text = SQLFragment.filling(template, [SQLFragment(text: column.text, type: reading.type)])
        column.rank = SQLFragment.isWhole(column.text) ? .whole : .or
      }
      column.isComputed = reading.fetched != nil || name != column.name
      columns[index] = column
    }
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
    if isClosed || typed.columns.contains(where: isComputed) { nest() }
    return try kind == .truth ? writer(source).truth(typed) : writer(source).value(typed)
  }

  private enum WantedKind {
    case any
    case truth
  }

  /// Whether rows were grouped or cut off: what comes next is asked of the result.
  private var isClosed: Bool { groupKeys != nil || isCut || !order.isEmpty }

  /// Puts the query in parentheses, to be asked like a table; one that no engine reads stays as it is.
  private mutating func nest() {
    let lines = lines()
    depth += 1
    isTooLong = isTooLong || depth > Self.deepest || lines.reduce(0) { $0 + $1.utf8.count } > Self.mostBytes
    if isTooLong { return }
    source = ["("] + lines.map { "  " + $0 } + [") AS \(SQLDialect.table)"]
    for (index, column) in columns {
      columns[index] = QueryColumn(
        name: column.name, text: dialect.column(column.name), type: column.type, guarded: column.guarded)
    }
    (conditions, groupKeys, order, offset, limit) = ([], nil, [], 0, nil)
  }

  /// The query, without the mark at its end.
  var text: String { lines(isAnswer: true).joined(separator: "\n") }

  /// A truth that is written as it is here.
  private func spelled(_ truth: QueryColumn) -> String {
    let whole = SQLFragment(text: truth.text, type: .bool, rank: truth.rank)
    if dialect == .sqlite {
      return "CASE \(whole.text(.sum)) WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE \(whole.text(.or)) END"
    }
    return "CASE WHEN \(whole.text(.or)) THEN 'true' WHEN NOT \(whole.text(.whole)) THEN 'false' END"
  }

  private func lines(isAnswer: Bool = false) -> [String] {
    let shown = shownColumns.map { column in
      let name = dialect.name(column.name)
      if isAnswer, column.type == .bool, dialect.spellsTruthsOtherwise {
        return "\(spelled(column)) AS \(name)"
      }
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
    if let groupKeys {
      if !groupKeys.isEmpty {
        lines.append("GROUP BY " + groupKeys.joined(separator: ", "))
      } else if !hasAggregate {
        // All rows make one, as they would if one of its values were an aggregate.
        lines.append("HAVING COUNT(*) >= 0")
      }
    }
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
      case .clickhouse: return "LIMIT 9223372036854775807 \(start)"
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
  ///
  /// - Returns: whether it is added.
  @discardableResult
  mutating func ask(
    _ option: String, _ add: (inout Query) throws(ExpressionError) -> Void
  ) throws(Failure) -> Bool {
    if !left.isEmpty {
      leave(option)
      return false
    }
    do { try add(&self) } catch {
      // Tables of `--lookup` are here.
      if case .unknownTable = error.kind {
        throw .expression(error.because(of: .notInQuery(.localFunction("lookup"))))
      }
      throw .expression(error)
    }
    if isTooLong { throw .query(.tooLong(Self.mostBytes)) }
    try refuseNames()
    asked.append(option)
    return true
  }

  /// Notes an option that is asked.
  mutating func note(_ option: String) { asked.append(option) }

  /// Leaves what an option does, and all after it, to be done here.
  mutating func leave(_ option: String) { if left.last != option { left.append(option) } }

  /// Computes the cells of a column: a new one, or one that is there.
  mutating func compute(_ assignment: Assignment, isNew: Bool) throws(ExpressionError) {
    let value = try binder.typed(assignment.value)
    let condition = try assignment.condition.map { (source) throws(ExpressionError) in
      (source, try binder.typed(condition: source))
    }
    let there = binder.schema.index(of: assignment)
    let reads = value.columns.union(condition?.1.columns ?? []).union(isNew ? [] : [there ?? 0])
    if isClosed || reads.contains(where: isComputed) { nest() }
    guard let index = isNew ? binder.schema.derive(name: assignment.column) : there else {
      let mistake: ExpressionError.Kind =
        isNew
        ? .derivedColumnExists(assignment.column) : .nothingToSet(binder.schema.notFound(assignment.column))
      throw assignment.value.error(mistake, at: assignment.range)
    }
    var written = try writer(assignment.value).value(value)
    var guarded: String?
    let old = isNew ? nil : columns[index]?.type
    if let (source, condition) = condition {
      let truth = try writer(source).truth(condition)
      var otherwise = ""
      if !isNew, let column = columns[index] {
        // Cells that stay as they are may not be of the column's type.
        let staysTyped = written.type == nil || written.type == old
        guarded = staysTyped ? column.guarded : nil
        otherwise = " ELSE \(staysTyped ? column.text : column.value.text(.or))"
      }
      let type =
        [written.type, old].contains(.double) && old?.isNumber ?? false ? .double : written.type ?? old
      written = SQLFragment(
        text: "CASE WHEN \(truth.text(.or)) THEN \(written.text(.or))\(otherwise) END", type: type)
    }
    // What is put into a column of another type would be null here, with a warning.
    if let old, let type = written.type, old != type, !(old.isNumber && type.isNumber) {
      throw assignment.value.error(.notInQuery(.mixedTypes), at: assignment.value.expression.range)
    }
    declare(written.type ?? old, at: index)
    columns[index] = QueryColumn(
      name: binder.schema.columns[index].name, text: written.text, type: written.type ?? old,
      rank: written.rank, guarded: guarded, isComputed: true)
  }

  private func isComputed(_ column: Int) -> Bool { columns[column]?.isComputed ?? false }

  /// Declares the type of the cells of a column, by which expressions after it are bound; nulls have none.
  private mutating func declare(_ type: SQLType?, at index: Int) {
    binder.schema.declare(type.map(\.valueType) ?? .text, at: index)
  }

  /// Keeps the rows for which a condition is true or, if they are deleted, those for which it is not.
  mutating func filter(_ source: SourceExpression, deletes: Bool = false) throws(ExpressionError) {
    let truth = try written(try binder.typed(condition: source), source, .truth)
    conditions.append(
      deletes
        ? SQLFragment(text: "\(truth.text(.sum)) IS NOT TRUE", type: .bool, rank: .comparison) : truth)
  }

  /// Refuses names that engines take for the same, or cannot have.
  func refuseNames() throws(Failure) {
    var known: Set<String> = []
    for (_, column) in columns.sorted(by: { $0.key < $1.key }) {
      let name = column.name
      if name.isEmpty { throw .query(.unnamedColumn) }
      if name.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\0" }) { throw .query(.oddText) }
      let key = dialect.tellsCase ? name : name.lowercased()
      guard known.insert(key).inserted else { throw .query(.namesAlike(name)) }
    }
    if shownColumns.isEmpty { throw .query(.noColumns) }
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
    var values: [SQLFragment] = []
    for key in keys {
      switch key {
      case .column(let index):
        values.append(columns[index]?.value ?? .null)
      case .value(let source):
        let typed = try binder.typed(source)
        // A number would be that of a column.
        if typed.node.constant != nil {
          throw source.error(.notInQuery(.constantKey), at: source.expression.range)
        }
        values.append(try writer(source).value(typed))
      }
    }
    let texts = values.map(\.text)
    var row = row
    hasAggregate = aggregates.isEmpty
    for (number, pair) in aggregates.enumerated() {
      let typed = try binder.typed(aggregate: pair.value, in: row)
      hasAggregate = hasAggregate || typed.hasAggregate
      var writer = writer(pair.value)
      writer.group = (Array(values[..<keys.count]), Array(values[keys.count...]))
      values.append(try writer.value(typed))
      row.values[ExactName(pair.column.trimmingBlanks)] = .aggregate(number)
    }
    if dialect == .sqlite, keys.isEmpty, !hasAggregate, let first = aggregates.first?.value {
      let refusal = QueryRefusal.untranslated("--aggregate of a constant", dialect: dialect.rawValue)
      throw first.error(.notInQuery(refusal), at: first.expression.range)
    }
    var made = zip(values, schema.columns).map { value, column in
      QueryColumn(
        name: column.name, text: value.text, type: value.type, rank: value.rank, isComputed: true)
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
      declare(column.type, at: index)
    }
  }

  /// A key of an order, as the step that sorts resolved it.
  struct OrderKey {
    /// The key.
    let key: SortKey
    /// The column, if the key is one.
    let column: Int?
    /// Where nulls come.
    let nulls: NullPlacement
    /// The values that come first, in this order; `nil` if none do.
    let first: [String]?
  }

  /// Orders the rows by keys.
  mutating func sort(by keys: [OrderKey]) throws(ExpressionError) {
    var bound: [(key: OrderKey, source: SourceExpression, typed: TypedExpression?)] = []
    for key in keys {
      if case .expression(let source) = key.key.target {
        let typed = try binder.typed(source)
        // All rows tie in a constant, and a number would be that of a column.
        if typed.node.constant == nil { bound.append((key, source, typed)) }
      } else {
        let name = key.column.flatMap { columns[$0]?.name } ?? ""
        let column = Expression(kind: .column(name), range: 0..<name.utf8.count)
        bound.append((key, SourceExpression(column, in: name, option: "--sort"), nil))
      }
    }
    let reads = bound.flatMap { Array($0.typed?.columns ?? []) + [$0.key.column].compactMap(\.self) }
    if groupKeys != nil || reads.contains(where: isComputed) { nest() }
    for (key, source, typed) in bound {
      if let typed {
        try sort(by: key, source, try writer(source).value(typed))
      } else {
        try sort(by: key, source, key.column.flatMap { columns[$0]?.value } ?? .null)
      }
    }
  }

  /// Orders the rows by a written value, after the keys that came before; a text without characters counts as null.
  private mutating func sort(
    by key: OrderKey, _ source: SourceExpression, _ value: SQLFragment
  ) throws(ExpressionError) {
    let direction = key.key.isDescending ? "DESC" : "ASC"
    let place = "NULLS \(key.nulls == .first ? "FIRST" : "LAST")"
    if let first = key.first {
      order.append("\(try rank(of: value, in: first, source)) \(direction) \(place)")
    }
    let ordered = try writer(source).ordered(value, by: key.key.comparison)
    var text = ordered.text(.or)
    if ordered.type?.isText ?? false {
      if tellsEmpty { text = "NULLIF(\(text), '')" }
      if dialect == .postgres { text += " COLLATE \"C\"" }
    }
    order.append("\(text) \(direction) \(place)")
  }

  /// The place of a value in a list, or the end.
  private func rank(
    of value: SQLFragment, in values: [String], _ source: SourceExpression
  ) throws(ExpressionError) -> String {
    guard value.type?.isText ?? false else {
      throw source.error(.notInQuery(.order("--order")), at: source.expression.range)
    }
    let subject = value.text(.sum)
    var text = "CASE WHEN \(subject) IS NULL\(tellsEmpty ? " OR \(subject) = ''" : "") THEN NULL"
    for (place, wanted) in values.enumerated() {
      guard let literal = dialect.text(wanted) else {
        throw source.error(.notInQuery(.nul), at: source.expression.range)
      }
      text += " WHEN \(subject) = \(literal) THEN \(place)"
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

  /// Keeps some columns, in their order, perhaps under other names: not under that of a column by which rows are ordered.
  mutating func project(_ kept: [(index: Int, name: String)]) {
    let names = Set(columns.values.map { $0.name.lowercased() })
    let isSafe = kept.allSatisfy { kept in
      let name = kept.name.lowercased()
      return name == columns[kept.index]?.name.lowercased() || !names.contains(name)
    }
    var made: [Int: QueryColumn] = [:]
    var schema: [Schema.Column] = []
    for (index, title) in kept {
      guard let column = columns[index] else { continue }
      let name = isSafe ? title : column.name
      made[schema.count] = QueryColumn(
        name: name, text: column.text, type: column.type, rank: column.rank, guarded: column.guarded,
        isComputed: column.isComputed)
      var known = binder.schema.columns[index]
      (known.name, known.title) = (name, name)
      schema.append(known)
    }
    binder.schema = Schema(made: schema, header: nil)
    columns = made
  }
}
