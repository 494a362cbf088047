/// The keys of `--sort` or `--sorted-by`, bound to the columns of the input.
///
/// It alone knows what a key means; `Sorter` and `OrderVerifier` use it.
struct SortOrder: Sendable {
  /// The options that keys depend on.
  struct Surroundings: Sendable {
    /// `--nulls`.
    var nulls = NullPlacement.last

    /// `--order`.
    var valueOrders: [ValueOrder] = []

    /// Whether a text without characters counts as null.
    var emptyIsNull = false

    /// `--arg`.
    var variables = NamedTexts()

    /// What expressions need to know besides their columns; it includes the marks of numbers.
    var context = EvaluationContext()
  }

  /// The keys, the most important first.
  let keys: [BoundKey]

  /// Binds `keys`; an open schema records names that may still come.
  ///
  /// A column that is compared again in the same way has no effect: its later keys are left out.
  init(_ keys: [SortKey], schema: inout Schema, _ surroundings: Surroundings) throws(SortError) {
    let orders = try surroundings.orders(&schema)
    var bound: [BoundKey] = []
    var compared: [ResolvedColumn: [SortKey.Comparison]] = [:]
    for key in keys {
      let key = try BoundKey(key, slot: bound.count, schema: &schema, orders: orders, surroundings)
      if let column = key.column?.identity {
        if compared[column, default: []].contains(key.comparison) { continue }
        compared[column, default: []].append(key.comparison)
      }
      bound.append(key)
    }
    self.keys = bound
  }

  private init(_ keys: [BoundKey]) { self.keys = keys }

  /// The order of rows in the input.
  static func ofInput(_ context: EvaluationContext) -> SortOrder {
    let number: Function.RowReading = { .int($0.batch.rowNumber(ofRow: $0.row)) }
    return SortOrder([
      BoundKey(ofNumbers: Program(node: .row(number), kind: .number, context: context, slots: []))
    ])
  }

  /// The same order for batches with notes on only the columns of its keys, and these columns; nil if a key
  /// uses more than the cells of one column.
  var ofKeysOnly: (order: SortOrder, columns: [Int])? {
    let columns = keys.compactMap(\.sourceColumn)
    guard columns.count == keys.count else { return nil }
    return (SortOrder(zip(keys, columns.indices).map { $0.moved(to: $1) }), columns)
  }

  /// Whether values other than cells are made and compared: they may be as long as cells.
  var derivesValues: Bool { keys.contains { $0.directColumn == nil } }

  /// Whether texts are compared in another form than that of their cells, which takes about as much memory again.
  var reshapesTexts: Bool {
    derivesValues
      || keys.contains { key in
        switch key.comparison {
        case .natural, .nocase, .version: true
        default: false
        }
      }
  }

  /// The memory that sorting rows takes, as a multiple of theirs: what it takes of small rows is little.
  func weight(of rows: Rows) -> Int { reshapesTexts && rows.batches.contains(where: \.isLarge) ? 2 : 1 }

  /// The counts of misfits before any was found.
  var freshTally: ConversionTally {
    ConversionTally(entries: keys.map(\.freshEntry))
  }

  /// The values of all keys for `rows`, encoded; misfits are counted in the columns.
  ///
  /// - Parameter threadCount: the number of threads that may work at once.
  func columns(
    of rows: Rows, _ deriver: inout KeyDeriver, threadCount: Int = 1
  ) throws(SortError) -> [KeyColumn] {
    var columns: [KeyColumn] = []
    for key in keys {
      var column = KeyColumn(key)
      column.add(rows, &deriver)
      if threadCount > 1 {
        try column.encode(rows, threadCount: threadCount)
      } else {
        try column.encode(rows.ids.span, origins: rows.batches)
      }
      columns.append(column)
    }
    return columns
  }
}

extension SortOrder.Surroundings {
  /// The listed values of the columns that have some.
  func orders(_ schema: inout Schema) throws(SortError) -> [ResolvedColumn: ValueRanks] {
    if valueOrders.isEmpty { return [:] }
    var values: [ResolvedColumn: [String]] = [:]
    for order in valueOrders {
      do throws(ColumnError) {
        values[try schema.resolve(order.column).identity, default: []] += order.values
      } catch {
        throw .orderColumn(error)
      }
    }
    return values.mapValues { ValueRanks($0) }
  }
}

extension SortOrder {
  /// The notices about values of keys that were read in a way that may not be meant; if a key is repeated,
  /// those of the first.
  ///
  /// - Parameter areVerified: whether rows are not sorted by the keys, but their order is verified.
  func notices(_ findings: [KeyFindings], _ sources: [Source], areVerified: Bool = false) -> [Notice] {
    var words: [KeyFindings.WordBesideValues] = []
    var doubts: [Notice] = []
    var seen: [ExactName: [SortKey.Comparison]] = [:]
    for (key, findings) in zip(keys, findings) {
      let name = ExactName(key.name)
      if seen[name]?.contains(key.comparison) ?? false { continue }
      seen[name, default: []].append(key.comparison)
      for found in findings.wordsBesideValues(key.coder.marks) {
        if let place = words.firstIndex(where: { $0.word == found.word && $0.areNumbers == found.areNumbers })
        {
          words[place].count += found.count
        } else {
          words.append(found)
        }
      }
      if let doubt = findings.doubt(
        key.coder.marks, ofDeclaredSizes: key.isDeclaredSize, areListed: key.coder.ranks != nil)
      {
        doubts.append(.doubtfulKey(key.notice(doubt, sources, isVerified: areVerified)))
      }
    }
    return words.map {
      .wordsBesideValues(
        word: $0.word.rawValue, count: $0.count, areNumbers: $0.areNumbers, areVerified: areVerified)
    } + doubts
  }
}

extension BoundKey {
  /// The notice about the key.
  fileprivate func notice(_ doubt: KeyFindings.Doubt, _ sources: [Source], isVerified: Bool) -> KeyNotice {
    KeyNotice(
      key: name, isExpression: column == nil, isDescending: coder.isDescending, isVerified: isVerified,
      doubt: doubt.doubt,
      path: sources[doubt.first.source].path, line: doubt.first.line,
      text: doubt.first.text)
  }
}

/// Sorts rows by keys: stably, in one total order.
///
/// 1. Every key is encoded for all rows, in input order: 64 bits each.
/// 2. The rows are sorted by the codes of the first key.
/// 3. Rows of equal code that are not equal are sorted by the next bytes of their texts, or by all their
///    digits; rows that are equal by the codes of the next key, and so on.
///
/// - Complexity: O(*n* log *n*) comparisons of codes for *n* rows; see `Refinement` for ties.
struct Sorter: Sendable {
  /// The order.
  let order: SortOrder

  /// The cells that did not convert, by key.
  private(set) var tally: ConversionTally

  /// The findings in values that were sorted as text, by key.
  private(set) var findings: [KeyFindings]

  private var deriver: KeyDeriver

  /// The evaluation state of `(expr)` keys.
  private var states: [EvaluationState] { deriver.states.compactMap(\.self) }

  /// What the keys found so far.
  var found: SortFindings { SortFindings(tally: tally, values: findings, states: states) }

  /// Prepares to sort by an order.
  init(_ order: SortOrder) {
    self.order = order
    tally = order.freshTally
    findings = order.keys.map { _ in KeyFindings() }
    deriver = KeyDeriver(order)
  }

  /// Sorts `rows`.
  ///
  /// - Parameter threadCount: the number of threads that may work at once.
  mutating func sort(_ rows: inout Rows, threadCount: Int = 1) throws(SortError) {
    guard !order.keys.isEmpty, rows.count > 0 else { return }
    let columns = try order.columns(of: rows, &deriver, threadCount: threadCount)
    tally.merge(ConversionTally(entries: columns.map(\.misfits)))
    for index in columns.indices { findings[index].merge(columns[index].findings) }
    rows.ids = Refinement.sorted(rows.ids, by: columns, threadCount: threadCount)
  }
}

/// What the keys of a sort found in rows.
struct SortFindings {
  /// The cells that did not convert, by key.
  var tally = ConversionTally(entries: [])

  /// The findings in values that were sorted as text, by key.
  var values: [KeyFindings] = []

  /// The evaluation states of `(expr)` keys.
  var states: [EvaluationState] = []

  /// These, and what was found in later rows.
  func merged(with later: SortFindings) -> SortFindings {
    var merged = self
    merged.tally.merge(later.tally)
    for (index, more) in later.values.enumerated() { merged.values[index].merge(more) }
    if later.states.count == states.count {
      merged.states = zip(states, later.states).map { $0.merged(with: $1) }
    }
    return merged
  }
}

/// The reason rows cannot be sorted.
public enum SortError: Error, Equatable, Sendable {
  /// A key of `--sort` or `--sorted-by` names no column; with the range of the key in the option's text, in bytes.
  case column(ColumnError, key: Range<Int>)

  /// `--order` names no column.
  case orderColumn(ColumnError)

  /// An `(expr)` key that cannot be bound.
  case expression(ExpressionError)

  /// A key has a list or an object as a value, which have no order.
  case noOrder(Unordered)

  /// A value that has no order, and where it was found.
  public struct Unordered: Equatable, Sendable {
    /// The key's column, as addressed, or its expression.
    public var column: String

    /// Whether it is a list; otherwise it is an object.
    public var isList: Bool

    /// The names of the first members of an object, to suggest one.
    public var members: [String]

    /// The range of the key in the option's text, in bytes.
    public var key: Range<Int>

    /// The input, as an index into the plan's sources.
    public var source: Int

    /// The line the record begins on, counted from 1.
    public var line: Int
  }
}

/// One sort key: the source of its values, and how they compare.
struct BoundKey: Sendable {
  /// The source of the values.
  enum ValueSource: Sendable {
    /// The cells of a column.
    case cells(Int)

    /// The value that a path into the cells of a column leads to.
    case way(ResolvedColumn)

    /// The result of an expression.
    case program(Program)
  }

  /// The source of the values.
  private(set) var origin: ValueSource

  /// The column, if the key is one.
  let column: ResolvedColumn?

  /// How values are compared.
  let comparison: SortKey.Comparison

  /// Encodes values in their order.
  let coder: KeyCoder

  /// Whether it is a column that is declared to hold sizes.
  let isDeclaredSize: Bool

  /// How dates are spelled, besides ISO 8601.
  let dateFormat: DateFormat?

  /// The column as addressed, or the text of the expression.
  let name: String

  /// The range of the key in its option's text, in bytes.
  let place: Range<Int>

  /// The index of the key among the keys, from 0.
  let slot: Int

  /// Creates a key that no option names: the numbers that a program yields.
  fileprivate init(ofNumbers program: Program) {
    origin = .program(program)
    comparison = .number
    coder = KeyCoder(reading: .number)
    (column, isDeclaredSize, dateFormat, name, place, slot) = (nil, false, nil, "", 0..<0, 0)
  }

  /// Binds a key to the columns of `schema`.
  init(
    _ key: SortKey, slot: Int, schema: inout Schema, orders: [ResolvedColumn: ValueRanks],
    _ surroundings: SortOrder.Surroundings
  ) throws(SortError) {
    switch key.target {
    case .column(let reference):
      let resolved: ResolvedColumn
      do throws(ColumnError) {
        resolved = try schema.resolve(reference)
      } catch {
        throw .column(error, key: key.place)
      }
      let name = Self.name(of: reference, resolved, schema)
      self.init(key, of: resolved, named: name, slot: slot, schema, orders, surroundings)
    case .expression(let source):
      let (origin, name) = try Self.bind(source, &schema, surroundings)
      self.init(key, of: nil, origin, named: name, slot: slot, schema, orders, surroundings)
    }
  }

  /// A key that no option has: a column in ascending order.
  init(
    ascending column: ResolvedColumn, _ schema: Schema, orders: [ResolvedColumn: ValueRanks],
    _ surroundings: SortOrder.Surroundings
  ) {
    let name = schema.name(of: column)
    let key = SortKey(target: .column(.name(name, isQuoted: true)))
    self.init(key, of: column, named: name, slot: 0, schema, orders, surroundings)
  }

  /// Creates a key whose values come from a column, or from the origin that is given.
  private init(
    _ key: SortKey, of column: ResolvedColumn?, _ origin: ValueSource? = nil, named name: String, slot: Int,
    _ schema: Schema, _ orders: [ResolvedColumn: ValueRanks], _ surroundings: SortOrder.Surroundings
  ) {
    self.column = column
    self.name = name
    let whole = column.map { $0.path.isEmpty ? ValueSource.cells($0.index) : .way($0) }
    self.origin = origin ?? whole ?? .cells(0)
    let ranks = column.flatMap { orders[$0.identity] }
    let comparison =
      column.flatMap { ranks == nil ? $0.declaredComparison(key, schema) : nil } ?? key.comparison
    coder = KeyCoder(
      reading: Self.reading(comparison), isDescending: key.isDescending,
      nulls: key.nulls ?? surroundings.nulls, marks: surroundings.context.marks,
      readsAmounts: key.comparison == .number, emptyIsNull: surroundings.emptyIsNull,
      ranks: comparison == .auto ? ranks : nil)
    self.comparison = comparison
    isDeclaredSize = column.map { $0.path.isEmpty && schema.columns[$0.index].type == .size } ?? false
    dateFormat = surroundings.context.dateFormat
    place = key.place
    self.slot = slot
  }

  /// The counts of its misfits before any was found.
  var freshEntry: ConversionTally.ColumnMisfits {
    ConversionTally.ColumnMisfits(
      column: name, use: .key(isExpression: column == nil, isDescending: coder.isDescending),
      marks: coder.marks)
  }

  /// The column of the input whose cells are compared directly; nil if values are derived first.
  var directColumn: Int? {
    guard case .cells(let column) = origin else { return nil }
    switch comparison {
    case .auto where dateFormat != nil: return nil
    case .auto, .number, .text: return column
    case .natural, .nocase, .date, .duration, .size, .length, .version: return nil
    }
  }

  /// The column of the input that the values come from, directly or derived; nil if they come from several.
  var sourceColumn: Int? {
    if case .cells(let column) = origin { column } else { nil }
  }

  /// The same key for values in another column.
  func moved(to column: Int) -> BoundKey {
    var key = self
    key.origin = .cells(column)
    return key
  }
}

extension ResolvedColumn {
  /// How the column is compared by its declared type, if the key has no flag.
  fileprivate func declaredComparison(_ key: SortKey, _ schema: Schema) -> SortKey.Comparison? {
    guard key.comparison == .auto, path.isEmpty else { return nil }
    return switch schema.columns[index].valueType {
    case .number, .int, .decimal, .double: .number
    case .text, .bool: .text
    case .date, .datetime: .date
    case .duration: .duration
    case .size: .size
    case .list, .object, nil: nil
    }
  }
}

extension BoundKey {
  /// How cells are read, after values were derived.
  private static func reading(_ comparison: SortKey.Comparison) -> KeyCoder.Reading {
    switch comparison {
    case .auto: .auto
    case .number, .date, .duration, .size, .length: .number
    case .text, .natural, .nocase, .version: .text
    }
  }

  private static func name(
    of reference: ColumnReference, _ resolved: ResolvedColumn, _ schema: Schema
  ) -> String {
    if case .name(let name, _) = reference, !resolved.path.isEmpty { return name.trimmingBlanks }
    let column = schema.columns[resolved.index]
    return column.name.isEmpty ? column.title : column.name
  }

  private static func bind(
    _ source: SourceExpression, _ schema: inout Schema, _ surroundings: SortOrder.Surroundings
  ) throws(SortError) -> (ValueSource, String) {
    var binder = Binder(
      schema: schema, variables: surroundings.variables, context: surroundings.context)
    do throws(ExpressionError) {
      let program = try binder.bind(source)
      if program.kind == .list { throw source.error(.listHasNoOrder, at: source.expression.range) }
      schema = binder.schema
      return (.program(program), source.text.bytes(source.expression.range))
    } catch {
      throw .expression(error)
    }
  }
}

/// The values of `--order COL=V,…` and the rank of each.
struct ValueRanks: Sendable {
  private let values: [(bytes: [UInt8], rank: Int)]

  /// Ranks `values`, first to last; the first position of a repeated one counts.
  init(_ values: [String]) {
    var ranked: [[UInt8]: Int] = [:]
    for (rank, value) in values.enumerated() {
      let bytes = Array(value.utf8)
      if ranked[bytes] == nil { ranked[bytes] = rank }
    }
    self.values = ranked.map { (bytes: $0.key, rank: $0.value) }
      .sorted { Self.order($0.bytes.span, $1.bytes.span) < 0 }
  }

  /// The listed values, first to last.
  var listed: [String] {
    values.sorted { $0.rank < $1.rank }.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// The rank of a listed value, from 0; nil for any other.
  subscript(_ text: Span<UInt8>) -> Int? {
    var low = 0
    var high = values.count
    while low < high {
      let middle = (low + high) / 2
      let candidate = values[middle]
      let order = Self.order(candidate.bytes.span, text)
      if order == 0 { return candidate.rank }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// An arbitrary total order of texts: shorter ones first.
  private static func order(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
    left.count != right.count ? left.count - right.count : left.order(against: right)
  }
}
