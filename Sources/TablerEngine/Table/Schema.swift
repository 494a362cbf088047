/// The columns of the input: their names and how options address them.
///
/// csv, tsv and words know their columns from the header. JSON is open: keys may come later, and an option
/// may name one before it has been seen.
struct Schema: Sendable {
  /// One column of the input.
  struct Column: Sendable {
    /// The name by which options address it: unique, without outer blanks; empty if only `@N` reaches it.
    var name: String

    /// The title as in the header: it may repeat and may have blanks; this is drawn and written.
    var title: String

    /// Its rank among the columns that steps write cells to, in the order in which they were first named.
    ///
    /// Such a column of an open schema is shown even if it is not seen: it then comes with the computed ones. It stands
    /// before the flags, which fit into what it leaves of a word.
    var rank: UInt32?

    /// Whether the column is in the data; one that an option named first may still come.
    var isSeen = true

    /// The type that `--types` declares.
    var type: ValueType?

    /// Whether no cell can be of another type.
    var hasSureType = false

    /// Whether its cells are computed: it comes after those that are read.
    var isComputed = false

    /// Whether its cells are those of another table.
    var isJoined = false

    /// Whether a step made it for expressions and templates to name, as long as no record has a key of that name.
    var isReserved = false

    /// Whether some of its cells are changed.
    var isChanged = false

    /// Whether it has become rows: no later step sees it.
    var isTurned = false

    /// Whether its computed cells may be numbers that have more digits than are useful.
    var isInexact = false

    /// Whether its computed cells are durations.
    var areDurations = false

    /// The type of its values, declared or computed, if it is known.
    var valueType: ValueType? { type ?? (areDurations ? .duration : nil) }

    /// The name of the time zone on whose clocks its computed times are, if it is known.
    var zone: String?

    /// Whether added rows have a value for it.
    var isGiven = false
  }

  /// The columns by index; a cell's column in its batch is the same index.
  private(set) var columns: [Column] = []

  /// The columns seen, in order of first appearance: what is shown without `--columns`.
  private(set) var shown: [Int] = []

  /// The columns of the first record, if later ones may add more.
  private var firstColumns: [Int]?

  /// Whether later records may add columns (JSON): an unknown name is null until it comes.
  let isOpen: Bool

  /// The names that options use and that may never come.
  private(set) var wanted: [WantedName] = []

  /// The bytes of the names.
  private(set) var nameBytes = 0

  /// The number of keys that were seen so far.
  private(set) var newKeyCount = 0

  /// The record of the header, if there is one.
  private let header: Batch?

  /// Whether `--types` declares the type of a column, or of some that may come.
  var hasTypes: Bool { typePatterns != nil }

  /// The types of later columns, by patterns for their names; `nil` if no type is declared.
  private var typePatterns: [(glob: Glob, type: ValueType)]?

  /// The types of columns that another table may have, by their names.
  private var awaitedTypes: [(name: String, type: ValueType)] = []

  /// The titles of columns that are divided, with some over several columns; empty if there are none.
  private var spannedTitles: [SpannedTitle?] = []

  private var wantedNames: Set<ExactName> = []

  /// The number of columns that are computed, or shown though they are not seen yet: the last ones of `shown`.
  private var computedCount = 0

  /// The columns that say which columns have become rows, and with which cells.
  private var turningColumns: [Int] = []

  /// The number of columns that steps write cells to.
  private var rankCount: UInt32 = 0

  private var indices = NameIndex()

  /// The columns of JSON keys with outer blanks, by their names without them.
  private var trimmedIndices: [ExactName: Int] = [:]

  /// The number that the next repetition of a name gets; 2 if it is not listed.
  private var repetitions: [ExactName: Int] = [:]

  /// Creates a schema from the titles of a header; repeated names become `x_2`, `x_3`.
  ///
  /// - Parameters:
  ///   - titles: the titles.
  ///   - header: the record that spells the first of them.
  ///   - isOpen: whether later records may add columns.
  init(titles: [String], header: Batch? = nil, isOpen: Bool = false) {
    self.isOpen = isOpen
    self.header = header
    columns.reserveCapacity(titles.count)
    // The other names matter only if a name repeats.
    var others: Set<ExactName>?
    for title in titles {
      let name = title.trimmingBlanks
      if others == nil, !name.isEmpty, indices.number(of: name, in: columns) != nil {
        others = Set(titles.map { ExactName($0.trimmingBlanks) })
      }
      append(title: title, besides: others ?? [])
    }
  }

  /// Creates a schema of columns that a step makes, each with a unique name.
  ///
  /// - Parameter header: the record that spells the titles of the first of them.
  init(made columns: [Column], header: Batch?) {
    isOpen = false
    self.header = header
    self.columns = columns
    shown = Array(columns.indices)
    for (index, column) in columns.enumerated() {
      if !column.name.isEmpty { indices.add(column.name, number: index, in: columns) }
      nameBytes += column.title.utf8.count
      if column.type != nil { typePatterns = [] }
    }
  }

  /// Adds a column at the end.
  mutating func append(title: String) { append(title: title, besides: []) }

  /// Adds a column at the end; a repeated name becomes one that is neither the name of a column nor one of
  /// `others`.
  private mutating func append(title: String, besides others: Set<ExactName>) {
    let trimmed = title.trimmingBlanks
    var name = trimmed
    if !name.isEmpty, indices.number(of: name, in: columns) != nil {
      var copy = repetitions[ExactName(trimmed)] ?? 2
      repeat {
        name = "\(trimmed)_\(copy)"
        copy += 1
      } while indices.number(of: name, in: columns) != nil || others.contains(ExactName(name))
      repetitions[ExactName(trimmed)] = copy
    }
    if !name.isEmpty { indices.add(name, number: columns.count, in: columns) }
    nameBytes += title.utf8.count
    shown.append(columns.count)
    columns.append(Column(name: name, title: title, type: hasTypes ? type(of: name) : nil))
  }

  /// The column of a JSON key, which is added if it is new.
  mutating func see(key: String) -> Int {
    if let index = indices.number(of: key, in: columns) {
      if columns[index].isSeen, !columns[index].isReserved { return index }
      newKeyCount += 1
      if columns[index].isReserved {
        // The name is that of the key from now on.
        columns[index].isReserved = false
        columns[index].name = ""
        nameBytes += key.utf8.count
        show(columns.count)
        columns.append(Column(name: key, title: key, type: hasTypes ? type(of: key) : nil))
        indices.replace(index, by: columns.count - 1)
        return columns.count - 1
      }
      if !columns[index].isSeen {
        columns[index].isSeen = true
        if columns[index].isTurned { return index }
        if columns[index].rank != nil {
          shown.removeAll { $0 == index }
          computedCount -= 1
        }
        show(index)
      }
      return index
    }
    newKeyCount += 1
    indices.add(key, number: columns.count, in: columns)
    nameBytes += key.utf8.count
    let trimmed = key.trimmingBlanks
    if trimmed.utf8.count < key.utf8.count, !trimmed.isEmpty, trimmedIndices[ExactName(trimmed)] == nil {
      trimmedIndices[ExactName(trimmed)] = columns.count
    }
    show(columns.count)
    columns.append(Column(name: key, title: key, type: hasTypes ? type(of: key) : nil))
    return columns.count - 1
  }

  /// The column of a name that an open schema may still see.
  mutating func want(name: String) -> Int {
    if let index = anyIndex(of: name) { return index }
    indices.add(name, number: columns.count, in: columns)
    columns.append(
      Column(name: name, title: name, isSeen: false, type: hasTypes ? type(of: name) : nil))
    return columns.count - 1
  }

  /// Whether something named a column that has not come yet, so that it may never come.
  func expects(_ name: String) -> Bool {
    isOpen && (index(of: name.trimmingBlanks).map { !columns[$0].isSeen } ?? false)
  }

  /// Adds a computed column after all that are read; `nil` if there is already one of that name.
  ///
  /// In an open schema one may still come: then its cells are replaced by the computed ones.
  mutating func derive(name: String) -> Int? {
    let name = name.trimmingBlanks
    // A key with blanks around it is a different one.
    let known = isOpen ? indices.number(of: name, in: columns) : index(of: name)
    if let known, !isOpen || columns[known].isComputed { return nil }
    let index = known ?? columns.count
    if known == nil {
      indices.add(name, number: index, in: columns)
      columns.append(Column(name: name, title: name))
    }
    if known != nil, let place = shown.firstIndex(of: index) {
      if place >= readCount { computedCount -= 1 }
      shown.remove(at: place)
    }
    columns[index].isSeen = true
    columns[index].isComputed = true
    columns[index].type = nil
    rank(index)
    showLast(index)
    return index
  }

  /// Records which titles are divided, for the first columns.
  mutating func recordSpannedTitles(_ titles: [SpannedTitle?]) { spannedTitles = titles }

  /// Whether titles are divided.
  var hasSpannedTitles: Bool { !spannedTitles.isEmpty }

  /// The title of a column, divided, if it is.
  func spannedTitle(of index: Int) -> SpannedTitle? {
    index < spannedTitles.count ? spannedTitles[index] : nil
  }

  /// Records what is known of the cells of a column that is computed.
  mutating func recordComputed(_ index: Int, mayBeInexact: Bool, zone: String?, areDurations: Bool) {
    if mayBeInexact { recordInexact(index) }
    columns[index].zone = zone
    columns[index].areDurations = areDurations
  }

  /// Records that computed cells of a column may be numbers that have more digits than are useful.
  mutating func recordInexact(_ index: Int) { columns[index].isInexact = true }

  /// Makes positions refer to the columns of the first record of an open schema, so that it does not matter
  /// how much was read together with it.
  mutating func fixPositions(by first: Batch?) {
    guard isOpen else { return }
    guard let first, first.rowCount > 0 else { return firstColumns = [] }
    firstColumns = shown.filter { first.cell(row: 0, column: $0).kind != .missing }
  }

  /// The columns that positions refer to.
  var positions: [Int] { firstColumns ?? shown }

  /// Adds a column that is neither shown nor named, for what a step records about rows.
  ///
  /// - Parameter title: its title in a file of its own.
  /// - Returns: its index.
  mutating func reserve(title: String = "") -> Int {
    columns.append(Column(name: "", title: title, isSeen: false, isComputed: true))
    return columns.count - 1
  }

  /// Adds a column that is not shown, but that expressions and templates may name, unless a column of the data has
  /// the name.
  ///
  /// - Returns: its index.
  mutating func reserve(name: String) -> Int {
    let index = reserve(title: name)
    guard indices.number(of: name, in: columns) == nil else { return index }
    columns[index].name = name
    columns[index].isReserved = true
    indices.add(name, number: index, in: columns)
    return index
  }

  /// The column whose cells are changed; `nil` if there is none of that name or, if one is given, at that
  /// position.
  ///
  /// In an open schema it may still come: a column that cells are written to is shown in any case.
  mutating func change(name: String, at position: Int? = nil) -> Int? {
    let index = fill(name: name, at: position)
    if let index { columns[index].isChanged = true }
    return index
  }

  /// The column that added rows have a value for; `nil` if there is none of that name or, if one is given, at
  /// that position.
  ///
  /// In an open schema any name is the name of a column.
  mutating func markGiven(name: String, at position: Int? = nil) -> Int? {
    let index = fill(name: name, at: position)
    if let index { columns[index].isGiven = true }
    return index
  }

  /// The column of a name, or at a position, that a step writes cells to; `nil` if there is none.
  private mutating func fill(name: String, at position: Int?) -> Int? {
    let name = name.trimmingBlanks
    let index: Int?
    if let position {
      index = positions.indices.contains(position - 1) ? positions[position - 1] : nil
    } else {
      index = isOpen ? show(name: name) : self.index(of: name)
    }
    if let index { rank(index) }
    return index
  }

  /// The column of a name that an open schema may still see; it is shown in any case.
  private mutating func show(name: String) -> Int {
    let index = want(name: name)
    if columns[index].rank != nil { return index }
    rank(index)
    if !columns[index].isSeen { showLast(index) }
    return index
  }

  /// Gives a rank to a column that a step writes cells to.
  private mutating func rank(_ index: Int) {
    if columns[index].rank != nil { return }
    columns[index].rank = rankCount
    rankCount += 1
  }

  /// Shows a column after all that are read, in the order of ranks.
  private mutating func showLast(_ column: Int) {
    let rank = columns[column].rank ?? 0
    var (place, end) = (readCount, shown.count)
    while place < end {
      let middle = (place + end) / 2
      if columns[shown[middle]].rank ?? 0 > rank { end = middle } else { place = middle + 1 }
    }
    shown.insert(column, at: place)
    computedCount += 1
  }

  /// Declares the types of columns; if several match a column, the first one counts.
  ///
  /// - Parameter mayJoin: whether columns that are not found may be those of another table.
  mutating func declare(_ types: [TypeDeclaration], mayJoin: Bool = false) throws(ColumnError) {
    if types.isEmpty { return }
    typePatterns = typePatterns ?? []
    for declaration in types {
      switch declaration.columns {
      case .column(.name(let name, _)) where isOpen:
        // A key of that name, even if it looks like a path.
        let index = want(name: name.trimmingBlanks)
        expect(ResolvedColumn(index: index))
        columns[index].type = columns[index].type ?? declaration.type
      case .column(.name(let name, _)) where mayJoin && index(of: name.trimmingBlanks) == nil:
        awaitedTypes.append((name.trimmingBlanks, declaration.type))
      case .column(let reference):
        let column = try resolve(reference)
        guard column.path.isEmpty else {
          if case .name(let name, _) = reference { throw notFound(name.trimmingBlanks) }
          continue
        }
        if columns[column.index].type != nil { continue }
        columns[column.index].type = declaration.type
        columns[column.index].hasSureType = declaration.isSure
      case .glob(let pattern):
        for column in try resolve(declaration.columns) where columns[column.index].type == nil {
          columns[column.index].type = declaration.type
        }
        typePatterns?.append((Glob(pattern), declaration.type))
      }
    }
  }

  /// Adds a column of another table, of the type that is declared for its name; `nil` if there is already one of that name.
  mutating func join(name: String) -> Int? {
    let name = name.trimmingBlanks
    let declared = index(of: name).flatMap { columns[$0].type }
    guard let index = derive(name: name) else { return nil }
    columns[index].type = declared ?? awaitedTypes.first { $0.name == name }?.type ?? type(of: name)
    columns[index].isJoined = true
    return index
  }

  /// Throws the error for a declared type of a column that no table has.
  func checkAwaitedTypes() throws(ColumnError) {
    for (name, _) in awaitedTypes where index(of: name) == nil { throw notFound(name) }
  }

  /// Declares the type of a column, whatever it was before.
  mutating func declare(_ type: ValueType?, at index: Int) { columns[index].type = type }

  /// Declares for a column the type of one whose values it takes over.
  mutating func declare(as other: Column, at index: Int) {
    guard let type = other.type else { return }
    (columns[index].type, columns[index].hasSureType) = (type, true)
    typePatterns = typePatterns ?? []
  }

  /// The type that a pattern declares for columns of a name.
  private func type(of name: String) -> ValueType? {
    let scalars = Array(name.unicodeScalars)
    return typePatterns?.first { $0.glob.matches(scalars) }?.type
  }

  /// The columns of declared types that cells may not be of.
  var typedColumns: [(index: Int, type: ValueType, name: String)] {
    columns.enumerated().compactMap { index, column in
      guard let type = column.type, type != .text, !column.hasSureType, !column.isComputed || column.isJoined
      else { return nil }
      return (index, type, column.name.isEmpty ? column.title : column.name)
    }
  }

  /// Takes out columns that have become rows: they are neither shown nor named from now on.
  ///
  /// - Parameter made: the columns that say so.
  mutating func turn(_ turned: Set<Int>, into made: [Int]) {
    turningColumns = made
    for column in turned { columns[column].isTurned = true }
    computedCount -= shown[readCount...].count { turned.contains($0) }
    shown.removeAll { turned.contains($0) }
    firstColumns?.removeAll { turned.contains($0) }
  }

  /// The columns that were shown before some became rows.
  func shownBeforeTurning() -> [Int] {
    if turningColumns.isEmpty { return shown }
    let others = Set(shown).subtracting(turningColumns)
    return columns.indices.filter { columns[$0].isTurned || others.contains($0) }
  }

  /// The names of the columns that have become rows.
  func turnedNames() -> [String] { columns.filter(\.isTurned).map(\.name) }

  /// Whether a name is that of a column that has become rows.
  func isTurned(_ name: String) -> Bool {
    guard let index = anyIndex(of: name) else { return false }
    return columns[index].isTurned
  }

  /// Shows a column after those that were read before.
  private mutating func show(_ column: Int) { shown.insert(column, at: shown.count - computedCount) }

  /// Records a name that may never come.
  mutating func expect(_ wanted: WantedName) {
    if wantedNames.insert(ExactName(wanted.name)).inserted { self.wanted.append(wanted) }
  }

  /// The names of the columns that are changed though no record had them, in the order of ranks.
  var changedUnseen: [String] {
    columns.filter { $0.isChanged && !$0.isGiven && !$0.isSeen }
      .sorted { ($0.rank ?? 0) < ($1.rank ?? 0) }.map(\.name)
  }

  /// The number of shown columns that were read.
  var readCount: Int { shown.count - computedCount }

  /// Hides the columns read, from index `first` on, for which `isUnwanted` is true.
  mutating func hide(from first: Int, where isUnwanted: (Int) -> Bool) {
    let range = min(first, readCount)..<readCount
    let unwanted = shown[range].filter(isUnwanted)
    shown.replaceSubrange(range, with: shown[range].filter { !isUnwanted($0) })
    for column in unwanted {
      columns[column].isSeen = false
      if columns[column].rank != nil { showLast(column) }
    }
  }

  /// The number of columns.
  var count: Int { columns.count }

  /// The record of the header, if it names a column.
  func header(naming column: Int) -> Batch? {
    header.flatMap { column < $0.columnCount ? $0 : nil }
  }

  /// The column of exactly this name, ignoring outer blanks.
  func index(of name: String) -> Int? {
    guard let index = anyIndex(of: name), !columns[index].isTurned else { return nil }
    return index
  }

  /// The column of exactly this name, even if it has become rows.
  private func anyIndex(of name: String) -> Int? {
    if let index = indices.number(of: name, in: columns) { return index }
    let trimmed = name.trimmingBlanks
    return indices.number(of: trimmed, in: columns) ?? trimmedIndices[ExactName(trimmed)]
  }
}

/// A column reference that cannot be resolved, with the name that was searched for.
public enum ColumnError: Error, Equatable, Sendable {
  /// No such column; the nearest existing name, or the one that differs only in case.
  case notFound(String, suggestion: String?, differsOnlyInCase: Bool)

  /// `@N` with fewer than N columns.
  case noPosition(Int, count: Int)
}

/// A column of the input, and perhaps a path into its JSON.
struct ResolvedColumn: Hashable, Sendable {
  /// The column's index in the schema.
  var index: Int

  /// The path to a nested value; empty for the column itself.
  var path: [PathStep] = []

  /// Other meanings of the same name if keys may still come (JSON): longer names, the longest first.
  ///
  /// If a record has one of them, its value is used, so that it makes no difference when a key turns up.
  var longer: [ResolvedColumn] = []

  /// The column of exactly the name; `nil` if the name is a path in any case.
  var exact: Int? { path.isEmpty ? index : longer.first.flatMap { $0.path.isEmpty ? $0.index : nil } }

  /// The same value for all names of a column.
  var identity: ResolvedColumn { exact.map { ResolvedColumn(index: $0) } ?? self }

  /// The column with a longer path.
  func following(_ steps: [PathStep]) -> ResolvedColumn {
    ResolvedColumn(index: index, path: path + steps, longer: longer.map { $0.following(steps) })
  }
}

/// A name of JSON that an option uses and that may never come.
struct WantedName: Sendable {
  /// The name as typed.
  var name: String

  /// The column it means.
  var column: ResolvedColumn
}

/// One step into a nested JSON value.
enum PathStep: Hashable, Sendable {
  /// The member of that name.
  case member(String)

  /// The item at that index, from 0; -1 is the last.
  case item(Int)
}

extension Schema {
  /// The column an option means (the exact name, otherwise the longest prefix that is a column, then a path).
  ///
  /// In an open schema an unknown name becomes a column that may still come.
  mutating func resolve(_ reference: ColumnReference) throws(ColumnError) -> ResolvedColumn {
    switch reference {
    case .position(let position): return try resolve(position: position)
    case .name(let name, let isQuoted):
      let column = try resolve(name: name, isQuoted: isQuoted)
      if columns[column.index].isTurned { throw notFound(name.trimmingBlanks) }
      expect(column)
      return column
    }
  }

  /// The meaning of a name with members after it in an open schema: any part of it may be a key.
  mutating func wantPath(to name: String, _ members: [String]) -> ResolvedColumn {
    var ways: [ResolvedColumn] = []
    for used in 0...min(members.count, Self.mostDots) {
      let key = ([name] + members[..<used]).joined(separator: ".")
      ways.append(ResolvedColumn(index: want(name: key), path: members[used...].map { .member($0) }))
    }
    return Self.shortest(of: ways)
  }

  /// Records a column, or a path into one, that may never come.
  mutating func expect(_ column: ResolvedColumn) {
    guard isOpen || !column.path.isEmpty, !columns[column.index].isComputed else { return }
    if column.path.isEmpty, columns[column.index].rank != nil { return }
    expect(WantedName(name: name(of: column), column: column))
  }

  /// A column with its path, as it is typed.
  func name(of column: ResolvedColumn) -> String {
    column.path.reduce(columns[column.index].name) { name, step in
      switch step {
      case .member(let member): name + (PathStep.isBare(member) ? "." + member : PathStep.quoted(member))
      case .item(let index): name + "[\(index)]"
      }
    }
  }

  /// The error for a name that is no column, with the nearest name that exists.
  func notFound(_ name: String) -> ColumnError {
    let lowered = name.lowercased()
    let known = (turningColumns.isEmpty ? Array(columns.indices) : certain).map { columns[$0] }
    if let twin = known.first(where: { $0.name.lowercased() == lowered && !$0.isTurned }) {
      return .notFound(name, suggestion: twin.name, differsOnlyInCase: true)
    }
    let names = known.filter { !$0.isTurned }.map(\.name)
    let nearest = name.nearest(among: names) ?? nearestPath(to: name, among: names)
    return .notFound(name, suggestion: nearest, differsOnlyInCase: false)
  }

  /// A path whose first name is misspelt, with the nearest name: `user.city` for `usr.city`.
  private func nearestPath(to name: String, among names: [String]) -> String? {
    guard let cut = name.firstIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
    return String(name[..<cut]).nearest(among: names).map { $0 + name[cut...] }
  }

  /// The columns that there are from the first record on, however much was read together with it.
  private var certain: [Int] {
    isOpen ? positions + shown.filter { columns[$0].isComputed } : Array(columns.indices)
  }

  /// The names of the shown columns that there are from the first record on.
  func certainNames(atMost count: Int) -> [String] {
    if turningColumns.isEmpty || !isOpen { return names(atMost: count) }
    return Array(certain.lazy.map { columns[$0].name }.filter { !$0.isEmpty }.prefix(count))
  }

  /// The names of the shown columns.
  func names(atMost count: Int) -> [String] {
    Array(shown.lazy.map { columns[$0].name }.filter { !$0.isEmpty }.prefix(count))
  }
}

extension Schema {
  private func resolve(position: Int) throws(ColumnError) -> ResolvedColumn {
    let columns = positions
    let index = position < 0 ? columns.count + position : position - 1
    guard columns.indices.contains(index) else { throw .noPosition(position, count: columns.count) }
    return ResolvedColumn(index: columns[index])
  }

  /// The maximum number of dots that are searched for in the name of a key, so that long paths are resolved
  /// in linear time.
  static let mostDots = 64

  private mutating func resolve(name: String, isQuoted: Bool) throws(ColumnError) -> ResolvedColumn {
    let trimmed = name.trimmingBlanks
    if isOpen {
      let way = isQuoted ? nil : wantPath(to: trimmed)
      return way ?? ResolvedColumn(index: index(of: name) ?? want(name: trimmed))
    }
    if let index = index(of: name) { return ResolvedColumn(index: index) }
    if !isQuoted {
      if let number = Int(trimmed), number > 0 { return try resolve(position: number) }
      if let nested = resolve(path: trimmed) { return nested }
    }
    throw notFound(trimmed)
  }

  /// All meanings of a name with dots or brackets in an open schema; `nil` if it has none.
  private mutating func wantPath(to name: String) -> ResolvedColumn? {
    let quoted = name.indices.first { name[$0...].hasPrefix("[\"") } ?? name.endIndex
    let cuts = name.indices.lazy.dropFirst().filter {
      name[$0] == "." && $0 < quoted || name[$0] == "[" && $0 <= quoted
    }
    var ways: [ResolvedColumn] = []
    for cut in cuts.prefix(Self.mostDots) {
      guard let steps = PathStep.parse(name[cut...]) else { continue }
      ways.append(ResolvedColumn(index: want(name: String(name[..<cut])), path: steps))
    }
    return ways.isEmpty ? nil : Self.shortest(of: ways + [ResolvedColumn(index: want(name: name))])
  }

  /// The path with the shortest name, with the longer ones attached; it is the first of `ways`.
  private static func shortest(of ways: [ResolvedColumn]) -> ResolvedColumn {
    var shortest = ways[0]
    shortest.longer = ways.dropFirst().reversed()
    return shortest
  }

  /// The longest prefix of `name` that is a column, and the rest as a path.
  private func resolve(path name: String) -> ResolvedColumn? {
    var split = name.endIndex
    while let cut = name[..<split].lastIndex(where: { $0 == "." || $0 == "[" }) {
      if let index = index(of: String(name[..<cut])), let steps = PathStep.parse(name[cut...]) {
        return ResolvedColumn(index: index, path: steps)
      }
      split = cut
    }
    return nil
  }
}

extension PathStep {
  /// Whether a member can be named after a dot in a list of columns.
  static func isBare(_ member: String) -> Bool {
    !member.isEmpty && member.first != " " && member.last != " "
      && !member.contains { ".[,:=()\"`*?".contains($0) }
  }

  /// `["name"]`, in which a quote mark is doubled.
  static func quoted(_ member: String) -> String {
    "[\"" + member.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"]"
  }

  /// The steps of a text such as `.address.city[0]` or `["a.b"]`, or `nil` if it is not a path.
  static func parse(_ text: Substring) -> [PathStep]? {
    var steps: [PathStep] = []
    var rest = text
    while let mark = rest.popFirst() {
      if mark == "." {
        let end = rest.firstIndex { $0 == "." || $0 == "[" } ?? rest.endIndex
        guard end > rest.startIndex else { return nil }
        steps.append(.member(String(rest[..<end])))
        rest = rest[end...]
      } else if rest.first == "\"" {
        guard let member = takeQuoted(&rest) else { return nil }
        steps.append(.member(member))
      } else {
        guard let end = rest.firstIndex(of: "]"), let index = Int(rest[..<end]) else { return nil }
        steps.append(.item(index))
        rest = rest[rest.index(after: end)...]
      }
    }
    return steps
  }

  /// Takes the quoted name that a text begins with, and the bracket after it.
  private static func takeQuoted(_ text: inout Substring) -> String? {
    text.removeFirst()
    var name = ""
    while let character = text.popFirst() {
      guard character == "\"" else {
        name.append(character)
        continue
      }
      switch text.popFirst() {
      case "\"": name.append("\"")
      case "]": return name
      default: return nil
      }
    }
    return nil
  }
}

/// The numbers of columns, found by exactly the bytes of their names.
///
/// It holds only the numbers and looks the names up, because there may be very many columns. A few names are
/// compared one by one, which costs less than hashing; more are in a hash table with open addressing.
///
/// - Complexity: O(1) for each name on average.
private struct NameIndex: Sendable {
  /// The hash table: numbers of columns, and `free` in slots that are not taken.
  private var places: [UInt32] = []
  private var count = 0

  /// The maximum number of names that are compared one by one.
  private static let few = 16

  private static let free = UInt32.max

  /// The number of the column with that name, if there is one.
  func number(of name: String, in columns: [Schema.Column]) -> Int? {
    let name = ExactName(name)
    if count <= Self.few {
      return places.first { ExactName(columns[Int($0)].name) == name }.map { Int($0) }
    }
    let number = places[place(of: name, in: columns)]
    return number == Self.free ? nil : Int(number)
  }

  /// Adds the name of a column, which no other column has; the column may be added to `columns` later.
  mutating func add(_ name: String, number: Int, in columns: [Schema.Column]) {
    count += 1
    if count <= Self.few { return places.append(UInt32(number)) }
    // The table is at most half full.
    if count == Self.few + 1 || count * 2 > places.count {
      let numbers = places
      places = Array(repeating: Self.free, count: max(4 * Self.few, places.count * 2))
      for number in numbers where number != Self.free {
        places[place(of: ExactName(columns[Int(number)].name), in: columns)] = number
      }
    }
    places[place(of: ExactName(name), in: columns)] = UInt32(number)
  }

  /// Gives a name that the column `number` had to another column.
  mutating func replace(_ number: Int, by other: Int) {
    // The name has the place that it was given by its hash.
    guard let place = places.firstIndex(of: UInt32(number)) else { return }
    places[place] = UInt32(other)
  }

  /// The slot of the table in which a name is, or into which it goes.
  private func place(of name: ExactName, in columns: [Schema.Column]) -> Int {
    var place = name.hashValue & (places.count - 1)
    while places[place] != Self.free, ExactName(columns[Int(places[place])].name) != name {
      place = (place + 1) & (places.count - 1)
    }
    return place
  }
}

/// A name that equals only names with the same bytes.
///
/// Strings are equal if they are canonically equivalent: a composed accent and a combining one are the same
/// to them.
struct ExactName: Hashable, Sendable {
  /// The name.
  let text: String

  /// Wraps a name.
  init(_ text: String) { self.text = text }

  static func == (left: ExactName, right: ExactName) -> Bool {
    left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
