import Foundation
import Testing

/// What a new user gets to read: the binary's own words, on the input below.
@Suite struct MessageRuleTests {
  private static let input =
    "name,species,weight,Unit Price,Use%,net-weight\nKiwi,a,7,5,10,3\nPear,b,9,6,20,4\n"

  /// Arguments, and the first line on stderr without `tabler: `.
  private static let refusals: [([String], String)] = [
    (["-f", "name = Kiwi"], "--filter: column 'Kiwi' not found; text is written \"Kiwi\""),
    (
      ["-f", "name = Kiwi Fruit"],
      "--filter: expected an operator, not 'Fruit'; a column is written `Kiwi Fruit`, a text \"Kiwi Fruit\""
    ),
    (
      ["-c", "name=Title", "-f", "Title = 'x'"],
      "--filter: column 'Title' not found; that is the title of 'name'"
    ),
    (["-c", "name=Title", "-s", "Title"], "--sort: column 'Title' not found; that is the title of 'name'"),
    (
      ["-c", "weight=Weight", "--align", "Weight:l"],
      "--align: column 'Weight' not found; that is the title of 'weight'"
    ),
    (["-f", "$species = 'a'"], "--filter: no --arg is called 'species'; the column is species"),
    (
      ["-f", ".nope = 'a'"],
      "--filter: expected a value, not '.'; a column of that name is written nope"
    ),
    (
      ["-f", "%Use > 10"],
      "--filter: expected a value, not '%'; a column of that name is written `%Use`"
    ),
    (
      ["-f", "Use% > 10"],
      "--filter: expected a value after '%', not '>'; a column of that name is written `Use%`"
    ),
    (["-f", "name like K%"], "--filter: expected a value after '%'; text is written \"K%\""),
    (
      ["-f", "name like %w%"],
      "--filter: expected a value after 'like', not '%'; text is written \"%w%\""
    ),
    (
      ["-f", "$99999999999999999999 = 1"],
      "--filter: there is no column of that number; the input has 6 columns"
    ),
    (
      ["-f", "1K-blocks > 1"], "--filter: '1K' is not a number; a column of that name is written `1K-blocks`"
    ),
    (["-f", "NR > 1"], "--filter: column 'NR' not found; did you mean 'row_number()'?"),
    (
      ["-f", "name ~ 'x'"],
      "--filter: '~' means nothing here; a pattern is matched with =~, as in name =~ /x/"
    ),
    (["-f", "name & 'x'"], "--filter: '&' means nothing here; write 'and', or ++ to join text"),
    (["-f", "name | 'x'"], "--filter: '|' means nothing here; write 'or', or ++ to join text"),
    (
      ["-f", "name startswith 'K'"],
      "--filter: expected an operator, not 'startswith'; write starts_with(name, x)"
    ),
    (["-f", "weight isnull"], "--filter: expected an operator, not 'isnull'; write weight is null"),
    (["-f", "weight notnull"], "--filter: expected an operator, not 'notnull'; write weight is not null"),
    (["-f", "weight isin (1, 2)"], "--filter: expected an operator, not 'isin'; write weight in (a, b)"),
    (
      ["-f", "weight within 1"],
      "--filter: expected an operator, not 'within'; write weight between a and b"
    ),
    (["-f", "weight decode 1"], "--filter: expected an operator, not 'decode'; write case when"),
    (["--memory", "99999999999999999999G"], "--memory: 99999999999999999999G is too large"),
    (["--nogrid"], "unknown option '--nogrid'; did you mean '--list'?"),
    (["--nosort-indicators"], "unknown option '--nosort-indicators'; did you mean '--no-sort-indicators'?"),
    (["-s", "weight desc"], "--sort: column 'weight desc' not found; that key is written -weight"),
    (["-s", "name asc"], "--sort: column 'name asc' not found; that key is written name"),
    (["-s", "weight:numeric"], "--sort: unknown flag 'numeric'; did you mean 'number'?"),
    (
      ["--format", "weight={weight > 5 ? 'a' : 'b'}"],
      "--format: in a template, '? :' needs parentheses, as in {(x > 1 ? \"a\" : \"b\")}"
    ),
    (
      ["--format", "json"],
      "--format: 'json' is an output format, but this option takes COL=FORMAT; did you mean '--to json'?"
    ),
    (
      ["--format", "weight=%d kg"],
      "--format: '%d' is not a format here; numbers are formatted with braces: {:.2f}"
    ),
    (
      ["-f", "weight > 100,000"],
      "--filter: expected an operator, not ','; a number is written without commas"
    ),
    (["-f", "name in ('a', 'b') , 1"], "--filter: expected an operator, not ','"),
    (
      ["--format", "weight=%.2f"],
      "--format: '%.2f' is not a format here; numbers are formatted with braces: {:.2f}"
    ),
    (
      ["-f", "name = 'a' or 'b'"],
      "--filter: 'or' needs true or false, but 'b' is text; for several values write name in ('a', 'b')"
    ),
    (
      ["-f", "name || 'b'"],
      "--filter: 'or' needs true or false, but 'b' is text; to join text write name ++ 'b'"
    ),
    (
      ["-f", "net-weight > 2"],
      "--filter: column 'net' not found; the column 'net-weight' is written `net-weight`"
    ),
    (
      ["-f", "name in 'Kiwi'"],
      "--filter: 'in' needs a list, but 'Kiwi' is text; write contains('Kiwi', name)"
    ),
    (["-f", "name in ('a', null)"], "--filter: null in a list matches nothing; add 'or name is null'"),
    (
      ["-f", #"name = "\d""#],
      #"--filter: unknown escape '\d' in "…"; '…' and /…/ take a backslash literally"#
    ),
    (["-f", "ceiling(true) > 1"], "--filter: ceiling() needs numbers, but 'true' is true or false"),
    (["-c", "9"], "--columns: there is no column 9; the input has 6 columns"),
    (["-c", "@9"], "--columns: there is no column @9; the input has 6 columns"),
    (
      ["-c", "wei"],
      "--columns: column 'wei' not found; the columns are name, species, weight, Unit Price, Use%, net-weight"
    ),
    (["-c", "1-3"], "--columns: column '1-3' not found; a range is written 1..3"),
    (["-c", "name weight"], "--columns: column 'name weight' not found; names are separated by commas"),
    (["--header-style", "fg=bleu"], "--header-style: unknown color 'bleu'; did you mean 'blue'?"),
    (["--header-style", "fg=rd"], "--header-style: unknown color 'rd'"),
    (["-k", "--row-padding", "-1"], "--row-padding: -1 is not between 0 and 10000"),
    (["--header-spacing", "-20000"], "--header-spacing: -20000 is not between -10000 and 10000"),
  ]

  @Test(arguments: refusals)
  func `a refusal says what to write`(_ arguments: [String], _ message: String) throws {
    let run = try Run(arguments, input: Self.input)
    #expect(run.status == 2 && run.output.isEmpty)
    let first = run.errors.text.split(separator: "\n").first.map(String.init) ?? ""
    let words = first.components(separatedBy: "  (")[0]
    #expect(words == "tabler: " + message)
  }

  @Test(arguments: [
    ("name in name", "not lists (first: line 2, 'Kiwi'); treated as null (contains() searches in text)"),
    ("name || species", "not true or false (first: line 2, 'Kiwi'); treated as null (++ joins text)"),
    (
      "weight",
      "not true or false (first: line 2, '7'); treated as null (did the shell take '>' or '<'? quote the expression)"
    ),
    ("name or species", "not true or false (first: line 2, 'Kiwi'); treated as null"),
  ])
  func `cells that do not convert say what was meant`(_ filter: String, _ ending: String) throws {
    let run = try Run(["-f", filter, "--csv"], input: Self.input)
    #expect(run.status == 0)
    #expect(
      run.errors.text.split(separator: "\n").first
        == "tabler: warning: <stdin>: 2 cells of '\(filter.prefix { $0 != " " })' are \(ending)")
  }

  /// The caret counts display cells, whatever stands before it; a tab is one.
  @Test(arguments: [
    ("`名前` = 1 and wrong = 2", 15, 5), ("'🍊👩‍👩‍👧' = `名前` and wrong = 2", 20, 5),
    ("\t`名前`\t=\t1 and wrong = 2", 16, 5),
    ("`名前` = `📦` + 1", 9, 4),
  ])
  func `the caret stands below the place`(_ filter: String, _ indent: Int, _ length: Int) throws {
    let run = try Run(["-f", filter, "--csv"], input: "名前\n1\n")
    let lines = run.errors.text.split(separator: "\n")
    let mark = "^" + String(repeating: "~", count: length - 1)
    #expect(lines.count > 2 && lines[2] == "  " + String(repeating: " ", count: indent) + mark)
  }

  @Test(arguments: [
    ("avg(weight)", "8"), ("mean(weight)", "8"), ("sum(ceiling(weight))", "16"),
    ("sum(power(weight, 1))", "16"),
    ("first(substring(name, 2))", "iwi"), ("sum(char_length(name))", "8"), ("sum(len(name))", "8"),
    ("first(ifnull(null, name))", "Kiwi"), ("AVG(weight)", "8"),
  ])
  func `SQL's other spellings mean the same`(_ expression: String, _ expected: String) throws {
    let run = try Run(["--footer", "name={\(expression)}", "-c", "name"], input: Self.input)
    #expect(run.status == 0 && run.errors.text == "")
    #expect(run.output.text.split(separator: "\n").last == Substring(expected))
  }

  @Test func `R57 a single dash is the standard output`() throws {
    let run = try Run(["-o", "-", "-n", "1", "--csv", "-c", "name"], input: Self.input)
    #expect(run.status == 0 && run.output.text == "name\nKiwi\n")
    #expect(!FileManager.default.fileExists(atPath: "-"))
  }

  // MARK: Layouts

  /// An option of the groups Layout, Header, Spacing and Style, one that says the contrary where it may be a
  /// default, and what else it needs.
  private static let layoutOptions: [([String], [String])] = [
    (["--overflow", "truncate", "-w", "24"], ["-w", "24"]),
    (["--overflow", "scroll", "-w", "24"], ["-w", "24"]),
    (["--single-line", "-w", "24"], ["-w", "24"]), (["--width", "24"], []), (["--min-width", "90"], []),
    (["--header-position", "inside"], ["--header-position", "outside"]), (["--border", "heavy"], []),
    (["--separator", "|"], []), (["--row-rules"], []), (["--no-header"], []), (["--footer", "titles"], []),
    (["--section-by", "color"], []),
    (["--section-by", "color", "--section-header", "none"], ["--section-by", "color"]),
    (["--section-by", "color", "--section-footer", "{count()}"], ["--section-by", "color"]),
    (["--span", "name,color=Both"], []),
    (["--derive", "k = 1", "--merge-repeats", "k"], ["--derive", "k = 1"]),
    (["--title", "T"], []), (["--caption", "T"], []), (["--title-of", "{name}"], []),
    (["--table-padding", "2"], []),
    (["--row-padding", "2"], []), (["--item-padding", "2"], []), (["--header-spacing", "2"], []),
    (["--footer-spacing", "2", "--footer", "titles"], ["--footer", "titles"]), (["--row-spacing", "2"], []),
    (["--column-spacing", "5"], []), (["--min-row-height", "3"], []), (["--color", "always"], []),
    (["--sort-indicator-forward", "+"], []), (["--sort-indicator-reverse", "+"], []),
    (["--sort-indicator-neutral", "+"], []), (["--no-sort-indicators"], []), (["--sort-rank"], []),
    (["--header-style", "italic", "--color", "always"], ["--color", "always"]), (["--ascii"], []),
    (["--zebra", "--color", "always"], ["--color", "always"]), (["--select", "2"], []),
    (["--row-background", "bold", "--color", "always"], ["--color", "always"]),
    (["--row-overlay", "box"], []),
    (["--cell", "weight: bg=red", "--color", "always"], ["--color", "always"]),
    (["--select", "2", "--selection-style", "overlay"], ["--select", "2"]),
    (["--select", "2", "--select-mode", "none"], ["--select", "2"]),
    (["--hover"], []),
    (["--ambiguous-width", "2"], []), (["--align", "weight:leading"], []),
    (["--page", "4"], []), (["--grid-items", "4,20..:r"], []), (["--fill", "-w", "90"], ["-w", "90"]),
    (["--grid-wrap", "-w", "12"], ["-w", "12"]),
    (["--grid-alignment", "center", "-w", "90"], ["-w", "90"]),
    (
      ["--header-height", "1", "-c", "name,weight=Weight of one piece", "-w", "30"],
      ["-c", "name,weight=Weight of one piece", "-w", "30"]
    ),
  ]

  @Test(arguments: Choice.layouts)
  func `R45 a layout draws only what was seen of the first rows`(_ layout: String) throws {
    let input = "{\"a\":1}\n{\"a\":22222,\"longer\":3}\n"
    for options in [["--lookahead", "1"], ["--follow", "--lookahead", "1"]] {
      let run = try Run([layout] + options, input: input)
      #expect(run.status == 0)
      #expect(try Run([layout], input: input).output != run.output, "\(options)")
    }
  }

  @Test(arguments: Choice.layouts, layoutOptions)
  func `R45 a layout draws an option or refuses it`(
    _ layout: String, _ option: ([String], [String])
  ) throws {
    let input =
      "name,weight,color\nKiwi,75,green\nStrawberry long long long longer,12,red\nApple § °,120,\n"
    let base = [layout, "--sort", "weight,-name"]
    let run = try Run(base + option.0, input: input)
    if run.status == 2 {
      #expect(run.errors.text.contains("only for") && run.output.isEmpty)
    } else {
      #expect(run.status == 0)
      #expect(try Run(base + option.1, input: input).output != run.output)
    }
  }
}
