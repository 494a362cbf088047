/// A line with its newline, stored as repeated runs, so that a very long rule takes little memory.
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
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    for run in line.runs {
      for _ in 0..<run.count { bytes += run.bytes }
    }
    var whole = FrameLine()
    whole.append(bytes)
    return whole
  }

  /// Writes the line.
  func write(to out: inout ByteBuffer) {
    for run in runs {
      if run.bytes.count == 1 {
        out.append(repeating: run.bytes[0], count: run.count)
      } else {
        for _ in 0..<run.count { out.append(run.bytes) }
      }
    }
  }
}
