/// Skips a JSON value of any size, block by block, and holds only a number, word or escape that is cut by the
/// end of the block.
struct JSONSkipper {
  /// What comes next.
  private enum Expectation {
    /// A value.
    case value
    /// The first element, or the end of the array or object.
    case first
    /// A key after a comma.
    case key
    /// The colon after a key.
    case colon
    /// A comma or the end; nothing more if nothing is open.
    case comma
  }

  /// The closing brackets that are still expected.
  private var closers: [UInt8] = []

  /// The expected token; inside a string, what the string is: a key or a value.
  private var expectation: Expectation

  private var isInString = false

  /// How many bytes were read of a number or word that was cut by the end of the last block.
  private var scalarLength = 0

  /// Whether a newline between tokens is damage (one object a line).
  private let isLineBound: Bool

  /// How deep the value may nest.
  private let deepest: Int

  /// The offset of the last member or item of the value itself; a member begins after its key.
  private(set) var lastPart = 0

  /// Prepares to skip a value.
  init() {
    expectation = .value
    isLineBound = false
    deepest = JSONScanner.deepest
  }

  /// Prepares to skip a row, whose values may be nested to the usual depth.
  ///
  /// - Parameters:
  ///   - isMember: whether a key and a colon precede it.
  ///   - isLineBound: whether a newline between tokens is damage.
  init(isMember: Bool, isLineBound: Bool) {
    expectation = isMember ? .key : .value
    self.isLineBound = isLineBound
    deepest = JSONScanner.deepest + 1
  }

  /// Continues skipping the value.
  ///
  /// - Parameters:
  ///   - isLast: whether the text reaches to the end of the input.
  ///   - offset: the first byte that is still needed; it moves.
  /// - Returns: whether the value has ended.
  mutating func skip(_ text: Span<UInt8>, isLast: Bool, from offset: inout Int) throws(JSONError) -> Bool {
    var scanner = JSONScanner(at: offset, isLineBound: isLineBound)
    defer { offset = scanner.offset }
    while isInString || !closers.isEmpty || expectation != .comma {
      if isInString {
        guard try skipString(text, &scanner) else { return false }
        continue
      }
      scanner.skipSpace(text)
      if isLineBound, scanner.offset < text.count, text[scanner.offset] == 10 {
        throw damage(.unexpectedEnd, scanner)
      }
      guard scanner.offset < text.count, try skipToken(text, isLast: isLast, &scanner) else { return false }
    }
    return true
  }

  /// Skips a token, for a string only its opening quote; `false` if the end of the block cuts it.
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
      if closers.count == 1 { lastPart = scanner.offset }
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
    guard closers.count < deepest else { throw damage(.tooDeep, scanner) }
    closers.append(closer)
    expectation = .first
  }

  /// Skips a number or word; `false` if it may continue in the next block.
  private mutating func skipScalar(
    _ text: Span<UInt8>, isLast: Bool, _ scanner: inout JSONScanner
  ) throws(JSONError) -> Bool {
    let start = scanner.offset
    if scalarLength > 0 {
      var end = start + scalarLength
      while end < text.count, text[end].mayBeInScalar { end += 1 }
      scalarLength = end - start
      if end == text.count, !isLast { return false }
    }
    do { _ = try scanner.value(text) } catch {
      guard error.damage == .unexpectedEnd, !isLast else { throw error }
    }
    if scanner.offset == text.count, !isLast {
      scalarLength = text.count - start
      scanner.offset = start
      return false
    }
    scalarLength = 0
    expectation = .comma
    return true
  }

  /// Skips the rest of a string; `false` if the end of the block cuts it.
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

extension UInt8 {
  /// Whether a number or word does not end before the byte.
  fileprivate var mayBeInScalar: Bool {
    self > 32 && self != UInt8(ascii: ",") && self != UInt8(ascii: "]") && self != UInt8(ascii: "}")
  }
}

/// A row that is cut by the end of the block: what comes of it is skipped once, and it is read again when it
/// is complete.
struct JSONOpenRow {
  /// Its offset from the first byte that is still needed.
  private let start: Int

  private var skipper: JSONSkipper

  /// The number of its bytes that were skipped.
  private var length = 0

  /// Creates a row of which nothing has been skipped yet.
  ///
  /// - Parameters:
  ///   - start: its offset from the first byte that is still needed.
  ///   - isMember: whether a key precedes it.
  ///   - isLineBound: whether a newline between tokens is damage.
  init(at start: Int, isMember: Bool = false, isLineBound: Bool = false) {
    self.start = start
    skipper = JSONSkipper(isMember: isMember, isLineBound: isLineBound)
  }

  /// Continues skipping the row.
  ///
  /// - Returns: whether to read it: it is complete or damaged, has a value that is too long, or the input ends.
  fileprivate mutating func skipAhead(in feed: BlockFeed) -> Bool {
    if feed.isLast { return true }
    let block = feed.block
    let row = block.span.extracting((feed.start + start)...)
    guard let isWhole = try? skipper.skip(row, isLast: false, from: &length) else { return true }
    return isWhole || length - skipper.lastPart > Cell.longest
  }

  /// Where it begins in the current block.
  fileprivate func place(_ feed: BlockFeed) -> Int { feed.start + start }
}

extension InputContext {
  /// Moves on to a block with more bytes of a row that was cut by the end of the last one.
  ///
  /// - Parameters:
  ///   - row: the row; `nil` afterwards.
  ///   - hint: a way to read a row that is too long.
  /// - Returns: `false` after a timeout.
  func advance(
    _ feed: BlockFeed, over row: inout JSONOpenRow?, hint: InputError.Hint? = nil
  ) throws(InputError) -> Bool {
    repeat {
      guard try advance(feed, recordAt: row?.place(feed), hint: hint) else { return false }
    } while !(row?.skipAhead(in: feed) ?? true)
    row = nil
    return true
  }
}
