extension Pipeline {
  /// Paints for people, on several threads where all rows are at hand and each stands for itself.
  mutating func paint<P: DisplayPainter & ~Copyable>(
    _ supply: Supply, _ sink: inout Sink, making make: @escaping @Sendable () -> P
  ) throws(Failure) {
    var painter = make()
    guard case .held(let rows) = supply, tuning.threadCount > 1, rows.count >= 2 * tuning.pieceSize,
      painter.standsAlone
    else {
      try paint(supply, with: &painter, &sink)
      outcome.notices += painter.notices.map(Notice.layout)
      return try settle(painter.states, &sink)
    }
    painter.begin(into: &sink.buffer)
    let work = Piecework(rows, pieceSize: tuning.pieceSize, making: make)
    let noticed = try work.run(threadCount: tuning.threadCount) { (bytes) throws(Failure) in
      try sink.write(bytes)
    }
    painter.rowCount = rows.count
    painter.end(footers: footers.lines, into: &sink.buffer)
    finishNotices()
    var notices = painter.notices
    notices.merge(noticed)
    outcome.notices += notices.map(Notice.layout)
  }

  /// Paints the rows at hand and all that come behind them.
  mutating func paint<P: Painter & ~Copyable>(
    _ supply: Supply, with painter: inout P, _ sink: inout Sink
  ) throws(Failure) {
    painter.begin(into: &sink.buffer)
    if let rows = supply.rows { try paintPieces(rows, with: &painter, &sink) }
    if case .spilled(let table) = supply {
      try table.play { (rows) throws(Failure) in try paintPieces(rows, with: &painter, &sink) }
    }
    do {
      try showLive(&sink)
      while let more = try nextRows() {
        admit(more)
        try paintPieces(more, with: &painter, &sink)
        try showLive(&sink)
      }
    } catch {
      try sink.flush()
      throw error
    }
    painter.end(footers: footers.lines, into: &sink.buffer)
    finishNotices()
  }

  /// Takes note of the rows at hand, which are shown; those in a file are merged for it only where footers ask.
  mutating func admit(_ supply: Supply) throws(Failure) {
    if let rows = supply.rows { admit(rows) }
    guard case .spilled(let table) = supply else { return }
    outcome.rowCount += table.rowCount
    if footers.needsRows { try table.play { (rows) throws(Failure) in footers.take(rows) } }
  }

  /// Takes note of rows that are shown.
  private mutating func admit(_ rows: Rows) {
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
    let piece = 256
    var start = 0
    while start < rows.count {
      let end = min(start + piece, rows.count)
      painter.paint(rows, start..<end, into: &sink.buffer)
      try sink.relieve()
      start = end
    }
  }

  /// Takes over what templates left behind; what was painted before a failed `must()` is written.
  private mutating func settle(_ states: [EvaluationState], _ sink: inout Sink) throws(Failure) {
    for state in states { outcome.notices += state.tally.notices(plan.sources) }
    guard let failure = states.lazy.compactMap(\.failure).first else { return }
    try sink.flush()
    throw failure.failure(plan.sources)
  }

  /// Writes out what is painted, where the next rows may be long in coming.
  private func showLive(_ sink: inout Sink) throws(Failure) {
    if input.isLive, !reading.isReady { try sink.flush() }
  }

  private mutating func finishNotices() {
    outcome.notices += reading.progress.notices.map(Notice.input)
    if reading.progress.rowCount > 0 {
      for column in schema.columns where !column.isSeen {
        outcome.notices.append(.input(.neverSeen(column.name)))
      }
    }
    outcome.notices += stages.notices
    outcome.disorder = stages.disorder
    for tally in stages.tallies + footers.tallies { outcome.notices += tally.notices(plan.sources) }
  }
}
