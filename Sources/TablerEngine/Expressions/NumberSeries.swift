/// Numbers in their order, which are drawn as a row of small bars: `▁▃█▅`.
///
/// Eight bytes are kept for a number; large amounts are written to a temporary file.
struct NumberSeries: Sendable {
  /// Consecutive numbers.
  private enum Piece: Sendable {
    case held([Double])
    case written(to: SpillFile, at: Int, count: Int)

    var count: Int {
      switch self {
      case .held(let numbers): numbers.count
      case .written(_, _, let count): count
      }
    }
  }

  /// The numbers before the last ones, and these.
  private var pieces: [Piece] = []
  private var last: [Double] = []

  /// The maximum number of bars.
  private static let mostBars = 24

  /// The least number of numbers worth writing, and how many are read or written at once.
  private static let leastWritten = 64
  private static let portion = 1 << 12

  /// Begins without numbers.
  init() {}

  /// Adds a number; one that is not finite is ignored.
  mutating func append(_ number: Double) { if number.isFinite { last.append(number) } }

  /// Adds the numbers of another series.
  mutating func merge(_ later: NumberSeries) {
    if later.pieces.isEmpty {
      last += later.last
      return
    }
    if !last.isEmpty { pieces.append(.held(last)) }
    pieces += later.pieces
    last = later.last
  }

  /// Its size in bytes.
  var byteCount: Int {
    let held = pieces.reduce(last.capacity) { sum, piece in
      if case .held(let numbers) = piece { sum + numbers.capacity } else { sum }
    }
    return held * MemoryLayout<Double>.stride + pieces.capacity * MemoryLayout<Piece>.stride
  }

  /// Writes the numbers that are held to a temporary file, unless they are few.
  mutating func spill(to file: SpillFile) throws(SystemError) {
    for index in pieces.indices {
      guard case .held(let numbers) = pieces[index], numbers.count >= Self.leastWritten else { continue }
      pieces[index] = try Self.write(numbers, to: file)
    }
    guard last.count >= Self.leastWritten else { return }
    pieces.append(try Self.write(last, to: file))
    last = []
  }

  private static func write(_ numbers: [Double], to file: SpillFile) throws(SystemError) -> Piece {
    let start = file.count
    var bytes = ByteBuffer(capacity: 8 * min(numbers.count, portion))
    for number in numbers {
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: number.bitPattern &>> shift))
      }
      if bytes.count < 8 * portion { continue }
      try file.append(bytes.span)
      bytes.truncate(to: 0)
    }
    try file.append(bytes.span)
    return .written(to: file, at: start, count: numbers.count)
  }

  /// Calls `body` with all numbers, in their order.
  private func forEach(_ body: (Double) -> Void) throws(SystemError) {
    for piece in pieces {
      switch piece {
      case .held(let numbers): for number in numbers { body(number) }
      case .written(let file, let start, let count):
        var done = 0
        while done < count {
          let end = min(done + Self.portion, count)
          let block = try file.read(start + 8 * done..<start + 8 * end)
          for place in 0..<end - done {
            var bits: UInt64 = 0
            for index in 0..<8 { bits = bits &<< 8 | UInt64(block.span[8 * place + index]) }
            body(Double(bitPattern: bits))
          }
          done = end
        }
      }
    }
    for number in last { body(number) }
  }

  /// The numbers, or the means of neighbors if there are too many: as many as there are bars.
  private func means() throws(SystemError) -> [Double] {
    let count = pieces.reduce(last.count) { $0 + $1.count }
    let barCount = min(count, Self.mostBars)
    var means = [Double](repeating: 0, count: barCount)
    // The first number of each bar, and the end.
    let bounds = (0...barCount).map { barCount == 0 ? 0 : ($0 * count + barCount - 1) / barCount }
    var (bar, place) = (0, 0)
    try forEach { number in
      if place == bounds[bar + 1] { bar += 1 }
      means[bar] += number / Double(bounds[bar + 1] - bounds[bar])
      place += 1
    }
    return means
  }

  /// The bars, from the lowest for the smallest number to the highest for the largest; `nil` without numbers.
  ///
  /// - Throws: the system's error for a temporary file that cannot be read.
  func drawn(isASCII: Bool) throws(SystemError) -> String? {
    let means = try means()
    guard let least = means.min(), let largest = means.max() else { return nil }
    let levels = Array(isASCII ? ".:-=+*#@" : "▁▂▃▄▅▆▇█")
    // Halves, because the distance of two numbers may be too large for a number.
    let whole = largest / 2 - least / 2
    return String(
      means.map { number in
        let part = whole > 0 ? (number / 2 - least / 2) / whole : 0
        return levels[Int((part * Double(levels.count - 1)).rounded())]
      })
  }
}
