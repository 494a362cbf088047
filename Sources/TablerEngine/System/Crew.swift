/// Jobs for the threads of a run that would wait otherwise.
///
/// The threads that read and process rows wait for each other now and then; on a machine with two processors no others are
/// needed.
final class Crew: Sendable {
  /// A job that was given.
  struct Ticket {
    fileprivate let number: Int
  }

  private typealias Job = (number: Int, body: @Sendable () -> Void)

  /// What is known about the jobs.
  private struct Board {
    /// The jobs that no thread has begun, the next one first.
    var waiting: [Job] = []

    /// The numbers of the jobs that were begun and have not ended.
    var begun: Set<Int> = []

    /// The number of jobs given so far.
    var count = 0

    /// The number of threads besides the first.
    var otherCount = 0

    /// Whether as many were started as may be.
    var hasThreads = false

    /// The number of threads that wait and have no job.
    var idleCount = 0

    /// The number of batches that wait for the first thread.
    var backlog = 0

    var isClosed = false

    /// Adds a job to those that wait: after all others, or before them.
    mutating func add(_ job: @escaping @Sendable () -> Void, isNext: Bool = false) -> Ticket {
      count += 1
      waiting.insert((count, job), at: isNext ? 0 : waiting.count)
      return Ticket(number: count)
    }

    /// The number of threads to be started so that there are `count` with the first one; 0 after the first call.
    mutating func takeMissing(of count: Int) -> Int {
      if hasThreads { return 0 }
      hasThreads = true
      return max(0, count - 1 - otherCount)
    }

    /// The job that is awaited if no thread has begun it, or else the next one; `nil` if none waits.
    ///
    /// The caller must do it.
    mutating func begin(awaiting ticket: Ticket?) -> Job? {
      guard !waiting.isEmpty else { return nil }
      let awaited = ticket.flatMap { ticket in waiting.firstIndex { $0.number == ticket.number } }
      let job = waiting.remove(at: awaited ?? 0)
      begun.insert(job.number)
      return job
    }

    /// Whether a job has ended, or was dropped.
    func hasEnded(_ ticket: Ticket) -> Bool {
      !begun.contains(ticket.number) && !waiting.contains { $0.number == ticket.number }
    }
  }

  /// How waiting goes on.
  private enum Waited<Result> {
    case end(Result)
    case job(Job)
  }

  private let board = Monitor(Board())
  private let tuning: Tuning

  /// The most threads that do jobs: one thread reads for all.
  private static var mostThreads: Int { 8 }

  /// The number of threads that do jobs at once.
  var threadCount: Int { min(tuning.threadCount, Self.mostThreads) }

  /// Creates a crew without threads of its own, which are started with the first job.
  init(_ tuning: Tuning) { self.tuning = tuning }

  /// Lets its own threads end.
  deinit {
    board.access {
      $0.waiting = []
      $0.isClosed = true
    }
  }

  /// Starts a thread that runs `body`, and does jobs from then on if that returns true.
  ///
  /// - Returns: whether there is such a thread; if the system has none left, nothing was run.
  func start(_ body: @escaping @Sendable (Crew) -> Bool) -> Bool {
    // The thread must not keep what it ran, nor the crew, while it waits for jobs.
    let own = Monitor<(crew: Crew, body: @Sendable (Crew) -> Bool)?>((self, body))
    // It may give jobs before this returns.
    board.access { $0.otherCount += 1 }
    let isStarted = Worker.start { [board, most = threadCount - 1] in
      let stays = own.access { $0.take() }.map { $0.body($0.crew) } ?? false
      guard stays else { return board.access { $0.otherCount -= 1 } }
      Self.work(board) { board in
        if board.isClosed { return () }
        // One that only does jobs is too many once another has begun to read.
        guard board.otherCount > most else { return nil }
        board.otherCount -= 1
        return ()
      }
    }
    if !isStarted { board.access { $0.otherCount -= 1 } }
    return isStarted
  }

  /// Gives a job to whichever thread has time first.
  ///
  /// - Parameter isNext: whether it comes before the jobs that wait.
  func add(_ job: @escaping @Sendable () -> Void, isNext: Bool = false) -> Ticket {
    let (ticket, missing) = board.access { ($0.add(job, isNext: isNext), $0.takeMissing(of: threadCount)) }
    startThreads(missing)
    return ticket
  }

  /// Gives a job of the first thread to another one, before all others: if one waits or has yet to be started, or if so many
  /// batches wait for the first thread that the reader soon will.
  ///
  /// - Returns: `nil` if the first thread should do it itself, in whose caches the data are.
  func offer(_ job: @escaping @Sendable () -> Void) -> Ticket? {
    let (ticket, missing) = board.access { (board: inout Board) -> (Ticket?, Int) in
      let missing = board.takeMissing(of: threadCount)
      let haveTime =
        missing > 0 || board.backlog > Self.fewBatches || board.idleCount > board.waiting.count
      return (haveTime ? board.add(job, isNext: true) : nil, missing)
    }
    startThreads(missing)
    return ticket
  }

  /// The number of batches that may wait for the first thread although it is as fast as the reader.
  private static let fewBatches = 4

  /// Waits until a job has ended: does it if no thread has begun it, and others meanwhile.
  func finish(_ ticket: Ticket) {
    Self.work(board, awaiting: ticket) { $0.hasEnded(ticket) ? () : nil }
  }

  /// Waits until `body` returns a value, and does jobs meanwhile.
  ///
  /// What `body` depends on may only change inside another `wait`, in a job, or before `notify`.
  func wait<Result>(for body: () -> Result?) -> Result { Self.work(board) { _ in body() } }

  /// Waits for the next batch, and does jobs meanwhile.
  ///
  /// - Parameter body: returns the batch, and the number of those that wait after it.
  func waitForBatch<Result>(_ body: () -> (Result, backlog: Int)?) -> Result {
    Self.work(board) { board in
      guard let (batch, backlog) = body() else { return nil }
      board.backlog = backlog
      return batch
    }
  }

  /// Makes all threads that wait call their bodies again.
  func notify() { board.access { _ in } }

  /// Drops those of some jobs that no thread has begun.
  func drop(_ tickets: [Ticket]) {
    if tickets.isEmpty { return }
    let numbers = tickets.map(\.number)
    board.access { $0.waiting.removeAll { numbers.contains($0.number) } }
  }

  private static func work<Result>(
    _ board: Monitor<Board>, awaiting ticket: Ticket? = nil, until body: (inout Board) -> Result?
  ) -> Result {
    while true {
      var isIdle = false
      let waited: Waited<Result> = board.wait { board in
        if isIdle { board.idleCount -= 1 }
        isIdle = false
        if let result = body(&board) { return .end(result) }
        if let job = board.begin(awaiting: ticket) { return .job(job) }
        isIdle = true
        board.idleCount += 1
        return nil
      }
      switch waited {
      case .end(let result): return result
      case .job(let job):
        job.body()
        board.access { _ = $0.begun.remove(job.number) }
      }
    }
  }

  /// Starts threads that wait for nothing else; if the system has none left, there are fewer.
  private func startThreads(_ count: Int) {
    for _ in 0..<count { guard start({ _ in true }) else { return } }
  }
}
