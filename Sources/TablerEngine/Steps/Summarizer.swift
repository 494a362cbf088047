/// Makes a row of each column: its type as seen, and what its cells have in common: `--summary`.
///
/// 1. Each cell is counted with the others of its kind: a column may hold numbers and texts.
/// 2. If the different values exceed the budget, they go to a temporary file as sorted runs (`ValueCounts`).
/// 3. Once no more rows come, the values of the kind that most cells are of are read in ascending order, and make the
///    row of the column.
///
/// - Complexity: O(*n*) on average for *n* cells, O(*d* log *d*) for *d* different numbers.
struct Summarizer: PassingStep {
  /// The columns of the input that are known before the first row.
  let input: Schema

  /// The columns that are known, by index, and those that are shown.
  private var titles: [String] = []
  private var types: [ValueType?] = []
  private var shown: [Int] = []

  /// The columns of the summary.
  let schema: Schema

  private var columns: [Monitor<ColumnSummary>] = []
  private var rowCount = 0

  /// The origin of the first batch: cells of the summary get types in the same way.
  private var origin: Batch.Origin?

  private var file: SpillFile?

  /// The bytes that different values may take in memory.
  private let room: Int

  /// The bytes that they may take with almost no budget.
  private static let leastRoom = 4 << 20

  /// The threads that count at once.
  private let threadCount: Int

  /// The cells from which on a batch is shared among threads.
  private static let leastShared = 8192

  /// The rows of which texts are looked up before they are counted.
  private static let readAhead = 32

  private var isReleased = false
  private let bars: [String]
  private let context: EvaluationContext

  /// The columns of which fewer digits are drawn than there are: so many, unless more precede the point.
  private static let roundedTitles: Set = ["mean", "stddev"]
  private static let drawnDigits = 6

  /// The titles of the columns of a summary.
  static let titles = [
    "column", "type", "rows", "missing", "distinct", "min", "max", "mean", "median", "stddev", "top", "count",
    "shape",
  ]

  /// The step that a plan asks for, if it does.
  init?(_ plan: borrowing Plan, _ tuning: Tuning, _ binder: Binder) {
    guard plan.isSummary else { return nil }
    input = binder.schema
    context = binder.context
    threadCount = tuning.threadCount
    room = max(plan.memory / 2, Self.leastRoom)
    bars = Array(plan.layout.isASCII ? ".:-=+*#@" : "▁▂▃▄▅▆▇█").map { String($0) }
    schema = Schema(
      made: Self.titles.map { title in
        Schema.Column(name: title, title: title, isInexact: ["mean", "median", "stddev"].contains(title))
      }, header: nil)
    adoptColumns(of: input)
  }

  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.isSummary ? [.records] : []
  }

  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? {
    plan.isSummary ? .summary : nil
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    [PlannedStep(work: .summary, holding: .spilled(.columnValues))]
  }

  var holdsRows: Bool { true }

  mutating func adoptColumns(of schema: Schema) {
    for column in schema.columns.dropFirst(titles.count) {
      titles.append(column.name.isEmpty ? column.title : column.name)
      types.append(column.valueType)
    }
    shown = schema.shown
  }

  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    rows.forEachRun { batch, run in add(run, of: batch) }
    do { try spillIfFull() } catch { throw Failure(reading: error) }
    return Rows()
  }

  private mutating func add(_ rows: [UInt32], of batch: Batch) {
    if origin == nil { origin = batch.origin }
    addColumns()
    let (first, context) = (rowCount, context)
    rowCount += rows.count
    guard batch.sparse == nil else {
      for (index, row) in rows.enumerated() {
        for place in batch.cellIndices(ofRow: Int(row)) {
          let column = batch.column(ofCell: place, row: Int(row))
          guard column < columns.count else { continue }
          columns[column].access { $0.add(batch.cells[place], of: batch, row: first + index, context) }
        }
      }
      return
    }
    let width = min(batch.columnCount, columns.count)
    let isLarge = rows.count * width >= Self.leastShared
    forEachColumn(width, atOnce: isLarge) { column, summary in
      var start = 0
      while start < rows.count {
        let end = min(start + Self.readAhead, rows.count)
        if summary.readsAhead {
          for row in rows[start..<end] {
            summary.touch(batch.cells[Int(row) &* batch.columnCount &+ column], of: batch)
          }
        }
        for index in start..<end {
          let cell = batch.cells[Int(rows[index]) &* batch.columnCount &+ column]
          summary.add(cell, of: batch, row: first &+ index, context)
        }
        start = end
      }
    }
  }

  /// Begins the columns that came with the last batch.
  private mutating func addColumns() {
    while columns.count < types.count {
      columns.append(Monitor(ColumnSummary(types[columns.count], context)))
    }
  }

  /// Calls `body` with each of the first `count` columns, each on any thread.
  private func forEachColumn(
    _ count: Int, atOnce: Bool, _ body: @escaping @Sendable (Int, inout ColumnSummary) -> Void
  ) {
    let columns = columns
    let next = Monitor(0)
    Worker.concurrently(atOnce ? min(threadCount, count) : 1) { _ in
      while true {
        let column = next.access { number in
          number += 1
          return number - 1
        }
        if column >= count { return }
        columns[column].access { body(column, &$0) }
      }
    }
  }

  /// The bytes that different values take in memory.
  private var memory: Int { columns.reduce(0) { sum, column in sum + column.access { $0.memory } } }

  private mutating func spillIfFull() throws(SystemError) {
    if memory <= room { return }
    forEachColumn(columns.count, atOnce: true) { _, column in column.compact() }
    // If half of the room is free now, there is time enough until that has to be done again.
    if memory <= room / 2 { return }
    let file: SpillFile
    if let known = self.file { file = known } else { file = try SpillFile() }
    self.file = file
    for column in columns {
      if let error = column.access({ $0.spill(to: file) }) { throw error }
    }
  }

  mutating func release(room: Int) throws(Failure) -> Rows? {
    if isReleased { return nil }
    isReleased = true
    do { return try summary() } catch { throw Failure(reading: error) }
  }

  private mutating func summary() throws(SystemError) -> Rows {
    addColumns()
    let empty = Batch.empty
    let origin = Batch.Origin(
      source: 0, line: 1, row: 1, isVerbatim: false, dialect: (origin ?? empty.origin).dialect)
    let base = Batch(
      block: .empty, decoded: .empty, escapes: [], cells: [], columnCount: 0,
      recordStarts: Array(repeating: 0, count: shown.count + 1), origin: origin,
      places: shown.indices.map { RowPlace(source: 0, line: 1, number: $0 + 1) })
    var computed = ComputedColumn(at: 0, of: base, count: shown.count, room: .max)
    let rows = try facts()
    let types = CellTypes(base, context)
    for place in Self.titles.indices {
      computed.advance(toColumn: place)
      for (row, values) in rows.enumerated() {
        if values[place].isNull {
          // Nothing is missing there: it is drawn blank.
          computed.set(row: row, kind: .empty) { _ in }
        } else if case .number(let number) = values[place], Self.roundedTitles.contains(Self.titles[place]),
          let digits = DrawnDigits(number, mayBeInexact: true, most: Self.drawnDigits)
        {
          let marks = types.areKnown ? .standard : context.marks
          computed.set(
            row: row, kind: types.areKnown ? .number : .text, drawn: (digits: digits, marks: marks)
          ) { NumberWriter.append(number, marks: marks, to: &$0) }
        } else {
          computed.set(values[place], row: row, types, context.marks)
        }
      }
    }
    return Rows(computed.finish(cutting: nil))
  }
}

extension Summarizer {
  /// The rows of the summary.
  private func facts() throws(SystemError) -> [[Value]] {
    let found = Monitor<[Int: Result<[Value], SystemError>]>([:])
    let (count, file, bars) = (rowCount, file, bars)
    // The runs of a file are merged one column after another.
    forEachColumn(columns.count, atOnce: file == nil) { index, column in
      let facts = Result { () throws(SystemError) in try column.facts(of: count, file, bars) }
      found.access { $0[index] = facts }
    }
    let facts = found.access { $0 }
    var rows: [[Value]] = []
    for index in shown {
      rows.append([.text(Array(titles[index].utf8))] + (try facts[index]?.get() ?? []))
    }
    return rows
  }
}

extension PlannedStep.Work {
  static let summary = Self(rawValue: "--summary")
}

extension Summarizer {
  /// No query makes a summary like this one.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.isSummary { query.leave(PlannedStep.Work.summary.rawValue) }
  }
}

// MARK: - Columns

/// The cells of a column, counted by their kinds.
private struct ColumnSummary: Sendable {
  /// What a cell is.
  enum Kind: Int, CaseIterable, Sendable {
    case number
    case time
    case duration
    case size
    case bool
    case text

    /// Whether its values are counted as numbers: times as seconds since 1970.
    var isNumber: Bool { rawValue < Kind.bool.rawValue }
  }

  private var kinds: [ValueCounts] = Kind.allCases.map { ValueCounts(ofNumbers: $0.isNumber) }

  /// The cells that are not counted as values.
  private var (lists, objects, misfits) = (0, 0, 0)

  /// The numbers that are not whole, and the times that are more than a date.
  private var (hasDecimals, hasClock, hasZone) = (false, false, false)

  /// The type that is declared.
  private let type: ValueType?

  /// Whether a text may be a short number as it is spelled in cells.
  private let readsShortNumbers: Bool

  /// Whether its first letter may tell that a text is no value of another kind.
  private let tellsTexts: Bool

  /// Short texts in cells that do not tell their kind, each with its number among those of its kind, and in the three
  /// lowest bits that kind.
  private var recent = RecentTexts()

  /// The values of a kind after which it pays to know the recent texts.
  private static let manyValues = 4096

  /// The sum of what was read ahead.
  private var warmth = 0

  init(_ type: ValueType?, _ context: EvaluationContext) {
    self.type = type
    readsShortNumbers = (type?.isNumeric ?? true) && context.marks == .standard
    tellsTexts = type == nil && context.dateFormat == nil
  }

  var memory: Int { kinds.reduce(recent.memory) { $0 + $1.memory } }

  /// Whether there are so many texts that counting one waits for memory, unless that was read before.
  var readsAhead: Bool { kinds[Kind.text.rawValue].hasManyTexts }

  /// Reads what counting a cell will have to read if it is a text.
  @inline(__always)
  mutating func touch(_ cell: Cell, of batch: Batch) {
    guard cell.kind == .text || cell.kind == .number else { return }
    warmth &+= kinds[Kind.text.rawValue].touch(batch.content(cell))
  }

  /// Makes its values as small as they can be in memory.
  mutating func compact() {
    recent.removeAll()
    for index in kinds.indices { kinds[index].compact() }
  }

  /// Writes its values to a file, and forgets them.
  ///
  /// - Returns: the reason it could not.
  mutating func spill(to file: SpillFile) -> SystemError? {
    recent.removeAll()
    do throws(SystemError) {
      for index in kinds.indices { try kinds[index].spill(to: file) }
    } catch { return error }
    return nil
  }

  /// Counts a cell.
  @inline(__always)
  mutating func add(_ cell: Cell, of batch: Batch, row: Int, _ context: EvaluationContext) {
    let text = batch.content(cell)
    switch cell.kind {
    case .null, .missing: return
    case .empty: if cell.length > 0 { misfits += 1 }
    case .list: lists += 1
    case .object: objects += 1
    case .bool: count(text, .bool, row)
    case .number, .text:
      if cell.length == 0 { return }
      if cell.kind == .text, type == .text || type == nil && batch.isText(cell) {
        // A text of JSON may still be a date.
        if type == nil, let time = context.time(text) { return add(time, row) }
        return count(text, .text, row)
      }
      let first = text[0]
      if first.isDigit || first == UInt8(ascii: "-") {
        if readsShortNumbers, !text.hasLeadingZeros, let number = ShortDecimal(text) {
          if number.scale > 0 { hasDecimals = true }
          return kinds[Kind.number.rawValue].add(number, row: row)
        }
      } else if let number = recent.number(of: text) {
        return kinds[number & 7].add(textOfNumber: number &>> 3)
      }
      if tellsTexts, first.beginsOnlyTexts { return keep(text, .text, row) }
      addOther(text, row, context)
    }
  }

  /// Counts a cell that is no short number.
  private mutating func addOther(_ text: Span<UInt8>, _ row: Int, _ context: EvaluationContext) {
    let first = text[0]
    if tellsTexts, first == UInt8(ascii: "t") || first == UInt8(ascii: "f") {
      return keep(text, text.equals("true") || text.equals("false") ? .bool : .text, row)
    }
    // Most dates are told without trying whether they are numbers.
    let isDated = text.count >= 10 && text[4] == UInt8(ascii: "-")
    if isDated, type?.isTime ?? true, let time = context.time(text) { return add(time, row) }
    if type?.isNumeric ?? true, let number = NumberReader.typed(text, marks: context.marks) {
      if case .int = number {} else { hasDecimals = true }
      return kinds[Kind.number.rawValue].add(number, row: row)
    }
    if type?.isTime ?? true, let time = context.time(text) { return add(time, row) }
    let isAmount = !first.beginsOnlyTexts
    // `09:15:00` may be a time of day.
    if type == .duration || type == nil && isAmount && !text.contains(UInt8(ascii: ":")),
      let duration = Duration(text)
    {
      return kinds[Kind.duration.rawValue].add(Number(duration.seconds), row: row)
    }
    // Neither `12%` nor `1e`, nor a name such as `007`.
    let isSize = isAmount && text[text.count - 1].endsSize
    if type == .size || type == nil && isSize, let size = Size.read(text, marks: context.marks) {
      return kinds[Kind.size.rawValue].add(size, row: row)
    }
    if type == nil || type == .bool, text.equals("true") || text.equals("false") {
      return keep(text, .bool, row)
    }
    keep(text, .text, row)
  }

  private mutating func add(_ time: Timestamp, _ row: Int) {
    if !time.isDate { hasClock = true }
    if time.offset != nil { hasZone = true }
    kinds[Kind.time.rawValue].add(time.epoch, row: row)
  }

  @inline(__always)
  private mutating func count(_ text: Span<UInt8>, _ kind: Kind, _ row: Int) {
    _ = kinds[kind.rawValue].add(text, row: row)
  }

  /// Counts a text of which nothing else tells the kind, and keeps that for the next time.
  @inline(__always)
  private mutating func keep(_ text: Span<UInt8>, _ kind: Kind, _ row: Int) {
    let index = kinds[kind.rawValue].add(text, row: row)
    if kinds[kind.rawValue].total >= Self.manyValues { recent.insert(text, index &<< 3 | kind.rawValue) }
  }
}

extension ValueType {
  fileprivate var isTime: Bool { self == .date || self == .datetime }
}

extension UInt8 {
  /// Whether no number, date, amount or truth value begins with it.
  @inline(__always)
  fileprivate var beginsOnlyTexts: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): false
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "p"), UInt8(ascii: "P"): false
    case UInt8(ascii: " "): false
    default: true
    }
  }

  /// Whether it may be the end of a size.
  fileprivate var endsSize: Bool {
    switch self | 0x20 {
    case UInt8(ascii: "b"), UInt8(ascii: "k"), UInt8(ascii: "i"): true
    default: self >= UInt8(ascii: "E") && self <= UInt8(ascii: "Z")
    }
  }
}

extension Span<UInt8> {
  /// Whether it is a number with zeros before it, which is more likely a name.
  fileprivate var hasLeadingZeros: Bool {
    let start = self[0] == UInt8(ascii: "-") ? 1 : 0
    return count > start + 1 && self[start] == UInt8(ascii: "0") && self[start + 1].isDigit
  }
}

// MARK: - Facts

extension ColumnSummary {
  /// The cells of a summary after the name of the column.
  mutating func facts(
    of rowCount: Int, _ file: SpillFile?, _ bars: [String]
  ) throws(SystemError) -> [Value] {
    let counts = kinds.map(\.total)
    let all = counts.reduce(lists + objects + misfits, +)
    let start: [Value] = [.int(rowCount), .int(rowCount - all)]
    let rest = [Value](repeating: .null, count: Summarizer.titles.count - 4)
    guard all > 0 else { return [.null] + start + rest }
    let most = counts.max() ?? 0
    if max(lists, objects) > most {
      let (name, count) = lists >= objects ? ("list", lists) : ("object", objects)
      return [.text(Array(typeText(name, all - count, nil).utf8))] + start + rest
    }
    guard let index = counts.firstIndex(of: most), let kind = Kind(rawValue: index), most > 0 else {
      return [.text(Array(typeText(type?.rawValue ?? "text", all, nil).utf8))] + start + rest
    }
    let others = Kind.allCases.filter { $0 != kind && counts[$0.rawValue] > 0 }
    let other = others.count == 1 && lists + objects + misfits == 0 ? name(of: others[0]) : nil
    let text = typeText(type?.rawValue ?? name(of: kind), all - most, other)
    return try [.text(Array(text.utf8))] + start + values(of: kind, file, bars)
  }

  private func typeText(_ name: String, _ others: Int, _ other: String?) -> String {
    others == 0 ? name : "\(name), \(others) \(other ?? "other")"
  }

  private func name(of kind: Kind) -> String {
    switch kind {
    case .number: hasDecimals ? "decimal" : "int"
    case .time: hasClock ? "datetime" : "date"
    case .duration: "duration"
    case .size: "size"
    case .bool: "bool"
    case .text: "text"
    }
  }

  /// From `distinct` to `shape`.
  private mutating func values(
    of kind: Kind, _ file: SpillFile?, _ bars: [String]
  ) throws(SystemError) -> [Value] {
    let largest = kinds[kind.rawValue].largestNumber()
    var found = Findings(total: kinds[kind.rawValue].total, largest: largest)
    if kind.isNumber {
      try kinds[kind.rawValue].forEachNumber(in: file) { number, count, first in
        switch number {
        case .short(let number): found.add(number, count, first)
        case .other(let number): found.add(number, count, first)
        }
      }
    } else {
      try kinds[kind.rawValue].forEachText(in: file) { text, count, first in found.add(text, count, first) }
    }
    func value(_ number: Number?) -> Value { number.map { self.value($0, kind) } ?? .null }
    let top: Value = kind.isNumber ? value(found.topNumber) : found.topText.map { text($0, kind) } ?? .null
    let ends: [Value] =
      kind.isNumber
      ? [value(found.smallest), value(found.largest)]
      : kind == .bool
        ? [.null, .null] : [found.first, found.last].map { $0.map { text($0, kind) } ?? .null }
    let isMeasured = kind.isNumber && kind != .time
    return [.int(found.distinct)] + ends + [
      isMeasured ? value(found.spread.mean) : .null,
      kind.isNumber ? value(found.median(isBetween: kind != .time)) : .null,
      isMeasured ? value(found.spread.deviation) : .null, top, .int(found.topCount),
      kind.isNumber ? .text(Array(found.shape(bars).utf8)) : .null,
    ]
  }

  private func text(_ bytes: [UInt8], _ kind: Kind) -> Value {
    kind == .bool ? .bool(bytes.span.equals("true")) : .text(bytes)
  }

  /// A number as a value of a kind.
  private func value(_ number: Number, _ kind: Kind) -> Value {
    switch kind {
    case .number, .size, .bool, .text: return .number(number)
    case .duration:
      guard let seconds = (number.exact ?? ShortestDigits(number.doubleValue)?.exact)?.rounded(to: 9) else {
        return .number(number)
      }
      return .duration(Duration(seconds: seconds.withoutTrailingZeros))
    case .time:
      guard let exact = number.exact, let time = Timestamp(epoch: exact) else { return .number(number) }
      if hasZone { return .time(time) }
      guard hasClock else { return .time(time.withoutTime) }
      let local = Timestamp(
        time.date, secondOfDay: time.secondOfDay, nanosecond: time.nanosecond, offset: nil)
      return .time(local ?? time)
    }
  }
}

/// What the values of a kind have in common: they come in ascending order, or in any if they are texts.
private struct Findings {
  let total: Int
  let largest: Number?
  private(set) var smallest: Number?

  /// The smallest number as a double, and the distance to the largest, both halved: half of the width of two very large
  /// numbers is finite.
  private var (low, width) = (0.0, 0.0)

  /// Whether both are so close that doubles hardly tell the values apart.
  private var isNarrow = false

  private(set) var distinct = 0

  /// The value that comes most often, how often, and the first row that has it.
  private(set) var (topNumber, topText): (Number?, [UInt8]?) = (nil, nil)
  private(set) var topCount = 0
  private var topRow = 0

  /// The first and the last text by the bytes of UTF-8.
  private(set) var (first, last): ([UInt8]?, [UInt8]?) = (nil, nil)

  private(set) var spread = NumberSpread()

  /// The numbers in the middle of all.
  private var middle: (Number?, Number?) = (nil, nil)

  /// The number of values before the next one.
  private var seen = 0

  /// The values in eight parts of the same width from the smallest to the largest.
  private var bins = [Int](repeating: 0, count: 8)

  init(total: Int, largest: Number?) {
    (self.total, self.largest) = (total, largest)
  }

  /// Whether a value comes more often than all before it, or as often but first.
  private mutating func isTop(_ count: Int, _ first: Int) -> Bool {
    distinct += 1
    guard count > topCount || count == topCount && first < topRow else { return false }
    (topCount, topRow) = (count, first)
    return true
  }

  mutating func add(_ text: Span<UInt8>, _ count: Int, _ first: Int) {
    if isTop(count, first) { topText = Array(copying: text) }
    if self.first.map({ text.isBefore($0.span) }) ?? true { self.first = Array(copying: text) }
    if last.map({ $0.span.isBefore(text) }) ?? true { last = Array(copying: text) }
  }

  mutating func add(_ number: ShortDecimal, _ count: Int, _ first: Int) {
    spread.add(number, times: count)
    add(number.doubleValue, count, first) { number.withoutTrailingZeros().number }
  }

  mutating func add(_ number: Number, _ count: Int, _ first: Int) {
    spread.add(number, times: count)
    add(number.doubleValue, count, first) { number }
  }

  /// - Parameters:
  ///   - value: the nearest double.
  ///   - number: makes the number, which few of them are needed as.
  @inline(__always)
  private mutating func add(_ value: Double, _ count: Int, _ first: Int, _ number: () -> Number) {
    if isTop(count, first) { topNumber = number() }
    if distinct == 1 { begin(at: number()) }
    let end = seen + count
    if seen <= (total - 1) / 2, (total - 1) / 2 < end { middle.0 = number() }
    if seen <= total / 2, total / 2 < end { middle.1 = number() }
    seen = end
    let part = isNarrow ? narrowPart(number()) : (value / 2 - low) / width
    bins[part >= 0 ? min(Int(part * 8), 7) : 0] += count
  }

  private mutating func begin(at number: Number) {
    smallest = number
    let (least, most) = (number.doubleValue, largest?.doubleValue ?? 0)
    (low, width) = (least / 2, most / 2 - least / 2)
    isNarrow = most - least < 1e-6 * max(abs(least), abs(most))
  }

  /// The distance of a number from the smallest one, as a part of that of the largest one.
  private func narrowPart(_ number: Number) -> Double {
    guard let smallest, let largest else { return 0 }
    return number.subtracting(smallest).doubleValue / largest.subtracting(smallest).doubleValue
  }

  /// The number in the middle.
  ///
  /// - Parameter isBetween: whether it may be the mean of two.
  func median(isBetween: Bool) -> Number? {
    guard isBetween, let left = middle.0, let right = middle.1, left < right else { return middle.0 }
    return left.adding(right).divided(by: .int(2))
  }

  /// A bar for each part, as high as its share of the largest one.
  func shape(_ bars: [String]) -> String {
    let most = bins.max() ?? 0
    if most == 0 { return "" }
    // What is not empty is seen beside what is.
    return bins.map { bars[($0 * (bars.count - 1) + most - 1) / most] }.joined()
  }
}
