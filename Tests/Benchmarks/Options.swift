/// What the runner was asked for.
struct Options {
  var tabler: String
  var rows = 1_000_000
  var rounds = 5
  /// Where the data is kept; without it, in a temporary folder that goes again.
  var folder: String?
  var peers: [Peer] = []
  /// The file of instruction counts to compare with, where instructions are to be counted.
  var baseline: String?
  var renews = false
  /// By how many percent a count may grow.
  var allowance = InstructionBaseline.standardAllowance
  /// The document whose section is to be replaced by the output.
  var document: String?
  var tasks: [BenchmarkTask] = []
  /// The arguments after the program's name, as given.
  let arguments: [String]

  /// Why the arguments cannot be obeyed.
  enum Mistake: Error {
    case help
    case unknown(String)
    case missingValue(String)
    case wrongValue(String, of: String)
    /// An option without another that it needs.
    case alone(String, without: String)
    /// Two options that cannot be used together.
    case both(String, String)
    /// A file of peers that cannot be read.
    case unreadable(SystemFailure)
  }

  /// Reads the arguments; the first is the program's name.
  init(_ words: [String]) throws(Mistake) {
    let folder = (words.first ?? "").split(separator: "/", omittingEmptySubsequences: false).dropLast()
    tabler = folder.isEmpty ? "./tabler" : folder.joined(separator: "/") + "/tabler"
    arguments = Array(words.dropFirst())
    var wantsAll = false
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "-h", "--help": throw .help
      case "--all": wantsAll = true
      case "--renew": renews = true
      default:
        if let task = BenchmarkTask.all.first(where: { $0.id.uppercased() == word.uppercased() }) {
          tasks.append(task)
        } else {
          try obey(word, value: &rest)
        }
      }
    }
    try check()
    if baseline != nil { rows = InstructionBaseline.rows }
    if tasks.isEmpty { tasks = BenchmarkTask.all.filter { wantsAll || $0.input != .big } }
  }
}

extension Options {
  /// Obeys an option that has a value.
  private mutating func obey(_ option: String, value rest: inout ArraySlice<String>) throws(Mistake) {
    func value() throws(Mistake) -> String {
      guard let value = rest.popFirst() else { throw .missingValue(option) }
      return value
    }
    func count() throws(Mistake) -> Int {
      let text = try value()
      guard let count = Int(text), count > 0 else { throw .wrongValue(text, of: option) }
      return count
    }
    switch option {
    case "--tabler": tabler = try value()
    case "--keep": folder = try value()
    case "--rows": rows = try count()
    case "-n": rounds = try count()
    case "--peer": peers.append(try Self.peer(try value(), of: option))
    case "--peers": peers += try Self.peers(in: try value(), of: option)
    case "--instructions": baseline = try value()
    case "--allowance": allowance = try count()
    case "--into": document = try value()
    default: throw .unknown(option)
    }
  }

  private func check() throws(Mistake) {
    guard baseline != nil else {
      for option in ["--renew", "--allowance"] where arguments.contains(option) {
        throw .alone(option, without: "--instructions")
      }
      return
    }
    for option in ["--rows", "-n", "--peer", "--peers", "--into"] where arguments.contains(option) {
      throw .both("--instructions", option)
    }
  }

  private static func peer(_ text: String, of option: String) throws(Mistake) -> Peer {
    guard let peer = Peer(text) else { throw .wrongValue(text, of: option) }
    return peer
  }

  private static func peers(in path: String, of option: String) throws(Mistake) -> [Peer] {
    var peers: [Peer] = []
    for line in try lines(of: path) where !line.isEmpty && !line.hasPrefix("#") {
      peers.append(try peer(String(line), of: option))
    }
    return peers
  }

  private static func lines(of path: String) throws(Mistake) -> [Substring] {
    do throws(SystemFailure) {
      return try System.text(of: path).split(separator: "\n")
    } catch {
      throw .unreadable(error)
    }
  }
}
