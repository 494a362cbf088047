/// Compares the cells of matched rows: as text, or as declared by `--types`, and as `--tolerance` and `--same` say.
struct CellComparison: ~Copyable {
  /// How the cells of one column are compared if their texts differ.
  private struct Rule {
    /// What must be the same for both: the value of an expression in each table.
    var values: [(old: Program, new: Program)] = []

    /// Whether values are also the same if both are null.
    var joinsNulls = false

    /// How far apart numbers may be.
    var tolerances: [ComparisonOptions.Tolerance] = []
  }

  /// By the pairs of columns.
  private var rules: [Rule]
  private let marks: NumberMarks
  private let marksNull: Bool
  private var oldText = ByteBuffer()
  private var newText = ByteBuffer()

  /// Binds the options about cells.
  ///
  /// - Parameters:
  ///   - old: binds expressions to the old table.
  ///   - new: binds expressions to the new one.
  init(
    _ options: ComparisonOptions, _ columns: ComparedColumns, old: inout Binder, new: inout Binder,
    marksNull: Bool
  ) throws(Failure) {
    marks = new.context.marks
    self.marksNull = marksNull
    rules = Array(repeating: Rule(), count: columns.pairs.count)
    for tolerance in options.tolerances {
      let chosen: [ResolvedColumn]
      do { chosen = try new.schema.resolve(tolerance.columns) } catch {
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
    let chosen: [ResolvedColumn]
    do { chosen = try new.schema.resolve(selector) } catch {
      throw rule.condition.error(notFound: error, at: rule.columnsRange)
    }
    for index in columns.pairs.indices where chosen.contains(columns.pairs[index].new.identity) {
      // A value of a declared type is a part of the expression.
      rules[index].values = [try Self.bind(rule.condition, columns.pairs[index], &old, &new)]
      rules[index].joinsNulls = true
    }
  }

  private static func bind(
    _ source: SourceExpression, _ pair: ComparedColumns.CommonColumn, _ old: inout Binder, _ new: inout Binder
  ) throws(ExpressionError) -> (old: Program, new: Program) {
    defer { (old.fieldCell, new.fieldCell) = (nil, nil) }
    old.fieldCell = .column(pair.old)
    new.fieldCell = .column(pair.new)
    return (try old.bind(source), try new.bind(source))
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
    for (place, pair) in columns.pairs.enumerated() where pair.isCompared {
      oldText.truncate(to: 0)
      newText.truncate(to: 0)
      oldBatch.append(comparedTextOf: pair.old, row: oldID.row, marksNull: marksNull, to: &oldText)
      newBatch.append(comparedTextOf: pair.new, row: newID.row, marksNull: marksNull, to: &newText)
      if oldText.span.equals(newText.span) { continue }
      if !areSame(place, (oldBatch, oldID.row), (newBatch, newID.row)) { changed.append(place) }
    }
    return changed
  }

  /// Whether cells with different texts are equal all the same.
  private func areSame(_ place: Int, _ old: (batch: Batch, row: Int), _ new: (batch: Batch, row: Int)) -> Bool
  {
    let rule = rules[place]
    if !rule.tolerances.isEmpty, let left = NumberReader.loose(oldText.span, marks: marks),
      let right = NumberReader.loose(newText.span, marks: marks),
      rule.tolerances.contains(where: { $0.joins(left, right) })
    {
      return true
    }
    for value in rule.values {
      let (left, right) = (key(of: value.old, old), key(of: value.new, new))
      if left == right, left != nil || rule.joinsNulls { return true }
    }
    return false
  }

  /// The value of an expression as bytes; `nil` if it is null.
  private func key(of program: Program, _ place: (batch: Batch, row: Int)) -> [UInt8]? {
    var evaluator = Evaluator(program.context, batch: place.batch, row: place.row, state: program.freshState)
    var key = ByteBuffer()
    return evaluator.append(keyOf: program.node, to: &key) ? key.array() : nil
  }
}
