/// The bytes around the cells that are the same in every row.
///
/// A rule is empty if there is none.
struct TextFrame: Equatable, Sendable {
  /// Before the first column of every line.
  var lead: [UInt8] = []
  /// After each column except the last.
  var gaps: [[UInt8]] = []
  /// The line at both edges; empty if there is none.
  var outerLine: [UInt8] = []
  /// After the last column; empty if lines end with their text.
  var tail: [UInt8] = []
  /// An empty line within the frame.
  var blankLine = FrameLine()
  /// Above the table.
  var top = FrameLine()
  /// Between header and rows, and between rows and footer.
  var edge = FrameLine()
  /// Between rows.
  var rowRule = FrameLine()
  /// Below the table.
  var bottom = FrameLine()
  /// The horizontal line of a box, with crossings at column lines and without corners.
  ///
  /// It is empty if there are no column lines.
  var boxRule = FrameLine()
  /// The lines around titles over several columns, if there are such.
  var spans: SpanFrame?
  /// The frame around headings and footers of sections, if there are sections.
  var sections: SectionFrame?

  /// Whether lines end in the frame.
  var isClosed: Bool { !tail.isEmpty }

  /// The bytes after a column: the gap, or the end of the line after the last one.
  func gap(after place: Int) -> [UInt8] { place < gaps.count ? gaps[place] : tail }

  /// Ends a line.
  ///
  /// Trailing blanks are removed unless the frame is closed.
  @inline(__always)
  func endLine(to out: inout ByteBuffer) {
    if !isClosed { out.trimBlanks() }
    out.append(0x0A)
  }
}

/// The lines around titles over several columns, inside of which column lines stop.
struct SpanFrame: Equatable, Sendable {
  /// Above the first line of them.
  var top = FrameLine()
  /// Above it, if a form comes before.
  var belowForm = FrameLine()
  /// Below each line of them.
  var rules: [FrameLine] = []
}

/// The frame of headings and footers of sections.
///
/// Their texts span all columns, so that column lines stop above them and resume below.
struct SectionFrame: Equatable, Sendable {
  /// The cells between the edges of the frame.
  var width = 0
  /// A line with only the edges.
  var blankLine = FrameLine()
  /// Above a table that begins with such a text.
  var top = FrameLine()
  /// Below a table that ends with one.
  var bottom = FrameLine()
  /// Below titles, and above the footer of the table.
  var edge = RuleVariants()
  /// Between sections, and around their headings and footers; in List and Stack above a footer of cells only.
  var inside = RuleVariants()
  /// Whether there is a rule between sections, not a blank line.
  var isRuled = false
}

/// A rule for each combination of lines above and below it.
struct RuleVariants: Equatable, Sendable {
  /// Between lines of cells.
  var columns = FrameLine()
  /// Between cells and a text across all columns.
  var toBand = FrameLine()
  /// Between a text across all columns and cells.
  var fromBand = FrameLine()
  /// Between two texts across all columns.
  var bands = FrameLine()

  /// No rules.
  init() {}

  /// Makes the rule for each case.
  ///
  /// - Parameter rule: makes a rule, given whether there are cells above it, and below it.
  init(_ rule: (Bool, Bool) -> FrameLine) {
    columns = rule(true, true)
    toBand = rule(true, false)
    fromBand = rule(false, true)
    bands = rule(false, false)
  }

  /// The rule between two kinds of lines.
  func rule(fromBand: Bool, toBand: Bool) -> FrameLine {
    switch (fromBand, toBand) {
    case (false, false): columns
    case (false, true): self.toBand
    case (true, false): self.fromBand
    case (true, true): bands
    }
  }
}

/// A line with its newline, stored as repeated runs, so that a very long rule takes little memory.
///
/// The runs use array types that the program already has, because each new generic type adds to start-up time.
struct FrameLine: Equatable, Sendable {
  /// The bytes of all runs, each run once.
  private var bytes: [UInt8] = []

  /// How many bytes each run has.
  private var lengths: [UInt32] = []

  /// The number of consecutive repetitions of each run.
  private var counts: [UInt32] = []

  /// The size up to which a line is held as it will be written, in bytes.
  private static let wholeSize = 1 << 12

  /// Whether there is no line.
  var isEmpty: Bool { lengths.isEmpty }

  /// Adds bytes to the end, `count` times.
  mutating func append(_ run: [UInt8], count: Int = 1) {
    guard count > 0, !run.isEmpty else { return }
    bytes += run
    lengths.append(UInt32(clamping: run.count))
    counts.append(UInt32(clamping: count))
  }

  /// Adds blanks to the end; none if `count` is negative.
  mutating func append(blanks count: Int) { append([0x20], count: count) }

  /// Adds another line to the end.
  mutating func append(_ line: FrameLine) {
    bytes += line.bytes
    lengths += line.lengths
    counts += line.counts
  }

  /// Removes trailing blanks.
  mutating func trimBlanks() {
    while let length = lengths.last.map(Int.init), let count = counts.last.map(Int.init) {
      let run = Array(bytes[(bytes.count - length)...])
      let end = (run.lastIndex { $0 != 0x20 } ?? -1) + 1
      if end == length { return }
      bytes.removeLast(length)
      lengths.removeLast()
      counts.removeLast()
      if end > 0 {
        append(run, count: count - 1)
        return append(Array(run[..<end]))
      }
    }
  }

  /// The line with its newline and without trailing blanks.
  func ended() -> FrameLine {
    var line = self
    line.trimBlanks()
    line.append([0x0A])
    var size = 0
    for run in line.lengths.indices { size += Int(line.lengths[run]) * Int(line.counts[run]) }
    guard size <= Self.wholeSize else { return line }
    var buffer = ByteBuffer(capacity: size)
    line.write(to: &buffer)
    var whole = FrameLine()
    whole.append(buffer.array())
    return whole
  }

  /// Writes the line.
  func write(to out: inout ByteBuffer) {
    var start = 0
    for run in lengths.indices {
      let end = start + Int(lengths[run])
      if end == start + 1 {
        out.append(repeating: bytes[start], count: Int(counts[run]))
      } else {
        for _ in 0..<counts[run] { out.append(bytes.span.extracting(start..<end)) }
      }
      start = end
    }
  }
}
