#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A call to the system that failed.
struct SystemFailure: Error {
  var call: String
  var subject: String
  var code = errno

  var reason: String { unsafe String(cString: strerror(code)) }
}

/// Clock, files and the runner's own memory.
enum System {
  /// Seconds of a clock that never goes back.
  static var seconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// A new folder for temporary files.
  static func makeTemporaryFolder() throws(SystemFailure) -> String {
    let parent = variable("TMPDIR") ?? "/tmp"
    var template = Array((parent + "/tabler-benchmarks-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw SystemFailure(call: "mkdtemp", subject: parent) }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Makes a folder where there is none yet.
  static func makeFolder(_ path: String) throws(SystemFailure) {
    guard unsafe mkdir(path, 0o755) == 0 || errno == EEXIST else {
      throw SystemFailure(call: "mkdir", subject: path)
    }
  }

  /// Removes a file or an empty folder; what is gone already is fine.
  static func remove(_ path: String) {
    _ = removeEntry(path)
  }

  /// Whether a program stands at this path.
  static func isProgram(_ path: String) -> Bool {
    unsafe access(path, X_OK) == 0
  }

  /// Whether a file is there.
  static func isFile(_ path: String) -> Bool {
    unsafe access(path, R_OK) == 0
  }

  /// The size of a file in bytes, 0 where there is none.
  static func size(of path: String) -> Int {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// What a file holds.
  static func text(of path: String) throws(SystemFailure) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure(call: "open", subject: path) }
    defer { Child.close(descriptor) }
    var bytes: [UInt8] = []
    try Child.readAll(descriptor) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A variable of the environment.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Prints a line at once, as the next may take a while.
  static func print(_ text: String) {
    Swift.print(text)
    fflush(nil)
  }

  /// Says something on the standard error.
  static func complain(_ text: String) {
    let bytes = Array(("Benchmarks: " + text + "\n").utf8)
    _ = sendBytes(2, bytes, bytes.count)
  }

  /// Ends the runner.
  static func exit(_ status: Int32) -> Never {
    leave(status)
  }

  /// The most memory the runner itself has held, in bytes.
  static var ownPeak: Int {
    var usage = rusage()
    unsafe getrusage(ownUsage, &usage)
    return Usage(usage).peak
  }
}

#if canImport(Glibc)
  private let ownUsage = __rusage_who_t(RUSAGE_SELF.rawValue)
#else
  private let ownUsage = RUSAGE_SELF
#endif

// Names of the C library that members hide.
private func leave(_ status: Int32) -> Never { exit(status) }
private func removeEntry(_ path: String) -> Int32 { unsafe remove(path) }
private func sendBytes(_ descriptor: Int32, _ bytes: [UInt8], _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
