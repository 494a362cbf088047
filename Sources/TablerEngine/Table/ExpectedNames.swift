/// The names of JSON that options use, until a row was read that has them.
struct ExpectedNames {
  /// A name, and what stood where it was looked for.
  private struct Name {
    let wanted: WantedName

    /// The members of the first object that should have had the next step of the path, with the steps before it.
    var nearby: (before: ResolvedColumn, members: [String])?
  }

  private var names: [Name]

  /// The most members of an object that are remembered to be proposed.
  private static let mostMembers = 1000

  /// Waits for names.
  init(_ names: [WantedName] = []) { self.names = names.map { Name(wanted: $0) } }

  /// Forgets the names that the first rows of a batch have.
  mutating func look(at batch: Batch, count: Int, _ schema: Schema) {
    for index in names.indices.reversed() {
      let column = names[index].wanted.column
      let isMet =
        column.path.isEmpty
        ? schema.columns[column.index].isSeen
        : (0..<count).contains { batch.value(of: column, row: $0).kind != .missing }
      if isMet {
        names.remove(at: index)
      } else if !column.path.isEmpty, names[index].nearby == nil {
        names[index].nearby = Self.nearby(column, batch, count: count)
      }
    }
  }

  /// Whether a column is still waited for.
  func holds(_ column: ResolvedColumn) -> Bool { names.contains { $0.wanted.column == column } }

  /// A warning for each name that never came.
  func notices(_ schema: Schema) -> [Notice] {
    names.map { name in
      .input(.neverSeen(name.wanted.name, suggestion: Self.suggestion(for: name, schema)))
    }
  }

  /// The first object on the way that lacks the next step.
  private static func nearby(
    _ column: ResolvedColumn, _ batch: Batch, count: Int
  ) -> (before: ResolvedColumn, members: [String])? {
    for row in 0..<count {
      for length in column.path.indices.reversed() {
        let before = ResolvedColumn(index: column.index, path: Array(column.path[..<length]))
        let found = batch.value(of: before, row: row)
        let isText = found.isWhole && found.kind == .text
        guard found.kind == .object || isText else { continue }
        let text = batch.content(found.cell).extracting(found.place)
        guard let object = JSONText.find([], in: text), object.kind == .object else { continue }
        let members = JSONText.names(text.extracting(object.start..<object.end), limit: mostMembers)
        return (before, members)
      }
    }
    return nil
  }

  /// The nearest name that did come.
  private static func suggestion(for name: Name, _ schema: Schema) -> String? {
    let column = name.wanted.column
    if let nearby = name.nearby, case .member(let missing) = column.path[nearby.before.path.count] {
      guard let member = missing.nearest(among: nearby.members) else { return nil }
      return schema.name(of: nearby.before.following([.member(member)]))
    }
    let names = schema.shown.map { schema.columns[$0].name }
    guard let nearest = name.wanted.name.nearest(among: names) else {
      let base = schema.columns[column.index]
      guard !base.isSeen, !column.path.isEmpty else { return nil }
      return base.name.nearest(among: names).map {
        $0 + schema.name(of: column).dropFirst(base.name.count)
      }
    }
    return nearest
  }
}
