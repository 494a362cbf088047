import TablerEngine

extension Plan {
  /// Reads `--diff` and the options about it.
  mutating func readComparison(_ arguments: Arguments) throws(PlanError) {
    guard let path = arguments.path(.diff) else {
      for option in Option.ID.ofComparison where arguments.isOn(option) { throw .needsComparison(option) }
      return
    }
    if arguments.has(.compute) { throw .contradiction(.diff, .compute) }
    let isStream = path == "-"
    if isStream,
      arguments.sources.isEmpty && !arguments.has(.via) || arguments.sources.contains(.standardInput)
    {
      throw .needsFile(.diff)
    }
    var options = ComparisonOptions(with: isStream ? .standardInput : .file(path))
    let ignored = try arguments.read(.diffIgnore) { (cursor) throws(GrammarError) in try cursor.columnList() }
    options.ignored = ColumnList(ignored.flatMap(\.entries))
    options.tolerances = try arguments.read(.tolerance) { (cursor) throws(GrammarError) in
      try cursor.tolerances()
    }.flatMap { $0 }
    options.equalities = try arguments.read(.same) { (cursor) throws(GrammarError) in try cursor.equality() }
    if let context = arguments.value(.context) {
      options.context = Int(context).map { .rows($0) } ?? .all
    }
    options.moves = arguments.choice(.moves, as: ComparisonOptions.MovePolicy.self) ?? options.moves
    options.countsOnly = arguments.isOn(.diffStat)
    options.showsDelta = arguments.isOn(.delta)
    options.showsChangedColumnsOnly = arguments.isOn(.changedColumns)
    if options.context != .rows(0) {
      // These count changes, not the rows around them.
      for option in [Option.ID.sample, .skip, .head, .tail] where arguments.has(option) {
        throw .contradiction(.context, option)
      }
    }
    if rowKeys == nil {
      for option in [Option.ID.tolerance, .same, .delta, .changedColumns] where arguments.isOn(option) {
        throw .needsKeys(option)
      }
    }
    if output.form == .json || output.form == .jsonl, !options.countsOnly {
      for option in [Option.ID.sample, .skip, .head, .tail, .context] where arguments.has(option) {
        throw .cutsChangeList(option, output.form)
      }
    }
    comparison = options
  }
}

extension Option.ID {
  /// The options that mean nothing without `--diff`.
  fileprivate static let ofComparison: [Option.ID] = [
    .context, .diffIgnore, .same, .diffStat, .delta, .tolerance, .moves, .changedColumns,
  ]
}

extension GrammarCursor {
  /// `colspec "=" number [ "%" ] { "," … }`, as in `price=0.01,*=5%`.
  mutating func tolerances() throws(GrammarError) -> [ComparisonOptions.Tolerance] {
    try list { (cursor) throws(GrammarError) in
      let name = try cursor.name(.column, stops: .equalsSign)
      guard cursor.consume("=") else { throw cursor.expected(.equalsSign) }
      cursor.skipBlanks()
      let start = cursor.offset
      let text = try cursor.name(.value).text
      let columns: ColumnSelector = name.isGlob ? .glob(name.text) : .column(name.column)
      guard let tolerance = ComparisonOptions.Tolerance(columns, text) else {
        throw cursor.error(.notATolerance(text), at: start..<cursor.offset)
      }
      return tolerance
    }
  }

  /// `colspec ":" expr`, as in `name: lower(trim(value))`.
  mutating func equality() throws(GrammarError) -> ValidationRule {
    let rule = try validationRule()
    if rule.columns == nil { throw error(.namesNoColumn, at: 0..<bytes.count) }
    if let range = rule.messageRange { throw error(.messageUnused, at: range) }
    return rule
  }
}
