/// Where rows come from.
public enum Source: Equatable, Sendable {
  /// The standard input.
  case standardInput

  /// A file by its path.
  case file(FilePath)

  /// A file by its path that is read on at its end, also when another one takes its place.
  case followed(FilePath)

  /// What a program writes.
  case program(ProgramRun)
}

extension Source {
  /// The file, or what stands for it in messages: the name of a program; `nil` for the standard input.
  var path: FilePath? {
    switch self {
    case .standardInput: nil
    case .file(let path), .followed(let path): path
    case .program(let run): FilePath(run.name)
    }
  }

  /// The source of the records of `--add`, which are in no file: their lines in messages and expressions.
  static let additions = Source.file(FilePath("--add"))

  /// Whether it can be read only once.
  var isStream: Bool {
    if case .file(let path) = self { Descriptor.isStream(path) } else { true }
  }

  /// Whether to open the file would wait for the writer of a named pipe.
  private static func isOpenedLate(_ path: FilePath) -> Bool {
    !Shortcuts.opensPipesWithoutWriter && Descriptor.isNamedPipe(path)
  }

  /// Opens a file; one that is compressed is read through the program of its format.
  private static func open(_ file: Descriptor) throws(SystemError) -> ByteSource {
    guard let unpacker = Unpacker(of: file) else { return ByteSource(file) }
    return ByteSource(try unpacker.start(on: file), unpacker, of: file)
  }

  /// Opens a file that is read on at its end by `tail`, which knows how; others as ever: those without an end, compressed ones,
  /// and names of open files, which mean others there.
  private static func follow(_ path: FilePath) throws(SystemError) -> ByteSource {
    let file = try Descriptor(reading: path)
    let isOfProcess = ["/dev/", "/proc/"].contains { path.bytes.starts(with: $0.utf8) }
    guard file.isRegularFile, !isOfProcess, Unpacker(of: file) == nil else { return try open(file) }
    guard let program = FilePath(program: "tail") else {
      throw SystemError(.start, path: "tail", code: ENOENT)
    }
    do {
      let words: [FilePath] = ["tail", "-n", "+1", "-F", "--", path]
      return ByteSource(following: try ChildProcess(program, words, .follows))
    } catch { throw SystemError(.start, path: program, code: error.code) }
  }

  /// The total size of some sources; 0 if one of them is not a regular file, or is compressed.
  static func size(ofAll sources: [Source]) -> Int {
    var sum = 0
    for source in sources {
      guard case .file(let path) = source, let size = Descriptor.size(ofFile: path),
        Unpacker(ofFile: path) == nil
      else { return 0 }
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
    case .file(let path) where Self.isOpenedLate(path): ByteSource(pipe: path)
    case .followed(let path) where Self.isOpenedLate(path): ByteSource(pipe: path)
    case .file(let path): try Self.open(Descriptor(reading: path))
    case .followed(let path): try Self.follow(path)
    case .program(let run): ByteSource(try run.start(), of: run)
    }
  }
}
