/// Numbers with more digits than a double keeps, to be read in ascending order.
///
/// They are held until they are told to go to a temporary file, each time as a sorted run.
struct LongNumbers: Sendable {
  private var held: [Number] = []

  /// The bytes that digits take besides the numbers held.
  private var digitBytes = 0
  private var runs: [LongNumberRun] = []

  /// Whether there are none.
  var isEmpty: Bool { held.isEmpty && runs.isEmpty }

  /// The number of those in memory.
  var heldCount: Int { held.count }

  /// The size of the numbers in bytes.
  private(set) var byteCount = 0

  /// Adds a number.
  mutating func append(_ number: Number) {
    held.append(number)
    digitBytes += number.digitBytes
    countBytes()
  }

  private mutating func countBytes() {
    byteCount =
      held.capacity * MemoryLayout<Number>.stride + digitBytes
      + runs.capacity * MemoryLayout<LongNumberRun>.stride
  }

  /// Adds the numbers of another value.
  mutating func merge(_ other: LongNumbers) {
    held += other.held
    digitBytes += other.digitBytes
    runs += other.runs
    countBytes()
  }

  /// Writes the numbers that are held to a temporary file.
  mutating func write(to file: SpillFile) throws(SystemError) {
    runs.append(try LongNumberRun(held.sorted { SortedNumbers.order($0, $1) < 0 }, file))
    (held, digitBytes) = ([], 0)
    countBytes()
  }

  /// The numbers in lists, each of which is sorted.
  var lists: [SortedNumbers] {
    let held = held.sorted { SortedNumbers.order($0, $1) < 0 }
    return [SortedNumbers(count: held.count) { held[$0] }]
      + runs.map { run in
        SortedNumbers(count: run.count) { (place) throws(SystemError) in try run.number(at: place) }
      }
  }
}

extension Number {
  /// The approximate bytes that its digits take besides the number itself.
  fileprivate var digitBytes: Int {
    if case .long(let digits, _) = self { 128 + digits.digits.count } else { 0 }
  }
}

/// Numbers in ascending order, which may be in a temporary file.
struct SortedNumbers {
  /// The number of numbers.
  let count: Int

  /// The number at an index.
  let number: (Int) throws(SystemError) -> Number

  /// Lists numbers.
  init(count: Int, _ number: @escaping (Int) throws(SystemError) -> Number) {
    self.count = count
    self.number = number
  }

  /// The order of numbers; equal ones that are spelled differently have an order too, which does not depend
  /// on the order of rows.
  static func order(_ left: Number, _ right: Number) -> Int {
    let order = Number.compare(left, right)
    return order != 0 ? order : left.spelling - right.spelling
  }

  /// The number at an index among those of several lists, which together have more than `place`.
  ///
  /// 1. The middle of the longest list is a pivot: how many numbers are below it, and how many are at most
  ///    equal to it?
  /// 2. Only the numbers on the side of `place` are kept, unless the pivot is the result.
  ///
  /// - Complexity: O(*l* log² *n*) numbers are read from *l* lists with *n* numbers in about the same range.
  static func number(at place: Int, among lists: [SortedNumbers]) throws(SystemError) -> Number {
    var place = place
    var ranges = lists.map { 0..<$0.count }
    while true {
      var longest = 0
      for list in ranges.indices where ranges[list].count > ranges[longest].count { longest = list }
      let pivot = try lists[longest].number(ranges[longest].lowerBound + ranges[longest].count / 2)
      var (below, upTo) = ([Range<Int>](), [Range<Int>]())
      for (list, range) in zip(lists, ranges) {
        below.append(range.lowerBound..<(try list.end(ofThose: { $0 < 0 }, against: pivot, in: range)))
        upTo.append(range.lowerBound..<(try list.end(ofThose: { $0 <= 0 }, against: pivot, in: range)))
      }
      let counts = [below, upTo].map { $0.reduce(0) { $0 + $1.count } }
      if place < counts[0] {
        ranges = below
      } else if place < counts[1] {
        return pivot
      } else {
        place -= counts[1]
        ranges = zip(ranges, upTo).map { $1.upperBound..<$0.upperBound }
      }
    }
  }

  /// The index after the last number of a range that compares with another one as asked.
  private func end(
    ofThose isWanted: (Int) -> Bool, against pivot: Number, in range: Range<Int>
  ) throws(SystemError) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if isWanted(Self.order(try number(middle), pivot)) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Number {
  /// Distinguishes spellings of the same value: by decimals, doubles after exact numbers.
  fileprivate var spelling: Int {
    switch self {
    case .int: 0
    case .decimal(let value): value.scale
    case .double: ExactDecimal.digitLimit + 1
    case .long: ExactDecimal.digitLimit + 2
    }
  }
}

/// Sorted numbers in a temporary file, each in four words.
private struct LongNumberRun: Sendable {
  /// The kind of a number, in its first word next to the number of its digits.
  private enum Kind: UInt64 {
    case int
    case double
    case decimal
    case long
    case negativeLong
  }

  /// The number of numbers.
  let count: Int
  private let file: SpillFile
  private let start: Int

  private static let wordCount = 4

  /// The words that are written at once.
  private static let portion = 1 << 13

  /// Writes sorted numbers to the end of a file, after the digits of those that do not fit into words.
  init(_ numbers: [Number], _ file: SpillFile) throws(SystemError) {
    self.file = file
    count = numbers.count
    var digits = file.count
    for case .long(let number, _) in numbers { try file.append(number.digits.span) }
    start = file.count
    var words: [UInt64] = []
    for number in numbers {
      Self.append(number, to: &words, &digits)
      if words.count < Self.portion { continue }
      try Self.write(words, to: file)
      words = []
    }
    try Self.write(words, to: file)
  }

  private static func append(_ number: Number, to words: inout [UInt64], _ digits: inout Int) {
    switch number {
    case .int(let value): words += [Kind.int.rawValue, UInt64(bitPattern: value), 0, 0]
    case .double(let value): words += [Kind.double.rawValue, value.bitPattern, 0, 0]
    case .decimal(let value):
      let bits = UInt128(bitPattern: value.significand)
      words += [
        Kind.decimal.rawValue, UInt64(truncatingIfNeeded: bits), UInt64(truncatingIfNeeded: bits &>> 64),
        UInt64(truncatingIfNeeded: value.scale),
      ]
    case .long(let value, let nearest):
      let kind = value.isNegative ? Kind.negativeLong : .long
      words += [
        kind.rawValue | UInt64(truncatingIfNeeded: value.digits.count) &<< 8,
        UInt64(truncatingIfNeeded: digits), UInt64(truncatingIfNeeded: value.wholeCount), nearest.bitPattern,
      ]
      digits += value.digits.count
    }
  }

  private static func write(_ words: [UInt64], to file: SpillFile) throws(SystemError) {
    var bytes = ByteBuffer(capacity: words.count * MemoryLayout<UInt64>.size)
    bytes.append(raw: words)
    try file.append(bytes.span)
  }

  /// The number at an index.
  func number(at place: Int) throws(SystemError) -> Number {
    let size = Self.wordCount * MemoryLayout<UInt64>.size
    var cursor = RawCursor(try file.read(start + size * place..<start + size * (place + 1)))
    guard let words = try? cursor.values(UInt64.self, count: Self.wordCount),
      let kind = Kind(rawValue: words[0] & 0xFF)
    else { throw file.damage }
    switch kind {
    case .int: return .int(Int64(bitPattern: words[1]))
    case .double: return .double(Double(bitPattern: words[1]))
    case .decimal:
      let bits = UInt128(words[2]) &<< 64 | UInt128(words[1])
      guard
        let value = ExactDecimal(
          significand: Int128(bitPattern: bits), scale: Int(truncatingIfNeeded: words[3]))
      else { throw file.damage }
      return .decimal(value)
    case .long, .negativeLong:
      let digits = Int(truncatingIfNeeded: words[1])
      let count = Int(truncatingIfNeeded: words[0] &>> 8)
      guard digits >= 0, digits <= start, count <= start - digits else { throw file.damage }
      let bytes = try file.read(digits..<digits + count)
      let value = DigitString(
        isNegative: kind == .negativeLong, digits: Array(copying: bytes.span),
        wholeCount: Int(truncatingIfNeeded: words[2]))
      return .long(value, nearest: Double(bitPattern: words[3]))
    }
  }
}
