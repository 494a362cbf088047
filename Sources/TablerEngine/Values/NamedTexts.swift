/// A few texts by their names: the variables, or the texts of `--arg`.
///
/// They are so few that creating a dictionary would take longer than comparing them all.
public struct NamedTexts: Equatable, Sendable {
  private struct Entry: Equatable {
    let name: String
    let text: String
  }

  private var entries: [Entry] = []

  /// Creates a collection without texts.
  public init() {}

  /// The names, in the order in which they were given.
  var names: [String] { entries.map(\.name) }

  /// The text of a name; `nil` if there is none.
  public subscript(name: String) -> String? {
    get { entries.first { $0.name == name }?.text }
    set {
      entries.removeAll { $0.name == name }
      if let newValue { entries.append(Entry(name: name, text: newValue)) }
    }
  }
}

extension NamedTexts: ExpressibleByDictionaryLiteral {
  /// Creates a collection of names and their texts; the last text of a repeated name wins.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, text) in elements { self[name] = text }
  }
}
