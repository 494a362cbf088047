/// Texts in which runs of digits count by their value, brought into bytes that compare as they should.
///
/// A run of digits becomes the digit 0, the number of its digits without leading zeros, and these
/// digits: `a12` is `a` `0` 2 `12`. So it keeps the place of a digit among other characters, and of two runs
/// the one with more digits is the larger.
enum SequenceText {
  /// What runs of digits are part of.
  enum Kind: Sendable {
    /// Any text.
    case natural

    /// A version: `1.0-rc1` and `1.0~rc1` come before `1.0`.
    case version
  }

  /// Appends the bytes that `text` compares by.
  static func append(_ text: Span<UInt8>, as kind: Kind, to buffer: inout ByteBuffer) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte.isDigit {
        index = appendRun(text, from: index, to: &buffer)
      } else {
        let isEarly = kind == .version && isPrerelease(text, at: index)
        buffer.append(isEarly ? before : byte)
        index += 1
      }
    }
    if kind == .version { buffer.append(end) }
  }

  /// What stands for the mark of a prerelease: below the end.
  private static var before: UInt8 { 1 }

  /// What ends a version.
  private static var end: UInt8 { 2 }

  /// Whether a prerelease begins: at `~`, and at a `-` between a digit and a letter.
  private static func isPrerelease(_ text: Span<UInt8>, at index: Int) -> Bool {
    if text[index] == UInt8(ascii: "~") { return true }
    guard text[index] == UInt8(ascii: "-"), index > 0, index + 1 < text.count else { return false }
    return text[index - 1].isDigit && (text[index + 1] | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// Appends a run of digits and gives the place after it.
  private static func appendRun(_ text: Span<UInt8>, from start: Int, to buffer: inout ByteBuffer) -> Int {
    var first = start
    while first < text.count, text[first] == UInt8(ascii: "0") { first += 1 }
    var end = first
    while end < text.count, text[end].isDigit { end += 1 }
    buffer.append(UInt8(ascii: "0"))
    var length = end - first
    while length >= 255 {
      buffer.append(255)
      length -= 255
    }
    buffer.append(UInt8(truncatingIfNeeded: length))
    buffer.append(text.extracting(first..<end))
    return end
  }
}
