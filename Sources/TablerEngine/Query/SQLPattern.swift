/// A regular expression in the spelling that all engines read alike, printed from its tree.
///
/// The syntax of RE2 means other things elsewhere: in Postgres `.` matches a line end, in Java `a++` is possessive and `$`
/// matches before the last line end. So there are no flags, every mark of ASCII is escaped, and classes are written out.
struct SQLPattern {
  private let dialect: SQLDialect

  /// The most ranges of a class: properties of Unicode have hundreds, which engines know in other versions.
  private static let mostRanges = 60

  /// The most repetitions that Postgres counts.
  private static let mostCounted = 255

  /// The pattern as it is written; `nil` if it may have another meaning in the dialect.
  static func text(_ source: String, flags: PatternFlags, _ dialect: SQLDialect) -> String? {
    var parser = PatternParser(source, flags: flags)
    guard let node = try? parser.parse() else { return nil }
    return SQLPattern(dialect: dialect).text(node)
  }

  private func text(_ node: PatternNode) -> String? {
    switch node {
    case .empty: return "(?:)"
    case .scalars(let scalars): return text(scalars)
    case .sequence(let nodes): return joined(nodes, "")
    case .alternatives(let nodes): return joined(nodes, "|").map { "(?:\($0))" }
    case .repetition(let node, let least, let most, let isLazy):
      guard let item = text(node), let count = count(least, most) else { return nil }
      return (isItem(node) ? item : "(?:\(item))") + count + (isLazy ? "?" : "")
    case .group(let node, let number): return text(node).map { number == 0 ? $0 : "(\($0))" }
    case .assertion(.textStart): return "^"
    case .assertion(.textEnd): return dialect == .postgres ? "$" : "\\z"
    case .assertion(.wordBoundary) where dialect == .duckdb || dialect == .clickhouse: return "\\b"
    case .assertion(.noWordBoundary) where dialect == .duckdb || dialect == .clickhouse: return "\\B"
    case .assertion: return nil
    }
  }

  private func joined(_ nodes: [PatternNode], _ separator: String) -> String? {
    var texts: [String] = []
    for node in nodes {
      guard let text = text(node) else { return nil }
      texts.append(text)
    }
    return texts.joined(separator: separator)
  }

  /// Whether a count after the text of a node counts all of it.
  private func isItem(_ node: PatternNode) -> Bool {
    switch node {
    case .scalars, .alternatives: true
    case .group(_, let number): number > 0
    case .empty, .sequence, .repetition, .assertion: false
    }
  }

  private func count(_ least: Int, _ most: Int?) -> String? {
    switch (least, most) {
    case (0, nil): return "*"
    case (1, nil): return "+"
    case (0, 1): return "?"
    case (_, let most):
      if dialect == .postgres, max(least, most ?? 0) > Self.mostCounted { return nil }
      return most == least ? "{\(least)}" : "{\(least),\(most.map(String.init) ?? "")}"
    }
  }

  private func text(_ scalars: PatternScalars) -> String? {
    if let single = scalars.single { return escaped(single) }
    let isInverted = scalars.contains(PatternScalars.last)
    let ranges = (isInverted ? scalars.inverted : scalars).ranges
    if ranges.isEmpty { return isInverted ? "(?:[^a]|a)" : nil }
    guard ranges.count <= Self.mostRanges else { return nil }
    let members = ranges.map { range in
      range.lowerBound == range.upperBound
        ? escaped(range.lowerBound) : escaped(range.lowerBound) + "-" + escaped(range.upperBound)
    }
    return "[\(isInverted ? "^" : "")\(members.joined())]"
  }

  /// A scalar as it is, but marks of ASCII after a backslash.
  private func escaped(_ value: UInt32) -> String {
    guard let scalar = Unicode.Scalar(value) else { return "" }
    let isMark = scalar.isASCII && value > 0x20 && value < 0x7F && !scalar.properties.isAlphabetic
    return (isMark && !("0"..."9").contains(scalar) ? "\\" : "") + String(scalar)
  }
}
