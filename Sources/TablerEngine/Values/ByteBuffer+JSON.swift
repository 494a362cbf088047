extension ByteBuffer {
  /// Appends `content` as a JSON string; bytes that are not UTF-8 become U+FFFD.
  ///
  /// - Returns: how many stretches of bytes were replaced.
  @discardableResult
  mutating func appendJSON(string content: Span<UInt8>) -> Int {
    var replaced = 0
    append(UInt8(ascii: "\""))
    var pending = 0
    var offset = 0
    while offset < content.count {
      let byte = content[offset]
      if byte &- 0x20 < 0x60, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        offset &+= 1
        continue
      }
      if byte < 0x80 {
        append(content.extracting(pending..<offset))
        appendJSON(escape: byte)
        offset &+= 1
        pending = offset
        continue
      }
      let scalar = content.scalar(at: offset)
      if !scalar.isWellFormed {
        append(content.extracting(pending..<offset))
        append("\u{FFFD}")
        pending = offset &+ scalar.length
        replaced &+= 1
      }
      offset &+= scalar.length
    }
    append(content.extracting(pending...))
    append(UInt8(ascii: "\""))
    return replaced
  }

  /// Appends a number that is written with marks other than JSON's as JSON writes it.
  ///
  /// - Returns: `false`, with nothing appended, if `text` is no number or JSON cannot spell it so (`+5`,
  ///   `007`, `,5`).
  mutating func appendJSON(number text: Span<UInt8>, _ marks: NumberMarks) -> Bool {
    guard let scan = NumberScan(text, marks: marks), !scan.hasLeadingZero,
      text[0] == UInt8(ascii: "-") || text[0].isDigit, text[text.count - 1].isDigit,
      text[scan.digits.lowerBound].isDigit, text[scan.digits.upperBound - 1].isDigit
    else { return false }
    let fraction = scan.digits.upperBound - scan.scale
    for index in text.indices {
      let byte = text[index]
      let isGroupMark =
        index < scan.digits.upperBound && byte &- UInt8(ascii: "0") >= 10 && byte != UInt8(ascii: "-")
      if index == fraction - 1, scan.scale > 0 {
        append(UInt8(ascii: "."))
      } else if !isGroupMark {
        append(byte)
      }
    }
    return true
  }

  private mutating func appendJSON(escape byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 8: append(UInt8(ascii: "b"))
    case 9: append(UInt8(ascii: "t"))
    case 10: append(UInt8(ascii: "n"))
    case 12: append(UInt8(ascii: "f"))
    case 13: append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      append("u00")
      append(UInt8(ascii: "0") &+ byte >> 4)
      let low = byte & 15
      append(low < 10 ? UInt8(ascii: "0") &+ low : UInt8(ascii: "a") &+ low &- 10)
    }
  }
}

extension Span<UInt8> {
  /// Whether this is a number as JSON spells them: `-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?`.
  @inline(__always)
  var isJSONNumber: Bool {
    guard count > 0, self[0] == UInt8(ascii: "-") || self[0] &- UInt8(ascii: "0") < 10 else { return false }
    var index = self[0] == UInt8(ascii: "-") ? 1 : 0
    let whole = index
    index = digitsEnd(from: index)
    guard index > whole, index == whole &+ 1 || self[whole] != UInt8(ascii: "0") else { return false }
    if index < count, self[index] == UInt8(ascii: ".") {
      let fraction = index &+ 1
      index = digitsEnd(from: fraction)
      guard index > fraction else { return false }
    }
    if index < count, self[index] | 0x20 == UInt8(ascii: "e") {
      index &+= 1
      if index < count, self[index] == UInt8(ascii: "+") || self[index] == UInt8(ascii: "-") { index &+= 1 }
      let power = index
      index = digitsEnd(from: power)
      guard index > power else { return false }
    }
    return index == count
  }

  /// Whether the text begins as neither a number nor `true` or `false` would.
  @inline(__always)
  var looksLikeWord: Bool {
    guard count > 0 else { return false }
    switch self[0] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "t"), UInt8(ascii: "f"):
      return false
    default: return true
    }
  }

  @inline(__always)
  private func digitsEnd(from start: Int) -> Int {
    var index = start
    while index < count, self[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
    return index
  }
}
