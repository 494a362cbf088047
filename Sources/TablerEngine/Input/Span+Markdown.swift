extension Span<UInt8> {
  /// The text that Markdown shows for these bytes: `\|` is `|`, `<br>` a new line, `&#x1F34C;` a banana.
  ///
  /// - Parameter breaksLines: whether a backslash at the end breaks the line, as in pandoc.
  func withoutMarkdown(breaksLines: Bool) -> [UInt8] {
    var text: [UInt8] = []
    var offset = 0
    while offset < count {
      let byte = self[offset]
      if byte == UInt8(ascii: "\\"),
        offset + 1 < count ? self[offset + 1].isPunctuation : breaksLines
      {
        if offset + 1 < count { text.append(self[offset + 1]) }
        offset += 2
      } else if byte == UInt8(ascii: "<"), let length = lineBreak(at: offset) {
        text.append(10)
        offset += length
      } else if byte == UInt8(ascii: "&"), let (scalar, length) = reference(at: offset) {
        text += Array(String(Character(scalar)).utf8)
        offset += length
      } else {
        text.append(byte)
        offset += 1
      }
    }
    return text
  }

  /// The length of `<br>`, `<br/>` or `<br />`.
  private func lineBreak(at offset: Int) -> Int? {
    if holds("<br>", at: offset) { return 4 }
    if holds("<br/>", at: offset) { return 5 }
    return holds("<br />", at: offset) ? 6 : nil
  }

  /// The character of a numeric reference, `&#10;` or `&#xA;`, and the length of the reference.
  private func reference(at offset: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    guard holds("&#", at: offset) else { return nil }
    var end = offset + 2
    let isHexadecimal = end < count && self[end] | 0x20 == UInt8(ascii: "x")
    if isHexadecimal { end += 1 }
    let start = end
    var value: UInt32 = 0
    while end < count, end - start < 7, let digit = self[end].digit(isHexadecimal: isHexadecimal) {
      value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
      end += 1
    }
    guard end > start, end < count, self[end] == UInt8(ascii: ";"), value > 0 else { return nil }
    return Unicode.Scalar(value).map { ($0, end + 1 - offset) }
  }
}

extension UInt8 {
  /// Whether Markdown allows a backslash before it.
  fileprivate var isPunctuation: Bool {
    switch self {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// The value of a digit.
  fileprivate func digit(isHexadecimal: Bool) -> UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46 where isHexadecimal: self - 0x37
    case 0x61...0x66 where isHexadecimal: self - 0x57
    default: nil
    }
  }
}
