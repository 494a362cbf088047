/// The bytes of one input in blocks, each of which begins with what the last one left over.
///
/// A reader examines `block` from `start` on, calls `consume` to tell how far whole records reach, and asks
/// for more with `advance`. Blocks grow if a record does not fit.
final class BlockFeed {
  /// The current block; empty while more is being read.
  private(set) var block: ByteBlock

  /// The first byte of `block` that is not part of a record yet.
  private(set) var start = 0

  /// Whether `block` reaches to the end of the input.
  private(set) var isLast = false

  /// The number of bytes of `block` that are not part of a record yet.
  var held: Int { block.count - start }

  /// The number of the line at the first byte of `block`, counted from 1; of the first block that was passed over, if
  /// there is one whose lines were not recorded.
  private(set) var line = 1

  /// The number of line ends before a byte of `block`.
  private var counted = (lineEnds: 0, end: 0)

  /// Whether the byte before `block` is a CR: an LF after it belongs to the same line end.
  private var followsCR = false

  /// The width of what precedes the first byte of `block` in its line.
  private var column = RunningWidth()

  /// Where `block` begins in the input, if it can be read again unchanged.
  private(set) var place: StoredPlace?

  /// The number of bytes of `block` that the block before has left over.
  private var carried = 0

  /// Bytes of later blocks that are read again, as reading went back, and where they begin in these.
  private var returned: [(block: ByteBlock, start: Int)] = []

  /// What has ended the input.
  private var damage: SystemError?

  /// The number of lines that were left out at the beginning.
  private(set) var skippedLines = 0

  /// The first byte of comment lines, while those that are consumed are counted.
  var commentMark: UInt8?

  /// The number of comment lines consumed meanwhile.
  private(set) var commentCount = 0

  /// Whether a block is delivered as soon as reading more would wait.
  var isLive: Bool

  /// The milliseconds that `advance` and `hold` wait for bytes; `nil` waits indefinitely.
  var timeout: Int?

  /// Whether the last `advance` or `hold` timed out without reading anything.
  private(set) var isPaused = false

  /// The size of a block in bytes, unless a record is longer.
  private let blockSize: Int

  /// Where the memory of blocks comes from.
  private var pool = BlockPool()

  private let source: ByteSource
  private var transcoder: Transcoder?

  /// Whether the input begins with a byte order mark of UTF-8.
  let hasMark: Bool

  /// Whether the input is in another encoding.
  var isTranscoded: Bool { transcoder != nil }

  /// The maximum number of bytes in a record.
  let recordLimit: Int

  /// Creates a feed and reads the first block.
  ///
  /// - Parameters:
  ///   - source: where the bytes come from.
  ///   - blockSize: the size of a block in bytes, unless a record is longer.
  ///   - encoding: what `--encoding` says.
  ///   - lines: the number of lines that are not data.
  ///   - isLive: whether a block is delivered as soon as reading more would wait.
  ///   - recordLimit: the maximum number of bytes in a record.
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
      try fill(raw, asLive: isLive, waits: raw.count == 0)
    } else {
      place = nil
      var builder = ByteBlock.Builder(capacity: raw.capacity * 3)
      transcoder?.transcode(raw.span.extracting(mark.length...), into: &builder)
      try fill(builder, asLive: isLive, waits: builder.count == 0)
    }
    while skippedLines < lines, start < block.count || !isLast {
      skippedLines += 1
      guard try skipLine() else { break }
    }
  }

  /// Marks everything before `end` as made into records.
  ///
  /// - Parameter lineEnds: the number of line ends since the last mark, if it is known.
  func consume(to end: Int, lineEnds: Int? = nil) {
    precondition(end >= start && end <= block.count)
    if let lineEnds, counted.end == start { counted = (counted.lineEnds + lineEnds, end) }
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

  /// Where the reader is.
  var spot: Spot {
    Spot(block: block, start: start, line: line, place: place, column: column, carried: carried)
  }

  /// Moves on to a block with the bytes left over and more.
  ///
  /// - Returns: `false` if a record has outgrown every limit.
  func advance() throws(SystemError) -> Bool {
    guard held <= recordLimit else { return false }
    if losesPatience() { return true }
    // A record that is already long is examined again from its start, which must not be repeated for every
    // few bytes: a millisecond for each MiB.
    let longest = max(Self.longestFill, held >> 20)
    // The last block of a long record is filled further if it has room and no batch holds it.
    let isLong = held >= recordLimit / 4
    let hasRoom = isLong && block.count < block.capacity
    // A long record is read in small steps: it may end early, and what follows it is in memory twice for a moment.
    let more = max(blockSize - held, held / (isLong ? 4 : 1))
    let builder = hasRoom && isKnownUniquelyReferenced(&block) ? resumed() : movedOn()
    let wanted = builder.count + more
    try fill(builder, upTo: wanted, asLive: isLive, waits: true, for: longest)
    return true
  }

  /// How long a live source may go on filling a block, in milliseconds: reading the rows of a program that writes a few
  /// at a time together costs far less.
  private static let longestFill = 5

  /// The current block, to be filled further, or the same bytes in a larger one if it is full.
  private func resumed() -> ByteBlock.Builder {
    let capacity = block.capacity
    return ByteBlock.Builder(continuing: &block, capacity: block.count == capacity ? capacity * 2 : capacity)
  }

  /// The bytes left over, with room for more; the memory of the last block is released before it is filled.
  private func movedOn() -> ByteBlock.Builder {
    let last = block
    pool.note(last)
    line += counted.lineEnds + last.span.extracting(counted.end..<start).lineEnds
    counted = (0, 0)
    if start > 0 { followsCR = last[start - 1] == 13 }
    column = spot.width(before: start)
    place = place?.advanced(by: start)
    let rest = held
    carried = rest
    // The last block of a record that may not grow further is allocated once, and early: two of about that
    // size would be too much, and memory that is not filled costs nothing.
    let isLargest = rest >= recordLimit / 4
    var next = pool.builder(
      capacity: isLargest ? recordLimit + blockSize : max(blockSize, rest * 2, rest + 64))
    next.append(last.span.extracting(start...))
    block = .empty
    start = 0
    return next
  }

  /// Reads, waiting if necessary, until the block has more than `wanted` lines, or enough bytes to decide.
  func hold(lines wanted: Int) throws(SystemError) {
    try hold { $0.lineEnds > wanted }
  }

  /// Reads, waiting if necessary, until the bytes not yet in records are enough, or long enough to decide.
  ///
  /// After a timeout it may be called again.
  func hold(until isEnough: (Span<UInt8>) -> Bool) throws(SystemError) {
    isPaused = false
    while !isLast, held < FormDetector.sampleSize, !isHeld(isEnough), !losesPatience() {
      let before = block.count
      try fill(resumed(), asLive: isLive, waits: true)
      if block.count == before, !isLast { return }
    }
  }

  /// Whether the bytes not yet in records are enough.
  private func isHeld(_ isEnough: (Span<UInt8>) -> Bool) -> Bool {
    let block = block
    return isEnough(block.span.extracting(start...))
  }

  /// Waits for bytes; returns whether none came before the timeout.
  private func losesPatience() -> Bool {
    isPaused = timeout.map { hasMore && !isReady(within: $0) } ?? false
    return isPaused
  }

  /// Whether there may be more bytes than those read.
  private var hasMore: Bool { !returned.isEmpty || damage == nil && !source.isAtEnd }

  /// Whether more bytes, or the end, are available at once or within `milliseconds`.
  private func isReady(within milliseconds: Int = 0) -> Bool {
    !returned.isEmpty || source.isReady(within: milliseconds)
  }

  /// Skips one line.
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
      // The part of the line that was read is not needed again, however long it is, except a CR that may be
      // half of its end.
      start = end
      guard try advance() else { return false }
    }
  }

  /// Reads until `builder` is full, or from a live source until reading more would wait, and makes it the
  /// current block.
  ///
  /// - Parameters:
  ///   - wanted: the number of bytes that is enough.
  ///   - isLive: whether the source is read as a live one.
  ///   - waits: whether to wait for a live source, so that there are some bytes.
  ///   - longest: the milliseconds to wait for more after that; the first in which nothing comes ends the wait.
  private func fill(
    _ builder: consuming ByteBlock.Builder, upTo wanted: Int = .max, asLive isLive: Bool, waits: Bool,
    for longest: Int = 0
  ) throws(SystemError) {
    do {
      try read(into: &builder, upTo: wanted, asLive: isLive, waits: waits, for: longest)
    } catch { damage = error }
    if !hasMore, damage == nil {
      if transcoder?.finish(into: &builder) ?? true { isLast = true }
    }
    block = builder.finish()
    if followsCR, block.count > 0 {
      // This LF ends the line that the CR before it has already ended.
      if block[0] == 10 { line -= 1 }
      followsCR = false
    }
    try throwDamage()
  }

  private func read(
    into builder: inout ByteBlock.Builder, upTo wanted: Int, asLive isLive: Bool, waits: Bool,
    for longest: Int
  ) throws(SystemError) {
    var waits = waits
    var deadline: Int?
    let before = builder.count
    while builder.room > 0, builder.count < wanted, hasMore {
      if isLive, !waits, !isReady() {
        if longest == 0 { break }
        let now = Process.milliseconds
        let end = deadline ?? now + longest
        deadline = end
        guard now < end, isReady(within: 1) else { break }
      }
      let returnedCount = returned.count
      let count = try readMore(into: &builder)
      // The first byte of a character of UTF-16 is not in the block yet.
      waits = waits && builder.count == before
      // Blocks that are read again stay apart: what has ended the input is in the last of them.
      if count == 0 || returned.count < returnedCount { break }
    }
  }

  /// Reads some bytes, first those that are read again.
  private func readMore(into builder: inout ByteBlock.Builder) throws(SystemError) -> Int {
    guard let next = returned.first else {
      return try transcoder == nil ? source.read(into: &builder) : transcodeMore(into: &builder)
    }
    let count = min(builder.room, next.block.count - next.start)
    builder.append(next.block.span(from: next.start, count: count))
    returned[0].start += count
    if returned[0].start == next.block.count { returned.removeFirst() }
    return count
  }

  /// Reads about as many raw bytes as will fit once they are UTF-8.
  private func transcodeMore(into builder: inout ByteBlock.Builder) throws(SystemError) -> Int {
    let room = (builder.room - 8) / 3
    guard room > 0 else { return 0 }
    var raw = ByteBlock.Builder(capacity: room)
    let count = try source.read(into: &raw, atMost: room)
    transcoder?.transcode(raw.span, into: &builder)
    return count
  }
}

extension BlockFeed {
  /// A place in an input.
  struct Spot {
    let block: ByteBlock

    /// The first byte of `block` that is not part of a record yet.
    let start: Int

    /// The number of the line at the first byte of `block`, counted from 1.
    var line: Int

    /// Where `block` begins in the input, if it can be read again unchanged.
    let place: StoredPlace?

    /// The width of what precedes the first byte of `block` in its line.
    fileprivate let column: RunningWidth

    /// The number of bytes of `block` that the block before has left over.
    fileprivate let carried: Int

    /// The number of the line at a byte of `block`.
    func line(at offset: Int) -> Int { line + block.span.extracting(..<offset).lineEnds }

    /// The width of what precedes a byte of `block` in its line.
    func width(before offset: Int) -> RunningWidth {
      let before = block.span.extracting(..<offset)
      let start = before.lastLineStart
      var width = start == nil ? column : RunningWidth()
      width.append(before.extracting((start ?? 0)...))
      return width
    }
  }

  /// The number of line ends of `block` before `start`.
  var lineEndsBeforeStart: Int {
    let block = block
    return counted.lineEnds + block.span.extracting(counted.end..<start).lineEnds
  }

  /// Leaves everything before `end` to somebody else, who makes records of it and counts its lines.
  func passOver(to end: Int) {
    precondition(end >= start && end <= block.count)
    counted = (0, end)
    start = end
  }

  /// Reads bytes after a block that was passed over to its last record, into the next block; it does not wait for them.
  ///
  /// - Returns: whether that block is full, or the last one.
  func readAhead(after passed: ByteBlock) -> Bool {
    if isLast || isDamaged || held > recordLimit || !isReady() { return isLast && block !== passed }
    let isNew = block === passed
    guard isNew || block.count < block.capacity else { return true }
    // What ends the input is thrown once reading has come to it.
    do { try fill(isNew ? movedOn() : resumed(), asLive: true, waits: false) } catch { return false }
    return isLast || block.count >= blockSize / 4 * 3
  }

  /// Records the number of line ends in a block that was passed over, up to there; it is called in the order of blocks.
  func recordLineEnds(_ count: Int, of spot: Spot) {
    if spot.block === block { counted.lineEnds = count } else { line += count }
  }

  /// Goes back to a place that was passed over, before its lines are recorded.
  ///
  /// - Parameter later: the places that were passed over after it, in order, each in a block of its own.
  func goBack(to spot: Spot, over later: [Spot]) {
    var read = later.map { (block: $0.block, start: $0.carried) }
    if block !== (later.last ?? spot).block { read.append((block, carried)) }
    if !read.isEmpty { isLast = false }
    returned = read + returned
    block = spot.block
    start = spot.start
    (place, column, carried) = (spot.place, spot.column, spot.carried)
    counted = (0, 0)
  }

  /// Whether the input has ended with damage in the current block, whose records are not read.
  private var isDamaged: Bool { damage != nil && returned.isEmpty }

  /// Throws the damage that is in the current block.
  func throwDamage() throws(SystemError) { if let damage, isDamaged { throw damage } }
}

/// Converts Windows-1252 or UTF-16 to UTF-8, piece by piece.
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

  /// How many bytes of UTF-16 without a mark are examined.
  static let sampleSize = 4096

  /// A transcoder for what `--encoding` and the mark say, or `nil` for UTF-8.
  ///
  /// - Parameter raw: the first bytes; for UTF-16 without a mark, as many as are examined.
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

  /// Appends `raw` as UTF-8 to `builder`, which must have room for three bytes for each byte.
  mutating func transcode(_ raw: Span<UInt8>, into builder: inout ByteBlock.Builder) {
    var out = ByteBuffer(capacity: raw.count * 3)
    for index in raw.indices {
      switch encoding {
      case .latin1: out.append(scalar: Self.windows1252(raw[index]))
      case .utf16(let isBigEndian): decode(raw[index], isBigEndian: isBigEndian, into: &out)
      }
    }
    builder.append(out.span)
  }

  /// Appends U+FFFD for a character that is cut off by the end of the input.
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

  /// Whether bytes of UTF-16 have more zeros in the first than in the second halves of their units.
  private static func isBigEndian(_ raw: Span<UInt8>) -> Bool {
    var zeros = [0, 0]
    for index in 0..<min(raw.count, sampleSize) where raw[index] == 0 { zeros[index % 2] += 1 }
    return zeros[0] > zeros[1]
  }

  private mutating func decode(_ byte: UInt8, isBigEndian: Bool, into out: inout ByteBuffer) {
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

/// The mark at the beginning of a text that tells its encoding.
private enum ByteOrderMark {
  case none
  case utf8
  case utf16LittleEndian
  case utf16BigEndian

  /// Recognizes the mark in the first bytes of an input.
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
