extension Messages {
  /// What may be meant where sections have a value that an earlier one had.
  ///
  /// - Parameter key: the value of `--section-by`, as it was typed.
  func text(sectionsCameBack count: Int, _ first: [UInt8], _ key: String, _ isExpression: Bool) -> String {
    let name = "'\(Self.escaped(first))'"
    let sections = count == 1 ? "section \(name)" : "\(count) sections (first: \(name))"
    let sortKey = isExpression ? "(\(key))" : Self.target(Self.unquoted(key))
    return error(
      "note",
      "\(sections) began again after others; --sort \(Self.typed(sortKey)) brings rows of a section together")
  }

  /// The name of a column that may stand in backquotes.
  private static func unquoted(_ name: String) -> String {
    let name = name.trimmingBlanks
    guard name.utf8.count > 1, name.hasPrefix("`"), name.hasSuffix("`") else { return name }
    // Of two backquotes in a row the second goes.
    var isKept = false
    return name.dropFirst().dropLast().filter { character in
      isKept = character == "`" && !isKept
      return character != "`" || isKept
    }
  }
}
