#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that was started and is waited for.
///
/// `wait4` gives the time and the memory of this one process. On Linux a child begins with the peak of the
/// process that started it, so no peak below the runner's own can be seen; that is why the runner stays small.
struct Child {
  private let process: pid_t
  private let name: String

  /// Where a standard stream of the child leads.
  enum Stream {
    case null
    case pipe(Int32)
  }

  /// Starts a program; its name is looked up in `PATH`, its standard error is the runner's.
  init(_ command: [String], input: Stream, output: Stream) throws(SystemFailure) {
    name = command.first ?? ""
    var actions = unsafe Actions()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe Self.lead(0, to: input, with: &actions)
    unsafe Self.lead(1, to: output, with: &actions)
    var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
    var variables = unsafe Self.environment.map { unsafe strdup($0) } + [nil]
    defer {
      let texts = unsafe arguments + variables
      for index in unsafe texts.indices { unsafe free(texts[index]) }
    }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, name, &actions, nil, &arguments, &variables)
    guard code == 0 else { throw SystemFailure(call: "start", subject: name, code: code) }
    self.process = process
  }

  /// Waits for the end of the program.
  func wait() throws(SystemFailure) -> (status: Int32, usage: Usage) {
    var status: Int32 = 0
    var usage = rusage()
    while unsafe wait4(process, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw SystemFailure(call: "wait", subject: name) }
    }
    let signal = status & 0x7f
    return (signal == 0 ? (status >> 8) & 0xff : 128 + signal, Usage(usage))
  }

  /// A pipe that no child inherits by accident.
  static func makePipe() throws(SystemFailure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw SystemFailure(call: "pipe", subject: "") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Closes the runner's end of a pipe.
  static func close(_ end: Int32) {
    closeDescriptor(end)
  }

  /// Reads a pipe to its end, piece by piece.
  static func readAll(_ end: Int32, body: ([UInt8]) -> Void) throws(SystemFailure) {
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe read(end, &block, block.count)
      if count == 0 { return }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SystemFailure(call: "read", subject: "pipe") }
      body(count == block.count ? block : Array(block[..<count]))
    }
  }
}

extension Child {
  #if canImport(Glibc)
    private typealias Actions = posix_spawn_file_actions_t
  #else
    private typealias Actions = posix_spawn_file_actions_t?
  #endif

  private static func lead(_ descriptor: Int32, to stream: Stream, with actions: inout Actions) {
    switch stream {
    case .null: unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    case .pipe(let end): unsafe posix_spawn_file_actions_adddup2(&actions, end, descriptor)
    }
  }

  /// The same for every program and every machine but for `PATH` and `HOME`.
  private static let environment =
    ["LC_ALL=C.UTF-8"]
    + ["PATH", "HOME", "TMPDIR"].compactMap { name in System.variable(name).map { "\(name)=\($0)" } }
}

/// `close`, under a name that `Child.close` does not hide.
private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }
