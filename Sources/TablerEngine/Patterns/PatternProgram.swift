/// A pattern as instructions for the machines that run it.
struct PatternProgram: Sendable {
  /// One instruction.
  ///
  /// Numbers are indices of instructions, except the first of `scalars` and `save`.
  enum Instruction: Sendable {
    /// Consumes a scalar of the set with that number.
    case scalars(set: Int, next: Int)
    /// Continues at both instructions; the first is preferred.
    case split(Int, Int)
    /// Records the offset in the text.
    case save(slot: Int, next: Int)
    /// Continues if the condition is true.
    case assertion(PatternAssertion, next: Int)
    /// The end of the pattern.
    case match
  }

  /// The instructions.
  private(set) var instructions: [Instruction] = [.match]
  /// The sets that the instructions use.
  private(set) var sets: [PatternScalars] = []
  /// Two words for each set, whose bits tell which ASCII scalars are in it.
  private var masks: [UInt64] = []
  /// The index of the first instruction.
  private(set) var start = 0
  /// Whether the pattern has `\b` or `\B`.
  private(set) var usesWords = false
  /// Whether the pattern has `^` or `$` that match at line ends.
  private(set) var usesLines = false
  /// Whether the pattern has `\A`.
  private(set) var usesTextStart = false

  private var numbers: [PatternScalars: Int] = [:]
  private var work = 0
  private var rangeCount = 0

  /// The maximum number of instructions; with more, a search of a long text would take too long.
  static let sizeLimit = 10_000

  /// The maximum number of ranges of scalars in all sets.
  private static let rangeLimit = 1 << 17

  /// Compiles `node`; nil if that takes too many instructions.
  init?(_ node: PatternNode) {
    guard let start = emit(node, next: 0) else { return nil }
    self.start = start
    numbers = [:]
  }

  /// Whether `scalar` is in the set with that number.
  @inline(__always)
  func holds(_ scalar: UInt32, in set: Int) -> Bool {
    guard scalar < 0x80 else { return sets[set].contains(scalar) }
    let word = masks[2 &* set &+ Int(scalar &>> 6)]
    return word &>> UInt64(scalar & 63) & 1 == 1
  }
}

extension PatternProgram {
  private mutating func append(_ instruction: Instruction) -> Int? {
    guard instructions.count < Self.sizeLimit else { return nil }
    instructions.append(instruction)
    return instructions.count - 1
  }

  /// Emits `node` so that it continues at `next`; returns the index of its first instruction.
  private mutating func emit(_ node: PatternNode, next: Int) -> Int? {
    work += 1
    guard work <= 4 * Self.sizeLimit else { return nil }
    switch node {
    case .empty: return next
    case .scalars(let set):
      guard let number = number(of: set) else { return nil }
      return append(.scalars(set: number, next: next))
    case .assertion(let assertion):
      recordUse(of: assertion)
      return append(.assertion(assertion, next: next))
    case .group(let inner, let number):
      guard let end = append(.save(slot: 2 * number + 1, next: next)), let entry = emit(inner, next: end)
      else { return nil }
      return append(.save(slot: 2 * number, next: entry))
    case .sequence(let items):
      var entry = next
      for item in items.reversed() {
        guard let place = emit(item, next: entry) else { return nil }
        entry = place
      }
      return entry
    case .alternatives(let branches):
      return emit(alternatives: branches, next: next)
    case .repetition(let inner, let least, let most, let isLazy):
      return emit(inner, least, most, isLazy, next: next)
    }
  }

  private mutating func emit(alternatives branches: [PatternNode], next: Int) -> Int? {
    var entry: Int?
    for branch in branches.reversed() {
      guard let place = emit(branch, next: next) else { return nil }
      guard let later = entry else {
        entry = place
        continue
      }
      guard let split = append(.split(place, later)) else { return nil }
      entry = split
    }
    return entry ?? next
  }

  private mutating func emit(
    _ inner: PatternNode, _ least: Int, _ most: Int?, _ isLazy: Bool, next: Int
  ) -> Int? {
    guard let most else {
      if least > 0 { return copies(of: inner, least - 1, before: loop(inner, isLazy, next: next)) }
      // A body that may be empty runs once before it decides to run again, so that `(|a)*` prefers to end.
      return inner.canBeEmpty
        ? loop(inner, isLazy, next: next).flatMap { choice($0, isLazy, next: next) }
        : star(inner, isLazy, next: next)
    }
    var entry = next
    for _ in 0..<max(0, most - least) {
      guard let body = emit(inner, next: entry), let split = choice(body, isLazy, next: next) else {
        return nil
      }
      entry = split
    }
    return copies(of: inner, least, before: entry)
  }

  private mutating func copies(of inner: PatternNode, _ count: Int, before place: Int?) -> Int? {
    guard var entry = place else { return nil }
    for _ in 0..<count {
      guard let body = emit(inner, next: entry) else { return nil }
      entry = body
    }
    return entry
  }

  private mutating func choice(_ body: Int, _ isLazy: Bool, next: Int) -> Int? {
    append(isLazy ? .split(next, body) : .split(body, next))
  }

  /// `inner*`, entered at the choice.
  private mutating func star(_ inner: PatternNode, _ isLazy: Bool, next: Int) -> Int? {
    guard let split = append(.split(next, next)), let body = emit(inner, next: split) else { return nil }
    instructions[split] = isLazy ? .split(next, body) : .split(body, next)
    return split
  }

  /// `inner+`, entered at the body.
  private mutating func loop(_ inner: PatternNode, _ isLazy: Bool, next: Int) -> Int? {
    guard let split = append(.split(next, next)), let body = emit(inner, next: split) else { return nil }
    instructions[split] = isLazy ? .split(next, body) : .split(body, next)
    return body
  }

  private mutating func number(of set: PatternScalars) -> Int? {
    if let number = numbers[set] { return number }
    rangeCount += set.ranges.count
    guard rangeCount <= Self.rangeLimit else { return nil }
    sets.append(set)
    for first in [UInt32(0), 64] {
      masks.append((0..<64).reduce(0) { $0 | (set.contains(first + $1) ? 1 << UInt64($1) : 0) })
    }
    numbers[set] = sets.count - 1
    return sets.count - 1
  }

  private mutating func recordUse(of assertion: PatternAssertion) {
    switch assertion {
    case .textStart: usesTextStart = true
    case .textEnd: break
    case .lineStart, .lineEnd: usesLines = true
    case .wordBoundary, .noWordBoundary: usesWords = true
    }
  }
}

extension PatternNode {
  /// Whether the node can match without consuming a scalar.
  var canBeEmpty: Bool {
    switch self {
    case .empty, .assertion: true
    case .scalars: false
    case .sequence(let items): items.allSatisfy(\.canBeEmpty)
    case .alternatives(let branches): branches.contains(where: \.canBeEmpty)
    case .repetition(let inner, let least, _, _): least == 0 || inner.canBeEmpty
    case .group(let inner, _): inner.canBeEmpty
    }
  }

  /// Whether every match begins at the start of the text.
  var isAnchored: Bool {
    switch self {
    case .assertion(let assertion): assertion == .textStart
    case .sequence(let items): items.first?.isAnchored ?? false
    case .alternatives(let branches): branches.allSatisfy(\.isAnchored)
    case .repetition(let inner, let least, _, _): least > 0 && inner.isAnchored
    case .group(let inner, _): inner.isAnchored
    case .empty, .scalars: false
    }
  }
}

/// The context to the left of a position, reduced to what conditions depend on.
struct PatternContext: OptionSet, Hashable {
  /// The bits of the members.
  let rawValue: UInt8

  /// Nothing: the text begins here.
  static let textStart = Self(rawValue: 1)
  /// A line feed.
  static let newline = Self(rawValue: 2)
  /// An ASCII word character.
  static let word = Self(rawValue: 4)

  /// Creates the set of these bits.
  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The context before the scalar at `offset`.
  @inline(__always)
  init(in text: Span<UInt8>, at offset: Int) {
    self = offset == 0 ? .textStart : Self(after: UInt32(text[offset &- 1]))
  }

  /// The context after `scalar`; only the first 128 matter.
  init(after scalar: UInt32) {
    self = scalar == 0x0A ? .newline : PatternScalars.word.contains(scalar) ? .word : []
  }

  /// Whether `assertion` is true between this and `next`; without `next` the text ends.
  func satisfies(_ assertion: PatternAssertion, before next: UInt32?) -> Bool {
    switch assertion {
    case .textStart: return contains(.textStart)
    case .textEnd: return next == nil
    case .lineStart: return !isDisjoint(with: [.textStart, .newline])
    case .lineEnd: return next == nil || next == 0x0A
    case .wordBoundary, .noWordBoundary:
      let isWordNext = next.map { $0 < 0x80 && Self(after: $0) == .word } ?? false
      return (contains(.word) != isWordNext) == (assertion == .wordBoundary)
    }
  }
}
