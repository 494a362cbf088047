/// Signs that tell sizes from other numbers with a letter, such as rooms: `22A`, `3B`, `4G`.
struct SizeSigns: Sendable {
  /// The capital letters that follow whole numbers alone, one bit each.
  private var letters: UInt32 = 0

  /// Whether some text is certainly a size: `1.5G`, `4Ki`, `20MB`, `512 B`, `12k`, `45%`.
  private var isClear = false

  /// Whether a `B` alone follows a number with decimals, as in `1.2B`: there is no part of a byte.
  private var hasBillions = false

  /// Whether some text is a size with a unit of several letters: `20MB`.
  private var hasLongUnits = false

  /// Whether a small letter follows a number alone, as in `5m`.
  private var hasSmallLetter = false

  /// Records the signs of a text.
  mutating func recordSigns(of text: Span<UInt8>, _ marks: NumberMarks) {
    var start = 0
    var end = text.count
    while start < end, NumberScan.isBlank(text[start]) { start += 1 }
    while end > start, NumberScan.isBlank(text[end - 1]) { end -= 1 }
    let inner = text.extracting(start..<end)
    var length = 0
    guard let scan = NumberScan(prefixOf: inner, marks: marks, length: &length), length < inner.count else {
      return
    }
    let letter = inner[length]
    if length + 1 == inner.count, scan.scale == 0, letter &- 0x41 < 26 {
      letters |= 1 &<< UInt32(letter &- 0x41)
    } else if length + 1 == inner.count, letter &- 0x61 < 26, letter != UInt8(ascii: "k") {
      hasSmallLetter = true
    } else if length + 1 == inner.count, letter == UInt8(ascii: "B"), scan.scale > 0,
      inner[length - 1] != UInt8(ascii: "0")
    {
      hasBillions = true
    } else if Size.read(inner, marks: marks) != nil {
      isClear = true
      if length + 1 < inner.count { hasLongUnits = true }
    }
  }

  /// Adds the signs that were found in other texts.
  mutating func merge(_ other: SizeSigns) {
    letters |= other.letters
    isClear = isClear || other.isClear
    hasSmallLetter = hasSmallLetter || other.hasSmallLetter
    hasBillions = hasBillions || other.hasBillions
    hasLongUnits = hasLongUnits || other.hasLongUnits
  }

  /// Whether numbers with units are sizes: not if a capital letter other than K, M, G or T follows one alone,
  /// unless some text is certainly a size, nor if there are billions beside units of one letter.
  var areSizes: Bool { hasLongUnits || !hasBillions && (isClear || letters & ~Self.units == 0) }

  /// Whether the letters after numbers mean no unit.
  var areLetters: Bool { !areSizes && !hasSmallLetter && !hasBillions }

  /// The units that may follow a number alone, as `du -h` and `ls -lh` print them.
  private static let units: UInt32 = "KMGT".utf8.reduce(0) { $0 | 1 &<< UInt32($1 &- 0x41) }
}
