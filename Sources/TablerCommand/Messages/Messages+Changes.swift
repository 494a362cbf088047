import TablerEngine

extension Messages {
  /// The line about a change that does not fit.
  ///
  /// - Parameter place: the place of the row that it is about.
  func text(_ misfit: ChangeMisfit, at place: InputError.Location?) -> String {
    let row =
      misfit.key.isEmpty
      ? "row \(misfit.position)"
      : Self.list(misfit.key.map { "\(Self.escaped($0.column)) \(Self.escaped($0.text))" })
    let here = place.map(Self.place) ?? ""
    let cause =
      switch misfit.cause {
      case .gone: "there is no such row"
      case .present: "a row has it already (\(here))"
      case .repeated(let row): "two rows have it (\(here), and row \(row))"
      case .differs(let column, let found, let expected):
        "\(Self.quoted(column)) is \(Self.value(found)), not \(Self.value(expected)) (\(here))"
      }
    return error(Self.place(misfit.change), "\(row): \(cause)")
  }

  /// The text of a cell.
  private static func value(_ text: [UInt8]) -> String { text.isEmpty ? "empty" : "'\(escaped(text))'" }

  /// What is wrong with a list of changes.
  static func words(_ damage: ChangeListDamage) -> String {
    switch damage {
    case .noColumns: "a change list begins with its columns: {\"op\":\"columns\",\"old\":[...],\"new\":[...]}"
    case .columnsAgain: "the columns of a change list are named once, at its beginning"
    case .unknownKind(nil): "this is no change: a member 'op' says what it does (move update insert delete)"
    case .unknownKind(let kind?): "unknown change \(quoted(kind))  (move update insert delete)"
    case .unknownMember(let name, let owner): "\(quoted(owner)) has no member \(quoted(name))"
    case .missingMember(let name, let owner): "\(quoted(owner)) needs a member \(quoted(name))"
    case .wrongMember(let name, let wanted):
      switch wanted {
      case .position: "\(quoted(name)) must be a position: a whole number from 1"
      case .object: "\(quoted(name)) must be an object"
      case .names: "\(quoted(name)) must be a list of names"
      case .truth: "\(quoted(name)) must be true or false"
      }
    case .unknownColumn(let name): "the columns of the list have no \(quoted(name))"
    case .columnNotThere(let name, let nearest):
      "the list has a column \(quoted(name)), and the table has none\(suggestion(nearest))"
    case .droppedColumnHolds(let name, let text, let place):
      "column \(quoted(name)) goes, but holds '\(escaped(text))' (\(Self.place(place))), which the list does not know"
    case .repeatedName(let name): "\(quoted(name)) is named twice"
    case .otherID: "the members of 'id' are the same in all changes"
    case .idOfOtherRow: "'row' and 'id' are about different rows"
    case .rowAgain(let line): "line \(line) has another change of this row, and only one can be"
    case .positionAgain(let position, let line): "line \(line) is about position \(position) already"
    case .positionTooLarge(let position, let count):
      "there is no position \(position); the table has \(Self.count(count, "row")) then"
    }
  }
}
