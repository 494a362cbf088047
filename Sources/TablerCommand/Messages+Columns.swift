import TablerEngine

extension Messages {
  /// A column that an option names and the input has not.
  func text(_ error: ColumnError, option: String) -> String {
    let id = Option.ID(rawValue: String(option.drop { $0 == "-" }))
    let source = id.map { arguments.joined($0) } ?? ""
    let range = Self.range(of: error, in: source)
    let isMarked = range.map { source.utf8.dropFirst($0.lowerBound).first == UInt8(ascii: "@") } ?? true
    var words = Self.words(error, mark: isMarked ? "@" : "")
    if case .notFound(let name, _, _) = error {
      words =
        self.words(ofTitle: name) ?? id.flatMap {
          Self.words(ofKey: name, $0) ?? Self.words(ofList: error, $0)
        } ?? words
    }
    return self.error(
      option, words + (id.map { lookAlike($0, error) } ?? ""), range.map { caret(source, $0) } ?? "")
  }

  /// What is said of a name that is no column, but the title that `--columns` gives one.
  func words(ofTitle name: String) -> String? {
    titled(name).map { "column \(Self.quoted(name)) not found; that is the title of \($0)" }
  }

  /// The column that `--columns` gives a title.
  func titled(_ name: String) -> String? {
    for option in [Option.ID.columns, .rowNames] {
      let list = try? arguments.readLast(option) { (cursor) throws(GrammarError) in try cursor.columnList() }
      for case .column(let reference, title: name) in (list?.entries ?? []).map(\.item) {
        return switch reference {
        case .name(let column, _): Self.quoted(column)
        case .position(let position): "@\(position)"
        }
      }
    }
    return nil
  }

  /// What is said of `weight desc`, as SQL writes a sort key.
  private static func words(ofKey name: String, _ option: Option.ID) -> String? {
    guard option == .sort || option == .sortedBy, let blank = name.lastIndex(of: " ") else { return nil }
    let key = String(name[..<blank]).trimmingBlanks
    let flag = name[name.index(after: blank)...].lowercased()
    guard let flag = flag == "asc" || flag == "desc" ? flag : OtherTools.sortFlag(flag) else { return nil }
    let written = flag == "desc" ? "-\(key)" : flag == "asc" ? key : "\(key):\(flag)"
    return "column \(quoted(name)) not found; that key is written \(typed(written))"
  }

  /// What is said of `1-3`, as `cut` has it, and of names that are separated by something else than commas.
  private static func words(ofList error: ColumnError, _ option: Option.ID) -> String? {
    guard case .notFound(let name, nil, _) = error else { return nil }
    let isList: Bool = if case .columns = Option[option].value { true } else { Option[option].value == .keys }
    guard isList, option != .format, option != .footer else { return nil }
    let numbers = name.split(separator: "-", omittingEmptySubsequences: false)
    if numbers.count == 2, name != "-", numbers.allSatisfy({ $0.isEmpty || Int($0) != nil }) {
      return "column \(quoted(name)) not found; a range is written \(numbers[0])..\(numbers[1])"
    }
    guard name.contains(where: { " ;|".contains($0) }) else { return nil }
    return words(error) + "; names are separated by commas"
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
    switch error {
    case .notFound(let name, _, _): return range(of: name, in: source)
    case .noPosition(let position, _):
      return range(of: "@\(position)", in: source) ?? range(of: "\(position)", in: source)
    }
  }

  private static func range(of name: String, in source: String) -> Range<Int>? {
    let name = Array(name.utf8)
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
