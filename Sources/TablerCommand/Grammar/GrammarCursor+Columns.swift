import TablerEngine

/// Columns.
extension GrammarCursor {
  /// `item { "," item }`, as in `name,weight=Weight,a..c,price*,!color`.
  mutating func columnList() throws(GrammarError) -> ColumnList {
    ColumnList(try list { (cursor) throws(GrammarError) in try cursor.columnEntry() })
  }

  /// `columns "=" title { "," columns "=" title }`, as in `q1..q4=2025,total=All`.
  mutating func spans() throws(GrammarError) -> [ColumnSpan] {
    try list { (cursor) throws(GrammarError) in
      var entries: [ColumnList.Entry] = []
      repeat {
        cursor.skipBlanks()
        entries.append(try cursor.columnEntry(isTitled: false))
        cursor.skipBlanks()
      } while cursor.consume(",")
      guard cursor.consume("=") else { throw cursor.expected(.equalsSign) }
      cursor.skipBlanks()
      return ColumnSpan(try cursor.filledTitle(), over: ColumnList(entries))
    }
  }

  /// - Parameter isTitled: whether a title may come after the name of a column.
  private mutating func columnEntry(isTitled: Bool = true) throws(GrammarError) -> ColumnList.Entry {
    let start = offset
    let isExcluded = consume("!")
    skipBlanks()
    let first = stands("..") ? nil : try name(.column, stops: [.equalsSign, .range])
    let item: ColumnList.Item
    if consume("..") {
      item = try range(from: first)
    } else if let first, first.isGlob {
      item = .glob(first.text)
    } else if let first, isTitled, !isExcluded, consume("=") {
      return ColumnList.Entry(.column(first.column, title: try name(.title).text))
    } else if let first {
      item = .column(first.column, title: nil)
    } else {
      throw expected(.column)
    }
    if isTitled, next == UInt8(ascii: "=") { throw error(.titleForSeveral, at: start..<offset) }
    return ColumnList.Entry(item, isExcluded: isExcluded)
  }

  /// `columns "to" title "," title`, as in `2024,2025 to year, sales`.
  mutating func unpivoting() throws(GrammarError) -> Unpivoting {
    guard let place = place(of: "to") else {
      _ = try columnList()
      throw expected(.toColumns)
    }
    var list = GrammarCursor(text(0..<place), of: option)
    let columns: ColumnList
    do { columns = try list.columnList() } catch { throw self.error(error.kind, at: error.range) }
    offset = place + 2
    let name = try filledTitle()
    guard consume(",") else { throw expected(.comma) }
    let value = try filledTitle()
    guard isAtEnd else { throw expected(.end) }
    return Unpivoting(columns, name: name, value: value)
  }

  /// A title that is not empty.
  private mutating func filledTitle() throws(GrammarError) -> String {
    let title = try name(.title)
    if title.text.trimmingBlanks.isEmpty { throw error(.expected(.title, found: nil), at: title.range) }
    return title.text.trimmingBlanks
  }

  /// One column and nothing else.
  mutating func columnAlone() throws(GrammarError) -> ColumnReference {
    var name = try name(.column)
    guard isAtEnd else { throw expected(.end) }
    // The elements of a list are meant anyway.
    if !name.isQuoted, name.text.hasSuffix("[*]") { name.text.removeLast(3) }
    return name.column
  }

  /// `file "on" column [ "=" column ] { "," … }`, as in `prices.csv on id = key, day`.
  mutating func join() throws(GrammarError) -> Join {
    guard let place = place(of: "on") else {
      offset = bytes.count
      throw expected(.onKeys)
    }
    let file = text(0..<place).trimmingBlanks
    if file.isEmpty { throw error(.expected(.file, found: nil), at: 0..<place) }
    offset = place + 2
    var keys: [Join.EqualColumns] = []
    repeat {
      let own = try name(.column, stops: .equalsSign)
      let other = consume("=") ? try name(.column, stops: .equalsSign) : own
      keys.append(Join.EqualColumns(own: own.column, other: other.column))
    } while consume(",")
    guard isAtEnd else { throw expected(.end) }
    return Join(file == "-" ? .standardInput : .file(FilePath(file)), keys: keys)
  }

  /// Where the last occurrence of a word is that stands alone, outside of quotes.
  private func place(of word: String) -> Int? {
    var (place, mark): (Int?, UInt8?) = (nil, nil)
    for index in bytes.indices.dropFirst(offset) {
      let byte = bytes[index]
      if let open = mark {
        if byte == open { mark = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "`") {
        mark = byte
      } else if bytes[index...].starts(with: word.utf8), index > 0, " \t\"`".utf8.contains(bytes[index - 1]),
        index + 2 == bytes.count || " \t\"`".utf8.contains(bytes[index + 2])
      {
        place = index
      }
    }
    return place
  }

  /// The keys of `--group-by`: columns, `(expr)` and calls, each of which may have a title after `=`.
  mutating func groupKeys() throws(GrammarError) -> (columns: ColumnList?, values: [Grouping.KeyValue]) {
    var columns: [ColumnList.Entry] = []
    var values: [Grouping.KeyValue] = []
    _ = try list { (cursor) throws(GrammarError) in
      guard cursor.beginsValue else {
        columns.append(try cursor.columnEntry())
        return
      }
      let value = try cursor.parenthesizedExpression()
      cursor.skipBlanks()
      let title = cursor.consume("=") ? try cursor.name(.title).text : nil
      if let next = cursor.next, next != UInt8(ascii: ",") {
        throw cursor.error(.keyNeedsParentheses, at: cursor.offset..<cursor.offset + 1)
      }
      values.append(Grouping.KeyValue(value, title: title, after: columns.count))
    }
    return (columns.isEmpty ? nil : ColumnList(columns), values)
  }

  /// What `--pivot` makes columns of: one key.
  mutating func groupKey() throws(GrammarError) -> (columns: ColumnList?, values: [Grouping.KeyValue]) {
    let start = offset
    let keys = try groupKeys()
    let entries = keys.columns?.entries ?? []
    let areColumns = entries.allSatisfy { entry in
      if case .column = entry.item { !entry.isExcluded } else { false }
    }
    if !areColumns || entries.count + keys.values.count != 1 { throw error(.oneKey, at: start..<offset) }
    return keys
  }

  /// Whether `(` comes next, perhaps after the name of a function.
  private var beginsValue: Bool {
    let rest = String(decoding: bytes[offset...], as: UTF8.self).unicodeScalars
    let name = rest.prefix { $0 == "_" || $0.properties.isXIDContinue }
    return rest[name.endIndex...].first == "("
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

  /// The part before the `:` of `COL:…`: a column or a glob.
  mutating func columnSelector() throws(GrammarError) -> ColumnSelector {
    let name = try name(.column)
    return name.isGlob ? .glob(name.text) : .column(name.column)
  }

  /// `[ colspec ":" ] expr [ "," string ]`, as in `weight: value > 0, "must be positive"`.
  mutating func validationRule() throws(GrammarError) -> ValidationRule {
    let columns = try fieldColumns()
    do {
      return try ValidationRule(text, option: spelling, columns: columns, at: offset)
    } catch { throw self.error(error) }
  }

  /// Consumes `colspec ":"`, if that comes first: in quotes, or made of letters, digits, `_`, `-`, `.`, `*`,
  /// `@` and `$`, so that the `:` of an expression is never mistaken for it.
  private mutating func fieldColumns() throws(GrammarError) -> (selector: ColumnSelector, range: Range<Int>)?
  {
    var ahead = self
    ahead.skipBlanks()
    let start = ahead.offset
    var selector: ColumnSelector
    if let mark = ahead.next, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "`") {
      guard let name = try? ahead.quoted() else { return nil }
      selector = .column(.name(name, isQuoted: true))
    } else {
      let rest = String(decoding: bytes[start...], as: UTF8.self).unicodeScalars
      let word = rest.prefix { "-.*@_$".unicodeScalars.contains($0) || $0.properties.isXIDContinue }
      let name = Name(text: String(word), isQuoted: false, range: start..<start + String(word).utf8.count)
      ahead.offset = name.range.upperBound
      selector = name.isGlob ? .glob(name.text) : .column(name.column)
      if word.first == "$" {
        guard let position = Int(String(word.dropFirst())), position > 0 else { return nil }
        selector = .column(.position(position))
      }
    }
    let range = start..<ahead.offset
    ahead.skipBlanks()
    guard !range.isEmpty, ahead.consume(":") else { return nil }
    self = ahead
    return (selector, range)
  }

  /// `title { "," title }`, as in `--names size,path`.
  mutating func names() throws(GrammarError) -> [String] {
    try list { (cursor) throws(GrammarError) in try cursor.name(.name).text }
  }

  /// `colspec ":" align { "," … }`.
  mutating func alignments() throws(GrammarError) -> [(column: ColumnSelector, alignment: Alignment)] {
    try list { (cursor) throws(GrammarError) in
      let column = try cursor.columnSelector()
      guard cursor.consume(":") else { throw cursor.expected(.colon) }
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

  /// `weight:number,zip:text,*:text`.
  mutating func types() throws(GrammarError) -> [TypeDeclaration] {
    try list { (cursor) throws(GrammarError) in
      let columns = try cursor.columnSelector()
      guard cursor.consume(":") else { throw cursor.expected(.colonAndType) }
      cursor.skipBlanks()
      let word = cursor.word()
      if word.text.isEmpty { throw cursor.expected(.type) }
      guard let type = ValueType(rawValue: word.text.lowercased()) else {
        let names = ValueType.allCases.map(\.rawValue)
        let suggestion = OtherTools.type(word.text) ?? word.text.lowercased().nearest(among: names)
        throw cursor.error(.unknownType(word.text, suggestion: suggestion), at: word.range)
      }
      return TypeDeclaration(columns, type)
    }
  }

  /// `colref "=" value { "," value }`, as in `color=red,orange`.
  mutating func valueOrder() throws(GrammarError) -> ValueOrder {
    let column = try name(.column, stops: .equalsSign)
    guard consume("=") else { throw expected(.equalsSign) }
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

/// Widths of columns.
extension GrammarCursor {
  /// `gridItem { "," gridItem }`, as in `40,10..30~18:r+2,12..,fixed(19)*6`.
  mutating func gridItems() throws(GrammarError) -> GridItems {
    if let flow = try adaptiveItem() { return .records(flow) }
    return .columns(try list { (cursor) throws(GrammarError) in try cursor.gridItem() })
  }

  /// `adaptive(least [ "," most ])`, if that comes next; it must be the only item.
  private mutating func adaptiveItem() throws(GrammarError) -> FlowWidth? {
    var ahead = self
    ahead.skipBlanks()
    guard ahead.word().text == "adaptive" else { return nil }
    guard ahead.consume("(") else { throw ahead.expected(.opening) }
    let start = ahead.offset
    let least = try ahead.cells(1...Self.longest)
    ahead.skipBlanks()
    let most = ahead.consume(",") ? try ahead.cells(1...Self.longest) : nil
    if let most, least > most { throw error(.rangeBackwards, at: start..<ahead.offset) }
    try ahead.consumeClosing()
    ahead.skipBlanks()
    guard ahead.isAtEnd else { throw ahead.expected(.endOfAdaptive) }
    self = ahead
    return FlowWidth(least: least, most: most)
  }

  /// `size [ ":" align ] [ "+" space ] [ "*" count ]`.
  private mutating func gridItem() throws(GrammarError) -> GridItem {
    var item = try gridItemSize()
    skipBlanks()
    if consume(":") { item.alignment = try alignment() }
    skipBlanks()
    if consume("+") { item.spacing = try cells(0...Self.longest) }
    skipBlanks()
    if consume("*") { item.count = try cells(1...Self.longest) }
    skipBlanks()
    if !isAtEnd, !stands(",") { throw expected(.itemPart) }
    return item
  }

  private mutating func gridItemSize() throws(GrammarError) -> GridItem {
    if stands("-") { throw expected(.gridItem) }
    let word = word()
    switch word.text {
    case "fixed":
      guard consume("(") else { throw expected(.opening) }
      let width = try cells(1...Self.longest)
      try consumeClosing()
      return GridItem(least: width, most: width)
    case "flexible":
      return try consume("(") ? flexibleItem() : GridItem()
    case "": return try spannedItem()
    case "adaptive": throw error(.adaptiveAmongItems, at: word.range)
    default:
      let suggestion = word.text.nearest(among: ["fixed", "flexible", "adaptive"])
      throw error(.unknownItem(word.text, suggestion: suggestion), at: word.range)
    }
  }

  /// `[ least ] [ "," most ] ")"`.
  private mutating func flexibleItem() throws(GrammarError) -> GridItem {
    skipBlanks()
    let start = offset
    let least = stands(",") || stands(")") ? nil : try cells(1...Self.longest)
    skipBlanks()
    let most = consume(",") ? try cells(1...Self.longest) : nil
    let item = try gridItem(from: least, through: most, at: start..<offset)
    try consumeClosing()
    return item
  }

  private mutating func consumeClosing() throws(GrammarError) {
    skipBlanks()
    guard consume(")") else { throw expected(.closing) }
  }

  /// `20`, `10..30`, `10..`, `..30`; the last three perhaps with `~18`.
  private mutating func spannedItem() throws(GrammarError) -> GridItem {
    let start = offset
    let hasStart = next.map(Self.isDigit) ?? false
    if !hasStart, !stands("..") { throw expected(.gridItem) }
    let least = hasStart ? try cells(1...Self.longest) : nil
    guard consume("..") else { return GridItem(least: least, most: least) }
    let most = !hasStart || (next.map(Self.isDigit) ?? false) ? try cells(1...Self.longest) : nil
    var item = try gridItem(from: least, through: most, at: start..<offset)
    if consume("~") { item.ideal = try cells(1...Self.longest) }
    return item
  }

  private func gridItem(
    from least: Int?, through most: Int?, at range: Range<Int>
  ) throws(GrammarError) -> GridItem {
    if let least, let most, least > most { throw error(.rangeBackwards, at: range) }
    return GridItem(least: least, most: most)
  }

  /// A number of cells or columns, without a sign.
  mutating func cells(_ range: ClosedRange<Int>) throws(GrammarError) -> Int {
    skipBlanks()
    let start = offset
    guard let next, Self.isDigit(next) else { throw expected(.count) }
    _ = consumeDigits()
    let digits = bytes[start..<offset].filter { $0 != UInt8(ascii: "_") }
    guard let number = Int(String(decoding: digits, as: UTF8.self)), range.contains(number) else {
      throw error(.outOfRange(text(start..<offset), range), at: start..<offset)
    }
    return number
  }
}

/// Sort keys.
extension GrammarCursor {
  /// `key { "," key }`, as in `-weight:number,(len(name)),"a,b"`.
  mutating func sortKeys() throws(GrammarError) -> [SortKey] {
    try list { (cursor) throws(GrammarError) in try cursor.sortKey() }
  }

  private mutating func sortKey() throws(GrammarError) -> SortKey {
    var flags = SortFlags()
    let start = offset
    if consume("-") { flags.direction = "-" } else if consume("+") { flags.direction = "+" }
    skipBlanks()
    let target: SortKey.Target
    let place: Range<Int>
    if next == UInt8(ascii: "(") {
      let opening = offset
      target = .expression(try parenthesizedExpression())
      place = opening..<offset
      skipBlanks()
    } else {
      let name = try name(.column)
      target = .column(name.column)
      place = name.range
    }
    while consume(":") {
      skipBlanks()
      let flag = word()
      guard !flag.text.isEmpty else { throw expected(.flag) }
      if let kind = flags.add(flag.text) {
        throw error(kind, at: kind == .twiceReversed ? start..<offset : flag.range)
      }
      skipBlanks()
    }
    return SortKey(
      target: target, comparison: flags.comparison ?? .auto, isDescending: flags.isDescending,
      nulls: flags.nulls, place: place)
  }
}

/// The sign and the flags of a sort key, some of which exclude each other.
private struct SortFlags {
  var direction: String?
  var comparison: SortKey.Comparison?
  var nulls: NullPlacement?

  var isDescending: Bool { direction == "-" || direction == "desc" }

  static let words = SortKey.Comparison.allCases.map(\.rawValue) + ["asc", "desc", "first", "last"]

  /// Adds another flag; returns what is wrong with it, if anything.
  mutating func add(_ flag: String) -> GrammarError.Kind? {
    switch flag {
    case "asc", "desc":
      if isDescending, flag == "desc" { return .twiceReversed }
      if let direction, direction != "+" || flag == "desc" { return .contradictingFlags(direction, flag) }
      direction = flag
    case "first", "last":
      if let nulls { return .contradictingFlags(nulls.rawValue, flag) }
      nulls = NullPlacement(rawValue: flag)
    default:
      guard let new = SortKey.Comparison(rawValue: flag) else {
        return .unknownFlag(
          flag, known: Self.words, suggestion: OtherTools.sortFlag(flag) ?? flag.nearest(among: Self.words))
      }
      if let comparison { return .contradictingFlags(comparison.rawValue, flag) }
      comparison = new
    }
    return nil
  }
}

/// Templates of columns.
extension GrammarCursor {
  /// A template with its column.
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
    try namedTemplates().map { ($0.name.column, $0.template) }
  }

  /// `colspec "=" template { "," … }`, as in `*={:.1f},created=%d.%m.%Y`.
  mutating func formats() throws(GrammarError) -> [(columns: ColumnSelector, template: SourceTemplate)] {
    try namedTemplates().map { ($0.name.isGlob ? .glob($0.name.text) : .column($0.name.column), $0.template) }
  }

  private mutating func namedTemplates() throws(GrammarError) -> [(name: Name, template: SourceTemplate)] {
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
      guard cursor.consume("=") else { throw cursor.expected(.equalsSign) }
      let start = cursor.offset
      let template = try cursor.listedTemplate()
      if let mark = cursor.bytes[start...].first, mark != UInt8(ascii: "\""), mark != UInt8(ascii: "`") {
        try cursor.refuseBareCall(template, at: start..<cursor.offset)
      }
      return (name, template)
    }
  }

  /// A template up to the next comma outside braces; one in quotes may contain commas.
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
      let isShort = mark.count == 3 && bytes[mark.lowerBound + 1] == UInt8(ascii: "-")
      if isShort, let dates = template.ofDates { return dates }
      let isNumber = mark.count > 2 || isAlone && "disufegx".utf8.contains(bytes[mark.upperBound - 1])
      if !isNumber, let dates = template.ofDates { return dates }
      throw error(isNumber ? .printfFormat(text(mark)) : .dateFormat(text(mark)), at: mark)
    }
    if option == .format, !template.template.hasFields, let format = text(start..<offset).bareFormat {
      throw error(.formatWithoutBraces(text(start..<offset), format), at: start..<offset)
    }
    return template
  }

  /// Rejects a call without braces, which would be shown literally: `mean(weight)`.
  private func refuseBareCall(_ template: SourceTemplate, at range: Range<Int>) throws(GrammarError) {
    let text = text(range).trimmingBlanks
    guard !template.template.hasFields, text.hasSuffix(")"), let name = text.prefixBeforeCall,
      Function.isKnown(name), (try? SourceExpression(text, option: spelling)) != nil
    else { return }
    throw error(.callWithoutBraces(text), at: range)
  }

  /// A whole text as a template.
  func template(_ content: String) throws(GrammarError) -> SourceTemplate {
    do {
      return try SourceTemplate(content, option: spelling)
    } catch {
      throw self.error(error)
    }
  }

  /// The range of a `%` with a letter, as in dates, or with digits between, as in `printf`.
  private func formatMark(in range: Range<Int>) -> Range<Int>? {
    for place in range where bytes[place] == UInt8(ascii: "%") {
      let letter = bytes[(place + 1)..<range.upperBound].firstIndex { !"0123456789.,+-'".utf8.contains($0) }
      if let letter, bytes[letter] | 0x20 >= 0x61, bytes[letter] | 0x20 <= 0x7A { return place..<letter + 1 }
    }
    return nil
  }
}

extension String {
  /// The format that it is as a whole, `.2f` or `0.00`, as it is written in braces.
  fileprivate var bareFormat: String? {
    let parts = split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].allSatisfy({ "#0,+-".contains($0) }) else { return nil }
    let digits = parts[1].prefix { ("0"..."9").contains($0) }
    let last = parts[1].dropFirst(digits.count)
    if last.isEmpty, !digits.isEmpty, digits.allSatisfy({ $0 == "0" }) { return ".\(digits.count)f" }
    let isFormat = last == "%" || last.count == 1 && last.allSatisfy(\.isLetter)
    return isFormat && !digits.isEmpty ? ".\(digits)\(last)" : nil
  }
}

/// Rows.
extension GrammarCursor {
  /// `( rows | "(" expr ")" ) ( "to" | "->" ) place`, as in `5,6 to top`.
  mutating func move() throws(GrammarError) -> Move {
    skipBlanks()
    let what: RowChoice =
      next == UInt8(ascii: "(") ? .matching(try parenthesizedExpression()) : .rows(try rowRanges())
    skipBlanks()
    if !consume("->") {
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

  private mutating func movePlace() throws(GrammarError) -> Move.Position {
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
  private mutating func neighbour(isAfter: Bool) throws(GrammarError) -> Move.Position {
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
    } while consume(",")
    return ranges
  }

  private mutating func rowRange() throws(GrammarError) -> RowRange {
    let start = offset
    let first = try row()
    guard consume("..") else {
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

extension GrammarCursor {
  /// `none`, or a template; of `--section-header`.
  func sectionHeader() throws(GrammarError) -> SourceTemplate? {
    if text.trimmingBlanks == "none" { return nil }
    let template = try template(text)
    try refuseBareCall(template, at: 0..<bytes.count)
    return template
  }

  /// `none`, `titles`, `totals`, a template for each of some columns, or one template across all columns,
  /// which may be in quotes; of `--section-footer`.
  mutating func sectionFooter() throws(GrammarError) -> SectionOptions.Foot? {
    if text.trimmingBlanks == "none" { return nil }
    if ["titles", "totals"].contains(text.trimmingBlanks) || namesColumn { return .columns(try footer()) }
    if let content = wholeQuoted { return .text(try template(content)) }
    let template = try template(text)
    try refuseBareCall(template, at: 0..<bytes.count)
    return .text(template)
  }

  /// Whether a name with `=` precedes the first field.
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

  /// The text in quotes, if that is the whole value.
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

extension String {
  /// The word before a parenthesis, if the text begins with one.
  fileprivate var prefixBeforeCall: String? {
    let word = unicodeScalars.prefix { $0 == "_" || $0.properties.isXIDContinue }
    guard !word.isEmpty, unicodeScalars[word.endIndex...].first == "(" else { return nil }
    return String(word)
  }
}
