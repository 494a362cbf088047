import TablerEngine

extension LayoutOptions {
  /// Reads what the options about sections say.
  mutating func readSections(_ arguments: Arguments, notices: inout [PlanNotice]) throws(PlanError) {
    let header = try arguments.readLast(.sectionHeader) { (cursor) throws(GrammarError) in
      try cursor.sectionHeader()
    }
    let footer = try arguments.readLast(.sectionFooter) { (cursor) throws(GrammarError) in
      try cursor.sectionFooter()
    }
    guard let value = try arguments.expressions(.sectionBy).last else {
      for option in [Option.ID.sectionHeader, .sectionFooter] where arguments.has(option) {
        notices.append(.idleGuard(option, without: .sectionBy))
      }
      return
    }
    var sections = SectionOptions(by: value)
    if let header { sections.header = header } else { sections.header = try Self.standardSectionHeader() }
    sections.footer = footer ?? nil
    self.sections = sections
  }

  /// What names a section unless something was typed.
  private static func standardSectionHeader() throws(PlanError) -> SourceTemplate {
    let cursor = GrammarCursor(Option[.sectionHeader].fallback, of: .sectionHeader)
    do { return try cursor.template(cursor.text) } catch { throw .grammar(error) }
  }
}
