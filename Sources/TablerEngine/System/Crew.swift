/// Jobs for the threads of a run that would wait otherwise, in the order in which these were given.
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
    /// The jobs that no thread has begun.
    var waiting: [Job] = []

    /// The numbers of the jobs that were begun and have not ended.
    var begun: Set<Int> = []

    /// The number of jobs given so far.
    var count = 0

    var isClosed = false

    /// The next job, which the caller must do; `nil` if there is none.
    mutating func begin() -> Job? {
      guard !waiting.isEmpty else { return nil }
      let job = waiting.removeFirst()
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

  /// The number of threads of a run that wait for each other, and the most that do jobs: one thread reads for all.
  private static var waitingThreads: Int { 2 }
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

  /// Gives a job to the first thread that has time for it.
  func add(_ job: @escaping @Sendable () -> Void) -> Ticket {
    let number = board.access { board in
      board.count += 1
      board.waiting.append((board.count, job))
      return board.count
    }
    if number == 1 { startThreads() }
    return Ticket(number: number)
  }

  /// Waits until a job has ended, and does others meanwhile.
  func finish(_ ticket: Ticket) { Self.work(board) { $0.hasEnded(ticket) ? () : nil } }

  /// Waits until `body` returns a value, and does jobs meanwhile.
  ///
  /// What `body` depends on may only change inside another `wait`, or before `notify`.
  func wait<Result>(for body: () -> Result?) -> Result { Self.work(board) { _ in body() } }

  /// Makes all threads that wait call their bodies again.
  func notify() { board.access { _ in } }

  /// Drops those of some jobs that no thread has begun.
  func drop(_ tickets: [Ticket]) {
    if tickets.isEmpty { return }
    let numbers = tickets.map(\.number)
    board.access { $0.waiting.removeAll { numbers.contains($0.number) } }
  }

  private static func work<Result>(_ board: Monitor<Board>, until body: (Board) -> Result?) -> Result {
    while true {
      let waited: Waited<Result> = board.wait { board in
        if let result = body(board) { return .end(result) }
        return board.begin().map { .job($0) }
      }
      switch waited {
      case .end(let result): return result
      case .job(let job):
        job.body()
        board.access { _ = $0.begun.remove(job.number) }
      }
    }
  }

  /// Starts the threads that wait for nothing else; if the system has none left, there are fewer.
  private func startThreads() {
    for _ in 0..<max(0, threadCount - Self.waitingThreads) {
      let isStarted = Worker.start { [board] in Self.work(board) { $0.isClosed ? () : nil } }
      if !isStarted { return }
    }
  }
}
