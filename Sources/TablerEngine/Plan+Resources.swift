extension Plan {
  /// Whether all rows must be read before the first is written.
  ///
  /// - Parameter isOpen: whether the columns may still grow (JSON).
  func gathers(isOpen: Bool) -> Bool {
    switch output.form {
    case .text, .markdown: layout.kind != .detail || (isOpen && (columns?.mayGrow ?? true))
    case .html, .csv, .tsv: isOpen && (columns?.mayGrow ?? true)
    case .json, .jsonl: false
    }
  }

  /// The marks that numbers in cells are written with.
  var marks: NumberMarks {
    NumberMarks(decimal: input.decimalMark, thousands: input.thousandsMark) ?? .standard
  }

  /// Where the table goes.
  func openOutput() throws(Failure) -> OutputFile {
    guard let path = output.path else { return OutputFile() }
    do { return try OutputFile(replacing: path) } catch { throw .output(error) }
  }
}

extension ColumnList {
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
  var path: String? {
    switch self {
    case .standardInput: nil
    case .file(let path): path
    }
  }

  /// The name that `filename()` gives.
  var name: String { path ?? "<stdin>" }

  /// Opens the source.
  func open() throws(SystemError) -> ByteSource {
    switch self {
    case .standardInput: ByteSource(Descriptor.standardInput)
    case .file(let path): ByteSource(try Descriptor(reading: path))
    }
  }
}
