/// Goes over a JSON value of any size, block by block, and holds nothing of it but a number, word or escape that the
/// block cuts.
struct JSONSkipper {
  /// What comes next.
  private enum Expectation {
    /// A value.
    case value
    /// The first element, or the end of what was opened.
    case first
    /// A key after a comma.
    case key
    /// The colon behind a key.
    case colon
    /// A comma or the end; nothing more where nothing is open.
    case comma
  }

  /// The closing brackets that are still to come.
  private var closers: [UInt8] = []

  /// Inside a string it is what the string is: a key or a value.
  private var expectation = Expectation.value

  private var isInString = false

  /// Goes on over the value.
  ///
  /// - Parameters:
  ///   - isLast: whether the text reaches to the end of the input.
  ///   - offset: the first byte that is still needed; moved.
  /// - Returns: whether the value has ended.
  mutating func skip(_ text: Span<UInt8>, isLast: Bool, from offset: inout Int) throws(JSONError) -> Bool {
    var scanner = JSONScanner(at: offset)
    defer { offset = scanner.offset }
    while isInString || !closers.isEmpty || expectation != .comma {
      if isInString {
        guard try skipString(text, &scanner) else { return false }
        continue
      }
      scanner.skipSpace(text)
      guard scanner.offset < text.count, try skipToken(text, isLast: isLast, &scanner) else { return false }
    }
    return true
  }

  /// Goes over a token, of a string over its opening quote; `false` where the block cuts it.
  private mutating func skipToken(
    _ text: Span<UInt8>, isLast: Bool, _ scanner: inout JSONScanner
  ) throws(JSONError) -> Bool {
    let byte = text[scanner.offset]
    let isInObject = closers.last == UInt8(ascii: "}")
    switch expectation {
    case .first where byte == closers.last, .comma where byte == closers.last:
      closers.removeLast()
      expectation = .comma
    case .comma:
      guard byte == UInt8(ascii: ",") else { throw damage(.expectedCommaOrEnd, scanner) }
      expectation = isInObject ? .key : .value
    case .colon:
      guard byte == UInt8(ascii: ":") else { throw damage(.expectedColon, scanner) }
      expectation = .value
    case .key,
      .first where isInObject:
      guard byte == UInt8(ascii: "\"") else { throw damage(.expectedKey, scanner) }
      expectation = .key
      isInString = true
    case .value, .first:
      switch byte {
      case UInt8(ascii: "\""):
        expectation = .value
        isInString = true
      case UInt8(ascii: "{"): try open(UInt8(ascii: "}"), scanner)
      case UInt8(ascii: "["): try open(UInt8(ascii: "]"), scanner)
      default: return try skipScalar(text, isLast: isLast, &scanner)
      }
    }
    scanner.offset &+= 1
    return true
  }

  private mutating func open(_ closer: UInt8, _ scanner: JSONScanner) throws(JSONError) {
    guard closers.count < JSONScanner.deepest else { throw damage(.tooDeep, scanner) }
    closers.append(closer)
    expectation = .first
  }

  /// Goes over a number or word; `false` where it may go on behind the block.
  private mutating func skipScalar(
    _ text: Span<UInt8>, isLast: Bool, _ scanner: inout JSONScanner
  ) throws(JSONError) -> Bool {
    let start = scanner.offset
    do { _ = try scanner.value(text) } catch {
      guard error.damage == .unexpectedEnd, !isLast else { throw error }
    }
    if scanner.offset == text.count, !isLast {
      scanner.offset = start
      return false
    }
    expectation = .comma
    return true
  }

  /// Goes over the rest of a string; `false` where the block cuts it.
  private mutating func skipString(
    _ text: Span<UInt8>, _ scanner: inout JSONScanner
  ) throws(JSONError) -> Bool {
    while true {
      scanner.offset = text.firstStringMark(from: scanner.offset)
      guard scanner.offset < text.count else { return false }
      let byte = text[scanner.offset]
      if byte == UInt8(ascii: "\\") {
        let start = scanner.offset
        do { scanner.offset = try scanner.escapeEnd(text, start) } catch {
          guard error.damage == .unexpectedEnd else { throw error }
          scanner.offset = start
          return false
        }
        continue
      }
      guard byte >= 0x20 else { throw damage(.controlCharacter, scanner) }
      scanner.offset &+= 1
      guard byte == UInt8(ascii: "\"") else { continue }
      isInString = false
      expectation = expectation == .key ? .colon : .comma
      return true
    }
  }

  private func damage(_ damage: JSONDamage, _ scanner: JSONScanner) -> JSONError {
    JSONError(offset: scanner.offset, damage: damage)
  }
}
