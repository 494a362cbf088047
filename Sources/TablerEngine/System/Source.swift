/// Where rows come from.
public enum Source: Equatable, Sendable {
  /// The standard input.
  case standardInput

  /// A file by its path.
  case file(FilePath)
}

extension Source {
  /// The file, or `nil` for the standard input.
  var path: FilePath? {
    switch self {
    case .standardInput: nil
    case .file(let path): path
    }
  }

  /// The source of the records of `--add`, which are in no file: their lines in messages and expressions.
  static let additions = Source.file(FilePath("--add"))

  /// Whether it can be read only once.
  var isStream: Bool { path.map { Descriptor.isStream($0) } ?? true }

  /// The total size of some sources; 0 if one of them is not a regular file.
  static func size(ofAll sources: [Source]) -> Int {
    var sum = 0
    for source in sources {
      guard let size = source.path.flatMap({ Descriptor.size(ofFile: $0) }) else { return 0 }
      sum += size
    }
    return sum
  }

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
