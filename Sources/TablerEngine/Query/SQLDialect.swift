/// A dialect of SQL that queries are written in: how it spells names, literals and types.
///
/// What engines do with the same query was tried on each (`Tests/Engines`), but for `trino` and `ansi`.
public enum SQLDialect: String, CaseIterable, Sendable {
  case duckdb
  case sqlite
  case postgres
  case clickhouse
  case spark
  case trino
  case ansi
  /// What all engines have: only functions of which each engine makes the same.
  case portable

  /// The dialects of engines that are asked.
  public static let asked: [SQLDialect] = [.duckdb, .sqlite, .postgres, .clickhouse, .spark]

  /// Whether queries in it were proved on the engine.
  public var isProved: Bool { self != .trino && self != .ansi }

  /// Whether columns are written with the table that they belong to.
  ///
  /// ClickHouse takes a name for the value of the same query that is called so.
  var qualifiesColumns: Bool { self == .clickhouse }

  /// Whether an answer does not spell truths `true` and `false`.
  var spellsTruthsOtherwise: Bool { [.sqlite, .postgres, .clickhouse].contains(self) }

  /// Whether names in quotes that differ only in case are those of different columns.
  var tellsCase: Bool { self == .postgres || self == .clickhouse }

  /// Whether it has exact numbers with decimals.
  var hasDecimals: Bool { self != .sqlite }

  /// The name of the table, or of the query inside of a query, that columns are written with.
  static let table = "t"
}

/// The type of a value in a query.
enum SQLType: Equatable, Sendable {
  case int
  /// Exact, with at most this many decimals.
  case decimal(scale: Int)
  case double
  case text
  /// Text of a file that nothing says to be text: what it is depends on its use.
  case undeclared
  case bool
  case date
  case datetime
  /// Any other: it can be fetched, but not computed with.
  case other

  /// The type of the cells of a column that is declared.
  init(_ type: ValueType) {
    self =
      switch type {
      case .int: .int
      case .decimal: .decimal(scale: Self.columnScale)
      case .number, .double: .double
      case .text: .text
      case .bool: .bool
      case .date: .date
      case .datetime: .datetime
      case .duration, .size, .list, .object: .other
      }
  }

  /// The decimals that a column is taken to have if nothing says how many.
  static let columnScale = 6

  /// Whether it is a number.
  var isNumber: Bool {
    switch self {
    case .int, .decimal, .double: true
    case .text, .undeclared, .bool, .date, .datetime, .other: false
    }
  }

  /// Whether it is a date, or a date with a time.
  var isTime: Bool { self == .date || self == .datetime }

  /// The declared type of a column that holds such values; `nil` for what an expression cannot use.
  var valueType: ValueType? {
    switch self {
    case .int: .int
    case .decimal: .decimal
    case .double: .double
    case .text: .text
    case .bool: .bool
    case .date: .date
    case .datetime: .datetime
    case .undeclared, .other: nil
    }
  }

  /// Whether its values are texts there.
  var isText: Bool { self == .text || self == .undeclared }

  /// The decimals of a number; `nil` for a double and for what is no number.
  var scale: Int? {
    switch self {
    case .int: 0
    case .decimal(let scale): scale
    case .double, .text, .undeclared, .bool, .date, .datetime, .other: nil
    }
  }
}

// MARK: - Names

extension SQLDialect {
  /// A name as it is written, whatever it contains.
  ///
  /// SQLite takes `"x"` for a text if no column has that name, so it stands in backticks there.
  func name(_ name: String) -> String {
    let mark: Character = [.sqlite, .clickhouse, .spark].contains(self) ? "`" : "\""
    var quoted = String(mark)
    for character in name.unicodeScalars {
      switch character {
      case mark.unicodeScalars.first:
        quoted += self == .clickhouse ? "\\" + String(mark) : String(mark) + String(mark)
      case "\\" where self == .clickhouse: quoted += "\\\\"
      default: quoted.unicodeScalars.append(character)
      }
    }
    return quoted + String(mark)
  }

  /// A column as it is written.
  func column(_ name: String) -> String { (qualifiesColumns ? Self.table + "." : "") + self.name(name) }

  /// The parts of the name of a table, `public.orders`; a part in double quotes may hold dots: `"my.table"`.
  ///
  /// - Returns: `nil` if a part is empty.
  func tableParts(_ name: String) -> [String]? {
    var (parts, part) = ([String](), "")
    var (isQuoted, hasClosed) = (false, false)
    for character in name.unicodeScalars {
      switch character {
      case "\"" where isQuoted: (isQuoted, hasClosed) = (false, true)
      case "\"" where part.isEmpty && !hasClosed: isQuoted = true
      case "\"" where hasClosed:
        // A quote in quotes is written twice.
        part.unicodeScalars.append(character)
        (isQuoted, hasClosed) = (true, false)
      case "." where !isQuoted:
        parts.append(part)
        (part, hasClosed) = ("", false)
      default: part.unicodeScalars.append(character)
      }
    }
    parts.append(part)
    return isQuoted || parts.contains("") ? nil : parts
  }

  /// The name of a table, each part of which is quoted.
  func tableName(_ name: String) -> String {
    (tableParts(name) ?? [name]).map { self.name($0) }.joined(separator: ".")
  }
}

// MARK: - Literals

extension SQLDialect {
  /// A text as it is written; `nil` if it contains NUL, which engines lose or refuse.
  ///
  /// Backslashes are doubled where they escape. Spark replaces `${env:HOME}` even in texts, so `$` is escaped there;
  /// and its client leaves out lines that begin with `--`, even in texts, so line ends are.
  /// The clients of DuckDB and SQLite make LF of CR LF, so CR is joined in.
  func text(_ text: String) -> String? {
    // Postgres reads a backslash as itself or not as it is set up, but in such a text always as an escape.
    let isMarked = self == .postgres && text.unicodeScalars.contains { $0 == "\\" || $0 == "\r" }
    let escapes = self == .clickhouse || self == .spark || isMarked
    var quoted = isMarked ? "E'" : "'"
    var hasReturn = false
    for character in text.unicodeScalars {
      switch character {
      case "\0": return nil
      case "'" where escapes: quoted += "\\'"
      case "'": quoted += "''"
      case "\\" where escapes: quoted += "\\\\"
      case "$" where self == .spark: quoted += "\\u0024"
      case "\r" where escapes: quoted += "\\r"
      case "\n" where self == .spark: quoted += "\\n"
      case "\r" where self != .ansi && self != .portable:
        hasReturn = true
        quoted += "' || \(self == .sqlite ? "char" : "chr")(13) || '"
      default: quoted.unicodeScalars.append(character)
      }
    }
    quoted += "'"
    return hasReturn ? "(\(quoted))" : quoted
  }

  /// A double as it is written: with an exponent, or engines would make an exact number of it.
  func double(_ value: Double) -> String {
    if value.isInfinite, self == .sqlite { return value < 0 ? "-9e999" : "9e999" }
    if value.isNaN || value.isInfinite {
      return cast(value.isNaN ? "'NaN'" : value < 0 ? "'-Infinity'" : "'Infinity'", to: .double)
    }
    let digits = "\(value)"
    let written = digits.contains("e") ? digits : digits + "e0"
    return self == .spark ? written + "D" : written
  }

  /// True or false.
  func bool(_ truth: Bool) -> String {
    truth ? "TRUE" : "FALSE"
  }

  /// A date, or a date with a time, in the spelling of ISO 8601.
  func time(_ spelling: String, isDate: Bool) -> String {
    let text = "'\(isDate ? spelling : String(spelling.map { $0 == "T" ? " " : $0 }))'"
    switch self {
    case .sqlite: return text
    case .clickhouse: return isDate ? "toDate32(\(text))" : "toDateTime64(\(text), 6)"
    case .duckdb, .postgres, .spark, .trino, .ansi, .portable: return (isDate ? "DATE " : "TIMESTAMP ") + text
    }
  }

  /// A value as another type.
  func cast(_ value: String, to type: SQLType) -> String {
    self == .clickhouse
      ? "CAST(\(value) AS Nullable(\(typeName(type))))" : "CAST(\(value) AS \(typeName(type)))"
  }

  /// The name of a type.
  func typeName(_ type: SQLType) -> String {
    switch (type, self) {
    case (.int, .clickhouse): "Int64"
    case (.int, .sqlite): "INTEGER"
    case (.int, _): "BIGINT"
    case (.decimal(let scale), .clickhouse): "Decimal(38, \(scale))"
    case (.decimal, .postgres): "NUMERIC"
    case (.decimal(let scale), _): "DECIMAL(38, \(scale))"
    case (.double, .clickhouse): "Float64"
    case (.double, .sqlite): "REAL"
    case (.double, .postgres), (.double, .ansi), (.double, .portable): "DOUBLE PRECISION"
    case (.double, _): "DOUBLE"
    case (.text, .clickhouse), (.undeclared, .clickhouse): "String"
    case (.text, .spark), (.undeclared, .spark): "STRING"
    case (.text, .sqlite), (.undeclared, .sqlite), (.text, .postgres), (.undeclared, .postgres): "TEXT"
    case (.text, _), (.undeclared, _), (.other, _): "VARCHAR"
    case (.bool, .clickhouse): "Bool"
    case (.bool, .sqlite): "INTEGER"
    case (.bool, _): "BOOLEAN"
    case (.date, .clickhouse): "Date32"
    case (.date, .sqlite), (.datetime, .sqlite): "TEXT"
    case (.date, _): "DATE"
    case (.datetime, .clickhouse): "DateTime64(6)"
    case (.datetime, _): "TIMESTAMP"
    }
  }
}
