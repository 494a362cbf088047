/// The bytes of one input in blocks, each beginning with what the last left over.
///
/// A reader looks at `block` from `start` on, says with `consume` how far whole records
/// reach, and asks for more with `advance`. Blocks grow when a record does not fit.
final class BlockFeed {
  /// The current block; an empty one while it is read on.
  private(set) var block: ByteBlock

  /// The first byte of `block` that no record was made of.
  private(set) var start = 0

  /// Whether `block` reaches to the end of the input.
  private(set) var isLast = false

  /// How many bytes of `block` no record was made of.
  var held: Int { block.count - start }

  /// The number of the line at the first byte of `block`, counted from 1.
  private(set) var line = 1

  /// The display columns that stand before the first byte of `block` in its line.
  private var column = RunningWidth()

  /// Where `block` begins in the input, if that can be read again as it is.
  private(set) var place: StoredPlace?

  /// How many lines were left out at the beginning.
  private(set) var skippedLines = 0

  /// What lines of comments begin with, while those that are consumed are counted.
  var commentMark: UInt8?

  /// How many lines of comments were consumed meanwhile.
  private(set) var commentCount = 0

  /// Whether a block is handed on as soon as reading more would wait.
  var isLive: Bool

  /// The milliseconds that `advance` and `hold` wait for bytes; `nil` waits for as long as it takes.
  var timeout: Int?

  /// Whether the last `advance` or `hold` gave up waiting and brought nothing.
  private(set) var isPaused = false

  private let source: ByteSource
  private let blockSize: Int
  private var transcoder: Transcoder?

  /// Whether the input begins with a mark that says it is UTF-8.
  let hasMark: Bool

  /// Whether the input is in another encoding.
  var isTranscoded: Bool { transcoder != nil }

  /// The bytes that a record may have.
  let recordLimit: Int

  /// Creates a feed and reads the first block.
  ///
  /// - Parameters:
  ///   - source: where the bytes come from.
  ///   - blockSize: the bytes of a block, unless a record is longer.
  ///   - encoding: what `--encoding` says.
  ///   - lines: the number of lines that are not data.
  ///   - isLive: whether a block is handed on as soon as reading more would wait.
  ///   - recordLimit: the bytes that a record may have.
  init(
    _ source: ByteSource, blockSize: Int, encoding: InputOptions.Encoding?, skippingLines lines: Int,
    isLive: Bool, recordLimit: Int
  ) throws(SystemError) {
    self.recordLimit = recordLimit
    self.isLive = isLive
    self.source = source
    self.blockSize = blockSize
    place = source.place
    let isGuessed = encoding == .utf16
    block = .empty
    var raw = ByteBlock.Builder(
      capacity: isGuessed ? max(blockSize, Transcoder.sampleSize) : blockSize)
    while raw.count < 4, try source.read(into: &raw) > 0 {}
    let mark = ByteOrderMark(raw.span)
    if isGuessed, mark == .none {
      while raw.count < Transcoder.sampleSize, try source.read(into: &raw) > 0 {}
    }
    hasMark = mark == .utf8
    transcoder = Transcoder(encoding: encoding, mark: mark, raw.span)
    if transcoder == nil {
      if mark == .utf8 { start = 3 }
      try fill(raw, waits: raw.count == 0)
    } else {
      place = nil
      var builder = ByteBlock.Builder(capacity: raw.capacity * 3)
      transcoder?.transcode(raw.span.extracting(mark.length...), into: &builder)
      try fill(builder, waits: builder.count == 0)
    }
    while skippedLines < lines, start < block.count || !isLast {
      skippedLines += 1
      guard try skipLine() else { break }
    }
  }

  /// Says that everything before `end` was made into records.
  func consume(to end: Int) {
    precondition(end >= start && end <= block.count)
    if let commentMark { countComments(commentMark, to: end) }
    start = end
  }

  private func countComments(_ mark: UInt8, to end: Int) {
    var offset = start
    while offset < end, let line = wholeLine(at: offset) {
      if !line.text.isEmpty, block[line.text.lowerBound] == mark { commentCount += 1 }
      offset = line.next
    }
  }

  /// The display columns that stand before a byte of `block` in its line.
  func column(at offset: Int) -> Int { width(before: offset).cells }

  /// What stands before a byte of `block` in its line.
  private func width(before offset: Int) -> RunningWidth {
    let block = block
    let before = block.span.extracting(..<offset)
    let start = before.lastLineStart
    var width = start == nil ? column : RunningWidth()
    width.append(before.extracting((start ?? 0)...))
    return width
  }

  /// Goes on to a block with the bytes left over and more.
  ///
  /// - Returns: `false` if a record has grown past every limit.
  func advance() throws(SystemError) -> Bool {
    guard held <= recordLimit else { return false }
    if losesPatience() { return true }
    // A record that is long already is looked at from its start again, which must not be done for every few bytes.
    let rounds = held >> 20
    // The last block of a long record is filled on where it has room and no batch holds it.
    let hasRoom = held >= recordLimit / 4 && block.count < block.capacity
    // A block that has room for the longest record is filled bit by bit: it may end before.
    let more = max(blockSize - held, held / (hasRoom ? 2 : 1))
    let builder = hasRoom && isKnownUniquelyReferenced(&block) ? resumed() : movedOn()
    let wanted = builder.count + more
    try fill(builder, upTo: wanted, waits: true, rounds: rounds)
    return true
  }

  /// The current block, to be filled on, and the same bytes in a larger one where it is full.
  private func resumed() -> ByteBlock.Builder {
    let capacity = block.capacity
    return ByteBlock.Builder(continuing: &block, capacity: block.count == capacity ? capacity * 2 : capacity)
  }

  /// The bytes left over, with room for more; that of the last block is given back before it is filled.
  private func movedOn() -> ByteBlock.Builder {
    let last = block
    let consumed = last.span.extracting(..<start)
    line += consumed.lineEnds
    column = width(before: start)
    place = place?.advanced(by: start)
    let rest = held
    // The last block of a record that may not grow further is made once, and early: two of about that size would be too
    // much, and what is not filled takes no memory.
    let isLargest = rest >= recordLimit / 4
    var next = ByteBlock.Builder(
      capacity: isLargest ? recordLimit + blockSize : max(blockSize, rest * 2, rest + 64))
    next.append(last.span.extracting(start...))
    block = .empty
    start = 0
    return next
  }

  /// Reads on, waiting if need be, until the block holds more than so many lines, or enough bytes to judge by.
  func hold(lines wanted: Int) throws(SystemError) {
    try hold { $0.lineEnds > wanted }
  }

  /// Reads on, waiting if need be, until what no record was made of is enough, or long enough to judge by.
  ///
  /// After a timeout it may be called again.
  func hold(until isEnough: (Span<UInt8>) -> Bool) throws(SystemError) {
    isPaused = false
    while !isLast, held < FormDetector.sampleSize, !isHeld(isEnough), !losesPatience() {
      let before = block.count
      try fill(resumed(), waits: true)
      if block.count == before, !isLast { return }
    }
  }

  /// Whether what no record was made of is enough.
  private func isHeld(_ isEnough: (Span<UInt8>) -> Bool) -> Bool {
    let block = block
    return isEnough(block.span.extracting(start...))
  }

  /// Waits for bytes; whether none came before the timeout.
  private func losesPatience() -> Bool {
    isPaused = timeout.map { !source.isAtEnd && !source.isReady(within: $0) } ?? false
    return isPaused
  }

  /// Goes over one line.
  ///
  /// - Returns: `false` at the end of the input.
  private func skipLine() throws(SystemError) -> Bool {
    while true {
      let block = block
      let end = block.span.lineEnd(from: start)
      if end + 1 < block.count || isLast {
        let isPair = end + 1 < block.count && block[end] == 13 && block[end + 1] == 10
        start = min(end + (isPair ? 2 : 1), block.count)
        return start < block.count
      }
      // What was read of the line is not needed again, however long it is, but for a CR that may be half of its end.
      start = end
      guard try advance() else { return false }
    }
  }

  /// Reads until `builder` is full, of a live source until reading on would wait, and makes it the current block.
  ///
  /// - Parameters:
  ///   - wanted: the bytes that are enough.
  ///   - waits: whether a live source is waited for, so that there is something.
  ///   - rounds: how many times then another millisecond is waited for more.
  private func fill(
    _ builder: consuming ByteBlock.Builder, upTo wanted: Int = .max, waits: Bool, rounds: Int = 0
  ) throws(SystemError) {
    var damage: SystemError?
    do { try read(into: &builder, upTo: wanted, waits: waits, rounds: rounds) } catch { damage = error }
    if source.isAtEnd, damage == nil {
      if transcoder?.finish(into: &builder) ?? true { isLast = true }
    }
    block = builder.finish()
    if let damage { throw damage }
  }

  private func read(
    into builder: inout ByteBlock.Builder, upTo wanted: Int, waits: Bool, rounds: Int
  ) throws(SystemError) {
    var (waits, rounds) = (waits, rounds)
    let before = builder.count
    while builder.room > 0, builder.count < wanted, !source.isAtEnd {
      if isLive, !waits, !source.isReady() {
        rounds -= 1
        guard rounds >= 0, source.isReady(within: 1) else { break }
      }
      let count = try transcoder == nil ? source.read(into: &builder) : transcodeMore(into: &builder)
      // The first byte of a character of UTF-16 is none of the block yet.
      waits = waits && builder.count == before
      if count == 0 { break }
    }
  }

  /// Reads about as many raw bytes as will fit when they are UTF-8.
  private func transcodeMore(into builder: inout ByteBlock.Builder) throws(SystemError) -> Int {
    let room = (builder.room - 8) / 3
    guard room > 0 else { return 0 }
    var raw = ByteBlock.Builder(capacity: room)
    let count = try source.read(into: &raw, atMost: room)
    transcoder?.transcode(raw.span, into: &builder)
    return count
  }
}

/// Turns Windows-1252 or UTF-16 into UTF-8, piece by piece.
///
/// A piece may end inside a character; the rest comes with the next one.
private struct Transcoder {
  private enum Encoding {
    case latin1
    case utf16(isBigEndian: Bool)
  }

  private let encoding: Encoding
  private var pendingByte: UInt8?
  private var pendingSurrogate: UInt16?

  /// How many bytes of UTF-16 without a mark are looked at.
  static let sampleSize = 4096

  /// A transcoder for what `--encoding` and the mark say, or `nil` for UTF-8.
  ///
  /// - Parameter raw: the first bytes; of UTF-16 without a mark as many as are looked at.
  init?(encoding: InputOptions.Encoding?, mark: ByteOrderMark, _ raw: Span<UInt8>) {
    switch (encoding, mark) {
    case (.latin1?, _): self.encoding = .latin1
    case (.utf8?, _): return nil
    case (_, .utf16BigEndian): self.encoding = .utf16(isBigEndian: true)
    case (_, .utf16LittleEndian): self.encoding = .utf16(isBigEndian: false)
    case (.utf16?, _): self.encoding = .utf16(isBigEndian: Self.isBigEndian(raw))
    case (.utf16le?, _): self.encoding = .utf16(isBigEndian: false)
    case (.utf16be?, _): self.encoding = .utf16(isBigEndian: true)
    case (nil, _): return nil
    }
  }

  /// Appends `raw` as UTF-8 to `builder`, which must have room for three bytes each.
  mutating func transcode(_ raw: Span<UInt8>, into builder: inout ByteBlock.Builder) {
    var out = ByteBuffer(capacity: raw.count * 3)
    for index in raw.indices {
      switch encoding {
      case .latin1: out.append(scalar: Self.windows1252(raw[index]))
      case .utf16(let isBigEndian): take(raw[index], isBigEndian: isBigEndian, into: &out)
      }
    }
    builder.append(out.span)
  }

  /// Appends U+FFFD for a character that the input ends in.
  ///
  /// - Returns: whether there was room for it.
  mutating func finish(into builder: inout ByteBlock.Builder) -> Bool {
    guard pendingByte != nil || pendingSurrogate != nil else { return true }
    guard builder.room >= 3 else { return false }
    var out = ByteBuffer(capacity: 3)
    out.append(scalar: "\u{FFFD}")
    builder.append(out.span)
    pendingByte = nil
    pendingSurrogate = nil
    return true
  }

  /// Whether bytes of UTF-16 hold more zeros in the first than in the second halves of their units.
  private static func isBigEndian(_ raw: Span<UInt8>) -> Bool {
    var zeros = [0, 0]
    for index in 0..<min(raw.count, sampleSize) where raw[index] == 0 { zeros[index % 2] += 1 }
    return zeros[0] > zeros[1]
  }

  private mutating func take(_ byte: UInt8, isBigEndian: Bool, into out: inout ByteBuffer) {
    guard let first = pendingByte else {
      pendingByte = byte
      return
    }
    pendingByte = nil
    let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
    if let high = pendingSurrogate {
      pendingSurrogate = nil
      if unit & 0xFC00 == 0xDC00 {
        let value = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF))
        out.append(scalar: Unicode.Scalar(value) ?? "\u{FFFD}")
        return
      }
      out.append(scalar: "\u{FFFD}")
    }
    if unit & 0xFC00 == 0xD800 {
      pendingSurrogate = unit
    } else {
      out.append(scalar: Unicode.Scalar(unit) ?? "\u{FFFD}")
    }
  }

  /// The character of a byte in Windows-1252, by the WHATWG Encoding Standard.
  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    guard byte >= 0x80, byte < 0xA0 else { return Unicode.Scalar(byte) }
    let upper: [UInt16] = [
      0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
      0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
      0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
    return Unicode.Scalar(upper[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }
}

/// The mark at the beginning of a text that says how it is encoded.
private enum ByteOrderMark {
  case none
  case utf8
  case utf16LittleEndian
  case utf16BigEndian

  /// Looks at the first bytes of an input.
  init(_ bytes: Span<UInt8>) {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      self = .utf8
    } else if bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xFE {
      self = .utf16LittleEndian
    } else if bytes.count >= 2, bytes[0] == 0xFE, bytes[1] == 0xFF {
      self = .utf16BigEndian
    } else {
      self = .none
    }
  }

  /// The length of the mark in bytes.
  var length: Int {
    switch self {
    case .none: 0
    case .utf8: 3
    case .utf16LittleEndian, .utf16BigEndian: 2
    }
  }
}
