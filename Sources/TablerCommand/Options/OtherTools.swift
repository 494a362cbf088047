import TablerEngine

/// The names that other tools and languages have for things that are named differently here.
///
/// It is only used if a name is unknown, before the nearest name is searched for. Each entry has what is
/// written here, and the words that mean it elsewhere; a test checks that everything named here exists.
enum OtherTools {
  /// The option, perhaps with a value, that other tools call `name`, which has no dashes.
  static func option(_ name: String) -> String? { meaning(of: name.lowercased(), in: options) }

  /// Whether other tools take a condition after an option called `name`, which has no dashes.
  static func isCondition(_ name: String) -> Bool {
    ["where", "when", "if", "condition", "query", "expr", "expression", "rows-where"].contains(
      name.lowercased())
  }

  /// The option of a letter that other tools have.
  static func option(letter: Unicode.Scalar) -> String? { meaning(of: String(letter), in: letters) }

  /// The function or expression that other languages call `name`.
  static func function(_ name: String) -> String? { meaning(of: name.lowercased(), in: functions) }

  /// The function that is a variable elsewhere: `NR`.
  static func variable(_ name: String) -> String? { meaning(of: name.lowercased(), in: variables) }

  /// The flag of a sort key that other tools call `name`.
  static func sortFlag(_ name: String) -> String? { meaning(of: name.lowercased(), in: sortFlags) }

  /// The type that other languages call `name`.
  static func type(_ name: String) -> String? { meaning(of: name.lowercased(), in: types) }

  /// The alignment that other tools call `name`.
  static func alignment(_ name: String) -> String? { meaning(of: name.lowercased(), in: alignments) }

  /// The spelling here, and those of other tools, separated by blanks.
  typealias Entry = (here: String, elsewhere: String)

  private static func meaning(of name: String, in entries: [Entry]) -> String? {
    entries.first { $0.elsewhere.split(separator: " ").contains { $0 == name } }?.here
  }
}

// MARK: - Options

extension OtherTools {
  /// Options of csvkit, xsv, xan, qsv, Miller, jq, sqlite3, duckdb, psql, mysql, column, csvlook, csvview, nushell,
  /// datamash, awk, cut, sort and pandas.
  static let options: [Entry] = [
    ("--filter", "where query match grep regex regexp search expr expression if condition rows-where"),
    ("--group-by", "group groupby group_by stats1"),
    ("--aggregate", "agg aggs summarise aggregations"),
    ("--unpivot", "melt pivot-longer pivot_longer gather wide-to-long"),
    ("--explode", "unnest unwind flatten-lists lateral"),
    ("--summary", "describe summarize stats statistics profile"),
    ("--sort", "sort-by sortby order-by orderby key keys sort-key sort-column by ordered"),
    ("--sort -KEY", "desc descending sort-desc sort-reverse invert"),
    ("--sort KEY:number", "numeric numeric-sort general-numeric-sort sort-numeric"),
    ("--sort KEY:natural", "natural natural-sort"),
    ("--sort KEY:version", "version-sort"),
    ("--sort KEY:size", "human-numeric-sort human-sort"),
    ("--sort KEY:nocase", "ignore-case case-insensitive no-case"),
    ("--sorted-by", "check check-sorted is-sorted"),
    ("--memory", "buffer-size memory-limit max-memory"),
    (
      "--head",
      "limit top take max-rows rows nrows lines num first first-rows max-lines head-rows max-records"
    ),
    ("--tail", "last bottom last-rows tail-rows"),
    ("--skip", "offset skip-rows skip-records start drop-rows"),
    ("--skip-lines", "skiprows skip-header-lines preamble-lines"),
    (
      "--columns",
      "cols column col field fields only keep pick include choose project table-order max-columns cut"
    ),
    (
      "--hide",
      "drop exclude not-columns remove reject omit complement table-hide hide-columns drop-columns"
    ),
    ("--row-numbers", "line-numbers linenumbers number numbers numbering index show-index row-index"),
    ("--row-names", "index-column table-tree"),
    ("--max-fields", "maxsplit max-split split-limit limit-fields"),
    ("--span", "spanner tab-spanner spanners group-header header-groups column-groups"),
    (
      "--merge-repeats",
      "group-repeats suppress-repeats collapse-rows merge-cells merge-rows sparsify break-on"
    ),
    ("--align", "alignment table-right body-align header-align justify right-align"),
    ("--missing", "nullvalue null-string na-rep empty placeholder show-null"),
    ("--null", "na na-value na-values null-value null-values nan"),
    ("--format", "number-format float-format floatfmt formatter ofmt"),
    ("--arg", "var variable param parameter assign argstr set-variable define"),
    ("--move", "reorder-rows"),
    (
      "--delimiter",
      "delim sep field-separator fieldsep input-delimiter input-separator ifs field-delimiter fs separator-in"
    ),
    ("--output-delimiter", "ofs out-delimiter output-field-separator csv-delimiter"),
    ("--separator", "output-separator column-separator col-sep"),
    ("--quote", "quotechar quote-char quotemark"),
    ("--escape", "escapechar escape-char"),
    ("--lazy-quotes", "lazyquotes loose relaxed"),
    ("--encoding", "charset input-encoding codepage"),
    ("--ragged fill", "allow-ragged allow-ragged-csv-input flexible fillrows unsparsify"),
    (
      "--no-header-in",
      "no-headers no-header-row noheader headerless headerless-csv-input implicit-csv-header no-input-header"
    ),
    ("--names", "table-columns header-names column-names colnames"),
    ("--from", "input-format informat iformat input-type"),
    ("--from csv", "icsv csvlite input-csv from-csv"),
    ("--from tsv", "tabs itsv tab from-tsv input-tsv"),
    ("--from json", "ijson from-json input-json"),
    ("--from jsonl", "ijsonl from-jsonl from-ndjson json-lines-in"),
    ("--from words", "whitespace ipprint inidx blank-separated ssv from-ssv"),
    ("--comment", "comments comment-char pass-comments skip-comments"),
    ("--to", "output-format outformat oformat format-out output-type mode to-format"),
    ("--text", "pretty pprint opprint c2p plain human print-table"),
    ("--markdown", "md c2m omd gfm to-md to-markdown markdown-table"),
    ("--html", "ohtml to-html c2h"),
    ("--csv", "ocsv to-csv csv-output"),
    ("--tsv", "otsv c2t to-tsv tab-separated"),
    ("--json", "ojson c2j to-json json-output json-array"),
    ("--jsonl", "ndjson json-lines jsonlines ojsonl c2l to-jsonl compact-output ldjson json-seq"),
    ("--output", "out outfile output-file save save-as to-file"),
    ("--list", "no-grid no-stack no-detail simple borderless-table"),
    ("--grid", "box barred boxed framed frame ascii-table psql-table expand-grid fancy bordered duckbox"),
    (
      "--detail",
      "vertical expanded extended xtab oxtab oxtab-out record records card cards line long one-per-line"
    ),
    ("--border none", "no-border noborder borderless no-frame no-borders no-lines no-rules"),
    ("--border", "style theme table-style borders border-style box-style tablefmt linestyle"),
    ("--row-rules", "row-lines row-separators hlines horizontal-lines row-separator"),
    ("--width", "output-width max-width terminal-width wrap-width maxwidth line-length columns-width"),
    ("--grid-items", "column-widths col-widths colwidths column-width col-width widths maxcolwidths"),
    ("--overflow wrap", "wrap table-wrap word-wrap wrap-text"),
    (
      "--overflow truncate", "no-wrap nowrap truncate table-truncate trunc cut-text ellipsis max-column-width"
    ),
    ("--overflow scroll", "no-truncate notruncate no-trunc"),
    ("--single-line", "one-line oneline singleline"),
    ("--lookahead", "sniff-limit sniff look-ahead infer-rows infer-length"),
    ("--follow", "stream live unbuffered line-buffered watch"),
    (
      "--no-header",
      "headerless-csv-output tuples-only table-noheadings no-output-header no-headings no-titles"
    ),
    ("--header-in", "headers has-header header-row first-line-header csv-header"),
    ("--footer totals", "total totals sum sums show-totals margins"),
    ("--title", "heading table-name name caption-title"),
    ("--item-padding", "padding cell-padding"),
    ("--table-padding", "indent margin left-margin"),
    ("--color never", "no-color no-colour no-colors nocolor monochrome monochrome-output mono"),
    ("--color", "colour colors colours color-output colour-output"),
    ("--color always", "color-always force-color always-color"),
    ("--no-ascii", "unicode utf8 utf-8"),
    ("--ascii", "ascii-only no-unicode"),
    ("--header-style", "header-color header-format bold-header"),
    ("--no-sort-indicators", "no-arrows no-indicators"),
    ("--quiet", "silent no-warnings no-messages suppress-warnings"),
    ("--exit-status", "fail-empty fail-if-empty"),
    ("--raw-control", "raw no-escape"),
    ("--formula-guard", "escape-formulas sanitize"),
    ("--paging", "pagination use-pager"),
    ("--paging always", "force-pager less"),
    ("--config", "config-file rc rcfile rc-file defaults settings"),
    ("--no-config", "no-rc norc no-init no-defaults vanilla"),
    ("--help", "usage h man"),
  ]

  /// Letters that other tools have and tabler lacks.
  static let letters: [Entry] = [
    ("--delimiter", "F"), ("--sort -KEY", "r"), ("--version", "v"), ("--help", "?"), ("--json", "j J"),
    ("--names", "N"),
  ]

  /// Alignments.
  static let alignments: [Entry] = [
    ("leading", "left start"), ("trailing", "right end"), ("center", "centre middle centered"),
    ("decimal", "point dot"),
  ]

  /// Types of columns.
  static let types: [Entry] = [
    ("number", "num numeric"), ("int", "integer int64 bigint long"), ("double", "float float64 real"),
    ("text", "str string varchar char utf8"), ("bool", "boolean logical"), ("datetime", "timestamp time"),
    ("list", "array"), ("object", "struct map dict json"), ("duration", "interval timedelta"),
  ]

  /// The words that other tools write after the `:` of a sort key.
  static let sortFlags: [Entry] = [
    ("number", "n num numeric numerical int integer float decimal"),
    ("text", "s str string alpha c char lexical"),
    ("desc", "r d reverse rev descending down"), ("asc", "a ascending up"), ("size", "h human bytes"),
    ("nocase", "i f icase ignorecase ci case-insensitive"), ("version", "v ver semver"), ("length", "len l"),
  ]
}

// MARK: - Ways

/// Things that are done differently here, not by an option or a function of their own.
extension OtherTools {
  /// How to do what an option of other tools does, in words; `nil` for an unknown one.
  ///
  /// - Parameters:
  ///   - name: the option without its dashes.
  ///   - value: its value, or the word after it; it replaces COL, N or FILE if possible.
  static func way(_ name: String, value: String? = nil) -> String? {
    guard var words = meaning(of: name.lowercased(), in: ways) else { return nil }
    let text = value.map { Double($0) == nil ? "\"\($0)\"" : $0 } ?? "0"
    let filled = words.putting(text, for: "VALUE")
      .putting(value.map(Messages.typed) ?? "'CONDITION'", for: "CONDITION")
    if filled != words { return filled }
    if let value {
      if value.contains("="),
        value.unicodeScalars.allSatisfy({ "=, ".unicodeScalars.contains($0) || $0.properties.isXIDContinue })
      {
        words = words.putting(value, for: "OLD=NEW")
      }
      if value.unicodeScalars.allSatisfy({ $0 == "_" || $0.properties.isXIDContinue }), Int(value) == nil {
        words = words.putting(value, for: "COL")
      }
      if let number = Int(value), (0...20).contains(number) {
        words = words.putting("{:.\(number)f}", for: "{:.2f}").putting("\(number) rows", for: "N rows")
          .putting("-n \(number)", for: "-n N").putting("--sample \(number)", for: "--sample N")
      }
      if value.contains(where: { "./".contains($0) }) {
        words = words.putting(Messages.typed(value), for: "FILE")
      }
    }
    return words
  }

  /// How to do what a function of other languages does, in words; `nil` for an unknown one.
  ///
  /// - Parameter argument: its first argument, which replaces `x` if it is a column.
  static func way(ofFunction name: String, argument: String?) -> String? {
    guard let words = meaning(of: name.lowercased(), in: functionWays) else { return nil }
    return argument.map { words.putting($0, for: "COL") } ?? words
  }

  /// Ways to do what options do; COL, N and FILE are placeholders for what was typed.
  static let ways: [Entry] = [
    (
      "--filter 'unique(COL)' keeps the first row of each value, 'unique($0)' that of equal rows",
      "unique uniq distinct dedup dedupe drop-duplicates"
    ),
    (
      "--group-by COL counts the rows of each value",
      "count-by count_by countby counts value-counts count-values count-distinct frequency frequencies freq tally"
    ),
    (
      "--sample N keeps N rows by chance, in their order, and -n N the first N rows",
      "shuf shuffle"
    ),
    ("--columns '*,OLD=NEW' renames a column and keeps the others", "rename rename-columns"),
    (
      "--set 'x = coalesce(x, VALUE)' fills the empty cells of a column x",
      "fillna fill-na fill-null fill-empty"
    ),
    ("--derive 'b = split_part(COL, \"-\", 1)' makes a column of a part", "split split-column split-columns"),
    ("--aggregate 'count()' counts the rows, and -n N shows the first of them", "count"),
    (
      "--group-by ROW --pivot COL --aggregate 'n = sum(CELL)' makes it",
      "pivot-wider pivot-table crosstab reshape"
    ),
    ("--diff OLD shows what changed since an older file", "compare compare-with"),
    ("--detail draws each record as a card, a line for each field", "transpose flip"),
    (
      "--format '*={:.2f}' shows that many decimals",
      "precision round rounding digits decimals decimal-places float-precision"
    ),
    (
      "--join 'OTHER on KEY' puts the columns of another table beside each row",
      "left-join merge vlookup xlookup with-table on left-on right-on"
    ),
    ("--join 'OTHER on KEY' --join-type inner keeps the rows with a match", "inner-join intersect"),
    ("--join 'OTHER on KEY' --join-type anti keeps the rows without a match", "anti-join except-rows"),
  ]

  /// Ways to do what functions do; COL is a placeholder for the argument.
  static let functionWays: [Entry] = [
    ("--group-by COL --sort -count puts the most frequent value first", "mode most_frequent most_common"),
    ("--compute 'd = COL - prior(COL)' is the difference to the row before", "shift diff delta pct_change"),
    ("--compute 'r = running(COL)' is the sum up to a row", "running_sum running_total"),
    (
      "--compute 'r = rank(COL)' counts from the largest, as rank(-COL) from the smallest",
      "dense_rank percent_rank ntile"
    ),
    ("the square of stddev(COL) is the variance", "var variance var_samp"),
    ("sum(if(test, COL, null)) sums the rows where a test is true", "sumif sumifs sum_if"),
    (
      "mean(if(test, COL, null)) is the mean of the rows where a test is true",
      "averageif avgif mean_if avg_if"
    ),
    ("sum(test) counts the rows where a test is true", "countif countifs count_if"),
    ("number(COL), date(COL) and their like convert", "cast convert try_cast"),
    ("an expression gives the same each time it runs", "rand random uuid newid randint"),
    ("max(COL) - min(COL) is the range", "range spread"),
  ]
}

// MARK: - Functions

extension OtherTools {
  /// Functions of SQL's dialects, Excel, awk, jq, Python, JavaScript, R, Miller and xan.
  static var functions: [Entry] { Function.all.map { ($0.name, $0.elsewhere) } + operators }

  /// Functions of these that are operators here.
  private static let operators: [Entry] = [
    ("x is null", "isnull is_null isna is_na isnil is_none isnone is_missing"),
    ("x is not null", "isnotnull is_not_null notnull not_null notna is_present"),
    ("case when", "decode switch choose case_when"), ("x in (a, b)", "isin is_in one_of any_of"),
    ("x between a and b", "in_range is_between within"),
  ]

  /// Variables of other languages.
  static let variables: [Entry] = [
    ("row_number()", "nr rownum rowid row_num rownumber _n"), ("line_number()", "fnr lineno"),
    ("filename()", "filename"), ("null", "none nil undefined"),
  ]
}

extension String {
  /// The text with each occurrence of `part` replaced by `other`.
  fileprivate func putting(_ other: String, for part: String) -> String {
    var result = ""
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(part) {
        result += other
        rest = rest.dropFirst(part.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }
}
