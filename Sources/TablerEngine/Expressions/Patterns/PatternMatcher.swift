/// A pattern at work: owns the tables and lists that searching fills, so that rows cost no allocation.
///
/// One per pattern and thread; they are not shared.
final class PatternMatcher {
  private let pattern: Pattern
  private var automaton: PatternAutomaton
  private var search: PatternSearch
  /// Takes the place of `search` in a text where that reads too much of it again and again.
  private var walk: PatternWalk?
  /// How much of the text was read past the ends of its matches.
  private var overrun = 0

  /// The groups of the last match that `nextCaptures` found, the whole match first; nil for those without part.
  private(set) var groups: [Range<Int>?] = []

  /// Creates a matcher with empty tables.
  init(_ pattern: Pattern) {
    self.pattern = pattern
    automaton = PatternAutomaton(pattern.program, isAnchored: pattern.isAnchored)
    search = PatternSearch(pattern.program, isAnchored: pattern.isAnchored)
  }

  /// Whether `text` holds a match.
  func matches(_ text: Span<UInt8>) -> Bool { mayMatch(text, from: 0) }

  /// The match after `previous`; the first one without.
  ///
  /// It is the leftmost, preferred as a backtracking search would. Matches do not overlap, and an empty one
  /// does not touch the one before. All matches of a text take time linear in it.
  func nextMatch(in text: Span<UInt8>, after previous: Range<Int>?) -> Range<Int>? {
    next(in: text, after: previous, slotCount: 2)
  }

  /// The match after `previous`, as `nextMatch`, and its groups in `groups`.
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
    return pattern.literal.isWhole || automaton.matches(text, from: start)
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
