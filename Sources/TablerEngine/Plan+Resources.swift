extension Plan {
  /// Whether all rows must be read before the first is written.
  ///
  /// - Parameter isOpen: whether the columns may still grow (JSON).
  func gathers(isOpen: Bool) -> Bool { lookAhead == .all && gathersWithoutLimit(isOpen: isOpen) }

  /// Whether columns may be added after the first row: no header is written yet, or none at all.
  var mayGrow: Bool { gathers(isOpen: false) || needsAllRows || output.form.isJSON }

  /// Whether rows may be longer than the header and so make columns where there is no header to write.
  private var mayWiden: Bool { input.ragged == .fill && output.form.isJSON }

  /// Whether rows bring keys or columns that are written as they come, without a header.
  func drawsNewKeys(isOpen: Bool) -> Bool { drawsOwnKeys && (isOpen || mayWiden) }

  /// Whether what was read is not to wait for more: rows go out as they come, or the first of them are all.
  func isLive(isOpen: Bool) -> Bool {
    if case .first? = head { return true }
    return !gathers(isOpen: isOpen)
  }

  /// Whether all rows would be read before the first is written if `--lookahead` set no limit.
  func gathersWithoutLimit(isOpen: Bool) -> Bool {
    if isOpen, drawsOwnKeys { return (columns?.hasRanges ?? false) || hidden.hasRanges }
    return switch output.form {
    case .text, .markdown: layout.kind != .detail || (isOpen && (columns?.mayGrow ?? true))
    case .html, .csv, .tsv: isOpen && (columns?.mayGrow ?? true)
    case .json, .jsonl:
      (isOpen || mayWiden)
        && (columns?.hasPatterns == true || hidden.hasPatterns || hidden.hidesAllOthers)
    }
  }

  /// How many rows are looked at before the first is drawn, where not all are.
  ///
  /// Alignment alone takes 100, and so do labels of records with keys of their own; the columns of JSON at least one.
  func rowsLookedAt(isOpen: Bool) -> Int {
    if isOpen, drawsOwnKeys, output.form.isDisplay { return max(lookAhead.limit ?? Self.alignedRows, 1) }
    let count = gathersWithoutLimit(isOpen: isOpen) ? lookAhead.limit ?? 0 : 1
    switch output.form {
    case .html where layout.kind != .detail: return max(count, Self.alignedRows)
    case .markdown where layout.kind != .detail && count == 0: return Self.alignedRows
    case .text, .markdown, .html, .csv, .tsv, .json, .jsonl: return isOpen ? max(count, 1) : count
    }
  }

  /// The rows that settle how columns align where widths are not measured.
  static let alignedRows = 100

  /// Whether JSON records are shown with their own keys in their own order: nobody named columns.
  var keepsOwnKeys: Bool { columns?.entries.allSatisfy(\.isExcluded) ?? true }

  /// Whether all that there is of a JSON record is drawn, whenever its keys turn up.
  var drawsOwnKeys: Bool {
    switch output.form {
    case .text, .markdown, .html: keepsOwnKeys && layout.kind == .detail
    case .json, .jsonl: keepsOwnKeys
    case .csv, .tsv: false
    }
  }

  /// Whether a step must see all rows before the first goes on: order, moves, the end of the table.
  var needsAllRows: Bool { tail != nil || changesOrder }

  /// Whether rows may come out in another order than they came in.
  var changesOrder: Bool { !sortKeys.isEmpty || !moves.isEmpty }

  /// Whether rows may be held without the notes on most of their cells: all are cut alike, and nobody will ask where
  /// one stood in the input.
  var mayBeLean: Bool {
    sources.count == 1 && input.ragged != .fill && moves.isEmpty && layout.hasNoTemplates
  }

  /// Whether rows that are sorted may not know where they stood in the input.
  var forgetsPlaces: Bool { mayBeLean && !sortKeys.isEmpty }

  /// Whether the columns shown are known before the first row: neither new keys nor longer rows can add one.
  func knowsColumns(isOpen: Bool) -> Bool {
    if !isOpen, input.ragged != .fill { return true }
    if case .columns(let names)? = layout.rowNames, names.mayGrow { return false }
    return !(columns?.mayGrow ?? true)
  }

  /// Whether options name columns that `patterns` may be among: a look without lists.
  var hasPatterns: Bool { columns != nil || !hidden.entries.isEmpty || layout.rowNames != nil }

  /// The patterns over names of columns, with the options they stand in, that have an effect.
  var patterns: [(option: String, text: String)] {
    var lists: [(String, ColumnList?)] = [("--columns", columns), ("--hide", hidden)]
    if output.form.isDisplay, case .columns(let names)? = layout.rowNames {
      lists.append(("--row-names", names))
    }
    return lists.flatMap { option, list in
      (list?.entries ?? []).compactMap { entry in
        if case .glob(let text) = entry.item { (option, text) } else { nil }
      }
    }
  }

  /// The marks that numbers in cells are written with.
  var marks: NumberMarks {
    NumberMarks(decimal: input.decimalMark, thousands: input.thousandsMark) ?? .standard
  }

  /// Where the table goes.
  func openOutput() throws(Failure) -> OutputFile {
    let file: OutputFile
    do {
      file = if let path = output.path { try OutputFile(replacing: path) } else { OutputFile() }
    } catch {
      throw .output(error)
    }
    for source in sources where file.isFed(by: source.path) {
      throw .input(.system(SystemError(.readOutput, path: source.path, code: 0)))
    }
    return file
  }
}

extension LayoutOptions {
  /// Whether nothing that is shown is made by a template.
  fileprivate var hasNoTemplates: Bool {
    if case .template? = rowNames { return false }
    let hasFooterTemplates = footers.contains { if case .templates = $0 { true } else { false } }
    return formats.isEmpty && cardTitle == nil && !hasFooterTemplates
  }
}

extension ColumnList {
  /// Whether ranges or globs are in the list, whose columns are known at the end only.
  fileprivate var hasPatterns: Bool {
    entries.contains { if case .column = $0.item { false } else { true } }
  }

  /// Whether ranges are in the list, whose ends may come late.
  fileprivate var hasRanges: Bool {
    entries.contains { if case .range = $0.item { true } else { false } }
  }

  /// Whether the list is of `!` items only, as in `--hide '!name'`.
  fileprivate var hidesAllOthers: Bool { !entries.isEmpty && entries.allSatisfy(\.isExcluded) }

  /// Whether columns that come later may belong to the list.
  fileprivate var mayGrow: Bool {
    entries.allSatisfy(\.isExcluded)
      || entries.contains { entry in
        if case .column = entry.item { return false }
        return !entry.isExcluded
      }
  }
}

extension Source {
  /// The file, or `nil` for the standard input.
  var path: FilePath? {
    switch self {
    case .standardInput: nil
    case .file(let path): path
    }
  }

  /// Whether it can be read only once.
  var isStream: Bool { path.map { Descriptor.isStream($0) } ?? true }

  /// The name that `filename()` gives.
  var name: String { path?.text ?? "<stdin>" }

  /// Opens the source.
  func open() throws(SystemError) -> ByteSource {
    switch self {
    case .standardInput: ByteSource(Descriptor.standardInput)
    case .file(let path): ByteSource(try Descriptor(reading: path))
    }
  }
}
