/// One job that is measured: a file, the arguments that tabler gets, how its output is checked, and its limits.
struct BenchmarkTask {
  var id: String
  var title: String
  var input: SampleFile
  var arguments: [String]
  var mark: RowMark
  /// Whether only the rows that the filter keeps are drawn.
  var isFiltered = false
  /// How often the job is repeated in each round; short jobs need many.
  var repetitions = 1
  var limits: Limits

  /// What may not be passed under `--check`.
  ///
  /// These are wishes, not yet fitted to figures: the times of T1, T3, T4 and T6 are what was asked for (a part of
  /// SQLite's or DuckDB's time) over 42 ms of `cat` per 93 MB on an idle machine, the others are like them. On
  /// a busy machine tabler is held up more than `cat`, so a limit passed there says nothing.
  struct Limits {
    /// The largest median time, as a multiple of the median of `cat FILE | cat` in the same run.
    var timesCat: Double
    /// The largest memory beyond `freeMemory`, as a multiple of the size of the input.
    var timesInput: Double

    /// What a program may hold whatever the size of its input.
    static let freeMemory = 16 << 20
  }
}

extension BenchmarkTask {
  /// How many rows the output must show.
  func expectedRows(of contents: SampleFile.Contents) -> Int {
    isFiltered ? contents.keptByFilter : contents.rows
  }

  static let all = [
    BenchmarkTask(
      id: "T1", title: "csv to List", input: .csv, arguments: ["--list"], mark: .leadingDigit,
      limits: Limits(timesCat: 15, timesInput: 3)),
    BenchmarkTask(
      id: "T2", title: "csv to Grid", input: .csv, arguments: ["--grid"], mark: .leadingDigit,
      limits: Limits(timesCat: 15, timesInput: 3)),
    BenchmarkTask(
      id: "T3", title: "filter to List", input: .csv,
      arguments: ["--filter", "weight > 500 and category = \"delta\"", "--list"], mark: .leadingDigit,
      isFiltered: true, limits: Limits(timesCat: 8, timesInput: 1)),
    BenchmarkTask(
      id: "T4", title: "sort by number to Grid", input: .csv, arguments: ["--sort", "-weight", "--grid"],
      mark: .leadingDigit, limits: Limits(timesCat: 24, timesInput: 4)),
    BenchmarkTask(
      id: "T5", title: "sort by text to List", input: .csv, arguments: ["--sort", "name:text", "--list"],
      mark: .leadingDigit, limits: Limits(timesCat: 24, timesInput: 4)),
    BenchmarkTask(
      id: "T6", title: "JSON lines to List", input: .jsonLines, arguments: ["--from", "jsonl", "--list"],
      mark: .leadingDigit, limits: Limits(timesCat: 15, timesInput: 3)),
    BenchmarkTask(
      id: "T7", title: "csv to Markdown", input: .csv, arguments: ["--markdown"], mark: .leadingDigit,
      limits: Limits(timesCat: 15, timesInput: 3)),
    BenchmarkTask(
      id: "T8", title: "csv to HTML", input: .csv, arguments: ["--html"], mark: .tableRow,
      limits: Limits(timesCat: 15, timesInput: 1)),
    BenchmarkTask(
      id: "T10", title: "csv to Detail", input: .csv, arguments: ["--detail"], mark: .leadingWord("active"),
      limits: Limits(timesCat: 15, timesInput: 1)),
    BenchmarkTask(
      id: "T11", title: "10 rows to Grid", input: .tiny, arguments: ["--grid"], mark: .leadingDigit,
      repetitions: 40, limits: Limits(timesCat: 3, timesInput: 1)),
  ]
}
