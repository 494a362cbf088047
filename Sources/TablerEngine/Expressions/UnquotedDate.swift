/// A date in an expression that lacks its quote marks, and would be arithmetic: `2025-06-01`, `31/12/2024`.
public struct UnquotedDate: Equatable, Sendable {
  /// The date as written, with its time.
  public let text: String

  /// The keyword and the text that mean the date; `nil` if it is not clear which of its numbers is the day,
  /// or there is no such day.
  public let literal: String?

  /// Creates a date from the text as written.
  init(_ text: String) {
    self.text = text
    var parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }.map(String.init)
    let time = parts.count > 1 ? "T" + parts.removeLast() : ""
    var numbers = parts[0].split { $0 == "-" || $0 == "/" }
    if let last = numbers.last, last.utf8.count == 4 {
      numbers.reverse()
      // The day is known if it is too large for a month.
      guard let day = Int(numbers[2]), let month = Int(numbers[1]), day > 12 || month > 12 else {
        literal = nil
        return
      }
      if month > 12 { numbers.swapAt(1, 2) }
    }
    let date = numbers.joined(separator: "-") + time
    literal = Timestamp(date.utf8.span).map { ($0.isDate ? "date \"" : "datetime \"") + date + "\"" }
  }

  /// The length of a date without blanks at `start`, with any time after it; `nil` if there is none.
  static func length(in bytes: [UInt8], at start: Int) -> Int? {
    guard start == 0 || !(bytes[start - 1].isDigit || bytes[start - 1] == UInt8(ascii: ".")) else {
      return nil
    }
    for pattern in patterns {
      guard matches(pattern, bytes, at: start) else { continue }
      var end = start + 10
      if end < bytes.count, bytes[end].isDigit || bytes[end] == UInt8(ascii: ".") { continue }
      if end < bytes.count, bytes[end] == UInt8(ascii: "T") || bytes[end] == 32,
        matches("99:99", bytes, at: end + 1)
      {
        end += 6
        while end < bytes.count, isPartOfTime(bytes, end) { end += 1 }
      }
      return end - start
    }
    return nil
  }

  private static let patterns: [StaticString] = ["9999-99-99", "9999/99/99", "99/99/9999"]

  /// Whether digits and marks are arranged as in a pattern.
  private static func matches(_ pattern: StaticString, _ bytes: [UInt8], at start: Int) -> Bool {
    guard start + pattern.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<pattern.utf8CodeUnitCount).allSatisfy { index in
      let expected = StaticBytes(pattern)[index]
      return expected == UInt8(ascii: "9") ? bytes[start + index].isDigit : bytes[start + index] == expected
    }
  }

  /// Whether the byte at an offset continues with a time: a digit, its marks, or an offset from UTC.
  private static func isPartOfTime(_ bytes: [UInt8], _ place: Int) -> Bool {
    let byte = bytes[place]
    if byte.isDigit || byte == UInt8(ascii: "Z") || byte == UInt8(ascii: ":") { return true }
    let isMark = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    return isMark && place + 1 < bytes.count && bytes[place + 1].isDigit
  }
}
