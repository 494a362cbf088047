/// One sort key: where its values come from and how they compare.
struct BoundKey: Sendable {
  /// Where the values come from.
  enum Origin: Sendable {
    /// The cells of a column.
    case cells(Int)

    /// What a path into the cells of a column leads to.
    case way(ResolvedColumn)

    /// What an expression yields.
    case program(Program)
  }

  /// Where the values come from.
  private(set) var origin: Origin

  /// The column, if the key is one.
  let column: ResolvedColumn?

  /// How values are compared.
  let comparison: SortKey.Comparison

  /// What brings values into an order.
  let coder: KeyCoder

  /// The column as addressed, or the text of the expression.
  let name: String

  /// Where the key stands in its option's text, in bytes.
  let place: Range<Int>

  /// The place of the key among the keys, from 0.
  let slot: Int

  /// Ties a key to the columns of `schema`.
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
      column = resolved
      origin = resolved.path.isEmpty ? .cells(resolved.index) : .way(resolved)
      name = Self.name(of: reference, resolved, schema)
    case .expression(let source):
      column = nil
      (origin, name) = try Self.bind(source, &schema, surroundings)
    }
    let ranks = column.flatMap { orders[$0.identity] }
    coder = KeyCoder(
      reading: Self.reading(key.comparison), isDescending: key.isDescending,
      nulls: key.nulls ?? surroundings.nulls, marks: surroundings.context.marks,
      ranks: key.comparison == .auto ? ranks : nil)
    comparison = key.comparison
    place = key.place
    self.slot = slot
  }

  /// The column of the input whose cells are compared as they stand; nil where values are derived first.
  var directColumn: Int? {
    guard case .cells(let column) = origin else { return nil }
    switch comparison {
    case .auto, .number, .text: return column
    case .natural, .nocase, .date, .duration, .size, .length, .version: return nil
    }
  }

  /// The column of the input that the values come from, as they stand or derived; nil where they come from more.
  var sourceColumn: Int? {
    if case .cells(let column) = origin { column } else { nil }
  }

  /// The same key where its values stand in another column.
  func moved(to column: Int) -> BoundKey {
    var key = self
    key.origin = .cells(column)
    return key
  }
}

extension BoundKey {
  /// What cells are taken for, once they are derived.
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
  ) throws(SortError) -> (Origin, String) {
    var binder = Binder(
      schema: schema, variables: surroundings.variables, context: surroundings.context)
    do throws(ExpressionError) {
      let program = try binder.bind(source)
      schema = binder.schema
      return (.program(program), source.text.bytes(source.expression.range))
    } catch {
      throw .expression(error)
    }
  }
}

/// The values of `--order COL=V,…` and the place of each.
struct ValueRanks: Sendable {
  private let values: [(bytes: [UInt8], rank: Int)]

  /// Ranks `values`, first to last; of a repeated one the first place counts.
  init(_ values: [String]) {
    var ranked: [[UInt8]: Int] = [:]
    for (rank, value) in values.enumerated() {
      let bytes = Array(value.utf8)
      if ranked[bytes] == nil { ranked[bytes] = rank }
    }
    self.values = ranked.map { (bytes: $0.key, rank: $0.value) }
      .sorted { Self.order($0.bytes.span, $1.bytes.span) < 0 }
  }

  /// The place of a listed value, from 0; nil for any other.
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

  /// Any total order does: shorter ones first.
  private static func order(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
    left.count != right.count ? left.count - right.count : left.order(against: right)
  }
}
