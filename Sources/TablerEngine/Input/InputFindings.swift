/// What a reader came across in one batch that is worth a word at the end, each with the rows before it.
///
/// What stands after the last row needed is not said, however much was read with it (R66).
struct InputFindings: Sendable {
  /// What was found.
  enum Kind: Hashable, Sendable {
    /// A field with a quote mark in its unquoted text.
    case quoteInText
    /// A row left out by `--ragged skip`.
    case skippedRow
    /// A line left out by `--comment` or `--skip-lines`.
    case leftOutLine
    /// A JSON key that stands twice in an object, once for each key.
    case repeatedKey
  }

  /// All findings of one kind.
  struct Entry: Sendable {
    /// What was found.
    var kind: Kind
    /// The place of the first.
    var first: InputError.Place
    /// For each, how many rows of the batch stand before the row that it belongs to.
    var rows: [Int]
    /// The key of the first, where it is of a key.
    var key: String?
  }

  /// The findings, by kind.
  private(set) var entries: [Entry] = []

  /// Adds several findings before the first row.
  mutating func add(_ kind: Kind, count: Int, first: InputError.Place) {
    if count > 0 { entries.append(Entry(kind: kind, first: first, rows: [Int](repeating: 0, count: count))) }
  }

  /// Adds a finding; its place is looked for where it is the first of its kind.
  mutating func add(_ kind: Kind, row: Int, key: String? = nil, place: () -> InputError.Place) {
    if let index = entries.firstIndex(where: { $0.kind == kind }) {
      entries[index].rows.append(row)
    } else {
      entries.append(Entry(kind: kind, first: place(), rows: [row], key: key))
    }
  }

  /// Adds the findings of what comes next, or of another file.
  mutating func append(_ more: InputFindings) { entries += more.entries }

  /// Makes all findings stand before the first row of what comes next.
  mutating func standBeforeRows() {
    for index in entries.indices {
      for place in entries[index].rows.indices { entries[index].rows[place] = 0 }
    }
  }
}

/// What all readers came across, counted.
struct InputTally: Sendable {
  private var entries: [(kind: InputFindings.Kind, first: InputError.Place, count: Int, key: String?)] = []

  /// Creates a tally of nothing.
  init() {}

  /// Counts findings.
  ///
  /// - Parameter last: the last row of the batch that was needed; `nil` counts all of the batch.
  mutating func take(_ findings: InputFindings, through last: Int? = nil) {
    for entry in findings.entries {
      let count = last.map { last in entry.rows.prefix { $0 <= last }.count } ?? entry.rows.count
      guard count > 0 else { continue }
      let index = entries.firstIndex { $0.kind == entry.kind && $0.first.path == entry.first.path }
      if let index {
        entries[index].count += count
      } else {
        entries.append((entry.kind, entry.first, count, entry.key))
      }
    }
  }

  /// What there is to say.
  var notices: [InputNotice] {
    entries.map { kind, first, count, key in
      switch kind {
      case .quoteInText: .quotesInText(count: count, first: first)
      case .skippedRow: .skippedRows(count: count, first: first)
      case .leftOutLine: .leftOutLines(count: count, path: first.path)
      case .repeatedKey: .repeatedKey(key ?? "", first, others: count - 1)
      }
    }
  }
}
