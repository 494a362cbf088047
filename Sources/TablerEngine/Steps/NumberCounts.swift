/// How often each of different short numbers comes.
///
/// All of them are held as whole numbers of one scale, that of the number with the most decimals.
///
/// 1. As long as there are few different numbers, they are looked up in a hash table.
/// 2. A table of many fits into no cache, so that each look-up waits for memory. From then on numbers are only collected;
///    now and then they are sorted by their bits, which reads memory in order, and counted.
///
/// - Complexity: O(1) on average for each number that is counted.
struct NumberCounts: Sendable {
  /// A number, how often it comes, and the first row that has it.
  struct Counted: Sendable {
    fileprivate(set) var digits: Int64
    fileprivate(set) var count = 1
    fileprivate(set) var first: Int
  }

  /// The number of decimals that all numbers are held with.
  private(set) var scale: UInt8 = 0

  /// A number of decimals that is known to be too large for the numbers that are held.
  private var excluded = UInt8.max

  /// The table, in order of first appearance.
  private var slots = HashSlots()
  private var table: [Counted] = []

  /// The number in the table that came last, which often comes again.
  private var last = -1

  /// Whether numbers are collected.
  private var isCollecting = false

  /// Those that were counted, in ascending order.
  private var counted: [Counted] = []

  /// Those that came later, and their rows, counted from `start`.
  private var collected: [KeyPair] = []
  private var start = 0

  /// The numbers that the table may hold.
  private static let mostLookedUp = 1 << 12

  /// The numbers that are collected before they are counted, or twice as many as were counted before.
  private static let leastCollected = 1 << 16

  /// Whether there are no numbers.
  var isEmpty: Bool { table.isEmpty && counted.isEmpty && collected.isEmpty }

  /// The bytes that the numbers take in memory, including those for sorting them.
  var memory: Int {
    slots.memory + (table.capacity + counted.capacity) * MemoryLayout<Counted>.stride
      + 2 * collected.capacity * MemoryLayout<KeyPair>.stride
  }

  /// Counts a number; `false` if it has too many digits on the scale of the others.
  ///
  /// A number that has too many is never counted, whenever it comes again.
  @inline(__always)
  mutating func add(_ number: ShortDecimal, row: Int) -> Bool {
    var digits = number.digits
    if number.scale != scale {
      guard let rescaled = rescaled(number) else { return false }
      digits = rescaled
    }
    if isCollecting { collect(digits, row) } else { lookUp(digits, row) }
    return true
  }

  /// Counts what was collected, and gives back the memory for it.
  mutating func compact() {
    countCollected()
    collected = []
  }

  /// All numbers, in ascending order.
  mutating func sorted() -> [Counted] {
    if !isCollecting { beginCollecting() }
    countCollected()
    return counted
  }
}

extension NumberCounts {
  @inline(__always)
  private mutating func lookUp(_ digits: Int64, _ row: Int) {
    if last >= 0, table[last].digits == digits {
      table[last].count &+= 1
      return
    }
    let hash = slots.hash(digits)
    slots.reserve(table.count + 1)
    switch slots.find(hash, where: { table[$0].digits == digits }) {
    case .found(let index):
      table[index].count &+= 1
      last = index
    case .free(let slot):
      if table.count == Self.mostLookedUp {
        beginCollecting()
        return collect(digits, row)
      }
      last = table.count
      table.append(Counted(digits: digits, first: row))
      slots.insert(last, hash, at: slot)
    }
  }

  @inline(__always)
  private mutating func collect(_ digits: Int64, _ row: Int) {
    if collected.count >= Self.leastCollected, collected.count >= 2 &* counted.count { countCollected() }
    if collected.isEmpty { start = row }
    if row &- start > UInt32.max {
      countCollected()
      start = row
    }
    collected.append(KeyPair(code: Self.code(digits), ordinal: UInt32(truncatingIfNeeded: row &- start)))
  }

  /// Bits that compare as unsigned integers in the order of numbers.
  @inline(__always)
  private static func code(_ digits: Int64) -> UInt64 { UInt64(bitPattern: digits) ^ 1 &<< 63 }

  @inline(__always)
  private static func digits(_ code: UInt64) -> Int64 { Int64(bitPattern: code ^ 1 &<< 63) }

  /// Moves the numbers of the table to those that were counted.
  @inline(never)
  private mutating func beginCollecting() {
    var order: [KeyPair] = []
    order.reserveCapacity(table.count)
    for (index, number) in table.enumerated() {
      order.append(KeyPair(code: Self.code(number.digits), ordinal: UInt32(truncatingIfNeeded: index)))
    }
    var scratch = order
    order.sortByCode(0..<order.count, scratch: &scratch)
    counted = order.map { table[Int($0.ordinal)] }
    (isCollecting, slots, table, last) = (true, HashSlots(), [], -1)
  }

  /// Sorts the numbers that were collected, and adds them to those that were counted.
  @inline(never)
  private mutating func countCollected() {
    if collected.isEmpty { return }
    let least = sortCollected()
    // Memory is reserved once.
    var different = 1
    for index in 1..<collected.count where collected[index].code != collected[index &- 1].code {
      different &+= 1
    }
    var merged: [Counted] = []
    merged.reserveCapacity(counted.count + different)
    var (place, next) = (0, 0)
    while place < collected.count {
      let pair = collected[place]
      var end = place &+ 1
      while end < collected.count, collected[end].code == pair.code { end &+= 1 }
      var number = Counted(
        digits: Self.digits(pair.code &+ least), count: end &- place, first: start &+ Int(pair.ordinal))
      while next < counted.count, counted[next].digits < number.digits {
        merged.append(counted[next])
        next &+= 1
      }
      if next < counted.count, counted[next].digits == number.digits {
        number.count &+= counted[next].count
        number.first = counted[next].first
        next &+= 1
      }
      merged.append(number)
      place = end
    }
    merged.append(contentsOf: counted[next...])
    counted = merged
    collected.removeAll(keepingCapacity: true)
  }

  /// Sorts the numbers that were collected; equal ones keep their order.
  ///
  /// - Returns: the lowest code, which is subtracted from all: fewer bits differ then.
  private mutating func sortCollected() -> UInt64 {
    var least = UInt64.max
    for pair in collected { least = min(least, pair.code) }
    for index in collected.indices { collected[index].code &-= least }
    var scratch = collected
    collected.sortByCode(0..<collected.count, scratch: &scratch)
    return least
  }
}

// MARK: - The scale

extension NumberCounts {
  /// The digits of a number of another scale on that of the others; `nil` if there are too many.
  @inline(never)
  private mutating func rescaled(_ number: ShortDecimal) -> Int64? {
    var number = number
    if number.scale > scale {
      number = number.withoutTrailingZeros(downTo: scale)
      guard number.scale <= scale || raise(to: number.scale) else { return nil }
    }
    let (digits, isLong) = number.digits.multipliedReportingOverflow(by: Self.power(scale &- number.scale))
    return isLong ? nil : digits
  }

  private static func power(_ exponent: UInt8) -> Int64 {
    Int64(truncatingIfNeeded: ExactDecimal.powerOfTen(Int(exponent)))
  }

  /// Holds all numbers with more decimals; `false` if one of them has too many digits for that.
  private mutating func raise(to wanted: UInt8) -> Bool {
    if wanted >= excluded { return false }
    let factor = Self.power(wanted &- scale)
    func isShort(_ digits: Int64) -> Bool { !digits.multipliedReportingOverflow(by: factor).overflow }
    guard table.allSatisfy({ isShort($0.digits) }), counted.allSatisfy({ isShort($0.digits) }),
      collected.allSatisfy({ isShort(Self.digits($0.code)) })
    else {
      excluded = wanted
      return false
    }
    scale = wanted
    for index in counted.indices { counted[index].digits *= factor }
    for index in collected.indices {
      collected[index].code = Self.code(Self.digits(collected[index].code) * factor)
    }
    slots.removeAll()
    for index in table.indices {
      table[index].digits *= factor
      let hash = slots.hash(table[index].digits)
      slots.reserve(index + 1)
      if case .free(let slot) = slots.find(hash, where: { _ in false }) {
        slots.insert(index, hash, at: slot)
      }
    }
    return true
  }
}

extension ShortDecimal {
  /// The same number without zeros at the end of its decimals, or with as many as a scale asks for.
  @inline(__always)
  func withoutTrailingZeros(downTo least: UInt8 = 0) -> ShortDecimal {
    var (digits, scale) = (digits, scale)
    while scale > least, digits % 10 == 0 { (digits, scale) = (digits / 10, scale &- 1) }
    return ShortDecimal(digits: digits, scale: scale)
  }
}

extension HashSlots {
  /// The hash of a whole number, the same in all tables of a run.
  @inline(__always)
  fileprivate func hash(_ digits: Int64) -> UInt64 {
    // The output function of SplitMix64 (Steele, Lea and Flood, 2014).
    var value = UInt64(bitPattern: digits) ^ seed
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
