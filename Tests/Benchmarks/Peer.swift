/// A program to compare with.
struct Peer {
  var name: String
  /// What `sh` runs.
  var command: String
  /// The names of the tasks it is run in; all, where there are none.
  var tasks: [String]

  /// Reads `[TASK,...:]NAME=COMMAND`.
  init?(_ text: String) {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    var name = text[..<equals]
    tasks = []
    if let colon = name.firstIndex(of: ":") {
      tasks = name[..<colon].split(separator: ",", omittingEmptySubsequences: false).map { $0.uppercased() }
      name = name[name.index(after: colon)...]
    }
    self.name = String(name)
    command = String(text[text.index(after: equals)...])
    let known = Set(BenchmarkTask.all.map { $0.id.uppercased() })
    guard !name.isEmpty, !command.isEmpty, known.isSuperset(of: tasks) else { return nil }
  }

  /// Whether it is run in this task.
  func runs(in task: BenchmarkTask) -> Bool {
    tasks.isEmpty || tasks.contains(task.id.uppercased())
  }

  /// The program: the first word of the command.
  var program: String {
    command.split(separator: " ").first.map(String.init) ?? ""
  }

  /// The first word with a digit that a program answers to `--version`, nothing where there is no such program.
  static func version(of program: String) throws(SystemFailure) -> String? {
    var answer: [UInt8] = []
    let status = try FileCommand("\(program) --version 2>&1", file: "/dev/null").read { answer += $0 }
    guard status != 127 else { return nil }
    let words = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    return words.first { $0.contains(where: \.isNumber) }.map(String.init) ?? "of unknown version"
  }
}

/// The peers of a run.
struct Peers {
  /// Those whose programs are here.
  private(set) var present: [Peer] = []
  /// The programs and their versions, each once.
  private(set) var versions: [(program: String, version: String)] = []
  /// The programs that are not here.
  private(set) var missing: Set<String> = []

  /// Those of the peers that are run in one of the tasks.
  init(_ peers: [Peer], in tasks: [BenchmarkTask]) throws(SystemFailure) {
    for peer in peers where tasks.contains(where: peer.runs) {
      let program = peer.program
      let isKnown = missing.contains(program) || versions.contains { $0.program == program }
      if !isKnown {
        if let version = try Peer.version(of: program) {
          versions.append((program, version))
        } else {
          missing.insert(program)
        }
      }
      if !missing.contains(program) { present.append(peer) }
    }
  }
}
