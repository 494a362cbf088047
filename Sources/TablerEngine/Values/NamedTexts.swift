/// A few texts by their names: what variables and `--arg` say.
///
/// So few that a dictionary would take longer to make than they all to look at.
public struct NamedTexts: Equatable, Sendable {
  private struct Entry: Equatable {
    let name: String
    let text: String
  }

  private var entries: [Entry] = []

  /// Creates a collection without texts.
  public init() {}

  /// The names, in the order in which they came.
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
  /// Takes names and their texts; of a name that stands twice the last text counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, text) in elements { self[name] = text }
  }
}
