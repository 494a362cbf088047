import TablerEngine

extension GrammarCursor {
  /// `item { "," item }`, as in `name,weight=Weight,a..c,price*,!color`.
  mutating func columnList() throws(GrammarError) -> ColumnList {
    ColumnList(try list { (cursor) throws(GrammarError) in try cursor.columnEntry() })
  }

  private mutating func columnEntry() throws(GrammarError) -> ColumnList.Entry {
    let start = offset
    let isExcluded = take("!")
    skipBlanks()
    let first = stands("..") ? nil : try name(.column, stops: [.equalsSign, .range])
    let item: ColumnList.Item
    if take("..") {
      item = try range(from: first)
    } else if let first, first.isGlob {
      item = .glob(first.text)
    } else if let first, !isExcluded, take("=") {
      return ColumnList.Entry(.column(first.column, title: try name(.title).text))
    } else if let first {
      item = .column(first.column, title: nil)
    } else {
      throw expected(.column)
    }
    if next == UInt8(ascii: "=") { throw error(.titleForSeveral, at: start..<offset) }
    return ColumnList.Entry(item, isExcluded: isExcluded)
  }

  /// The rest of a range, after its dots.
  private mutating func range(from first: Name?) throws(GrammarError) -> ColumnList.Item {
    skipBlanks()
    var last: Name?
    if let next, next != UInt8(ascii: ","), next != UInt8(ascii: "=") {
      last = try name(.column, stops: [.equalsSign, .range])
    }
    if let glob = [first, last].compactMap(\.self).first(where: \.isGlob) {
      throw error(.globInRange, at: glob.range)
    }
    return .range(from: first?.column, through: last?.column)
  }

  /// What stands before the `:` of `COL:…`: a column or a glob.
  mutating func columnSelector() throws(GrammarError) -> ColumnSelector {
    let name = try name(.column)
    return name.isGlob ? .glob(name.text) : .column(name.column)
  }

  /// `title { "," title }`, as in `--names size,path`.
  mutating func names() throws(GrammarError) -> [String] {
    try list { (cursor) throws(GrammarError) in try cursor.name(.name).text }
  }

  /// `colspec ":" align { "," … }`.
  mutating func alignments() throws(GrammarError) -> [(column: ColumnSelector, alignment: Alignment)] {
    try list { (cursor) throws(GrammarError) in
      let column = try cursor.columnSelector()
      guard cursor.take(":") else { throw cursor.expected(.colon) }
      return (column, try cursor.alignment())
    }
  }

  private mutating func alignment() throws(GrammarError) -> Alignment {
    skipBlanks()
    let word = word()
    if word.text.isEmpty { throw expected(.alignment) }
    let known = Alignment.allCases
    if word.text.utf8.count == 1, let found = known.first(where: { $0.letter == word.text }) { return found }
    if let found = Alignment(rawValue: word.text) { return found }
    let suggestion = OtherTools.alignment(word.text) ?? word.text.nearest(among: known.map(\.rawValue))
    throw error(.unknownAlignment(word.text, suggestion: suggestion), at: word.range)
  }

  /// `colref "=" value { "," value }`, as in `color=red,orange`.
  mutating func valueOrder() throws(GrammarError) -> ValueOrder {
    let column = try name(.column, stops: .equalsSign)
    guard take("=") else { throw expected(.equalsSign) }
    let values = try list { (cursor) throws(GrammarError) in try cursor.name(.value).text }
    return ValueOrder(column: column.column, values: values)
  }
}

extension Alignment {
  /// The short form in options.
  fileprivate var letter: String {
    switch self {
    case .leading: "l"
    case .center: "c"
    case .trailing: "r"
    case .decimal: "d"
    }
  }
}
