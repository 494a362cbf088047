/// A useful command line, its purpose, and its output.
struct Example {
  /// The purpose, ending in a colon.
  let purpose: String
  /// The line as typed in a shell.
  let command: String
  /// The output, without the last newline.
  let output: String

  /// Creates an example.
  init(_ purpose: String, _ command: String, _ output: String) {
    self.purpose = purpose
    self.command = command
    self.output = output
  }

  /// The file that the examples read.
  static let file = Example(
    "Most of these examples read this file:", "cat fruit.csv",
    """
    id,name,weight,color
    🍌,Banana,118,brown
    🍓,Strawberry,12,red
    🍊,Orange,190,orange
    🥝,Kiwi,75,green
    🍇,Grape,7,purple
    🫐,Blueberry,2,blue
    """)

  /// The first thing that the manual page shows.
  static let first = Example(
    "", "tabler fruit.csv --sort -weight --head 3 --grid",
    """
    ┌────┬────────┬──────────┬────────┐
    │ id │ name   │ weight ▼ │ color  │
    ╞════╪════════╪══════════╪════════╡
    │ 🍊 │ Orange │      190 │ orange │
    │ 🍌 │ Banana │      118 │ brown  │
    │ 🥝 │ Kiwi   │       75 │ green  │
    └────┴────────┴──────────┴────────┘
    """)

  /// The examples of `-h` (the first four), of `--help` (the first three) and of the manual page.
  ///
  /// The tests run them all. `TABLER_RENEW=1 swift test --filter ExampleTests` updates the outputs.
  static let all: [Example] = [
    Example(
      "The processes that use the processor most:",
      "ps aux | tabler --sort -%CPU --head 3 -c USER,PID,%CPU,COMMAND",
      """
      USER       PID  %CPU ▼  COMMAND
      ────────  ────  ──────  ────────────────────────
      ada       2077    48.1  swift-build
      ada       1234    12.5  node server.js --port 80
      postgres  1301     3.8  postgres: writer
      """),
    Example(
      "Some rows, in order:", "tabler fruit.csv --filter 'weight > 10' --sort -weight",
      """
      id  name        weight ▼  color
      ──  ──────────  ────────  ──────
      🍊  Orange           190  orange
      🍌  Banana           118  brown
      🥝  Kiwi              75  green
      🍓  Strawberry        12  red
      """),
    Example(
      "Some columns with titles, for a Markdown document:",
      "tabler fruit.csv -c name=Name,weight=Weight --markdown",
      """
      | Name       | Weight |
      | :--------- | -----: |
      | Banana     |    118 |
      | Strawberry |     12 |
      | Orange     |    190 |
      | Kiwi       |     75 |
      | Grape      |      7 |
      | Blueberry  |      2 |
      """),
    Example(
      "Slow requests of a JSON log, for the next program:",
      "tabler requests.jsonl -f 'ms > 500' -c path,ms,user.name=user --csv",
      """
      path,ms,user
      /pay,2031,bob
      /search,640,
      /pay,2007,cyd
      """),
    Example(
      "The whole log:", "tabler requests.jsonl",
      """
      time      level  path       ms  user            error
      ────────  ─────  ───────  ────  ──────────────  ───────
      09:14:02  info   /          12  {"name":"ada"}  NA
      09:14:03  error  /pay     2031  {"name":"bob"}  timeout
      09:14:03  info   /cart      48  {"name":"ada"}  NA
      09:14:07  warn   /search   640  NA              NA
      09:14:09  error  /pay     2007  {"name":"cyd"}  timeout
      """),
    Example(
      "A unit after each number, and the sum below:",
      "tabler fruit.csv --format 'weight={} g' --footer totals",
      """
      id  name        weight  color
      ──  ──────────  ──────  ──────
      🍌  Banana       118 g  brown
      🍓  Strawberry    12 g  red
      🍊  Orange       190 g  orange
      🥝  Kiwi          75 g  green
      🍇  Grape          7 g  purple
      🫐  Blueberry      2 g  blue
      ──  ──────────  ──────  ──────
                       404 g
      """),
    Example(
      "A value from a script, which is never read as syntax:",
      "who=Kiwi; tabler fruit.csv --arg n=\"$who\" -f 'name = $n' --jsonl",
      """
      {"id":"🥝","name":"Kiwi","weight":75,"color":"green"}
      """),
    Example(
      "Cells that are changed; all else keeps its bytes:",
      "tabler fruit.csv --set 'weight = 20 where color = \"red\"' --csv",
      """
      id,name,weight,color
      🍌,Banana,118,brown
      🍓,Strawberry,20,red
      🍊,Orange,190,orange
      🥝,Kiwi,75,green
      🍇,Grape,7,purple
      🫐,Blueberry,2,blue
      """),
    Example(
      "One card per record:", "tabler fruit.csv --head 2 --detail --title-of '{name}' --hide name",
      """
      ── Banana ────────────────────────────
            id  🍌
        weight  118
         color  brown
      ── Strawberry ────────────────────────
            id  🍓
        weight  12
         color  red
      """),
    Example(
      "What fills the disk; the columns get names, and the sizes are sorted as sizes:",
      "du -h | tabler -H --names size,path --sort -size:size",
      """
      size ▼  path
      ──────  ───────
      2.0G    .
      1.5G    ./build
      512M    ./data
      900K    ./docs
      12K     ./man
      """),
    Example(
      "Some rows moved to the top after sorting:",
      "tabler fruit.csv --sort name --move '(color = \"red\") to top' -n 3",
      """
      id  name ▲      weight  color
      ──  ──────────  ──────  ─────
      🍓  Strawberry      12  red
      🍌  Banana         118  brown
      🫐  Blueberry        2  blue
      """),
    Example(
      "A web page that loads nothing and runs nothing; tabler prints nothing here:",
      "tabler fruit.csv --grid --title Fruit -o fruit.html",
      """
      """),
  ]
}
