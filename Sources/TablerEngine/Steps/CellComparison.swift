/// Compares the cells of matched rows: as text, or as declared by `--types`, and as `--tolerance` and `--same` say.
struct CellComparison: ~Copyable {
  /// An expression over the cells of a column, in each table.
  private struct ComparedValue {
    var old: CellExpression
    var new: CellExpression
  }

  /// How the cells of one column are compared if their texts differ.
  private struct Rule {
    /// What must be the same for both: the value of an expression in each table.
    var values: [ComparedValue] = []

    /// Whether values are also the same if both are null.
    var joinsNulls = false

    /// How far apart numbers may be.
    var tolerances: [ComparisonOptions.Tolerance] = []
  }

  /// By the pairs of columns.
  private var rules: [Rule]
  private let oldColumns: PresentColumns
  private let newColumns: PresentColumns
  private let marks: NumberMarks
  private let marksEmpty: Bool
  private var oldText = ByteBuffer()
  private var newText = ByteBuffer()

  /// Binds the options about cells.
  ///
  /// - Parameters:
  ///   - old: binds expressions to the old table.
  ///   - new: binds expressions to the new one.
  init(
    _ options: ComparisonOptions, _ columns: ComparedColumns, old: inout Binder, new: inout Binder,
    marksEmpty: Bool
  ) throws(Failure) {
    oldColumns = PresentColumns(columns.pairs.map(\.old))
    newColumns = PresentColumns(columns.pairs.map(\.new))
    marks = new.context.marks
    self.marksEmpty = marksEmpty
    rules = Array(repeating: Rule(), count: columns.pairs.count)
    for tolerance in options.tolerances {
      let chosen: Set<ResolvedColumn>
      do { chosen = Set(try new.schema.resolve(tolerance.columns).map(\.identity)) } catch {
        throw .column(option: "--tolerance", error)
      }
      for index in columns.pairs.indices where chosen.contains(columns.pairs[index].new.identity) {
        rules[index].tolerances.append(tolerance)
      }
    }
    do {
      for index in columns.pairs.indices
      where columns.pairs[index].type != nil && columns.pairs[index].type != .text {
        let value = try SourceExpression("value", option: "--types")
        rules[index].values.append(try Self.bind(value, columns.pairs[index], &old, &new))
      }
      for equality in options.equalities { try bind(equality, columns, &old, &new) }
    } catch { throw .expression(error) }
  }

  private mutating func bind(
    _ rule: ValidationRule, _ columns: ComparedColumns, _ old: inout Binder, _ new: inout Binder
  ) throws(ExpressionError) {
    guard let selector = rule.columns else { return }
    let chosen: Set<ResolvedColumn>
    do { chosen = Set(try new.schema.resolve(selector).map(\.identity)) } catch {
      throw rule.condition.error(notFound: error, at: rule.columnsRange)
    }
    for index in columns.pairs.indices where chosen.contains(columns.pairs[index].new.identity) {
      // A value of a declared type is a part of the expression.
      if !rules[index].joinsNulls { rules[index].values = [] }
      rules[index].values.append(try Self.bind(rule.condition, columns.pairs[index], &old, &new))
      rules[index].joinsNulls = true
    }
  }

  private static func bind(
    _ source: SourceExpression, _ pair: ComparedColumns.CommonColumn, _ old: inout Binder, _ new: inout Binder
  ) throws(ExpressionError) -> ComparedValue {
    defer { (old.fieldCell, new.fieldCell) = (nil, nil) }
    old.fieldCell = .column(pair.old)
    new.fieldCell = .column(pair.new)
    let programs = (old: try old.bind(source), new: try new.bind(source))
    // Two cells that `number()` does not convert are both null, and so the same.
    let notesDropped = source.expression.expectsConversions
    return ComparedValue(
      old: CellExpression(programs.old), new: CellExpression(programs.new, notesDropped: notesDropped))
  }

  /// What computes the value in each table, for each pair of columns with a declared type and no `--same`, by the number of
  /// the pair.
  var declaredValues: [Int: (old: CellExpression, new: CellExpression)] {
    var values: [Int: (old: CellExpression, new: CellExpression)] = [:]
    for (place, rule) in rules.enumerated() where !rule.joinsNulls {
      if let value = rule.values.first { values[place] = (value.old, value.new) }
    }
    return values
  }

  /// The pairs of columns in which a row has changed.
  ///
  /// - Parameter index: the number of the row among those of `rows`.
  mutating func changed(_ rows: TableComparison.MatchedPortion, _ index: Int, _ columns: ComparedColumns)
    -> [Int]
  {
    let (oldID, newID) = (rows.old.ids[rows.oldPlaces[index]], rows.new.ids[rows.newPlaces[index]])
    let (oldBatch, newBatch) = (rows.old.batches[oldID.batch], rows.new.batches[newID.batch])
    var changed: [Int] = []
    for place in places(oldBatch, oldID.row, newBatch, newID.row) {
      let pair = columns.pairs[place]
      guard pair.isCompared else { continue }
      oldText.truncate(to: 0)
      newText.truncate(to: 0)
      oldBatch.append(comparedTextOf: pair.old, row: oldID.row, marksEmpty: marksEmpty, to: &oldText)
      newBatch.append(comparedTextOf: pair.new, row: newID.row, marksEmpty: marksEmpty, to: &newText)
      if oldText.span.equals(newText.span) { continue }
      if !areSame(place, (oldBatch, oldID.row), (newBatch, newID.row)) { changed.append(place) }
    }
    return changed
  }

  /// The failures with which expressions ended the comparison, in the old table and in the new one.
  var failures: (old: EvaluationFailure?, new: EvaluationFailure?) {
    let values = rules.lazy.flatMap(\.values)
    return (values.compactMap(\.old.state.failure).first, values.compactMap(\.new.state.failure).first)
  }

  /// The cells that did not convert.
  var tallies: [ConversionTally] {
    rules.flatMap { rule in rule.joinsNulls ? rule.values.map(\.new.state.tally) : [] }
  }

  /// The pairs of columns in which one of two rows may have a cell, in order.
  private func places(_ old: Batch, _ oldRow: Int, _ new: Batch, _ newRow: Int) -> [Int] {
    if old.sparse == nil || new.sparse == nil { return Array(rules.indices) }
    return Set(oldColumns.inRow(oldRow, of: old)).union(newColumns.inRow(newRow, of: new)).sorted()
  }

  /// Whether cells with different texts are equal all the same.
  private mutating func areSame(
    _ place: Int, _ old: (batch: Batch, row: Int), _ new: (batch: Batch, row: Int)
  ) -> Bool {
    let rule = rules[place]
    if !rule.tolerances.isEmpty, let left = NumberReader.loose(oldText.span, marks: marks),
      let right = NumberReader.loose(newText.span, marks: marks),
      rule.tolerances.contains(where: { $0.joins(left, right) })
    {
      return true
    }
    for index in rule.values.indices {
      let (left, right) = (
        rules[place].values[index].old.key(in: old.batch, row: old.row),
        rules[place].values[index].new.key(in: new.batch, row: new.row)
      )
      if left == right, left != nil || rule.joinsNulls { return true }
    }
    return false
  }
}

/// An expression over a cell, and what was found while it was evaluated.
struct CellExpression {
  private let program: Program
  fileprivate private(set) var state: EvaluationState

  /// Prepares to evaluate a program.
  ///
  /// - Parameter notesDropped: whether cells are noted that functions such as `number()` make null.
  fileprivate init(_ program: Program, notesDropped: Bool = false) {
    self.program = program
    state = program.freshState
    state.notesDropped = notesDropped
  }

  /// The value in a row as bytes, the same for equal values; `nil` if it is null.
  mutating func key(in batch: Batch, row: Int) -> [UInt8]? {
    var evaluator = Evaluator(program.context, batch: batch, row: row, state: state)
    var key = ByteBuffer()
    let hasValue: Bool
    if case .time(let time) = evaluator.value(program.node) {
      // Instants are equal wherever they are shown.
      key.append(raw: [time.instant, Int64(time.nanosecond)])
      hasValue = true
    } else {
      hasValue = evaluator.append(keyOf: program.node, numbers: .all, to: &key)
    }
    state = evaluator.state
    return hasValue ? key.array() : nil
  }
}
