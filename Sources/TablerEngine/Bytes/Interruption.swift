#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What happens when a signal ends the program: the temporary file goes, what there is to say is said, then the
/// signal does what it always does.
///
/// Signals that were ignored at the start, as `nohup` ignores SIGHUP, stay ignored.
@safe
enum Interruption {
  /// The signals that end a program and leave it time to tidy up.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  // SAFETY: the handler reads one pointer; what it points to is never freed.
  private nonisolated(unsafe) static var doomed: UnsafeMutablePointer<CChar>?

  // SAFETY: only the first thread takes the signals, and it holds them back while it changes this.
  private nonisolated(unsafe) static var words = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

  /// Catches the signals, once: without a file to remove they do what they did before.
  private static let catchesSignals: Void = {
    for number in signals {
      var action = sigaction()
      guard unsafe sigaction(number, nil, &action) == 0, !action.isIgnored else { continue }
      _ = signal(number) { number in
        if let path = unsafe Interruption.doomed { _ = unsafe unlink(path) }
        let words = unsafe Interruption.words
        if words.count > 0 { _ = unsafe write(2, words.baseAddress, words.count) }
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

  /// Says `text` on the standard error when a signal comes later; only the first thread may ask for it.
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
