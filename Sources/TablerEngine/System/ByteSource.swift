/// The source of the bytes of one input: a descriptor, a program, or memory in tests.
final class ByteSource {
  private enum Supply {
    case descriptor(Descriptor)
    case pipe(FilePath)
    case program(ChildProcess, ProgramRun)
    case unpacker(ChildProcess, Unpacker, Descriptor)
    case follower(ChildProcess)
    case memory([UInt8])
  }

  private var supply: Supply

  /// The maximum number of bytes delivered at once; small in tests, so that every boundary is crossed.
  private let chunk: Int

  /// The maximum number of bytes delivered at once, in a repeated sequence, each before a pause; empty for a
  /// source that does not pause.
  private let portions: [Int]
  private var portionCount = 0

  /// The number of bytes delivered so far, if they do not come from a descriptor.
  private var position = 0

  /// Whether the end has been reached.
  private(set) var isAtEnd = false

  /// Creates a source that reads a descriptor.
  init(_ descriptor: Descriptor, chunk: Int = .max) {
    supply = .descriptor(descriptor)
    self.chunk = chunk
    portions = []
  }

  /// Creates a source that opens a named pipe when it is read, and waits for its writer only then.
  init(pipe path: FilePath) {
    supply = .pipe(path)
    chunk = .max
    portions = []
  }

  /// Creates a source that reads what a program writes.
  init(_ process: ChildProcess, of run: ProgramRun) {
    supply = .program(process, run)
    chunk = .max
    portions = []
  }

  /// Creates a source that reads a compressed file through a program.
  init(_ process: ChildProcess, _ unpacker: Unpacker, of file: Descriptor) {
    supply = .unpacker(process, unpacker, file)
    chunk = .max
    portions = []
  }

  /// Creates a source that reads a file through a program that follows it.
  init(following process: ChildProcess) {
    supply = .follower(process)
    chunk = .max
    portions = []
  }

  /// Creates a source that delivers `bytes`.
  init(bytes: [UInt8], chunk: Int = .max) {
    supply = .memory(bytes)
    self.chunk = chunk
    portions = []
  }

  /// Creates a source that delivers `bytes` in portions of these sizes, repeatedly, and pauses after each.
  init(bytes: [UInt8], pausingAfter portions: [Int]) {
    supply = .memory(bytes)
    chunk = .max
    self.portions = portions
  }

  /// Appends the available bytes to `builder`, as many as fit and at most `limit`; waits for the first.
  ///
  /// - Returns: the number of bytes; 0 at the end or if `builder` is full.
  /// - Throws: also `answer` or `unpack` if a program has not ended well: all that it wrote may be a part.
  func read(into builder: inout ByteBlock.Builder, atMost limit: Int = .max) throws(SystemError) -> Int {
    guard !isAtEnd, builder.room > 0 else { return 0 }
    let count: Int
    switch supply {
    case .descriptor(let descriptor):
      count = try descriptor.read(into: &builder, atMost: min(chunk, limit))
    case .pipe(let path):
      supply = .descriptor(try Descriptor(reading: path))
      return try read(into: &builder, atMost: limit)
    case .program(let process, let run):
      count = try process.read(into: &builder, atMost: limit)
      if count == 0 {
        try run.check(process.finish(), hasWritten: position > 0)
        if position == 0, let output = run.emptyOutput {
          supply = .memory(output)
          return try read(into: &builder, atMost: limit)
        }
      }
      position += count
    case .unpacker(let process, let unpacker, let file):
      count = try process.read(into: &builder, atMost: limit)
      if count == 0 { try unpacker.check(process.finish(), of: file) }
    case .follower(let process):
      count = try process.read(into: &builder, atMost: limit)
      // An interrupt is for both.
      if count == 0, case let end = process.finish(), end != .killed(SIGINT) {
        throw SystemError(.answer, path: "tail", code: end.code)
      }
    case .memory(let bytes):
      let portion = portions.isEmpty ? chunk : portions[portionCount % portions.count]
      portionCount += 1
      count = min(portion, limit, builder.room, bytes.count - position)
      builder.append(bytes.span.extracting(position..<position + count))
      position += count
    }
    if count == 0 { isAtEnd = true }
    return count
  }

  /// The place where reading continues, if the bytes can be read again.
  var place: StoredPlace? {
    if case .descriptor(let descriptor) = supply { descriptor.place } else { nil }
  }

  /// Whether more bytes, or the end, are available at once or within `milliseconds`.
  func isReady(within milliseconds: Int = 0) -> Bool {
    switch supply {
    case .descriptor(let descriptor): descriptor.isReady(within: milliseconds)
    case .program(let process, _), .unpacker(let process, _, _), .follower(let process):
      process.isReady(within: milliseconds)
    case .memory: portions.isEmpty
    // Whether it has a writer is known only once it is open.
    case .pipe: false
    }
  }
}
