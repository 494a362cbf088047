/// A column reference that cannot be resolved, with what was looked for.
public enum ColumnError: Error, Equatable, Sendable {
  /// No such column; the nearest existing name, or the one that differs only in case.
  case notFound(String, suggestion: String?, differsOnlyInCase: Bool)

  /// `@N` with fewer columns than N.
  case noPosition(Int, count: Int)
}

/// A column of the input, and perhaps a path into its JSON.
struct ResolvedColumn: Hashable, Sendable {
  /// The column's index in the schema.
  var index: Int

  /// The way into a nested value; empty for the column itself.
  var path: [PathStep] = []

  /// What else the same name means where keys may still come (JSON): longer names, the longest first.
  ///
  /// Of a record that has one of them it is taken, so that it makes no difference when a key turns up.
  var longer: [ResolvedColumn] = []

  /// The column of exactly the name; `nil` where the name is a path in any case.
  var exact: Int? { path.isEmpty ? index : longer.first.flatMap { $0.path.isEmpty ? $0.index : nil } }

  /// What is the same for all names of a column.
  var identity: ResolvedColumn { exact.map { ResolvedColumn(index: $0) } ?? self }

  /// The column with a longer path.
  func following(_ steps: [PathStep]) -> ResolvedColumn {
    ResolvedColumn(index: index, path: path + steps, longer: longer.map { $0.following(steps) })
  }
}

/// A name of JSON that an option uses, which may never come.
struct WantedName: Sendable {
  /// The name as typed.
  var name: String

  /// What it means.
  var column: ResolvedColumn
}

/// One step into a nested JSON value.
enum PathStep: Hashable, Sendable {
  /// The member of that name.
  case member(String)

  /// The item at that index; from 0, -1 is the last.
  case item(Int)
}

extension Schema {
  /// The column an option means (the exact name, else the longest leading part that is a column, then a path).
  ///
  /// In an open schema an unknown name becomes a column that may still come.
  mutating func resolve(_ reference: ColumnReference) throws(ColumnError) -> ResolvedColumn {
    switch reference {
    case .position(let position): return try resolve(position: position)
    case .name(let name, let isQuoted):
      let column = try resolve(name: name, isQuoted: isQuoted)
      expect(column)
      return column
    }
  }

  /// What a name with members after it means in an open schema: any part of it may be a key.
  mutating func way(to name: String, _ members: [String]) -> ResolvedColumn {
    var ways: [ResolvedColumn] = []
    for used in 0...min(members.count, Self.mostDots) {
      let key = ([name] + members[..<used]).joined(separator: ".")
      ways.append(ResolvedColumn(index: want(name: key), path: members[used...].map { .member($0) }))
    }
    return Self.shortest(of: ways)
  }

  /// Takes note of a column, or a way into one, that may never come.
  mutating func expect(_ column: ResolvedColumn) {
    guard isOpen || !column.path.isEmpty, !columns[column.index].isComputed else { return }
    expect(WantedName(name: name(of: column), column: column))
  }

  /// A column with its path, as it is typed.
  func name(of column: ResolvedColumn) -> String {
    column.path.reduce(columns[column.index].name) { name, step in
      switch step {
      case .member(let member): name + "." + member
      case .item(let index): name + "[\(index)]"
      }
    }
  }

  /// The error for a name that is no column, with the nearest name there is.
  func notFound(_ name: String) -> ColumnError {
    let lowered = name.lowercased()
    if let twin = columns.first(where: { $0.name.lowercased() == lowered }) {
      return .notFound(name, suggestion: twin.name, differsOnlyInCase: true)
    }
    return .notFound(name, suggestion: name.nearest(among: columns.map(\.name)), differsOnlyInCase: false)
  }
}

extension Schema {
  private func resolve(position: Int) throws(ColumnError) -> ResolvedColumn {
    let index = position < 0 ? shown.count + position : position - 1
    guard shown.indices.contains(index) else { throw .noPosition(position, count: shown.count) }
    return ResolvedColumn(index: shown[index])
  }

  /// The most dots that are looked for in the name of a key, so that long paths are resolved in linear time.
  static let mostDots = 64

  private mutating func resolve(name: String, isQuoted: Bool) throws(ColumnError) -> ResolvedColumn {
    let trimmed = name.trimmingBlanks
    if isOpen {
      let way = isQuoted ? nil : way(to: trimmed)
      return way ?? ResolvedColumn(index: index(of: name) ?? want(name: trimmed))
    }
    if let index = index(of: name) { return ResolvedColumn(index: index) }
    if !isQuoted {
      if let number = Int(trimmed), number > 0 { return try resolve(position: number) }
      if let nested = resolve(path: trimmed) { return nested }
    }
    throw notFound(trimmed)
  }

  /// All that a name with dots or brackets may mean in an open schema; `nil` where it has none.
  private mutating func way(to name: String) -> ResolvedColumn? {
    let cuts = name.indices.lazy.dropFirst().filter { name[$0] == "." || name[$0] == "[" }
    var ways: [ResolvedColumn] = []
    for cut in cuts.prefix(Self.mostDots) {
      guard let steps = PathStep.parse(name[cut...]) else { continue }
      ways.append(ResolvedColumn(index: want(name: String(name[..<cut])), path: steps))
    }
    return ways.isEmpty ? nil : Self.shortest(of: ways + [ResolvedColumn(index: want(name: name))])
  }

  /// The way by the shortest name, which knows of the longer ones; `ways` begins with it.
  private static func shortest(of ways: [ResolvedColumn]) -> ResolvedColumn {
    var shortest = ways[0]
    shortest.longer = ways.dropFirst().reversed()
    return shortest
  }

  /// The longest leading part of `name` that is a column, and the rest as a path.
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
  /// The steps of a text such as `.address.city[0]`, or `nil` where it is none.
  static func parse(_ text: Substring) -> [PathStep]? {
    var steps: [PathStep] = []
    var rest = text
    while let mark = rest.popFirst() {
      if mark == "." {
        let end = rest.firstIndex { $0 == "." || $0 == "[" } ?? rest.endIndex
        guard end > rest.startIndex else { return nil }
        steps.append(.member(String(rest[..<end])))
        rest = rest[end...]
      } else {
        guard let end = rest.firstIndex(of: "]"), let index = Int(rest[..<end]) else { return nil }
        steps.append(.item(index))
        rest = rest[rest.index(after: end)...]
      }
    }
    return steps
  }
}
