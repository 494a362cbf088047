/// How a column of an engine is read: its type, and how its values become those of that type.
struct SQLReading: Equatable, Sendable {
  /// The type of the values.
  var type: SQLType

  /// The template of the value that is fetched, if that is not the column itself.
  var fetched: String?

  /// The template of the value that is computed with, if the column may hold what is not of its type.
  var guarded: String?
}

// MARK: - Queries

extension SQLDialect {
  /// The query for the names and types of the columns of a table or a file, in this order.
  ///
  /// - Parameters:
  ///   - source: the table or file as it is written in queries.
  ///   - table: the name of the table; `nil` for a file.
  func columnsQuery(_ source: String, table: String?) throws(Failure) -> String {
    switch self {
    case .duckdb:
      return "SELECT column_name AS name, column_type AS type FROM (DESCRIBE SELECT * FROM \(source))"
    case .sqlite:
      // The name of the table comes first, then that of the database.
      var arguments: [String] = []
      for part in (tableParts(table ?? "") ?? []).reversed() {
        guard let text = text(part) else { throw .query(.oddText) }
        arguments.append(text)
      }
      // Generated columns are hidden in another way than those of virtual tables.
      return
        "SELECT name, type FROM pragma_table_xinfo(\(arguments.joined(separator: ", "))) WHERE hidden <> 1"
    case .postgres:
      guard let name = text(source) else { throw .query(.oddText) }
      return """
        SELECT a.attname AS name, format_type(COALESCE(NULLIF(t.typbasetype, 0), a.atttypid),
          CASE WHEN t.typbasetype <> 0 THEN t.typtypmod ELSE a.atttypmod END) AS type
        FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        WHERE a.attrelid = CAST(\(name) AS regclass) AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attnum
        """
    case .spark: return columnsQuery(source, "*")
    case .clickhouse, .trino, .ansi, .portable: return "DESCRIBE TABLE \(source)"
    }
  }

  /// The query of Spark for the names and types of columns of a table.
  ///
  /// For a table it would go on with the columns by which that is partitioned.
  ///
  /// - Parameter columns: a list of them, `*` for those of the table.
  func columnsQuery(_ source: String, _ columns: String) -> String {
    "DESCRIBE QUERY SELECT \(columns) FROM \(source)"
  }

  /// The query for all tables, with an estimate of their rows if the engine has one.
  ///
  /// A name with a dot or a quote stands in quotes, as it must be typed.
  var tablesQuery: String {
    func typed(_ name: String) -> String {
      "CASE WHEN \(name) LIKE '%.%' OR \(name) LIKE '%\"%' THEN '\"' || replace(\(name), '\"', '\"\"') || '\"' ELSE \(name) END"
    }
    return switch self {
    case .duckdb:
      """
      SELECT CASE WHEN schema_name = 'main' THEN '' ELSE \(typed("schema_name")) || '.' END || \(typed("name")) AS "table", "rows"
      FROM (
        SELECT schema_name, table_name AS name, estimated_size AS "rows" FROM duckdb_tables() WHERE NOT internal
        UNION ALL
        SELECT schema_name, view_name, NULL FROM duckdb_views() WHERE NOT internal
      )
      ORDER BY 1
      """
    case .sqlite:
      """
      SELECT \(typed("name")) AS `table`, NULL AS `rows` FROM sqlite_master
      WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY 1
      """
    case .postgres:
      """
      SELECT CASE WHEN n.nspname = 'public' THEN '' ELSE \(typed("n.nspname")) || '.' END || \(typed("c.relname")) AS "table",
        CASE WHEN c.reltuples >= 0 THEN CAST(c.reltuples AS BIGINT) END AS "rows"
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND n.nspname !~ '^pg_(toast|temp)'
      ORDER BY 1
      """
    case .clickhouse:
      """
      SELECT concat(if(database = currentDatabase(), '', concat(\(typed("database")), '.')), \(typed("name"))) AS `table`,
        total_rows AS `rows`
      FROM system.tables WHERE lower(database) NOT IN ('system', 'information_schema') ORDER BY 1
      """
    case .spark, .trino, .ansi, .portable: "SHOW TABLES"
    }
  }
}

// MARK: - Types

extension SQLDialect {
  /// How a column of this type is read, whose name is that of the engine.
  func reading(ofType name: String) -> SQLReading {
    let type = name.uppercased()
    return switch self {
    case .duckdb: duckdbReading(type)
    case .sqlite: sqliteReading(type)
    case .postgres: postgresReading(type)
    case .clickhouse: clickhouseReading(name)
    case .spark, .trino, .ansi, .portable: sparkReading(type)
    }
  }

  /// Whether what an engine writes of this type is one here as well.
  ///
  /// SQLite only prefers a type for a column. Doubles are perhaps `nan`, as are decimals of Postgres; dates are perhaps
  /// `infinity`, or before the year 1.
  func alwaysWrites(_ type: SQLType) -> Bool {
    switch type {
    case .int, .bool: self != .sqlite
    case .decimal: self != .sqlite && self != .postgres
    case .date, .datetime: self == .clickhouse
    case .double, .text, .undeclared, .other: false
    }
  }

  private var asText: SQLReading { SQLReading(type: .text, fetched: cast("{0}", to: .text)) }
  private var asDouble: SQLReading { SQLReading(type: .double, fetched: cast("{0}", to: .double)) }

  private func duckdbReading(_ type: String) -> SQLReading {
    switch type {
    case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER":
      SQLReading(type: .int)
    case "UBIGINT", "HUGEINT", "UHUGEINT": SQLReading(type: .decimal(scale: 0))
    case "FLOAT": asDouble
    case "DOUBLE": SQLReading(type: .double)
    case "VARCHAR": SQLReading(type: .text)
    case "BOOLEAN": SQLReading(type: .bool)
    case "DATE": SQLReading(type: .date)
    case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS": SQLReading(type: .datetime)
    case _ where type.hasSuffix("]") || ["STRUCT(", "MAP(", "UNION("].contains(where: type.hasPrefix):
      SQLReading(type: .text, fetched: "CAST(to_json({0}) AS VARCHAR)")
    default: Self.scale(ofDecimal: type).map { SQLReading(type: .decimal(scale: $0)) } ?? asText
    }
  }

  /// SQLite only prefers a type for a column; values of others are null in expressions, as they are here.
  ///
  /// Names of types are judged as SQLite does: <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
  private func sqliteReading(_ type: String) -> SQLReading {
    let name = String(type.prefix { $0 != "(" }.reversed().drop { $0 == " " }.reversed())
    let bytes = Array(name.utf8)
    func contains(_ word: String) -> Bool { bytes.indices.contains { bytes[$0...].starts(with: word.utf8) } }
    let numbers = "CASE WHEN TYPEOF({0}) IN ('integer', 'real') THEN CAST({0} AS REAL) END"
    switch name {
    case "DATE":
      return SQLReading(
        type: .date, guarded: "CASE WHEN DATE(JULIANDAY({0})) = SUBSTR({0}, 1, 10) THEN DATE({0}) END")
    case "DATETIME", "TIMESTAMP": return SQLReading(type: .datetime, guarded: Self.sqliteTime)
    case "BOOL", "BOOLEAN":
      return SQLReading(
        type: .bool,
        guarded: "CASE WHEN {0} IN (0, 1) THEN {0} WHEN {0} = 'true' THEN 1 WHEN {0} = 'false' THEN 0 END")
    case _ where contains("INT"):
      return SQLReading(type: .int, guarded: "CASE WHEN TYPEOF({0}) = 'integer' THEN {0} END")
    case _ where contains("CHAR") || contains("CLOB") || contains("TEXT"): return SQLReading(type: .text)
    case _ where name.isEmpty || contains("BLOB"):
      return SQLReading(
        type: .text, fetched: "CASE WHEN TYPEOF({0}) = 'blob' THEN HEX({0}) ELSE CAST({0} AS TEXT) END")
    case _ where ["NUM", "DEC", "REAL", "FLOA", "DOUB", "MONEY", "CURRENCY"].contains(where: contains):
      return SQLReading(type: .double, guarded: numbers)
    default: return asText
    }
  }

  /// A time in one spelling, because it is compared as text: with a blank, seconds, no zeros after them, and in UTC if it has
  /// a zone, of which SQLite knows thousandths.
  private static let sqliteTime: String = {
    let plain = "REPLACE({0}, 'T', ' ')"
    func trimmed(_ time: String) -> String { "RTRIM(RTRIM(\(time), '0'), '.')" }
    return """
      CASE WHEN DATE(JULIANDAY({0})) IS NULL OR DATE(JULIANDAY({0})) <> DATE({0}) THEN NULL \
      WHEN {0} GLOB '*[Zz]' OR SUBSTR({0}, 11) GLOB '*[-+]*' THEN \
      CASE WHEN STRFTIME('%f', {0}) GLOB '*.000' THEN STRFTIME('%Y-%m-%d %H:%M:%S', {0}) \
      ELSE \(trimmed("STRFTIME('%Y-%m-%d %H:%M:%f', {0})")) END \
      WHEN STRFTIME('%Y-%m-%d %H:%M:%S', {0}) = SUBSTR(\(plain) || SUBSTR(' 00:00:00', LENGTH({0}) - 9), 1, 19) THEN \
      CASE WHEN {0} GLOB '*.*' THEN \(trimmed(plain)) ELSE \(plain) || SUBSTR(' 00:00:00', LENGTH({0}) - 9) END END
      """
  }()

  private func postgresReading(_ type: String) -> SQLReading {
    switch type {
    case "SMALLINT", "INTEGER", "BIGINT": return SQLReading(type: .int)
    case "REAL": return asDouble
    case "DOUBLE PRECISION": return SQLReading(type: .double)
    case "NUMERIC": return SQLReading(type: .decimal(scale: SQLType.columnScale))
    case "TEXT", "CHARACTER VARYING": return SQLReading(type: .text)
    case "BOOLEAN": return SQLReading(type: .bool)
    case "DATE": return SQLReading(type: .date)
    default:
      if type.hasPrefix("TIMESTAMP"), type.hasSuffix("WITHOUT TIME ZONE") {
        return SQLReading(type: .datetime)
      }
      if type.hasPrefix("CHARACTER VARYING("), type.hasSuffix(")") { return SQLReading(type: .text) }
      return Self.scale(ofDecimal: type).map { SQLReading(type: .decimal(scale: $0)) } ?? asText
    }
  }

  private func clickhouseReading(_ name: String) -> SQLReading {
    var type = name[...]
    for wrapper in ["LowCardinality(", "Nullable("] where type.hasPrefix(wrapper) && type.hasSuffix(")") {
      type = type.dropFirst(wrapper.count).dropLast()
    }
    switch type {
    case "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32": return SQLReading(type: .int)
    case "UInt64", "Int128", "Int256", "UInt128", "UInt256": return SQLReading(type: .decimal(scale: 0))
    case "Float32": return SQLReading(type: .double, fetched: "toFloat64({0})")
    case "Float64": return SQLReading(type: .double)
    case "String": return SQLReading(type: .text)
    case "Bool": return SQLReading(type: .bool)
    case "Date", "Date32": return SQLReading(type: .date)
    case "DateTime": return SQLReading(type: .datetime)
    default:
      if type.hasPrefix("DateTime64("), !type.contains(",") { return SQLReading(type: .datetime) }
      return Self.scale(ofDecimal: type.uppercased()).map { SQLReading(type: .decimal(scale: $0)) }
        ?? SQLReading(type: .text, fetched: "toString({0})")
    }
  }

  private func sparkReading(_ type: String) -> SQLReading {
    switch type {
    case "TINYINT", "SMALLINT", "INT", "BIGINT": return SQLReading(type: .int)
    case "FLOAT": return asDouble
    case "DOUBLE": return SQLReading(type: .double)
    case "STRING": return SQLReading(type: .text)
    case "BOOLEAN": return SQLReading(type: .bool)
    case "DATE": return SQLReading(type: .date)
    case "TIMESTAMP", "TIMESTAMP_NTZ": return SQLReading(type: .datetime)
    default:
      if type.hasPrefix("STRING COLLATE ") {
        return SQLReading(type: .text, fetched: "{0} COLLATE UTF8_BINARY")
      }
      if ["ARRAY<", "MAP<", "STRUCT<"].contains(where: type.hasPrefix) {
        return SQLReading(type: .text, fetched: "to_json({0})")
      }
      return Self.scale(ofDecimal: type).map { SQLReading(type: .decimal(scale: $0)) } ?? asText
    }
  }

  /// The decimals of a type such as `DECIMAL(12,2)` or `numeric(5)`; `nil` for any other.
  private static func scale(ofDecimal type: String) -> Int? {
    let (name, rest) = (type.prefix { $0 != "(" }, type.drop { $0 != "(" })
    guard name == "DECIMAL" || name == "NUMERIC", rest.hasSuffix(")") else { return nil }
    let numbers = rest.dropFirst().dropLast().split(separator: ",").map { Int(String($0).trimmingBlanks) }
    switch numbers.count {
    case 1: return numbers[0] == nil ? nil : 0
    case 2: return numbers[1]
    default: return nil
    }
  }
}

// MARK: - Declared types

extension SQLReading {
  /// What is read of a column that `--types` declares to hold other values: what does not convert is null.
  ///
  /// - Returns: `nil` if the engine cannot be asked for that.
  func declared(as type: ValueType, _ dialect: SQLDialect) -> SQLReading? {
    let wanted = SQLType(type)
    if wanted == self.type { return self }
    if dialect == .sqlite, wanted == .text {
      return SQLReading(type: .text, fetched: dialect.cast("{0}", to: .text))
    }
    func converted(_ template: String?, to type: SQLType) -> SQLReading? {
      template.map { SQLReading(type: type, fetched: SQLFragment.filling($0, [fragment])) }
    }
    switch (self.type, wanted) {
    case (_, .other): return nil
    case (.decimal, .decimal): return self
    case (.int, .double), (.decimal, .double):
      return dialect.hasDecimals || self.type == .int
        ? converted(dialect.cast("{0}", to: .double), to: .double) : nil
    case (.int, .decimal):
      return dialect.hasDecimals ? SQLReading(type: .decimal(scale: 0), fetched: fetched) : nil
    case (.double, .decimal) where !dialect.hasDecimals: return self
    case (.int, .text), (.date, .text): return converted(dialect.cast("{0}", to: .text), to: .text)
    case (.undeclared, .text): return SQLReading(type: .text, fetched: fetched)
    case (.undeclared, _):
      return SQLReading(type: .text, fetched: fetched, guarded: guarded).declared(as: type, dialect)
    case (.text, .double):
      return converted(SQLTranslations.template("number/1@text", dialect), to: .double)
    case (.text, .int): return converted(SQLTranslations.template("(int)@text", dialect), to: .int)
    case (.text, .decimal):
      return converted(
        SQLTranslations.template("(decimal)@text", dialect), to: .decimal(scale: SQLType.columnScale))
    case (.text, .date): return converted(SQLTranslations.template("(date)@text", dialect), to: .date)
    case (.text, .bool):
      return converted("CASE {0} WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END", to: .bool)
    case (.int, .bool) where dialect == .clickhouse || dialect == .sqlite:
      return converted("({0} <> 0)", to: .bool)
    default: return nil
    }
  }

  /// The value, as an argument of a template.
  private var fragment: SQLFragment {
    let template = guarded ?? fetched
    return SQLFragment(text: template ?? "{0}", type: type, rank: template == nil ? .whole : .or)
  }
}
