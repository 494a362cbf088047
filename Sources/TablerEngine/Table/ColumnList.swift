/// One column as an option names it: by name, position, or path; it is resolved against a `Schema`.
public enum ColumnReference: Hashable, Sendable {
  /// A bare or quoted name, possibly with a path after it (`a.b.c`, `tags[0]`).
  ///
  /// A bare integer is the column of that name, otherwise the position. A quoted name is only a name.
  case name(String, isQuoted: Bool)

  /// `@2` is the second column, `@-1` the last.
  case position(Int)
}

/// The columns an option lists: `--columns`, `--hide`, `--row-names`.
public struct ColumnList: Equatable, Sendable {
  /// One item of the list.
  public enum Item: Equatable, Sendable {
    /// A column, perhaps under another title.
    case column(ColumnReference, title: String?)

    /// From one column to another; an open end reaches to the first or the last.
    case range(from: ColumnReference?, through: ColumnReference?)

    /// All columns whose names match a pattern with `*` and `?`.
    case glob(String)
  }

  /// An item, and whether `!` removes it.
  public struct Entry: Equatable, Sendable {
    /// The columns meant.
    public var item: Item

    /// Whether the item removes columns from the list.
    public var isExcluded: Bool

    /// Creates an entry.
    public init(_ item: Item, isExcluded: Bool = false) {
      self.item = item
      self.isExcluded = isExcluded
    }
  }

  /// The entries as written.
  public var entries: [Entry]

  /// Creates a list.
  public init(_ entries: [Entry]) { self.entries = entries }
}

/// What a `COL:…` option names: a column or a glob.
public enum ColumnSelector: Equatable, Sendable {
  /// One column.
  case column(ColumnReference)

  /// All columns whose names match a pattern with `*` and `?`.
  case glob(String)
}

/// One column chosen by a list of columns.
struct SelectedColumn: Equatable, Sendable {
  /// The column, or a path into one.
  var column: ResolvedColumn

  /// The title: the one given, otherwise the header's, otherwise the path as typed.
  var title: String

  /// The name by which options and JSON address it.
  var name: String

  /// Whether the title was given with `=Title`.
  var hasOwnTitle = false

  /// Whether the list names it, and does not only include it in a range or glob.
  var isNamed = false
}

extension ColumnList.Entry {
  /// Whether later columns may belong to it.
  var mayGrow: Bool {
    if case .column = item { isExcluded } else { true }
  }
}

extension ColumnList {
  /// The patterns that match the name of no shown column.
  func idlePatterns(in schema: Schema) -> [String] {
    entries.compactMap { entry in
      guard case .glob(let text) = entry.item else { return nil }
      let glob = Glob(text)
      return schema.shown.contains { glob.matches(schema.columns[$0].name) } ? nil : text
    }
  }
}

extension Schema {
  /// All columns seen, in order.
  var allColumns: [SelectedColumn] { shown.map { selected($0) } }

  /// The columns of a list, in its order.
  ///
  /// 1. `!` items remove columns from the whole list; a list of only such items begins with all columns.
  /// 2. A range or glob adds the columns that are neither listed before it nor named without a title after it.
  /// 3. A column named with a title after a range or glob that includes it is retitled in place.
  mutating func select(_ list: ColumnList) throws(ColumnError) -> [SelectedColumn] {
    let added = list.entries.filter { !$0.isExcluded }
    var selection: [SelectedColumn] = added.isEmpty ? allColumns : []
    var chosen: Set<ResolvedColumn> = []
    // The positions of the columns that a range or glob has added.
    var fromMany: [ResolvedColumn: Int] = [:]
    // The last entry that names each column without a title, found when a range or glob needs it.
    var untitled: [ResolvedColumn: Int]?
    var names = ScalarNames()
    for (index, entry) in added.enumerated() {
      switch entry.item {
      case .column(let reference, let title):
        var column = try select(reference)
        column.isNamed = true
        if let title {
          column.title = title
          column.hasOwnTitle = true
          if let place = fromMany.removeValue(forKey: column.column.identity) {
            selection[place] = column
            continue
          }
        }
        chosen.insert(column.column.identity)
        selection.append(column)
      case .range, .glob:
        var later = untitled ?? [:]
        if untitled == nil { later = try resolveUntitled(added, after: index) }
        untitled = later
        for column in try resolveMembers(of: entry.item, &names) {
          let resolved = ResolvedColumn(index: column)
          if later[resolved] ?? 0 > index || !chosen.insert(resolved).inserted { continue }
          fromMany[resolved] = selection.count
          selection.append(selected(column))
        }
      }
    }
    let excluded = try resolveExcluded(by: list.entries.filter(\.isExcluded))
    return selection.filter { !excluded.contains($0.column.identity) }
  }

  /// The columns that a list removes: those that `--hide` names, or all but those it names with `!`.
  mutating func resolveAll(_ list: ColumnList) throws(ColumnError) -> Set<ResolvedColumn> {
    list.entries.isEmpty ? [] : Set(try select(list).map(\.column.identity))
  }

  /// The columns that a selector of `COL:…` options means.
  mutating func resolve(_ selector: ColumnSelector) throws(ColumnError) -> [ResolvedColumn] {
    switch selector {
    case .column(let reference): return [try resolve(reference)]
    case .glob(let pattern):
      var names = ScalarNames()
      return try resolveMembers(of: .glob(pattern), &names).map { ResolvedColumn(index: $0) }
    }
  }
}

/// The names of columns as scalars, made when the first pattern needs them.
private struct ScalarNames {
  private var names: [[Unicode.Scalar]] = []

  /// The columns of a schema whose names match a pattern.
  mutating func columns(of schema: Schema, fitting glob: Glob) -> [Int] {
    if names.isEmpty { names = schema.shown.map { Array(schema.columns[$0].name.unicodeScalars) } }
    return zip(schema.shown, names).compactMap { glob.matches($1) ? $0 : nil }
  }
}

extension Schema {
  /// A column without another title.
  func selected(_ index: Int) -> SelectedColumn {
    SelectedColumn(
      column: ResolvedColumn(index: index), title: columns[index].title, name: columns[index].name)
  }

  private mutating func select(_ reference: ColumnReference) throws(ColumnError) -> SelectedColumn {
    let column = try resolve(reference)
    guard !column.path.isEmpty, case .name(let name, _) = reference else { return selected(column.index) }
    return SelectedColumn(column: column, title: name.trimmingBlanks, name: name.trimmingBlanks)
  }

  /// The last of the items after one that names each column without a title.
  private mutating func resolveUntitled(
    _ entries: [ColumnList.Entry], after index: Int
  ) throws(ColumnError) -> [ResolvedColumn: Int] {
    var columns: [ResolvedColumn: Int] = [:]
    for place in entries.indices where place > index {
      if case .column(let reference, title: nil) = entries[place].item {
        columns[try resolve(reference).identity] = place
      }
    }
    return columns
  }

  private mutating func resolveExcluded(by entries: [ColumnList.Entry]) throws(ColumnError) -> Set<
    ResolvedColumn
  > {
    var columns: Set<ResolvedColumn> = []
    var names = ScalarNames()
    for entry in entries {
      if case .column(let reference, _) = entry.item {
        columns.insert(try resolve(reference).identity)
      } else {
        for index in try resolveMembers(of: entry.item, &names) {
          columns.insert(ResolvedColumn(index: index))
        }
      }
    }
    return columns
  }

  /// The columns of a range or glob, in input order (a range may run backwards).
  private mutating func resolveMembers(
    of item: ColumnList.Item, _ names: inout ScalarNames
  ) throws(ColumnError) -> [Int] {
    switch item {
    case .column(let reference, _):
      return [try resolve(reference).index]
    case .glob(let pattern):
      return names.columns(of: self, fitting: Glob(pattern))
    case .range(let from, let through):
      let first = try resolvePlace(from) ?? 0
      let last = try resolvePlace(through) ?? shown.count - 1
      guard !shown.isEmpty else { return [] }
      return first <= last ? Array(shown[first...last]) : shown[last...first].reversed()
    }
  }

  private mutating func resolvePlace(_ reference: ColumnReference?) throws(ColumnError) -> Int? {
    guard let reference else { return nil }
    let column = try resolve(reference)
    let index = column.exact ?? column.index
    guard let place = shown.firstIndex(of: index) else { throw notFound(columns[index].name) }
    return place
  }
}

/// A pattern for names: `*` matches any characters, `?` matches one.
struct Glob: Sendable {
  private let pattern: [Unicode.Scalar]

  /// Creates a pattern.
  init(_ pattern: String) { self.pattern = Array(pattern.unicodeScalars) }

  /// Whether the pattern matches the whole of `name`.
  ///
  /// Of several stars only the last is ever retried.
  ///
  /// - Complexity: O(*n* · *m*) at worst, where *n* and *m* are the lengths of the name and the pattern.
  func matches(_ name: String) -> Bool { matches(Array(name.unicodeScalars)) }

  /// Whether the pattern matches a whole name, given as its scalars, for names that are tried with many patterns.
  func matches(_ text: [Unicode.Scalar]) -> Bool {
    var place = 0
    var index = 0
    var star: (place: Int, index: Int)?
    while index < text.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, index)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[index] {
        place += 1
        index += 1
      } else if let last = star {
        place = last.place + 1
        index = last.index + 1
        star = (last.place, index)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
