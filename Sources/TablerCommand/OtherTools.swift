/// What other tools and languages call the things that have another name here.
///
/// Asked for only when a name is unknown, before the nearest name is looked for. Each entry is what is written
/// here, and the words that mean it elsewhere; a test sees to it that everything named here exists.
enum OtherTools {
  /// The option, perhaps with a value, that other tools call `name`, which has no dashes.
  static func option(_ name: String) -> String? { meaning(of: name.lowercased(), in: options) }

  /// The option of a letter that other tools have.
  static func option(letter: Unicode.Scalar) -> String? { meaning(of: String(letter), in: letters) }

  /// The function or expression that other languages call `name`.
  static func function(_ name: String) -> String? { meaning(of: name.lowercased(), in: functions) }

  /// The function that is a variable elsewhere: `NR`.
  static func variable(_ name: String) -> String? { meaning(of: name.lowercased(), in: variables) }

  /// The flag of a sort key that other tools call `name`.
  static func sortFlag(_ name: String) -> String? { meaning(of: name.lowercased(), in: sortFlags) }

  /// The alignment that other tools call `name`.
  static func alignment(_ name: String) -> String? { meaning(of: name.lowercased(), in: alignments) }

  /// What is written here, and what other tools write, separated by blanks.
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
    ("--filter", "where query match grep regex regexp search expr expression if condition having rows-where"),
    ("--sort", "sort-by sortby order-by orderby key keys sort-key sort-column by ordered"),
    ("--sort -KEY", "reverse desc descending sort-desc sort-reverse invert"),
    ("--sort KEY:number", "numeric numeric-sort general-numeric-sort sort-numeric"),
    ("--sort KEY:natural", "natural natural-sort"),
    ("--sort KEY:version", "version-sort"),
    ("--sort KEY:size", "human-numeric-sort human-sort"),
    ("--sort KEY:nocase", "ignore-case case-insensitive no-case"),
    ("--sorted-by", "check check-sorted is-sorted"),
    ("--memory", "buffer-size memory-limit max-memory"),
    (
      "--head",
      "limit top take max-rows rows nrows lines num first first-rows max-lines head-rows count max-records"
    ),
    ("--tail", "last bottom last-rows tail-rows"),
    ("--skip", "offset skip-rows skip-records start drop-rows"),
    ("--skip-lines", "skiprows skip-header-lines preamble-lines"),
    (
      "--columns",
      "select cols column col field fields only keep pick include choose project table-order max-columns"
    ),
    ("--columns OLD=NEW", "rename rename-columns"),
    (
      "--hide",
      "drop exclude not-columns remove reject omit complement table-hide hide-columns drop-columns cut"
    ),
    ("--row-numbers", "line-numbers linenumbers number numbers numbering index show-index row-index"),
    ("--row-names", "index-column table-tree"),
    ("--align", "alignment table-right body-align header-align justify right-align"),
    ("--missing", "nullvalue null-string na-rep empty placeholder fill-na show-null"),
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
    ("--text", "table pretty pprint opprint c2p plain human print-table"),
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
    ("--footer totals", "total totals sum sums summary summarize show-totals margins"),
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
    ("--help", "usage h man"),
  ]

  /// Letters that other tools have and tabler has not.
  static let letters: [Entry] = [
    ("--delimiter", "F"), ("--sort -KEY", "r"), ("--version", "v"), ("--help", "?"), ("--json", "j J"),
  ]

  /// Alignments.
  static let alignments: [Entry] = [
    ("leading", "left start"), ("trailing", "right end"), ("center", "centre middle centered"),
    ("decimal", "point dot"),
  ]

  /// What other tools write after the `:` of a sort key.
  static let sortFlags: [Entry] = [
    ("number", "n num numeric numerical int integer float decimal"),
    ("text", "s str string alpha c char lexical"),
    ("desc", "r d reverse rev descending down"), ("asc", "a ascending up"), ("size", "h human bytes"),
    ("nocase", "i f icase ignorecase ci case-insensitive"), ("version", "v ver semver"), ("length", "len l"),
  ]
}

// MARK: - Functions

extension OtherTools {
  /// Functions of SQL's dialects, Excel, awk, jq, Python, JavaScript, R, Miller and xan.
  static let functions: [Entry] = [
    ("lower", "tolower to_lower lcase lowercase to_lowercase downcase ascii_downcase str_lower casefold"),
    ("upper", "toupper to_upper ucase uppercase to_uppercase upcase ascii_upcase str_upper"),
    ("capitalize", "initcap proper titlecase ucfirst title_case"),
    (
      "length",
      "strlen character_length charlength char_len nchar str_len str_length string_length text_length count_chars"
    ),
    ("width", "display_width strwidth wcswidth"),
    ("trim", "strip btrim trim_both strip_whitespace"),
    ("ltrim", "lstrip trim_start trimstart trimleft"),
    ("rtrim", "rstrip trim_end trimend trimright chomp"),
    ("squeeze", "clean clean_whitespace collapse_whitespace normalize_space"),
    ("substr", "mid slice sub_string strsub"),
    ("split_part", "substring_index split nth_part"),
    ("truncate", "shorten ellipsize abbreviate"),
    ("replace", "str_replace replace_all substitute ssub translate"),
    ("gsub", "regexp_replace regex_replace re_sub re_replace regexpreplace replace_regex"),
    ("contains", "includes include has_substr strcontains str_contains in_str icontains contain"),
    ("matches", "regexp_matches regexp_match regexp_like regexp rlike match regex_match re_match test"),
    ("extract", "regexp_extract regexp_substr regex_extract regexpextract capture search str_extract"),
    ("regex_escape", "regexp_escape re_escape quotemeta"),
    ("starts_with", "startswith starts beginswith begins_with has_prefix hasprefix"),
    ("ends_with", "endswith ends has_suffix hassuffix"),
    ("position", "instr strpos charindex locate indexof index_of index find strfind"),
    ("lpad", "padleft pad_left padstart pad_start leftpad zfill"),
    ("rpad", "padright pad_right padend pad_end rightpad"),
    ("repeat", "rep strrep replicate rept"),
    ("reverse", "strrev rev reversed"),
    ("concat", "str_concat strcat paste concatenate"),
    ("concat_ws", "textjoin text_join join implode"),
    ("format", "printf sprintf fmt to_char"),
    ("levenshtein", "edit_distance editdist edit_dist"),
    ("abs", "fabs absolute"), ("sign", "sgn signum"), ("ceil", "roundup round_up"),
    ("floor", "rounddown round_down"), ("trunc", "fix truncate_number"),
    ("mod", "modulo modulus rem remainder fmod"),
    ("pow", "exponent pwr"), ("round_to", "mround roundm"), ("ln", "loge log_e"),
    ("clamp", "clip constrain bound"), ("is_nan", "isnan"),
    ("least", "minimum_of min_of"), ("greatest", "maximum_of max_of"),
    ("percent", "pct to_percent"), ("thousands", "format_number commas comma"),
    ("bytes_text", "pg_size_pretty filesizeformat format_bytes humanize pretty_size human_size"),
    ("number", "to_number tonumber to_num val as_number num try_number"),
    ("int", "to_int toint integer to_integer parseint parse_int cint as_int"),
    ("double", "to_float tofloat float as_float to_double todouble real parsefloat parse_float"),
    ("decimal", "to_decimal todecimal numeric"),
    ("text", "str string to_string tostring to_text to_str cstr as_text"),
    ("bool", "boolean to_bool tobool to_boolean cbool"),
    ("typeof", "type type_of datatype pg_typeof"),
    ("is_number", "isnumeric is_numeric isnumber isnum is_float isfloat isdigit is_digit"),
    ("is_int", "isint isinteger is_integer"), ("is_bool", "isbool is_boolean isboolean"),
    ("coalesce", "nvl nvl2 zeroifnull if_null ifna fillna default first_non_null"),
    ("x is null", "isnull is_null isna is_na isnil is_none isnone is_missing"),
    ("x is not null", "isnotnull is_not_null notnull not_null notna is_present"),
    ("is_empty", "isempty isblank is_blank empty blank"),
    ("if", "iif iff ifelse if_else cond"),
    ("case when", "decode switch choose case_when"),
    ("row_number", "nr rownum row_num recno row rowid row_index rownumber"),
    ("line_number", "lineno line_no linenumber line fnr"),
    ("filename", "file_name input_filename file"),
    ("x in (a, b)", "isin is_in one_of any_of"),
    ("x between a and b", "in_range is_between within"),
    ("count", "tally counta n_rows nrow"), ("sum", "total"),
    ("mean", "average arithmetic_mean"), ("first", "first_value any_value"), ("last", "last_value"),
    ("max", "maximum"), ("min", "minimum"),
  ]

  /// Variables of other languages.
  static let variables: [Entry] = [
    ("row_number()", "nr rownum rowid row_num rownumber _n"), ("line_number()", "fnr lineno"),
    ("filename()", "filename"), ("null", "none nil undefined"),
  ]
}
