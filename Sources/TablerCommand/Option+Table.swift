import TablerEngine

extension Option {
  /// Every option, in the order in which help and manual print them.
  ///
  /// A new option is one entry here and its name in `Option.ID`.
  static var all: [Option] { Array(tables.joined()) }

  /// The same in portions, so that looking for one takes no copies.
  static let tables = [
    input, rows, order, columns, layouts, header, spacing, style, output, general,
  ]

  private static let input: [Option] = [
    Option(
      .from, .choice(of: InputOptions.Form.self), .input, "form of the input",
      default: "auto",
      detail: """
        `auto` decides by the suffix of the file, then by the first line. `csv` is RFC 4180. `tsv` has no \
        quotes; `\\t` `\\n` `\\r` `\\\\` in it are decoded. `words` takes columns by their position, as \
        `ps`, `df`, `docker` and `kubectl` print them, up to the first blank line. `blanks` parts fields at \
        runs of blanks, as awk does; with `--names` the last takes the rest of the line. `table` is a drawn \
        table: of Markdown, psql, mysql or pandoc, or one of tabler itself. `jsonl` is one object a line, `json` one array of \
        objects or objects one after the other.
        """),
    Option(
      .delimiter, letter: "d", .character(.ascii), .input, "field separator; implies --from csv",
      default: "detected",
      detail: """
        Found as the one of `,` `;` `|` and tab that is most frequent in the header line. `\\t` is a tab.
        """),
    Option(
      .quote, .character(.ascii, or: ["none"]), .input, "quote mark", default: "\"; none in tsv",
      detail: "Inside quotes the mark is doubled; delimiters and newlines belong to the cell."),
    Option(
      .escape, .character(.ascii, or: ["none"]), .input, "escape mark", default: "none; \\ in tsv",
      detail: "With `--escape '\\'` a csv quote may also be written `\\\"`."),
    Option(
      .lazyQuotes, .flag, .input, "text after a closing quote is text",
      detail: "Without it such a cell is an error that names its line and column."),
    Option(
      .comment, .character(.ascii, or: ["none"]), .input, "leave out lines that begin with CHAR",
      default: "none"),
    Option(
      .skipLines, .number(0...Int.max), .input, "leave out the first N lines, before the header",
      default: "0"),
    Option(
      .noHeaderIn, letter: "H", .flag, .input, "the first record is data, not a header",
      detail: "The columns are then named `1`, `2` and so on."),
    Option(
      .names, .text("LIST"), .input, "names of the columns, instead of the header's",
      default: "the header's",
      detail: "More names than cells make missing cells.",
      seeds: [Seed(.gridTalk, "columnNames")]),
    Option(
      .autoNames, .text("TEMPLATE"), .input, "names of columns that have none", default: "{n}",
      detail: "`{n}` is the position, `{letter}` counts A to Z, then AA, `{{` is a brace.",
      seeds: [Seed(.gridTalk, "Column 1"), Seed(.gridTalk, "A B C")]),
    Option(
      .headerLines, .number(1...1_000), .input, "the header is N records, joined by blanks",
      default: "1", seeds: [Seed(.gridTalk, "header rows")]),
    Option(
      .trim, .flag, .input, "outer blanks are no part of cells and titles",
      detail: """
        For csv and tsv, as in `a | b | c` or `lscpu | tabler -d : -H --trim`; csv and tsv output has the \
        cells without them. The other forms have no outer blanks.
        """),
    Option(
      .at, .text("PATH"), .input, "take the rows from the JSON array at PATH",
      default: "the whole",
      detail: """
        PATH is written as in `items`, `data.rows`, `pages[0].items`. An object of objects there gives a row for each of its members, with their names in a first column \
        `key`. The first of an array of arrays is the header; values that are neither give a column `value`. \
        `--at .` takes the value itself. What stands around the rows is never held, however much it is.
        """),
    Option(
      .ragged, .choice(of: InputOptions.Ragged.self), .input, "rows too short or too long",
      default: "error",
      detail: """
        `error` stops and names the row. `fill` gives short rows missing cells, and long rows further \
        columns when the table is gathered or written as json or jsonl. `skip` leaves such rows out and counts them. With `fill` a \
        later file may also have columns the first has not.
        """,
      seeds: [Seed(.gridTalk, "isContained"), Seed(.form, "MixedReusable")]),
    Option(.null, .text("TEXT"), .input, "cells and JSON strings that are TEXT are null", accumulates: true),
    Option(
      .quotedEmpty, .choice(["null", "text"]), .input, "what \"\" is in csv", default: "null",
      detail: "`text` makes it an empty text."),
    Option(
      .decimal, .character(.ascii), .input, "decimal mark in numbers", default: ".",
      detail: """
        With `--decimal , --thousands .` the cell `1.234,50` is a number. Formats write the same marks; \
        json, jsonl and expressions always use the point.
        """),
    Option(.thousands, .character(.mark), .input, "thousands mark in numbers", default: "none"),
    Option(
      .encoding, .choice(of: InputOptions.Encoding.self), .input, "encoding of the input",
      default: "by BOM, else utf-8",
      detail: """
        `latin1` is read as Windows-1252. `utf-16` without a BOM is told by where its zero bytes stand.
        """),
  ]

  private static let rows: [Option] = [
    Option(
      .arg, .text("NAME=TEXT"), .rows, "$NAME in expressions and templates is TEXT",
      detail: "The text is never syntax, whatever it holds; it converts by use like a cell.",
      accumulates: true),
    Option(
      .filter, letter: "f", .expression("EXPR"), .rows, "keep the rows where EXPR is true",
      detail: "Several filters must all be true. See EXPRESSIONS.", accumulates: true,
      seeds: [Seed(.tabler, "filter")]),
    Option(
      .move, .expression("WHAT to WHERE"), .rows, "move rows: '5,6 to top', '(x = 1) to bottom'",
      detail: """
        WHAT is a list of rows as they stand after sorting (`2`, `3..5`, `-1`) or an expression in \
        parentheses. WHERE is `top`, `bottom`, a row number (before that row), `before` or `after` with a \
        row number or an expression in parentheses. Moved rows keep their order.
        """, accumulates: true, seeds: [Seed(.tabler, "onMove")]),
    Option(
      .canMove, .expression("EXPR"), .rows, "the rows that --move may move", default: "true",
      detail: "A refused row stays where it is and is counted on standard error.",
      seeds: [Seed(.tabler, "canMove")]),
    Option(.skip, .number(0...Int.max), .rows, "leave out the first N rows", default: "0"),
    Option(
      .head, letter: "n", .number(-Int.max...Int.max), .rows, "show the first N rows; -N: all but the last N",
      default: "all",
      detail: "Reading ends with the last row needed, unless another step needs the rest.",
      seeds: [Seed(.gridTalk, "rows 22")]),
    Option(.tail, .number(0...Int.max), .rows, "show the last N rows", default: "all"),
  ]

  private static let order: [Option] = [
    Option(
      .sort, letter: "s", .keys, .order, "stable sort, as in -weight,name; see SORT KEYS",
      detail: """
        Equal rows keep the order of the input, nulls come last. `--sort -weight`, `--sort=-weight`, \
        `-s -weight`, `-s-weight` and `--sort weight:desc` are the same.
        """,
      accumulates: true, seeds: [Seed(.tabler, "tablerSort"), Seed(.swiftTable, "sorted(using:)")]),
    Option(
      .sortedBy, .keys, .order, "verify this order and show it, do not sort",
      detail: "The first row out of order is named, with status 1.",
      seeds: [Seed(.swiftTable, "sortOrder"), Seed(.tabler, "sortDescriptors")]),
    Option(.nulls, .choice(["first", "last"]), .order, "where nulls are sorted", default: "last"),
    Option(
      .order, .columns("COL=V,..."), .order, "order of the values of a column, as in size=S,M,L",
      detail: "Values that are not listed follow, nulls come last. It holds where COL is a sort key.",
      accumulates: true, seeds: [Seed(.swiftTable, "sortUsing")]),
    Option(
      .memory, .text("SIZE"), .order, "memory for rows before they go to a file", default: "25%",
      detail: """
        `512M`, `2G`, or a part of the machine's memory. Rows beyond it are kept in a temporary file in \
        `TMPDIR`, else in `/var/tmp`, that has no name: sorted runs that are merged, or rows in their order \
        where widths must be known first. Moves keep all rows in memory.
        """, seeds: [Seed(.gridTalk, "big data")]),
  ]

  private static let columns: [Option] = [
    Option(
      .columns, letter: "c", .columns("LIST"), .columns, "which columns, in what order, with what titles",
      default: "all",
      detail: """
        In `name,weight=Weight,a..c,price*,!color` a name stands for itself, `=` gives a title, `..` is a \
        range, `*` and `?` match names and `!` takes away. `@2` is the second column, `@-1` the last.
        """,
      seeds: [Seed(.tabler, "header"), Seed(.swiftTable, "TableColumn")]),
    Option(
      .hide, .columns("LIST"), .columns, "columns not shown, but still usable in other options",
      accumulates: true),
    Option(
      .rowNames, .columns("COLS|TEMPLATE"), .columns, "columns shown first, as row headers",
      detail: """
        A value with `{` in it is a template for all rows: `--row-names 'Row {n}'`. There `{n}` is the number of \
        the row, whatever the columns are called.
        """,
      seeds: [Seed(.gridTalk, "rowNames")]),
    Option(
      .rowNumbers, .flag, .columns, "number the rows shown", seeds: [Seed(.gridTalk, "1-12")]),
    Option(
      .align, .columns("COL:ALIGN,..."), .columns, "align columns, as in weight:trailing",
      default: "numbers trailing, others leading",
      detail: "ALIGN is `leading`, `center`, `trailing` or `decimal`, which lines up the points.",
      accumulates: true, seeds: [Seed(.tabler, "GridItem alignment")]),
    Option(
      .format, .columns("COL=FORMAT,..."), .columns, "display form, as in 'weight={:.1f} kg'",
      default: "cells as they came",
      detail: """
        Sorting and filtering see the cell itself. `{:.0f}` rounds, `{:,.2f}` groups thousands, `{:08d}` \
        fills with zeros, `{:k}` is 1.2k, `{:B}` 1.2 MiB, `{:t}` 1h 05m, `{:%}` 25 %.
        """,
      accumulates: true, seeds: [Seed(.tabler, "%.0f g"), Seed(.swiftTable, "formatted()")]),
    Option(
      .missing, .text("TEXT"), .columns, "what null and missing cells show", default: "NA",
      seeds: [Seed(.gridTalk, "missing")]),
  ]

  private static let layouts: [Option] = [
    Option(
      .list, letter: "l", .pick, .layout, "header and footer in the flow (the default)",
      seeds: [Seed(.tabler, "TablerList")]),
    Option(
      .stack, letter: "k", .pick, .layout, "rows under a header that stands apart",
      seeds: [Seed(.tabler, "TablerStack")]),
    Option(
      .grid, letter: "g", .pick, .layout, "framed table",
      seeds: [Seed(.tabler, "TablerGrid")]),
    Option(
      .detail, letter: "x", .pick, .layout, "a card for each record, a line for each field",
      seeds: [Seed(.detailer, "viewDetailer")]),
    Option(
      .width, letter: "w", .number(0...10_000, or: ["auto", "none"]), .layout, "the longest line",
      default: "auto: the terminal's, else none",
      detail: """
        On a terminal `auto` is `COLUMNS`, else the width of the terminal, else 80. Into a pipe or a file \
        there is no limit. Markdown and HTML ignore it.
        """),
    Option(
      .overflow, .choice(of: Overflow.self), .layout, "what becomes of cells too wide",
      default: "wrap, on a terminal fit",
      detail: """
        `wrap` breaks them into lines: titles first, then texts at their words, and a number or a date only where \
        nothing else is left. `fit` does the same, but leaves out columns from the middle before it breaks words \
        and numbers. `truncate` cuts them, ends them in `…` and counts them. `scroll` leaves them long.
        """, seeds: [Seed(.tabler, "sideways")]),
    Option(
      .singleLine, .flag, .layout, "one line a cell",
      detail: "A newline in a cell prints as `↵`; cells too wide are cut instead of wrapped.",
      seeds: [Seed(.gridTalk, "single line")]),
    Option(
      .lookahead, .number(0...1_000_000_000, or: ["all"]), .layout, "how many rows are measured first",
      default: "all",
      detail: """
        `all` measures every row before the first is drawn, so widths and alignment are exact. N measures \
        the first N; a later, wider cell goes on behind `↪` in its column, or is cut or runs past the edge as \
        `--overflow` says, and is counted. 0 plans from the titles; Markdown cells then stand bare. JSON \
        columns are those of the rows measured, or of the first; later keys are reported.
        """, seeds: [Seed(.gridTalk, "MaxColumnWidthKey")]),
    Option(
      .follow, .flag, .layout, "a live stream: show each row before the next comes",
      detail: """
        As `--lookahead 100`, but a pause of 0.3 s ends the look-ahead too, and each row is written as it \
        comes. Words are parted at blanks. What needs all rows is refused: `--sort`, `--move`, `--tail`, \
        `--head -N`, `--lookahead all`.
        """, seeds: [Seed(.form, "dynamic rows")]),
    Option(
      .minWidth, .number(0...10_000), .layout, "least width of the table",
      default: "0, with --detail 38",
      seeds: [Seed(.detailer, "minWidth"), Seed(.tabler, "minWidth")]),
    Option(
      .headerPosition, .choice(of: HeaderPosition.self), .layout, "header in or above the region of rows",
      default: "inside for List, else outside",
      seeds: [Seed(.tabler, "inside"), Seed(.tabler, "outside")]),
    Option(
      .border, .choice(of: Border.self), .layout, "frame and rules", default: "light",
      detail: """
        `rules` draws horizontal lines only, `outline` heavy ones outside and light ones inside. List and \
        Stack use the style for their rules.
        """, seeds: [Seed(.gridTalk, "border")]),
    Option(
      .separator, .text("TEXT", or: ["none", "line"]), .layout, "what stands between columns",
      default: "by layout", seeds: [Seed(.form, "SeparatorStyle")]),
    Option(
      .rowRules, .flag, .layout, "a rule between rows",
      seeds: [Seed(.form, "separators")]),
  ]

  private static let header: [Option] = [
    Option(
      .noHeader, .flag, .header, "draw no header; in csv and tsv: no header line",
      seeds: [Seed(.tabler, "header")]),
    Option(
      .footer, .columns("COL=TEMPLATE,...", or: ["titles", "totals"]), .header,
      "titles again, sums, or a template for each column",
      detail: """
        `titles` repeats the header, `totals` is the sum of every column of numbers; cells that are none, up to half of them, are left \
        out and counted. A template may hold the functions listed under Footers: `name={count()} rows,weight={sum(weight):.1f}`.
        """,
      accumulates: true, seeds: [Seed(.tabler, "footer")]),
    Option(
      .headerHeight, .number(1...10_000), .header, "lines that a title may wrap to", default: "3",
      detail: "A title that needs more lines is cut and counted.",
      seeds: [Seed(.gridTalk, "columnHeaderHeight")]),
    Option(
      .title, .text("TEXT"), .header, "heading above everything", seeds: [Seed(.gridTalk, "Title")]),
    Option(
      .caption, .text("TEXT"), .header, "line directly above the table",
      seeds: [Seed(.gridTalk, "Caption")]),
    Option(
      .titleOf, .text("TEMPLATE"), .header, "title of a card, as in '{name}'",
      default: "(row N)", detail: "Only with `--detail`.", seeds: [Seed(.detailer, "titler")]),
  ]

  private static let spacing: [Option] = [
    Option(
      .tablePadding, .text("EDGES"), .spacing, "room round the table",
      default: "0",
      detail: """
        EDGES are up to four lengths in the order top, right, bottom, left, as in CSS (`1 2`), or named \
        edges (`top=1,horizontal=2`). A bare number is a line or a character cell; `px` and `em` are \
        exact in HTML and rounded in text (16px are a line, 8px a cell). A negative length only removes room \
        that another one added. In HTML the default is `10px 16px 15px 16px`, but for List.
        """, seeds: [Seed(.tabler, "tablePadding")]),
    Option(
      .rowPadding, .text("EDGES"), .spacing, "room round each row (Stack, Detail)", default: "0 1",
      detail: "In HTML the default is `.45em .75em`.",
      seeds: [Seed(.tabler, "rowPadding"), Seed(.form, "rowInsets")]),
    Option(
      .itemPadding, .text("EDGES"), .spacing, "room round each cell (Grid)", default: "0 1",
      detail: "In HTML the default is `.45em .75em`.", seeds: [Seed(.tabler, "itemPadding")]),
    Option(
      .headerSpacing, .text("LEN"), .spacing, "room above and below the header", default: "0",
      detail: "In HTML the default is 4px, but for List.",
      seeds: [Seed(.tabler, "headerSpacing")]),
    Option(
      .footerSpacing, .text("LEN"), .spacing, "room above and below the footer", default: "0",
      detail: "In HTML the default is -4px, but for List.",
      seeds: [Seed(.tabler, "footerSpacing")]),
    Option(
      .rowSpacing, .text("LEN"), .spacing, "room between rows", default: "0",
      seeds: [Seed(.tabler, "rowSpacing")]),
    Option(
      .columnSpacing, .text("LEN"), .spacing, "room between columns (List, Stack)", default: "2",
      detail: "In HTML the default is 0; the padding of the cells parts them.",
      seeds: [Seed(.form, "itemSpacing")]),
    Option(
      .minRowHeight, .number(1...10_000), .spacing, "least number of lines of a row", default: "1",
      seeds: [Seed(.form, "minRowHeight")]),
  ]

  private static let style: [Option] = [
    Option(
      .color, .choice(["auto", "always", "never"]), .style, "colour",
      default: "auto: on a terminal",
      detail: "Markdown, csv, tsv and JSON never have colour; HTML uses classes."),
    Option(
      .sortIndicatorForward, .text("TEXT"), .style, "mark of an ascending key", default: "▲",
      seeds: [Seed(.tabler, "sortIndicatorForward")]),
    Option(
      .sortIndicatorReverse, .text("TEXT"), .style, "mark of a descending key", default: "▼",
      seeds: [Seed(.tabler, "sortIndicatorReverse")]),
    Option(
      .sortIndicatorNeutral, .text("TEXT"), .style, "mark of the other columns", default: "none",
      seeds: [Seed(.tabler, "sortIndicatorNeutral")]),
    Option(
      .noSortIndicators, .flag, .style, "no marks, and no room kept for them",
      seeds: [Seed(.tabler, "indicator")]),
    Option(
      .sortRank, .flag, .style, "number the marks when there are several keys",
      seeds: [Seed(.swiftTable, "sortOrder")]),
    Option(
      .headerStyle, .text("STYLE"), .style, "style of header cells, as in 'bold fg=red'",
      default: "bold",
      detail: """
        Words of `bold dim italic underline strike inverse`, `fg=` and `bg=` with a colour: a CSS basic \
        name, `orange`, `brown`, `pink`, `gray`, `bright-` and a terminal colour, `#rgb` or `#rrggbb`.
        """, seeds: [Seed(.gridTalk, "headerCell")]),
    Option(
      .ascii, .flag, .style, "add no character beyond ASCII",
      detail: "On by itself only on a terminal whose locale is not UTF-8."),
    Option(
      .ambiguousWidth, .choice(["1", "2"]), .style, "width of East Asian ambiguous characters",
      default: "1"),
  ]

  private static let output: [Option] = [
    Option(
      .to, letter: "t", .choice(of: OutputForm.self, aliases: ["md": "markdown"]), .output,
      "output form: text markdown html csv tsv json jsonl", default: "text, or by the suffix of -o",
      detail: "`md` is `markdown`. See FORMATS."),
    Option(.text, .pick, .output, "the same as --to text"),
    Option(.markdown, .pick, .output, "the same as --to markdown"),
    Option(.html, .pick, .output, "the same as --to html"),
    Option(.csv, .pick, .output, "the same as --to csv"),
    Option(.tsv, .pick, .output, "the same as --to tsv"),
    Option(.json, .pick, .output, "the same as --to json: one array"),
    Option(.jsonl, .pick, .output, "the same as --to jsonl: one object a line"),
    Option(
      .output, letter: "o", .file, .output, "write FILE at once or not at all; form by suffix",
      default: "standard output",
      detail: """
        A temporary file beside it takes its place when all is written; a link is followed. A suffix of \
        .csv .tsv .tab .json .jsonl .ndjson .md .markdown .html .htm decides the form unless an option does; \
        one of another form, as .xlsx, is refused then. `-` is standard output.
        """, seeds: [Seed(.detailer, "onSave")]),
    Option(.fragment, .flag, .output, "of an HTML document only the table"),
    Option(
      .htmlStyle,
      .choice(["embed", "inline", "none"], open: OpenChoice(beginning: "link:", rest: "URL")),
      .output, "where the HTML style stands", default: "embed",
      detail: "`inline` writes it on each element, for mail; `link:URL` names a style sheet.",
      seeds: [Seed(.gridTalk, "font")]),
    Option(.lang, .text("TAG"), .output, "language of the HTML document, as in pt-BR"),
    Option(
      .outputDelimiter, .character(.ascii), .output, "delimiter of csv output",
      default: "the input's, else a comma"),
    Option(
      .formulaGuard, .flag, .output, "defuse spreadsheet formulas in csv and tsv",
      detail: """
        A cell that begins with `=` `+` `-` `@` or a control character and is no number gets a leading \
        `'`; the cells are counted.
        """),
    Option(
      .rawControl, .flag, .output, "let control characters of the data pass",
      detail: "Only to a pipe or a file; to a terminal it is refused."),
  ]

  private static let general: [Option] = [
    Option(.exitStatus, letter: "e", .flag, .general, "status 1 when no row came out"),
    Option(.quiet, letter: "q", .flag, .general, "no warnings and notes"),
    Option(
      .generate, .choice(of: Generate.self), .general, "print a generated text",
      isHidden: true, seeds: [Seed(.tabler, "AutoInit")]),
    Option(
      .complete, .rest("KIND PREFIX -- WORDS"), .general, "print completions for a shell",
      isHidden: true),
    Option(.help, letter: "h", .request, .general, "-h prints a short help, --help this one"),
    Option(.version, letter: "V", .request, .general, "print the version"),
  ]
}
