extension Plan {
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
