extension Plan {
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
