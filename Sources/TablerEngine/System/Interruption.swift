import Synchronization

/// The actions when a signal ends the program: temporary files are removed, pending messages are written,
/// then the signal does what it always does.
///
/// Signals that were ignored at the start, as `nohup` ignores SIGHUP, stay ignored.
@safe
enum Interruption {
  /// The signals that end a program and leave it time to clean up.
  private static let signals = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
    SIGPIPE,
  ]

  /// A temporary file in the list of those to remove.
  @safe
  private struct Entry {
    let path: UnsafeMutablePointer<CChar>
    let next: UnsafeMutablePointer<Entry>?
  }

  /// The first of the temporary files to remove.
  ///
  /// The list is always consistent: it changes in one step, and its entries do not change. An entry that was
  /// removed is not freed: a few bytes for each file written are better than what could go wrong.
  // SAFETY: an atomic pointer may be shared; it is not `Sendable` because what it points at may change, but
  // here it does not.
  private nonisolated(unsafe) static let entries = unsafe Atomic<UnsafeMutablePointer<Entry>?>(nil)

  /// The descriptor of the file that is cut, and its size then; -1 if there is none.
  private static let cutNumber = Atomic<Int32>(-1)
  private static let cutSize = Atomic<Int64>(-1)

  /// The program that is ended, too, whether with all of its group, and our end of its pipe; 0 and -1 if there is none.
  private static let program = Atomic<Int32>(0)
  private static let hasGroup = Atomic(false)

  /// Whether another thread starts a program just now.
  private static let isStarting = Atomic(false)
  private static let pipe = Atomic<Int32>(-1)

  /// The milliseconds that a program gets to end after a signal.
  private static let patience: Int32 = 2000

  // SAFETY: only the first thread handles the signals, and it blocks them while it changes this.
  private nonisolated(unsafe) static var words = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

  /// Catches the signals, once: without a file to remove they do what they did before.
  private static let catchesSignals: Void = {
    for number in signals {
      let isAnswered = unsafe Progress.answersSignal
      if isIgnored(number) || number == SIGUSR1 && isAnswered { continue }
      _ = signal(number) { number in
        Interruption.removeAll()
        Interruption.endProgram()
        Progress.eraseNow()
        let words = unsafe Interruption.words
        if words.count > 0, number != SIGPIPE { _ = unsafe write(2, words.baseAddress, words.count) }
        _ = signal(number, SIG_DFL)
        Interruption.release(number)
        _ = raise(number)
        // The system does not end the first process of a container.
        _exit(128 + number)
      }
    }
  }()

  /// Whether a signal is ignored, as with `nohup`.
  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    return unsafe sigaction(number, nil, &action) != 0 || action.isIgnored
  }

  /// Catches the signals if this is the first process of a container, which they would not end.
  static func catchAsFirstProcess() {
    if getpid() == 1 { catchSignals() }
  }

  /// Catches the signals, so that the screen is cleaned up as well.
  static func catchSignals() { catchesSignals }

  /// Runs `body`, which opens a new file at `path`, and removes that file if a signal comes later.
  ///
  /// Signals that come while `body` runs wait for its end.
  ///
  /// - Returns: the descriptor that `body` opened; if it is negative there is nothing to remove.
  static func removing(_ path: FilePath, openedBy body: () -> Int32) -> Int32 {
    catchesSignals
    return holding {
      let number = body()
      guard number >= 0 else { return number }
      guard let copy = unsafe path.withCString({ unsafe strdup($0) }) else { Memory.fail() }
      unsafe change { unsafe list(copy, before: $0) }
      return number
    }
  }

  /// Cuts an open file to a size if a signal comes later.
  static func cuts(_ number: Int32, to size: off_t) {
    catchesSignals
    cutSize.store(Int64(size), ordering: .relaxed)
    cutNumber.store(number, ordering: .releasing)
  }

  /// Cuts no file if a signal comes later.
  static func cutsNothing() { cutNumber.store(-1, ordering: .relaxed) }

  /// Runs `body`, which starts a program; a signal that comes meanwhile waits for its end, on whatever thread it is.
  ///
  /// On this thread none comes: it would wait for itself.
  static func starting<T>(_ body: () -> T) -> T {
    holding {
      isStarting.store(true, ordering: .releasing)
      defer { isStarting.store(false, ordering: .releasing) }
      return body()
    }
  }

  /// Ends a program if this one ends before it: what it asks for may be computed on other machines.
  ///
  /// - Parameters:
  ///   - end: our end of the pipe that it writes to.
  ///   - leadsGroup: whether the programs that it starts are of its process group, and ended with it.
  static func endsProgram(_ number: Int32, writingTo end: Int32, leadsGroup: Bool) {
    catchesSignals
    pipe.store(end, ordering: .relaxed)
    hasGroup.store(leadsGroup, ordering: .relaxed)
    program.store(number, ordering: .releasing)
  }

  /// Forgets a program, which has ended.
  static func forgetProgram(_ number: Int32) {
    _ = program.compareExchange(expected: number, desired: 0, ordering: .relaxed)
  }

  /// Ends the program now if there is one: by INT, on which clients cancel what they asked for, then by TERM, at last by
  /// KILL; safe in a signal handler.
  static func endProgram() {
    var rounds = patience / 10
    while isStarting.load(ordering: .acquiring), rounds > 0 {
      _ = poll(nil, 0, 10)
      rounds -= 1
    }
    let number = program.exchange(0, ordering: .acquiring)
    guard number > 0 else { return }
    // One that waits to write must not go on waiting.
    _ = close(pipe.load(ordering: .relaxed))
    let leadsGroup = hasGroup.load(ordering: .relaxed)
    let target = leadsGroup ? -number : number
    if ends(number, by: SIGINT, to: target) {
      // What it has started may not have heard of it.
      if leadsGroup { _ = kill(target, SIGTERM) }
      return
    }
    if ends(number, by: SIGTERM, to: target) { return }
    _ = kill(target, SIGKILL)
  }

  /// Whether a program ends in time by a signal to it, or to its group.
  private static func ends(_ number: Int32, by signal: Int32, to target: Int32) -> Bool {
    if kill(target, signal) != 0 { return true }
    for _ in 0..<(patience / 10) {
      if hasEnded(number) { return true }
      _ = poll(nil, 0, 10)
    }
    return false
  }

  /// Whether a program has ended; how it did can still be learned.
  private static func hasEnded(_ number: Int32) -> Bool {
    var info = unsafe siginfo_t()
    let answer = unsafe waitid(P_PID, id_t(number), &info, WEXITED | WNOHANG | WNOWAIT)
    return unsafe answer != 0 || info.si_signo != 0
  }

  /// Removes the files of the list, and cuts the one to be cut; safe in a signal handler.
  private static func removeAll() {
    let number = cutNumber.load(ordering: .acquiring)
    if number >= 0 {
      let size = off_t(cutSize.load(ordering: .relaxed))
      _ = ftruncate(number, size)
      _ = lseek(number, size, SEEK_SET)
    }
    // SAFETY: entries are complete before they are in the list, and do not change.
    var entry = unsafe entries.load(ordering: .acquiring)
    while let file = unsafe entry {
      _ = unsafe unlink(file.pointee.path)
      unsafe entry = file.pointee.next
    }
  }

  /// Ends the program if nothing else can be done, not even memory allocated: files of the list are removed.
  static func end(status: Int32, saying text: StaticString) -> Never {
    removeAll()
    endProgram()
    Progress.eraseNow()
    text.withUTF8Buffer { _ = unsafe write(2, $0.baseAddress, $0.count) }
    _exit(status)
  }

  /// Removes a file of the list now.
  static func remove(_ path: FilePath) {
    _ = unsafe path.withCString { unsafe unlink($0) }
    forget(path)
  }

  /// Removes a file from the list, without deleting it.
  static func forget(_ path: FilePath) {
    holding {
      unsafe change { first in
        var kept: UnsafeMutablePointer<Entry>?
        var entry = unsafe first
        // SAFETY: as in `removeAll`.
        while let file = unsafe entry {
          if unsafe FilePath(cString: file.pointee.path) != path {
            unsafe kept = list(file.pointee.path, before: kept)
          }
          unsafe entry = file.pointee.next
        }
        return unsafe kept
      }
    }
  }

  /// The list with the file at `path` in front.
  @unsafe
  private static func list(
    _ path: UnsafeMutablePointer<CChar>, before next: UnsafeMutablePointer<Entry>?
  ) -> UnsafeMutablePointer<Entry> {
    let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    unsafe entry.initialize(to: Entry(path: path, next: next))
    return unsafe entry
  }

  /// Replaces the list by another one; computes that again if another thread has replaced it meanwhile.
  @unsafe
  private static func change(_ body: (UnsafeMutablePointer<Entry>?) -> UnsafeMutablePointer<Entry>?) {
    var first = unsafe entries.load(ordering: .acquiring)
    while true {
      let (isDone, found) = unsafe entries.compareExchange(
        expected: first, desired: body(first), ordering: .acquiringAndReleasing)
      if isDone { return }
      unsafe first = found
    }
  }

  /// Writes `text` to the standard error if a signal comes later; only the first thread may call it.
  static func says(_ text: [UInt8]) {
    if text.isEmpty, unsafe words.isEmpty { return }
    catchesSignals
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
    for index in text.indices { unsafe copy[index] = text[index] }
    holding {
      unsafe words.deallocate()
      unsafe words = UnsafeRawBufferPointer(copy)
    }
  }

  /// Runs `body`; signals that come meanwhile wait for its end.
  static func holding<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
    let mask = holdSignals()
    defer { releaseSignals(mask) }
    return try body()
  }

  /// Blocks or unblocks the signals by which a user ends a program.
  static func hold(_ holds: Bool) {
    var asked = sigset_t()
    _ = unsafe sigemptyset(&asked)
    for number in [SIGINT, SIGTERM, SIGHUP] { _ = unsafe sigaddset(&asked, number) }
    _ = unsafe pthread_sigmask(holds ? SIG_BLOCK : SIG_UNBLOCK, &asked, nil)
  }

  /// Blocks all signals on this thread from now on, so that a thread that blocks none receives them.
  static func leaveSignalsToOthers() {
    var all = sigset_t()
    _ = unsafe sigfillset(&all)
    _ = unsafe pthread_sigmask(SIG_SETMASK, &all, nil)
  }

  /// Blocks the signals.
  ///
  /// - Returns: the mask of signals that were blocked before.
  private static func holdSignals() -> sigset_t {
    var held = sigset_t()
    var before = sigset_t()
    _ = unsafe sigemptyset(&held)
    for number in signals { _ = unsafe sigaddset(&held, number) }
    _ = unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    return before
  }

  /// Unblocks a signal while it is handled; safe in a signal handler.
  private static func release(_ number: Int32) {
    var released = sigset_t()
    _ = unsafe sigemptyset(&released)
    _ = unsafe sigaddset(&released, number)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &released, nil)
  }

  private static func releaseSignals(_ mask: sigset_t) {
    var mask = mask
    _ = unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
  }
}
