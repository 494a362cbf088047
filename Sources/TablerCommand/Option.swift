/// One option of the command line: everything that is ever said about it.
///
/// `Option.all` holds one entry for each. The parser, both helps, the manual page and
/// the completions are read off it; nothing else knows which options there are.
struct Option {
  /// Which option this is; its raw value is the long name.
  let id: ID
  /// The letter of the short form, if there is one.
  let letter: Character?
  /// What follows the name.
  let value: Value
  /// The heading it stands under in help and manual.
  let group: Group
  /// One line for `--help` and the completions, at most 60 characters.
  let brief: String
  /// Sentences for the manual; words in backquotes are literal.
  let detail: String
  /// What holds when the option is not given, as it is printed; empty for switches.
  let fallback: String
  /// Whether every occurrence counts, in order, instead of the last alone.
  let accumulates: Bool
  /// Whether help, manual and completions pass it over.
  let isHidden: Bool

  /// Describes an option; what is left out is empty or false.
  init(
    _ id: ID, letter: Character? = nil, _ value: Value, _ group: Group, _ brief: String,
    default fallback: String = "", detail: String = "", accumulates: Bool = false,
    isHidden: Bool = false
  ) {
    self.id = id
    self.letter = letter
    self.value = value
    self.group = group
    self.brief = brief
    self.detail = detail
    self.fallback = fallback
    self.accumulates = accumulates
    self.isHidden = isHidden
  }

  /// The long name without its dashes.
  var name: String { id.rawValue }

  /// The long name as it is typed: `--sort`.
  var spelling: String { "--" + name }

  /// The placeholder of the value, or nil for switches.
  var placeholder: String? { value.placeholder }

  /// Whether a value follows.
  var takesValue: Bool { value.placeholder != nil }

  /// The other spelling of a switch, `no-x` for `x` and the reverse, without its dashes.
  ///
  /// Switches of which the last one wins have none: they say which, not whether.
  var negatedName: String? {
    guard case .flag = value else { return nil }
    return name.hasPrefix("no-") ? String(name.dropFirst(3)) : "no-" + name
  }
}

extension Option {
  /// A heading of help and manual, in the order printed.
  enum Group: String, CaseIterable {
    case input = "Input"
    case rows = "Rows"
    case order = "Order"
    case columns = "Columns"
    case layout = "Layout"
    case header = "Header and footer"
    case spacing = "Spacing"
    case style = "Style"
    case output = "Output"
    case general = "General"
  }
}
