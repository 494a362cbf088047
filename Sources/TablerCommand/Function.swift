/// One function of the expression language, as help and manual describe it.
struct Function {
  /// The heading it stands under.
  enum Group: String, CaseIterable {
    case text = "Text"
    case patterns = "Patterns"
    case numbers = "Numbers"
    case conversion = "Conversion"
    case null = "Null"
    case rows = "Rows"
    case footers = "Footers"
  }

  /// The name before the parentheses.
  let name: String
  /// The arguments between the parentheses; optional ones in brackets.
  let parameters: String
  /// The heading it stands under in help and manual.
  let group: Group
  /// One line, at most 60 characters.
  let brief: String

  /// Describes a function.
  init(_ name: String, _ parameters: String, _ group: Group, _ brief: String) {
    self.name = name
    self.parameters = parameters
    self.group = group
    self.brief = brief
  }

  /// The call as it is written: `substr(s, start[, count])`.
  var signature: String { "\(name)(\(parameters))" }
}
