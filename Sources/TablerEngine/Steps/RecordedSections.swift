/// The sections of a table all of whose rows have been seen: the range of each, and what is above and below it.
///
/// Nothing is evaluated a second time, no row waits for a heading, and several threads can paint the rows.
struct RecordedSections: TableSections {
  /// One section.
  struct Section {
    /// Its rows, counted from 0.
    var rows: Range<Int>

    /// The text across all columns that names it.
    var heading: [UInt8]?

    /// The lines below its rows.
    var footers: [FooterLine] = []
  }

  /// The sections in order; none is without rows unless there are none at all.
  let sections: [Section]

  let failure: EvaluationFailure?

  let notices: [Notice]

  let tallies: [ConversionTally]

  /// The section that comes next or is open, and the number of rows that have passed.
  private var index = 0
  private var rowCount = 0
  private var isBegun = false

  /// Creates recorded sections.
  ///
  /// - Parameter source: the sections that divided the rows; they provide notices and failures.
  init(_ sections: [Section], of source: any TableSections) {
    self.sections = sections
    failure = source.failure
    notices = source.notices
    tallies = source.tallies
  }

  /// All rows in one section.
  init(rowCount: Int) { self.init([Section(rows: 0..<rowCount)], of: OneSection()) }

  var isWhole: Bool { false }

  var outline: RecordedSections { self }

  func recorded(rowCount: Int) -> RecordedSections? { self }

  mutating func addRows(_ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    var start = 0
    while start < rows.count {
      try begin(body)
      let next = min(rows.count, start + sections[index].rows.upperBound - rowCount)
      try body(.rows(rows, start..<next))
      rowCount += next - start
      start = next
      if rowCount == sections[index].rows.upperBound { try end(body) }
    }
  }

  mutating func finish(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    while index < sections.count {
      try begin(body)
      try end(body)
    }
  }

  private mutating func begin(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    if !isBegun { try body(.begin(heading: sections[index].heading)) }
    isBegun = true
  }

  private mutating func end(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    try body(.end(footers: sections[index].footers))
    index += 1
    isBegun = false
  }
}

/// Records the sections of a table while its rows are read.
///
/// It gives up if there are so many sections that they take too much memory.
struct SectionRecorder {
  private var outline: any TableSections
  private var record: Record

  /// The sections recorded so far.
  fileprivate struct Record {
    var sections: [RecordedSections.Section] = []

    /// The open section.
    var open = RecordedSections.Section(rows: 0..<0)

    /// The bytes that sections may still take; negative once there are too many.
    var room: Int
  }

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - sections: what divides the rows.
  ///   - room: the maximum number of bytes to record.
  init(_ sections: any TableSections, room: Int) {
    outline = sections.outline
    record = Record(room: room)
  }

  /// Adds the next rows.
  mutating func addRows(_ rows: Rows) throws(Failure) {
    if record.room < 0 { return }
    var record = Record(room: 0)
    swap(&record, &self.record)
    defer { swap(&record, &self.record) }
    try outline.addRows(rows) { (part) throws(Failure) in record.add(part) }
  }

  /// The sections of all rows; `nil` if there are too many.
  mutating func finish() throws(Failure) -> RecordedSections? {
    var record = record
    try outline.finish { (part) throws(Failure) in record.add(part) }
    return record.room < 0 ? nil : RecordedSections(record.sections, of: outline)
  }
}

extension SectionRecorder.Record {
  /// Adds the next part of the table.
  mutating func add(_ part: SectionPart) {
    switch part {
    case .begin(let heading): open.heading = heading
    case .rows(_, let range): open.rows = open.rows.lowerBound..<open.rows.upperBound + range.count
    case .end(let footers):
      open.footers = footers
      room -= open.memory
      if room < 0 { sections = [] } else { sections.append(open) }
      let end = open.rows.upperBound
      open = RecordedSections.Section(rows: end..<end)
    }
  }
}

extension RecordedSections.Section {
  /// Its approximate size in bytes.
  fileprivate var memory: Int {
    var texts = [heading]
    for footer in footers {
      switch footer {
      case .band(let text): texts.append(text)
      case .cells(let line), .titles(let line): texts += line
      }
    }
    // An array itself takes 32 bytes.
    let sizes = texts.reduce(0) { $0 + MemoryLayout<[UInt8]?>.stride + ($1.map { $0.count + 32 } ?? 0) }
    return MemoryLayout<Self>.stride + footers.count * 64 + sizes
  }
}
