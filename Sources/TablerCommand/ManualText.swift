extension Manual {
  /// What stands before the options.
  static let before: [ManualBlock] = [
    .section("DESCRIPTION"),
    .paragraph(
      """
      Takes rows from a pipe or from files, keeps, orders and moves them, and draws them as a table: text, \
      Markdown or HTML, or csv, tsv, JSON or JSON Lines when the pipe goes on.
      """),
    .paragraph(
      """
      The files named are read as one stream: the first header gives the columns, later files match by \
      name. Without a file, and for `-`, standard input is read. The same command writes the same bytes, \
      whoever runs it; only a terminal is treated more kindly than a pipe. Into a pipe nothing is ever cut.
      """),
    .paragraph(
      """
      The order of work is fixed, whatever the order on the line: filter, sort, move, skip, head, tail, \
      columns, layout. Equal rows keep the order of the input. What was filtered away need not be valid.
      """),
  ]

  /// What holds for all options.
  static let optionRules: [ManualBlock] = [
    .paragraph(
      """
      Options stand anywhere; `--` ends them. Switches cluster (`-eq`), and a value follows its letter at \
      once (`-s-weight`) or is the next word (`-s -weight`); after a name it follows `=` or is the next \
      word. Names are not abbreviated. No option has an optional value, so the next word is the value \
      whatever it looks like; only a word that begins with two dashes is refused there. For scripts, \
      `--sort="$key"` is the form no value can break.
      """),
    .paragraph(
      """
      Given several times, the last one counts, but where it says that all do. Every switch `--x` has \
      `--no-x` and the reverse; where switches pick one of several, as layouts do, the last one picks \
      instead.
      """),
  ]

  /// What stands between the options and the functions.
  static let grammar: [ManualBlock] = [
    .section("SORT KEYS"),
    .paragraph(
      """
      A list of keys parted by commas, the first the most important. A key is the name of a column, with \
      `-` before it for descending order and flags after it, each with a colon: `category,-weight:number`. \
      A path (`user.name`, `tags[0]`) reaches into JSON, `@2` is the second column and `@-1` the last, \
      `(weight / height)` in parentheses is an expression. Names that hold syntax are quoted: `"a,b"`.
      """),
    .terms([
      ("asc, desc", "Ascending, the default, and descending; `-weight` is `weight:desc`."),
      (
        "auto",
        """
        The default: numbers by value, then everything else as text, decided for each cell by itself.
        """
      ),
      ("number, date, duration", "What does not convert counts as null and is reported."),
      (
        "size",
        """
        `900K`, `1.5G`, `512Mi`, `1.2 MB`, `45%` and plain numbers. K M G T P count 1024, with a `B` after \
        them 1000.
        """
      ),
      ("text, nocase", "By the bytes of the text, as it is or in lower case."),
      ("natural, version", "Runs of digits by value; `version` puts `1.0-rc1` before `1.0`."),
      ("length", "By the number of characters."),
      ("first, last", "Where nulls are put; they come last otherwise, in either direction."),
    ]),
    .section("EXPRESSIONS"),
    .paragraph(
      """
      One language for filters, moves, guards, templates and sort keys. A column is its name, in backquotes \
      where that is no plain word, or `$2` by its position, or `$0.weight`; `$0` is the whole row as text. \
      `$name` is the text given by `--arg name=TEXT`.
      """),
    .terms([
      ("cond ? a : b", "The loosest; groups from the right."),
      ("or, and, not", "Also `||`, `&&` and, before a value, `!`."),
      ("= != < <= > >=", "Comparison; also `==` and `<>`. They do not chain."),
      ("x in (a, b), x between a and b", "Membership and range; `not` may stand before both."),
      ("x like '%an%', ilike", "Text with `%` and `_` for any text and any character; `ilike` ignores case."),
      ("x =~ /an/i, !~", "A pattern in the syntax of RE2, found anywhere; flags are i, s and x."),
      ("x is null, is empty, is number", "Never null; `is not` too."),
      ("x is distinct from y", "Like `!=`, but true or false for nulls too."),
      ("x ?? y", "The first if it is not null."),
      ("+ - ++", "Sum and difference; `++` joins text."),
      ("* / // %", "`/` is true division, `//` drops the fraction, `%` has the sign of the dividend."),
      ("^", "Power, also `**`; groups from the right."),
      ("x.member, x[0], x[-1]", "Into JSON; lists count from 0, `-1` is the last."),
      ("case when a then b else c end", "The first that is true."),
    ]),
    .paragraph(
      """
      Text stands in either quote mark: `'it''s'` knows nothing but its doubled quote, `"a\\tb"` the \
      escapes of JSON. Numbers are written `12`, `1_000`, `1.5`, `2e3` or `0x1F`. Whole numbers and \
      decimals are exact; `/`, roots, logarithms and their like give floating-point numbers.
      """),
    .paragraph(
      """
      A cell converts by use: compared with a number it is read as a number, compared with text it is \
      text; two cells are compared as numbers if both look like numbers. What will not convert is null and \
      is reported once. An operator with a null gives null, but `false and null` is false and \
      `true or null` is true; a filter keeps a row only for true. `x = null` reads as `x is null` and \
      `x = ""` as `x is empty`.
      """),
  ]

  /// What stands after the functions.
  static let after: [ManualBlock] =
    [
      .section("LAYOUTS"),
      .terms([
        ("--list", "Header, rows and footer in one flow, parted by single rules; the default."),
        ("--stack", "Rows under a header that stands apart, between double rules as wide as the table."),
        ("--grid", "A frame round every cell, a double rule under the header and over the footer."),
        ("--detail", "A card for each record: a title, and a line for each field."),
      ]),
      .paragraph(
        """
        An option the layout does not know is an error. Columns are as wide as their widest cell. Where the \
        line is longer than `--width`, the widest columns give way first and their cells wrap. A column of \
        numbers is aligned trailing, its title too.
        """),
      .section("FORMATS"),
      .terms([
        ("text", "For terminals and pipes. Control characters of the data print as `\\x1b`."),
        ("markdown", "Tables of GitHub Flavored Markdown, whose cells render as they were."),
        (
          "html",
          """
          A whole document with its own style and a policy that lets it load and run nothing; `--fragment` \
          prints the table alone.
          """
        ),
        (
          "csv, tsv",
          "Untouched csv cells keep their bytes, quotes included. Layout and style have no effect."
        ),
        ("json, jsonl", "One array, or one object a line. Numbers keep their digits."),
      ]),
      .section("ENVIRONMENT"),
      .terms([
        ("COLUMNS", "The width of lines on a terminal, before the terminal's own."),
        ("NO_COLOR", "Set and not empty: no colour."),
        ("CLICOLOR, TERM", "No colour on a terminal if `0` and `dumb`."),
        ("CLICOLOR_FORCE, FORCE_COLOR", "Colour on a terminal all the same."),
        ("COLORTERM, TERM", "How many colours: `truecolor` or `24bit`, `*256color`, else 16."),
        ("LC_ALL, LC_CTYPE, LANG", "On a terminal: whether it shows more than ASCII."),
      ]),
      .section("EXIT STATUS"),
      .terms([
        ("0", "Done; no row is success too."),
        ("1", "The answer is no: `--exit-status` and no row, or disorder under `--sorted-by`."),
        ("2", "Usage: an option, an expression, an unknown column. Nothing was written."),
        ("3", "Bad data: malformed input, a ragged row."),
        ("4", "The system: a file or the output, memory or disk."),
        ("130, 141, 143", "As the shell reports an interrupt, a closed pipe and a termination."),
      ]),
      .section("EXAMPLES"),
    ] + Example.all.map { .example(purpose: $0.purpose, command: $0.command) } + [
      .section("DIAGNOSTICS"),
      .paragraph(
        """
        Messages stand on standard error, one line for each kind of problem, with its place: an option, or \
        file, line and column, counted from 1.
        """),
      .display("tabler: data.csv:14:7: text after a closing quote; --lazy-quotes takes it as text"),
      .section("COMPATIBILITY"),
      .paragraph(
        """
        What tabler carries on from table views of graphical programs (SwiftTabler, SwiftDetailer, the table \
        of SwiftUI) and what a terminal cannot do:
        """),
      .terms([
        (
          "A tap on a title sorts, another reverses",
          "The key is written: `weight`, `-weight`; marks show it."
        ),
        ("Dragging rows, menus", "`--move`, guarded by `--can-move`; select and pipe on."),
        ("Hover events", "None; `onHover` has no counterpart."),
        ("Text fields, colour pickers, steppers in cells", "None: cells are shown, not typed into."),
        (
          "Buttons and links in cells, didSelectRow",
          "None; `--filter` with `--jsonl` hands the rows to the next program."
        ),
        ("Save and Cancel", "Save is `--output`; Cancel is what every failure does: nothing is written."),
        ("Scrolling both ways, a sticky corner", "HTML keeps head, foot and row names in sight."),
        ("Gradients, rounded corners, fonts, images", "A style sheet: `--html-style link:URL`."),
        ("Defaults of platforms", "One set of defaults; HTML takes the points of macOS."),
        ("A computed sort with a placeholder key path", "Any expression: `--sort '-(shares * price)'`."),
        ("A sort that reverses by negating <", "Not carried over: it is no ordering and loses ties."),
        (
          "AutoInit, AnyView, reuse, disposal, keyboard avoidance, a limit of ten columns",
          "No counterpart needed."
        ),
      ]),
      .section("SEE ALSO"),
      .reference(
        author: "Y. Shafranovich",
        title: "Common Format and MIME Type for Comma-Separated Values (CSV) Files",
        report: "RFC 4180"),
      .section("HISTORY"),
      .paragraph("Version 0.1.0 is the first."),
    ]
}
