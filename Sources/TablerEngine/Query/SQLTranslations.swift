/// How functions and operators are written in the dialects, if they give what they give here.
///
/// `Tests/Engines` asks the engines for them. A function that is not listed for a dialect is refused there.
enum SQLTranslations {
  /// The template of a function: `name/2` for two arguments, `name/2@int` if the first that has a type is an int.
  ///
  /// `{0}` is the first argument, `{…}` all of them, `{s}` the most decimals of one.
  static func template(_ key: String, _ dialect: SQLDialect) -> String? {
    spellings[key]?.template(dialect)
  }

  /// The functions and operators that are listed, without the kinds of their arguments.
  static let names = Set(spellings.keys.map { $0.prefix { $0 != "/" || spellings[String($0)] != nil } })

  /// The types of values that do not follow from those of the arguments.
  static let results: [String: SQLType] = [
    "count": .int, "distinct": .int, "length": .int, "position": .int, "sign": .int,
    "mean": .double, "median": .double, "percentile": .double, "stddev": .double,
    "sqrt": .double, "cbrt": .double, "exp": .double, "ln": .double, "log10": .double, "log2": .double,
    "log": .double, "pi": .double, "sin": .double, "cos": .double, "tan": .double, "asin": .double,
    "acos": .double, "atan": .double, "atan2": .double,
    "year": .int, "month": .int, "day": .int, "hour": .int, "minute": .int, "second": .int, "weekday": .int,
    "week": .int, "yearday": .int, "date": .date, "datetime": .datetime,
    "all": .bool, "any": .bool,
  ]

  private static let spellings: [String: SQLSpelling] = [
    operators, aggregates, choices, texts, patterns, numbers, conversions, times, truncations,
    shifts,
  ]
  .reduce([:]) { $0.merging($1) { one, _ in one } }

  private static let operators: [String: SQLSpelling] = [
    "//@int": SQLSpelling(
      duckdb: "{0} // NULLIF({1}, 0)", sqlite: "{0} / NULLIF({1}, 0)", postgres: "{0} / NULLIF({1}, 0)",
      clickhouse: "intDiv({0}, NULLIF({1}, 0))", spark: "{0} DIV NULLIF({1}, 0)"),
    "//@double": SQLSpelling(
      "TRUNC(CAST({0} AS DOUBLE PRECISION) / NULLIF({1}, 0))",
      duckdb: "TRUNC(CAST({0} AS DOUBLE) / NULLIF({1}, 0))", sqlite: "TRUNC({0} / NULLIF({1}, 0))",
      clickhouse: "trunc(toFloat64({0}) / NULLIF(toFloat64({1}), 0))",
      spark: "({0} / NULLIF({1}, 0) - {0} / NULLIF({1}, 0) % 1)"),
    "//@decimal": SQLSpelling(
      duckdb: "CAST(ROUND(({0} - {0} % NULLIF({1}, 0)) / NULLIF({1}, 0)) AS HUGEINT)",
      postgres: "DIV({0}, NULLIF({1}, 0))",
      clickhouse: "intDiv(toDecimal128({0}, {s}), NULLIF(toDecimal128({1}, {s}), 0))",
      spark: "{0} DIV NULLIF({1}, 0)"),
    "%@int": SQLSpelling("{0} % NULLIF({1}, 0)"),
    "%@double": SQLSpelling(
      duckdb: "{0} % NULLIF({1}, 0)", sqlite: "MOD({0}, NULLIF({1}, 0))", spark: "{0} % NULLIF({1}, 0)"),
    "%@decimal": SQLSpelling(
      "{0} % NULLIF({1}, 0)", clickhouse: "(toDecimal128({0}, {s}) % NULLIF(toDecimal128({1}, {s}), 0))"),
    "^@int": SQLSpelling(
      "CASE WHEN {0} <> 0 OR {1} >= 0 THEN POWER(CAST({0} AS DOUBLE PRECISION), {1}) END",
      duckdb: "CASE WHEN {0} <> 0 OR {1} >= 0 THEN POWER(CAST({0} AS DOUBLE), {1}) END",
      sqlite: "CASE WHEN {0} <> 0 OR {1} >= 0 THEN POWER({0}, {1}) END",
      clickhouse: "CASE WHEN {0} <> 0 OR {1} >= 0 THEN POWER(toFloat64({0}), {1}) END",
      spark: "CASE WHEN {0} <> 0 OR {1} >= 0 THEN POWER(CAST({0} AS DOUBLE), {1}) END"),
    "^@double": power, "^@decimal": power,
  ]

  /// A power, null outside of its domain.
  private static let power: SQLSpelling = {
    func template(_ type: String) -> String {
      let domain = "{0} > 0 OR ({0} = 0 AND {1} >= 0) OR ({0} < 0 AND {1} = FLOOR({1}))"
      return "CASE WHEN \(domain) THEN POWER(CAST({0} AS \(type)), CAST({1} AS \(type))) END"
    }
    return SQLSpelling(
      template("DOUBLE PRECISION"), duckdb: template("DOUBLE"), sqlite: template("REAL"),
      clickhouse: template("Nullable(Float64)"), spark: template("DOUBLE"))
  }()

  private static let aggregates: [String: SQLSpelling] = {
    func extreme(_ name: String) -> SQLSpelling {
      SQLSpelling("\(name.uppercased())({0})", clickhouse: "\(name)OrNull({0})")
    }
    func textExtreme(_ name: String) -> SQLSpelling {
      SQLSpelling(
        "\(name.uppercased())({0})", postgres: "\(name.uppercased())({0} COLLATE \"C\")",
        clickhouse: "\(name)OrNull({0})")
    }
    return [
      "count/1": SQLSpelling("COUNT({0})"), "distinct/1": SQLSpelling("COUNT(DISTINCT {0})"),
      "sum/1": SQLSpelling("SUM({0})", clickhouse: "sumOrNull({0})"),
      "sum/1@int": SQLSpelling(
        "SUM({0})", clickhouse: "sumOrNull(toInt256({0}))", spark: "SUM(CAST({0} AS DECIMAL(38, 0)))"),
      "min/1": extreme("min"), "max/1": extreme("max"),
      "min/1@text": textExtreme("min"), "max/1@text": textExtreme("max"),
      "mean/1": SQLSpelling("AVG({0})", clickhouse: "avgOrNull(toFloat64({0}))"),
      "mean/1@decimal": SQLSpelling(
        "AVG({0})", clickhouse: "avgOrNull(toFloat64({0}))", spark: "AVG(CAST({0} AS DOUBLE))"),
      "median/1": SQLSpelling(
        duckdb: "MEDIAN(CAST({0} AS DOUBLE))",
        postgres: "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY CAST({0} AS DOUBLE PRECISION))",
        clickhouse: "quantileExactInclusiveOrNull(0.5)(toFloat64({0}))", spark: "MEDIAN(CAST({0} AS DOUBLE))"),
      "percentile/2": SQLSpelling(
        duckdb: "QUANTILE_CONT(CAST({0} AS DOUBLE), {1})",
        postgres: "PERCENTILE_CONT({1}) WITHIN GROUP (ORDER BY CAST({0} AS DOUBLE PRECISION))",
        clickhouse: "quantileExactInclusiveOrNull({1})(toFloat64({0}))",
        spark: "PERCENTILE(CAST({0} AS DOUBLE), {1})"),
      "stddev/1": SQLSpelling(
        duckdb: "STDDEV_SAMP({0})", postgres: "STDDEV_SAMP(CAST({0} AS DOUBLE PRECISION))",
        clickhouse: "if(count({0}) > 1, stddevSampStable(toFloat64({0})), NULL)",
        spark: "STDDEV_SAMP(CAST({0} AS DOUBLE))"),
      "stddev/1@decimal": SQLSpelling(
        duckdb: "STDDEV_SAMP(CAST({0} AS DOUBLE))",
        postgres: "STDDEV_SAMP(CAST({0} AS DOUBLE PRECISION))",
        clickhouse: "if(count({0}) > 1, stddevSampStable(toFloat64({0})), NULL)",
        spark: "STDDEV_SAMP(CAST({0} AS DOUBLE))"),
      "all/1": SQLSpelling(
        "COALESCE(BOOL_AND({0}), TRUE)", sqlite: "COALESCE(MIN({0}), 1)",
        clickhouse: "COALESCE(minOrNull({0}), 1)"),
      "any/1": SQLSpelling(
        "COALESCE(BOOL_OR({0}), FALSE)", sqlite: "COALESCE(MAX({0}), 0)",
        clickhouse: "COALESCE(maxOrNull({0}), 0)"),
    ]
  }()

  private static let choices: [String: SQLSpelling] = [
    "nullif/2": SQLSpelling("NULLIF({0}, {1})"),
    "least": SQLSpelling("LEAST({…})", sqlite: "MIN({…})"),
    "greatest": SQLSpelling("GREATEST({…})", sqlite: "MAX({…})"),
  ]

  private static let texts: [String: SQLSpelling] = [
    "length/1": SQLSpelling(
      "CHAR_LENGTH({0})", duckdb: "LENGTH({0})", sqlite: "LENGTH({0})", clickhouse: "lengthUTF8({0})"),
    // Engines differ in the letters whose case is more than a letter, or depends on others.
    "lower/1": SQLSpelling(
      duckdb: "LOWER(REPLACE({0}, 'İ', 'i̇'))",
      postgres: "LOWER(REPLACE({0}, 'Σ', 'σ') COLLATE \"und-x-icu\")",
      clickhouse: "lowerUTF8(replaceAll({0}, 'Σ', 'σ'))", spark: "LOWER(REPLACE({0}, 'Σ', 'σ'))"),
    // DuckDB keeps the scalars that have two capitals, as ﬁ has.
    "upper/1": SQLSpelling(
      postgres: "UPPER({0} COLLATE \"und-x-icu\")",
      clickhouse: "upperUTF8({0})", spark: "UPPER({0})"),
    "trim/1": SQLSpelling(
      "TRIM({0})", duckdb: "TRIM({0}, ' ')", postgres: "BTRIM({0}, ' ')", clickhouse: "trimBoth({0})"),
    "ltrim/1": SQLSpelling(
      "LTRIM({0})", duckdb: "LTRIM({0}, ' ')", postgres: "LTRIM({0}, ' ')", clickhouse: "trimLeft({0})"),
    "rtrim/1": SQLSpelling(
      "RTRIM({0})", duckdb: "RTRIM({0}, ' ')", postgres: "RTRIM({0}, ' ')", clickhouse: "trimRight({0})"),
    "trim/2": SQLSpelling(
      duckdb: "TRIM({0}, {1})", sqlite: "TRIM({0}, {1})", postgres: "BTRIM({0}, {1})",
      clickhouse: "trimBoth({0}, {1})", spark: "TRIM(BOTH {1} FROM {0})"),
    "ltrim/2": SQLSpelling(
      duckdb: "LTRIM({0}, {1})", sqlite: "LTRIM({0}, {1})", postgres: "LTRIM({0}, {1})",
      clickhouse: "trimLeft({0}, {1})", spark: "TRIM(LEADING {1} FROM {0})"),
    "rtrim/2": SQLSpelling(
      duckdb: "RTRIM({0}, {1})", sqlite: "RTRIM({0}, {1})", postgres: "RTRIM({0}, {1})",
      clickhouse: "trimRight({0}, {1})", spark: "TRIM(TRAILING {1} FROM {0})"),
    "replace/3": SQLSpelling("REPLACE({0}, {1}, {2})", clickhouse: "replaceAll({0}, {1}, {2})"),
    "substr/2": SQLSpelling("SUBSTR({0}, {1})", clickhouse: "substringUTF8({0}, {1})"),
    "substr/3": SQLSpelling("SUBSTR({0}, {1}, {2})", clickhouse: "substringUTF8({0}, {1}, {2})"),
    "left/2": SQLSpelling(
      "LEFT({0}, {1})", sqlite: "SUBSTR({0}, 1, {1})", clickhouse: "leftUTF8({0}, {1})"),
    "right/2": SQLSpelling("RIGHT({0}, {1})", sqlite: "SUBSTR({0}, -{1})", clickhouse: "rightUTF8({0}, {1})"),
    "split_part/3": SQLSpelling(
      duckdb: "SPLIT_PART({0}, {1}, {2})", postgres: "SPLIT_PART({0}, {1}, {2})",
      clickhouse: "if({0} IS NULL, NULL, splitByString({1}, assumeNotNull({0}))[{2}])",
      spark: "SPLIT_PART({0}, {1}, {2})"),
    "contains/2": SQLSpelling(
      duckdb: "CONTAINS({0}, {1})", sqlite: "INSTR({0}, {1}) > 0", postgres: "STRPOS({0}, {1}) > 0",
      clickhouse: "position({0}, {1}) > 0", spark: "CONTAINS({0}, {1})"),
    "starts_with/2": SQLSpelling(
      duckdb: "STARTS_WITH({0}, {1})", sqlite: "SUBSTR({0}, 1, LENGTH({1})) = {1}",
      postgres: "STARTS_WITH({0}, {1})", clickhouse: "startsWith({0}, {1})", spark: "STARTSWITH({0}, {1})"),
    "ends_with/2": SQLSpelling(
      duckdb: "ENDS_WITH({0}, {1})",
      sqlite: "LENGTH({0}) >= LENGTH({1}) AND SUBSTR({0}, LENGTH({0}) - LENGTH({1}) + 1) = {1}",
      postgres: "RIGHT({0}, CHAR_LENGTH({1})) = {1}", clickhouse: "endsWith({0}, {1})",
      spark: "ENDSWITH({0}, {1})"),
    "position/2": SQLSpelling(
      duckdb: "STRPOS({0}, {1})", sqlite: "INSTR({0}, {1})", postgres: "STRPOS({0}, {1})",
      clickhouse: "positionUTF8({0}, {1})", spark: "INSTR({0}, {1})"),
    "repeat/2": SQLSpelling(
      duckdb: "REPEAT({0}, {1})", sqlite: "REPLACE(HEX(ZEROBLOB({1})), '00', {0})",
      postgres: "REPEAT({0}, {1})", clickhouse: "repeat({0}, {1})", spark: "REPEAT({0}, {1})"),
    "concat_ws": SQLSpelling(
      duckdb: "CONCAT_WS({…})", postgres: "CONCAT_WS({…})", spark: "CONCAT_WS({…})"),
  ]

  private static let patterns: [String: SQLSpelling] = [
    "matches/2": SQLSpelling(
      duckdb: "REGEXP_MATCHES({0}, {1})", postgres: "{0} ~ {1}", clickhouse: "match({0}, {1})",
      spark: "{0} RLIKE {1}")
  ]

  private static let numbers: [String: SQLSpelling] = {
    func of(positive name: String, postgres: String? = nil) -> SQLSpelling {
      let test = "CASE WHEN {0} > 0 THEN"
      return SQLSpelling(
        "\(test) \(name)({0}) END",
        postgres: "\(test) \(postgres ?? name)(CAST({0} AS DOUBLE PRECISION)) END")
    }
    func within(_ name: String) -> SQLSpelling {
      SQLSpelling("CASE WHEN {0} BETWEEN -1 AND 1 THEN \(name)({0}) END")
    }
    let half =
      "(TRUNC({0}) + CASE WHEN {0} - TRUNC({0}) >= 0.5e0 THEN 1 WHEN {0} - TRUNC({0}) <= -0.5e0 THEN -1 ELSE 0 END)"
    let exact = "COALESCE(CAST(ROUND(TRY_CAST(CAST({0} AS VARCHAR) AS DECIMAL(38, 22)), {1}) AS DOUBLE), {0})"
    return [
      "abs/1": SQLSpelling("ABS({0})"), "sign/1": SQLSpelling("SIGN({0})"),
      "floor/1": SQLSpelling("FLOOR({0})"), "floor/1@int": SQLSpelling("{0}"),
      "floor/1@double": SQLSpelling(
        "FLOOR({0})", spark: "CASE WHEN ABS({0}) < 4503599627370496e0D THEN FLOOR({0}) ELSE {0} END"),
      "ceil/1": SQLSpelling("CEIL({0})"), "ceil/1@int": SQLSpelling("{0}"),
      "ceil/1@double": SQLSpelling(
        "CEIL({0})", spark: "CASE WHEN ABS({0}) < 4503599627370496e0D THEN CEIL({0}) ELSE {0} END"),
      "round/1@int": SQLSpelling("{0}"), "round/1@decimal": SQLSpelling("ROUND({0})"),
      "round/1@double": SQLSpelling(
        duckdb: "ROUND({0})", sqlite: half, postgres: half, clickhouse: half, spark: "ROUND({0})"),
      "round/2@int": SQLSpelling(
        "CAST({0} AS DECIMAL(38, {1}))", postgres: "CAST({0} AS NUMERIC(38, {1}))",
        clickhouse: "toDecimal128({0}, {1})", without: [.sqlite]),
      "round/2@decimal": SQLSpelling(
        "CAST(ROUND({0}, {1}) AS DECIMAL(38, {1}))", postgres: "ROUND({0}, {1})",
        clickhouse: "CAST(round({0}, {1}) AS Nullable(Decimal(38, {1})))"),
      "round/2@double": SQLSpelling(
        duckdb: exact,
        postgres: "CAST(ROUND(CAST(CAST({0} AS TEXT) AS NUMERIC), {1}) AS DOUBLE PRECISION)",
        clickhouse: "COALESCE(toFloat64(round(toDecimal128OrNull(toString({0}), 22), {1})), {0})",
        spark: "ROUND({0}, {1})"),
      "trunc/1@int": SQLSpelling("{0}"), "trunc/1": SQLSpelling("TRUNC({0})", spark: "{0} - {0} % 1"),
      "sqrt/1": SQLSpelling("CASE WHEN {0} >= 0 THEN SQRT({0}) END"),
      "cbrt/1": SQLSpelling(
        duckdb: "CBRT({0})", postgres: "CBRT(CAST({0} AS DOUBLE PRECISION))", clickhouse: "cbrt({0})",
        spark: "CBRT({0})"),
      "exp/1": SQLSpelling("EXP({0})", postgres: "EXP(CAST({0} AS DOUBLE PRECISION))"),
      "ln/1": of(positive: "LN"), "log10/1": of(positive: "LOG10", postgres: "LOG"),
      "log2/1": SQLSpelling(
        "CASE WHEN {0} > 0 THEN LOG2({0}) END",
        postgres:
          "CASE WHEN {0} > 0 THEN LN(CAST({0} AS DOUBLE PRECISION)) / LN(CAST(2 AS DOUBLE PRECISION)) END"),
      "log/2": SQLSpelling(
        "CASE WHEN {0} > 0 AND {0} <> 1 AND {1} > 0 THEN LN({1}) / LN({0}) END",
        postgres: """
          CASE WHEN {0} > 0 AND {0} <> 1 AND {1} > 0 \
          THEN LN(CAST({1} AS DOUBLE PRECISION)) / LN(CAST({0} AS DOUBLE PRECISION)) END
          """),
      "sin/1": SQLSpelling("SIN({0})"), "cos/1": SQLSpelling("COS({0})"), "tan/1": SQLSpelling("TAN({0})"),
      "atan/1": SQLSpelling("ATAN({0})"), "asin/1": within("ASIN"), "acos/1": within("ACOS"),
      "atan2/2": SQLSpelling("ATAN2({0}, {1})"), "pi/0": SQLSpelling("PI()"),
      "clamp/3": SQLSpelling(
        """
        CASE WHEN {0} IS NOT NULL AND {1} IS NOT NULL AND {2} IS NOT NULL \
        THEN CASE WHEN {0} < {1} THEN {1} WHEN {0} > {2} THEN {2} ELSE {0} END END
        """),
      "is_nan/1": SQLSpelling("{0} <> {0}"),
      "is_nan/1@double": SQLSpelling(
        duckdb: "ISNAN({0})", sqlite: "{0} <> {0}", postgres: "{0} = CAST('NaN' AS DOUBLE PRECISION)",
        clickhouse: "isNaN({0})", spark: "CASE WHEN {0} IS NOT NULL THEN ISNAN({0}) END"),
    ]
  }()

  private static let conversions: [String: SQLSpelling] = {
    // Blanks and tabs may stand around a number; nothing else may, nor `1_0`, `inf` or `0x1F`.
    let number = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"
    let plain = "'^[ \t]*\(number)[ \t]*$'"
    let javaText = "'^[ \\t]*\(number)[ \\t]*\\\\z'"
    let text = SQLSpelling(
      duckdb: "CASE WHEN REGEXP_MATCHES({0}, \(plain)) THEN TRY_CAST(TRIM({0}, ' \t') AS DOUBLE) END",
      postgres: "CASE WHEN {0} ~ \(plain) THEN CAST(BTRIM({0}, ' \t') AS DOUBLE PRECISION) END",
      clickhouse: "if(match({0}, \(plain)), toFloat64OrNull(trimBoth({0}, ' \t')), NULL)",
      spark: "CASE WHEN {0} RLIKE \(javaText) THEN TRY_CAST(TRIM(BOTH ' \\t' FROM {0}) AS DOUBLE) END")
    let double = SQLSpelling(
      "CAST({0} AS DOUBLE)", sqlite: "CAST({0} AS REAL)", postgres: "CAST({0} AS DOUBLE PRECISION)",
      clickhouse: "toFloat64({0})")
    let truncated = SQLSpelling("TRUNC({0})", spark: "({0} - {0} % 1)")
    // What `--types` makes of texts. Whole numbers may be spelled `2.0` or `1e3`, so that they are decimals first; of
    // dates only the usual spelling is read.
    func whole(_ decimal: String, _ integer: String) -> String {
      "CASE WHEN \(decimal) = \(integer) THEN TRY_CAST(\(decimal) AS BIGINT) END"
    }
    let duckdbDecimal =
      "CASE WHEN REGEXP_MATCHES({0}, \(plain)) THEN TRY_CAST(TRIM({0}, ' \t') AS DECIMAL(38, 18)) END"
    let sparkDecimal =
      "CASE WHEN {0} RLIKE \(javaText) THEN TRY_CAST(TRIM(BOTH ' \\t' FROM {0}) AS DECIMAL(38, 18)) END"
    let postgresDecimal = "CASE WHEN {0} ~ \(plain) THEN CAST(BTRIM({0}, ' \t') AS NUMERIC) END"
    let int = SQLSpelling(
      duckdb: whole("(\(duckdbDecimal))", "TRUNC(\(duckdbDecimal))"),
      postgres: """
        CASE WHEN (\(postgresDecimal)) = TRUNC(\(postgresDecimal)) \
        AND (\(postgresDecimal)) BETWEEN -9223372036854775808 AND 9223372036854775807 \
        THEN CAST((\(postgresDecimal)) AS BIGINT) END
        """,
      clickhouse: """
        if(match({0}, \(plain)), toInt64OrNull(toString(toDecimal128OrNull(trimBoth({0}, ' \t'), 18))), NULL)
        """,
      spark: whole("(\(sparkDecimal))", "(\(sparkDecimal)) - (\(sparkDecimal)) % 1"))
    let day = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
    let date = SQLSpelling(
      duckdb:
        "CASE WHEN REGEXP_MATCHES({0}, '^[ \t]*\(day)[ \t]*$') THEN TRY_CAST(TRIM({0}, ' \t') AS DATE) END",
      postgres: """
        CASE WHEN {0} ~ '^[ \t]*[0-9][0-9][0-9][0-9]-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[ \t]*$' \
        AND BTRIM({0}, ' \t') >= '0001' AND CAST(SUBSTR(BTRIM({0}, ' \t'), 9, 2) AS int) <= EXTRACT(DAY FROM \
        TO_DATE(SUBSTR(BTRIM({0}, ' \t'), 1, 7), 'YYYY-MM') + INTERVAL '1 month' - INTERVAL '1 day') \
        THEN CAST(BTRIM({0}, ' \t') AS DATE) END
        """,
      clickhouse: """
        if(match({0}, '^[ \t]*\(day)[ \t]*$') AND toString(toDate32OrNull(trimBoth({0}, ' \t'))) = trimBoth({0}, ' \t'), \
        toDate32OrNull(trimBoth({0}, ' \t')), NULL)
        """,
      spark: """
        CASE WHEN {0} RLIKE '^[ \\t]*\(day)[ \\t]*\\\\z' THEN TRY_CAST(TRIM(BOTH ' \\t' FROM {0}) AS DATE) END
        """)
    return [
      "(int)@text": int, "(date)@text": date, "(decimal)@text": SQLSpelling(postgres: postgresDecimal),
      "number/1@text": text, "double/1@text": text, "number/1@int": SQLSpelling("{0}"),
      "number/1@decimal": SQLSpelling("{0}"),
      "number/1@double": SQLSpelling("{0}"), "double/1@int": double, "double/1@decimal": double,
      "double/1@double": double,
      "int/1@int": SQLSpelling("{0}"), "int/1@double": truncated, "int/1@decimal": truncated,
      "decimal/1@int": SQLSpelling("{0}"), "decimal/1@decimal": SQLSpelling("{0}"),
      "bool/1@text": SQLSpelling("CASE {0} WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END"),
      "bool/1@bool": SQLSpelling("{0}"),
      "is_number/1@text": SQLSpelling(
        duckdb: "COALESCE(REGEXP_MATCHES({0}, \(plain)), FALSE)",
        postgres: "COALESCE({0} ~ \(plain), FALSE)", clickhouse: "COALESCE(match({0}, \(plain)), FALSE)",
        spark: "COALESCE({0} RLIKE \(javaText), FALSE)"),
      "is_number/1@int": SQLSpelling("{0} IS NOT NULL"),
      "is_number/1@decimal": SQLSpelling("{0} IS NOT NULL"),
      "is_number/1@double": SQLSpelling("{0} IS NOT NULL"), "is_int/1@int": SQLSpelling("{0} IS NOT NULL"),
      "is_int/1@decimal": SQLSpelling(
        "COALESCE({0} = TRUNC({0}), FALSE)", spark: "COALESCE({0} % 1 = 0, FALSE)"),
      "is_int/1@double": SQLSpelling(
        "COALESCE({0} = TRUNC({0}) AND ABS({0}) < 9223372036854775808e0, FALSE)",
        spark: "COALESCE({0} % 1 = 0 AND ABS({0}) < 9223372036854775808e0D, FALSE)"),
      "is_bool/1@text": SQLSpelling("{0} IS NOT NULL AND {0} IN ('true', 'false')"),
      "is_bool/1@bool": SQLSpelling("{0} IS NOT NULL"),
      "date/1@date": SQLSpelling("{0}"),
      "date/1@datetime": SQLSpelling(
        "CAST({0} AS DATE)", sqlite: "DATE({0})", clickhouse: "toDate32({0})"),
      "datetime/1@datetime": SQLSpelling("{0}"),
      "datetime/1@date": SQLSpelling(
        "CAST({0} AS TIMESTAMP)", sqlite: "({0} || ' 00:00:00')", clickhouse: "toDateTime64({0}, 6)"),
    ]
  }()

  private static let times: [String: SQLSpelling] = {
    func part(
      _ name: String, sqlite: String? = nil, clickhouse: String, spark: String? = nil
    ) -> SQLSpelling {
      let common = "EXTRACT(\(name) FROM {0})"
      return SQLSpelling(
        common, sqlite: sqlite.map { "CAST(STRFTIME('\($0)', SUBSTR({0}, 1, 10)) AS INTEGER)" },
        clickhouse: "\(clickhouse)({0})", spark: spark ?? common, without: sqlite == nil ? [.sqlite] : [])
    }
    let none = SQLSpelling("CASE WHEN {0} IS NOT NULL THEN 0 END")
    return [
      "year/1": part("YEAR", sqlite: "%Y", clickhouse: "toYear"),
      "month/1": part("MONTH", sqlite: "%m", clickhouse: "toMonth"),
      "day/1": part("DAY", sqlite: "%d", clickhouse: "toDayOfMonth"),
      "hour/1@datetime": part("HOUR", clickhouse: "toHour"), "hour/1@date": none,
      "minute/1@datetime": part("MINUTE", clickhouse: "toMinute"), "minute/1@date": none,
      "second/1@datetime": SQLSpelling(
        duckdb: "EXTRACT(SECOND FROM {0})", postgres: "FLOOR(EXTRACT(SECOND FROM {0}))",
        clickhouse: "toSecond({0})", spark: "SECOND({0})"),
      "second/1@date": none,
      "weekday/1": part("ISODOW", clickhouse: "toDayOfWeek", spark: "(WEEKDAY({0}) + 1)"),
      "week/1": part("WEEK", clickhouse: "toISOWeek", spark: "WEEKOFYEAR({0})"),
      "yearday/1": part("DOY", sqlite: "%j", clickhouse: "toDayOfYear", spark: "DAYOFYEAR({0})"),
    ]
  }()

  /// `date_trunc()`, by its unit.
  private static let truncations: [String: SQLSpelling] = {
    var all: [String: SQLSpelling] = ["date_trunc/day@date": SQLSpelling("{0}")]
    let beginnings = [
      "year": "toYear({0}), 1, 1", "quarter": "toYear({0}), toQuarter({0}) * 3 - 2, 1",
      "month": "toYear({0}), toMonth({0}), 1", "day": "toYear({0}), toMonth({0}), toDayOfMonth({0})",
    ]
    let sqliteDays = [
      "year": "STRFTIME('%Y-01-01', {0})", "month": "STRFTIME('%Y-%m-01', {0})",
      "week": "DATE({0}, '-6 days', 'weekday 1')",
    ]
    for unit in ["year", "quarter", "month", "week"] {
      all["date_trunc/\(unit)@date"] = SQLSpelling(
        duckdb: "CAST(DATE_TRUNC('\(unit)', {0}) AS DATE)", sqlite: sqliteDays[unit],
        postgres: "CAST(DATE_TRUNC('\(unit)', {0}) AS DATE)",
        clickhouse: beginnings[unit].map { "makeDate32(\($0))" }
          ?? "(toDate32({0}) - (toDayOfWeek({0}) - 1))",
        spark: "TRUNC({0}, '\(unit.uppercased())')")
    }
    let clocks = [
      "hour": "toHour({0}), 0, 0", "minute": "toHour({0}), toMinute({0}), 0",
      "second": "toHour({0}), toMinute({0}), toSecond({0})",
    ]
    for unit in ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] {
      let beginning = beginnings[unit] ?? beginnings["day"] ?? ""
      let clickhouse = "makeDateTime64(\(beginning), \(clocks[unit] ?? "0, 0, 0"))"
      all["date_trunc/\(unit)@datetime"] = SQLSpelling(
        duckdb: "CAST(DATE_TRUNC('\(unit)', {0}) AS TIMESTAMP)", postgres: "DATE_TRUNC('\(unit)', {0})",
        clickhouse: unit == "week" ? "toDateTime64(toDate32({0}) - (toDayOfWeek({0}) - 1), 6)" : clickhouse,
        spark: "DATE_TRUNC('\(unit.uppercased())', {0})")
    }
    return all
  }()

  /// `date_add()` and `date_diff()`, by the unit.
  private static let shifts: [String: SQLSpelling] = {
    var all: [String: SQLSpelling] = [
      "date_diff/day@date": SQLSpelling(
        duckdb: "({1} - {0})", postgres: "({1} - {0})", clickhouse: "dateDiff('day', {0}, {1})",
        spark: "DATEDIFF({1}, {0})"),
      "date_diff/day@datetime": SQLSpelling(
        duckdb: "DATE_SUB('day', {0}, {1})", postgres: "TRUNC(EXTRACT(EPOCH FROM {1} - {0}) / 86400)",
        clickhouse: "age('day', {0}, {1})", spark: "TIMESTAMPDIFF(DAY, {0}, {1})"),
    ]
    let days = ["day": 1, "week": 7]
    let months = ["month": 1, "quarter": 3, "year": 12]
    for (unit, count) in days.merging(months, uniquingKeysWith: { one, _ in one }) {
      let amount = count == 1 ? "{1}" : "{1} * \(count)"
      let interval = days[unit] != nil ? "\(count) day" : "\(count) month"
      let name = unit.prefix(1).uppercased() + unit.dropFirst()
      all["date_add/\(unit)@date"] = SQLSpelling(
        duckdb: "CAST({0} + TO_\(unit.uppercased())S(CAST({1} AS INTEGER)) AS DATE)",
        postgres: "CAST({0} + {1} * INTERVAL '\(interval)' AS DATE)",
        clickhouse: "add\(name)s(toDate32({0}), {1})",
        spark: "\(days[unit] != nil ? "DATE_ADD" : "ADD_MONTHS")({0}, CAST(\(amount) AS INT))")
    }
    for unit in ["day", "week", "month", "year", "hour", "minute", "second"] {
      let name = unit.prefix(1).uppercased() + unit.dropFirst()
      all["date_add/\(unit)@datetime"] = SQLSpelling(
        duckdb: "({0} + TO_\(unit.uppercased())S(CAST({1} AS INTEGER)))",
        postgres: "({0} + {1} * INTERVAL '1 \(unit)')", clickhouse: "add\(name)s({0}, {1})",
        spark: "TIMESTAMPADD(\(unit.uppercased()), CAST({1} AS INT), {0})")
    }
    return all
  }()
}

/// How one function is written in the dialects.
struct SQLSpelling: Sendable {
  /// The template of dialects that have none of their own; `nil` if these refuse the function.
  private let common: String?
  private let own: [SQLDialect: String]
  private let refused: Set<SQLDialect>

  init(
    _ common: String? = nil, duckdb: String? = nil, sqlite: String? = nil, postgres: String? = nil,
    clickhouse: String? = nil, spark: String? = nil, without refused: Set<SQLDialect> = []
  ) {
    self.common = common
    let all: [(SQLDialect, String?)] = [
      (.duckdb, duckdb), (.sqlite, sqlite), (.postgres, postgres), (.clickhouse, clickhouse),
      (.spark, spark),
    ]
    own = Dictionary(uniqueKeysWithValues: all.compactMap { dialect, text in text.map { (dialect, $0) } })
    self.refused = refused
  }

  /// The template of a dialect.
  func template(_ dialect: SQLDialect) -> String? {
    refused.contains(dialect) ? nil : own[dialect] ?? common
  }
}
