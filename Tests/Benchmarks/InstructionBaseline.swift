/// Instruction counts of an earlier build, kept in a file: a line for each task, below the platform.
struct InstructionBaseline {
  /// The rows of the tables whose instructions are counted.
  static let rows = 20_000
  /// By how many percent a count may grow, unless an option says it.
  static let standardAllowance = 3

  /// The platform that the counts are of.
  let platform: String
  private var counts: [String: Int] = [:]
  private let isRenewed: Bool
  private let allowance: Int

  /// Reads the file; one that is to be renewed need not be there, and counts of another platform are dropped.
  ///
  /// - Parameter allowance: by how many percent a count may grow.
  init(path: String, isRenewed: Bool, allowance: Int) throws(SystemFailure) {
    self.isRenewed = isRenewed
    self.allowance = allowance
    var lines: ArraySlice<Substring> = []
    if !isRenewed || System.isFile(path) { lines = try System.text(of: path).split(separator: "\n")[...] }
    let first = lines.popFirst().map(String.init) ?? ""
    let isOfOther = first != Self.heading(Machine.platform)
    platform = isOfOther && !isRenewed ? first : Machine.platform
    guard !isOfOther else { return }
    for line in lines {
      let words = line.split(separator: " ")
      if words.count == 2, let count = Int(words[1]) { counts[String(words[0])] = count }
    }
  }

  /// Whether the counts can be compared with those taken here.
  var fits: Bool { platform == Machine.platform }

  /// A count beside the one before.
  struct Change {
    var count: Int
    /// The count of the baseline, nothing for a task that is new there.
    var before: Int?

    /// By how many percent it has grown.
    var percent: Double? { before.map { (Double(count) / Double($0) - 1) * 100 } }
    /// Whether it has grown by more than is allowed.
    var isGrowth: Bool
  }

  /// Compares a count with the one kept, and keeps it instead.
  mutating func record(_ count: Int, of task: String) -> Change {
    let before = counts.updateValue(count, forKey: task)
    let isGrowth = before.map { count * 100 > $0 * (100 + allowance) } ?? false
    return Change(count: count, before: before, isGrowth: isGrowth && !isRenewed)
  }

  /// Writes the counts, in the order of the tasks.
  func write(to path: String) throws(SystemFailure) {
    var file = try OutputFile(path: path)
    try file.write(Self.heading(platform) + "\n")
    for task in BenchmarkTask.all {
      if let count = counts[task.id] { try file.write("\(task.id) \(count)\n") }
    }
    try file.finish()
  }

  private static func heading(_ platform: String) -> String {
    "# Instructions on \(rows) rows, by callgrind on \(platform)"
  }
}
