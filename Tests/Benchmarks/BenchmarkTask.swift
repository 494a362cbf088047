/// One job that is measured: a file, the arguments that tabler gets, and the rows that must come out.
struct BenchmarkTask {
  var id: String
  var title: String
  var input: SampleFile
  var arguments: [String]
  /// The file that the input is compared with, or that `{old}` stands for in the arguments, if there is one.
  var old: SampleFile?
  /// What it is on the few rows of an instruction count, where other arguments make sense there.
  var onFewRows: (title: String, arguments: [String])?
  var mark = RowMark.leadingNumber
  var selection = Selection.all
  var order = RowOrder.input
  /// How often the job is repeated in each round; short jobs need many.
  var repetitions = 1

  /// Which rows come out.
  enum Selection {
    case all
    /// Those for which it is true.
    case matching(@Sendable (SampleRow) -> Bool)
    /// The first N by weight, the heaviest first.
    case heaviest(Int)
    /// One for each text that a record has, with the count and the sum of weights.
    case groups(@Sendable (SampleRow) -> String)
    /// One for each text that a record has, in lines of csv that begin with it.
    case keys(@Sendable (SampleRow) -> String)
    /// One for each column, in lines of csv that begin with its name.
    case columns
    /// All, in lines of csv that begin so.
    case lines(@Sendable (SampleRow) -> String)
    /// Those that `SampleFile.changed` has changed, in lines of csv.
    case changes
    /// How many rows were moved, below the columns with changes, if all but one were.
    case moves
  }
}

extension BenchmarkTask {
  /// The arguments that tabler gets.
  ///
  /// - Parameter path: the path of the second file, if there is one.
  func arguments(with path: String?) -> [String] {
    guard let path else { return arguments }
    if !arguments.contains(where: { $0.contains("{old}") }) { return arguments + ["--diff", path] }
    return arguments.map { $0.replacing("{old}", with: path) }
  }

  /// The same for the few rows of an instruction count.
  var reduced: BenchmarkTask {
    guard let onFewRows else { return self }
    var task = self
    task.title = onFewRows.title
    task.arguments = onFewRows.arguments
    return task
  }

  /// The rows that come out when the tables have `rows` rows.
  func expectedRows(rows: Int) -> RowSet {
    let count = input.rowCount(of: rows)
    switch selection {
    case .all:
      return RowSet(1...count)
    case .matching(let matches):
      return RowSet(SampleRows(count: count).lazy.filter { matches($0) }.map(\.position))
    case .heaviest(let limit):
      var heaviest: [SampleRow] = []
      for row in SampleRows(count: count) {
        if heaviest.count == limit, let last = heaviest.last, last.weight >= row.weight { continue }
        heaviest.insert(row, at: heaviest.firstIndex { $0.weight < row.weight } ?? heaviest.count)
        if heaviest.count > limit { heaviest.removeLast() }
      }
      return RowSet(heaviest.map(\.position))
    case .groups, .keys, .columns, .lines, .changes, .moves: return RowSet()
    }
  }

  /// What the lines begin with, where that is known: of groups key, count and sum, in order of first appearance.
  func expectedBeginnings(rows: Int) -> [String] {
    let count = input.rowCount(of: rows)
    let rows = SampleRows(count: count)
    switch selection {
    case .lines(let beginning): return rows.map(beginning)
    case .changes: return ChangedRows(count: count).compactMap(\.listed)
    case .columns: return SampleRow.header.dropLast().split(separator: ",").map { "\($0)," }
    case .keys(let key):
      var known: Set<String> = []
      return rows.map(key).filter { known.insert($0).inserted }.map { "\(SampleRow.quoted($0))," }
    case .moves:
      let columns = ["name", "weight", "date", "category", "city", "note", "active", "inserted", "deleted"]
      return columns.map { "\($0),0,0.0000," } + ["moved,\(count - 1),"]
    case .all, .matching, .heaviest, .groups: break
    }
    guard case .groups(let key) = selection else { return [] }
    var places: [String: Int] = [:]
    var groups: [(key: String, count: Int, sum: Int, hasDecimals: Bool)] = []
    for row in rows {
      let key = key(row)
      let place = places[key] ?? groups.count
      if place == groups.count {
        places[key] = place
        groups.append((key, 0, 0, false))
      }
      groups[place].count += 1
      groups[place].sum += row.weight
      if !row.isWholeWeight { groups[place].hasDecimals = true }
    }
    return groups.map { group in
      let sum = group.hasDecimals ? SampleRow.text(ofWeight: group.sum) : String(group.sum / 10_000)
      return "\(SampleRow.quoted(group.key)),\(group.count),\(sum)"
    }
  }
}

extension BenchmarkTask {
  /// The tasks of a run, those on the big file last.
  static let all = [
    BenchmarkTask(id: "T1", title: "csv to List", input: .csv, arguments: ["--list"]),
    BenchmarkTask(id: "T2", title: "csv to Grid", input: .csv, arguments: ["--grid"]),
    BenchmarkTask(
      id: "T3", title: "filter to List", input: .csv,
      arguments: ["--filter", "weight > 500 and category = 'delta'", "--list"],
      selection: .matching { $0.weight > 500 * 10_000 && $0.category == "delta" }),
    BenchmarkTask(
      id: "T4", title: "stable sort by a number, Grid", input: .csv,
      arguments: ["--sort", "-weight", "--grid"],
      order: .weightDown),
    BenchmarkTask(
      id: "T5", title: "stable sort by a text, List", input: .csv,
      arguments: ["--sort", "name:text", "--list"],
      order: .name),
    BenchmarkTask(
      id: "T6", title: "JSON lines to List", input: .jsonLines, arguments: ["--from", "jsonl", "--list"]),
    BenchmarkTask(id: "T7", title: "csv to aligned Markdown", input: .csv, arguments: ["--markdown"]),
    BenchmarkTask(
      id: "T7b", title: "csv to bare Markdown", input: .csv, arguments: ["--markdown", "--lookahead", "0"]),
    BenchmarkTask(id: "T8", title: "csv to HTML", input: .csv, arguments: ["--html"], mark: .tableRow),
    BenchmarkTask(
      id: "T9", title: "stable sort by two keys, List", input: .csv,
      arguments: ["--sort", "category:text,-weight", "--list"], order: .categoryThenWeightDown),
    BenchmarkTask(id: "T10", title: "csv to Detail", input: .csv, arguments: ["--detail"], mark: .card),
    BenchmarkTask(
      id: "T11", title: "start-up: ten rows to Grid", input: .tiny, arguments: ["--grid"], repetitions: 40),
    BenchmarkTask(id: "T12", title: "300 columns to List", input: .wide, arguments: ["--list"]),
    BenchmarkTask(
      id: "T13", title: "all quoted, newlines in cells, to Grid", input: .quoted, arguments: ["--grid"]),
    BenchmarkTask(
      id: "T14", title: "sort by a number, first 20 to Grid", input: .csv,
      arguments: ["--sort", "-weight", "--head", "20", "--grid"], selection: .heaviest(20), order: .weightDown
    ),
    BenchmarkTask(
      id: "T15", title: "CJK, emoji, combining marks to Grid", input: .unicode, arguments: ["--grid"]),
    BenchmarkTask(
      id: "T16", title: "ten times the rows, sort by a number, List", input: .big,
      arguments: ["--sort", "-weight", "--list"], order: .weightDown),
    BenchmarkTask(
      id: "T16m", title: "the same with --memory 512M", input: .big,
      arguments: ["--sort", "-weight", "--memory", "512M", "--list"],
      onFewRows: ("the same with --memory 4M", ["--sort", "-weight", "--memory", "4M", "--list"]),
      order: .weightDown),
    BenchmarkTask(
      id: "T18", title: "a computed column, csv", input: .csv,
      arguments: ["--derive", "x = weight * 2 + length(name)", "--csv"]),
    BenchmarkTask(
      id: "T19", title: "few groups: count, sum, mean, csv", input: .csv,
      arguments: [
        "--group-by", "category", "--aggregate", "n = count(), s = sum(weight), m = mean(weight)", "--csv",
      ], mark: .line, selection: .groups { $0.category }),
    BenchmarkTask(
      id: "T21", title: "groups of many keys: count, sum, csv", input: .csv,
      arguments: ["--group-by", "note", "--aggregate", "n = count(), s = sum(weight)", "--csv"],
      mark: .line, selection: .groups { $0.note }),
    BenchmarkTask(
      id: "T23", title: "changed cells, csv", input: .csv,
      arguments: ["--set", "weight = weight * 1.1 where category = 'delta'", "--csv"],
      mark: .line,
      selection: .lines { row in
        let weight = row.category == "delta" ? row.raisedWeightText : row.weightText
        return "\(row.id),\(row.name),\(weight),\(row.date),\(row.category),"
      }),
    BenchmarkTask(
      id: "T24", title: "two rules over cells, csv", input: .csv,
      arguments: ["--validate", "weight: value > -1000000", "--validate", "date: is_date(value)", "--csv"]),
    BenchmarkTask(
      id: "T20", title: "filter by a pattern, csv", input: .csv,
      arguments: ["--filter", "name =~ /an.*e/i", "--csv"],
      selection: .matching { row in
        let name = Array(row.name.lowercased().utf8)
        guard let start = name.indices.dropLast().first(where: { name[$0...].starts(with: "an".utf8) }) else {
          return false
        }
        return name[(start + 2)...].contains(UInt8(ascii: "e"))
      }),
    BenchmarkTask(
      id: "T22", title: "filter by a computed number, csv", input: .csv,
      arguments: ["--filter", "weight * 2 + length(name) > 900", "--csv"],
      selection: .matching { $0.weight * 2 + $0.name.unicodeScalars.count * 10_000 > 900 * 10_000 }),
    BenchmarkTask(
      id: "T25", title: "filter by dates, csv", input: .csv,
      arguments: ["--filter", "date >= date '2025-06-01' and month(date) = 7", "--csv"],
      selection: .matching { $0.date >= "2025-06-01" && $0.date.dropFirst(5).prefix(2) == "07" }),
    BenchmarkTask(
      id: "T26", title: "changes of 1 %, csv", input: .changed,
      arguments: ["--id", "id", "--csv", "--no-exit-status"], old: .csv, mark: .line, selection: .changes),
    BenchmarkTask(
      id: "T27", title: "all rows moved, counted", input: .reversed,
      arguments: ["--id", "id", "--diff-stat", "--csv", "--no-exit-status"], old: .csv, mark: .line,
      selection: .moves),
    BenchmarkTask(
      id: "T28", title: "filter JSON lines, JSON lines", input: .jsonLines,
      arguments: ["--from", "jsonl", "--filter", "weight > 500 and category = 'delta'", "--jsonl"],
      mark: .object, selection: .matching { $0.weight > 500 * 10_000 && $0.category == "delta" }),
    BenchmarkTask(
      id: "T29", title: "two columns, csv", input: .csv, arguments: ["-c", "name,weight", "--csv"],
      mark: .line, selection: .lines { "\(SampleRow.quoted($0.name)),\($0.weightText)" }),
    BenchmarkTask(
      id: "T30", title: "summary of all columns, csv", input: .csv, arguments: ["--summary", "--csv"],
      mark: .line, selection: .columns),
    BenchmarkTask(
      id: "T31", title: "crosstab: sums, csv", input: .csv,
      arguments: ["--group-by", "city", "--pivot", "category", "--aggregate", "s = sum(weight)", "--csv"],
      mark: .line, selection: .keys { $0.city }),
    BenchmarkTask(
      id: "T32", title: "sums and differences in order, csv", input: .csv,
      arguments: ["--sort", "date", "--compute", "r = running(weight), d = weight - prior(weight)", "--csv"],
      order: .date),
    BenchmarkTask(
      id: "T33", title: "prices of one row in twenty, csv", input: .csv,
      arguments: ["--join", "{old} on id", "--csv", "--quiet"], old: .prices),
  ]
}
