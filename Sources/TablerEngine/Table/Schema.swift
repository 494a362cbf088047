/// The columns of the input: what they are called and how they are addressed.
struct Schema: Sendable {
  /// One column of the input.
  struct Column: Sendable {
    /// The name by which options address it: unique, without outer blanks; empty where only `@N` reaches it.
    var name: String

    /// The title as the header has it: may repeat, may hold blanks; what is drawn and written.
    var title: String
  }

  /// The columns in input order.
  private(set) var columns: [Column]

  /// Whether later records may bring more columns (JSON): an unknown name is null until it comes.
  let isOpen: Bool

  private var indices: [String: Int] = [:]

  /// Creates a schema of the titles of a header; repeated names become `x_2`, `x_3`.
  init(titles: [String], isOpen: Bool = false) {
    columns = []
    self.isOpen = isOpen
    for title in titles { append(title: title) }
  }

  /// Adds a column at the end.
  mutating func append(title: String) {
    let trimmed = title.trimmingBlanks
    var name = trimmed
    var copy = 2
    while !name.isEmpty && indices[name] != nil {
      name = "\(trimmed)_\(copy)"
      copy += 1
    }
    if !name.isEmpty { indices[name] = columns.count }
    columns.append(Column(name: name, title: title))
  }

  /// The number of columns.
  var count: Int { columns.count }

  /// The column of exactly this name, outer blanks ignored.
  func index(of name: String) -> Int? { indices[name] ?? indices[name.trimmingBlanks] }
}

extension String {
  /// The text without blanks and tabs at its ends.
  var trimmingBlanks: String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
    guard let first = utf8.first, let last = utf8.last, isBlank(first) || isBlank(last) else { return self }
    var view = self.utf8[...]
    while let byte = view.first, isBlank(byte) { view.removeFirst() }
    while let byte = view.last, isBlank(byte) { view.removeLast() }
    return String(view) ?? self
  }
}
