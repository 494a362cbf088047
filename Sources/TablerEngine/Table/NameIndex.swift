/// Where names stand: the number of each, found by exactly its bytes.
///
/// Few names are compared one after the other: a dictionary of them would cost a small table more than it saves.
struct NameIndex: Sendable {
  private var names: [ExactName] = []
  private var numbers: [Int] = []
  private var table: [ExactName: Int] = [:]

  /// The most names that are compared.
  private static let few = 16

  /// The number of a name, if it is known.
  subscript(name: String) -> Int? {
    let name = ExactName(name)
    if !table.isEmpty { return table[name] }
    return names.firstIndex(of: name).map { numbers[$0] }
  }

  /// Adds a name that is not known yet.
  mutating func add(_ name: String, number: Int) {
    guard table.isEmpty else {
      table[ExactName(name)] = number
      return
    }
    names.append(ExactName(name))
    numbers.append(number)
    guard names.count > Self.few else { return }
    for index in names.indices { table[names[index]] = numbers[index] }
    (names, numbers) = ([], [])
  }
}
