extension Pipeline {
  /// Takes note of what the painter begins with, where records of JSON are drawn with their own keys.
  mutating func settleOwnKeys(_ columns: [ShownColumn]) {
    guard schedule.lateColumns == .drawn else { return }
    var keys = OwnKeys(all: ownKeys?.all ?? schema, count: schema.shown.count)
    keys.take(columns)
    ownKeys = keys
  }

  /// Tells the painter of the keys that came with the rows it is to draw next.
  mutating func growKeys<P: Painter & ~Copyable>(of painter: inout P) throws(Failure) {
    guard var keys = ownKeys else { return }
    if schema.shown.count > keys.all.shown.count { keys.all = schema }
    guard keys.all.shown.count > keys.count else { return }
    keys.count = keys.all.shown.count
    binder.schema = keys.all
    let columns = try ShownColumns(plan, &binder.schema, sortStates: stages.sortStates).columns
    let new = keys.take(cardParts(columns).fields)
    ownKeys = keys
    painter.grow(by: KeyGrowth(columns: new, texts: try cellTexts(new), hidden: try hiddenNames()))
  }
}

/// The keys of JSON records that are drawn with all they have.
struct OwnKeys {
  /// All columns that are known by now.
  var all: Schema

  /// How many columns were shown when the painter was told of them.
  var count: Int

  private var drawn: Set<Int> = []

  /// Starts with no column that the painter knows.
  init(all: Schema, count: Int) {
    self.all = all
    self.count = count
  }

  /// Takes the columns that are to be drawn.
  ///
  /// - Returns: those that were not drawn before.
  @discardableResult
  mutating func take(_ columns: [ShownColumn]) -> [ShownColumn] {
    columns.filter { column in
      guard case .column(let source) = column.source, source.path.isEmpty else { return false }
      return drawn.insert(source.index).inserted
    }
  }
}
