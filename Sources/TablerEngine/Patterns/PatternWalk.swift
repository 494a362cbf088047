/// Finds all matches of a text, one after another, in time linear in the text, however many there are.
///
/// A `PatternSearch` follows preferred paths beyond the end of the match that it finds, and does so again for
/// the next one: with `x[^y]*y|x` and a text of many `x` each search reads to the end. This one knows which
/// paths lead to a match before it takes one:
///
/// 1. The text is read backward. At each position, the instructions from which a match can be reached are
///    recorded: they are *alive* there.
/// 2. It is read forward. A match begins where the first instruction is alive, and among the paths that are
///    alive only the preferred one is followed.
///
/// The records of the first reading are kept for the start of each stretch of the text. Those between are
/// computed again when the second reading comes there, so that they take memory in proportion to the square
/// root of the length.
struct PatternWalk {
  private let isAnchored: Bool
  private let ways: Ways

  /// The offsets of the stretches.
  private var stretchStarts: [Int] = []
  /// The instructions that are alive at the start of each stretch, and at the end of the text.
  private var kept: [Places] = []
  /// The current stretch, the offsets of its scalars, and what is alive at each.
  private var stretch = 0
  private var scalarStarts: [Int] = []
  private var alive: [Places] = []
  /// The index of the current scalar in the stretch.
  private var number = 0

  private var visited: Places
  private var stack: [Int] = []
  private var pending: [Pending] = []

  /// The slots of the match that was found: start and end of each group, or -1.
  private(set) var found: [Int] = []

  private enum Pending {
    case explore(Int)
    case restore(slot: Int, place: Int)
  }

  /// Reads `text` backward; `isAnchored` if matches can only begin at the beginning of the text.
  init(_ program: PatternProgram, isAnchored: Bool, in text: Span<UInt8>) {
    self.isAnchored = isAnchored
    ways = Ways(program)
    visited = Places(program.instructions.count)
    readBackward(text)
  }

  /// Finds the leftmost match that begins at or after `start`, which is not before the end of the previous
  /// match, and records the first `slotCount` slots.
  mutating func find(in text: Span<UInt8>, from start: Int, slotCount: Int) -> Bool {
    if isAnchored, start > 0 { return false }
    var index = start
    while !isAlive(ways.program.start, in: text, at: index) {
      guard !isAnchored, index < text.count else { return false }
      index &+= text.scalar(at: index).length
    }
    found.removeAll(keepingCapacity: true)
    found.append(contentsOf: repeatElement(-1, count: slotCount))
    var place = ways.program.start
    while let next = follow(place, in: text, at: index) {
      index &+= text.scalar(at: index).length
      place = next
    }
    return true
  }
}

extension PatternWalk {
  /// Follows the preferred path from `place` to an instruction that consumes the scalar at `index`, and
  /// returns the one after it; nil at the end of the match.
  private mutating func follow(_ place: Int, in text: Span<UInt8>, at index: Int) -> Int? {
    visited.removeAll()
    pending.removeAll(keepingCapacity: true)
    pending.append(.explore(place))
    while let step = pending.popLast() {
      guard case .explore(let place) = step else {
        if case .restore(let slot, let noted) = step { found[slot] = noted }
        continue
      }
      guard isAlive(place, in: text, at: index), visited.insert(place) else { continue }
      switch ways.program.instructions[place] {
      case .match: return nil
      case .scalars(_, let next): return next
      case .split(let one, let other):
        pending.append(.explore(other))
        pending.append(.explore(one))
      case .assertion(_, let next): pending.append(.explore(next))
      case .save(let slot, let next):
        if slot < found.count {
          pending.append(.restore(slot: slot, place: found[slot]))
          found[slot] = index
        }
        pending.append(.explore(next))
      }
    }
    return nil
  }

  /// Whether a match can be reached from an instruction at `index`.
  private mutating func isAlive(_ place: Int, in text: Span<UInt8>, at index: Int) -> Bool {
    guard index < text.count else { return kept[stretchStarts.count].contains(place) }
    if index >= end(of: stretch, in: text) {
      repeat { stretch &+= 1 } while index >= end(of: stretch, in: text)
      recordStretch(stretch, in: text)
      number = 0
    }
    while scalarStarts[number] < index { number &+= 1 }
    return alive[number].contains(place)
  }

  private func end(of stretch: Int, in text: Span<UInt8>) -> Int {
    stretch &+ 1 < stretchStarts.count ? stretchStarts[stretch &+ 1] : text.count
  }

  private mutating func readBackward(_ text: Span<UInt8>) {
    let length = max(64, Int(Double(text.count).squareRoot()))
    var index = 0
    var count = 0
    while index < text.count {
      if count % length == 0 { stretchStarts.append(index) }
      count += 1
      index += text.scalar(at: index).length
    }
    kept = Array(repeating: Places(ways.program.instructions.count), count: stretchStarts.count + 1)
    ways.findAlive(&kept[stretchStarts.count], in: text, at: text.count, before: nil, &stack)
    for stretch in stretchStarts.indices.reversed() {
      recordStretch(stretch, in: text)
      kept[stretch] = alive[0]
    }
  }

  /// Records what is alive in a stretch, computed from what is alive after it.
  private mutating func recordStretch(_ stretch: Int, in text: Span<UInt8>) {
    scalarStarts.removeAll(keepingCapacity: true)
    var index = stretchStarts[stretch]
    let end = end(of: stretch, in: text)
    while index < end {
      scalarStarts.append(index)
      index += text.scalar(at: index).length
    }
    while alive.count < scalarStarts.count { alive.append(Places(ways.program.instructions.count)) }
    var next = kept[stretch + 1]
    for number in scalarStarts.indices.reversed() {
      ways.findAlive(&alive[number], in: text, at: scalarStarts[number], before: next, &stack)
      next = alive[number]
    }
  }

  /// A set of instructions, one bit each.
  private struct Places {
    private var words: [UInt64]

    init(_ count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

    func contains(_ place: Int) -> Bool { words[place &>> 6] &>> UInt64(place & 63) & 1 == 1 }

    /// Adds an instruction; returns whether it is new.
    mutating func insert(_ place: Int) -> Bool {
      if contains(place) { return false }
      words[place &>> 6] |= 1 &<< UInt64(place & 63)
      return true
    }

    mutating func removeAll() {
      for index in words.indices { words[index] = 0 }
    }
  }

  /// A program prepared for reading backward.
  private struct Ways {
    let program: PatternProgram
    /// The ends of the pattern.
    private var ends: [Int] = []
    /// The instructions that consume a scalar.
    private var takers: [(place: Int, set: Int, next: Int)] = []
    /// The instructions that lead to each one without consuming a scalar.
    private var predecessors: [[Int]]

    init(_ program: PatternProgram) {
      self.program = program
      predecessors = Array(repeating: [], count: program.instructions.count)
      for place in program.instructions.indices {
        switch program.instructions[place] {
        case .match: ends.append(place)
        case .scalars(let set, let next): takers.append((place, set, next))
        case .save(_, let next), .assertion(_, let next): predecessors[next].append(place)
        case .split(let one, let other):
          predecessors[one].append(place)
          predecessors[other].append(place)
        }
      }
    }

    /// Computes what is alive at `index` from what is alive after the scalar there; nil if the text ends.
    func findAlive(
      _ alive: inout Places, in text: Span<UInt8>, at index: Int, before next: Places?, _ stack: inout [Int]
    ) {
      alive.removeAll()
      for place in ends {
        _ = alive.insert(place)
        stack.append(place)
      }
      if let next {
        let scalar = text.scalar(at: index).value
        for taker in takers where next.contains(taker.next) && program.holds(scalar, in: taker.set) {
          _ = alive.insert(taker.place)
          stack.append(taker.place)
        }
      }
      let following = index < text.count ? UInt32(text[index]) : nil
      let context = PatternContext(in: text, at: index)
      while let place = stack.popLast() {
        for predecessor in predecessors[place] {
          if case .assertion(let assertion, _) = program.instructions[predecessor],
            !context.satisfies(assertion, before: following)
          {
            continue
          }
          if alive.insert(predecessor) { stack.append(predecessor) }
        }
      }
    }
  }
}
