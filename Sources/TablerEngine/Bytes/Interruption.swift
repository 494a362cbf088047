#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What happens when a signal ends the program: the temporary file goes, then the signal does what it always does.
///
/// Signals that were ignored at the start, as `nohup` ignores SIGHUP, stay ignored.
@safe
enum Interruption {
  /// The signals that end a program and leave it time to tidy up.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  // SAFETY: the handler, on whatever thread, reads one pointer; what it points to is never freed.
  private nonisolated(unsafe) static var doomed: UnsafeMutablePointer<CChar>?

  /// Catches the signals, once: without a file to remove they do what they did before.
  private static let catchesSignals: Void = {
    for number in signals {
      var action = sigaction()
      guard unsafe sigaction(number, nil, &action) == 0, !action.isIgnored else { continue }
      _ = signal(number) { number in
        if let path = unsafe Interruption.doomed { _ = unsafe unlink(path) }
        _ = signal(number, SIG_DFL)
        _ = raise(number)
      }
    }
  }()

  /// Runs `body`, which makes the file at `path`, and removes that file when a signal comes later.
  ///
  /// Signals that come while `body` runs wait for its end; where it throws there is nothing to remove.
  static func removing<T, E: Error>(_ path: String, madeBy body: () throws(E) -> T) throws(E) -> T {
    catchesSignals
    return try holding { () throws(E) in
      let result = try body()
      unsafe doomed = strdup(path)
      return result
    }
  }

  /// Runs `body`; signals that come meanwhile wait for its end.
  static func holding<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
    let mask = holdSignals()
    defer { releaseSignals(mask) }
    return try body()
  }

  /// Leaves the file alone from now on.
  static func forgets() { unsafe doomed = nil }

  /// Makes the signals wait.
  ///
  /// - Returns: the mask of signals that waited before.
  private static func holdSignals() -> sigset_t {
    var held = sigset_t()
    var before = sigset_t()
    _ = unsafe sigemptyset(&held)
    for number in signals { _ = unsafe sigaddset(&held, number) }
    _ = unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    return before
  }

  private static func releaseSignals(_ mask: sigset_t) {
    var mask = mask
    _ = unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
  }
}

extension sigaction {
  /// Whether the signal is ignored.
  fileprivate var isIgnored: Bool {
    #if canImport(Glibc)
      let handler = unsafe __sigaction_handler.sa_handler
    #else
      let handler = unsafe __sigaction_u.__sa_handler
    #endif
    // SAFETY: handlers are compared as the addresses they are.
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
