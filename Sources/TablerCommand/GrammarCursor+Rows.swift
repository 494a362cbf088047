import TablerEngine

extension GrammarCursor {
  /// `( rows | "(" expr ")" ) ( "to" | "->" ) place`, as in `5,6 to top`.
  mutating func move() throws(GrammarError) -> Move {
    skipBlanks()
    let what: RowChoice =
      next == UInt8(ascii: "(") ? .matching(try parenthesizedExpression()) : .rows(try rowRanges())
    skipBlanks()
    if !take("->") {
      let place = offset
      guard word().text == "to" else {
        offset = place
        throw expected(.to)
      }
    }
    let place = try movePlace()
    skipBlanks()
    guard isAtEnd else { throw expected(.end) }
    return Move(what: what, place: place, source: text)
  }

  /// `rows | expr`, as in `2,5..7,-1` or `weight is null`.
  mutating func rowChoice() throws(GrammarError) -> RowChoice {
    let hasRowsOnly = bytes.allSatisfy { " \t,.-0123456789".utf8.contains($0) }
    guard hasRowsOnly, !bytes.isEmpty else { return .matching(try expression()) }
    let ranges = try rowRanges()
    guard isAtEnd else { throw expected(.end) }
    return .rows(ranges)
  }

  private mutating func movePlace() throws(GrammarError) -> Move.Place {
    skipBlanks()
    let word = word()
    switch word.text {
    case "top": return .top
    case "bottom": return .bottom
    case "before": return try neighbour(isAfter: false)
    case "after": return try neighbour(isAfter: true)
    case "", "-":
      offset = word.range.lowerBound
      return try neighbour(isAfter: false)
    default:
      let suggestion = word.text.nearest(among: ["top", "bottom", "before", "after"])
      throw error(.unknownPlace(word.text, suggestion: suggestion), at: word.range)
    }
  }

  /// The row that others move to, by number or by expression.
  private mutating func neighbour(isAfter: Bool) throws(GrammarError) -> Move.Place {
    skipBlanks()
    if next == UInt8(ascii: "(") {
      let expression = try parenthesizedExpression()
      return isAfter ? .afterMatch(expression) : .beforeMatch(expression)
    }
    guard let row = try row() else { throw expected(isAfter ? .rowNumber : .place) }
    return isAfter ? .afterRow(row) : .beforeRow(row)
  }

  /// `range { "," range }`, 1-based; -1 is the last row.
  private mutating func rowRanges() throws(GrammarError) -> [RowRange] {
    var ranges: [RowRange] = []
    repeat {
      skipBlanks()
      ranges.append(try rowRange())
      skipBlanks()
    } while take(",")
    return ranges
  }

  private mutating func rowRange() throws(GrammarError) -> RowRange {
    let start = offset
    let first = try row()
    guard take("..") else {
      guard let first else { throw expected(.rows) }
      return RowRange(first: first, last: first)
    }
    let last = try row()
    guard first != nil || last != nil else { throw expected(.rowNumber) }
    if let first, let last, (first < 0) == (last < 0), first > last {
      throw error(.rangeBackwards, at: start..<offset)
    }
    return RowRange(first: first, last: last)
  }

  private mutating func row() throws(GrammarError) -> Int? {
    let start = offset
    guard let row = try integer() else { return nil }
    guard row != 0 else { throw error(.rowZero, at: start..<offset) }
    return row
  }
}
