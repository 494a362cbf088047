/// The functions over text, in characters (Unicode scalars) unless they say cells.
enum TextFunctions {
  /// The longest text that is filled up or repeated to, in bytes: what would be longer is null.
  private static let longest = 1 << 20

  /// The longest text that is joined or replaced to, in bytes, as for cells: what would be longer is null.
  static let longestResult = Cell.longest

  /// The most characters of a text that is compared letter by letter: of a longer one the distance is null.
  static let longestCompared = 4096

  /// The text without blanks in a row and at its ends; any white space counts as a blank.
  static func squeezed(_ text: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var offset = 0
    var isGap = false
    while offset < text.count {
      let length = UTF8Walk.length(in: text, at: offset)
      if isWhiteSpace(text, at: offset) {
        isGap = true
      } else {
        if isGap, !result.isEmpty { result.append(32) }
        isGap = false
        for index in offset..<offset + length { result.append(text[index]) }
      }
      offset += length
    }
    return result
  }

  private static func isWhiteSpace(_ text: Span<UInt8>, at offset: Int) -> Bool {
    let byte = text[offset]
    if byte < 0x80 { return byte == 32 || (byte >= 9 && byte <= 13) }
    return UTF8Walk.scalar(in: text, at: offset)?.properties.isWhitespace ?? false
  }

  /// The text from its last character to its first.
  static func reversed(_ text: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    let starts = starts(of: text)
    var end = text.count
    for start in starts.reversed() {
      for index in start..<end { result.append(text[index]) }
      end = start
    }
    return result
  }

  /// The text as a pattern that matches it literally.
  static func escapedForPattern(_ text: Span<UInt8>) -> [UInt8] {
    let marks = Array(#"\.+*?()|[]{}^$/#-&~"#.utf8)
    var result: [UInt8] = []
    for index in text.indices {
      if marks.contains(text[index]) { result.append(UInt8(ascii: "\\")) }
      result.append(text[index])
    }
    return result
  }

  /// The text without any of some bytes at its ends.
  static func trimmed(_ text: Span<UInt8>, of bytes: ByteSet, _ sides: (start: Bool, end: Bool)) -> [UInt8] {
    var start = 0
    var end = text.count
    if sides.start { while start < end, bytes.contains(text[start]) { start += 1 } }
    if sides.end { while end > start, bytes.contains(text[end - 1]) { end -= 1 } }
    return Array(copying: text.extracting(start..<end))
  }

  /// Some of the ASCII bytes, a bit for each.
  struct ByteSet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The blank.
    static let blank = Self([32].span)

    /// Notes bytes below 128.
    init(_ bytes: Span<UInt8>) {
      for index in bytes.indices {
        let bit: UInt64 = 1 &<< UInt64(bytes[index] & 63)
        if bytes[index] < 64 { low |= bit } else { high |= bit }
      }
    }

    /// Whether the byte is one of them.
    func contains(_ byte: UInt8) -> Bool {
      byte < 128 && (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
    }
  }

  /// The text without any of some characters at its ends.
  static func trimmed(_ text: Span<UInt8>, ofAny set: Span<UInt8>, _ sides: (start: Bool, end: Bool))
    -> [UInt8]
  {
    if set.isPrintableASCII { return trimmed(text, of: ByteSet(set), sides) }
    let members = Set(
      starts(of: set).map { start in
        Array(copying: set.extracting(start..<start + UTF8Walk.length(in: set, at: start)))
      })
    var bounds = starts(of: text)
    bounds.append(text.count)
    func isMember(_ place: Int) -> Bool {
      let character = Array(copying: text.extracting(bounds[place]..<bounds[place + 1]))
      return members.contains(character)
    }
    var first = 0
    var last = bounds.count - 1
    if sides.start { while first < last, isMember(first) { first += 1 } }
    if sides.end { while last > first, isMember(last - 1) { last -= 1 } }
    return Array(copying: text.extracting(bounds[first]..<bounds[last]))
  }

  /// `count` characters from the one at `start`, counted from 1, or from the end if negative.
  static func part(of text: Span<UInt8>, from start: Int, count: Int?) -> [UInt8] {
    var skipped = start &- 1
    var count = count
    if start < 0 {
      skipped = UTF8Walk.count(text) &+ start
    }
    if start == 0 || skipped < 0 {
      // Places before the text take their share of the count.
      if let asked = count { count = max(asked &+ skipped, 0) }
      skipped = 0
    }
    let first = UTF8Walk.offset(after: skipped, in: text)
    let last = count.map { UTF8Walk.offset(after: $0, in: text, from: first) } ?? text.count
    return Array(copying: text.extracting(first..<last))
  }

  /// The last `count` characters.
  static func lastPart(of text: Span<UInt8>, count: Int) -> [UInt8] {
    let total = UTF8Walk.count(text)
    let first = UTF8Walk.offset(after: max(total - count, 0), in: text)
    return Array(copying: text.extracting(first..<text.count))
  }

  /// At most `count` characters, the last one `…` where some were cut.
  static func truncated(_ text: Span<UInt8>, to count: Int) -> [UInt8] {
    if count < 1 { return [] }
    if UTF8Walk.count(text) <= count { return Array(copying: text) }
    return part(of: text, from: 1, count: count - 1) + Array("…".utf8)
  }

  /// The text `times` times.
  static func repeated(_ text: Span<UInt8>, _ times: Int) -> [UInt8]? {
    guard times > 0, text.count > 0 else { return [] }
    guard times <= longest / text.count else { return nil }
    var result: [UInt8] = []
    for _ in 0..<times {
      for index in text.indices { result.append(text[index]) }
    }
    return result
  }

  /// The text with every `old` replaced.
  static func replaced(_ text: Span<UInt8>, _ old: Span<UInt8>, by new: Span<UInt8>) -> [UInt8]? {
    guard old.count > 0 else { return Array(copying: text) }
    var result: [UInt8] = []
    var offset = 0
    while let place = text.firstRange(of: old, from: offset) {
      for index in offset..<place { result.append(text[index]) }
      for index in new.indices { result.append(new[index]) }
      offset = place + old.count
      if result.count > longestResult { return nil }
    }
    for index in offset..<text.count { result.append(text[index]) }
    return result
  }

  /// The part between separators, counted from 1, or from the end if negative; empty where there is none.
  static func part(_ number: Int, of text: Span<UInt8>, separator: Span<UInt8>) -> [UInt8] {
    guard separator.count > 0 else { return number == 1 || number == -1 ? Array(copying: text) : [] }
    var parts: [Range<Int>] = []
    var offset = 0
    while let place = text.firstRange(of: separator, from: offset) {
      parts.append(offset..<place)
      offset = place + separator.count
    }
    parts.append(offset..<text.count)
    let index = number < 0 ? parts.count &+ number : number &- 1
    return parts.indices.contains(index) ? Array(copying: text.extracting(parts[index])) : []
  }

  /// The text filled up to `cells` display cells; a longer one stays.
  static func padded(
    _ text: Span<UInt8>, to cells: Int, with filler: [UInt8], isLeft: Bool, _ metrics: TextMetrics
  ) -> [UInt8]? {
    guard cells <= longest else { return nil }
    let missing = max(cells, 0) - metrics.width(of: text)
    let step = metrics.width(of: filler.span)
    guard missing > 0, step > 0 else { return Array(copying: text) }
    var padding: [UInt8] = []
    for _ in 0..<missing / step { padding.append(contentsOf: filler) }
    let rest = missing % step
    if rest > 0 {
      // A part of a longer filler, as many characters as fit.
      let span = filler.span
      var end = 0
      while end < span.count {
        let next = end + UTF8Walk.length(in: span, at: end)
        if metrics.width(of: span.extracting(0..<next)) > rest { break }
        end = next
      }
      padding.append(contentsOf: filler[0..<end])
    }
    return isLeft ? padding + Array(copying: text) : Array(copying: text) + padding
  }

  /// How many characters to change, add or remove to get from one text to the other; nil where one is too long.
  static func distance(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int? {
    let left = scalars(left)
    let right = scalars(right)
    guard max(left.count, right.count) <= longestCompared else { return nil }
    var row = Array(0...right.count)
    for i in left.indices {
      var diagonal = row[0]
      row[0] = i + 1
      for j in right.indices {
        let cost = min(row[j + 1] + 1, row[j] + 1, diagonal + (left[i] == right[j] ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[right.count]
  }

  private static func starts(of text: Span<UInt8>) -> [Int] {
    var starts: [Int] = []
    var offset = 0
    while offset < text.count {
      starts.append(offset)
      offset += UTF8Walk.length(in: text, at: offset)
    }
    return starts
  }

  private static func scalars(_ text: Span<UInt8>) -> [UInt32] {
    starts(of: text).map { text.scalar(at: $0).value }
  }
}
