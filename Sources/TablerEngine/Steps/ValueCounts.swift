/// How often each of different values comes: in memory, or as sorted runs in a temporary file.
///
/// Either all of them are numbers, or all are texts. If they exceed the room, they are written in ascending order as a
/// run, and counting begins anew; in the end all runs are merged.
///
/// - Complexity: O(1) on average for each value that is counted, O(*d* log *d*) in the end for *d* different numbers.
struct ValueCounts: Sendable {
  /// A number that was counted; a short one may have zeros at the end.
  enum CountableNumber {
    case short(ShortDecimal)
    case other(Number)

    /// The number of any kind.
    var number: Number {
      switch self {
      case .short(let value): value.withoutTrailingZeros().number
      case .other(let value): value
      }
    }
  }

  /// A value in a file, how often it comes, and the number of the first row that has it.
  private struct Entry {
    /// The value, if it is a number.
    let number: Number?
    /// The value, if it is a text.
    let text: [UInt8]
    var count: Int
    var first: Int
  }

  private struct Counted {
    var count = 1
    let first: Int
  }

  /// The number of values, as often as they come.
  private(set) var total = 0

  private var numbers = NumberCounts()

  /// Texts, and numbers that are not short, as they are written.
  private var keys = KeyTable()
  private var others: [Counted] = []

  /// The runs, as ranges of bytes of the file.
  private var runs: [Range<Int>] = []

  /// The largest number of the runs.
  private var largest: Number?

  /// Whether the values are numbers.
  private let areNumbers: Bool

  /// Begins without values.
  init(ofNumbers areNumbers: Bool) { self.areNumbers = areNumbers }

  /// The bytes that the values take in memory.
  var memory: Int {
    numbers.memory + keys.memory + others.capacity * MemoryLayout<Counted>.stride
  }

  /// Counts a short number.
  @inline(__always)
  mutating func add(_ number: ShortDecimal, row: Int) {
    total &+= 1
    if !numbers.add(number, row: row) { count(written: number.withoutTrailingZeros().number, row) }
  }

  /// Counts a number.
  mutating func add(_ number: Number, row: Int) {
    if case .int(let digits) = number { return add(ShortDecimal(digits: digits, scale: 0), row: row) }
    if let exact = number.exact?.withoutTrailingZeros, let digits = Int64(exactly: exact.significand),
      exact.scale <= ShortDecimal.mostDecimals
    {
      return add(ShortDecimal(digits: digits, scale: UInt8(exact.scale)), row: row)
    }
    total &+= 1
    count(written: number, row)
  }

  /// Counts a text; returns its number until the values go to a file.
  @inline(__always)
  mutating func add(_ text: Span<UInt8>, row: Int) -> Int {
    total &+= 1
    return count(text, row)
  }

  /// Counts a text once more, by its number.
  @inline(__always)
  mutating func add(textOfNumber number: Int) {
    total &+= 1
    others[number].count &+= 1
  }

  @inline(never)
  private mutating func count(written number: Number, _ row: Int) {
    var written = ByteBuffer(capacity: 48)
    NumberWriter.append(number, to: &written)
    _ = count(written.span, row)
  }

  @inline(__always)
  private mutating func count(_ text: Span<UInt8>, _ row: Int) -> Int {
    let (index, isNew) = keys.insert(text)
    if isNew { others.append(Counted(first: row)) } else { others[index].count &+= 1 }
    return index
  }

  /// Whether there are so many texts that it pays to read ahead.
  @inline(__always)
  var hasManyTexts: Bool { others.count > 1 << 13 }

  /// Reads what counting a text will have to read, so that it need not wait for memory then.
  ///
  /// - Returns: a number without meaning; storing it keeps the compiler from removing the reads.
  @inline(__always)
  func touch(_ text: Span<UInt8>) -> Int {
    guard let (index, byte) = keys.touch(keys.hash(text)) else { return 0 }
    return others[index].count &+ Int(byte)
  }

  /// Makes the values as small as they can be in memory.
  mutating func compact() { numbers.compact() }
}

// MARK: - What was counted

extension ValueCounts {
  /// The largest number, or the smallest; `nil` if there are no numbers.
  mutating func largestNumber() -> Number? {
    var result = largest
    func take(_ number: Number) { if result.map({ $0 < number }) ?? true { result = number } }
    if let last = numbers.sorted().last {
      take(ShortDecimal(digits: last.digits, scale: numbers.scale).withoutTrailingZeros().number)
    }
    if areNumbers { for index in others.indices { take(number(ofKey: index)) } }
    return result
  }

  /// Calls `body` with each number in ascending order, how often it comes, and the first row that has it.
  ///
  /// - Parameter file: the file of the runs, if there are any.
  mutating func forEachNumber(
    in file: SpillFile?, _ body: (CountableNumber, Int, Int) -> Void
  ) throws(SystemError) {
    guard let file, !runs.isEmpty else {
      return forEachHeldNumber(body)
    }
    try spill(to: file)
    var merge = try Merge(runs, of: file, areNumbers: true)
    while let entry = try merge.next() {
      if let number = entry.number { body(.other(number), entry.count, entry.first) }
    }
  }

  /// Calls `body` with each text in any order, how often it comes, and the first row that has it.
  ///
  /// - Parameter file: the file of the runs, if there are any.
  mutating func forEachText(
    in file: SpillFile?, _ body: (Span<UInt8>, Int, Int) -> Void
  ) throws(SystemError) {
    guard let file, !runs.isEmpty else {
      for index in others.indices { body(keys.key(index), others[index].count, others[index].first) }
      return
    }
    try spill(to: file)
    var merge = try Merge(runs, of: file, areNumbers: false)
    while let entry = try merge.next() { body(entry.text.span, entry.count, entry.first) }
  }

  private func number(ofKey index: Int) -> Number { NumberReader.loose(keys.key(index)) ?? .int(0) }

  /// Calls `body` with each number in memory in ascending order, how often it comes, and the first row that has it.
  @inline(__always)
  private mutating func forEachHeldNumber<Failure: Error>(
    _ body: (CountableNumber, Int, Int) throws(Failure) -> Void
  ) throws(Failure) {
    var long: [(number: Number, counted: Counted)] = []
    for index in others.indices { long.append((number(ofKey: index), others[index])) }
    long.sort { $0.number < $1.number }
    var next = 0
    for counted in numbers.sorted() {
      let number = ShortDecimal(digits: counted.digits, scale: numbers.scale)
      while next < long.count, long[next].number < number.number {
        try body(.other(long[next].number), long[next].counted.count, long[next].counted.first)
        next += 1
      }
      try body(.short(number), counted.count, counted.first)
    }
    for (number, counted) in long[next...] { try body(.other(number), counted.count, counted.first) }
  }
}

// MARK: - Runs in a file

extension ValueCounts {
  /// Writes the values to a file as a run, and forgets them.
  mutating func spill(to file: SpillFile) throws(SystemError) {
    if numbers.isEmpty, others.isEmpty { return }
    let start = file.count
    var buffer = ByteBuffer(capacity: Self.writtenSize)
    if areNumbers {
      largest = largestNumber()
      try forEachHeldNumber { (value, count, first) throws(SystemError) in
        var text = ByteBuffer(capacity: 0)
        NumberWriter.append(value.number, to: &text)
        try Self.append(text.span, count, first, to: &buffer, file)
      }
    } else {
      let order = others.indices.sorted { keys.key($0).isBefore(keys.key($1)) }
      for index in order {
        try Self.append(keys.key(index), others[index].count, others[index].first, to: &buffer, file)
      }
    }
    try file.append(buffer.span)
    runs.append(start..<file.count)
    (numbers, keys, others) = (NumberCounts(), KeyTable(), [])
  }

  /// The bytes that are written at once.
  private static let writtenSize = 1 << 16

  /// Writes a value: count, first row and length, eight bytes each, then the text, or the number as it is written.
  private static func append(
    _ text: Span<UInt8>, _ count: Int, _ first: Int, to buffer: inout ByteBuffer, _ file: SpillFile
  ) throws(SystemError) {
    for part in [count, first, text.count] {
      for byte in 0..<8 { buffer.append(UInt8(truncatingIfNeeded: part >> (8 * byte))) }
    }
    buffer.append(text)
    guard buffer.count >= writtenSize else { return }
    try file.append(buffer.span)
    buffer.truncate(to: 0)
  }

  /// All runs as one, in ascending order, equal values together.
  private struct Merge {
    /// A run that is read some bytes at a time.
    struct Run {
      var rest: Range<Int>
      var block = ByteBlock.empty
      var place = 0
      var next: Entry?
    }

    private let file: SpillFile
    private let areNumbers: Bool
    private var runs: [Run] = []

    /// The bytes of a run that are read at once; one entry may need more.
    private let readSize: Int

    /// The bytes that are read of all runs together.
    private static let room = 8 << 20

    init(_ ranges: [Range<Int>], of file: SpillFile, areNumbers: Bool) throws(SystemError) {
      (self.file, self.areNumbers) = (file, areNumbers)
      readSize = max(4096, min(1 << 18, Self.room / ranges.count))
      for range in ranges {
        var run = Run(rest: range)
        try advance(&run)
        runs.append(run)
      }
      // A heap, the run with the smallest value first.
      for index in (0..<runs.count / 2).reversed() { sink(index) }
    }

    /// The next value, with the counts of all runs.
    mutating func next() throws(SystemError) -> Entry? {
      guard var entry = runs[0].next else { return nil }
      while true {
        try advance(&runs[0])
        sink(0)
        guard let other = runs[0].next, !isBefore(entry, other) else { return entry }
        entry.count += other.count
        entry.first = min(entry.first, other.first)
      }
    }

    private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
      if let left = left.number, let right = right.number { return left < right }
      return left.text.span.isBefore(right.text.span)
    }

    private mutating func sink(_ start: Int) {
      var index = start
      while true {
        var least = index
        for child in [2 * index + 1, 2 * index + 2] where child < runs.count {
          guard let next = runs[child].next else { continue }
          if runs[least].next.map({ isBefore(next, $0) }) ?? true { least = child }
        }
        if least == index { return }
        runs.swapAt(least, index)
        index = least
      }
    }

    /// Reads the next entry of a run.
    private func advance(_ run: inout Run) throws(SystemError) {
      let head = 24
      guard try isThere(head, in: &run) else {
        run.next = nil
        return
      }
      var parts = [0, 0, 0]
      for part in 0..<3 {
        for byte in 0..<8 { parts[part] |= Int(run.block[run.place + 8 * part + byte]) << (8 * byte) }
      }
      guard try isThere(head + parts[2], in: &run) else { throw file.damage }
      let block = run.block
      let text = block.span(from: run.place + head, count: parts[2])
      run.place += head + parts[2]
      let number = areNumbers ? NumberReader.loose(text) : nil
      run.next = Entry(
        number: number, text: number == nil ? Array(copying: text) : [], count: parts[0], first: parts[1])
    }

    /// Whether so many bytes are left of a run; they are then in its block.
    private func isThere(_ count: Int, in run: inout Run) throws(SystemError) -> Bool {
      let left = run.block.count - run.place
      if left >= count { return true }
      guard left + run.rest.count >= count else { return false }
      let end = run.rest.lowerBound + min(run.rest.count, max(readSize, count - left))
      run.block = try file.read(run.rest.lowerBound - left..<end)
      run.place = 0
      run.rest = end..<run.rest.upperBound
      return true
    }
  }
}

extension Span<UInt8> {
  /// Whether the bytes come before others, as unsigned numbers.
  func isBefore(_ other: Span<UInt8>) -> Bool {
    let shorter = Swift.min(count, other.count)
    for index in 0..<shorter where self[index] != other[index] { return self[index] < other[index] }
    return count < other.count
  }
}
