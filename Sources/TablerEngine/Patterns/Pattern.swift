/// A regular expression in RE2's syntax, which matches in time linear in the text (R46).
///
/// The leftmost match is found, and among those that begin there the one that a backtracking search would
/// find first. Text is UTF-8; bytes that are not count as U+FFFD. A `PatternMatcher` does the searching.
///
/// RE2 has `\C`, which is missing here. The flag `x` is added.
struct Pattern: Sendable {
  /// The instructions.
  let program: PatternProgram
  /// Bytes that every match contains.
  let literal: PatternLiteral
  /// Whether matches can only begin at the beginning of the text.
  let isAnchored: Bool
  /// The number of groups that record their range, without the whole match.
  let groupCount: Int
  /// The groups that have a name, in the order in which they begin.
  let groupNames: [(name: String, number: Int)]

  /// Parses and compiles `source`.
  init(_ source: String, flags: PatternFlags = []) throws(PatternError) {
    var parser = PatternParser(source, flags: flags)
    let node = try parser.parse()
    guard let program = PatternProgram(.group(node, number: 0)) else {
      throw PatternError(kind: .tooLarge, range: 0..<source.utf8.count)
    }
    self.program = program
    literal = PatternLiteral(node)
    isAnchored = node.isAnchored
    groupCount = parser.groupCount
    groupNames = parser.groupNames.map { ($0.key, $0.value) }.sorted { $0.number < $1.number }
  }
}

/// The flags of a pattern: the letters after `/…/` and after `(?`.
public struct PatternFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates flags from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `i`: letters match in either case.
  public static let ignoresCase = Self(rawValue: 1)
  /// `m`: `^` and `$` match at line ends too.
  public static let multiline = Self(rawValue: 2)
  /// `s`: `.` matches a line feed too.
  public static let dotMatchesNewline = Self(rawValue: 4)
  /// `U`: repetitions match as little as possible, and as much as possible with `?`.
  public static let swapsGreed = Self(rawValue: 8)
  /// `x`: blanks and `#` comments are ignored.
  public static let extended = Self(rawValue: 16)

  /// The flag of a letter.
  init?(letter: Unicode.Scalar) {
    switch letter {
    case "i": self = .ignoresCase
    case "m": self = .multiline
    case "s": self = .dotMatchesNewline
    case "U": self = .swapsGreed
    case "x": self = .extended
    default: return nil
    }
  }

  /// The flags of `letters`; nil if one of them is not a flag.
  public init?(letters: String) {
    self = []
    for letter in letters.unicodeScalars {
      guard let flag = Self(letter: letter) else { return nil }
      insert(flag)
    }
  }
}

/// What is wrong with a pattern, and where: offsets are bytes in its source.
public struct PatternError: Error, Equatable, Sendable {
  /// The kind of mistake.
  public enum Kind: Equatable, Sendable {
    /// `(` without `)`.
    case unclosedGroup
    /// `)` without `(`.
    case unopenedGroup
    /// `[` without `]`.
    case unclosedClass
    /// A range that runs backwards, as in `[z-a]`.
    case badRange
    /// A class with an unknown name, as in `\p{Klingon}` or `[[:word:]]`.
    case unknownClass(String)
    /// `*`, `+`, `?` or `{…}` with nothing to repeat, or after another one.
    case nothingToRepeat
    /// A count above 1000, or a minimum above the maximum.
    case badCount
    /// A backslash at the end, or before something that has no meaning after it.
    case badEscape
    /// A back-reference, which linear time rules out.
    case backReference
    /// A look-ahead or look-behind, or an atomic group.
    case lookAround
    /// An unknown letter or mark after `(?`.
    case badGroup
    /// A group name that is empty, malformed or used twice.
    case badName
    /// Groups within groups beyond the limit.
    case tooDeep
    /// A pattern that takes too much memory when its repetitions are written out.
    case tooLarge
  }

  /// The kind of mistake.
  public var kind: Kind
  /// Where it is.
  public var range: Range<Int>
}

/// Bytes that every match of a pattern contains; they are searched for first.
struct PatternLiteral: Sendable {
  /// The bytes; empty if none are known.
  private(set) var bytes: [UInt8] = []
  /// Whether the pattern is exactly these bytes.
  private(set) var isWhole = false

  /// Finds the longest sequence of bytes that every match of `node` must contain.
  init(_ node: PatternNode) {
    if let exact = Self.exact(node) {
      bytes = exact
      isWhole = true
    } else {
      bytes = Self.required(node)
    }
  }

  /// The bytes that `node` matches, if it matches nothing else.
  private static func exact(_ node: PatternNode) -> [UInt8]? {
    switch node {
    case .empty: return []
    case .scalars(let set):
      // U+FFFD also matches bytes that are not UTF-8.
      guard let value = set.single, value != 0xFFFD, let scalar = Unicode.Scalar(value) else { return nil }
      return Array(String(Character(scalar)).utf8)
    case .group(let inner, _): return exact(inner)
    case .sequence(let items):
      var bytes: [UInt8] = []
      for item in items {
        guard let more = exact(item) else { return nil }
        bytes += more
      }
      return bytes
    case .alternatives, .repetition, .assertion: return nil
    }
  }

  private static func required(_ node: PatternNode) -> [UInt8] {
    switch node {
    case .empty, .scalars, .alternatives, .assertion: return exact(node) ?? []
    case .group(let inner, _): return required(inner)
    case .repetition(let inner, let least, _, _): return least > 0 ? exact(inner) ?? required(inner) : []
    case .sequence(let items):
      var best: [UInt8] = []
      var run: [UInt8] = []
      for item in items {
        if let bytes = exact(item) {
          run += bytes
        } else {
          if case .assertion = item { continue }
          if run.count > best.count { best = run }
          run = []
          let inner = required(item)
          if inner.count > best.count { best = inner }
        }
      }
      return run.count > best.count ? run : best
    }
  }

  /// The first offset of the bytes at or after `start`; nil if there is none.
  fileprivate func firstOffset(in text: Span<UInt8>, from start: Int) -> Int? {
    text.firstRange(of: bytes.span, from: start)
  }
}

/// A running pattern: it owns the tables and lists that searching fills, so that rows need no allocation.
///
/// There is one per pattern and thread; they are not shared.
final class PatternMatcher {
  private let pattern: Pattern
  /// It is moved out while many texts are examined.
  private var automaton: PatternAutomaton?
  private var search: PatternSearch
  /// Replaces `search` in a text in which that reads too much again and again.
  private var walk: PatternWalk?
  /// How much of the text was read beyond the ends of its matches.
  private var overrun = 0

  /// The groups of the last match that `nextCaptures` found, the whole match first; nil for groups that did
  /// not take part.
  private(set) var groups: [Range<Int>?] = []

  /// Creates a matcher with empty tables.
  init(_ pattern: Pattern) {
    self.pattern = pattern
    automaton = PatternAutomaton(pattern.program, isAnchored: pattern.isAnchored)
    search = PatternSearch(pattern.program, isAnchored: pattern.isAnchored)
  }

  /// Whether `text` contains a match.
  func matches(_ text: Span<UInt8>) -> Bool { mayMatch(text, from: 0) }

  /// Calls `body` once with a function that tells whether a text contains a match: it is faster than
  /// `matches` for many texts.
  func withMatches(_ body: ((Span<UInt8>) -> Bool) -> Void) {
    let literal = pattern.literal
    guard !literal.isWhole, var automaton = automaton.take() else { return body(matches) }
    body { literal.firstOffset(in: $0, from: 0) != nil && automaton.matches($0, from: 0) }
    self.automaton = automaton
  }

  /// The match after `previous`, or the first one.
  ///
  /// It is the leftmost, preferred as in a backtracking search. Matches do not overlap, and an empty one does
  /// not touch the previous one.
  ///
  /// - Complexity: finding all matches of a text takes time linear in its length.
  func nextMatch(in text: Span<UInt8>, after previous: Range<Int>?) -> Range<Int>? {
    next(in: text, after: previous, slotCount: 2)
  }

  /// The match after `previous`, as for `nextMatch`, with its groups in `groups`.
  func nextCaptures(in text: Span<UInt8>, after previous: Range<Int>?) -> Range<Int>? {
    let slotCount = 2 * (pattern.groupCount + 1)
    groups.removeAll(keepingCapacity: true)
    guard let match = next(in: text, after: previous, slotCount: slotCount) else { return nil }
    groups.append(match)
    for slot in stride(from: 2, to: slotCount, by: 2) {
      let (start, end) = (found[slot], found[slot + 1])
      groups.append(start >= 0 && end >= start ? start..<end : nil)
    }
    return match
  }
}

extension PatternMatcher {
  private func mayMatch(_ text: Span<UInt8>, from start: Int) -> Bool {
    guard pattern.literal.firstOffset(in: text, from: start) != nil else { return false }
    return pattern.literal.isWhole || automaton?.matches(text, from: start) ?? false
  }

  /// The slots of the last match.
  private var found: [Int] { walk?.found ?? search.found }

  private func next(in text: Span<UInt8>, after previous: Range<Int>?, slotCount: Int) -> Range<Int>? {
    if previous == nil {
      walk = nil
      overrun = 0
    }
    var start = previous?.upperBound ?? 0
    if let previous, previous.isEmpty {
      guard start < text.count else { return nil }
      start += text.scalar(at: start).length
    }
    while start <= text.count, let match = find(in: text, from: start, slotCount: slotCount) {
      guard match.isEmpty, match.lowerBound == previous?.upperBound else { return match }
      guard start < text.count else { return nil }
      start += text.scalar(at: start).length
    }
    return nil
  }

  private func find(in text: Span<UInt8>, from start: Int, slotCount: Int) -> Range<Int>? {
    if pattern.literal.isWhole, slotCount == 2 {
      let length = pattern.literal.bytes.count
      return pattern.literal.firstOffset(in: text, from: start).map { $0..<$0 + length }
    }
    if walk == nil, overrun > 4096 + 4 * text.count {
      walk = PatternWalk(pattern.program, isAnchored: pattern.isAnchored, in: text)
    }
    if walk != nil {
      guard walk?.find(in: text, from: start, slotCount: slotCount) == true else { return nil }
    } else {
      guard mayMatch(text, from: start), search.find(in: text, from: start, slotCount: slotCount)
      else { return nil }
      overrun += search.end - search.found[1]
    }
    return found[0]..<found[1]
  }
}
