extension Manual {
  /// The text before the options.
  static let before: [ManualBlock] = [
    .section("DESCRIPTION"),
    .example(.first),
    .paragraph(
      """
      tabler reads rows from a pipe or from files. It can filter, sort and move them. Then it draws them as a \
      table: text, Markdown or HTML. It can also write csv, tsv, JSON or JSON Lines for the next program.
      """),
    .paragraph(
      """
      Several files are read as one stream: the first header gives the columns, and later files match by \
      name. Without a file, and for `-`, standard input is read. The same command writes the same bytes for \
      everyone; only a terminal's width and colors make a difference. To a pipe, nothing is ever cut unless an \
      option asks for it.
      """),
    .paragraph(
      """
      The steps have a fixed order, whatever the order of the options: explode, apply, add, join, derive and set, \
      filter, delete, validate, unpivot, group, pivot or summary, sort, move, compute, skip, head, tail, sections, select, columns, \
      layout. Rows with equal sort keys keep the order of the input. Cells of rows that were filtered out need not be valid.
      """),
  ]

  /// Rules for all options.
  static let optionRules: [ManualBlock] = [
    .paragraph(
      """
      Options may stand before, between and after the files; `--` ends them. Letters without a value can be \
      joined (`-eq`). A value follows its letter directly (`-s-weight`) or is the next word (`-s -weight`). \
      After a long name it follows `=` or is the next word. Long names cannot be shortened. The next word is \
      the value even if it begins with a dash; only a word that begins with two dashes is refused. In \
      scripts, write `--sort="$key"`: it works with any value.
      """),
    .paragraph(
      """
      If an option is given several times, the last one counts, unless its text says that all count. Every \
      switch `--x` can be turned off with `--no-x`, and `--no-x` with `--x`. For switches that choose one of \
      several things, such as layouts, the last one counts instead.
      """),
  ]

  /// The text between the options and the functions.
  static let grammar: [ManualBlock] = [
    .section("SORT KEYS"),
    .paragraph(
      """
      KEYS is a list of keys separated by commas; the first is the most important. A key is the name of a \
      column. A `-` before it means descending order. Flags follow it, each after a colon: \
      `category,-weight:number`. A path such as `user.name`, `tags[0]` or `labels["app.io/name"]` leads into JSON. `@2` is the second \
      column, `@-1` the last; in JSON, of the columns that the first record has. An expression in parentheses is a key too: `(weight / height)`. Names with \
      special characters need quotes: `"a,b"`.
      """),
    .terms(sortFlags),
    .section("EXPRESSIONS"),
    .paragraph(
      """
      Filters, moves, templates and sort keys use the same language. A column is written as its name. If the \
      name is not a single word, it stands in backquotes. `$2` is the second column, and `$0["any name"]` a \
      column by its name. `$0` alone is the whole row as text. `$name` is the text given by \
      `--arg name=TEXT`.
      """),
    .terms(operators),
    .paragraph(
      """
      The list goes from the loosest operator to the tightest; `? :` and `^` group from the right. Text is written in either quote mark: in `'it''s'` only the quote itself is special and is written \
      twice, in `"a\\tb"` the escapes of JSON work. Numbers are written `12`, `1_000`, `1.5`, `2e3` or \
      `0x1F`. Whole numbers and decimals are exact, and so are quotients and means that are decimals of at most 38 \
      digits, as that of `0.6 / 3` is; others, such as `1 / 3`, roots and logarithms are floating-point numbers.
      """),
    .paragraph(
      """
      A list is written `[a, b]`. A date is written `date "2025-06-01"`, with its time `datetime "2025-06-01T12:30"`, \
      a duration `1d2h`, with the units `w d h m s ms us ns`, and a size `20G`, `1.5Mi` or `100MB`, which is a number as \
      the sort flag `size` reads it. Cells beside a duration or a size are read as such; durations may also be spelled \
      `26:03:04`, `1:23.45`, `1-02:03:04`, `1 day 02:03:04` or `5 min`, and as sort keys `9:59` and `2y45d`. If a date is needed, a cell is read as one, in \
      the spellings of ISO 8601 or by the pattern of `--date-format`, as in `start > date "2025-06-01"` and \
      `year(start)`; with `--date-format` also if it is compared with a text that is a date, as in `start > "2025-06-01"`. Durations are added and \
      subtracted, as in `date(start) + 1w`; a date from another gives a duration. Days and longer units are those of the \
      clocks of a zone if `date_trunc()`, `date_add()` or `date_diff()` is given what `to_zone()` makes. A time with an offset from UTC is an \
      instant; one without counts as UTC if the two are compared. Years are 0 to 9999; a date beyond them is null.
      """),
    .paragraph(
      """
      How a cell is read depends on its use. Compared with a number it is a number, compared with text it is \
      text. Two cells are compared as numbers if both look like numbers. A cell that cannot be converted is \
      null, and a warning counts such cells; `--on-error` leaves out their rows or stops instead. Functions such as \
      `number()` and `date()` are null for such cells, which is no mistake; a note counts them if nobody sees the null, \
      as in `sum(number(x))` or a filter. A column whose type \
      `--types` declares is of that type everywhere. A text that an expression reads or makes has at most 16 MiB. \
      If it is longer, the result is null, and a warning counts such texts; a file of CSV, TSV or JSON that \
      `--output` or `--in-place` names is not written then. If a value is null, the result of \
      an operator is null too. \
      Exceptions: `false and null` is false, `true or null` is true, and tests such as `is null` always give \
      true or false. A filter keeps a row only if the result is true. `x = null` means `x is null`, and \
      `x = ""` means `x is empty`.
      """),
  ]

  /// What may follow the column of a sort key.
  static let sortFlags: [(term: String, text: String)] = [
    ("asc, desc", "Ascending (the default) and descending. `-weight` is `weight:desc`."),
    (
      "auto",
      """
      The default: numbers by value, then all other cells as text. With `--date-format`, cells that fit it are dates. \
      A note says if texts look like values.
      """
    ),
    (
      "number, date, duration",
      "Cells that cannot be converted count as null, and a warning counts them. `number` also reads `$12` and `12 €`."
    ),
    (
      "size",
      """
      `900K`, `1.5G`, `512Mi`, `1.2 MB`, `45%`, `153m` and plain numbers. K M G T P are powers of 1024; with a `B` \
      after them, of 1000; `m` is a thousandth.
      """
    ),
    ("text, nocase", "By the bytes of the text, as it is or in lower case."),
    ("natural, version", "Digits inside text by value. `version` puts `1.0-rc1` before `1.0`."),
    ("length", "By the number of characters."),
    ("first, last", "Nulls first or last. They come last otherwise, in either direction."),
  ]

  /// The operators of expressions.
  static let operators: [(term: String, text: String)] = [
    ("cond ? a : b", "`a` if the condition is true, else `b`."),
    ("or, and, not", "Also `||`, `&&` and, before a value, `!`."),
    ("= != < <= > >=", "Comparisons; also `==` and `<>`. They cannot be chained."),
    ("x in (a, b), x between a and b", "With `not` before `in` and `between`: the opposite."),
    ("x like '%an%', ilike", "`%` is any text, `_` any character. `ilike` ignores case."),
    ("x =~ /an/i, !~", "A regular expression as in RE2, found anywhere. Flags: i, s, x."),
    (
      "x is null, is empty, is number",
      "Always true or false; also `is not`, and `is date`, `is list` and so on."
    ),
    ("x is distinct from y", "Like `!=`, but true or false for nulls too."),
    ("x ?? y", "`x`, or `y` if `x` is null."),
    ("+ - ++", "Sum and difference; `++` joins text."),
    ("* / // %", "`/` keeps the fraction, `//` drops it. `%` has the sign of `x` in `x % y`."),
    ("^", "Power; also `**`."),
    ("x.member, x[0], x[-1], x[1:3]", "Parts of JSON and of lists, which count from 0; `-1` is the last."),
    (
      "x[*].member",
      """
      The list of what the items of a list have there. An aggregate of it is that of one row: `sum(x[*].n)`, \
      `any(x[*].name = 'bug')`; inside of another, `max(sum(x[*].n))`, it is of all rows.
      """
    ),
    ("case when a then b else c end", "`b` for the first condition that is true."),
  ]

  /// The text after the functions.
  static let after: [ManualBlock] =
    [
      .section("LAYOUTS"),
      .terms([
        ("--list", "The default: header, rows and footer, with a single rule between them."),
        ("--stack", "Double rules across the whole table above and below the rows."),
        ("--grid", "A frame around every cell, with double rules at the header and the footer."),
        ("--detail", "A card for each record: a title, then a line for each field."),
      ]),
      .paragraph(
        """
        An option that the chosen layout does not have is an error. Columns are as wide as their widest cell, unless \
        `--grid-items` says otherwise. If a line would be longer than `--width`, titles wrap, then the widest columns \
        of text are made narrower and their cells wrap. The longest words of titles, up to 12 cells, stay whole as long as \
        no column of text has to be narrower than 8. Columns of numbers and their titles are aligned at the \
        trailing edge.
        """),
      .paragraph(
        """
        Rows and cells may have a style: `--zebra`, `--row-background`, the selection, `--cell` and \
        `--row-overlay`; each of these covers the ones before it. If only a background is given, the text is black \
        or white. Styles never change the text of a cell, except `swatch`. Room for marks, bars and boxes is reserved in \
        every row, so columns stay aligned.
        """),
      .section("FORMATS"),
      .terms([
        ("text", "For terminals and pipes. Control characters of the data are shown like `\\x1b`."),
        ("markdown", "Tables of GitHub Flavored Markdown. Special characters of the cells are escaped."),
        (
          "pandoc",
          """
          Markdown as pandoc reads it: a pipe table for List, a multiline table for Stack, a grid table for Grid, \
          headings and definition lists for Detail. Cells of Stack and Grid keep their line breaks. In Stack and Grid, \
          characters whose width differs between versions of pandoc are written as references, such as `&#x200D;`. The foot of a grid \
          table needs pandoc 3.
          """
        ),
        (
          "html",
          """
          A whole document with its own style. Its policy keeps it from loading or running anything. \
          `--fragment` writes only the table.
          """
        ),
        (
          "csv, tsv",
          "Csv cells that were not changed keep their bytes, quotes included. Layout options have no effect."
        ),
        ("json, jsonl", "One array, or one object per line. Numbers keep their digits."),
      ]),
      .section("LOOKING AT A FILE"),
      .paragraph(
        """
        What is in a file that you have not seen before:
        """),
      .display(
        """
        tabler data.csv --summary
        tabler data.csv --summary --detail
        tabler data.csv --filter 'city is empty' --summary -c column,missing,distinct
        tabler data.csv --group-by city --sort -count --head 10
        tabler data.csv --group-by city --pivot year --aggregate 's = sum(km)'
        tabler data.csv --sort date --compute 'sofar = running(km)'
        tabler data.csv --sample 20
        tabler data.csv --sort date --ends 5
        tabler data.csv --sort city,date --merge-repeats city
        """),
      .paragraph(
        """
        `--summary` makes one row of each column. It looks at every cell, so that `missing`, `distinct` and `top` are exact; a \
        column whose type is `int, 3 text` has three cells that no sum or mean counts, which \
        `--filter 'not (COL is number)'` shows. `--group-by` without `--aggregate` counts the rows of each value. \
        `--pivot` makes a column of each value of another column, `--compute` looks at the rows before and after. \
        `--sample` shows rows from everywhere, the same ones every time, `--ends` the first and the last ones.
        """),
      .paragraph(
        """
        `--merge-repeats city` draws a city once for all its rows, and `--span 'q1..q4=2025'` a title over several columns. \
        With `--header-lines 2`, equal neighbors in the upper line of a header are such titles, and so are the values of \
        `--pivot` above several aggregates.
        """),
      .section("JOINS, LISTS AND LOGS"),
      .display(
        """
        tabler orders.csv --join 'prices.csv on item = id'
        tabler orders.csv --join 'refused.csv on id' --join-type anti
        curl -s URL | tabler --explode labels -c number,title,labels.name
        curl -s URL | tabler --filter "any(labels[*].name = 'bug')"
        kubectl get pods -o json | tabler --at items --explode spec.containers
        tabler access.log --pattern combined --group-by status,path --sort -count
        tabler --follow app.log --pattern logfmt -c time,level,msg --filter "level = 'error'"
        tabler app.log --pattern '/^(?<time>\\S+) (?<level>\\w+) (?<text>.*)$/' --ragged skip
        """),
      .paragraph(
        """
        `--join` puts the columns of another file beside each row; a row comes once for each match, as in SQL, and the \
        rows without one are counted. Of lists in JSON, `--explode` makes a row for each element, and `x[*].n` is the list of \
        what all elements have there: `sum(x[*].n)` and `join(x[*].name, ', ')` are values of one row. `--pattern` reads \
        lines of any kind. Compressed files are read as they are.
        """),
      .section("CHANGES"),
      .paragraph(
        """
        `tabler new.csv --diff old.csv --id id` shows what became of a table. The old one may have another form: JSON \
        lines, a drawn table. A column before the others says it, and the last line on standard error counts it:
        """),
      .display(
        """
               id  name         weight  color
               ──  ──────────  ───────  ──────
        ↕ 5→1  🍇  Grape             7  purple
        ~      🍓  Strawberry  12 → 15  red
        + 4    🥭  Mango           200  yellow
        - 4    🥝  Kiwi             75  green
        tabler: 1 inserted, 1 deleted, 1 updated (weight 1), 1 moved; 6 old rows, 6 new
        """),
      .paragraph(
        """
        Numbers after `+` are places in the new table, those after `-` places in the old one. No two rows of a table may \
        have the same `--id`, and none may lack it: status 3, with the columns that would do. Steps apply to both \
        tables; `--head`, `--tail` and `--skip` count the changes shown. Expressions and templates after them know the \
        columns `change` (`insert`, `delete`, `update`, `move`, `move+update`), `from`, `to`, and `was`, the old values \
        of changed cells as JSON. In Markdown and HTML the counts are the caption.
        """),
      .paragraph(
        """
        With `--jsonl` or `--json` the changes are a list that another table can take: \
        `tabler old.csv --apply changes.jsonl -i` makes the new table, and `--reverse` the old one again. A row must hold \
        what the list says it held, else nothing is written, status 1. With `--rejects FILE` what fits is applied, and FILE \
        gets the other changes, each with what is there now. So two versions of a table are merged:
        """),
      .display(
        """
        tabler theirs.csv --diff base.csv --id id --jsonl |
          tabler ours.csv --apply - --rejects conflicts.jsonl -i
        """),
      .paragraph(
        """
        `tabler --generate git` prints what makes git draw the changes of csv and tsv files with tabler, and merge \
        them by rows and cells instead of lines: lines for `.gitattributes`, and a section for the configuration of git. \
        `git diff` then draws changes at once, `git log -p` and `git show` with `--ext-diff`.
        """),
      .section("INTERACTIVE PAGES"),
      .paragraph(
        """
        `tabler fruit.csv --html --interactive -o fruit.html` writes a page that sorts, filters, selects and copies in any \
        browser, without a server or a network. All pages have the same script, and the policy of the page lets no other run. \
        It loads, sends and stores nothing. Where scripts are not allowed, the page is the same as without the option.
        """),
      .terms([
        (
          "Sort",
          "Press a title to sort by its column. A second press reverses the order, a third restores that of the page. With "
            + "Shift, the column becomes one more key. The order is that of `--sort`. Rows stay in their sections."
        ),
        (
          "Filter",
          "Type words that must all occur in a row. `name:word` searches one column, `-word` must not occur, `weight>10` and "
            + "`name=\"exact\"` compare values. `/` goes to the field, Esc empties it."
        ),
        (
          "Select",
          "Click a row, or press Space. Ctrl adds or removes a row, Shift selects all rows up to it, Ctrl+A selects all rows, "
            + "Esc none. `--select` says which rows are selected at first."
        ),
        (
          "Copy",
          "Ctrl+C copies the selected rows, or all rows shown, for spreadsheets and documents. Buttons save them as csv, and "
            + "copy the command that gives the same view in a pipe."
        ),
        ("Details", "Enter or a double click opens a row as a card."),
        (
          "Columns",
          "Drag the edge of a title to change the width of its column, or press Alt and an arrow on the title. A double click "
            + "on the edge fits the column to its cells. A menu hides and shows columns. Titles over several "
            + "columns are joined with those below."
        ),
        (
          "Move",
          "Drag a row by its beginning, or press Alt and an arrow. Rows can be moved if the page shows one whole file in its own "
            + "order; `--can-move` limits them."
        ),
        (
          "Change",
          "With `--editable COLS` (`'*'` for all) and `--id`, F2 or a double click changes a cell, Tab goes on to the next, "
            + "Delete deletes the selected rows or the one with the focus, a button adds one, and Ctrl+Z undoes the last change. "
            + "Changed rows are marked as those of `--diff` are: see CHANGES."
        ),
        (
          "Save",
          "The changes become a list, `fruit.changes.jsonl`, which the browser saves where it saves all files, and the page shows "
            + "the line that applies it: `tabler fruit.csv --apply fruit.changes.jsonl -i`, with the `--validate` and the guards "
            + "that the page was made with. A file is changed only if all of its rows are valid. Then make the page again."
        ),
      ]),
      .section("BEYOND ONE MACHINE"),
      .paragraph(
        """
        `--explain` with a dialect of SQL prints the query that asks an engine for the same rows, and stops. No engine is \
        needed: of a file the header is read, and the first rows, by which columns have types unless `--types` declares \
        them. `tabler fruit.csv --filter 'weight > 10 and not (color = "red")' --derive 'kg = weight/1000' -c \
        name,kg --sort -weight --head 3 --explain duckdb` prints:
        """),
      .display(
        """
        SELECT "name", "weight" / NULLIF(1000, 0) AS "kg"
        FROM read_csv('fruit.csv', header = true, columns = {...})
        WHERE "weight" > 10 AND NOT ("color" = 'red')
        ORDER BY "weight" DESC NULLS LAST
        LIMIT 3;
        """),
      .paragraph(
        """
        DuckDB reads the file; for other engines it is taken to be a table of the same name, or the one that `--table` \
        names. Queries for `duckdb`, `sqlite`, `postgres`, `clickhouse` and `spark` were compared with tabler's own answers on these \
        engines. `trino` and `ansi` were tried by nobody, as a comment says. `portable` has only what all engines do alike.
        """),
      .paragraph(
        """
        A query asks for `--derive`, `--set`, `--filter`, `--delete` of an expression, `--group-by`, `--aggregate`, `--having`, \
        `--sort`, `--skip`, `--head` and `--columns`. After an option that is not asked, such as `--move`, none is; a \
        comment names them. What an engine would answer in another way is refused, status 2: functions that it lacks, \
        the orders `natural` and `version`, rows by number, `--tail`. Ties of an order come as the engine likes.
        """),
      .paragraph(
        """
        `--via` asks the engine itself, through a client that is installed, and lays out the answer. The \
        query is what `--explain` prints; tabler does the rest. A note lists both, and the number of rows fetched.
        """),
      .display(
        """
        tabler trips.parquet --via duckdb --sort -km --head 20
        tabler --via 'sqlite3 shop.db' --tables
        tabler --via 'sqlite3 shop.db' --table orders --filter 'total > 100'
        tabler --via 'psql -d shop' --table public.orders --sort -total -n 20
        tabler --via 'clickhouse-client -h db' --table hits --group-by day
        tabler --via 'spark-sql --master spark://h:7077' --table events -n 9
        """),
      .paragraph(
        """
        The client is asked for the columns and their types first, so that a name that is not there is found before \
        anything is fetched. It connects as it always does: hosts, users and passwords are its own. `duckdb` reads Parquet, \
        csv and JSON files, also packed ones, several by a pattern in quotes, and Excel files by its extension for them. Cells of csv have no \
        type there: `--types` says which are numbers, dates as `2024-02-29`, or texts, and what does not convert is null. So \
        it is with texts of a table. `sqlite3` writes 15 digits of a number with decimals.
        """),
      .paragraph(
        """
        The answer is complete only if the client ends with status 0; otherwise the status is 4, and the client's own \
        message stands above. The order of the rows is checked, as far as the fetched columns show it. If tabler ends early, the client \
        gets the signal INT, two seconds later TERM, and at last KILL, so that the query does not keep running. With `--diff OLD` the answer \
        is compared with a file, which takes the same steps here. Another client that reads a query and writes csv with a header \
        needs `--dialect`.
        """),
      .section("CONFIGURATION"),
      .paragraph(
        """
        A file can hold the options that you want for every table on a terminal. It is `tabler/config` in the folder \
        `XDG_CONFIG_HOME`, which is `~/.config` if that is not set, and it is read only if the table goes to a \
        terminal. So the output to a pipe or a file stays the same for everyone. `--config FILE` and \
        `TABLER_CONFIG_PATH` name a file that is always read; if the name is empty, no file is, as with `--no-config`.
        """),
      .display(
        """
        # every table on a terminal
        grid
        border round
        missing = ''
        header-style bold fg=#0a7
        """),
      .paragraph(
        """
        Each line holds one option. The two dashes may be left off, and the value follows a space or `=`. It may \
        stand in quotes; a quote inside of it is written twice. `#` begins a comment at the start of a line or after \
        a space. The command line wins, and an option of the file that does not fit it has no effect. A wrong \
        value is an error. A name that this version does not know is ignored with a warning, but in a file that was \
        named it is an error.
        """),
      .paragraph(
        "No option of the file starts a program or opens a file. Only these may stand there: "
          + Option.all.filter { $0.isConfigurable && !$0.isHidden }.map { "`\($0.spelling)`" }
          .joined(separator: ", ") + "."),
      .section("ENVIRONMENT"),
      .terms([
        ("TABLER_CONFIG_PATH", "The file of options, see CONFIGURATION; empty for none."),
        ("XDG_CONFIG_HOME, HOME", "Where the file of options is looked for, if the name begins with `/`."),
        ("COLUMNS", "The line width on a terminal, instead of the terminal's own."),
        ("LINES", "The lines of a terminal for `--page auto` and the pager, instead of the terminal's own."),
        (
          "TABLER_PAGER, PAGER",
          "The pager; the first that is set counts. Empty or `cat`: none. Its words are separated by spaces, "
            + "except in quotes or after a backslash, as in a shell. If `PAGER` is `more` or `most`, `less` is used."
        ),
        (
          "LESS",
          "Options of `less`, which get `-R -S -+F` after them: colors show, lines stay whole, and a short table stays "
            + "on the screen. From version 608 on, the titles of Stack and Grid and the names of rows stay in view."
        ),
        ("PATH", "Where the pager is looked for."),
        ("TMPDIR", "The folder of temporary files; without it `/var/tmp`. See `--memory`."),
        (
          "TZDIR",
          "The folder of time zone files, for functions with a zone; without it `/usr/share/zoneinfo`."
        ),
        ("NO_COLOR", "No color, if it is not empty."),
        ("CLICOLOR, TERM", "No color on a terminal if `CLICOLOR` is `0` or `TERM` is `dumb`."),
        ("CLICOLOR_FORCE, FORCE_COLOR", "Color on a terminal in spite of those two."),
        ("COLORTERM, TERM", "The number of colors: `truecolor` or `24bit`, `*256color`, else 16."),
        ("LC_ALL, LC_CTYPE, LANG", "On a terminal: whether it can show more than ASCII."),
      ]),
      .section("FILES"),
      .terms([
        ("~/.config/tabler/config", "Options for tables on a terminal, see CONFIGURATION.")
      ]),
      .section("EXIT STATUS"),
      .terms([
        ("0", "Success, even if there are no rows."),
        (
          "1",
          "`--diff` found changes, "
            + "`--validate` found rows that are not valid, `--exit-status` found no rows, `--sorted-by` found rows "
            + "out of order, changes of `--apply` do not fit, `--in-place` would leave no row or no column, or "
            + "`--select-mode single` found more than one."
        ),
        ("2", "A mistake in the command: an option, an expression, an unknown column. Nothing was written."),
        (
          "3",
          "Bad data: damaged input, a row with too few or too many fields, or a cell that does not convert under "
            + "`--on-error stop` or where `--in-place` would lose it."
        ),
        ("4", "The system: a file cannot be read or written, or memory or disk is full."),
        ("130, 141, 143", "Ended by an interrupt, by a closed pipe, by a request to terminate."),
      ]),
      .section("EXAMPLES"), .example(.file),
    ] + Example.all.map { .example($0) } + [
      .section("DIAGNOSTICS"),
      .paragraph(
        """
        Messages go to standard error, one line for each kind of problem. A message begins with the place: an \
        option, or file, line and column, counted from 1.
        """),
      .display("tabler: --sort: column 'wieght' not found; did you mean 'weight'?"),
      .section("COMPATIBILITY"),
      .paragraph(
        """
        tabler brings the table views of graphical programs (SwiftTabler, SwiftDetailer, the table of SwiftUI) \
        to the terminal. This is what became of the features that a terminal does not have:
        """),
      .terms([
        (
          "A tap on a title sorts, another reverses",
          "The key is an argument, `weight` or `-weight`. A mark beside the title shows it. In a page of `--interactive`, a "
            + "press on the title."
        ),
        (
          "Dragging and swiping rows, menus",
          "`--move` and `--delete`, limited by `--can-move` and `--can-delete`; in a page by pointer and keys."
        ),
        (
          "Hover events",
          "`--hover` highlights the row under the pointer in HTML; with `--interactive` also the row with the focus. "
            + "`onHover` has no other counterpart."
        ),
        (
          "Text fields, color pickers, steppers in cells",
          "`--set` changes cells by an expression, a page with `--editable` by hand."
        ),
        (
          "Validation of fields and records, its messages and its icon",
          "`--validate`, with a line for each finding and a mark after the cell or before the row; a card says below its "
            + "fields what is wrong with the record."
        ),
        (
          "Buttons and links in cells, didSelectRow",
          "`--filter` with `--jsonl` gives the rows to the next program; a page copies the selected ones."
        ),
        (
          "Rows bound to a model, Core Data",
          "`--set`, saved by `--output` or `--in-place`, changes a file; so does the list of changes of a page, by `--apply`."
        ),
        (
          "Animated updates of a table",
          "`--diff` shows what became of it, and `--jsonl` lists it for other programs."
        ),
        ("Sheets, zoom, charts, shapes, media, comments, sharing", "None."),
        (
          "Save and Cancel",
          "Save is `--output` or `--in-place`, also of what a page has saved. Every failure works like Cancel, and with "
            + "`--validate` so does a row that is not valid: nothing is written."
        ),
        ("Scrolling both ways, a sticky corner", "In HTML, header, footer and row names stay visible."),
        (
          "Selection of one row or several",
          "`--select`, `--select-mode`; in a page by click and keys."
        ),
        (
          "Row backgrounds and overlays",
          "`--row-background`, `--row-overlay`. In text a gradient is one color."
        ),
        ("Fonts, images", "A style sheet of your own: `--html-style link:URL`."),
        ("Defaults of platforms", "The same defaults everywhere."),
        ("A computed sort with a placeholder key path", "Any expression: `--sort '-(shares * price)'`."),
        ("A sort that reverses by negating <", "Not supported, because equal rows would lose their order."),
        (
          "AutoInit, AnyView, data sources, delegates, reuse, disposal, keyboard avoidance, a limit of ten columns",
          "Not needed here."
        ),
      ]),
      .section("STABILITY"),
      .paragraph(
        """
        Before version 1.0 anything may change; HISTORY says what did. From 1.0 on, scripts can rely on the following until \
        2.0. Options, functions and formats may be added, but those that exist keep their meaning:
        """),
      .terms([
        (
          "Options and expressions",
          "Names, letters, values and defaults of options, the order of the steps, the configuration file, and the variables "
            + "under ENVIRONMENT. Expressions, sort keys, templates and patterns."
        ),
        ("Exit statuses", "The numbers under EXIT STATUS, and what each of them means."),
        (
          "Messages",
          "They go to standard error. Each begins with `tabler:`, a warning with `tabler: warning:`, a note with "
            + "`tabler: note:`; then comes the place, if there is one, such as `FILE:LINE:COLUMN:`."
        ),
        (
          "Data",
          "The cells of csv, tsv, JSON and JSON Lines, their order and how they are quoted. Cells that were not changed keep "
            + "their bytes."
        ),
        (
          "Change lists",
          "A list that `--diff` wrote can be applied by the same version and every later one. Members may be added."
        ),
        (
          "Layouts",
          "How List, Stack, Grid and Detail arrange titles, rules, rows and footers, and the characters that they draw. A "
            + "width that an option sets is kept."
        ),
        ("--version", "The first line."),
      ]),
      .paragraph(
        """
        Anything else may change in any release, so do not parse or compare it: the wording of messages, and which warnings, \
        notes and suggestions there are; widths that tabler chooses, and so where lines break; colors; the elements, \
        classes, styles and scripts of HTML pages; what `--explain` prints and `--via` asks; help, completions and progress; time, \
        memory and temporary files. A result that contradicts this page is a bug and will be fixed.
        """),
      .section("SEE ALSO"),
      .reference(
        author: "Y. Shafranovich",
        title: "Common Format and MIME Type for Comma-Separated Values (CSV) Files",
        report: "RFC 4180"),
      .section("HISTORY"),
      .paragraph(beforeChanges),
      .terms(changes),
      .section("BUGS"),
      .paragraph(
        """
        A report needs all that `tabler --version` prints, the command, the smallest input that shows the bug, what you \
        expected and what you got. Please do not report vulnerabilities in public: `SECURITY.md` in the sources says \
        where they go.
        """),
    ]

  /// What comes before the changes.
  static let beforeChanges = """
    Version 0.1.0 is the first, and not released yet. These changes altered what earlier builds of it \
    printed without any option, the newest first:
    """

  /// Changes of the default output, the newest first.
  static let changes: [(term: String, text: String)] = [
    (
      "Widths",
      """
      Titles that are too wide wrap, as `--header-height` says; before, they were cut, or the data was broken. A \
      number or a date is broken only if nothing else can give way. On a terminal, columns that say least, then \
      those in the middle, are left out if not all of them fit: `--overflow fit`.
      """
    ),
    (
      "Sort marks",
      """
      The mark stands one space after its title, and other columns keep no space for one. Before, every column \
      of a sorted table was two cells wider.
      """
    ),
    ("Dim lines", "If there is color, frames, rules and `NA` are dim."),
    (
      "Live streams",
      """
      `--follow` draws the first rows after half a second, and draws what it holds before an interrupt ends it.
      """
    ),
    (
      "Drawn tables are read",
      """
      Input that is a drawn table (Markdown, psql, mysql, sqlite3, pandoc or tabler's own) is read as one. \
      Before, its rules and bars were cells.
      """
    ),
    (
      "Columns by position",
      """
      Aligned words are split by the position of the columns, not by counting words. Cells may be empty or \
      hold spaces. The first line of `ls -l`, a line of dashes below the header, and everything after the \
      first blank line are left out.
      """
    ),
    (
      "NA among numbers",
      """
      Cells that are `NA`, `N/A`, `null` or `-` no longer keep a column of numbers from being aligned as one.
      """
    ),
    (
      "Spellings of numbers",
      "`.5` and `5.` are numbers. `1e5` is an exact decimal. `007` sorts by its value."
    ),
    ("Names with dots", "If a JSON key is exactly `a.b`, `a.b` means that key and not a path."),
  ]
}
