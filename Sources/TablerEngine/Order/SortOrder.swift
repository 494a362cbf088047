/// The keys of `--sort` or `--sorted-by`, bound to the columns of the input.
///
/// It is the one place that knows what a key means; `Sorter` and `OrderVerifier` do with it what they do.
struct SortOrder: Sendable {
  /// What keys depend on besides themselves.
  struct Surroundings: Sendable {
    /// `--nulls`.
    var nulls = NullPlacement.last

    /// `--order`.
    var valueOrders: [ValueOrder] = []

    /// `--arg`.
    var arguments = NamedTexts()

    /// What expressions know besides their columns; also the marks of numbers.
    var context = EvaluationContext()
  }

  /// The keys, the most important first.
  let keys: [BoundKey]

  /// Binds `keys`; an open schema takes note of names that may still come.
  init(_ keys: [SortKey], schema: inout Schema, _ surroundings: Surroundings) throws(SortError) {
    let orders = try Self.resolve(surroundings.valueOrders, &schema)
    var bound: [BoundKey] = []
    for (slot, key) in keys.enumerated() {
      bound.append(try BoundKey(key, slot: slot, schema: &schema, orders: orders, surroundings))
    }
    self.keys = bound
  }

  private init(_ keys: [BoundKey]) { self.keys = keys }

  /// The same order for batches with notes on the columns of its keys only, and these columns; nil where a key is
  /// made of more than the cells of one.
  var ofKeysOnly: (order: SortOrder, columns: [Int])? {
    let columns = keys.compactMap(\.sourceColumn)
    guard columns.count == keys.count else { return nil }
    return (SortOrder(zip(keys, columns.indices).map { $0.moved(to: $1) }), columns)
  }

  /// The counts of misfits before any was met.
  var freshTally: ConversionTally {
    ConversionTally(entries: keys.map { ConversionTally.Entry(column: $0.name) })
  }

  /// The values of all keys for `rows`, coded; misfits are counted in the columns.
  ///
  /// - Parameter threadCount: the threads that may work at once.
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

  private static func resolve(
    _ orders: [ValueOrder], _ schema: inout Schema
  ) throws(SortError) -> [ResolvedColumn: ValueRanks] {
    if orders.isEmpty { return [:] }
    var values: [ResolvedColumn: [String]] = [:]
    for order in orders {
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
  /// What values of the keys were taken as text that may be meant otherwise.
  func notices(_ findings: [KeyFindings]) -> [Notice] {
    var notices: [Notice] = []
    for (key, findings) in zip(keys, findings) {
      for (word, count) in findings.wordsBesideNumbers {
        notices.append(.wordsBesideNumbers(word: word.text, count: count))
      }
      guard let look = findings.look else { continue }
      notices.append(
        .sortedAsText(
          key: key.name, isExpression: key.column == nil, isDescending: key.coder.isDescending, look))
    }
    return notices
  }
}
