/// Output that waits until it has more lines than a screen, and is then shown by a pager.
final class PagedOutput {
  private enum State {
    /// Nothing has been shown yet.
    case waiting
    /// The pager reads.
    case paging(ChildProcess)
    /// The pager failed, and everything goes to the terminal.
    case direct
    /// The user quit the pager before the last byte was written.
    case left
    /// The user quit the pager.
    case done
  }

  /// The reason a pager did not show its input.
  struct PagerFailure: Equatable {
    /// The name of the pager.
    var name: String
    /// The reason in a few words.
    var reason: String
  }

  /// The part that stays in view while the rest is scrolled.
  var head = PinnedHead()

  /// Whether titles and row headers stay in view.
  let pinsHead: Bool

  /// Whether the pager shows what is written, however few lines it has.
  var mustPage: Bool

  /// Whether the pager is started as soon as there are more lines than the screen has.
  private let startsPager: Bool

  /// The failure of the pager, if there was one.
  private(set) var failure: PagerFailure?

  private let paging: Paging
  private let terminal = Descriptor(standard: 1)
  private var state = State.waiting

  /// The bytes written so far, as long as they may be needed again.
  ///
  /// A thread that waits for input may show them.
  private let kept = Monitor<[UInt8]?>([])

  /// The number of lines in them, while they are counted.
  private var lineCount = 0

  private var signals: SignalsAtRest?

  /// The number of bytes after which the pager must have read some: no pipe holds more.
  private static let mostKept = 1 << 20

  /// Waits for lines to show.
  ///
  /// - Parameters:
  ///   - pinsHead: whether titles and row headers stay in view.
  ///   - startsPager: whether the pager is started as soon as there are more lines than the screen has.
  init(_ paging: Paging, pinsHead: Bool, startsPager: Bool = true) {
    self.paging = paging
    self.pinsHead = pinsHead
    self.startsPager = startsPager
    mustPage = paging.isForced
  }

  /// Whether the user has quit the pager, so that further output would not be seen.
  var pagerWasQuit: Bool {
    switch state {
    case .left: true
    case .paging(let pager): pager.hasEnded && !hasFailed(pager)
    case .waiting, .direct, .done: false
    }
  }

  /// Whether the user quit the pager before it was given everything.
  var isCutShort: Bool { if case .left = state { true } else { false } }

  /// Whether nothing has been shown yet because the screen has room for all of it.
  var isShort: Bool { if case .waiting = state { !mustPage && lineCount < paging.lines } else { false } }

  /// Writes bytes, or keeps them until there are enough lines.
  ///
  /// - Throws: a broken pipe if the user quit the pager.
  func write(_ bytes: Span<UInt8>) throws(SystemError) {
    switch state {
    case .waiting:
      keep(bytes)
      if startsPager, lineCount >= paging.lines { try start(hasMoreLines: true) }
    case .paging(let pager):
      keep(bytes)
      try send(bytes, to: pager)
    case .direct: try terminal.write(bytes)
    case .left, .done: throw SystemError(.write, path: nil, code: EPIPE)
    }
  }

  /// Shows what waits, in the pager only if that is wanted, and waits until the user quits the pager.
  func finish() throws(SystemError) {
    if case .waiting = state {
      if mustPage { try start(hasMoreLines: false) } else { try goOnWithoutPager() }
    }
    if case .paging(let pager) = state { try end(pager, after: nil) }
  }

  private func keep(_ bytes: Span<UInt8>) {
    if case .waiting = state { lineCount += bytes.lineEnds }
    kept.access { kept in
      guard kept != nil else { return }
      for index in bytes.indices { kept?.append(bytes[index]) }
    }
  }

  /// Starts the pager and passes it the output so far.
  private func start(hasMoreLines: Bool) throws(SystemError) {
    guard let program = paging.pager.path else { return try goOnWithoutPager() }
    var words = paging.pager.words
    var variables: [(name: String, value: String?)] = [
      ("LESSCHARSET", "utf-8"), ("LESSOPEN", nil), ("LESSCLOSE", nil),
    ]
    if Process.isRoot { variables.append(("LESSSECURE", "1")) }
    if let lessVersion { words += lessVersion.options(pinning: hasMoreLines ? shownHead : PinnedHead()) }
    // A less that must not start other programs does not stop either, and would continue without us.
    let signals = SignalsAtRest(
      SignalsAtRest.numbers + (Process.isRoot && paging.pager.isLess ? [SIGTSTP] : []))
    let pager: ChildProcess
    do { pager = try ChildProcess(program, words.map { FilePath($0) }, .reads, variables: variables) } catch {
      signals.end()
      failure = PagerFailure(name: paging.pager.name, reason: error.reason)
      return try goOnWithoutPager()
    }
    self.signals = signals
    state = .paging(pager)
    let bytes = kept.access { $0 } ?? []
    Descriptor.viewer = Descriptor.Viewer(pipeNumber: pager.pipeNumber) { [kept] in
      guard pager.hasFailed, (try? Self.show(kept)) == true else { return false }
      signals.end()
      return true
    }
    try send(bytes.span, to: pager)
  }

  /// Gives the pager bytes that are kept until it has read some of them.
  private func send(_ bytes: Span<UInt8>, to pager: ChildProcess) throws(SystemError) {
    do { try pager.write(bytes) } catch { return try end(pager, after: error) }
    kept.access { if ($0?.count ?? 0) > Self.mostKept { $0 = nil } }
  }

  /// Whether a pager showed nothing of its input, all of which then goes to the terminal.
  private func hasFailed(_ pager: ChildProcess) -> Bool { kept.access { $0 != nil } && pager.hasFailed }

  /// The part that stays in view: at most a third of the lines and half the columns, because scrolling needs room.
  private var shownHead: PinnedHead {
    PinnedHead(
      lines: head.lines * 3 <= paging.lines ? head.lines : 0,
      columns: head.columns * 2 <= paging.columns ? head.columns : 0)
  }

  /// The version of `less`; `nil` for another pager.
  private lazy var lessVersion =
    paging.pager.isLess ? paging.pager.path.map { Self.version(ofLess: $0) } : nil

  /// Whether the pager is a `less` that cannot keep titles in view although it should.
  var isWithoutPinnedHead: Bool { pinsHead && lessVersion.map { !$0.pinsHead } ?? false }

  private static func version(ofLess program: FilePath) -> LessVersion {
    guard let less = try? ChildProcess(program, ["less", "--version"], .writes) else { return .busyBox }
    let text = try? less.read(atMost: 64)
    _ = less.finish()
    return LessVersion(text ?? "")
  }

  /// Waits for the end of the pager.
  ///
  /// - Parameter error: the reason it takes no more bytes; `nil` after the last.
  private func end(_ pager: ChildProcess, after error: SystemError?) throws(SystemError) {
    Descriptor.viewer = nil
    let end = pager.finish()
    signals?.end()
    if hasFailed(pager) {
      failure = PagerFailure(name: paging.pager.name, reason: end.reason)
      return try goOnWithoutPager()
    }
    kept.access { $0 = nil }
    state = error == nil ? .done : .left
    if let error { throw error }
  }

  private func goOnWithoutPager() throws(SystemError) {
    state = .direct
    _ = try Self.show(kept)
    kept.access { $0 = nil }
  }

  /// Writes the kept bytes to the terminal, once.
  ///
  /// - Returns: whether they were still kept.
  private static func show(_ kept: Monitor<[UInt8]?>) throws(SystemError) -> Bool {
    let result = kept.access { kept in
      Result<Bool, SystemError> { () throws(SystemError) in
        guard let bytes = kept else { return false }
        kept = []
        try Descriptor(standard: 1).write(bytes.span)
        return true
      }
    }
    return try result.get()
  }
}

extension Paging {
  /// Shows a text, and waits until it was seen; quitting the pager before its end is no error.
  public func show(_ text: String) throws(SystemError) {
    let output = PagedOutput(self, pinsHead: false)
    do {
      try output.write(Array(text.utf8).span)
      try output.finish()
    } catch {
      if !error.isBrokenPipe { throw error }
    }
  }
}
