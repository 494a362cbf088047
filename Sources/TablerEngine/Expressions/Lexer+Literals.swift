/// Numbers, texts, quoted names and patterns.
extension Lexer {
  /// Reads a number: decimal with `_`, decimals and an exponent, or hexadecimal; `.5` needs no whole part.
  mutating func readNumber() throws(ExpressionError) {
    let start = offset
    if has("0x", at: offset) || has("0X", at: offset) {
      offset += 2
      while offset < bytes.count, bytes[offset].isHexDigit { offset += 1 }
      if offset == start + 2 { throw malformedNumber(from: start) }
    } else {
      skipDigits()
      if has(".", at: offset) {
        offset += 1
        guard offset < bytes.count, bytes[offset].isDigit else {
          throw error(.pointWithoutDecimals(text(start..<offset) + "0"), start..<offset)
        }
        skipDigits()
      }
      if has("e", at: offset) || has("E", at: offset) {
        let sign = has("+", at: offset + 1) || has("-", at: offset + 1) ? 1 : 0
        if offset + 1 + sign < bytes.count, bytes[offset + 1 + sign].isDigit {
          offset += 1 + sign
          skipDigits()
        }
      }
    }
    if let next = scalar(at: offset), next.properties.isXIDContinue { throw malformedNumber(from: start) }
    append(.number(text(start..<offset).filter { $0 != "_" }), from: start)
  }

  /// Passes digits and the `_` between them.
  mutating func skipDigits() {
    while offset < bytes.count, bytes[offset].isDigit || bytes[offset] == UInt8(ascii: "_") { offset += 1 }
  }

  /// The error for a number that letters follow, with all of them.
  mutating func malformedNumber(from start: Int) -> ExpressionError {
    _ = readName()
    return error(.malformedNumber(text(start..<offset)), start..<offset)
  }

  /// `'…'`, which knows only `''`.
  mutating func readPlainText() throws(ExpressionError) {
    let start = offset
    let content = try readDoubled(UInt8(ascii: "'"), else: .unclosedText(mark: "'"))
    append(.text(content), from: start)
  }

  /// Reads a column name in backquotes.
  mutating func readQuotedName() throws(ExpressionError) {
    let start = offset
    let name = try readDoubled(UInt8(ascii: "`"), else: .unclosedName)
    if name.isEmpty { throw error(.emptyName, start..<offset) }
    append(.quotedName(name), from: start)
  }

  /// Reads up to the closing mark; a doubled one stands for itself.
  mutating func readDoubled(
    _ mark: UInt8, else kind: ExpressionError.Kind
  ) throws(ExpressionError) -> String {
    let start = offset
    var content: [UInt8] = []
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == mark {
        guard offset < bytes.count, bytes[offset] == mark else {
          return String(decoding: content, as: UTF8.self)
        }
        offset += 1
      }
      content.append(byte)
    }
    throw error(kind, start..<start + 1)
  }

  /// `"…"`, with the escapes of JSON.
  mutating func readEscapedText() throws(ExpressionError) {
    let start = offset
    var content: [UInt8] = []
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        offset += 1
        append(.text(String(decoding: content, as: UTF8.self)), from: start)
        return
      }
      if byte == UInt8(ascii: "\\") {
        content.append(contentsOf: Array(String(try readEscape()).utf8))
      } else {
        content.append(byte)
        offset += 1
      }
    }
    throw error(.unclosedText(mark: "\""), start..<start + 1)
  }

  /// Reads what a backslash and the next characters mean.
  mutating func readEscape() throws(ExpressionError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    guard offset < bytes.count else { throw error(.unknownEscape("\\"), start..<offset) }
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"): return try readCodePoint(from: start)
    default:
      offset = start + 1 + scalarLength(at: start + 1)
      throw error(.unknownEscape(text(start..<offset)), start..<offset)
    }
  }

  /// The character after `\u`: `{hex…}`, four digits, or a pair of surrogates.
  mutating func readCodePoint(from start: Int) throws(ExpressionError) -> Unicode.Scalar {
    var value: UInt32?
    if has("{", at: offset) {
      offset += 1
      value = readHex(atMost: 8)
      if has("}", at: offset) { offset += 1 } else { value = nil }
    } else {
      value = readHex(exactly: 4)
      if let high = value, high & 0xFC00 == 0xD800, has("\\u", at: offset) {
        offset += 2
        let low = readHex(exactly: 4) ?? 0
        value = low & 0xFC00 == 0xDC00 ? 0x10000 + (high & 0x3FF) << 10 + low & 0x3FF : nil
      }
    }
    guard let value, let scalar = Unicode.Scalar(value) else {
      throw error(.invalidCodePoint(text(start..<offset)), start..<offset)
    }
    return scalar
  }

  /// The number of exactly so many hexadecimal digits.
  mutating func readHex(exactly count: Int) -> UInt32? {
    let start = offset
    let value = readHex(atMost: count)
    return offset == start + count ? value : nil
  }

  /// The number of the hexadecimal digits that come next, not more than so many.
  mutating func readHex(atMost count: Int) -> UInt32? {
    let start = offset
    while offset < bytes.count, offset < start + count, bytes[offset].isHexDigit { offset += 1 }
    return UInt32(text(start..<offset), radix: 16)
  }

  /// Reads `/…/flags`; of its backslashes only that of `\/` goes.
  mutating func readPattern() throws(ExpressionError) {
    let start = offset
    var content: [UInt8] = []
    offset += 1
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "/") {
      if bytes[offset] == UInt8(ascii: "\\"), offset + 1 < bytes.count {
        if bytes[offset + 1] != UInt8(ascii: "/") { content.append(bytes[offset]) }
        offset += 1
      }
      content.append(bytes[offset])
      offset += 1
    }
    guard offset < bytes.count else { throw error(.unclosedPattern, start..<start + 1) }
    offset += 1
    let flagStart = offset
    let flags = readName()
    for (index, flag) in flags.enumerated() where !"isx".contains(flag) {
      throw error(.unknownPatternFlag(flag), flagStart + index..<flagStart + index + String(flag).utf8.count)
    }
    append(.pattern(String(decoding: content, as: UTF8.self), flags: flags), from: start)
  }
}
