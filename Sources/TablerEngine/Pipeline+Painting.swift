extension Pipeline {
  /// Paints for people, on several threads where all rows are at hand and each stands for itself.
  mutating func paint<P: DisplayPainter & ~Copyable>(
    _ supply: Supply, _ sink: inout Sink, making make: @escaping @Sendable () -> P
  ) throws(Failure) {
    var painter = make()
    guard painter.standsAlone, !hasLargeBatches, supply.rowCount >= 2 * tuning.pieceSize,
      tuning.threadCount > 1,
      let pieces = try supply.pieces(of: tuning.pieceSize, rowSize: painter.rowSize)
    else {
      try paint(supply, with: &painter, &sink)
      return try refuse(painter.states.lazy.compactMap(\.failure).first, &sink)
    }
    painter.begin(into: &sink.buffer)
    let work = Piecework(pieces, making: make)
    let noticed = try work.run(threadCount: tuning.threadCount, failing: Failure.init(reading:)) {
      (bytes) throws(Failure) in try sink.write(bytes)
    }
    try refuse(footers.failure, &sink)
    painter.rowCount = supply.rowCount
    painter.end(footers: footers.lines, into: &sink.buffer)
    var notices = painter.notices
    notices.merge(noticed)
    outcome = outcomeSoFar(notices, painter)
  }

  /// Paints the rows at hand and all that come after them.
  mutating func paint<P: Painter & ~Copyable>(
    _ supply: Supply, with painter: inout P, _ sink: inout Sink
  ) throws(Failure) {
    painter.begin(into: &sink.buffer)
    try growKeys(of: &painter)
    do {
      try supply.play { (rows) throws(Failure) in try paintPieces(rows, with: &painter, &sink) }
      try showLive(painter, &sink)
      while let more = try nextRows() {
        admit(more)
        try growKeys(of: &painter)
        try paintPieces(more, with: &painter, &sink)
        try showLive(painter, &sink)
      }
    } catch {
      try sink.flush()
      throw error
    }
    try refuse(footers.failure, &sink)
    painter.end(footers: footers.lines, into: &sink.buffer)
    outcome = outcomeSoFar(painter.notices, painter)
  }

  /// Takes note of the rows at hand, which are shown; those in a file are read for it only where footers ask.
  mutating func admit(_ supply: Supply) throws(Failure) {
    if let rows = supply.rows { return admit(rows) }
    outcome.rowCount += supply.rowCount
    if footers.needsRows { try supply.play { (rows) throws(Failure) in footers.take(rows) } }
  }

  /// Takes note of rows that are shown.
  mutating func admit(_ rows: Rows) {
    outcome.rowCount += rows.count
    reportLateKeys(of: rows)
    footers.take(rows)
  }
}

extension Pipeline {
  /// Paints rows, and writes out what is painted now and then.
  private func paintPieces<P: Painter & ~Copyable>(
    _ rows: Rows, with painter: inout P, _ sink: inout Sink
  ) throws(Failure) {
    let piece = Tuning.pieceSize(rows.rowWeight + painter.rowSize, bytes: Sink.fullSize * 4, atMost: 256)
    var start = 0
    while start < rows.count {
      let end = min(start + piece, rows.count)
      painter.paint(rows, start..<end, into: &sink.buffer)
      try sink.relieve()
      start = end
    }
  }

  /// Ends the run where a template's `must()` failed; what was painted before is written.
  private mutating func refuse(_ failure: MustFailure?, _ sink: inout Sink) throws(Failure) {
    guard let failure else { return }
    try sink.flush()
    throw failure.failure(plan.sources)
  }

  /// Writes out what is painted, where the next rows may be long in coming, and says how things stand then.
  private mutating func showLive<P: Painter & ~Copyable>(
    _ painter: borrowing P, _ sink: inout Sink
  ) throws(Failure) {
    guard input.isLive, !reading.isReady else { return }
    try sink.flush()
    onPause?(outcomeSoFar(painter.notices, painter))
    releaseInterrupts()
  }

  /// How the run would end if the input ended here.
  private func outcomeSoFar<P: Painter & ~Copyable>(
    _ notices: [LayoutNotice], _ painter: borrowing P
  ) -> Outcome {
    var outcome = outcome
    outcome.notices += inputNotices
    if reading.progress.rowCount > 0 { outcome.notices += expected.notices(knownSchema) }
    outcome.notices += idlePatterns + hiddenParts
    outcome.notices += stages.notices
    outcome.disorder = stages.disorder
    for tally in stages.tallies + footers.tallies { outcome.notices += tally.notices(plan.sources) }
    var notices = notices
    notices.merge(titleNotices)
    outcome.notices += notices.inOrder.map { .layout(schedule.isLean ? $0.withoutPlace : $0) }
    if painter.guardedCells > 0 { outcome.notices.append(.guardedFormulas(painter.guardedCells)) }
    for state in painter.states { outcome.notices += state.tally.notices(plan.sources) }
    return outcome
  }

  /// What there is to say of the input; that lines were left out as asked matters where rows go on as data.
  var inputNotices: [Notice] {
    let notices = reading.notices
    if notices.isEmpty { return [] }
    return notices.filter { notice in
      if case .leftOutLines = notice { !plan.output.form.isDisplay } else { true }
    }.map(Notice.input)
  }

  /// The columns of all rows that were needed, also of those after the rows looked at.
  private var knownSchema: Schema {
    var known = schema
    if let own = ownKeys?.all, own.shown.count > known.shown.count { known = own }
    if let late = lateKeys?.all, late.shown.count > known.shown.count { known = late }
    return known
  }

  /// What `--hide` names that is only a part of a column that is shown.
  private var hiddenParts: [Notice] {
    var known = knownSchema
    func isSeen(_ index: Int) -> Bool { !known.isOpen || known.columns[index].isSeen }
    guard let hidden = try? known.resolveAll(plan.hidden) else { return [] }
    let listed = plan.columns.flatMap { list in try? known.select(list).map(\.column.identity) }
    return plan.hidden.entries.compactMap { entry in
      guard !entry.isExcluded, case .column(let reference, _) = entry.item,
        case .name(let name, _) = reference,
        let column = try? known.resolve(reference)
      else { return nil }
      if expected.holds(column) { return nil }
      if let exact = column.exact, isSeen(exact) { return nil }
      let ways = [column] + column.longer
      guard let holder = ways.first(where: { !$0.path.isEmpty && isSeen($0.index) }) else { return nil }
      let whole = ResolvedColumn(index: holder.index)
      if hidden.contains(whole) || listed?.contains(whole) == false { return nil }
      return .hiddenPart(name: name.trimmingBlanks, column: known.columns[holder.index].name)
    }
  }

  /// The patterns over names that none has matched, unless no row came that might have had one.
  private var idlePatterns: [Notice] {
    if !plan.hasPatterns || (schema.isOpen && reading.progress.rowCount == 0) { return [] }
    let known = knownSchema
    let names = known.shown.map { Array(known.columns[$0].name.unicodeScalars) }
    return plan.patterns.filter { pattern in
      let glob = Glob(pattern.text)
      return !names.contains { glob.matches($0) }
    }.map { .nothingMatched(option: $0.option, pattern: $0.text) }
  }
}
