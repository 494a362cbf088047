/// Runs the commands of one task in turn: tabler and the peers.
struct TaskRunner {
  private let task: BenchmarkTask
  private let path: String
  private let expected: RowSet
  private let beginnings: [String]
  private let tabler: String
  private let peers: [Peer]

  /// Why a task gives no figures.
  enum Failure: Error {
    case system(SystemFailure)
    /// A program did not end well.
    case status(command: String, Int32)
    /// The output shows another number of rows.
    case count(Int, expected: Int)
    /// The output shows rows that are not those that had to come out.
    case otherRows
    /// A row of the output stands before one it must follow.
    case order(row: Int)
    /// valgrind printed no count.
    case noCount(String)
  }

  /// - Parameters:
  ///   - path: the path of the input.
  ///   - old: the path of the file that it is compared with or joined to, if there is one; in a peer's command it is
  ///     `{old}`.
  init(task: BenchmarkTask, path: String, old: String?, options: Options, peers: [Peer]) {
    self.task = task
    self.path = path
    beginnings = task.expectedBeginnings(rows: options.rows)
    expected = beginnings.isEmpty ? task.expectedRows(rows: options.rows) : RowSet(1...beginnings.count)
    tabler = ([options.tabler] + task.arguments(with: old)).map(FileCommand.quoted).joined(separator: " ")
    self.peers = peers.filter { $0.runs(in: task) }.map { peer in
      var peer = peer
      peer.command = peer.command.replacing("{old}", with: old ?? "")
      return peer
    }
  }

  /// Looks at the rows of one run of each, then measures.
  func run(rounds: Int) throws(Failure) -> TaskResult {
    let rows = try checkedRows()
    var result = TaskResult(
      task: task, inputSize: System.size(of: path), rows: rows, ownPeak: System.ownPeak)
    for peer in peers {
      result.peers.append(.init(name: peer.name, rows: try output(of: peer.command).rows.count))
    }
    for _ in 0..<rounds {
      result.tabler.append(try repeated("exec " + tabler))
      for (index, peer) in peers.enumerated() {
        result.peers[index].figures.append(try repeated(peer.command))
      }
    }
    return result
  }

  /// How many instructions tabler takes, once its rows have been looked at: the least of three counts, as how the
  /// threads and the pipe meet makes a percent or two.
  func instructions() throws(Failure) -> Int {
    _ = try checkedRows()
    return min(try countedOnce(), try countedOnce(), try countedOnce())
  }
}

extension TaskRunner {
  /// The instructions of one run under callgrind.
  private func countedOnce() throws(Failure) -> Int {
    let command = "exec valgrind --tool=callgrind --callgrind-out-file=/dev/null \(tabler) 2>&1 >/dev/null"
    var text: [UInt8] = []
    let status = try asking { () throws(SystemFailure) in
      try FileCommand(command, file: path).read { text += $0 }
    }
    guard status == 0 else { throw .status(command: command, status) }
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.contains("refs:") {
      if let count = Int(line.drop { $0 != ":" }.filter(\.isNumber)) { return count }
    }
    throw .noCount(command)
  }

  /// The number of rows in tabler's output, all of them right.
  private func checkedRows() throws(Failure) -> Int {
    let check = try output(of: "exec " + tabler)
    guard check.rows.count == expected.count else {
      throw .count(check.rows.count, expected: expected.count)
    }
    guard check.rows == expected else { throw .otherRows }
    if let row = check.firstMisplaced { throw .order(row: row) }
    return expected.count
  }

  private func output(of command: String) throws(Failure) -> OutputCheck {
    var check = OutputCheck(task, beginnings: beginnings)
    let status = try asking { () throws(SystemFailure) in
      try FileCommand(command, file: path).read { check.read($0) }
    }
    guard status == 0 else { throw .status(command: command, status) }
    check.finish()
    return check
  }

  private func repeated(_ command: String) throws(Failure) -> [Run] {
    var runs: [Run] = []
    for _ in 0..<task.repetitions {
      let run = try asking { () throws(SystemFailure) in try FileCommand(command, file: path).measured() }
      guard run.status == 0 else { throw .status(command: command, run.status) }
      runs.append(run)
    }
    return runs
  }

  private func asking<Answer>(_ body: () throws(SystemFailure) -> Answer) throws(Failure) -> Answer {
    do throws(SystemFailure) {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}
