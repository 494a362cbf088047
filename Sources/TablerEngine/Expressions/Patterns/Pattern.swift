/// A regular expression in RE2's syntax, which matches in time linear in the text (R46).
///
/// The leftmost match is found, and of those that begin there the one a backtracking search would
/// meet first. Text is UTF-8; bytes that are not are U+FFFD. A `PatternMatcher` does the searching.
///
/// What RE2 knows and this does not: `\C`. What this adds: the flag `x`.
struct Pattern: Sendable {
  /// The instructions.
  let program: PatternProgram
  /// What every match holds.
  let literal: PatternLiteral
  /// Whether matches only begin where the text does.
  let isAnchored: Bool
  /// The number of groups that note their place, without the whole match.
  let groupCount: Int

  /// Parses and compiles `source`.
  init(_ source: String, flags: PatternFlags = []) throws(PatternError) {
    var parser = PatternParser(source, flags: flags)
    let node = try parser.parse()
    guard let program = PatternProgram(.group(node, number: 0)) else {
      throw PatternError(kind: .tooLarge, range: 0..<source.utf8.count)
    }
    self.program = program
    literal = PatternLiteral(node)
    isAnchored = node.isAnchored
    groupCount = parser.groupCount
  }
}
