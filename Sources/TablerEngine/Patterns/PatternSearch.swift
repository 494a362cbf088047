/// Finds the leftmost match and its groups, in time linear in text and pattern.
///
/// All paths through the program advance together, one scalar at a time, in the order in which a backtracking
/// search would try them (Pike's machine); each carries the offsets it has recorded.
struct PatternSearch {
  private let program: PatternProgram
  private let isAnchored: Bool
  /// The bytes that a match may begin with; empty if it may be empty.
  private let firstBytes: [Bool]

  /// The threads at the current position and those after its scalar, alternating.
  private var lists: [Threads]
  private var current = 0
  /// The offsets recorded on the path that is being followed.
  private var slots: [Int] = []
  private var pending: [Pending] = []

  /// The slots of the match that was found: start and end of each group, or -1.
  private(set) var found: [Int] = []
  /// The offset up to which the text was read.
  private(set) var end = 0

  private enum Pending {
    case explore(Int)
    case restore(slot: Int, place: Int)
  }

  /// Creates a search; `isAnchored` if matches can only begin at the beginning of the text.
  init(_ program: PatternProgram, isAnchored: Bool) {
    self.program = program
    self.isAnchored = isAnchored
    firstBytes = Self.firstBytes(program)
    lists = Array(repeating: Threads(program.instructions.count), count: 2)
  }

  /// Finds the leftmost match that begins at or after `start` and records the first `slotCount` slots.
  ///
  /// - Complexity: O(*n* · *m*) for a text of *n* scalars and a program of *m* instructions.
  mutating func find(in text: Span<UInt8>, from start: Int, slotCount: Int) -> Bool {
    found.removeAll(keepingCapacity: true)
    lists[0].removeAll()
    lists[1].removeAll()
    if isAnchored, start > 0 { return false }
    var index = start
    while index <= text.count {
      if lists[current].isEmpty {
        if !found.isEmpty || isAnchored && index > start { break }
        if !firstBytes.isEmpty {
          while index < text.count, !firstBytes[Int(text[index])] { index &+= 1 }
          if index == text.count { break }
          // Conditions that failed where the last path ended may be true here.
          lists[current].removeAll()
        }
      }
      if found.isEmpty, !isAnchored || index == start {
        slots.removeAll(keepingCapacity: true)
        slots.append(contentsOf: repeatElement(-1, count: slotCount))
        follow(program.start, in: text, at: index, into: current)
      }
      index = advance(in: text, at: index)
    }
    end = index
    return !found.isEmpty
  }
}

extension PatternSearch {
  /// Advances every thread over the scalar at `index`; returns the offset after it.
  private mutating func advance(in text: Span<UInt8>, at index: Int) -> Int {
    let scalar = index < text.count ? text.scalar(at: index) : nil
    let next = index &+ (scalar?.length ?? 1)
    threads: for thread in 0..<lists[current].count {
      switch program.instructions[lists[current].instruction(thread)] {
      case .match:
        // Threads after this one are less preferred; those before it may still be better.
        lists[current].copySlots(of: thread, to: &found)
        break threads
      case .scalars(let set, let place):
        guard let scalar, program.holds(scalar.value, in: set) else { continue }
        lists[current].copySlots(of: thread, to: &slots)
        follow(place, in: text, at: next, into: 1 &- current)
      case .split, .save, .assertion: continue
      }
    }
    lists[current].removeAll()
    current = 1 &- current
    return next
  }

  /// Adds the instructions that `place` leads to without consuming a scalar, the preferred ones first.
  private mutating func follow(_ place: Int, in text: Span<UInt8>, at index: Int, into list: Int) {
    pending.append(.explore(place))
    while let step = pending.popLast() {
      guard case .explore(let place) = step else {
        if case .restore(let slot, let noted) = step { slots[slot] = noted }
        continue
      }
      guard lists[list].visit(place) else { continue }
      switch program.instructions[place] {
      case .match, .scalars: lists[list].append(place, slots)
      case .split(let one, let other):
        pending.append(.explore(other))
        pending.append(.explore(one))
      case .assertion(let assertion, let next):
        let following = index < text.count ? UInt32(text[index]) : nil
        if PatternContext(in: text, at: index).satisfies(assertion, before: following) {
          pending.append(.explore(next))
        }
      case .save(let slot, let next):
        if slot < slots.count {
          pending.append(.restore(slot: slot, place: slots[slot]))
          slots[slot] = index
        }
        pending.append(.explore(next))
      }
    }
  }

  /// The bytes that a match may begin with; empty if it may begin with none.
  private static func firstBytes(_ program: PatternProgram) -> [Bool] {
    var bytes = Array(repeating: false, count: 256)
    var visited = Array(repeating: false, count: program.instructions.count)
    var pending = [program.start]
    while let place = pending.popLast() {
      if visited[place] { continue }
      visited[place] = true
      switch program.instructions[place] {
      case .match: return []
      case .split(let one, let other): pending += [one, other]
      case .save(_, let next), .assertion(_, let next): pending.append(next)
      case .scalars(let set, _):
        let scalars = program.sets[set]
        for byte in 0..<128 where scalars.contains(UInt32(byte)) { bytes[byte] = true }
        guard let last = scalars.ranges.last, last.upperBound >= 0x80 else { continue }
        for byte in 128..<256 { bytes[byte] = true }
      }
    }
    return bytes
  }

  /// The threads that are alive at one position of the text, the preferred ones first.
  private struct Threads {
    private var instructions: [Int] = []
    private var slots: [Int] = []
    private var slotCount = 0
    private var visits: [UInt32]
    private var round: UInt32 = 1

    init(_ size: Int) { visits = Array(repeating: 0, count: size) }

    var isEmpty: Bool { instructions.isEmpty }
    var count: Int { instructions.count }

    func instruction(_ thread: Int) -> Int { instructions[thread] }

    /// Whether `place` is new in this round.
    mutating func visit(_ place: Int) -> Bool {
      if visits[place] == round { return false }
      visits[place] = round
      return true
    }

    mutating func append(_ place: Int, _ places: [Int]) {
      instructions.append(place)
      slots.append(contentsOf: places)
      slotCount = places.count
    }

    func copySlots(of thread: Int, to places: inout [Int]) {
      places.removeAll(keepingCapacity: true)
      for slot in 0..<slotCount { places.append(slots[thread &* slotCount &+ slot]) }
    }

    mutating func removeAll() {
      instructions.removeAll(keepingCapacity: true)
      slots.removeAll(keepingCapacity: true)
      round &+= 1
      if round == 0 {
        for index in visits.indices { visits[index] = 0 }
        round = 1
      }
    }
  }
}
