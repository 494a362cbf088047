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
}

/// One step into a nested JSON value.
enum PathStep: Hashable, Sendable {
  /// The member of that name.
  case member(String)

  /// The item at that index; from 0, -1 is the last.
  case item(Int)
}

extension Schema {
  /// The column an option means (SPEC §5 "Sort": exact name, else the longest leading part that is a column, then a path).
  ///
  /// In an open schema an unknown name becomes a column that may still come.
  mutating func resolve(_ reference: ColumnReference) throws(ColumnError) -> ResolvedColumn {
    switch reference {
    case .position(let position):
      return try resolve(position: position)
    case .name(let name, let isQuoted):
      if let index = index(of: name) { return ResolvedColumn(index: index) }
      if !isQuoted {
        if let number = Int(name.trimmingBlanks), number > 0, !isOpen { return try resolve(position: number) }
        if let nested = resolve(path: name.trimmingBlanks) { return nested }
      }
      if isOpen { return ResolvedColumn(index: want(name: name.trimmingBlanks)) }
      throw notFound(name.trimmingBlanks)
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

  /// The longest leading part of `name` that is a column, and the rest as a path; in an open schema the first part.
  private mutating func resolve(path name: String) -> ResolvedColumn? {
    var split = name.endIndex
    while let cut = name[..<split].lastIndex(where: { $0 == "." || $0 == "[" }) {
      if let index = index(of: String(name[..<cut])), let steps = PathStep.parse(name[cut...]) {
        return ResolvedColumn(index: index, path: steps)
      }
      split = cut
    }
    guard isOpen, let cut = name.firstIndex(where: { $0 == "." || $0 == "[" }), cut > name.startIndex,
      let steps = PathStep.parse(name[cut...])
    else { return nil }
    return ResolvedColumn(index: want(name: String(name[..<cut])), path: steps)
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
