/// The columns of the input: what they are called and how they are addressed.
///
/// csv, tsv and words know their columns from the header. JSON is open: keys may come
/// later, and an option may name one before it was seen.
struct Schema: Sendable {
  /// One column of the input.
  struct Column: Sendable {
    /// The name by which options address it: unique, without outer blanks; empty where only `@N` reaches it.
    var name: String

    /// The title as the header has it: may repeat, may hold blanks; what is drawn and written.
    var title: String

    /// Whether the column stands in the data; one that an option named first may still come.
    var isSeen = true

    /// Whether its cells are computed: it stands after those that are read.
    var isComputed = false
  }

  /// The columns by index; a cell's column in its batch is the same index.
  private(set) var columns: [Column] = []

  /// The columns seen, in order of first appearance: what is shown without `--columns`.
  private(set) var shown: [Int] = []

  /// Whether later records may bring more columns (JSON): an unknown name is null until it comes.
  let isOpen: Bool

  /// The names that options use, which may never come.
  private(set) var wanted: [WantedName] = []

  /// The bytes of the names.
  private(set) var nameBytes = 0

  /// The record of the header, if there is one.
  private let header: Batch?

  private var wantedNames: Set<ExactName> = []

  /// How many columns are computed: the last ones of `shown`.
  private var computedCount = 0

  private var indices = NameIndex()

  /// The columns of JSON keys with outer blanks, by their names without them.
  private var trimmedIndices: [ExactName: Int] = [:]

  /// The number that the next repetition of a name gets; where there is none it is 2.
  private var repetitions: [ExactName: Int] = [:]

  /// Creates a schema of the titles of a header; repeated names become `x_2`, `x_3`.
  ///
  /// - Parameters:
  ///   - titles: the titles.
  ///   - header: the record that spells the first of them.
  ///   - isOpen: whether later records may bring more columns.
  init(titles: [String], header: Batch? = nil, isOpen: Bool = false) {
    self.isOpen = isOpen
    self.header = header
    columns.reserveCapacity(titles.count)
    // Only where a name repeats it matters which others there are.
    var others: Set<ExactName>?
    for title in titles {
      let name = title.trimmingBlanks
      if others == nil, !name.isEmpty, indices[name] != nil {
        others = Set(titles.map { ExactName($0.trimmingBlanks) })
      }
      append(title: title, besides: others ?? [])
    }
  }

  /// Adds a column at the end.
  mutating func append(title: String) { append(title: title, besides: []) }

  /// Adds a column at the end; a repeated name becomes one that neither a column has nor one of `others`.
  private mutating func append(title: String, besides others: Set<ExactName>) {
    let trimmed = title.trimmingBlanks
    var name = trimmed
    if !name.isEmpty, indices[name] != nil {
      var copy = repetitions[ExactName(trimmed)] ?? 2
      repeat {
        name = "\(trimmed)_\(copy)"
        copy += 1
      } while indices[name] != nil || others.contains(ExactName(name))
      repetitions[ExactName(trimmed)] = copy
    }
    if !name.isEmpty { indices.add(name, number: columns.count) }
    nameBytes += title.utf8.count
    shown.append(columns.count)
    columns.append(Column(name: name, title: title))
  }

  /// The column of a JSON key, added where it is new.
  mutating func see(key: String) -> Int {
    if let index = indices[key] {
      if !columns[index].isSeen {
        columns[index].isSeen = true
        show(index)
      }
      return index
    }
    indices.add(key, number: columns.count)
    nameBytes += key.utf8.count
    let trimmed = key.trimmingBlanks
    if trimmed.utf8.count < key.utf8.count, !trimmed.isEmpty, trimmedIndices[ExactName(trimmed)] == nil {
      trimmedIndices[ExactName(trimmed)] = columns.count
    }
    show(columns.count)
    columns.append(Column(name: key, title: key))
    return columns.count - 1
  }

  /// The column of a name that an open schema may still come to see.
  mutating func want(name: String) -> Int {
    if let index = index(of: name) { return index }
    indices.add(name, number: columns.count)
    columns.append(Column(name: name, title: name, isSeen: false))
    return columns.count - 1
  }

  /// Adds a column that is computed, after all that are read; `nil` where there is one of that name.
  ///
  /// Of an open schema nobody knows whether there will be one: then its cells give way to those that are computed.
  mutating func derive(name: String) -> Int? {
    let name = name.trimmingBlanks
    // A key with blanks round it is another one.
    let known = isOpen ? indices[name] : index(of: name)
    if let known, !isOpen || columns[known].isComputed { return nil }
    let index = known ?? columns.count
    if known == nil {
      indices.add(name, number: index)
      columns.append(Column(name: name, title: name))
    }
    if let place = shown.firstIndex(of: index) { shown.remove(at: place) }
    columns[index].isSeen = true
    columns[index].isComputed = true
    shown.append(index)
    computedCount += 1
    return index
  }

  /// Shows a column after those that were read before.
  private mutating func show(_ column: Int) { shown.insert(column, at: shown.count - computedCount) }

  /// Takes note of a name that may never come.
  mutating func expect(_ wanted: WantedName) {
    if wantedNames.insert(ExactName(wanted.name)).inserted { self.wanted.append(wanted) }
  }

  /// Shows no columns from the place `first` of `shown` on that `isUnwanted` picks by their index.
  mutating func hide(from first: Int, where isUnwanted: (Int) -> Bool) {
    let end = shown.count - computedCount
    let range = min(max(first - computedCount, 0), end)..<end
    let late = shown[range].filter { !isUnwanted($0) }
    for column in shown[range] where isUnwanted(column) { columns[column].isSeen = false }
    shown.replaceSubrange(range, with: late)
  }

  /// The number of columns.
  var count: Int { columns.count }

  /// The record of the header, where it names a column.
  func header(naming column: Int) -> Batch? {
    header.flatMap { column < $0.columnCount ? $0 : nil }
  }

  /// The column of exactly this name, outer blanks ignored.
  func index(of name: String) -> Int? {
    if let index = indices[name] { return index }
    let trimmed = name.trimmingBlanks
    return indices[trimmed] ?? trimmedIndices[ExactName(trimmed)]
  }
}
