/// An interactive page: what the script of `--interactive` must be told of the table that it finds in the page.
///
/// The script reads the value of a cell from the text shown. An attribute of the cell has the value if the text does not
/// say it, and the key that it is ordered by (a number, a text or null), if the script would read another one.
struct Page: Sendable {
  /// A column shown.
  struct DescribedColumn: Sendable {
    /// Its cells.
    var source: ResolvedColumn

    /// The declared type of its cells.
    var type: ValueType?

    /// How its cells are ordered.
    var key: BoundKey

    /// How they would be if no key had a flag.
    var usualComparison: SortKey.Comparison
  }

  /// A column that identifies rows.
  struct HiddenKey: Sendable {
    /// Its name.
    var name: String

    /// Its cells.
    var source: ResolvedColumn

    /// The declared type of its cells.
    var type: ValueType?
  }

  /// A condition for rows that may be changed, and the letter of what is refused where it does not hold.
  private struct LetteredGuard: Sendable {
    var letter: Character
    var program: Program
    var state: EvaluationState
  }

  /// The table in JSON: the attribute `data-page`.
  let description: ByteBlock

  /// The columns shown; `nil` for one that is no column of the data.
  private let columns: [DescribedColumn?]

  /// Whether the cells of each column may have values or keys that their texts do not say.
  private let needsValue: [Bool]

  private var guards: [LetteredGuard]

  /// The columns that identify rows, if one of them is not shown.
  private let hiddenKeys: [HiddenKey]

  /// Describes a page.
  ///
  /// - Parameters:
  ///   - description: the table in JSON.
  ///   - columns: the columns shown; `nil` for one that is no column of the data.
  ///   - hiddenKeys: the columns that identify rows, if one of them is not shown.
  ///   - guards: the conditions for rows that may be changed, with their letters.
  ///   - readsValues: whether cells have values that texts do not say: those of JSON.
  init(
    _ description: ByteBlock, _ columns: [DescribedColumn?], hiddenKeys: [HiddenKey],
    guards: [(letter: Character, program: Program)], readsValues: Bool
  ) {
    self.description = description
    self.columns = columns
    self.hiddenKeys = hiddenKeys
    self.guards = guards.map {
      LetteredGuard(letter: $0.letter, program: $0.program, state: $0.program.freshState)
    }
    needsValue = columns.map { column in
      column.map { readsValues || $0.type == .text || $0.key.mayDifferFromText } ?? false
    }
  }

  /// Whether rows have attributes of their own.
  var marksRows: Bool { !guards.isEmpty || !hiddenKeys.isEmpty }

  /// Whether cells of a column may be copied as they are.
  func copiesCells(of column: Int) -> Bool { !needsValue[column] && !(column == 0 && marksRows) }

  /// Appends the attribute of the table.
  func appendDescription(to out: inout ByteBuffer) { Self.append(" data-page", description.span, to: &out) }

  /// Appends the attributes of a row.
  mutating func append(attributesOf row: Int, _ batch: Batch, to out: inout ByteBuffer) {
    if !hiddenKeys.isEmpty {
      var object = ByteBuffer(capacity: 64)
      for (place, key) in hiddenKeys.enumerated() {
        object.append(place == 0 ? "{" : ",")
        object.appendJSON(string: key.name.utf8.span)
        object.append(":")
        _ = object.append(jsonValueOf: key.source, of: batch, row: row, as: key.type)
      }
      object.append("}")
      Self.append(" data-id", object.span, to: &out)
    }
    var refused = ""
    for index in guards.indices {
      var rows = [UInt32(row)]
      guards[index].program.filter(batch, rows: &rows, state: &guards[index].state)
      if rows.isEmpty { refused.append(guards[index].letter) }
    }
    if !refused.isEmpty { out.append(" data-keep=\"\(refused)\"") }
  }

  /// Appends the attributes of a cell: its value and its key, each only if the text does not say it.
  func append(
    attributesOf column: Int, _ shown: CellText.Shown, of cells: borrowing SpelledCells<HTMLText>,
    _ batch: Batch,
    _ row: Int, to out: inout ByteBuffer
  ) {
    guard let column = columns[column] else { return }
    var value = ByteBuffer(capacity: 64)
    _ = value.append(jsonValueOf: column.source, of: batch, row: row, as: column.type)
    if !cells.says(value.span, shown, batch) { Self.append(" data-v", value.span, to: &out) }
    if column.key.mayDifferFromText { append(keyOf: column, batch, row, to: &out) }
  }

  /// Appends the key that a cell is ordered by, if the script would read another one from its value.
  private func append(keyOf column: DescribedColumn, _ batch: Batch, _ row: Int, to out: inout ByteBuffer) {
    let found = batch.value(of: column.source, row: row)
    var text = ByteBuffer(capacity: 64)
    let kind = found.isWhole ? found.cell.kind : found.kind
    switch kind {
    case .null, .missing, .empty, .list, .object: return
    case .bool where column.key.readsTexts: return
    case .text, .number, .bool: break
    }
    if found.isWhole {
      text.append(batch.content(found.cell))
    } else {
      found.appendText(of: batch.content(found.cell), to: &text)
    }
    var key = ByteBuffer(capacity: 32)
    if let derived = column.key.derivedText(text.span) {
      key.appendJSON(string: derived.span)
      return Self.append(" data-k", key.span, to: &out)
    }
    let number = column.key.number(of: text.span, kind)
    let read = column.key.readsTexts ? NumberReader.loose(text.span) : nil
    if let number, let read, Number.compare(number, read) == 0 { return }
    if let number {
      NumberWriter.append(number, to: &key)
    } else if column.key.comparison == .auto {
      if read == nil { return }
      key.appendJSON(string: text.span)
    } else {
      key.append("null")
    }
    Self.append(" data-k", key.span, to: &out)
  }

  /// Appends an attribute whose value is JSON.
  private static func append(_ name: StaticString, _ json: Span<UInt8>, to out: inout ByteBuffer) {
    out.append(name)
    out.append("=\"")
    HTMLText.append(json: json, to: &out)
    out.append("\"")
  }

  /// The script as pages carry it: without its indentation, its empty lines and the lines that are only comments.
  ///
  /// No text of the script may span lines: it would change.
  static let script: [UInt8] = {
    var script: [UInt8] = []
    for line in PackageResources.page_js.split(separator: UInt8(ascii: "\n")) {
      let code = line.drop { $0 == UInt8(ascii: " ") }
      if code.isEmpty || code.starts(with: "//".utf8) { continue }
      script += code
      script.append(UInt8(ascii: "\n"))
    }
    return script
  }()

  /// The style of what the script adds.
  static var style: String { String(decoding: PackageResources.page_css, as: UTF8.self) }
}

extension SpelledCells<HTMLText> {
  /// Whether the text shown last says a value: nothing is null, `true`, `false` and numbers are what they look like, and
  /// every other text is a string.
  ///
  /// - Parameter value: the value in JSON.
  fileprivate func says(_ value: Span<UInt8>, _ shown: CellText.Shown, _ batch: Batch) -> Bool {
    if shown.isDim { return value.equals("null") }
    return withText(of: shown, batch) { text in
      if text.isEmpty { return value.equals("null") }
      if text.isJSONNumber || text.equals("true") || text.equals("false") {
        return text.equals(value)
      }
      var string = ByteBuffer(capacity: text.count + 2)
      string.appendJSON(string: text)
      return string.span.equals(value) && spelling.keeps(text)
    }
  }
}

extension BoundKey {
  /// Whether the script reads numbers from the texts of values.
  fileprivate var readsTexts: Bool { comparison == .auto || comparison == .number }

  /// Whether cells may be ordered by other numbers than the script reads from their values.
  fileprivate var mayDifferFromText: Bool {
    switch comparison {
    case .date, .duration, .size, .natural, .nocase, .length, .version: true
    case .auto: dateFormat != nil || coder.marks != .standard
    case .number: coder.readsAmounts || coder.marks != .standard
    case .text: false
    }
  }
}

/// The description of a table for a script: an object in JSON.
struct PageDescription: ~Copyable {
  private var out = ByteBuffer(capacity: 1024)

  /// Whether a value came before in the same object or list.
  private var needsComma = false

  /// Begins an object.
  init() { out.append("{") }

  /// The whole object.
  consuming func finish() -> ByteBlock {
    out.append("}")
    return ByteBlock(taking: &out)
  }

  /// Adds a member.
  mutating func add(_ name: StaticString, _ text: String) {
    begin(name)
    out.appendJSON(string: text.utf8.span)
  }

  mutating func add(_ name: StaticString, _ number: Int) {
    begin(name)
    out.append(String(number))
  }

  /// Adds a member that is true.
  mutating func addTrue(_ name: StaticString) {
    begin(name)
    out.append("true")
  }

  mutating func addObject(_ name: StaticString, _ body: (inout PageDescription) -> Void) {
    begin(name)
    nest("{", "}", body)
  }

  mutating func addList(_ name: StaticString, _ body: (inout PageDescription) -> Void) {
    begin(name)
    nest("[", "]", body)
  }

  /// Adds an item of a list.
  mutating func addItem(_ text: String) {
    separate()
    out.appendJSON(string: text.utf8.span)
  }

  mutating func addItem(_ number: Int) {
    separate()
    out.append(String(number))
  }

  mutating func addObject(_ body: (inout PageDescription) -> Void) {
    separate()
    nest("{", "}", body)
  }

  mutating func addList(_ body: (inout PageDescription) -> Void) {
    separate()
    nest("[", "]", body)
  }

  private mutating func begin(_ name: StaticString) {
    separate()
    out.append("\"")
    out.append(name)
    out.append("\":")
  }

  private mutating func separate() {
    if needsComma { out.append(",") }
    needsComma = true
  }

  private mutating func nest(
    _ start: StaticString, _ end: StaticString, _ body: (inout PageDescription) -> Void
  ) {
    out.append(start)
    needsComma = false
    body(&self)
    out.append(end)
    needsComma = true
  }
}
