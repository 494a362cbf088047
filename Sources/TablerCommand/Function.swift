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

  /// How far SQL engines know the function.
  enum SQLClass: Character {
    /// The same on every engine.
    case core = "C"
    /// Written differently from engine to engine.
    case translated = "T"
    /// Only here.
    case local = "L"
  }

  /// The name before the parentheses.
  let name: String
  /// The arguments between the parentheses; optional ones in brackets.
  let parameters: String
  /// The heading it stands under in help and manual.
  let group: Group
  /// How far SQL engines know it.
  let sqlClass: SQLClass
  /// One line, at most 60 characters.
  let brief: String

  /// Describes a function.
  init(_ name: String, _ parameters: String, _ group: Group, _ sqlClass: SQLClass, _ brief: String) {
    self.name = name
    self.parameters = parameters
    self.group = group
    self.sqlClass = sqlClass
    self.brief = brief
  }

  /// The call as it is written: `substr(s, start[, count])`.
  var signature: String { "\(name)(\(parameters))" }
}
