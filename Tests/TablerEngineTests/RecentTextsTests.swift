import Testing

@testable import TablerEngine

/// Short texts that are known again, and comparing texts by several bytes at once.
struct RecentTextsTests {
  /// Texts of every length up to 20, and each with one byte changed.
  private static let texts: [[UInt8]] = (0...20).flatMap { count in
    let text = (0..<count).map { UInt8(97 + $0 % 7) }
    return [text]
      + text.indices.map { index in
        var other = text
        other[index] ^= 0x80
        return other
      }
  }

  @Test("texts are equal if all their bytes are")
  func compares() {
    for left in Self.texts {
      for right in Self.texts {
        let areEqual = left.span.equals(right.span)
        #expect(areEqual == (left == right))
      }
    }
  }

  @Test("a text has the number that it was kept with, or none")
  func finds() {
    var recent = RecentTexts()
    // The shortest last: before, no text is known.
    for (number, text) in Self.texts.enumerated().reversed() {
      let before = recent.number(of: text.span)
      recent.insert(text.span, number)
      let after = recent.number(of: text.span)
      #expect(before == nil)
      #expect(after == (text.count > 16 ? nil : number))
    }
    for (number, text) in Self.texts.enumerated() {
      let found = recent.number(of: text.span)
      #expect(found == nil || found == number)
    }
    recent.removeAll()
    let text = Self.texts[1]
    let found = recent.number(of: text.span)
    #expect(found == nil)
  }
}
