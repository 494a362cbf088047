/// Runs the commands of one task in turn: tabler, a bare `cat` for comparison, the peers.
struct TaskRunner {
  private let task: BenchmarkTask
  private let contents: SampleFile.Contents
  private let tabler: [String]
  private let peers: [Options.Peer]

  /// Why a task gives no figures.
  enum Failure: Error {
    case system(SystemFailure)
    /// A program did not end well.
    case status(command: String, Int32)
    /// The output shows another number of rows.
    case rows(Int, expected: Int)
  }

  init(task: BenchmarkTask, contents: SampleFile.Contents, options: Options) {
    self.task = task
    self.contents = contents
    tabler = [options.tabler] + task.arguments
    peers = options.peers
  }

  /// Counts the rows of one run, then measures.
  func run(rounds: Int) throws(Failure) -> TaskResult {
    let rows = try countedRows()
    let expected = task.expectedRows(of: contents)
    guard rows == expected else { throw .rows(rows, expected: expected) }
    var result = TaskResult(task: task, contents: contents, rows: rows, peerNames: peers.map(\.name))
    for _ in 0..<rounds {
      result.tabler.append(try repeated(tabler))
      result.cat.append(try repeated(["cat"]))
      for (index, peer) in peers.enumerated() {
        result.peers[index].figures.append(try repeated(["sh", "-c", peer.command]))
      }
    }
    return result
  }
}

extension TaskRunner {
  private func repeated(_ command: [String]) throws(Failure) -> [Run] {
    var runs: [Run] = []
    for _ in 0..<task.repetitions {
      let run = try asking { () throws(SystemFailure) in try measured(command) }
      guard run.status == 0 else { throw .status(command: command.joined(separator: " "), run.status) }
      runs.append(run)
    }
    return runs
  }

  private func countedRows() throws(Failure) -> Int {
    let counted = try asking { () throws(SystemFailure) in try countedRun() }
    guard counted.status == 0 else { throw .status(command: tabler.joined(separator: " "), counted.status) }
    return counted.rows
  }

  private func asking<Answer>(_ body: () throws(SystemFailure) -> Answer) throws(Failure) -> Answer {
    do throws(SystemFailure) {
      return try body()
    } catch {
      throw .system(error)
    }
  }

  private func measured(_ command: [String]) throws(SystemFailure) -> Run {
    let start = System.seconds
    let pair = try started(command, output: .null)
    let end = try pair.command.wait()
    _ = try pair.cat.wait()
    return Run(wall: System.seconds - start, cpu: end.usage.cpu, peak: end.usage.peak, status: end.status)
  }

  private func countedRun() throws(SystemFailure) -> (rows: Int, status: Int32) {
    var counter = RowCounter(mark: task.mark)
    let pipe = try Child.makePipe()
    defer { Child.close(pipe.read) }
    let pair: (cat: Child, command: Child)
    do {
      defer { Child.close(pipe.write) }
      pair = try started(tabler, output: .pipe(pipe.write))
    }
    try Child.readAll(pipe.read) { counter.read($0) }
    let end = try pair.command.wait()
    _ = try pair.cat.wait()
    return (counter.rows, end.status)
  }

  /// Starts `cat FILE | command`.
  private func started(
    _ command: [String], output: Child.Stream
  ) throws(SystemFailure) -> (cat: Child, command: Child) {
    let pipe = try Child.makePipe()
    defer {
      Child.close(pipe.read)
      Child.close(pipe.write)
    }
    let cat = try Child(["cat", contents.path], input: .null, output: .pipe(pipe.write))
    return (cat, try Child(command, input: .pipe(pipe.read), output: output))
  }
}
