/// Makes rows of constants that come after those of the input: `--add`.
///
/// They go through every later step. Messages treat the records as lines of a file called `--add`.
struct Adder: Step {
  /// A value of a record.
  private struct Part {
    /// The index of its column in a batch.
    var column: Int
    /// The type that is declared for the column.
    var type: ValueType?
    /// The record, counted from 0.
    var record: Int
    var value: Program
  }

  private var parts: [Part] = []
  private let recordCount: Int

  /// The number of the source that represents the records.
  let source: Int

  /// The evaluation state of the values.
  private(set) var states: [EvaluationState] = []

  /// Whether the rows were already made.
  private var isDone = false

  /// Binds the values of records.
  ///
  /// - Parameter source: the number of the source that represents them.
  init(_ records: [[Assignment]], source: Int, _ binder: inout Binder) throws(ExpressionError) {
    recordCount = records.count
    self.source = source
    let values = try Self.constants(records, binder)
    for (record, pairs) in records.enumerated() {
      var columns: Set<Int> = []
      for (pair, value) in zip(pairs, values[record]) {
        let column = try Self.column(of: pair, &binder)
        guard columns.insert(column).inserted else {
          throw pair.value.error(.columnTwice(pair.column), at: pair.range)
        }
        let type = binder.schema.columns[column].type
        if let type { try pair.refuse(value, as: type, binder.context) }
        parts.append(Part(column: column, type: type, record: record, value: value))
      }
    }
    parts.sort { ($0.column, $0.record) < ($1.column, $1.record) }
    states = parts.map(\.value.freshState)
  }

  /// Binds values, which must be constant: names in them are not looked up in the input.
  private static func constants(
    _ records: [[Assignment]], _ binder: Binder
  ) throws(ExpressionError) -> [[Program]] {
    var binder = binder
    let schema = binder.schema
    var values: [[Program]] = []
    for pairs in records {
      var programs: [Program] = []
      for pair in pairs {
        do { programs.append(try binder.bind(pair.value)) } catch {
          guard case .unknownColumn(let name, _, _) = error.kind else { throw error }
          throw pair.value.error(.unquotedText(name), at: error.range)
        }
        guard let name = binder.slots.first else { continue }
        let isColumn = schema.index(of: name).map { schema.columns[$0].isSeen } ?? false
        throw pair.value.error(
          isColumn ? .notConstant(name) : .unquotedText(name), at: pair.value.expression.range)
      }
      values.append(programs)
    }
    return values
  }

  private static func column(
    of pair: Assignment, _ binder: inout Binder
  ) throws(ExpressionError) -> Int {
    if let column = binder.schema.markGiven(name: pair.column, at: pair.position) { return column }
    throw pair.value.error(notFound: pair.notFound(in: binder.schema), at: pair.range)
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] { [PlannedStep(work: .add, holding: .batch)] }

  /// The rows, in a batch of their own; only the first call returns it.
  ///
  /// - Parameters:
  ///   - count: the number of rows in the input.
  ///   - dialect: how the input is written.
  mutating func deliverRows(after count: Int, _ dialect: Dialect) -> Batch? {
    if isDone { return nil }
    isDone = true
    let rows = emptyRows(after: count, dialect)
    guard let first = parts.first else { return rows }
    var computed = ComputedColumn(at: first.column, of: rows, count: recordCount, room: .max)
    for (index, part) in parts.enumerated() {
      computed.advance(toColumn: part.column)
      let value = part.value.value(rows, row: part.record, state: &states[index])
      let types = CellTypes(rows, of: part.value, declared: part.type)
      computed.set(value, row: part.record, types, part.value.context.marks)
    }
    return computed.finish(cutting: nil)
  }

  /// Rows without cells; none has a record in the input.
  private func emptyRows(after count: Int, _ dialect: Dialect) -> Batch {
    let places = (1...recordCount).map { RowPlace(source: source, line: $0, number: count + $0) }
    return Batch(
      block: .empty, decoded: .empty, escapes: [], cells: [], columnCount: 0,
      recordStarts: Array(repeating: 0, count: recordCount + 1),
      origin: Batch.Origin(source: source, line: 1, row: count + 1, isVerbatim: false, dialect: dialect),
      places: places)
  }
}

extension PlannedStep.Work {
  static let add = Self(rawValue: "--add")
}

extension Adder {
  /// Rows are not sent to an engine.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if !plan.additions.isEmpty { throw .query(.option("--add")) }
  }
}
