/// What an interactive page must know of the steps: the order of the rows, and which of them may be changed.
struct PageTerms: Sendable {
  /// The keys of `--sort` or `--sorted-by`.
  let keys: [BoundKey]

  /// What the keys of other columns depend on.
  let surroundings: SortOrder.Surroundings

  /// Whether the rows are all those of one file, as they are there.
  let holdsFile: Bool

  /// The conditions of `--can-move`, `--can-edit` and `--can-delete`, with the letter of each.
  let guards: [(letter: Character, program: Program)]

  /// Binds what a plan says of the page; `nil` if there is none.
  init?(_ plan: borrowing Plan, _ binder: inout Binder) throws(Failure) {
    guard let page = plan.output.page else { return nil }
    let isSorted = !plan.sortKeys.isEmpty
    let keys = isSorted ? plan.sortKeys : plan.sortedBy
    surroundings = SortOrder.Surroundings(plan, binder)
    self.keys = try SortOrder(keys, option: isSorted ? "--sort" : "--sorted-by", plan, &binder).keys
    holdsFile =
      plan.sources.count == 1 && !plan.comparesView && !plan.changesCells && plan.comparison == nil
      && plan.replay == nil && plan.answerNames == nil && plan.skip == 0 && plan.head == nil
      && plan.tail == nil && plan.sample == nil
    var guards: [(letter: Character, program: Program)] = []
    let conditions: [(Character, SourceExpression?)] = [
      ("m", holdsFile ? plan.canMove : nil), ("e", page.editable == nil ? nil : plan.canEdit),
      ("d", page.editable == nil ? nil : plan.canDelete),
    ]
    do {
      for case (let letter, let condition?) in conditions {
        guards.append((letter, try binder.bind(condition: condition)))
      }
    } catch { throw .expression(error) }
    self.guards = guards
  }

  /// The orders of columns of the data, and how each would be compared without a flag.
  func orders(
    of columns: [ResolvedColumn?], _ schema: inout Schema
  ) throws(Failure) -> [(key: BoundKey, usual: SortKey.Comparison)?] {
    let orders: [ResolvedColumn: ValueRanks]
    do { orders = try surroundings.orders(&schema) } catch { throw error.failure(option: "--order", []) }
    var known: [ResolvedColumn: BoundKey] = [:]
    for key in keys { if let column = key.column?.identity, known[column] == nil { known[column] = key } }
    let schema = schema
    return columns.map { column in
      column.map {
        let usual = BoundKey(ascending: $0, schema, orders: orders, surroundings)
        return (known[$0.identity] ?? usual, usual.comparison)
      }
    }
  }
}
