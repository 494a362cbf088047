import TablerEngine

extension GrammarCursor {
  /// `none`, or a template; of `--section-header`.
  func sectionHeader() throws(GrammarError) -> SourceTemplate? {
    text.trimmingBlanks == "none" ? nil : try template(text)
  }

  /// `none`, `titles`, `totals`, a template for each of some columns, or one template over all columns, which may stand
  /// in quotes; of `--section-footer`.
  mutating func sectionFooter() throws(GrammarError) -> SectionOptions.Foot? {
    if text.trimmingBlanks == "none" { return nil }
    if ["titles", "totals"].contains(text.trimmingBlanks) || namesColumn { return .columns(try footer()) }
    if let content = wholeQuoted { return .text(try template(content)) }
    return .text(try template(text))
  }

  /// Whether a name with `=` stands before the first field.
  private var namesColumn: Bool {
    var cursor = self
    cursor.skipBlanks()
    if let mark = cursor.next, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "`") {
      guard (try? cursor.quoted()) != nil else { return false }
      cursor.skipBlanks()
      return cursor.stands("=")
    }
    return bytes.first { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "{") } == UInt8(ascii: "=")
  }

  /// What stands in quotes, if that is all.
  private var wholeQuoted: String? {
    var cursor = self
    cursor.skipBlanks()
    guard let mark = cursor.next, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "`"),
      let content = try? cursor.quoted()
    else { return nil }
    cursor.skipBlanks()
    return cursor.isAtEnd ? content : nil
  }
}
