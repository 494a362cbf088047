/// The sections of a table in order, those that are known.
///
/// Every section has rows, unless the table has none.
struct SectionList: Sendable {
  /// One section.
  struct Section: Sendable {
    /// Its rows so far, counted from 0.
    var rows: Range<Int>

    /// The text across all columns that names it, once it is known.
    var heading: [UInt8]?

    /// The lines below its rows, once it has ended.
    var footers: [FooterLine] = []

    /// Whether its heading is known, so that its rows can be painted.
    var isHeaded = false

    /// Whether no more rows belong to it.
    var isEnded = false
  }

  /// The sections before the last: all of them have ended.
  private var earlier: [Section] = []

  /// The last section, which may still be open.
  ///
  /// It is not in the array, because a table that is not divided has no other, and making a type of arrays takes time
  /// as a run starts.
  private(set) var last: Section?

  /// The number of sections.
  var count: Int { last == nil ? 0 : earlier.count + 1 }

  subscript(index: Int) -> Section {
    guard let last, index == earlier.count else { return earlier[index] }
    return last
  }

  /// The number of rows in these sections, and in those that were removed.
  var rowCount: Int { last?.rows.upperBound ?? 0 }

  /// Whether no more sections and rows come.
  var isComplete: Bool { last?.isEnded ?? false }

  /// The last section that has ended, while the next one is open.
  var lastEnded: Section? { earlier.last }
}

extension SectionList {
  /// One section of all rows, whose number is not known yet.
  static var undivided: SectionList {
    var list = SectionList()
    list.last = Section(rows: 0..<Int.max, isHeaded: true)
    return list
  }

  /// Begins a section.
  mutating func begin() {
    if let last { earlier.append(last) }
    let start = rowCount
    last = Section(rows: start..<start)
  }

  /// Sets the heading of the last section.
  mutating func setHeading(_ heading: [UInt8]?) {
    last?.heading = heading
    last?.isHeaded = true
  }

  /// Adds rows to the last section.
  mutating func addRows(_ count: Int) {
    guard let rows = last?.rows else { return }
    last?.rows = rows.lowerBound..<rows.upperBound + count
  }

  /// Ends the last section.
  ///
  /// - Parameter rowCount: the number of rows in all sections, if it was not known.
  mutating func end(_ footers: [FooterLine], rowCount: Int? = nil) {
    if let rowCount, let rows = last?.rows { last?.rows = rows.lowerBound..<rowCount }
    last?.footers = footers
    last?.isEnded = true
  }

  /// Removes the first sections, but not the last.
  mutating func removeFirst(_ count: Int) { earlier.removeFirst(count) }

  /// The section of the row before another one; the first section for the first row.
  ///
  /// - Complexity: O(log *n*) in the number of sections.
  fileprivate func place(before row: Int) -> Int {
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].rows.upperBound < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension SectionList.Section {
  /// Its approximate size in bytes.
  var memory: Int {
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

/// A part of a table that is passed on to be painted.
enum SectionPart {
  /// A section begins, with the text across all columns that names it if it has one.
  case begin(heading: [UInt8]?)
  /// Some of its rows come next.
  case rows(Rows, Range<Int>)
  /// Rows are left out: a line takes their place.
  case gap([UInt8], Int)
  /// It ends with these footer lines.
  case end(footers: [FooterLine])
}

/// A walk over the rows of a table and what is between them, as a list of sections has it.
struct SectionCursor {
  /// The section that comes next or is open.
  private(set) var index = 0

  /// The number of rows that have passed.
  private(set) var rowCount = 0

  /// Whether that section has begun.
  private(set) var isBegun = false

  /// Begins before the first row.
  init() {}

  /// Goes on between two rows, in the section of the first of them.
  init(after count: Int, of list: SectionList) {
    index = list.place(before: count)
    rowCount = count
    isBegun = true
  }

  /// Passes on those of the next rows whose sections have known headings, and what is between them.
  mutating func advance<Problem: Error>(
    over rows: Rows, _ range: Range<Int>, in list: SectionList, _ body: (SectionPart) throws(Problem) -> Void
  ) throws(Problem) {
    var start = range.lowerBound
    while start < range.upperBound {
      try passBoundary(in: list, body)
      guard isBegun else { return }
      let count = min(range.upperBound - start, list[index].rows.upperBound - rowCount)
      guard count > 0 else { return }
      try body(.rows(rows, start..<start + count))
      rowCount += count
      start += count
    }
  }

  /// Passes on what is known of what is before the next row: the end of a section, the beginning of another.
  mutating func passBoundary<Problem: Error>(
    in list: SectionList, _ body: (SectionPart) throws(Problem) -> Void
  ) throws(Problem) {
    guard index < list.count else { return }
    if isBegun, list[index].isEnded, rowCount == list[index].rows.upperBound {
      try body(.end(footers: list[index].footers))
      index += 1
      isBegun = false
    }
    guard !isBegun, index < list.count, list[index].isHeaded else { return }
    isBegun = true
    try body(.begin(heading: list[index].heading))
  }

  /// Records that the sections that have passed were removed from the list.
  mutating func forgetPassed() { index = 0 }
}
