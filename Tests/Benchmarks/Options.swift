/// What the runner was asked for.
struct Options {
  var tabler: String
  var rows = 1_000_000
  var rounds = 5
  var folder: String?
  var peers: [Peer] = []
  var isCheck = false
  var tasks = BenchmarkTask.all

  /// A program to compare with, run by `sh`.
  struct Peer {
    var name: String
    var command: String
  }

  /// Why the arguments cannot be obeyed.
  enum Mistake: Error {
    case help
    case unknown(String)
    case missingValue(String)
    case wrongValue(String, of: String)
  }

  static let help = """
    usage: Benchmarks [option ...] [task ...]      tasks: \(BenchmarkTask.all.map(\.id).joined(separator: " "))

    Runs  cat FILE | tabler ... > /dev/null  for each task on data it makes itself, every command in turn
    in every round, and prints a Markdown table of the medians. Build with -c release.

      --tabler PATH        the program to measure (default: beside this one)
      --rows N             rows of the sample table (default 1000000: 90 MB of csv)
      -n N                 rounds (default 5)
      --keep DIR           make the data in DIR and leave it there
      --peer NAME=COMMAND  run this too, reading the same pipe; with one task, as the command rarely fits two
      --check              status 1 when a limit of BenchmarkTask.swift is passed
    """

  /// Reads the arguments behind the program's name.
  init(_ arguments: [String], beside program: String) throws(Mistake) {
    tabler = program.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    tabler = tabler.isEmpty ? "./tabler" : tabler + "/tabler"
    var chosen: [BenchmarkTask] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "-h", "--help": throw .help
      case "--check": isCheck = true
      case "--tabler": tabler = try Self.value(of: word, from: &rest)
      case "--keep": folder = try Self.value(of: word, from: &rest)
      case "--rows": rows = try Self.count(of: word, from: &rest)
      case "-n": rounds = try Self.count(of: word, from: &rest)
      case "--peer": peers.append(try Self.peer(of: word, from: &rest))
      default:
        guard let task = BenchmarkTask.all.first(where: { $0.id == word.uppercased() }) else {
          throw .unknown(word)
        }
        chosen.append(task)
      }
    }
    if !chosen.isEmpty { tasks = chosen }
  }
}

extension Options {
  private static func value(of option: String, from rest: inout ArraySlice<String>) throws(Mistake) -> String
  {
    guard let value = rest.popFirst() else { throw .missingValue(option) }
    return value
  }

  private static func count(of option: String, from rest: inout ArraySlice<String>) throws(Mistake) -> Int {
    let text = try value(of: option, from: &rest)
    guard let count = Int(text), count > 0 else { throw .wrongValue(text, of: option) }
    return count
  }

  private static func peer(of option: String, from rest: inout ArraySlice<String>) throws(Mistake) -> Peer {
    let text = try value(of: option, from: &rest)
    guard let mark = text.firstIndex(of: "="), mark != text.startIndex else {
      throw .wrongValue(text, of: option)
    }
    return Peer(name: String(text[..<mark]), command: String(text[text.index(after: mark)...]))
  }
}
