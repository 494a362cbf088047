import TablerEngine

extension OutputOptions {
  /// What the options under "Output" say.
  init(
    _ arguments: Arguments, _ environment: Environment, notices: inout [PlanNotice]
  ) throws(PlanError) {
    self.init()
    path = arguments.path(.output)
    let suffixForm = path.flatMap { OutputForm(suffixOf: $0) }
    form = arguments.form ?? suffixForm ?? .text
    if let path, let suffixForm, suffixForm != form, suffixForm.isData {
      notices.append(.formAgainstSuffix(form, path: path))
    }
    isFragment = arguments.isOn(.fragment)
    styleSheet =
      try arguments.readLast(.htmlStyle) { (cursor) throws(GrammarError) in try cursor.styleSheet() }
      ?? .embed
    language = try arguments.readLast(.lang) { (cursor) throws(GrammarError) in try cursor.language() }
    delimiter = arguments.character(.outputDelimiter).map { UInt8(ascii: $0) }
    guardsFormulas = arguments.isOn(.formulaGuard)
    hasHeader = !arguments.isOn(.noHeader)
    flushesRows = path == nil && environment.standardOutputIsTerminal
    try refuseForeign(arguments)
    if arguments.isOn(.rawControl), flushesRows { throw .rawControlToTerminal }
    if delimiter == UInt8(ascii: "\"") { throw .sameMarks(.outputDelimiter, .quote, "\"") }
  }

  /// The forms that know an option; `nil` where all do, or pass it over as data forms do with those of HTML.
  private func forms(knowing option: Option.ID) -> [OutputForm]? {
    switch option {
    case .outputDelimiter: [.csv]
    case .formulaGuard: [.csv, .tsv]
    case .fragment, .htmlStyle, .lang: form.isData ? nil : [.html]
    default: nil
    }
  }

  private func refuseForeign(_ arguments: Arguments) throws(PlanError) {
    for option in arguments.occurrences.lazy.map(\.option) where arguments.isOn(option) {
      guard let known = forms(knowing: option), !known.contains(form) else { continue }
      throw .foreignForm(option, form, known: known)
    }
  }
}

extension OutputForm {
  /// The form that the suffix of a file asks for, if any; in upper case too.
  init?(suffixOf path: FilePath) {
    let path = path.text
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "csv": self = .csv
    case "tsv": self = .tsv
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "md": self = .markdown
    case "html", "htm": self = .html
    default: return nil
    }
  }

  /// Whether the form carries data on, instead of showing it.
  var isData: Bool {
    switch self {
    case .csv, .tsv, .json, .jsonl: true
    case .text, .markdown, .html: false
    }
  }
}
