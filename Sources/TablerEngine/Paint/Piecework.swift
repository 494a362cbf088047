/// Painting on several threads: each takes the next piece of the rows, and the pieces are written in order.
///
/// It is only for painters whose rows depend on earlier rows only through their numbers in the table and in
/// their section.
struct Piecework<P: ~Copyable>: Sendable {
  private let pieces: RowPieces
  private let make: @Sendable () -> P
  private let draw: @Sendable (RowPiece, inout P, inout ByteBuffer) -> Void
  private let progress = Monitor(PieceStates())

  /// The bytes of a piece.
  private final class Piece: @unchecked Sendable {
    // Why it may be shared: it is either in `PieceStates` or owned by the one thread that took it.

    var bytes = ByteBuffer(capacity: 1 << 18)
  }

  /// What became of the pieces.
  private struct PieceStates {
    /// The number of pieces, once the last was asked for.
    var count: Int?
    var claimed = 0
    var written = 0
    var isStopped = false
    var finished: [Int: Piece] = [:]
    var idle: [Piece] = []
    var workerCount = 0
    var notices: [LayoutNotice] = []
    var findings: [RowStyles.Report] = []

    /// The first piece in which each expression failed.
    var failures: [RowStyles.Finding: (number: Int, failure: EvaluationFailure)] = [:]

    /// The number of bytes that are painted but not written.
    var waiting = 0

    /// The number of such bytes at which no more pieces are begun.
    let mostWaiting = 1 << 25

    /// The first piece that could not be read, and why.
    var damage: (number: Int, error: SystemError)?

    /// The next step of a thread; `nil` while there is none.
    ///
    /// - Parameter number: the piece to be written next, by the thread that writes.
    mutating func claim(_ limit: Int, writing number: Int? = nil) -> PieceTask? {
      if let number, let piece = finished.removeValue(forKey: number) {
        waiting -= piece.bytes.count
        return .write(piece)
      }
      if let damage, damage.number == number { return .fail(damage.error) }
      if isStopped || count != nil || damage != nil {
        return number == nil || number == count ? .stop : nil
      }
      guard claimed == written || claimed < written + limit && waiting < mostWaiting else { return nil }
      claimed += 1
      return .paint(claimed - 1, idle.popLast() ?? Piece())
    }
  }

  /// What to do next.
  private enum PieceTask {
    case paint(Int, Piece)
    case write(Piece)
    case stop
    case fail(SystemError)
  }

  /// The pieces that may be painted before one is written, for each thread.
  private static var reserve: Int { 4 }
}

extension Piecework where P: DisplayPainter & ~Copyable {
  /// Prepares to paint all pieces.
  ///
  /// - Parameters:
  ///   - make: creates the painter of a thread.
  ///   - draw: paints a piece.
  init(
    _ pieces: @escaping RowPieces, making make: @escaping @Sendable () -> P,
    drawing draw: @escaping @Sendable (RowPiece, inout P, inout ByteBuffer) -> Void
  ) {
    self.pieces = pieces
    self.make = make
    self.draw = draw
  }

  /// Paints all rows on `threadCount` threads, including this one.
  ///
  /// - Parameter failing: what becomes of rows that could not be had.
  /// - Returns: what the painters noticed, and what the expressions of their styles found.
  func run<PaintError: Error>(
    threadCount: Int, failing: (SystemError) -> PaintError,
    write: (borrowing ByteBuffer) throws(PaintError) -> Void
  ) throws(PaintError) -> (notices: [LayoutNotice], findings: [RowStyles.Report]) {
    defer { progress.access { $0.isStopped = true } }
    let limit = threadCount * Self.reserve
    for _ in 1..<max(threadCount, 1) { startWorker(limit) }
    var painter = make()
    var written = 0
    loop: while true {
      switch progress.wait(for: { $0.claim(limit, writing: written) }) {
      case .paint(let number, let piece): paint(number, piece, with: &painter)
      case .write(let piece):
        try write(piece.bytes)
        written += 1
        progress.access {
          $0.written = written
          $0.idle.append(piece)
        }
      case .fail(let damage): throw failing(damage)
      case .stop: break loop
      }
    }
    var notices = painter.notices
    let (others, found, failures) = progress.wait {
      $0.workerCount == 0 ? ($0.notices, $0.findings, $0.failures) : nil
    }
    notices.merge(others)
    // Each painter knows the first failure in its own pieces.
    let all = (found + [painter.styles.findings]).map { findings in
      var findings = findings
      for (place, first) in failures { findings.states[place]?.failure = first.failure }
      return findings
    }
    return (notices, all)
  }
}

extension Piecework where P: DisplayPainter & ~Copyable {
  private func startWorker(_ limit: Int) {
    progress.access { $0.workerCount += 1 }
    let isStarted = Worker.start { [self] in
      var painter = make()
      while case .paint(let number, let piece) = progress.wait(for: { $0.claim(limit) }) {
        paint(number, piece, with: &painter)
      }
      progress.access {
        $0.workerCount -= 1
        $0.notices.merge(painter.notices)
        if !painter.styles.isEmpty { $0.findings.append(painter.styles.findings) }
      }
    }
    if !isStarted { progress.access { $0.workerCount -= 1 } }
  }

  private func paint(_ number: Int, _ piece: Piece, with painter: inout P) {
    piece.bytes.removeAll()
    do {
      guard let part = try pieces(number) else {
        return progress.access { $0.count = min(number, $0.count ?? number) }
      }
      draw(part, &painter, &piece.bytes)
      progress.access {
        $0.waiting += piece.bytes.count
        $0.finished[number] = piece
      }
      for (place, state) in painter.styles.findings.states {
        guard let failure = state.failure else { continue }
        progress.access { progress in
          if number < progress.failures[place]?.number ?? .max {
            progress.failures[place] = (number, failure)
          }
        }
      }
    } catch {
      progress.access { if number < $0.damage?.number ?? .max { $0.damage = (number, error) } }
    }
  }
}
