/// Tells whether a text contains a match, in one pass with one table lookup for each scalar.
///
/// It is a deterministic automaton that is built while it runs: a state is the set of instructions that may
/// come next, and the context to the left. Conditions are evaluated when the scalar to the right is known, so
/// that a match is found with the scalar after it, or at the end. When the table is full it is cleared.
struct PatternAutomaton {
  private let program: PatternProgram
  private let alphabet: PatternAlphabet
  private let isAnchored: Bool
  /// The contexts that the program's conditions can tell apart.
  private let contexts: PatternContext
  /// The number of columns of the table: the classes, and the end of the text.
  private let stride: Int

  /// The next state for each state and column.
  ///
  /// A state is represented by the offset of its row in the table.
  private var table: [Int32] = []
  private var states: [State] = []
  private var numbers: [State: Int32] = [:]
  /// The first state in each context; `unknown` until it is needed.
  private var firsts: [Int32] = []
  /// The sum of the sizes of all states.
  private var stored = 0

  private var pending: [Int] = []
  private var visits: [UInt32]
  private var round: UInt32 = 0

  private struct State: Hashable {
    var instructions: [Int32] = []
    var context: PatternContext = []
  }

  /// The value that represents no state; the first state begins after it.
  private static var unknown: Int32 { 0 }
  private static var matched: Int32 { 1 }
  private static var dead: Int32 { 2 }

  /// The maximum number of entries in the table, and the maximum number of instructions in all states.
  private static var limit: Int { 1 << 19 }

  /// Creates an automaton without states; `isAnchored` if matches can only begin at the beginning of the text.
  init(_ program: PatternProgram, isAnchored: Bool) {
    self.program = program
    self.isAnchored = isAnchored
    var sets = program.sets
    var contexts: PatternContext = []
    if program.usesTextStart || program.usesLines { contexts.insert(.textStart) }
    if program.usesLines {
      contexts.insert(.newline)
      sets.append(.newline)
    }
    if program.usesWords {
      contexts.insert(.word)
      sets.append(.word)
    }
    self.contexts = contexts
    alphabet = PatternAlphabet(sets)
    stride = alphabet.count + 1
    visits = Array(repeating: 0, count: program.instructions.count)
    clear()
  }

  /// Whether there is a match that begins at or after `start`.
  ///
  /// - Complexity: O(*n*) table lookups for a text of *n* bytes; computing a state takes time linear in the
  ///   size of the pattern.
  mutating func matches(_ text: Span<UInt8>, from start: Int) -> Bool {
    if isAnchored, start > 0 { return false }
    var index = start
    var state = first(in: PatternContext(in: text, at: start).intersection(contexts))
    while true {
      let column = Self.run(table.span, alphabet, &state, text, &index)
      guard let column else { return state == Self.matched }
      state = step(from: state, column)
      if state <= Self.dead { return state == Self.matched }
    }
  }
}

extension PatternAutomaton {
  /// The state before the first scalar.
  private mutating func first(in context: PatternContext) -> Int32 {
    let known = firsts[Int(context.rawValue)]
    if known != Self.unknown { return known }
    let number = number(of: State(instructions: isAnchored ? [Int32(program.start)] : [], context: context))
    firsts[Int(context.rawValue)] = number
    return number
  }

  /// Follows known steps; stops with the column of an unknown one, or without a column if the answer is known.
  private static func run(
    _ table: Span<Int32>, _ alphabet: PatternAlphabet, _ state: inout Int32, _ text: Span<UInt8>,
    _ index: inout Int
  ) -> Int? {
    let ascii = alphabet.ascii.span
    var row = Int(state)
    while index < text.count {
      let byte = text[index]
      var column = 0
      if byte < 0x80 {
        column = ascii[Int(byte)]
        index &+= 1
      } else {
        let scalar = text.scalar(at: index)
        column = alphabet.find(scalar.value)
        index &+= scalar.length
      }
      let next = table[row &+ column]
      if next <= dead {
        if next == unknown {
          state = Int32(truncatingIfNeeded: row)
          return column
        }
        state = next
        return nil
      }
      row = Int(next)
    }
    state = Int32(truncatingIfNeeded: row)
    let next = table[row &+ alphabet.count]
    if next == unknown { return alphabet.count }
    state = next
    return nil
  }

  /// Finds the state after `state` and `column`, and records it.
  private mutating func step(from state: Int32, _ column: Int) -> Int32 {
    let place = Int(state) + column
    guard let next = successor(of: states[Int(state) / stride], column) else {
      table[place] = Self.matched
      return Self.matched
    }
    if next.instructions.isEmpty, isAnchored || column == alphabet.count {
      table[place] = Self.dead
      return Self.dead
    }
    let count = states.count
    let number = number(of: next)
    // After the table was cleared there is no row for the step any more.
    if states.count >= count { table[place] = number }
    return number
  }

  /// The successor of `state` for a scalar of that class; nil if the pattern matches before it.
  private mutating func successor(of state: State, _ column: Int) -> State? {
    let isEnd = column == alphabet.count
    let scalar: UInt32? = isEnd ? nil : alphabet.representatives[column]
    var next = State()
    if let scalar { next.context = PatternContext(after: scalar).intersection(contexts) }
    beginRound()
    pending.append(contentsOf: state.instructions.reversed().map(Int.init))
    if !isAnchored { pending.append(program.start) }
    while let place = pending.popLast() {
      if visits[place] == round { continue }
      visits[place] = round
      switch program.instructions[place] {
      case .match:
        pending.removeAll(keepingCapacity: true)
        return nil
      case .split(let one, let other):
        pending.append(other)
        pending.append(one)
      case .save(_, let following): pending.append(following)
      case .assertion(let assertion, let following):
        if state.context.satisfies(assertion, before: scalar) { pending.append(following) }
      case .scalars(let set, let following):
        if let scalar, program.sets[set].contains(scalar) { next.instructions.append(Int32(following)) }
      }
    }
    next.instructions.sort()
    return next
  }

  private mutating func beginRound() {
    round &+= 1
    if round == 0 {
      for index in visits.indices { visits[index] = 0 }
      round = 1
    }
  }

  private mutating func number(of state: State) -> Int32 {
    if let number = numbers[state] { return number }
    if table.count >= Self.limit || stored >= Self.limit { clear() }
    let number = Int32(table.count)
    states.append(state)
    numbers[state] = number
    stored += state.instructions.count
    table.append(contentsOf: repeatElement(Self.unknown, count: stride))
    return number
  }

  /// Removes all states; the first three rows of the table belong to none.
  private mutating func clear() {
    states = Array(repeating: State(), count: Int(Self.dead) + 1)
    numbers.removeAll(keepingCapacity: true)
    table.removeAll(keepingCapacity: true)
    table.append(contentsOf: repeatElement(Self.unknown, count: stride * states.count))
    stored = 0
    firsts = Array(repeating: Self.unknown, count: 8)
  }
}

/// The scalars of a pattern, divided into classes that none of its sets distinguishes.
private struct PatternAlphabet: Sendable {
  /// The number of classes.
  private(set) var count = 0
  /// The class of each ASCII byte.
  private(set) var ascii: [Int] = []
  /// One scalar of each class.
  private(set) var representatives: [UInt32] = []

  /// The start of each range of one class, and its class.
  private var starts: [UInt32] = []
  private var classes: [Int] = []

  /// Finds the classes of `sets`.
  ///
  /// 1. Every set has a number, which becomes active at the beginning of one of its ranges and inactive at its end.
  /// 2. Between two such positions, the active numbers, one bit each, are the class.
  init(_ sets: [PatternScalars]) {
    var events: [(scalar: UInt32, set: Int?)] = [(0, nil)]
    for (number, set) in sets.enumerated() {
      for range in set.ranges {
        events.append((range.lowerBound, number))
        events.append((range.upperBound + 1, number))
      }
    }
    events.sort { $0.scalar < $1.scalar }
    var numbers: [[UInt64]: Int] = [:]
    var current = [UInt64](repeating: 0, count: (sets.count + 63) / 64)
    var index = 0
    while index < events.count {
      let scalar = events[index].scalar
      while index < events.count, events[index].scalar == scalar {
        if let set = events[index].set { current[set / 64] ^= 1 << UInt64(set % 64) }
        index += 1
      }
      guard scalar <= PatternScalars.last else { break }
      let number = numbers[current] ?? numbers.count
      if number == numbers.count {
        numbers[current] = number
        representatives.append(scalar)
      }
      starts.append(scalar)
      classes.append(number)
    }
    count = numbers.count
    ascii = (0..<128).map { find($0) }
  }

  /// The class of `scalar`.
  func find(_ scalar: UInt32) -> Int {
    var low = 0
    var high = starts.count &- 1
    while low < high {
      let middle = (low &+ high &+ 1) / 2
      if starts[middle] <= scalar { low = middle } else { high = middle &- 1 }
    }
    return classes[low]
  }
}
