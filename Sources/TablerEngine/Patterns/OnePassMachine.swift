/// Finds the match that begins at the start of a text, and its groups, in one pass with one table lookup for each byte.
///
/// That is possible if no text has two ways through the pattern: whatever comes next, at most one instruction takes it
/// (R. Cox, "Regular Expression Matching in the Wild", 2010: one-pass machines). Patterns of log lines are such, as long as a
/// repetition stops at the character after it: `(?<host>\S+) `.
struct OnePassMachine: Sendable {
  /// A way on from a state: to another one with a scalar of a set, or to the end of the pattern.
  private struct Way: Sendable {
    /// The number of the set; -1 at the end of the pattern.
    var set: Int
    /// The next state.
    var next: Int
    /// The slots that are recorded before, among all of them.
    var slots: Range<Int>
    /// The conditions that must be true before, among all of them.
    var assertions: Range<Int>
  }

  private let program: PatternProgram

  /// What a byte does in a state: below `firstWay` it leads to that state, from there on it takes that way; `none` if no
  /// way takes it, `search` if its way is not known from the byte alone.
  private var table: [UInt32] = []
  private static var firstWay: UInt32 { 1 &<< 31 }
  private static var search: UInt32 { .max - 1 }
  private static var none: UInt32 { .max }

  /// The ways on from all states, those of a state in the order of preference, and where those of each begin.
  private var ways: [Way] = []
  private var starts = [0]
  private var slotNumbers: [Int] = []
  private var assertions: [PatternAssertion] = []

  /// The bytes that end the stretches in which a state stays as it is, and where those of each begin: none for a state
  /// that does not.
  private var stops: [UInt8] = []
  private var stopStarts = [0]

  private static let mostStates = 1000
  private static let mostStops = 6

  /// Compiles a program; `nil` if a text may have two ways through it.
  init?(_ program: PatternProgram) {
    self.program = program
    var numbers = [program.start: 0]
    var places = [program.start]
    var index = 0
    while index < places.count {
      guard appendWays(from: places[index], &places, &numbers), places.count <= Self.mostStates else {
        return nil
      }
      appendRow(starts[index]..<ways.count)
      appendStops(of: index)
      starts.append(ways.count)
      index += 1
    }
  }

  /// Appends the ways on from an instruction; `false` if two of them take the same scalar, or one instruction is reached
  /// twice.
  private mutating func appendWays(
    from start: Int, _ places: inout [Int], _ numbers: inout [Int: Int]
  ) -> Bool {
    let first = ways.count
    var visited: Set<Int> = []
    var pending = [(place: start, slots: [Int](), assertions: [PatternAssertion]())]
    while let (place, slots, conditions) = pending.popLast() {
      guard visited.insert(place).inserted else { return false }
      switch program.instructions[place] {
      case .split(let one, let other): pending += [(other, slots, conditions), (one, slots, conditions)]
      case .save(let slot, let next): pending.append((next, slots + [slot], conditions))
      case .assertion(let condition, let next): pending.append((next, slots, conditions + [condition]))
      case .match: append(set: -1, next: 0, slots, conditions)
      case .scalars(let set, let next):
        let scalars = program.sets[set]
        guard !ways[first...].contains(where: { $0.set >= 0 && program.sets[$0.set].overlaps(scalars) })
        else {
          return false
        }
        let number = numbers[next] ?? places.count
        if number == places.count {
          numbers[next] = number
          places.append(next)
        }
        append(set: set, next: number, slots, conditions)
      }
    }
    return true
  }

  private mutating func append(set: Int, next: Int, _ slots: [Int], _ conditions: [PatternAssertion]) {
    let (slot, assertion) = (slotNumbers.count, assertions.count)
    slotNumbers += slots
    assertions += conditions
    ways.append(
      Way(set: set, next: next, slots: slot..<slotNumbers.count, assertions: assertion..<assertions.count))
  }

  /// Appends the row of a state with some ways.
  private mutating func appendRow(_ own: Range<Int>) {
    // Before the end of the text a pattern cannot end that must end there.
    let mayEnd = own.contains { place in
      ways[place].set < 0 && !assertions[ways[place].assertions].contains(.textEnd)
    }
    for byte in UInt32(0)..<256 {
      var entry = byte < 0x80 ? Self.none : Self.search
      for place in own where byte < 0x80 && ways[place].set >= 0 && program.holds(byte, in: ways[place].set) {
        let way = ways[place]
        let isPlain = way.slots.isEmpty
        entry = isPlain ? UInt32(way.next) : Self.firstWay + UInt32(place)
        if !way.assertions.isEmpty || mayEnd { entry = Self.search }
      }
      table.append(entry == Self.none && mayEnd ? Self.search : entry)
    }
  }

  /// Appends the bytes that lead away from a state, if all others lead back to it, and they are few.
  private mutating func appendStops(of state: Int) {
    let row = table[(state * 256)...].prefix(128)
    let leaving = (UInt8(0)..<128).filter { row[state * 256 + Int($0)] != UInt32(state) }
    let takesOthers = ways[starts[state]...].contains { way in
      way.set >= 0 && way.next == state && way.slots.isEmpty && way.assertions.isEmpty
        && program.sets[way.set].ranges.last.map {
          $0.lowerBound <= 0x80 && $0.upperBound == PatternScalars.last
        } ?? false
    }
    if takesOthers, !leaving.isEmpty, leaving.count <= Self.mostStops { stops += leaving }
    stopStarts.append(stops.count)
  }

  /// Finds the preferred match that begins at the start of a text.
  ///
  /// - Parameters:
  ///   - slots: receives the offsets of the groups; -1 for those that took no part.
  ///   - end: receives the offset up to which the text was read.
  /// - Complexity: O(*n*) for *n* bytes.
  func match(_ text: Span<UInt8>, slots: inout [Int], end: inout Int) -> Bool {
    for slot in slots.indices { slots[slot] = -1 }
    var best: [Int]?
    var (state, index) = (0, 0)
    let table = table.span
    while true {
      var entry = Self.search
      while index < text.count {
        entry = table[state &* 256 &+ Int(text[index])]
        guard entry < Self.firstWay else { break }
        index &+= 1
        if entry == state, stopStarts[state] < stopStarts[state &+ 1] {
          index = text.first(
            of: stops.span.extracting(stopStarts[state]..<stopStarts[state &+ 1]), from: index)
        }
        state = Int(truncatingIfNeeded: entry)
      }
      if index == text.count { entry = Self.search }
      if entry == Self.none { break }
      var (taken, length) = (-1, 1)
      if entry < Self.search {
        taken = Int(truncatingIfNeeded: entry &- Self.firstWay)
      } else {
        let scalar = index < text.count ? text.scalar(at: index) : nil
        length = scalar?.length ?? 1
        taken = way(from: state, with: scalar?.value, in: text, at: index, slots, &best)
      }
      if taken < 0 { break }
      for slot in ways[taken].slots where slotNumbers[slot] < slots.count { slots[slotNumbers[slot]] = index }
      state = ways[taken].next
      index &+= length
    }
    end = index
    guard let best else { return false }
    slots = best
    return true
  }

  /// The way that a scalar takes; negative if there is none.
  ///
  /// - Parameter best: receives the slots of a match that ends here, if it is better than what may still come, or in case
  ///   that nothing comes.
  private func way(
    from state: Int, with scalar: UInt32?, in text: Span<UInt8>, at index: Int, _ slots: [Int],
    _ best: inout [Int]?
  ) -> Int {
    var taken = -1
    let following = index < text.count ? UInt32(text[index]) : nil
    for place in starts[state]..<starts[state + 1] {
      let way = ways[place]
      if !way.assertions.isEmpty {
        let context = PatternContext(in: text, at: index)
        guard assertions[way.assertions].allSatisfy({ context.satisfies($0, before: following) }) else {
          continue
        }
      }
      if way.set < 0 {
        var ended = slots
        for slot in way.slots where slotNumbers[slot] < ended.count { ended[slotNumbers[slot]] = index }
        best = ended
        break
      }
      if taken < 0, let scalar, program.holds(scalar, in: way.set) { taken = place }
    }
    return taken
  }
}

extension PatternScalars {
  /// Whether a scalar is in both sets.
  fileprivate func overlaps(_ other: PatternScalars) -> Bool {
    var (one, two) = (0, 0)
    while one < ranges.count, two < other.ranges.count {
      if ranges[one].overlaps(other.ranges[two]) { return true }
      if ranges[one].upperBound < other.ranges[two].upperBound { one += 1 } else { two += 1 }
    }
    return false
  }
}
