extension InputError.Hint {
  /// What the titles of a header say of another form that the input rather has; `nil` where nothing does.
  static func misreading(of titles: [String], _ dialect: Dialect) -> Self? {
    if titles.contains(where: { $0.utf8.contains(0) }) { return .utf16 }
    let isOneColumn = titles.count == 1
    switch dialect.form {
    case .csv where dialect.delimiter != 9 && titles.contains(where: { $0.utf8.contains(9) }):
      return .from(.tsv)
    case .csv where isOneColumn && titles[0].trimmingBlanks.utf8.contains(32): return .from(.words)
    case .tsv where dialect.quote == nil && !titles.isEmpty && titles.allSatisfy(isQuoted): return .quote
    default: return nil
    }
  }

  private static func isQuoted(_ title: String) -> Bool {
    title.utf8.count > 1 && title.utf8.first == UInt8(ascii: "\"") && title.utf8.last == UInt8(ascii: "\"")
  }
}
