import Testing

@testable import TablerEngine

/// R46: a text is found in another as trying every place finds it.
@Suite struct TextSearchTests {
  @Test func `texts of few letters are found where they stand first`() {
    var seed: UInt64 = 7
    func next(_ limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % limit
    }
    for _ in 0..<3000 {
      let text = (0..<next(700)).map { _ in UInt8(next(8) == 0 ? 98 : 97) }
      let part = (0..<next(40)).map { _ in UInt8(next(12) == 0 ? 98 : 97) }
      let start = next(text.count + 1)
      let places = (start...max(start, text.count)).filter { place in
        place + part.count <= text.count && Array(text[place..<place + part.count]) == part
      }
      #expect(text.span.firstRange(of: part.span, from: start) == places.first)
    }
  }

  @Test func `a long text of one letter is searched without reading it again and again`() {
    // Trying every place would compare 10,000,000,000 bytes.
    let text = [UInt8](repeating: 97, count: 200_000)
    let part = [UInt8](repeating: 97, count: 100_000) + [98]
    #expect(text.span.firstRange(of: part.span, from: 0) == nil)
    #expect((text + [98]).span.firstRange(of: part.span, from: 0) == 100_000)
  }

  @Test(arguments: [
    ("abcabd", "%abd", true), ("xaab", "%aa%b", true), ("ab", "%b%a%", false), ("äöü", "%ö%", true),
    ("äöü", "_ö_", true), ("a%b", "a%b", true), ("aXbXc", "a%X%c", true), ("ac", "a%X%c", false),
  ])
  func `like finds its parts in their order`(_ text: String, _ pattern: String, _ fits: Bool) {
    #expect(
      LikePattern(Array(pattern.utf8).span, ignoresCase: false).matches(Array(text.utf8).span) == fits)
  }

  @Test func `like finds parts with any character in them as trying every place does`() {
    var seed: UInt64 = 11
    func next(_ limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % limit
    }
    var found = 0
    for _ in 0..<600 {
      let rare = [12, 60, 400][next(3)]
      let texts: [[UInt8]] = [[0x61], [0xC3, 0xA9], [0xA9]]
      let text = (0..<next(2500)).flatMap { _ in next(rare) == 0 ? [0x62] : texts[next(8) < 6 ? 0 : next(3)] }
      let pieces: [[UInt8]] = [[0x61], [0x5F], [0xC3, 0xA9], [0x62]]
      var part = (0..<next(40)).flatMap { _ in pieces[next(rare) == 0 ? 3 : max(next(4) - 1, 0)] }
      if next(2) == 0 {
        // One that is there, but for its last byte at times.
        part = text.dropFirst(next(text.count + 1)).prefix(next(300)).map {
          $0 == 0x61 && next(2) == 0 ? 0x5F : $0
        }
        if let last = part.popLast(), last < 0x80 { part.append(next(2) == 0 ? last : 0x63) }
      }
      let isThere = text.indices.contains { place in
        var rest = text[place...]
        if place > 0, text[place] & 0xC0 == 0x80 { return false }
        for element in part {
          guard let byte = rest.popFirst(), byte == element || element == 0x5F else { return false }
          if element == 0x5F { rest = rest.drop { $0 & 0xC0 == 0x80 } }
        }
        return true
      }
      if isThere, part.count > 20, part.contains(0x5F) { found += 1 }
      let pattern = [0x25] + part + [0x25]
      #expect(
        LikePattern(pattern.span, ignoresCase: false).matches(text.span) == (isThere || part.isEmpty))
    }
    #expect(found > 10)
  }

  @Test(arguments: [
    ("xxaxx", "x", "a"), ("éaéb", "éa", "b"), ("abc", "abc", ""), ("~a~", "~", "a"), ("ÿaÿ", "~", "ÿaÿ"),
  ])
  func `trim takes only what it was given`(_ text: String, _ set: String, _ rest: String) {
    let trimmed = TextFunctions.trimmed(Array(text.utf8).span, ofAny: Array(set.utf8).span, (true, true))
    #expect(String(decoding: trimmed, as: UTF8.self) == rest)
  }
}
