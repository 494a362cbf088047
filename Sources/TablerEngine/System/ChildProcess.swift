/// Another program that runs beside this one, in the same process group and on the same terminal.
@safe
final class ChildProcess: @unchecked Sendable {
  // Why it may be shared: one thread writes, reads and closes the pipe, whose number does not change; how the
  // program ended is protected by a lock.

  /// How a program ended.
  enum End: Equatable {
    /// With this status.
    case exited(Int32)
    /// By this signal.
    case killed(Int32)

    /// The status, or the signal as a negative number.
    var code: Int32 {
      switch self {
      case .exited(let status): status
      case .killed(let signal): -signal
      }
    }

    /// The reason in a few words.
    var reason: String {
      switch self {
      case .exited(let status): "it ended with status \(status)"
      case .killed(let signal): "it ended by signal \(signal)"
      }
    }
  }

  /// The use of the standard streams of a program.
  enum Streams: Equatable {
    /// It reads what is written here; its output goes to the same place as ours.
    case reads
    /// Its output is read here; it has no input, and its errors are discarded.
    case writes
    /// The same, and if this program ends, the other one is ended.
    case follows
    /// Its output is read here; it reads an open file, perhaps a question in another one before, and its errors go to the
    /// same place as ours. If this program ends, the other one is ended.
    case answers(to: Int32, after: Int32? = nil)
    /// Its output is read here; it reads an open file, and its errors go to the same place as ours.
    case unpacks(Int32)
  }

  private let identifier: pid_t

  /// The descriptor from which a program reads a question before its input: no script of Spark uses it.
  static let questionNumber: Int32 = 7

  /// The number of our end of the pipe.
  let pipeNumber: Int32

  /// Our end of the pipe, until it is closed.
  private var ours: Descriptor?

  /// How it ended, and after how many milliseconds.
  private let end = Monitor<(end: End, age: Int)?>(nil)

  private let startTime = Process.milliseconds

  /// The status of a program of which the system does not tell how it ended.
  private static let unknownStatus: Int32 = 255

  /// A program that ends unsuccessfully within this many milliseconds has shown nothing.
  private static let shortestUse = 1000

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: its path.
  ///   - words: the name that it is called by, and its arguments.
  ///   - variables: changes of its environment relative to ours; `nil` removes a variable.
  /// - Throws: `open` with the reason it cannot be started.
  init(
    _ program: FilePath, _ words: [FilePath], _ streams: Streams,
    variables: [(name: String, value: String?)] = []
  ) throws(SystemError) {
    // If it is ignored, nobody learns how a program ended.
    _ = signal(SIGCHLD, SIG_DFL)
    let ends = try Self.openPipe()
    let (ours, theirs) = streams == .reads ? (ends.writing, ends.reading) : (ends.reading, ends.writing)
    var actions = unsafe SpawnActions()
    _ = unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, theirs, streams == .reads ? 0 : 1)
    switch streams {
    case .reads: break
    case .writes, .follows:
      unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    case .answers(let input, let question):
      unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
      if let question { unsafe posix_spawn_file_actions_adddup2(&actions, question, Self.questionNumber) }
    case .unpacks(let file):
      unsafe posix_spawn_file_actions_adddup2(&actions, file, 0)
    }
    var attributes = SpawnAttributes()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // A signal that is ignored here must not be ignored there; but one that this program was told to ignore is not meant
    // for a program that answers it either.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    var numbers = SignalsAtRest.numbers
    if case .answers = streams { numbers = [SIGPIPE] }
    for number in numbers { unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    // Nor may one that is blocked here be blocked there.
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    var (leadsGroup, endsWithUs) = (false, streams == .follows)
    if case .answers = streams { endsWithUs = true }
    if case .answers = streams, !Process.hasTerminal {
      // A client may be a script, whose programs are ended with it. In a terminal they are interrupted along with this
      // program, and may ask for a password there.
      leadsGroup = true
      flags |= POSIX_SPAWN_SETPGROUP
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
    }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var process = pid_t()
    let status = Interruption.starting {
      let status = unsafe Self.withVector(of: words.map(\.bytes)) { arguments in
        unsafe Self.withVector(of: Self.environment(changedBy: variables)) { environment in
          unsafe program.withCString {
            unsafe posix_spawn(&process, $0, &actions, &attributes, arguments, environment)
          }
        }
      }
      if status == 0, endsWithUs {
        Interruption.endsProgram(process, writingTo: ours, leadsGroup: leadsGroup)
      }
      return status
    }
    _ = close(theirs)
    guard status == 0 else {
      _ = close(ours)
      throw SystemError(.open, path: program, code: status)
    }
    identifier = process
    pipeNumber = ours
    self.ours = Descriptor(number: ours, path: nil, closesAtEnd: true)
  }

  /// Writes what the program reads.
  func write(_ bytes: Span<UInt8>) throws(SystemError) { try ours?.write(bytes) }

  /// Reads the first output of the program, at most `limit` bytes of it.
  func read(atMost limit: Int) throws(SystemError) -> String {
    var builder = ByteBlock.Builder(capacity: limit)
    while builder.room > 0, let ours, try ours.read(into: &builder, atMost: limit) > 0 {}
    return String(decoding: Array(builder.finish().span), as: UTF8.self)
  }

  /// Appends output of the program to `builder`, as much as there is, and at most `limit` bytes; waits for the first.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  func read(into builder: inout ByteBlock.Builder, atMost limit: Int) throws(SystemError) -> Int {
    try ours?.read(into: &builder, atMost: limit) ?? 0
  }

  /// Whether output of the program, or its end, is there at once or within `milliseconds`.
  func isReady(within milliseconds: Int) -> Bool { ours?.isReady(within: milliseconds) ?? true }

  /// Closes our end of the pipe and waits for the end of the program.
  func finish() -> End {
    ours = nil
    return wait(0)?.end ?? .exited(0)
  }

  /// Whether the program has ended; one that has closed its end of the pipe is about to.
  var hasEnded: Bool { wait(isRead ? WNOHANG : 0) != nil }

  /// Whether the other end of the pipe is open.
  private var isRead: Bool {
    guard let ours else { return false }
    var request = pollfd(fd: ours.number, events: 0, revents: 0)
    return unsafe poll(&request, 1, 0) <= 0
  }

  /// Waits for the end of a program that no longer reads.
  ///
  /// - Returns: whether it ended so soon and in such a way that its input was not seen. An interrupt is no
  ///   failure: it comes from a user who has seen enough.
  var hasFailed: Bool {
    guard let (end, age) = wait(0) else { return false }
    return end != .exited(0) && end != .killed(SIGINT) && age < Self.shortestUse
  }

  private func wait(_ options: Int32) -> (end: End, age: Int)? {
    end.access { end in
      if let end { return end }
      var status: Int32 = 0
      while true {
        // Until it is asked how it ended, its number is that of no other program.
        var info = unsafe siginfo_t()
        let isKnown = unsafe waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT | options)
        if isKnown < 0, errno == EINTR { continue }
        if isKnown == 0, unsafe info.si_signo == 0 { return nil }
        Interruption.forgetProgram(identifier)
        let answer = unsafe waitpid(identifier, &status, 0)
        if answer < 0, errno == EINTR { continue }
        // The low seven bits are the signal, the next eight the status (wait(2)).
        let found: End =
          answer < 0
          ? .exited(Self.unknownStatus)
          : status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
        end = (found, Process.milliseconds - startTime)
        return end
      }
    }
  }
}

extension ChildProcess {
  /// Opens a pipe whose ends no other program inherits.
  static func openPipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw SystemError(.open, path: nil, code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Our environment, each variable as `name=value`, with some changes.
  private static func environment(changedBy changes: [(name: String, value: String?)]) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      // SAFETY: the environment is an array of strings that ends with a null pointer; nothing changes it.
      let bytes = unsafe FilePath(cString: entry).bytes
      if !changes.contains(where: { bytes.starts(with: ($0.name + "=").utf8) }) { result.append(bytes) }
      unsafe next += 1
    }
    return result + changes.compactMap { change in change.value.map { Array("\(change.name)=\($0)".utf8) } }
  }

  /// Calls `body` with an array of strings that ends with a null pointer.
  private static func withVector<Result>(
    of words: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var vector = unsafe words.map { word in
      unsafe FilePath(word).withCString { unsafe strdup($0) }
    }
    unsafe vector.append(nil)
    // SAFETY: each string is a copy that lives until `body` has returned.
    defer {
      for index in unsafe vector.indices { unsafe free(vector[index]) }
    }
    return unsafe body(vector)
  }
}

/// A program whose output is read, and what it reads.
public struct ProgramRun: Equatable, Sendable {
  /// Its name or path, and its arguments.
  public let words: [String]

  /// What it reads.
  public let input: String

  /// Variables of its environment besides ours.
  let variables: [String: String]

  /// What stands for an output without a byte; `nil` if there must be one.
  let emptyOutput: [UInt8]?

  /// The program, if it has been started and waits for what it reads.
  var waiting: WaitingProgram?

  /// Describes a run.
  init(
    _ words: [String], reading input: String, variables: [String: String] = [:], emptyOutput: [UInt8]? = nil
  ) {
    self.words = words
    self.input = input
    self.variables = variables
    self.emptyOutput = emptyOutput
  }

  /// The name of the program without its folder.
  public var name: String { FilePath(words[0]).name.text }

  /// Starts the program.
  ///
  /// It reads a file without a name, not a pipe: it may write before it has read all, and open the file once more.
  func start() throws(SystemError) -> ChildProcess {
    if let process = waiting?.process(reading: input) { return process }
    let file = try inputFile()
    return try start(.answers(to: file.number))
  }

  /// Starts the program, which reads first what it is to read, and then an open pipe.
  func start(before pipe: Int32) throws(SystemError) -> ChildProcess {
    let file = try inputFile()
    return try start(.answers(to: pipe, after: file.number))
  }

  /// A file of what it reads.
  private func inputFile() throws(SystemError) -> SpillFile {
    let file = try SpillFile()
    try file.append(Array(input.utf8).span)
    return file
  }

  private func start(_ streams: ChildProcess.Streams) throws(SystemError) -> ChildProcess {
    guard let program = FilePath(program: words[0]) else {
      let isThere = words[0].contains("/") && Descriptor.status(ofFile: FilePath(words[0])) != nil
      throw SystemError(.start, path: FilePath(words[0]), code: isThere ? EACCES : ENOENT)
    }
    do {
      return try ChildProcess(
        program, words.map { FilePath($0) }, streams, variables: variables.map { ($0.key, $0.value) })
    } catch {
      throw SystemError(.start, path: program, code: error.code)
    }
  }

  /// Throws `answer` unless a program ended well, and wrote something if it must.
  func check(_ end: ChildProcess.End, hasWritten: Bool) throws(SystemError) {
    if end.code != 0 || !hasWritten && emptyOutput == nil {
      throw SystemError(.answer, path: FilePath(name), code: end.code)
    }
  }
}

/// The signals that do not end this program while another one has the terminal: they are meant for that one.
@safe
struct SignalsAtRest: @unchecked Sendable {
  // Why it may be shared: it is a record of the system's settings, and never changes.

  /// Interrupts from the keyboard, and the signal of a closed pipe, which a failing write reports as well.
  static let numbers = [SIGINT, SIGQUIT, SIGPIPE]

  private let ignored: [Int32]
  private var before: [sigaction] = []

  /// Ignores signals from now on.
  init(_ numbers: [Int32] = SignalsAtRest.numbers) {
    ignored = numbers
    for number in numbers {
      var action = sigaction()
      _ = unsafe sigaction(number, nil, &action)
      before.append(action)
      _ = signal(number, SIG_IGN)
    }
  }

  /// Restores what the signals did before.
  func end() {
    for (number, action) in zip(ignored, before) {
      var action = action
      _ = unsafe sigaction(number, &action, nil)
    }
  }
}
