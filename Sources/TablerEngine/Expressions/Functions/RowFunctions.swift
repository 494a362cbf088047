/// The functions that tell where the current row comes from.
enum RowFunctions {
  /// All of them, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "row_number", gives: .number, "number of the row in the input", example: "row_number()", "1",
      sql: .local, elsewhere: "nr rownum row_num recno row rowid row_index rownumber",
      .row { .int($0.batch.rowNumber(ofRow: $0.row)) }),
    Function(
      "line_number", gives: .number, "number of its line in the file", example: "line_number()", "2",
      sql: .local, elsewhere: "lineno line_no linenumber line fnr", .row { .int($0.line()) }),
    Function(
      "filename", gives: .text, "name of its file", example: "filename()", "fruit.csv", sql: .local,
      elsewhere: "file_name input_filename file", .row { .text($0.fileName) }),
    Function(
      "unique", [.repeated(.any("x"))], gives: .bool,
      "whether the row is the first with x (filter, validate)",
      example: "unique(color)", "true", sql: .local,
      elsewhere: "uniq first_seen seen dedup dedupe is_first_distinct",
      .form { (binder, call) throws(ExpressionError) in try binder.unique(call) }),
    Function(
      "selected", gives: .bool, "whether the row is selected, in style rules and templates",
      example: "selected()", "false", sql: .local, elsewhere: "is_selected isselected",
      .form { (binder, call) throws(ExpressionError) in try binder.selected(call) }),
    Function(
      "lookup", [.text("table"), .any("key"), .optional(.text("column"))], gives: .any,
      "second column of the row with that key in a side table", example: "lookup('prices', name)", "3.20",
      sql: .local, elsewhere: "vlookup xlookup hlookup index_match dict_get map_get",
      .form { (binder, call) throws(ExpressionError) in try binder.lookup(call) }),
  ]
}

extension Binder {
  /// `unique(color)`: the rows that are the first with their key are determined before the expression is evaluated.
  fileprivate mutating func unique(_ call: Call) throws(ExpressionError) -> (Node, StaticKind) {
    let keys = try arguments(of: call).nodes
    guard let index = uniques?.count else { throw call.source.error(.uniqueNotAllowed, at: call.range) }
    uniques?.append(keys)
    let reading: Function.RowReading = { evaluator in
      guard let firsts = evaluator.state.firsts else { return .null }
      return .bool(firsts.contains(index * evaluator.batch.rowCount + evaluator.row))
    }
    return (.row(reading), .bool)
  }

  /// `selected()`: a painter knows which of its rows are; a template, which may be measured earlier,
  /// determines it itself.
  fileprivate mutating func selected(_ call: Call) throws(ExpressionError) -> (Node, StaticKind) {
    asksSelected = true
    switch selection {
    case nil: throw call.source.error(.selectedNotAllowed, at: call.range)
    case .found?:
      return (.row { .bool($0.state.selected?.contains($0.row) ?? $0.state.isSelected) }, .bool)
    case .fromEnd?: throw call.source.error(.selectedFromEnd, at: call.range)
    case .chosen(let rows, let conditions)?:
      // The names of the template mean nothing in the options that select.
      let (cell, number, name) = (fieldCell, rowNumberName, givenName)
      (selection, fieldCell, rowNumberName, givenName) = (nil, nil, .column, nil)
      defer {
        selection = .chosen(rows: rows, conditions: conditions)
        (fieldCell, rowNumberName, givenName) = (cell, number, name)
      }
      let tests = try conditions.map { (source) throws(ExpressionError) in
        try bind(source.expression, source).node
      }
      let reading: Function.RowReading = { evaluator in
        let index = evaluator.state.shownRow - 1
        if rows.contains(where: { $0.contains(index) }) { return .bool(true) }
        for test in tests where evaluator.truth(test) ?? false { return .bool(true) }
        return .bool(false)
      }
      return (.row(reading), .bool)
    }
  }

  /// `lookup("prices", ticker)`: the table and the column are known before the first row.
  fileprivate mutating func lookup(_ call: Call) throws(ExpressionError) -> (Node, StaticKind) {
    let nodes = try arguments(of: call).nodes
    let name = try written(nodes[0], call.arguments[0], call.source)
    guard let table = context.lookups?[name] else {
      let suggestion = name.nearest(among: (context.lookups ?? [:]).keys.sorted())
      throw call.source.error(.unknownTable(name, suggestion: suggestion), at: call.arguments[0].range)
    }
    var column = ResolvedColumn(index: 1)
    if nodes.count > 2 {
      let wanted = try written(nodes[2], call.arguments[2], call.source)
      guard let found = table.column(wanted) else {
        let suggestion = wanted.nearest(among: table.schema.columns.map(\.name))
        throw call.source.error(
          .unknownTableColumn(wanted, table: name, suggestion: suggestion), at: call.arguments[2].range)
      }
      column = found
    } else if table.schema.count < 2 {
      throw call.source.error(.noSecondColumn(table: name), at: call.arguments[0].range)
    }
    let place = column
    return (
      .call(
        .value { evaluator, nodes in
          guard let key = evaluator.text(nodes[0]) else { return .null }
          return table.value(of: key.bytes(in: evaluator.batch), column: place)
        }, [nodes[1]]), .any
    )
  }

  /// The text of an argument that is a constant or an `--arg`.
  private func written(
    _ node: Node, _ argument: Expression, _ source: SourceExpression
  ) throws(ExpressionError) -> String {
    switch node {
    case .constant(.text(let text)), .argument(let text, _): String(decoding: text.held, as: UTF8.self)
    default: throw source.error(.lookupNeedsLiteral, at: argument.range)
    }
  }
}
