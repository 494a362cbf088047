/// Numbers from which the one at a given rank is needed.
///
/// Eight bytes are kept for a number that its nearest double distinguishes from all others, as for those of
/// up to 15 digits; others are kept whole. Large amounts are sorted and written to a temporary file; if that
/// is not possible, they stay in memory.
struct NumberSample: Sendable {
  /// The fractions that may be requested.
  static let parts: ClosedRange<Number> = .int(0) ... .int(1)

  private var doubles: [Double] = []

  /// The doubles that were written to temporary files.
  private var runs: [Run] = []

  /// The numbers with more digits than a double keeps.
  private var longNumbers = LongNumbers()

  /// The file for numbers, unless writing is not possible.
  private var file: SpillFile?
  private var mayWrite = true

  /// The number of doubles that are held before they are written; others take no more bytes.
  private let portion: Int

  /// Begins without numbers.
  init(portion: Int = 1 << 20) { self.portion = portion }

  /// The maximum number of decimals in an exact number; the result has as many.
  private var scale = 0
  private var areExact = true

  /// The largest significand of 15 digits.
  private static let longest: UInt128 = 999_999_999_999_999

  /// Adds a number.
  mutating func add(_ number: Number) {
    switch number {
    case .int(let value) where value.magnitude <= Self.longest: doubles.append(Double(value))
    case .decimal(let value) where value.significand.magnitude <= Self.longest && value.scale <= 20:
      scale = max(scale, value.scale)
      doubles.append(value.doubleValue)
    case .double(let value):
      areExact = false
      doubles.append(value)
    case .int, .decimal, .long:
      longNumbers.append(number)
      if longNumbers.byteCount >= portion * MemoryLayout<Double>.stride { write() }
    }
    if doubles.count >= portion { write() }
  }

  /// The least number of numbers worth writing.
  private static let leastWritten = 64

  /// Writes the numbers that are held to a temporary file, if possible.
  private mutating func write() {
    guard mayWrite, let file = try? self.file ?? SpillFile() else {
      mayWrite = false
      return
    }
    self.file = file
    do {
      if !doubles.isEmpty { runs.append(try Run(doubles.map(Self.key).sorted(), file)) }
      doubles.removeAll(keepingCapacity: true)
      if longNumbers.heldCount > 0 { try longNumbers.write(to: file) }
    } catch { mayWrite = false }
  }

  /// Writes the numbers that are held to a temporary file, unless they are few.
  mutating func spill(to file: SpillFile) throws(SystemError) {
    if doubles.count >= Self.leastWritten {
      runs.append(try Run(doubles.map(Self.key).sorted(), file))
      doubles = []
    }
    if longNumbers.heldCount >= Self.leastWritten { try longNumbers.write(to: file) }
  }

  /// Adds the numbers of another sample.
  mutating func merge(_ other: NumberSample) {
    doubles.append(contentsOf: other.doubles)
    runs.append(contentsOf: other.runs)
    longNumbers.merge(other.longNumbers)
    scale = max(scale, other.scale)
    areExact = areExact && other.areExact
    if doubles.count >= portion || longNumbers.byteCount >= portion * MemoryLayout<Double>.stride { write() }
  }

  /// Its size in bytes.
  var byteCount: Int {
    doubles.capacity * MemoryLayout<Double>.stride + runs.capacity * MemoryLayout<Run>.stride
      + longNumbers.byteCount
  }

  /// The number below which a given fraction of the others lies, interpolated between two numbers; `nil`
  /// without numbers, or if the fraction is not from 0 to 1.
  ///
  /// - Throws: the system's error for a temporary file that cannot be read.
  func percentile(_ part: Number) throws(SystemError) -> Number? {
    let lists = longNumbers.isEmpty ? [] : longNumbers.lists
    let count = (runs.map(\.count) + lists.map(\.count)).reduce(doubles.count, +)
    guard count > 0, Self.parts.contains(part) else { return nil }
    let place = part.multiplied(by: .int(Int64(count - 1)))
    guard let first = place.floor.integer.map({ Int($0) }), first < count else { return nil }
    let places = [first, min(first + 1, count - 1)]
    let (low, high) = try lists.isEmpty ? doubles(at: places, count) : numbers(at: places, lists)
    let rest = place.subtracting(place.floor)
    if rest.isZero || low == high { return low }
    let between = low.adding(high.subtracting(low).multiplied(by: rest))
    return between.exact.map { Number($0.withoutTrailingZeros) } ?? between
  }

  /// The numbers at two ranks if all are doubles.
  private func doubles(at places: [Int], _ count: Int) throws(SystemError) -> (low: Number, high: Number) {
    var (held, runs) = (doubles.map(Self.key), runs)
    if count <= portion {
      for run in runs { for place in 0..<run.count { held.append(try run.key(at: place)) } }
      runs = []
    }
    held.sort()
    return (
      number(Self.double(try Self.key(at: places[0], held, runs))),
      number(Self.double(try Self.key(at: places[1], held, runs)))
    )
  }

  /// The numbers at two ranks if some are in lists.
  private func numbers(
    at places: [Int], _ lists: [SortedNumbers]
  ) throws(SystemError) -> (low: Number, high: Number) {
    let held = doubles.map(Self.key).sorted()
    var lists = lists
    lists.append(SortedNumbers(count: held.count) { number(Self.double(held[$0])) })
    for run in runs {
      lists.append(
        SortedNumbers(count: run.count) { (place) throws(SystemError) in
          number(Self.double(try run.key(at: place)))
        })
    }
    return (
      try SortedNumbers.number(at: places[0], among: lists),
      try SortedNumbers.number(at: places[1], among: lists)
    )
  }

  /// The key at a rank among all of them, sorted: the smallest key with more than `place` keys up to it.
  ///
  /// - Complexity: O(*r* log *n*) keys of *r* runs with up to *n* keys are read in each of at most 64 steps:
  ///   the bits of the key are found by bisection.
  private static func key(at place: Int, _ held: [UInt64], _ runs: [Run]) throws(SystemError) -> UInt64 {
    if runs.isEmpty { return held[place] }
    var low: UInt64 = 0
    var high = UInt64.max
    while low < high {
      let middle = low + (high - low) / 2
      var before = countOfKeys(upTo: middle, among: held.count) { held[$0] }
      for run in runs {
        before += try countOfKeys(upTo: middle, among: run.count) { (place) throws(SystemError) in
          try run.key(at: place)
        }
      }
      if before > place { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The number that was kept as a double.
  private func number(_ double: Double) -> Number {
    guard areExact, let exact = ShortestDigits(double)?.exact else { return .double(double) }
    if scale == 0 { return Number(exact) }
    return .decimal(exact.rescaled(to: scale) ?? exact)
  }

  /// Bits in the order of numbers; NaN comes after all of them.
  private static func key(_ double: Double) -> UInt64 {
    if double.isNaN { return .max }
    let bits = double.bitPattern
    return bits &>> 63 == 1 ? ~bits : bits | 1 &<< 63
  }

  private static func double(_ key: UInt64) -> Double {
    if key == .max { return .nan }
    return Double(bitPattern: key &>> 63 == 1 ? key & ~(1 &<< 63) : ~key)
  }
}

/// Sorted keys in a temporary file.
private struct Run: Sendable {
  /// The number of keys.
  let count: Int
  private let file: SpillFile
  private let start: Int

  /// The number of keys that are read at once.
  private static let portion = 1 << 12

  /// Writes sorted keys to the end of a file.
  init(_ keys: [UInt64], _ file: SpillFile) throws(SystemError) {
    self.file = file
    start = file.count
    count = keys.count
    var bytes = ByteBuffer(capacity: 8 * Self.portion)
    for key in keys {
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: key &>> shift))
      }
      if bytes.count < 8 * Self.portion { continue }
      try file.append(bytes.span)
      bytes.truncate(to: 0)
    }
    try file.append(bytes.span)
  }

  /// The key at an index.
  func key(at place: Int) throws(SystemError) -> UInt64 {
    let block = try file.read(start + 8 * place..<start + 8 * place + 8)
    var key: UInt64 = 0
    for index in 0..<8 { key = key &<< 8 | UInt64(block.span[index]) }
    return key
  }
}

/// The number of sorted keys that are not above a given one.
private func countOfKeys<Problem: Error>(
  upTo limit: UInt64, among count: Int, _ key: (Int) throws(Problem) -> UInt64
) throws(Problem) -> Int {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low + high) / 2
    if try key(middle) <= limit { low = middle + 1 } else { high = middle }
  }
  return low
}
