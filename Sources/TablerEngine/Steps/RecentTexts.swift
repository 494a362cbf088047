/// Short texts that came before, each with a number: many columns have few different texts, which come again and again.
///
/// Each text has one place, by its bytes, and gives it up to the next text that has the same.
///
/// - Complexity: O(1) for each text.
struct RecentTexts: Sendable {
  /// A text of at most `longest` bytes: the first and the last of them, and how many there are.
  private struct Key: Equatable {
    let first: UInt64
    let last: UInt64
    let count: Int

    /// The key of no text.
    init() { (first, last, count) = (0, 0, -1) }

    @inline(__always)
    init(_ text: Span<UInt8>) { (first, last, count) = (text.ends.first, text.ends.last, text.count) }

    @inline(__always)
    var place: Int {
      var mixed = first ^ last &* 0xE703_7ED1_A0B4_28DB ^ UInt64(truncatingIfNeeded: count)
      mixed &*= 0x9E37_79B9_7F4A_7C15
      return Int(truncatingIfNeeded: mixed &>> 32) & (RecentTexts.placeCount &- 1)
    }
  }

  private struct Entry {
    var key: Key
    var number: Int
  }

  /// The texts; empty before the first one.
  private var entries: [Entry] = []

  private static let longest = 16
  private static let placeCount = 1 << 8

  /// The bytes that the texts take in memory.
  var memory: Int { entries.capacity * MemoryLayout<Entry>.stride }

  /// The number of a text; `nil` if it did not come, or another one took its place.
  @inline(__always)
  func number(of text: Span<UInt8>) -> Int? {
    if text.count > Self.longest || entries.isEmpty { return nil }
    let key = Key(text)
    let entry = entries[key.place]
    return entry.key == key ? entry.number : nil
  }

  /// Keeps the number of a text, if that is short.
  mutating func insert(_ text: Span<UInt8>, _ number: Int) {
    if text.count > Self.longest { return }
    if entries.isEmpty {
      entries = Array(repeating: Entry(key: Key(), number: 0), count: Self.placeCount)
    }
    let key = Key(text)
    entries[key.place] = Entry(key: key, number: number)
  }

  /// Forgets all texts.
  mutating func removeAll() { entries = [] }
}
