import TablerEngine

extension GrammarCursor {
  /// A template and the column it stands under or in.
  typealias ColumnTemplate = (column: ColumnReference, template: SourceTemplate)

  /// `titles`, `totals`, or a template for each of some columns.
  mutating func footer() throws(GrammarError) -> Footer {
    switch text.trimmingBlanks {
    case "titles": .titles
    case "totals": .totals
    default: .templates(try templates())
    }
  }

  /// `colref "=" template { "," … }`, as in `weight={:.0f} g,price="{:,.2f}, net"`.
  mutating func templates() throws(GrammarError) -> [ColumnTemplate] {
    try list { (cursor) throws(GrammarError) in
      let name = try cursor.name(.column, stops: .equalsSign)
      if cursor.option == .footer, cursor.isAtEnd {
        let suggestion = name.text.nearest(among: ["titles", "totals"])
        throw cursor.error(.unknownFooter(name.text, suggestion: suggestion), at: name.range)
      }
      if cursor.option == .format, cursor.isAtEnd, let form = OutputForm(named: name.text) {
        throw cursor.error(.formatIsForm(form.rawValue), at: name.range)
      }
      if cursor.stands(":") { throw cursor.needsQuotes() }
      guard cursor.take("=") else { throw cursor.expected(.equalsSign) }
      return (name.column, try cursor.listedTemplate())
    }
  }

  /// A template up to the next comma outside braces; one in quotes may hold commas.
  private mutating func listedTemplate() throws(GrammarError) -> SourceTemplate {
    let start = offset
    let template: SourceTemplate
    if let mark = next, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "`") {
      template = try self.template(try quoted())
    } else {
      do {
        template = try SourceTemplate(
          listedIn: text, bytes: bytes, option: spelling, at: offset, end: &offset)
      } catch {
        throw self.error(error)
      }
    }
    if option == .format, !template.template.hasFields, let mark = formatMark(in: start..<offset) {
      let isAlone = bytes[start..<offset].count { $0 == UInt8(ascii: "%") } == 1
      let isNumber = mark.count > 2 || isAlone && "disufegx".utf8.contains(bytes[mark.upperBound - 1])
      throw error(isNumber ? .printfFormat(text(mark)) : .dateFormat(text(mark)), at: mark)
    }
    return template
  }

  /// All of a text as a template.
  func template(_ content: String) throws(GrammarError) -> SourceTemplate {
    do {
      return try SourceTemplate(content, option: spelling)
    } catch {
      throw self.error(error)
    }
  }

  /// Where a `%` with a letter stands, as dates are written, or with digits between, as `printf` has it.
  private func formatMark(in range: Range<Int>) -> Range<Int>? {
    for place in range where bytes[place] == UInt8(ascii: "%") {
      let letter = bytes[(place + 1)..<range.upperBound].firstIndex { !"0123456789.,+-'".utf8.contains($0) }
      if let letter, bytes[letter] | 0x20 >= 0x61, bytes[letter] | 0x20 <= 0x7A { return place..<letter + 1 }
    }
    return nil
  }
}
