/// A value written in SQL.
struct SQLFragment: Sendable {
  /// How tightly the parts of a text hold together: a part of lower rank than its place needs stands in parentheses.
  enum Rank: Int, Comparable {
    case or
    case and
    case not
    case comparison
    case sum
    case product
    case sign
    case whole

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// The text.
  var text: String

  /// Its type; `nil` for a null.
  var type: SQLType?

  /// How tightly it holds together.
  var rank = Rank.whole

  /// A text literal that is read as what its use needs, or that spells a time.
  var literal: String?

  /// The text for a place that needs a rank.
  func text(_ needed: Rank) -> String { rank < needed ? "(\(text))" : text }

  /// Null.
  static let null = SQLFragment(text: "NULL", type: nil)
}

extension SQLFragment {
  /// The template with its places filled: `{0}`, `{1}` by arguments, `{…}` by all of them, `{s}` by the most decimals that
  /// one of them has.
  ///
  /// An argument that is alone between parentheses or commas needs none of its own.
  static func filling(_ template: String, _ arguments: [SQLFragment]) -> String {
    var text = ""
    let characters = Array(template)
    var index = 0
    while index < characters.count {
      guard characters[index] == "{", index + 2 < characters.count, characters[index + 2] == "}" else {
        text.append(characters[index])
        index += 1
        continue
      }
      let before = characters[..<index].last { $0 != " " }
      let after = characters[(index + 3)...].first { $0 != " " }
      let isAlone = (before == "(" || before == ",") && (after == ")" || after == ",")
      switch characters[index + 1] {
      case "s": text += "\(arguments.compactMap { $0.type?.scale }.max() ?? 0)"
      case "…": text += arguments.map { $0.text(.or) }.joined(separator: ", ")
      case let digit:
        let place = digit.wholeNumberValue ?? 0
        if arguments.indices.contains(place) { text += arguments[place].text(isAlone ? .or : .whole) }
      }
      index += 3
    }
    return text
  }

  /// Whether a text holds together by itself: one call, one name, or all of it in parentheses.
  static func isWhole(_ text: String) -> Bool {
    var depth = 0
    var hasOpened = false
    for character in text {
      switch character {
      case "(":
        if depth == 0, hasOpened { return false }
        depth += 1
        hasOpened = true
      case ")": depth -= 1
      case _ where depth > 0: continue
      case _ where hasOpened: return false
      case _ where character.isLetter || character.isNumber || character == "_": continue
      default: return false
      }
    }
    return true
  }
}
