import TablerEngine

extension Messages {
  /// A column that an option names and the input has not.
  func text(_ error: ColumnError, option: String) -> String {
    let id = Option.ID(rawValue: String(option.drop { $0 == "-" }))
    let source = id.map { arguments.joined($0) } ?? ""
    let range = Self.range(of: error, in: source)
    return self.error(
      option, Self.words(error) + (id.map { lookAlike($0, error) } ?? ""),
      range.map { caret(source, $0) } ?? "")
  }

  /// What is said of a column that is not there.
  static func words(_ error: ColumnError, mark: String = "@") -> String {
    switch error {
    case .notFound(let name, let suggestion?, differsOnlyInCase: true):
      "column \(quoted(name)) not found; \(quoted(suggestion)) differs only in case"
    case .notFound(let name, let nearest, _): "column \(quoted(name)) not found\(suggestion(nearest))"
    case .noPosition(let position, let count):
      "there is no column \(mark)\(position); the input has \(Self.count(count, "column"))"
    }
  }

  /// A sort key that met a list or an object; an item or a member would do.
  func text(
    unordered column: String, isList: Bool, members: [String], option: String, at place: InputError.Place
  ) -> String {
    let kind = isList ? "a list" : "an object"
    let advice: String
    if isList {
      advice = "sort by an item: \(Self.typed(column + "[0]"))"
    } else {
      advice = "sort by a member" + (members.first.map { ": \(Self.typed(column + "." + $0))" } ?? "")
    }
    let what = "\(Self.quoted(column)) holds \(kind), which has no order"
    return error(option, "\(what) (first: \(Self.place(place))); \(advice)")
  }

  /// `--sort -g` sorts by `g`; without such a column a value may be missing.
  private func lookAlike(_ option: Option.ID, _ error: ColumnError) -> String {
    guard case .notFound(let name, _, _) = error,
      let word = arguments.all(option).compactMap(\.lookAlike).first(where: { $0.hasSuffix(name) })
    else { return "" }
    return " (\(Self.escaped(word)) is also an option; a value is missing?)"
  }

  /// Where the name stands in the option's value, if that is certain.
  private static func range(of error: ColumnError, in source: String) -> Range<Int>? {
    let name: [UInt8]
    switch error {
    case .notFound(let text, _, _): name = Array(text.utf8)
    case .noPosition(let position, _): name = Array("@\(position)".utf8)
    }
    let bytes = Array(source.utf8)
    guard !name.isEmpty, name.count <= bytes.count else { return nil }
    let isName = { (byte: UInt8) in !",:=!\"`+-(). ".utf8.contains(byte) }
    let places = (0...bytes.count - name.count).filter { start in
      let end = start + name.count
      return bytes[start..<end].elementsEqual(name) && (start == 0 || !isName(bytes[start - 1]))
        && (end == bytes.count || !isName(bytes[end]))
    }
    return places.first.map { $0..<$0 + name.count }
  }
}
