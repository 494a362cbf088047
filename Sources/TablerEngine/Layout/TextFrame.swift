/// The bytes round the texts of a table that do not change from row to row.
///
/// A rule is empty where there is none.
struct TextFrame: Equatable, Sendable {
  /// Before the first column of every line.
  var lead: [UInt8] = []
  /// Behind each column but the last.
  var gaps: [[UInt8]] = []
  /// Behind the last column; empty where lines end with their text.
  var tail: [UInt8] = []
  /// A line of nothing but the frame.
  var blankLine = FrameLine()
  /// Above the table.
  var top = FrameLine()
  /// Between header and rows, and between rows and footer.
  var edge = FrameLine()
  /// Between rows.
  var rowRule = FrameLine()
  /// Below the table.
  var bottom = FrameLine()

  /// Whether lines end in the frame.
  var isClosed: Bool { !tail.isEmpty }
}

/// A whole line with its newline that stands as runs of the same bytes: a line of many megabytes takes no room.
struct FrameLine: Equatable, Sendable {
  /// Some bytes, and how often they stand in a row.
  private struct Run: Equatable, Sendable {
    var bytes: [UInt8]
    var count: Int
  }

  private var runs: [Run] = []

  /// The bytes up to which a line is held as it is written.
  private static let wholeSize = 1 << 12

  /// Whether there is no line.
  var isEmpty: Bool { runs.isEmpty }

  /// Adds bytes to the end, so many times.
  mutating func append(_ bytes: [UInt8], count: Int = 1) {
    if count > 0, !bytes.isEmpty { runs.append(Run(bytes: bytes, count: count)) }
  }

  /// Adds blanks to the end; none where `count` is negative.
  mutating func append(blanks count: Int) { append([0x20], count: count) }

  /// Adds another line to the end.
  mutating func append(_ line: FrameLine) { runs += line.runs }

  /// Takes the blanks off the end.
  mutating func trimBlanks() {
    while let run = runs.last {
      let end = (run.bytes.lastIndex { $0 != 0x20 } ?? -1) + 1
      if end == run.bytes.count { return }
      if end > 0, run.count > 1 { runs[runs.count - 1].count -= 1 } else { runs.removeLast() }
      if end > 0 { return append(Array(run.bytes[..<end])) }
    }
  }

  /// The line with its end, and no blanks before it.
  func ended() -> FrameLine {
    var line = self
    line.trimBlanks()
    line.append([0x0A])
    let size = line.runs.reduce(0) { $0 + $1.bytes.count * $1.count }
    guard size <= Self.wholeSize else { return line }
    var whole = FrameLine()
    whole.append(Array(line.runs.flatMap { repeatElement($0.bytes, count: $0.count).joined() }))
    return whole
  }

  /// Writes the line.
  func append(to out: inout ByteBuffer) {
    for run in runs {
      if run.bytes.count == 1 {
        out.append(repeating: run.bytes[0], count: run.count)
      } else {
        for _ in 0..<run.count { out.append(run.bytes) }
      }
    }
  }
}
