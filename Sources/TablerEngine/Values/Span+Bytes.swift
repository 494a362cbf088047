extension Span<UInt8> {
  /// Whether there is nothing but printable ASCII, 0x20 to 0x7E.
  var isPrintableASCII: Bool { isPlain }

  /// Whether both hold the same bytes.
  @inline(__always)
  func equals(_ other: Span<UInt8>) -> Bool { count == other.count && isSame(as: other, at: 0) }

  /// Whether these are the bytes of `text`.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in indices where self[index] != text.byte(at: index) { return false }
    return true
  }

  /// Whether one of the bytes is `byte`.
  func contains(_ byte: UInt8) -> Bool {
    for index in indices where self[index] == byte { return true }
    return false
  }

  /// Whether the bytes are those of `other`.
  @inline(__always)
  func equals(_ other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  /// Whether the bytes of `text` are at `offset`.
  func holds(_ text: StaticString, at offset: Int) -> Bool {
    guard count &- offset >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where self[offset &+ index] != text.byte(at: index) {
      return false
    }
    return true
  }
}

/// Searching.
extension Span<UInt8> {
  /// The first range of `other` at or after `start`; nil if there is none.
  ///
  /// Offsets are tried one after another, which is fastest for most texts; if too much of that is wasted, the
  /// borders of `other` tell how far it can be moved.
  ///
  /// - Complexity: O(*n* + *m*), where *n* and *m* are the lengths of the text and of `other`.
  func firstRange(of other: Span<UInt8>, from start: Int) -> Int? {
    guard other.count > 0 else { return start <= count ? start : nil }
    guard other.count <= count else { return nil }
    let first = other[0]
    let last = count &- other.count
    var place = start
    var inVain = 0
    while place <= last {
      if self[place] == first {
        var index = 1
        while index < other.count, self[place &+ index] == other[index] { index &+= 1 }
        if index == other.count { return place }
        inVain &+= index
        if inVain > 8 &* (place &- start) &+ 256 { return firstRange(of: other, moving: place &+ 1) }
      }
      place &+= 1
    }
    return nil
  }

  /// The first range of `other` at or after `start` (Knuth, Morris and Pratt).
  ///
  /// 1. The border of a prefix of `other` is the longest proper part of it that it both begins and ends with.
  /// 2. At a byte that differs, the border of what has matched is kept, so that no byte is read again.
  ///
  /// - Complexity: O(*n* + *m*), where *n* and *m* are the lengths of the text and of `other`.
  private func firstRange(of other: Span<UInt8>, moving start: Int) -> Int? {
    var borders = [Int32](repeating: 0, count: other.count)
    var length = 0
    for index in 1..<other.count {
      while length > 0, other[index] != other[length] { length = Int(borders[length &- 1]) }
      if other[index] == other[length] { length &+= 1 }
      borders[index] = Int32(truncatingIfNeeded: length)
    }
    length = 0
    var place = start
    while place < count {
      while length > 0, self[place] != other[length] { length = Int(borders[length &- 1]) }
      if self[place] == other[length] { length &+= 1 }
      place &+= 1
      if length == other.count { return place &- length }
    }
    return nil
  }

  /// Whether the text begins with `other`.
  func hasPrefix(_ other: Span<UInt8>) -> Bool {
    other.count <= count && extracting(0..<other.count).equals(other)
  }

  /// Whether the text ends with `other`.
  func hasSuffix(_ other: Span<UInt8>) -> Bool {
    other.count <= count && extracting(count &- other.count..<count).equals(other)
  }
}

extension String {
  /// The text without blanks and tabs at its ends.
  public var trimmingBlanks: String {
    let inner = utf8.trimmingBlanks
    return inner.count == utf8.count ? self : String(inner) ?? self
  }
}

extension String.UTF8View {
  /// The bytes without blanks and tabs at their ends.
  var trimmingBlanks: Substring.UTF8View {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
    var inner = self[...]
    while let byte = inner.first, isBlank(byte) { inner.removeFirst() }
    while let byte = inner.last, isBlank(byte) { inner.removeLast() }
    return inner
  }
}

extension Span<UInt8> {
  /// Whether one of the bytes is a digit.
  @inline(__always)
  var holdsDigit: Bool {
    for index in indices where self[index].isDigit { return true }
    return false
  }

  /// Whether the first byte is a digit or a currency sign, after any blanks, parenthesis, sign and point.
  var beginsAsValue: Bool {
    var index = 0
    while index < count, NumberScan.isBlank(self[index]) { index += 1 }
    if index < count, self[index] == UInt8(ascii: "(") { index += 1 }
    if index < count, self[index] == UInt8(ascii: "-") || self[index] == UInt8(ascii: "+") { index += 1 }
    if index < count, self[index] == UInt8(ascii: ".") { index += 1 }
    return index < count && (self[index].isDigit || currencySignLength(at: index) > 0)
  }
}

extension Span<UInt8> {
  /// Whether the text may begin or end with a blank or a no-break space: a cheap test.
  @inline(__always)
  var mayHaveOuterBlanks: Bool {
    guard count > 0 else { return false }
    let (first, last) = (self[0], self[count - 1])
    return first == 0x20 || last == 0x20 || first == 0xC2 || first == 0xE2 || last == 0xA0 || last == 0xAF
  }

  /// Whether there are blanks at the ends of a text.
  var isPadded: Bool { count > 1 && mayHaveOuterBlanks && unpadded.count < count }

  /// The bytes without blanks at the ends; U+00A0 and U+202F, which web pages and spreadsheets write, count as such.
  var unpadded: Range<Int> {
    var (start, end) = (0, count)
    while start < end, let length = blankLength(from: start), start + length <= end { start += length }
    while end > start {
      if self[end - 1] == 0x20 {
        end -= 1
      } else if end - start > 1, blankLength(from: end - 2) == 2 {
        end -= 2
      } else if end - start > 2, blankLength(from: end - 3) == 3 {
        end -= 3
      } else {
        break
      }
    }
    return start..<end
  }

  /// Whether there are other blanks than U+0020 at the ends, which `trim()` does not remove unless they are named.
  var hasOuterNoBreakSpaces: Bool {
    let inner = unpadded
    return (0..<inner.lowerBound).contains { self[$0] >= 0x80 }
      || (inner.upperBound..<count).contains { self[$0] >= 0x80 }
  }

  /// The length of the blank that begins at a byte.
  private func blankLength(from start: Int) -> Int? {
    switch self[start] {
    case 0x20: 1
    case 0xC2 where start + 1 < count && self[start + 1] == 0xA0: 2
    case 0xE2 where start + 2 < count && self[start + 1] == 0x80 && self[start + 2] == 0xAF: 3
    default: nil
    }
  }
}
