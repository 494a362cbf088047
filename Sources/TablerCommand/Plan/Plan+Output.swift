import TablerEngine

extension OutputOptions {
  /// Reads the options under "Output".
  init(
    _ arguments: Arguments, _ environment: Environment, notices: inout [PlanNotice]
  ) throws(PlanError) {
    self.init()
    if arguments.isOn(.inPlace) {
      try writeBack(arguments)
    } else {
      if let file = arguments.path(.output), file != "-" { path = file }
      let suffixForm = path.flatMap { OutputForm(suffix: $0.suffix) }
      if let path, arguments.form == nil { try Self.refuse(path) }
      form = arguments.form ?? suffixForm ?? .text
      if let path, let suffixForm, suffixForm != form, !suffixForm.isDisplay {
        notices.append(.formAgainstSuffix(form, path: path))
      }
    }
    isFragment = arguments.isOn(.fragment)
    styleSheet =
      try arguments.readLast(.htmlStyle) { (cursor) throws(GrammarError) in try cursor.styleSheet() }
      ?? .embed
    language = try arguments.readLast(.lang) { (cursor) throws(GrammarError) in try cursor.language() }
    delimiter = arguments.character(.outputDelimiter).map { UInt8(ascii: $0) }
    guardsFormulas = arguments.isOn(.formulaGuard)
    hasHeader = !arguments.isOn(.noHeader)
    try refuseForeign(arguments)
    let toTerminal = path == nil && environment.standardOutputIsTerminal
    if arguments.isOn(.rawControl), toTerminal { throw .rawControlToTerminal }
    if form == .text, path == nil, !arguments.isOn(.follow), !arguments.has(.rejects),
      !arguments.has(.apply), !arguments.has(.explain)
    {
      paging = environment.paging(
        arguments.paging, scrolls: !arguments.has(.width) && !arguments.has(.overflow),
        measuredRows: arguments.has(.lookahead) ? nil : Paging.standardMeasuredRows, notices: &notices)
    }
    if arguments.isOn(.hover), form == .html, styleSheet == .inline { throw .hoverNeedsSheet }
    if delimiter == UInt8(ascii: "\"") { throw .sameMarks(.outputDelimiter, .quote, "\"") }
  }

  /// Options that leave out part of the file, change its records, or write elsewhere.
  private static let notInPlace: [Option.ID] = [
    .output, .at, .groupBy, .aggregate, .pivot, .unpivot, .explode, .join, .summary, .sample, .ends, .diff,
    .follow,
    .skipLines,
    .comment,
    .headerLines,
    .maxFields,
    .pattern,
  ]

  /// Applies `--in-place`: the one file that is read is written, in its own form.
  private mutating func writeBack(_ arguments: Arguments) throws(PlanError) {
    guard arguments.sources.count == 1, case .file(let file)? = arguments.sources.first else {
      throw .inPlaceNeedsFile
    }
    for option in Self.notInPlace where arguments.has(option) { throw .contradiction(.inPlace, option) }
    let known: OutputForm?
    switch arguments.choice(.from, as: InputForm.self) ?? .auto {
    case .csv: known = .csv
    case .tsv: known = .tsv
    case .json: known = .json
    case .jsonl: known = .jsonl
    case .auto: known = OutputForm(suffix: file.suffix)
    case let form: throw .foreignInput(.inPlace, form, known: [.csv, .tsv, .json, .jsonl])
    }
    if Unpacker(ofFile: file) != nil { throw .compressed(.inPlace, path: file) }
    guard let known, !known.isDisplay else { throw .inPlaceFormUnknown(path: file) }
    if let wanted = arguments.form, wanted != known { throw .contradiction(.inPlace, .to) }
    (path, form, isInPlace) = (file, known, true)
  }

  /// Rejects a file that, without a form, has the name of one, or the suffix of a form that is not written.
  private static func refuse(_ path: FilePath) throws(PlanError) {
    if let form = OutputForm(named: path.text) { throw .fileNamedLikeForm(form, path: path.text) }
    if [",", ";", "|", ":", "\t", "\\t"].contains(path.text) { throw .fileNamedLikeMark(path: path.text) }
    if foreignSuffixes.contains(path.suffix) { throw .foreignSuffix(path.suffix) }
  }

  /// Suffixes of files that tabler does not write: spreadsheets, documents, databases, archives.
  private static let foreignSuffixes: Set<String> = [
    "xlsx", "xls", "xlsm", "xlsb", "ods", "numbers", "parquet", "feather", "arrow", "avro", "orc",
    "pdf", "doc", "docx", "odt", "rtf", "ppt", "pptx", "odp", "xml", "yaml", "yml", "toml", "tex", "rst",
    "adoc",
    "sql", "db", "sqlite", "sqlite3", "duckdb", "mdb", "png", "jpg", "jpeg", "svg",
    "gz", "tgz", "zst", "xz", "bz2", "lz4", "br", "zip", "7z", "tar",
  ]

  private func refuseForeign(_ arguments: Arguments) throws(PlanError) {
    for option in arguments.occurrences.lazy.map(\.option) where arguments.isOn(option) {
      // An interactive page copies and saves csv and tsv.
      if option == .formulaGuard, form == .html, arguments.isOn(.interactive) { continue }
      switch Option[option].reach {
      case .forms(let known) where !known.contains(form): throw .foreignForm(option, form, known: known)
      case .displayForms(let known) where form.isDisplay && !known.contains(form):
        throw .foreignForm(option, form, known: known)
      case .everything, .layouts, .displayForms, .forms: continue
      }
    }
  }
}

extension OutputForm {
  /// The form of a name as `--to` takes it, in any case.
  init?(named name: String) {
    guard let word = try? Option[.to].checked(name.lowercased()), let form = OutputForm(rawValue: word) else {
      return nil
    }
    self = form
  }

  /// The form that the suffix of a file indicates, if any.
  init?(suffix: String) {
    switch suffix {
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "md", "markdown": self = .markdown
    case "html", "htm": self = .html
    default: return nil
    }
  }
}
