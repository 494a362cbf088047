import Synchronization

/// Reports on the standard error how far a long run has come.
///
/// Counting is always on, because a signal may ask for a report at any time. Lines that appear by themselves
/// are written by a thread, which a small table never starts.
@safe
public enum Progress {
  /// When lines appear by themselves.
  public enum Choice: String, CaseIterable, Sendable {
    /// On a terminal, after two seconds, if less than half is done.
    case auto
    /// On a terminal at once; in a file a line every ten seconds.
    case always
    /// Never, not even after a signal.
    case never
  }

  /// The present work of a run.
  enum Phase: Int {
    case reading
    case sorting
    case merging
    case writing
  }

  /// The milliseconds before the first line, and between two lines, on a terminal and in a file.
  private static let (patience, pause, longPause) = (2000, 200, 10_000)

  /// A run counts as waiting, not reading, after this many milliseconds without a byte, or if no file is read
  /// and fewer bytes per millisecond have come.
  private static let (silence, trickle) = (2000, 10)

  /// A run that has read fewer bytes, and sorts or writes fewer rows, starts no thread before a line is due.
  private static let smallest = (bytes: 1 << 20, rows: 10_000)

  private static let isOn = Atomic(false)
  private static let isOver = Atomic(false)
  private static let isShown = Atomic(false)
  private static let hasThread = Atomic(false)

  private static let phase = Atomic(0)
  private static let bytesRead = Atomic(0)
  private static let bytesExpected = Atomic(0)
  private static let linesRead = Atomic(0)
  private static let rowsRead = Atomic(0)
  private static let rowsDone = Atomic(0)
  private static let rowsExpected = Atomic(0)
  private static let waitingSince = Atomic(0)
  private static let startTime = Atomic(0)
  private static let isMeasured = Atomic(false)

  // SAFETY: set before the first thread is started, and only by the first thread.
  private nonisolated(unsafe) static var choice = Choice.never
  private nonisolated(unsafe) static var isTerminal = false

  // SAFETY: set by the first thread before it reads, and never freed.
  private nonisolated(unsafe) static var awaited = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

  /// Names the program whose answer is awaited.
  static func awaits(_ name: String) {
    let bytes = name.utf8.prefix(100).filter { $0 > 0x20 && $0 < 0x7F }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    for index in bytes.indices { unsafe copy[index] = bytes[index] }
    Interruption.holding { unsafe awaited = UnsafeRawBufferPointer(copy) }
  }

  /// The right to write to the standard error: a line is erased before anything else is written.
  private static let turn = Monitor(())

  /// Whether a signal is answered with a line.
  private(set) nonisolated(unsafe) static var answersSignal = false

  /// Begins to count; lines may appear from now on, and a signal may ask for one.
  ///
  /// - Parameters:
  ///   - showsLines: whether lines may appear by themselves.
  ///   - isTerminal: whether the standard error is a terminal.
  public static func begin(_ choice: Choice, showsLines: Bool, isTerminal: Bool) {
    guard choice != .never else { return }
    unsafe self.choice = choice
    unsafe self.isTerminal = isTerminal
    startTime.store(Process.milliseconds, ordering: .relaxed)
    isOn.store(showsLines, ordering: .relaxed)
    for number in reportSignals where !Interruption.isIgnored(number) {
      _ = signal(number) { _ in Progress.answer() }
    }
    unsafe answersSignal = true
  }

  /// Ends all lines: the table begins, perhaps on the same terminal, or the run is over.
  public static func end() {
    guard isOn.load(ordering: .relaxed), !isOver.load(ordering: .relaxed) else { return }
    isOver.store(true, ordering: .relaxed)
    erase()
  }

  /// Erases the line from the screen, so that something else may be written.
  static func erase() {
    guard isOn.load(ordering: .relaxed), hasThread.load(ordering: .relaxed) else { return }
    turn.access { _ in eraseNow() }
  }

  /// The same in a signal handler.
  static func eraseNow() {
    let erasure: StaticString = "\r\u{1B}[K"
    if isShown.exchange(false, ordering: .relaxed) { erasure.writeToStandardError() }
  }

  // MARK: Counting

  /// Sets the number of bytes to expect; negative if it is not known.
  static func expect(bytes count: Int) { bytesExpected.store(count, ordering: .relaxed) }

  /// Adds bytes that were read.
  static func read(bytes count: Int) {
    bytesRead.add(count, ordering: .relaxed)
    startUnlessSmall()
  }

  /// Sets the number of rows read so far.
  static func read(rows count: Int) { rowsRead.store(count, ordering: .relaxed) }

  /// Adds lines of an input that may be slow.
  static func read(lines count: Int) { linesRead.add(count, ordering: .relaxed) }

  /// Whether lines of an input are worth counting.
  static var countsLines: Bool { isOn.load(ordering: .relaxed) }

  /// Records that rows are read only for widths, for which a few rows would suffice.
  static func measuresOnly() { isMeasured.store(true, ordering: .relaxed) }

  /// Begins other work, on a number of rows; 0 if it is not known.
  static func enter(_ new: Phase, rows count: Int) {
    rowsDone.store(0, ordering: .relaxed)
    rowsExpected.store(count, ordering: .relaxed)
    phase.store(new.rawValue, ordering: .relaxed)
    startUnlessSmall()
  }

  /// Adds rows that this work has processed.
  static func advance(rows count: Int) {
    rowsDone.add(count, ordering: .relaxed)
    startUnlessSmall()
  }

  // MARK: Waiting

  /// Begins to wait for bytes.
  ///
  /// - Returns: the milliseconds after which to report that the wait continues; negative if it need not be
  ///   reported.
  static func wait() -> Int {
    guard isOn.load(ordering: .relaxed) else { return -1 }
    waitingSince.store(Process.milliseconds, ordering: .relaxed)
    return hasThread.load(ordering: .relaxed) ? -1 : max(0, untilFirstLine)
  }

  /// Continues waiting.
  static func waitOn() { startUnlessSmall() }

  /// Stops waiting.
  static func stopWaiting() { if isOn.load(ordering: .relaxed) { waitingSince.store(0, ordering: .relaxed) } }
}

extension Progress {
  /// Starts the thread that writes lines, unless the run is a small one so far.
  private static func startUnlessSmall() {
    guard isOn.load(ordering: .relaxed), !isOver.load(ordering: .relaxed), !hasThread.load(ordering: .relaxed)
    else {
      return
    }
    guard
      bytesRead.load(ordering: .relaxed) >= smallest.bytes
        || rowsExpected.load(ordering: .relaxed) >= smallest.rows
        || untilFirstLine <= 0
    else { return }
    if hasThread.exchange(true, ordering: .relaxed) { return }
    // A signal that ends the run erases the line from the screen first.
    if unsafe isTerminal { Interruption.catchSignals() }
    if !Worker.start({ writeLines() }) { isOver.store(true, ordering: .relaxed) }
  }

  /// The milliseconds until a line may come on a terminal.
  private static var untilFirstLine: Int {
    startTime.load(ordering: .relaxed) + (unsafe choice == .always ? pause : patience) - Process.milliseconds
  }

  /// Whether so much is done that a line is not worthwhile.
  private static var isNearlyRead: Bool {
    let expected = bytesExpected.load(ordering: .relaxed)
    return unsafe choice != .always && phase.load(ordering: .relaxed) == Phase.reading.rawValue
      && expected > 0
      && bytesRead.load(ordering: .relaxed) * 2 >= expected
  }

  private static func writeLines() {
    let isTerminal = unsafe isTerminal
    sleep(isTerminal ? max(0, untilFirstLine) : longPause)
    while !isOver.load(ordering: .relaxed) {
      turn.access { _ in
        if isOver.load(ordering: .relaxed) || !isShown.load(ordering: .relaxed) && isNearlyRead { return }
        writeLine(before: isTerminal ? "\r" : "", after: isTerminal ? "\u{1B}[K" : "\n")
        if isTerminal { isShown.store(true, ordering: .relaxed) }
      }
      sleep(isTerminal ? pause : longPause)
    }
  }

  private static func sleep(_ milliseconds: Int) {
    var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    _ = unsafe nanosleep(&time, nil)
  }

  /// Writes a line because a signal asks for it; a signal handler must not allocate memory.
  private static func answer() {
    eraseNow()
    writeLine(before: "", after: "\n")
  }

  private static func writeLine(before: StaticString, after: StaticString) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
      var line = unsafe ProgressLine(buffer)
      line.add(before)
      let start = line.count
      say(&line)
      line.cut(to: start + max(0, terminalWidth - 1))
      line.add(after)
      line.write()
    }
  }

  /// The display columns of the standard error.
  private static var terminalWidth: Int {
    var size = winsize()
    return unsafe ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  private static func say(_ line: inout ProgressLine) {
    let now = Process.milliseconds
    let bytes = bytesRead.load(ordering: .relaxed)
    let waiting = waitingSince.load(ordering: .relaxed)
    let rows = rowsRead.load(ordering: .relaxed)
    let done = rowsDone.load(ordering: .relaxed)
    let expected = rowsExpected.load(ordering: .relaxed)
    switch Phase(rawValue: phase.load(ordering: .relaxed)) {
    case .reading?, nil:
      let total = bytesExpected.load(ordering: .relaxed)
      let elapsed = max(1, now - startTime.load(ordering: .relaxed))
      if waiting > 0, now - waiting >= silence || (total <= 0 && bytes / elapsed < trickle) {
        if unsafe awaited.count > 0 {
          line.add("tabler: waiting for ")
          for index in unsafe awaited.indices { unsafe line.add(awaited[index]) }
          return
        }
        line.add("tabler: waiting for input, ")
        line.add(count: linesRead.load(ordering: .relaxed), "line")
        line.add(" so far (a live stream? --follow prints as it comes)")
        return
      }
      line.add("tabler: reading ")
      if total > 0 {
        line.add(min(100, bytes * 100 / total))
        line.add("% ")
      }
      line.add(size: bytes)
      line.add(" ")
      line.add(count: rows, "row")
      line.add(" ")
      line.add(size: bytes / elapsed * 1000)
      line.add("/s")
      if total > bytes, bytes > 0 {
        line.add(" ")
        line.add(seconds: Int(Double(total - bytes) / Double(bytes) * Double(elapsed)) / 1000)
        line.add(" left")
      }
      if isMeasured.load(ordering: .relaxed) { line.add(" (-n 20 shows the first rows at once)") }
    case .sorting?:
      line.add("tabler: sorting ")
      line.add(count: rows, "row")
    case .merging?: say("tabler: merging ", done, of: expected, &line)
    case .writing?: say("tabler: writing ", done, of: expected, &line)
    }
  }

  private static func say(_ words: StaticString, _ done: Int, of expected: Int, _ line: inout ProgressLine) {
    line.add(words)
    if expected > 0 {
      line.add(min(100, done * 100 / expected))
      line.add("% ")
    }
    line.add(count: done, "row")
  }
}

/// A line of text in memory that is already allocated: a signal handler must not allocate any.
@safe
private struct ProgressLine {
  private let bytes: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  @unsafe
  init(_ bytes: UnsafeMutableRawBufferPointer) { unsafe self.bytes = bytes }

  mutating func add(_ text: StaticString) {
    text.withUTF8Buffer { text in
      for index in 0..<text.count { unsafe add(text[index]) }
    }
  }

  mutating func add(_ byte: UInt8) {
    guard unsafe count < bytes.count else { return }
    unsafe bytes[count] = byte
    count += 1
  }

  mutating func add(_ number: Int) {
    var unit = 1
    while number / unit >= 10 { unit *= 10 }
    while unit > 0 {
      add(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
      unit /= 10
    }
  }

  /// Adds a number with its noun; from a hundred thousand on in millions.
  mutating func add(count number: Int, _ noun: StaticString) {
    if number < 100_000 { add(number) } else { add(tenths: number / 100_000, " M") }
    add(" ")
    add(noun)
    if number != 1 { add("s") }
  }

  /// Adds a number of bytes in decimal units.
  mutating func add(size: Int) {
    if size < 1000 {
      add(size)
      add(" B")
    } else if size < 1_000_000 {
      add(tenths: size / 100, " kB")
    } else if size < 1_000_000_000 {
      add(tenths: size / 100_000, " MB")
    } else {
      add(tenths: size / 100_000_000, " GB")
    }
  }

  /// Adds a number given in tenths; from ten on without decimals.
  private mutating func add(tenths number: Int, _ unit: StaticString) {
    add(number / 10)
    if number < 100 {
      add(".")
      add(number % 10)
    }
    add(unit)
  }

  /// Adds a time as `m:ss` or `h:mm:ss`.
  mutating func add(seconds: Int) {
    if seconds >= 3600 {
      add(seconds / 3600)
      add(":")
      if seconds / 60 % 60 < 10 { add("0") }
    }
    add(seconds / 60 % 60)
    add(":")
    if seconds % 60 < 10 { add("0") }
    add(seconds % 60)
  }

  mutating func cut(to length: Int) { count = min(count, length) }

  func write() { _ = unsafe posixWrite(bytes.baseAddress, count) }
}

extension StaticString {
  /// Writes the text; safe in a signal handler.
  fileprivate func writeToStandardError() {
    withUTF8Buffer { _ = unsafe posixWrite($0.baseAddress, $0.count) }
  }
}

@unsafe
private func posixWrite(_ start: UnsafeRawPointer?, _ count: Int) -> Int { unsafe write(2, start, count) }
