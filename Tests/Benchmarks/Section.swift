/// A part of a document between two marks.
struct Section {
  private let begin: String
  private let end: String

  /// Figures of a run.
  static let performance = Section(name: "performance")

  private init(name: String) {
    begin = "<!-- \(name): begin -->\n"
    end = "<!-- \(name): end -->\n"
  }

  /// Puts a text between the marks.
  func replace(in path: String, with text: String) throws(SystemFailure) {
    let document = try System.text(of: path)
    let before = document.split(separator: begin, maxSplits: 1, omittingEmptySubsequences: false)
    let after = document.split(separator: end, maxSplits: 1, omittingEmptySubsequences: false)
    guard before.count == 2, after.count == 2 else {
      throw SystemFailure(call: "find the marks in", subject: path, code: 0)
    }
    var file = try OutputFile(path: path)
    try file.write(before[0] + begin + "\n" + text + "\n\n" + end + after[1])
    try file.finish()
  }
}
