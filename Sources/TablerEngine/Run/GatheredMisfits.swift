/// The cells that did not convert, for all uses of them: what several expressions, sort keys and footers
/// found in the same cells is reported once.
struct GatheredMisfits {
  /// The subject of a notice about one column, without the place and the count.
  fileprivate struct Subject: Hashable {
    enum FindingKind: Hashable {
      case misfits(ExpressionError.ValueKind, areLeftOut: Bool, isTotal: Bool)
      case unformatted
      case unconverted(ExpressionError.ValueKind)
      case dropped(ExpressionError.ValueKind)
      case nullWords
      case datesAsText
      case thousandths
    }

    let column: ExactName
    let finding: FindingKind
  }

  /// The findings, with what found them.
  fileprivate struct Found {
    let finding: Subject.FindingKind

    /// Whether a warning about misfits in the same column says enough.
    var isNote: Bool {
      switch finding {
      case .unconverted, .dropped, .nullWords: true
      case .misfits, .unformatted, .datesAsText, .thousandths: false
      }
    }

    var entry: ConversionTally.ColumnMisfits
    var uses: [ValueUse]
  }

  private var found: [Found] = []
  private var places: [Subject: Int] = [:]

  /// The columns of which functions converted a cell, and those with cells that are reported as misfits.
  private var converted: Set<ExactName> = []
  private var reported: Set<ExactName> = []
  private var unconverted: Set<ExactName> = []

  private var longTexts = ConversionTally(entries: [])
  private var comparisons = GatheredComparisons()

  /// Collects the findings of parts of a run; the first is reported first.
  init(_ tallies: [ConversionTally]) {
    for tally in tallies {
      longTexts.add(longTextsOf: tally)
      for texts in tally.comparedTexts { comparisons.add(texts) }
      for entry in tally.entries {
        if entry.hasConverted { converted.insert(ExactName(entry.column)) }
        if entry.count > 0 { reported.insert(ExactName(entry.column)) }
        if entry.use == .format {
          if entry.numberCount == 0, entry.count > 0 { add(.unformatted, entry) }
        } else if let first = entry.first {
          add(
            .misfits(
              first.wanted, areLeftOut: tally.leavesOut, isTotal: entry.use == .total(isLeftOut: true)),
            entry)
        }
        if entry.unconverted.count > 0 { unconverted.insert(ExactName(entry.column)) }
        if let first = entry.unconverted.first { add(.unconverted(first.wanted), entry) }
        if let first = entry.dropped.first { add(.dropped(first.wanted), entry) }
        if entry.nullWords.count > 0 { add(.nullWords, entry) }
        if entry.dates.count > 0 { add(.datesAsText, entry) }
        if !entry.units.isEmpty { add(.thousandths, entry) }
      }
    }
  }

  /// Adds findings; for cells that were already found, the larger count is kept.
  private mutating func add(_ finding: Subject.FindingKind, _ entry: ConversionTally.ColumnMisfits) {
    let subject = Subject(column: ExactName(entry.column), finding: finding)
    guard let place = places[subject] else {
      places[subject] = found.count
      found.append(Found(finding: finding, entry: entry, uses: [entry.use]))
      return
    }
    found[place].entry.widen(entry)
    if !found[place].uses.contains(entry.use) { found[place].uses.append(entry.use) }
  }

  /// Whether a finding is not worth a note, because the same cells are reported otherwise.
  ///
  /// That no cell was converted is not true if another function converted one; if it is true, it says more than how
  /// many cells were dropped.
  private func isIdle(_ found: Found) -> Bool {
    let column = ExactName(found.entry.column)
    if reported.contains(column) { return found.isNote }
    return switch found.finding {
    case .unconverted: converted.contains(column)
    case .dropped: unconverted.contains(column) && !converted.contains(column)
    default: false
    }
  }

  /// The warnings and notes about them, given the number of rows read.
  func notices(
    _ sources: [Source], rowCount: Int, _ marks: NumberMarks, hasDateFormat: Bool
  ) -> [Notice] {
    let misfits = found.filter { !isIdle($0) }.compactMap { $0.notice(sources, rowCount: rowCount) }
    let nullColumns = Set(misfits.compactMap(\.columnToBeNull))
    let compared = comparisons.notices(sources, marks, hasDateFormat: hasDateFormat).filter { notice in
      !notice.isSaid(of: nullColumns)
    }
    return misfits + compared.map { .comparedAsText($0) }
      + longTexts.longTexts.map {
        .longTexts($0.use, count: $0.texts.count, first: $0.texts.first?.place(sources))
      }
  }
}

extension Notice {
  /// The column of a warning that names words for missing values in it, which should be null.
  fileprivate var columnToBeNull: String? {
    guard case .misfits(let column, _, _, _, _, _, let remedies, _) = self else { return nil }
    return remedies.contains { if case .null = $0 { true } else { false } } ? column : nil
  }
}

extension GatheredMisfits.Found {
  fileprivate func notice(_ sources: [Source], rowCount: Int) -> Notice? {
    switch finding {
    case .unformatted:
      guard let first = entry.first else { return nil }
      return .misfits(
        column: entry.column, count: entry.count, first: first.place(sources), text: first.text,
        wanted: first.wanted, areLeftOut: false, remedies: entry.remedies(ofRows: rowCount), uses: uses)
    case .misfits(let wanted, let areLeftOut, _):
      guard let first = entry.first else { return nil }
      return .misfits(
        column: entry.column, count: entry.count, first: first.place(sources), text: first.text,
        wanted: wanted, areLeftOut: areLeftOut, remedies: entry.remedies(ofRows: rowCount), uses: uses)
    case .unconverted(let wanted):
      guard let first = entry.unconverted.first else { return nil }
      return .unconverted(
        column: entry.column, count: entry.unconverted.count, first: first.place(sources), text: first.text,
        wanted: wanted, areAll: true, remedies: entry.unconverted.remedies(ofRows: rowCount))
    case .dropped(let wanted):
      guard let first = entry.dropped.first else { return nil }
      return .unconverted(
        column: entry.column, count: entry.dropped.count, first: first.place(sources), text: first.text,
        wanted: wanted, areAll: false, remedies: entry.dropped.remedies(ofRows: rowCount))
    case .nullWords:
      let words = entry.nullWords.looks.nullWords
      guard let first = entry.nullWords.first, !words.isEmpty else { return nil }
      return .wordsAsValues(
        column: entry.column, count: entry.nullWords.count, first: first.place(sources), text: first.text,
        words: words)
    case .datesAsText:
      guard let first = entry.dates.first else { return nil }
      return .datesAsText(
        column: entry.column, count: entry.dates.count, first: first.place(sources), text: first.text,
        formats: entry.dateFormats)
    case .thousandths:
      guard let first = entry.units.doubtful else { return nil }
      return .thousandths(
        column: entry.column, count: entry.units.thousandthCount, first: first.place(sources),
        text: first.text, use: entry.use)
    }
  }
}
