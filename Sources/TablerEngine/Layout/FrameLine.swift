/// A line with its newline, stored as repeated runs, so that a very long rule takes little memory.
///
/// The runs stand in arrays of types that the program has anyway: a type more costs time at every start.
struct FrameLine: Equatable, Sendable {
  /// The bytes of all runs, each run once.
  private var bytes: [UInt8] = []

  /// How many bytes each run has.
  private var lengths: [UInt32] = []

  /// How often each run stands in a row.
  private var counts: [UInt32] = []

  /// The bytes up to which a line is held as it is written.
  private static let wholeSize = 1 << 12

  /// Whether there is no line.
  var isEmpty: Bool { lengths.isEmpty }

  /// Adds bytes to the end, so many times.
  mutating func append(_ run: [UInt8], count: Int = 1) {
    guard count > 0, !run.isEmpty else { return }
    bytes += run
    lengths.append(UInt32(clamping: run.count))
    counts.append(UInt32(clamping: count))
  }

  /// Adds blanks to the end; none where `count` is negative.
  mutating func append(blanks count: Int) { append([0x20], count: count) }

  /// Adds another line to the end.
  mutating func append(_ line: FrameLine) {
    bytes += line.bytes
    lengths += line.lengths
    counts += line.counts
  }

  /// Takes the blanks off the end.
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

  /// The line with its end, and no blanks before it.
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
