import TablerEngine

extension Option {
  /// Every option, in the order in which help and manual print them.
  ///
  /// A new option is one entry here and its name in `Option.ID`.
  static var all: [Option] { Array(tables.joined()) }

  /// The same in portions, so that searching it makes no copies.
  static let tables = [
    input, rows, order, columns, layouts, header, spacing, style, output, general,
  ]

  private static let input: [Option] = [
    Option(
      .from, .choice(of: InputForm.self, aliases: ["ndjson": "jsonl"]), .input, "input format",
      default: "auto",
      detail: """
        `auto` decides by the suffix of the file name, then by the first line. `csv` is RFC 4180. `tsv` has \
        no quotes; `\\t`, `\\n`, `\\r` and `\\\\` are decoded. `words` finds columns by their position, as \
        `ps`, `df`, `docker` and `kubectl` print them; the table ends at the first blank line. `blanks` \
        splits each line at runs of spaces and tabs, as awk does; with `--names` or `--max-fields` the last column \
        takes the rest of the line. `table` reads drawn tables: Markdown, psql, mysql, pandoc and tabler's own, \
        and the records of `psql -x` and of mysql's `\\G`. `jsonl`, or `ndjson`, is one JSON object per line. \
        `json` is objects one after another, or in arrays. `pattern` divides lines by `--pattern`. A file that is \
        compressed is read through `gzip`, `zstd`, `xz` or `bzip2`, whatever its name.
        """),
    Option(
      .pattern, .text("/PATTERN/", or: LineDivision.names), .input,
      "a row for each line, cells from the groups of a pattern",
      detail: """
        `--pattern '/^(?<ip>\\S+) .* (?<status>\\d+)$/'` makes the columns `ip` and `status`; anything else in the line is \
        not shown. Of formats of servers, `common` is that of the NCSA, `combined` Apache's and nginx's with referer and \
        agent, `syslog` that of RFC 3164, also with times as rsyslog writes them, and `logfmt` is lines of `key=value`, each \
        with its own keys; `--null -` reads their `-` as null, and `--date-format '%d/%b/%Y:%H:%M:%S %z'` the times of the \
        first two. A line that does not match is an error, unless `--ragged skip` leaves such lines out, or `--ragged fill` \
        keeps them in a column `text`.
        """),
    Option(
      .delimiter, letter: "d", .character(.ascii), .input, "field delimiter; implies --from csv",
      default: "detected",
      detail: """
        Without it, tabler takes the most frequent of `,` `;` `|` and tab in the header line. `\\t` is a \
        tab. A first line `sep=;`, as Excel reads it, names the delimiter and is no row.
        """),
    Option(
      .quote, .character(.ascii, or: ["none"]), .input, "quote character", default: "\"; none in tsv",
      detail: """
        Inside quotes it is written twice. Delimiters and newlines inside quotes belong to the cell.
        """),
    Option(
      .escape, .character(.ascii, or: ["none"]), .input, "escape character", default: "none; \\ in tsv",
      detail: "With `--escape '\\'` a quote in csv may also be written `\\\"`."),
    Option(
      .lazyQuotes, .flag, .input, "accept text after a closing quote",
      detail: "Without it, such a cell is an error. The message names its line and column."),
    Option(
      .comment, .character(.ascii, or: ["none"]), .input, "skip lines that begin with CHAR",
      default: "none"),
    Option(
      .skipLines, .number(0...Int.max), .input, "skip the first N lines, before the header",
      default: "0"),
    Option(
      .noHeaderIn, letter: "H", .flag, .input, "the input has no header",
      detail: "The first record is data. The columns are named `1`, `2` and so on."),
    Option(
      .names, .text("LIST"), .input, "column names to use instead of the header",
      default: "the header",
      detail: """
        Names are separated by commas. If there are more names than cells, the other cells are missing.
        """),
    Option(
      .autoNames, .text("TEMPLATE"), .input, "template for names of columns that have none", default: "{n}",
      detail: """
        `{n}` is the position of the column. `{letter}` counts A to Z, then AA. `{{` is a brace.
        """),
    Option(
      .headerLines, .number(1...1_000), .input, "the first N records are the header",
      default: "1",
      detail: """
        The parts of each title are joined by a space. Equal neighbors in a line above the last are drawn as one title \
        over several columns, as with `--span`.
        """),
    Option(
      .maxFields, .number(1...1_000_000), .input, "the last of N fields takes the rest of the line",
      default: "all",
      detail: """
        As it stands, delimiters and quotes included: `env | tabler -d = --max-fields 2 -H`. For csv, tsv and blanks.
        """),
    Option(
      .footerLines, .number(0...1_000), .input, "the last N records are the footer of the table",
      default: "0",
      detail: """
        They are neither filtered nor sorted nor counted, and no column is computed for them. Forms for people draw \
        them as lines of the footer; csv, tsv, json and jsonl have them as the last records again. Of several files \
        they are the last records of all.
        """),
    Option(
      .trim, .flag, .input, "remove spaces around cells and titles",
      detail: """
        For csv and tsv, as in `a | b | c` or `lscpu | tabler -d : -H --trim`. Csv and tsv output has the \
        trimmed cells too.
        """),
    Option(
      .at, .text("PATH"), .input, "read the rows from the JSON array at PATH",
      default: "the whole input",
      detail: """
        PATH is written like `items`, `data.rows` or `pages[0].items`. If it leads to an object of objects, \
        each member becomes a row, and its name goes into a first column `key`. If it leads to an array of \
        arrays, the first one is the header. An array of plain values becomes a column `value`. `--at .` is \
        the input itself. Everything around the rows is skipped and never held in memory.
        """),
    Option(
      .ragged, .choice(of: InputOptions.Ragged.self), .input,
      "what to do with rows that are too short or too long",
      default: "error",
      detail: """
        `error` stops and names the row. `fill` adds missing cells to short rows. Long rows get more columns \
        if all rows are read before the header is written, or if the output is json or jsonl. `skip` leaves \
        these rows out and counts them, and lines of jsonl that are no object. With `fill`, later files may \
        have columns that the first file does not have.
        """),
    Option(
      .null, .text("TEXT"), .input, "read cells and JSON strings equal to TEXT as null", accumulates: true),
    Option(
      .quotedEmpty, .choice(["null", "text"]), .input, "what \"\" means in csv", default: "null",
      detail: "With `text` it is an empty text, not null."),
    Option(
      .types, .columns("COL:TYPE,..."), .input, "types of columns, as in weight:number,zip:text",
      default: "by use",
      detail: """
        TYPE is `number`, `int`, `decimal`, `double`, `text`, `bool`, `date`, `datetime`, `duration`, `size`, `list` or \
        `object`. It holds in expressions, sort keys, alignment and JSON output. A cell of another kind is null in \
        expressions, or what `--on-error` says; it is shown, dim, and written as it came. COL may be a pattern such as \
        `*`; of several that mean a column the first counts.
        """, accumulates: true),
    Option(
      .onError, .choice(of: Plan.Misfits.self), .input, "what to do with cells that do not convert",
      default: "null",
      detail: """
        `null` treats them as null and says how many there were. `skip` leaves out the rows in which a declared type, \
        a computed column, a filter, a deletion or a sort key meets one; anywhere else they are null. `stop` ends \
        with status 3 at the first.
        """),
    Option(
      .dateFormat, .text("FORMAT"), .input, "how dates in cells are written, as in %d.%m.%Y",
      default: "ISO 8601",
      detail: """
        FORMAT is a pattern as `strptime()` takes it. It counts wherever cells become dates: date functions, \
        comparisons with dates and with texts that are dates, sort keys without a flag or with `date`, and formats of \
        dates. What does not fit it is still read as \
        ISO 8601. Dates in expressions are written in ISO 8601.
        """),
    Option(
      .decimal, .character(.ascii), .input, "decimal mark in numbers", default: ".",
      detail: """
        With `--decimal , --thousands .` the cell `1.234,50` is a number. Formatted numbers use the same \
        marks. Json, jsonl and expressions always use the point.
        """),
    Option(.thousands, .character(.mark), .input, "thousands mark in numbers", default: "none"),
    Option(
      .encoding, .choice(of: InputOptions.Encoding.self), .input, "input encoding",
      default: "from the BOM, else utf-8",
      detail: """
        `latin1` is read as Windows-1252. For `utf-16` without a BOM, the zero bytes tell the byte order.
        """),
    Option(
      .lookup, .text("NAME=FILE"), .input, "load FILE as a table to look things up in",
      detail: """
        `--lookup prices=prices.csv --derive 'price = lookup("prices", ticker)'` finds the row whose first column is \
        the ticker, and gives its second column; a third argument names another, or a path such as `address.city`. \
        Keys are equal if their texts are. The form of FILE is detected. Its rows are held in memory.
        """, accumulates: true),
  ]

  private static let rows: [Option] = [
    Option(
      .arg, .text("NAME=TEXT"), .rows, "set $NAME in expressions and templates to TEXT",
      detail: """
        TEXT is never read as syntax, so scripts can pass any value. Like a cell, it is read as a number \
        where a number is needed.
        """,
      accumulates: true),
    Option(
      .apply, .file(), .rows, "replay a change list of --diff over the table",
      detail: """
        FILE is JSON or JSON Lines, as `--diff` writes it; `-` is standard input, if the table is a file. Rows are found by their ids in the \
        list, else by their positions. Before every other step cells are changed, rows dropped, inserted and moved, \
        and columns come and go. Every change must fit: the table must hold the values that the list records as old. \
        The first 100 that do not are named on standard error; then nothing is written, and the status is 1, unless \
        `--rejects` names a file for them. `--can-edit`, `--can-delete` and `--can-move` hold for changes, too. \
        `tabler old.csv --apply changes.jsonl -i` changes the file. The list must fit into half of the memory.
        """),
    Option(
      .reverse, .flag, .rows, "replay the list of --apply backwards, from new to old"),
    Option(
      .explode, .columns("PATH"), .rows, "a row for each element of the list at PATH: 'labels'",
      detail: """
        The element takes the list's place, also inside of an object (`spec.containers`); the other columns are repeated. \
        A row without a list stays as it is. Of several, one follows the other. It comes before all other steps.
        """, accumulates: true),
    Option(
      .explodeEmpty, .choice(of: Explosion.EmptyList.self), .rows, "rows with an empty list", default: "keep",
      detail: "With `keep` the list becomes null, with `drop` the row is left out."),
    Option(
      .add, .expression("COL = EXPR,..."), .rows, "add a record at the end: 'id = 7, name = \"Mango\"'",
      detail: """
        EXPR is made of constants. The record comes after the rows of all inputs, and takes every later step; \
        columns that it does not name are missing. In JSON a new name is a new column. Messages, `filename()` and \
        `line_number()` take the records for the lines of a file `--add`.
        """, accumulates: true),
    Option(
      .join, .text("FILE on KEYS"), .rows, "columns of another table: 'prices.csv on id = key'",
      detail: """
        KEYS are columns that both tables have, `id, day`, or pairs of different names, `id = key`. The other columns of \
        FILE come after those of the row, once for each row of FILE with its key, in their order; a name that is taken gets \
        `_2`. Keys are equal as by `=`, but `01` is not `1` and `0E1` not `0E2`, unless `--types` declares a number; null is equal to \
        nothing. FILE is read as an input of its own, its form detected; `-` is standard input, if the table is a \
        file. If it takes more than half of `--memory`, both tables are divided by keys in temporary files, and no row \
        is drawn before all were read. It comes before `--derive` and `--filter`; several follow one another.
        """, accumulates: true),
    Option(
      .joinType, .choice(of: Join.Kind.self), .rows, "which rows --join keeps", default: "left",
      detail: """
        `left` keeps all rows, with nulls for those without a match, which are counted. `inner` keeps the rows with a \
        match, `semi` keeps them once and without columns of FILE, `anti` keeps those without a match.
        """),
    Option(
      .derive, .expression("COL = EXPR"), .rows, "add a column: 'kg = weight / 1000'",
      detail: """
        The column comes last, and filters, sort keys and later columns may use it. `where EXPR` after the \
        value leaves it null in other rows. Several assignments are separated by `,`, `;` or a newline. In JSON it takes \
        the place of a member of that name. `--ragged fill` adds no columns beside it.
        """, accumulates: true),
    Option(
      .set, .expression("COL = EXPR [where EXPR]"), .rows,
      "change cells: 'weight = weight * 2 where color = \"red\"'",
      detail: """
        Rows for which the test after `where` is not true stay as they are, and so does every other cell: csv, tsv \
        and JSON keep its bytes. A cell that says the same already keeps them too; one that stood in quotes goes \
        back into them. Several assignments are separated by `,`, `;` or a newline; each sees what those before it changed, \
        and what `--derive` added before it. With `--types`, a value that is not of the type of the column is null \
        and counted. In JSON, records get a member that they lack.
        """, accumulates: true),
    Option(
      .canEdit, .expression("EXPR"), .rows, "let --set change only the rows where EXPR is true",
      default: "true",
      detail: """
        Rows are judged as they are before each `--set`. Those that it would have changed are counted on standard \
        error.
        """),
    Option(
      .filter, letter: "f", .expression("EXPR"), .rows, "keep the rows where EXPR is true; see EXPRESSIONS",
      detail: "With several filters, all must be true.", accumulates: true),
    Option(
      .delete, .expression("ROWS|EXPR"), .rows, "drop rows: '1,5..7,-1', or those where an EXPR is true",
      detail: """
        Rows are counted after `--filter`, from 1, or from -1 at the end. Several deletions come one after the \
        other, each over the rows that the one before left.
        """, accumulates: true),
    Option(
      .canDelete, .expression("EXPR"), .rows, "let --delete drop only the rows where EXPR is true",
      default: "true",
      detail: "A row that may not be dropped stays. Such rows are counted on standard error."),
    Option(
      .validate, .expression("[COL:] EXPR[, \"TEXT\"]"), .rows,
      "check rows: 'weight: value > 0, \"must be positive\"'",
      detail: """
        With COL, a column or a pattern such as `*`, the rule is about its cells: `value` is the cell, and a cell that \
        fails the rule is marked. A pattern checks only the cells that a record of JSON has. Without COL the rule is \
        about the row, which is marked; a card says below its fields what is wrong, HTML below the row. EXPR must be \
        true: false and null both fail. Each finding is a line on standard error, for the first 100; then the status is 1. With `-o` or `-i`, a csv, tsv, json or jsonl file is written only if all rows \
        are valid. Rows are checked after `--filter` and `--delete`, those that `--head` leaves out too. With marks or \
        `--rejects`, `--ragged fill` adds no columns. `--validate @FILE` reads one rule from each line of a file, in which \
        empty lines and those that begin with `#` do not count.
        """, accumulates: true),
    Option(
      .id, .columns("COLS"), .rows, "columns that identify a row: findings name it by them",
      default: "its line",
      detail: "`--diff` finds rows of the old table again by them. `--footer totals` does not add them up."),
    Option(
      .diff, .file(), .rows, "show what became of the table in a file",
      detail: """
        The older table; `-` is standard input. Both tables take the steps before it, `--filter` and `--columns` among \
        them. Rows are found again by `--id`, whole rows without it. `+ 4` is a row that was inserted as the fourth, `- 4` \
        one that was deleted, `~` one with other cells (`12 → 15`), `↕ 5→1` one that was moved. Cells are compared as \
        text, or as `--types` declares. The status is 1 if there are changes, unless `--no-exit-status` is given. csv and \
        tsv say it in the columns `change`, `from`, `to` and `was`; json and jsonl list the changes.
        """),
    Option(
      .context, .number(0...Int.max, or: ["all"]), .rows, "unchanged rows shown around each change (--diff)",
      default: "0"),
    Option(
      .diffIgnore, .columns("COLS"), .rows, "columns that --diff shows but does not compare",
      accumulates: true),
    Option(
      .same, .expression("COL: EXPR"), .rows, "cells are equal if EXPR is: 'name: lower(value)'",
      detail:
        "`value` is the cell, as in `--validate`. It is asked only if the texts of two cells differ (`--diff`).",
      accumulates: true),
    Option(
      .tolerance, .columns("COL=EPS,..."), .rows, "how far apart equal numbers may be: price=0.01,'*=5%'",
      detail: "A percentage is of the larger absolute value (`--diff`).", accumulates: true),
    Option(
      .moves, .choice(of: ComparisonOptions.MovePolicy.self), .rows,
      "whether --diff shows rows that were moved",
      default: "auto",
      detail: """
        The rows that were moved are as few as possible: a row that goes to the top is one. With `auto`, text, Markdown \
        and HTML show none if there are more than 20 and more than a tenth of the rows.
        """),
    Option(.delta, .flag, .rows, "changed numbers say by how much: 12 → 15 (+25 %) (--diff)"),
    Option(
      .diffStat, .flag, .rows, "count the changes of each column instead (--diff)"),
    Option(
      .changedColumns, .flag, .rows, "show only --id and columns that changed (--diff)"),
    Option(.invalidOnly, .flag, .rows, "keep only the rows that are not valid (needs --validate)"),
    Option(
      .rejects, .file(), .rows, "file for rows that are not valid, or changes that do not fit",
      detail: """
        Rows that violate a rule of `--validate` are moved to a csv file, which has all their columns, and then `line`, \
        `column` and `message`. It is written before the output, \
        whole or not at all. With `--apply` it gets the changes that do not fit, as they came, each with what is there \
        instead as `ours`; the others are applied, and the status is 1.
        """),
    Option(
      .select, .expression("ROWS|EXPR"), .rows, "mark rows: '1,5..7,-1', or those where an EXPR is true",
      detail: """
        All rows stay. Rows are counted as they are shown, from 1, or from -1 at the end. Several `--select` \
        are combined. `--selection-style` says what is drawn; csv, tsv, json and jsonl show no selection.
        """, accumulates: true),
    Option(
      .selectMode, .choice(of: SelectionMode.self), .rows, "how many rows --select may mark",
      default: "multi",
      detail:
        "With `single`, more than one is exit status 1; all are still drawn. With `none`, nothing is marked."),
    Option(
      .unpivot, .columns("COLS to NAME, VALUE"), .rows,
      "one row for each of COLS: 'q1,q2 to quarter, sales'",
      detail: """
        Each row becomes one row for each of COLS, a list as in `--columns`: NAME is the name of the column, or the title \
        that the list gives it, VALUE its cell; the other columns are repeated. Cells without a value stay. It comes after \
        `--filter` and `--validate`; `--group-by` and all options after it see NAME and VALUE in place of COLS. In JSON, \
        COLS are names, without patterns and ranges.
        """),
    Option(
      .groupBy, .columns("COLS"), .rows, "one row for each distinct key, in order of appearance",
      detail: """
        A row has the columns of COLS, then those of `--aggregate`; what comes after it, such as `--sort` and \
        `--columns`, names these. Keys are the same if their texts are; all nulls are one key. \
        `color=Colour` gives a key another title. A key may be a call, `year(date)`, or an expression in \
        parentheses, `(weight // 10)`: `f(column)` is called `f_column`, any other by its text. `--filter` and \
        `--delete` come before it.
        """),
    Option(
      .aggregate, .expression("[COL =] EXPR,..."), .rows,
      "columns of the groups: 'g = sum(weight), m = mean(weight)'",
      default: "their number of rows, as count",
      detail: """
        EXPR is made of functions of all rows, of the columns of `--group-by`, and of the columns before it: \
        `n = count(), k = n * 2`. Without COL the name is `count` for `count()`, `mean_x` for `mean(x)`, else the \
        text of EXPR. Without `--group-by` all rows \
        make one row, even if there are none.
        """, accumulates: true),
    Option(
      .pivot, .columns("COL"), .rows, "a column for each value of COL, filled by --aggregate",
      detail: """
        The rows are those of `--group-by`, or one row of all; each value of COL makes a column of the aggregate, in order of \
        appearance, or as `--order` lists them. With several aggregates the columns are called `value: aggregate`. COL may \
        be a call, as `year(date)`, or an expression in parentheses. A cell of which there are no rows is what the \
        aggregate gives for none: 0 for `count()`, null for most. Whatever comes after it names the columns it makes. More \
        than 1000 values are an error.
        """),
    Option(.pivotTotal, .text("TITLE"), .rows, "with --pivot, add the aggregate over all values of COL"),
    Option(
      .having, .expression("EXPR"), .rows, "keep the groups where EXPR is true: 'n > 10'",
      detail: """
        EXPR may use the columns of `--group-by` and `--aggregate`, by the names that they have in the result. It comes \
        before `--sort`; `--filter` chooses rows before they are grouped.
        """),
    Option(
      .summary, .flag, .rows, "one row for each column: type, missing, min, max, mean, top",
      detail: """
        It comes after `--filter`; `--sort`, `--columns` and the options after them see its columns: column, type, rows, \
        missing, distinct, min, max, mean, median, stddev, top, count, shape. The type is that of most cells, and how many \
        are of none: `int, 2 text`; the columns after `missing` tell of these cells alone. `top` is the most frequent value, \
        `count` says how often it comes, `shape` draws how many values lie in each eighth of the way from `min` to `max`. \
        None of it is estimated.
        """),
    Option(
      .move, .expression("WHAT to WHERE"), .rows, "move rows: '5,6 to top', '(x = 1) to bottom'",
      detail: """
        WHAT is a list of row numbers after sorting (`2`, `3..5`, `-1` for the last), or an expression in \
        parentheses. WHERE is `top`, `bottom`, a row number (before that row; one more than there are is the bottom), \
        or `before` or `after` with a row number or an expression in parentheses. Moved rows keep their order. If rows \
        are written as they come, moves to the bottom hold only the rows that move.
        """, accumulates: true),
    Option(
      .canMove, .expression("EXPR"), .rows, "let --move move only the rows where EXPR is true",
      default: "true",
      detail: """
        A row that may not be moved stays where it is. Such rows are counted on standard error.
        """),
    Option(
      .compute, .expression("COL = EXPR"), .rows, "add a column over the rows in order: 'r = running(n)'",
      detail: """
        The column is computed once rows are grouped, sorted and moved, and before any are cut off; later ones may use it. \
        Besides all other functions there are `running(x)`, the sum so far; `prior(x)` and `next(x)`, the value of the row \
        before or after, or with a second argument of so many rows up or down; `share(x)`, the part of the sum; and \
        `rank(x)`, 1 for the largest. `running` and `share` skip nulls; `rank` gives equal numbers the same rank, and the \
        next one is as many higher. With `--section-by` all of them begin anew in each section. `share` and `rank` need \
        all rows; `rank` holds its numbers in memory.
        """, accumulates: true),
    Option(
      .sample, .number(0...Int.max), .rows, "keep N rows, chosen by chance, in their order",
      detail: """
        Every row is as likely as any other. The same rows of the same table are chosen every time; `--seed` chooses \
        others. `--skip`, `--head` and `--tail` come after it.
        """),
    Option(.seed, .number(0...Int.max), .rows, "choose other rows with --sample", default: "1"),
    Option(.skip, .number(0...Int.max), .rows, "skip the first N rows", default: "0"),
    Option(
      .head, letter: "n", .number(-Int.max...Int.max), .rows, "show the first N rows; -N: all but the last N",
      default: "all",
      detail: "Reading stops at the last row needed, unless another step needs the rest."),
    Option(.tail, .number(0...Int.max), .rows, "show the last N rows", default: "all"),
    Option(
      .ends, .number(1...Int.max), .rows, "show the first and the last N rows",
      detail: """
        A line says how many rows are between them. They count everywhere else: in footers, sections, row numbers, \
        widths and bars. Data forms have the rows alone.
        """),
  ]

  private static let order: [Option] = [
    Option(
      .sort, letter: "s", .keys, .order, "sort by KEYS, as in -weight,name; see SORT KEYS",
      detail: """
        The sort is stable: rows with equal keys keep their order. Nulls come last. `--sort -weight`, \
        `--sort=-weight`, `-s -weight`, `-s-weight` and `--sort weight:desc` are the same.
        """,
      accumulates: true),
    Option(
      .sortedBy, .keys, .order, "check that rows are in this order; do not sort",
      detail: """
        The titles show the order. The first row that is out of order is named, and the status is 1; with `--diff` it is \
        3. `--diff` compares two tables in the order of `--id` while they are read, in little memory; deleted rows then \
        stand where their ids belong. It reads all rows first if they are JSON, if a key is one such as `id:date`, or if \
        `--context` is above 1000.
        """),
    Option(
      .nulls, .choice(of: NullPlacement.self), .order, "whether nulls come first or last in a sort",
      default: "last"),
    Option(
      .order, .columns("COL=V,..."), .order, "order of the values of a column, as in size=S,M,L",
      detail: """
        It is used if COL is a sort key. Values that are not listed come after the others, and nulls \
        last.
        """,
      accumulates: true),
    Option(
      .memory, .text("SIZE"), .order, "memory for rows; the rest goes to a temporary file", default: "25%",
      detail: """
        `512M`, `2G`, or a share of the machine's memory. When a step has to hold rows and they need more \
        than that, they go to a temporary file in `TMPDIR`, else in `/var/tmp`. The file has no name and is \
        gone when tabler ends. `--sort` writes sorted runs and merges them. `--move` then keeps only the \
        number of each row in memory.
        """),
  ]

  private static let columns: [Option] = [
    Option(
      .columns, letter: "c", .columns("LIST"), .columns, "columns to show, their order and their titles",
      default: "all",
      detail: """
        In `name,weight=Weight,a..c,price*,!color` a name is a column, `=` gives it a title, `a..c` is a \
        range, `*` and `?` match any text and any character of names, and `!` leaves columns out. `@2` is \
        the second column, `@-1` the last.
        """),
    Option(
      .hide, .columns("LIST"), .columns, "columns to hide; other options can still use them",
      accumulates: true),
    Option(
      .flatten, .flag, .columns, "make columns of the members of JSON objects",
      detail: """
        Before everything else, the cell `{"width":2,"height":3}` of a column `size` becomes the columns \
        `size.width` and `size.height`, however deep objects are nested. Lists and empty objects stay as they are.
        """),
    Option(
      .rowNames, .columns("COLS|TEMPLATE"), .columns, "columns to show first, as row headers",
      detail: """
        A value with `{` in it is a template for every row: `--row-names 'Row {n}'`. In it, `{n}` is always \
        the number of the row, even if there is a column n. Columns keep their titles; above a template the \
        corner is blank.
        """),
    Option(
      .rowNumbers, .flag, .columns, "number the rows"),
    Option(
      .align, .columns("COL:ALIGN,..."), .columns, "align columns, as in weight:trailing",
      default: "numbers trailing, others leading",
      detail: """
        ALIGN is `leading`, `center`, `trailing` or `decimal`, which lines up the decimal points.
        """,
      accumulates: true, reach: .tables),
    Option(
      .format, .columns("COL=FORMAT,..."), .columns, "how to show cells, as in 'weight={:.1f} kg'",
      default: "cells as they are",
      detail: """
        This changes only what is shown: sorting and filtering use the cell itself. Quote FORMAT, because shells \
        change braces. `{:.0f}` rounds, \
        `{:,.2f}` groups thousands, `{:08d}` adds zeros in front, `{:k}` shows 1.2k, `{:B}` 1.2 MiB, `{:t}` \
        1h 05m, `{:%}` 25%. A date is spelled as `strftime` does: `created=%d.%m.%Y`, or \
        `{created:%b %Y}` within other text; `%-d` has no zero in front. COL may be a pattern: `*={:.1f}`; of several \
        formats for a column the last counts.
        """,
      accumulates: true),
    Option(
      .missing, .text("TEXT"), .columns, "text for null and missing cells", isConfigurable: true,
      default: "NA"),
  ]

  private static let layouts: [Option] = [
    Option(
      .list, letter: "l", .pick, .layout, "columns with a rule under the header (the default)",
      isConfigurable: true),
    Option(
      .stack, letter: "k", .pick, .layout, "rows between double rules", isConfigurable: true),
    Option(
      .grid, letter: "g", .pick, .layout, "a frame around every cell", isConfigurable: true),
    Option(
      .detail, letter: "x", .pick, .layout, "one card per record, one line per field"),
    Option(
      .width, letter: "w", .number(0...10_000, or: ["auto", "none"]), .layout, "maximum line width",
      isConfigurable: true,
      default: "auto: the terminal's, else none",
      detail: """
        On a terminal, `auto` is `COLUMNS`, else the width of the terminal, else 80. To a pipe or a file \
        there is no limit. Markdown and HTML ignore it.
        """),
    Option(
      .overflow, .choice(of: Overflow.self), .layout, "what to do with cells that are too wide",
      isConfigurable: true,
      default: "wrap, on a terminal fit",
      detail: """
        `wrap` breaks them into lines: titles first, then texts between words. If words must break, those of texts \
        do, down to 8 cells, and then those of titles, the longest first. Numbers and dates are broken only if \
        nothing else is left. `fit` does the same, but leaves out columns before it breaks words, numbers and \
        dates: first those that are empty or all `NA`, `-` or `<none>`, then those with the same text in all rows, \
        then those in the middle. `truncate` cuts cells, ends them in `…` and counts them. `scroll` leaves them \
        as they are.
        """),
    Option(
      .singleLine, .flag, .layout, "one line per cell", isConfigurable: true,
      detail: "A newline in a cell is shown as `↵`. Cells that are too wide are cut, not wrapped."),
    Option(
      .lookahead, .number(0...1_000_000_000, or: ["all"]), .layout, "how many rows to measure before drawing",
      default: "all",
      detail: """
        `all` measures every row before the first is drawn, so widths and alignment are exact. N measures \
        the first N rows. A later cell that is wider continues in its column on lines that begin with `↪`, \
        or is cut or runs past the edge, as `--overflow` says. Such cells are counted. With 0 the titles \
        alone set the widths, and Markdown cells are not padded. For JSON, the columns are the keys of the \
        measured rows, or of the first row; later keys are reported.
        """),
    Option(
      .follow, .flag, .layout, "for live streams: show each row as it comes",
      detail: """
        A FILE, of several the last, is read on at its end as `tail -F` does, also when another one takes its place. Like \
        `--lookahead 100`, but measuring ends too when the input pauses for 0.3 s, and 0.5 s after the first row. Then each \
        row is written as it comes. As later texts may be wider, the last column of text takes all of the width that is free. \
        `words` are split at spaces. Options that need all rows are refused, such as `--sort`, `--move` to the top, \
        `--group-by`, `--tail`, `--head -N` and `--lookahead all`.
        """),
    Option(
      .gridItems, .text("ITEMS"), .layout, "widths and alignments in order, as in 40,12..:c,10..30:r",
      default: "flexible for every column",
      detail: """
        The first item is for the first column shown, row names included. `20` or `fixed(20)` is a column of 20 \
        cells. `10..30` or `flexible(10,30)` is as wide as its texts, but at least 10 and at most 30 cells; \
        `10..` and `..30` have one limit, `flexible` has none. `10..30~18` prefers 18 cells. An \
        item may end in `:l`, `:c`, `:r` or `:d` for the alignment, then in `+3` for 3 cells of space before \
        the next column, then in `*4` for four such columns. Longer cells wrap or are cut, as \
        `--overflow` says. With `--overflow scroll` a column is never narrower than its texts. If the line is too \
        short for all columns, columns of text become narrower than their minimum. `adaptive(20)`, used alone, puts \
        whole records side by side, as many as fit with at least 20 cells each; `adaptive(20,30)` gives \
        each at most 30. In List, Stack and Grid a record is then the text of its cells, two blanks between them, in \
        Detail it is its card. In a pipe its default width is 80. In HTML rows and cards flow as wide as \
        the page is, but with `--html-style inline` they stand one below the other. `--align` overrides the \
        alignment of an item. Markdown uses the alignment only.
        """),
    Option(
      .gridAlignment, .choice(of: TablePlace.self), .layout, "position of the table within --width",
      default: "leading",
      detail: """
        Title and caption are aligned with the table, or start further left if they would not fit. Without a \
        width, as in a pipe without `--width`, this has no effect. In HTML it places the table in its \
        page. Markdown ignores it.
        """,
      reach: .tables),
    Option(
      .gridWrap, .flag, .layout, "continue records on further lines if columns do not fit",
      detail: """
        All lines of a record share the same column positions. Titles and footers wrap in the same way. \
        Row names are on the first line only. No column is left out. \
        If all columns fit, or there is no width, as in a pipe without `--width`, this has no effect. Markdown and \
        HTML ignore it.
        """,
      reach: .tables),
    Option(
      .fill, .flag, .layout, "make the table as wide as --width", isConfigurable: true,
      detail: """
        The rest of the width goes in equal parts to the columns that have no maximum in `--grid-items`. In Detail the \
        title rules are as wide. If there is no width, as in a pipe without `--width`, nothing is filled. An HTML \
        table is as wide as its page. Markdown ignores it.
        """),
    Option(
      .minWidth, .number(0...10_000), .layout, "minimum table width", isConfigurable: true,
      default: "0, with --detail 38"),
    Option(
      .headerPosition, .choice(of: HeaderPosition.self), .layout,
      "header and footer with the rows, or set apart", isConfigurable: true,
      default: "inside for List, else outside",
      detail: "`inside` draws a single rule between them and the rows, `outside` a double one.",
      reach: .tables),
    Option(
      .border, .choice(of: Border.self), .layout, "style of the frame and the rules", isConfigurable: true,
      default: "light",
      detail: """
        `rules` draws horizontal lines only. `outline` draws heavy lines outside and light lines inside. \
        List and Stack use the style for their rules.
        """),
    Option(
      .separator, .text("TEXT", or: ["none", "line"]), .layout, "line or text between columns",
      isConfigurable: true,
      default: "by layout", reach: .tables),
    Option(
      .rowRules, .flag, .layout, "draw a rule between rows", isConfigurable: true, reach: .tables),
    Option(
      .page, .number(1...10_000, or: ["auto", "none"]), .layout, "repeat header and footer every N lines",
      isConfigurable: true,
      default: "none",
      detail: """
        A page of Stack or Grid has at most N lines, header, footer and rules among them, and at least one row. A \
        row of several lines is divided only if it is taller than a page. A page that begins within a section repeats \
        its heading. `auto` is the height of the terminal; in a pipe or file there are no pages. Title, caption \
        and a form above the table are on the first page; what stands below the table follows the last. While rows \
        stream (`--follow`, `--lookahead N`), only the last page has totals and templates in its footer. List has \
        pages only with `--header-position outside`, and Detail has none.
        """, reach: .displayForms([.text])),
  ]

  private static let header: [Option] = [
    Option(
      .noHeader, .flag, .header, "leave out the header, in csv and tsv too", isConfigurable: true),
    Option(
      .footer, .columns("COL=TEMPLATE,...", or: ["titles", "totals"]), .header,
      "titles, totals or a template per column, at the end",
      detail: """
        `titles` repeats the header. `totals` adds up every column of numbers. If up to half of the cells of \
        a column are not numbers, they are left out and counted. Templates may use the functions listed \
        under Footers: `name={count()} rows,weight={sum(weight):.1f}`.
        """,
      accumulates: true, reach: .tables),
    Option(
      .headerHeight, .number(1...10_000), .header, "maximum number of lines of a title", isConfigurable: true,
      default: "3",
      detail:
        "A title that wraps to more lines is cut and counted. Line breaks that a title has of its own stay, unless it wraps.",
      reach: .tables),
    Option(
      .title, .text("TEXT"), .header, "heading above the table"),
    Option(
      .caption, .text("TEXT"), .header, "line directly above the table, below the heading"),
    Option(
      .sectionBy, .expression("EXPR"), .header, "begin a section wherever the value of EXPR changes",
      detail: """
        Rows are not sorted for it. A null or empty cell of a column is a value, and `--missing` names its \
        section; a null that EXPR computes continues the section. Csv, tsv, json and jsonl have no sections.
        """),
    Option(
      .sectionHeader, .text("TEMPLATE", or: ["none"]), .header, "text above the rows of a section",
      default: "{section}",
      detail: """
        `{section}` is the value of `--section-by`. With functions listed under Footers, as in `{section}: \
        {count()} rows`, the rows of a section are held until it ends.
        """),
    Option(
      .sectionFooter, .text("TEMPLATE", or: ["titles", "totals", "none"]), .header,
      "text below the rows of a section", default: "none",
      detail: """
        A template stands over all columns: `{count()} in all`. `titles`, `totals` and templates with a column, \
        as in `weight={sum(weight)}`, stand under their columns as in `--footer`. A text with `=` before its \
        first brace must be quoted inside the value: `'"total = {count()}"'`.
        """),
    Option(
      .span, .columns("COLS=TITLE"), .header, "draw a title over several columns",
      detail: """
        `--span 'q1..q4=2025'` draws `2025` in the middle above these columns, with a rule below it. Columns that are \
        not neighbors have it once each. Titles over more columns are above those over fewer. Forms without such \
        titles, csv and JSON among them, join them with those of the columns: `2025 q1`.
        """,
      accumulates: true),
    Option(
      .mergeRepeats, .columns("COLS"), .header, "draw equal cells below each other once",
      detail: """
        A cell that shows the same as the one above it is blank, if the cells of the columns named before its own \
        repeat too: with `country,city` a city is shown anew in each country. In HTML and in pandoc's grid tables \
        it is one cell over several rows. A cell with a mark or a style is never left out, nor is the first one of a \
        page or a section. Sort by the columns first. Pipe tables, multiline tables and data forms have all cells, \
        and so has a page of `--interactive` once its script runs.
        """,
      reach: .tables),
    Option(
      .titleOf, .text("TEMPLATE"), .header, "title of each card, as in '{name}'",
      default: "the row names, else (row N)", detail: "Only with `--detail`.", reach: .layouts([.detail])),
    Option(
      .preamble, .file(), .header, "draw the records of FILE as a form above the table",
      detail: """
        Each field of a record is a label and its value. FILE is read like any input: its format follows from \
        its suffix or its first bytes. `-` is not allowed. The form stands between title and caption. A \
        fragment of HTML and csv, tsv, json and jsonl have no forms.
        """),
    Option(.postamble, .file(), .header, "draw the records of FILE as a form below the table"),
    Option(
      .blend, .flag, .header, "draw the forms inside the frame of the table (text, HTML)",
      detail: "In HTML they scroll with the table.", reach: .displayForms([.text, .html])),
  ]

  private static let spacing: [Option] = [
    Option(
      .tablePadding, .text("EDGES"), .spacing, "space around the table", isConfigurable: true,
      default: "0",
      detail: """
        EDGES are one to four lengths in the order top, right, bottom, left, as in CSS (`1 2`), or named \
        edges (`top=1,horizontal=2`). A plain number is a line or a character cell. `px` and `em` are exact \
        in HTML; in text 16px is a line, 8px is a cell, and the result is rounded. In HTML the default is \
        `10px 16px 15px 16px`, except for List.
        """),
    Option(
      .rowPadding, .text("EDGES"), .spacing, "space around each row (Stack, Detail)", isConfigurable: true,
      default: "0 1",
      detail: "In HTML the default is `.45em .75em`.", reach: .layouts([.stack, .detail])),
    Option(
      .itemPadding, .text("EDGES"), .spacing, "space around each cell (Grid)", isConfigurable: true,
      default: "0 1",
      detail: "In HTML the default is `.45em .75em`.", reach: .layouts([.grid])),
    Option(
      .headerSpacing, .text("LEN"), .spacing, "space above and below the header", isConfigurable: true,
      default: "0",
      detail: """
        A negative length removes space that a padding added. In HTML the default is 4px, except for List.
        """, reach: .tables),
    Option(
      .footerSpacing, .text("LEN"), .spacing, "space above and below the footer", isConfigurable: true,
      default: "0",
      detail: "In HTML the default is -4px, except for List.", reach: .tables),
    Option(
      .rowSpacing, .text("LEN"), .spacing, "space between rows", isConfigurable: true, default: "0"),
    Option(
      .columnSpacing, .text("LEN"), .spacing, "space between columns", isConfigurable: true,
      default: "2",
      detail: "In Grid and in HTML the default is 0, because cells have their padding.", reach: .tables),
    Option(
      .minRowHeight, .number(1...10_000), .spacing, "minimum number of lines per row", isConfigurable: true,
      default: "1",
      reach: .tables),
  ]

  private static let style: [Option] = [
    Option(
      .color, .choice(of: Environment.ColorChoice.self), .style, "when to use color", isConfigurable: true,
      default: "auto: on a terminal",
      detail: "Markdown, csv, tsv and JSON never have color. HTML uses classes."),
    Option(
      .sortIndicatorForward, .text("TEXT"), .style, "mark of columns in ascending order",
      isConfigurable: true, default: "▲",
      reach: .tables),
    Option(
      .sortIndicatorReverse, .text("TEXT"), .style, "mark of columns in descending order",
      isConfigurable: true, default: "▼",
      reach: .tables),
    Option(
      .sortIndicatorNeutral, .text("TEXT"), .style, "mark of the other columns", isConfigurable: true,
      default: "none",
      reach: .tables),
    Option(
      .noSortIndicators, .flag, .style, "do not mark sorted columns", isConfigurable: true, reach: .tables),
    Option(
      .sortRank, .flag, .style, "number the marks in the order of the sort keys", isConfigurable: true,
      reach: .tables),
    Option(
      .invalidIndicator, .text("TEXT"), .style, "mark of cells and rows that are not valid",
      isConfigurable: true,
      default: "⚠",
      detail: """
        A column that a rule of `--validate` is about keeps room for the marks in every row. A rule about rows puts the \
        mark before them, after the mark of those that are selected.
        """),
    Option(
      .validIndicator, .text("TEXT"), .style, "mark after a cell that keeps its rules", isConfigurable: true,
      default: "none"),
    Option(
      .hover, .flag, .style, "highlight the row or card under the pointer (HTML)", isConfigurable: true,
      detail: """
        The table has the class `hover`, which a linked style sheet may use, too. With `--html-style inline` there \
        is no style sheet, so the two together are an error.
        """, reach: .displayForms([.html])),
    Option(
      .headerStyle, .text("STYLE"), .style, "style of the header, as in 'bold fg=red'", isConfigurable: true,
      default: "bold",
      detail: """
        STYLE is one or more of `bold dim italic underline strike inverse`, and `fg=` or `bg=` with a color. \
        Colors are the basic names of CSS, `orange`, `brown`, `pink`, `gray`, `bright-` with a terminal \
        color, `#rgb` and `#rrggbb`.
        """),
    Option(
      .zebra, .flag, .style, "shade every second row", isConfigurable: true,
      detail: "Needs color or HTML. Each section starts again.", reach: .tables),
    Option(
      .rowBackground, .expression("RULE"), .style, "style of whole rows: 'weight > 100 -> bg=red'",
      detail: """
        RULE is a STYLE as in `--header-style`, optionally after a condition and `->`. \
        `fg=` and `bg=` also take an expression in braces that names the color: `bg={color}`. A warning counts \
        values that are not colors. `box` draws a box round the row, `gradient` lets the background fade out in HTML. The first rule whose \
        condition is true applies. Markdown shows only bold, italic and strike.
        """, accumulates: true),
    Option(
      .rowOverlay, .expression("RULE"), .style, "style on top of whole rows: 'weight > 100 -> box'",
      detail: """
        Rules as in `--row-background`. From top to bottom: overlay, style of cells, selection, background, \
        `--zebra`.
        """, accumulates: true),
    Option(
      .cell, .expression("COL: RULE"), .style, "style of cells: 'name: fg={color}'",
      detail: """
        COL is a column or a pattern such as `*`. In the rule `value` is the cell: `weight: value > 100 -> bold`. \
        `swatch` draws a cell that is a color name as `██` in that color. Without color, the name is drawn. \
        `bar` draws a bar beside each number, 12 characters long at the largest, `bar(20)` up to 20; those of negative \
        numbers grow to the left of a common zero. `heat` colors the background from the smallest number to the \
        largest, `heat(white, red)` between two colors, `heat(blue, white, red)` with one for zero. Both see all rows \
        shown, or those of `--lookahead`. Markdown and data forms have the numbers alone.
        """, accumulates: true),
    Option(
      .selectionStyle, .choice(of: SelectionStyle.self), .style, "how selected rows are drawn",
      isConfigurable: true,
      default: "marker",
      detail: """
        `marker` reserves two characters before each row for `▶`. `background` swaps the colors of the row; \
        without color there is a marker instead. `overlay` draws a box. Markdown always has a marker.
        """),
    Option(
      .ascii, .flag, .style, "draw with ASCII characters only", isConfigurable: true,
      detail: """
        Cells are not changed. This is the default only on a terminal whose locale names a character set other \
        than UTF-8.
        """),
    Option(
      .ambiguousWidth, .choice(["1", "2"]), .style, "width of East Asian ambiguous characters",
      isConfigurable: true,
      default: "1"),
  ]

  private static let output: [Option] = [
    Option(
      .to, letter: "t", .choice(of: OutputForm.self, aliases: ["md": "markdown", "ndjson": "jsonl"]), .output,
      "write text markdown pandoc html csv tsv json jsonl", default: "text, or by the suffix of -o",
      detail: "`md` is `markdown`, `ndjson` is `jsonl`. There is no `--pandoc`. See FORMATS."),
    Option(.text, .pick, .output, "the same as --to text"),
    Option(.markdown, .pick, .output, "the same as --to markdown"),
    Option(.html, .pick, .output, "the same as --to html"),
    Option(.csv, .pick, .output, "the same as --to csv"),
    Option(.tsv, .pick, .output, "the same as --to tsv"),
    Option(.json, .pick, .output, "the same as --to json: one array"),
    Option(.jsonl, .pick, .output, "the same as --to jsonl: one object per line"),
    Option(
      .output, letter: "o", .file(), .output, "write FILE whole or not at all; format by suffix",
      default: "standard output",
      detail: """
        A temporary file in the same folder is renamed to FILE when everything is written. If FILE is a \
        link, it is followed. The suffix .csv .tsv .tab .json .jsonl .ndjson .md .markdown .html or .htm \
        sets the format unless an option does. A suffix of another format, such as .xlsx, is refused then. \
        `-` is standard output.
        """),
    Option(
      .inPlace, letter: "i", .flag, .output, "write back to the named file, in its own form",
      detail: """
        The file appears whole or not at all, as with `-o`, and keeps its mode, its owner and group if the system \
        allows it (else a warning says so), byte order mark, quotes and line \
        ends: if the last record has no line end and stays the last, it gets none. Cells that no option changes keep \
        their bytes; blanks between the members of JSON do not. JSON in one array stays so; of objects one after \
        another, each gets a line of its own. Rows, columns and empty lines that are left out are gone, \
        and a note says how many; if there were rows and none would be left, or no column, nothing is written. Nor is \
        it if a cell that does not convert would be emptied by `--set`, or its row left out by `--filter`, unless \
        `--null` names what it says or `--on-error skip` leaves its row out. If the file was changed meanwhile, nothing is written. \
        Only csv, tsv, json and jsonl in UTF-8 can be written back.
        """),
    Option(
      .markdownRaw, .flag, .output, "cells are Markdown: do not escape them",
      detail: """
        Only `|` and newlines are escaped; a `|` after a backslash is not escaped again. Titles, headings and footers \
        are still escaped.
        """, reach: .displayForms([.markdown, .pandoc])),
    Option(
      .fragment, .flag, .output, "only the table, not a whole HTML document",
      detail: """
        Its look is that of the page it is put into. Colors and styles that options give, marks and texts for screen \
        readers take a style element along, unless `--html-style` says otherwise.
        """, reach: .displayForms([.html])),
    Option(
      .htmlStyle,
      .choice(["embed", "inline", "none"], open: OpenChoice(beginning: "link:", rest: "URL")),
      .output, "where the HTML style goes", default: "embed",
      detail: """
        `embed` writes a style sheet into the document. `inline` writes the style on each element, for mail. \
        `link:URL` links to a style sheet.
        """, reach: .displayForms([.html])),
    Option(
      .interactive, .flag, .output, "a page that sorts, filters, selects and copies (HTML)",
      detail: """
        A script in the page does what the options do: see INTERACTIVE PAGES. It reads nothing but the page, and sends \
        nothing. Where scripts are not allowed, the page is the same as without the option.
        """, reach: .forms([.html])),
    Option(
      .editable, .columns("COLS"), .output, "columns whose cells the page lets people change",
      detail: """
        With `--interactive` and `--id`. Rows can be added and deleted, too; changes are saved as a list for `--apply`. \
        `--can-edit`, `--can-delete` and `--can-move` say which rows may be changed.
        """),
    Option(
      .lang, .text("TAG"), .output, "language of the HTML document, as in pt-BR",
      detail: "One that is written from right to left, such as `ar`, turns the document that way.",
      reach: .displayForms([.html])),
    Option(
      .outputDelimiter, .character(.ascii), .output, "delimiter of csv output",
      default: "the input's, else a comma", reach: .forms([.csv])),
    Option(
      .formulaGuard, .flag, .output, "put ' before cells that look like formulas (csv, tsv)",
      detail: """
        A cell that begins with `=` `+` `-` `@` a tab or a line end, and is not a number, could run as a \
        formula in a spreadsheet. It gets a leading `'`. Such cells are counted.
        """, reach: .forms([.csv, .tsv])),
    Option(
      .rawControl, .flag, .output, "write control characters of the data as they are",
      detail: "Only to a pipe or a file. To a terminal it is refused."),
    Option(
      .paging, .choice(of: Environment.PagingChoice.self), .output, "show long tables in a pager",
      isConfigurable: true, default: "auto",
      detail: """
        `auto` starts the pager if text goes to a terminal and the table has more lines than the screen. A \
        shorter table is written in the width of the screen. `always` starts the pager for that, too. Nothing \
        is paged with `--follow`, into a pipe or a file, in the background, or with `TERM=dumb`. The pager is \
        the command in `TABLER_PAGER`, else in `PAGER`, else `less`. In the pager lines are as long as they \
        are, and it scrolls sideways; `--width` and `--overflow` bring the line breaks back. A table that is \
        wider than the screen by a tenth at most is fitted. Before version 608 of `less`, which keeps the titles of \
        Stack and Grid in view, they are repeated on each screen. Widths are \
        measured on the first 10,000 rows, unless all are read anyway, so that the first screen is there at \
        once. Quitting the pager ends the run.
        """),
    Option(
      .noPager, letter: "P", .flag, .output, "the same as --paging never", isConfigurable: true),
  ]

  private static let general: [Option] = [
    Option(
      .explain, .choice(of: Explanation.self), .general,
      "print the plan of the run or, by dialect, its SQL query",
      detail: """
        `plan` names the steps in the order of work, and what each holds: some stream, some hold rows. Nothing \
        but the header is read; of JSON, whose keys may come late, the first rows. The others are dialects of SQL: the \
        query asks an engine for the same rows. See BEYOND ONE MACHINE.
        """),
    Option(
      .via, .text("COMMAND"), .general, "ask the engine that COMMAND reaches, as in 'psql -d shop'",
      detail: """
        The steps go into a query that the engine runs, the rest is done here on its answer. The table is that of \
        `--table`; `duckdb` and `clickhouse-local` also read a FILE, or several by a pattern in quotes. COMMAND is split \
        at blanks, which quotes protect; no shell runs it. Known are `duckdb`, `sqlite3`, `clickhouse`, `psql` and \
        `spark-sql`. See BEYOND ONE MACHINE.
        """),
    Option(
      .dialect, .choice({ SQLDialect.asked.map(\.rawValue) }), .general, "SQL dialect of the client of --via",
      default: "by its name",
      detail: """
        For a client that is not known: it must read a query, and write csv with a header. Empty cells of it are null.
        """),
    Option(
      .table, .text("NAME"), .general, "table to query by --via or --explain", default: "the file",
      detail: """
        With its schema if it has one: `public.orders`. A part with a dot stands in double quotes: `main."my.table"`.
        """),
    Option(
      .tables, .flag, .general, "list all tables of the database of --via",
      detail: "With the number of rows that the engine estimates, if it does."),
    Option(.exitStatus, letter: "e", .flag, .general, "exit with status 1 if there are no rows"),
    Option(
      .progress, .choice(of: Progress.Choice.self), .general, "show how far a long run has come",
      default: "auto",
      detail: """
        `auto` shows a line on standard error if that is a terminal, the run takes more than two seconds, and \
        less than half is done then. The line goes before the table or a message comes. `always` shows it from \
        the start; if standard error is a file, a line is written every ten seconds. With `auto` and `always`, \
        the signal `USR1` prints such a line at any time.
        """),
    Option(.quiet, letter: "q", .flag, .general, "no warnings, notes and findings"),
    Option(
      .config, .file(mayBeEmpty: true), .general, "read the options in FILE first",
      default: "on a terminal ~/.config/tabler/config",
      detail: "With an empty name no file is read. See CONFIGURATION."),
    Option(.noConfig, .pick, .general, "read no file of options"),
    Option(
      .generate, .choice(of: Generate.self), .general, "print a generated text",
      isHidden: true),
    Option(
      .complete, .rest("KIND PREFIX -- WORDS"), .general, "print completions for a shell",
      isHidden: true),
    Option(.help, letter: "h", .request, .general, "-h for a short help, --help for all options"),
    Option(
      .version, letter: "V", .request, .general, "print the version, and how the program was built",
      detail: """
        The first line is `tabler` and the version. The others are for reports: commit and date, if the build was told, the \
        version of Swift, whether the program is static, its C library, and what it scans bytes with.
        """),
  ]
}
