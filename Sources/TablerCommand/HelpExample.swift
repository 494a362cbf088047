/// A command line worth showing, and what it is good for.
struct Example {
  /// What it is good for, ending in a colon.
  let purpose: String
  /// The line as it is typed to a shell.
  let command: String

  /// Describes a command line.
  init(_ purpose: String, _ command: String) {
    self.purpose = purpose
    self.command = command
  }

  /// The examples of `-h` (the first four) and of the manual page.
  ///
  /// Those that name `fruit.csv` are run by the tests.
  static let all: [Example] = [
    Example("What uses the processor most:", "ps aux | tabler --sort -%CPU --head 5 --grid"),
    Example("Some rows, in order:", "tabler fruit.csv --filter 'weight > 10' --sort -weight"),
    Example(
      "Some columns with titles, for a Markdown document:",
      "tabler fruit.csv -c name=Name,weight=Weight --markdown"),
    Example(
      "A sum under a column, with a unit:",
      "tabler fruit.csv --format 'weight={} g' --footer totals"),
    Example("Rows for the next program:", "tabler fruit.csv --filter 'color = \"red\"' --jsonl"),
    Example(
      "A value from a script, which is never syntax:",
      "tabler fruit.csv --arg who=\"$who\" --filter 'name = $who'"),
    Example("One card a record:", "tabler fruit.csv --detail --title-of '{name}'"),
    Example(
      "What fills the disk; the names are given, the sizes are read as such:",
      "du -h | tabler -H --names size,path --sort -size:size"),
    Example(
      "Rows moved by hand after sorting:",
      "tabler fruit.csv --sort name --move '(color = \"red\") to top'"),
    Example(
      "A page that loads and runs nothing:",
      "tabler fruit.csv --grid --title Fruit -o fruit.html"),
  ]
}
