/// Makes text harmless: what it appends can neither control a terminal nor reorder the text around it.
///
/// C0 and DEL become `\x1b`, C1 and bidi overrides `\u{9b}`, bytes that are not UTF-8 U+FFFD.
/// Embeddings and isolates left open are closed. Escape first, then measure the result.
public struct Escaper: Sendable {
  /// What becomes of newlines and tabs.
  public enum Newlines: Equatable, Sendable {
    /// A newline or CRLF separates lines and becomes one newline; a tab becomes four blanks.
    case kept
    /// A newline or CRLF is drawn as `↵`, in ASCII as `\n`; a tab becomes four blanks.
    case marked(ascii: Bool)
    /// They are escaped like other control characters, for messages.
    case escaped
  }

  /// What an escaped text turned out to hold.
  public struct Findings: Equatable, Sendable {
    /// How many ill-formed stretches became U+FFFD.
    public var replacements = 0
    /// How many NUL bytes there were.
    public var nuls = 0
    /// How many newlines came out.
    public var newlines = 0
    /// Whether its lines need a `LineCarry`: it has bidi controls or control sequences.
    public var needsCarry = false
    /// How many texts were cut because they are too long to be drawn.
    public var cuts = 0

    /// Creates empty findings.
    public init() {}
  }

  /// What becomes of newlines and tabs.
  public var newlines: Newlines
  /// Whether control characters other than newline and tab come out unchanged; control sequences that do not
  /// end are still escaped.
  public var passesControl: Bool

  /// Creates an escaper.
  public init(newlines: Newlines, passesControl: Bool = false) {
    self.newlines = newlines
    self.passesControl = passesControl
  }

  /// Appends the harmless form of `text`.
  @inline(__always)
  @discardableResult
  public func append(_ text: Span<UInt8>, to output: inout ByteBuffer) -> Findings {
    let plain = text.firstNotPlain(from: 0)
    if plain == text.count {
      output.append(text)
      return Findings()
    }
    if text.firstEscaped(from: plain) == text.count {
      output.append(text)
      return Findings()
    }
    var pass = EscapingPass(escaper: self)
    return pass.run(text, from: plain, to: &output)
  }
}

/// One pass over a text: its findings and what is open.
private struct EscapingPass {
  let escaper: Escaper
  var walk = SafeText()
  var findings = Escaper.Findings()

  /// What the control sequences that pass leave open; created for the first one.
  var carry: LineCarry?

  /// The first byte not yet copied.
  var pending = 0

  init(escaper: Escaper) { self.escaper = escaper }

  mutating func run(_ text: Span<UInt8>, from start: Int, to output: inout ByteBuffer) -> Escaper.Findings {
    var offset = start
    while offset < text.count {
      let (part, length) = walk.next(text, at: offset)
      let range = offset..<offset &+ length
      offset = range.upperBound
      switch part {
      case .ascii: offset = text.firstNotPlain(from: offset)
      case .scalar(let scalar):
        // Terminals may break lines at them.
        if scalar &- 0x2028 <= 1 { escape(scalar, at: range, of: text, in: &output) }
      case .tab where escaper.newlines != .escaped:
        replace(range, of: text, in: &output)
        output.append("    ")
      case .newline where escaper.newlines != .escaped:
        replace(range, of: text, in: &output)
        newline(to: &output)
      case .newline where length == 2:
        // CR and LF, each by itself.
        _ = control(at: range.lowerBound..<offset &- 1, in: text, to: &output)
        offset = control(at: offset &- 1..<offset, in: text, to: &output)
      case .tab, .newline, .control: offset = control(at: range, in: text, to: &output)
      case .illFormed:
        replace(range, of: text, in: &output)
        output.append("\u{FFFD}")
      case .reordering(let scalar): escape(scalar, at: range, of: text, in: &output)
      }
    }
    replace(text.count..<text.count, of: text, in: &output)
    walk.levels.appendClosers(to: &output)
    carry?.appendClosers(to: &output)
    var found = walk.findings
    found.newlines = findings.newlines
    found.needsCarry = found.needsCarry || findings.needsCarry
    return found
  }

  /// Writes a scalar as `\u{202e}`.
  private mutating func escape(
    _ scalar: UInt32, at range: Range<Int>, of text: Span<UInt8>, in output: inout ByteBuffer
  ) {
    replace(range, of: text, in: &output)
    output.appendEscaped(scalar)
  }

  /// Copies the pending text before `range` and skips `range`.
  private mutating func replace(_ range: Range<Int>, of text: Span<UInt8>, in output: inout ByteBuffer) {
    output.append(text.extracting(pending..<range.lowerBound))
    pending = range.upperBound
  }

  /// Handles a control character, C0 or C1; returns the offset after it, or after its sequence if that is
  /// passed on.
  private mutating func control(
    at range: Range<Int>, in text: Span<UInt8>, to output: inout ByteBuffer
  ) -> Int {
    let offset = range.lowerBound
    if escaper.passesControl {
      if let length = text.controlSequenceLength(at: offset) {
        var carry = carry ?? LineCarry()
        carry.recordSequence(text.extracting(offset..<offset &+ length))
        self.carry = carry
        findings.needsCarry = true
        return offset &+ length
      }
      if !text.beginsControlSequence(at: offset) { return range.upperBound }
    }
    replace(range, of: text, in: &output)
    if range.count == 2 {
      output.appendEscaped(UInt32(text[offset &+ 1]))
    } else {
      output.appendEscaped(text[offset])
    }
    return range.upperBound
  }

  private mutating func newline(to output: inout ByteBuffer) {
    switch escaper.newlines {
    case .marked(ascii: false): output.append("↵")
    case .marked(ascii: true): output.append(#"\n"#)
    case .kept, .escaped:
      walk.levels.appendClosers(to: &output)
      walk.levels.removeAll()
      output.append(UInt8(ascii: "\n"))
      findings.newlines &+= 1
    }
  }
}

extension Span where Element == UInt8 {
  /// The length of the newline or CRLF at `offset`, if there is one.
  @inline(__always)
  func newlineLength(at offset: Int) -> Int? {
    if self[offset] == 0x0A { return 1 }
    return self[offset] == 0x0D && offset &+ 1 < count && self[offset &+ 1] == 0x0A ? 2 : nil
  }

  /// The offset of the first scalar at or after `start` that is not harmless by itself; `count` if there is none.
  fileprivate func firstEscaped(from start: Int) -> Int {
    var offset = start
    while offset < count {
      let lead = self[offset]
      if lead < 0x80 {
        let end = firstNotPlain(from: offset)
        if end == offset { return offset }
        offset = end
      } else {
        let scalar = scalar(at: offset)
        guard scalar.isWellFormed, scalar.value >= 0xA0, scalar.value &- 0x2028 > 0x2069 &- 0x2028 else {
          return offset
        }
        offset &+= scalar.length
      }
    }
    return offset
  }

  /// Whether the control character at `offset` would begin a sequence.
  fileprivate func beginsControlSequence(at offset: Int) -> Bool {
    guard self[offset] == 0xC2 else { return self[offset] == 0x1B }
    switch self[offset &+ 1] {
    case 0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F: return true
    default: return false
    }
  }
}

extension ByteBuffer {
  /// Appends a C0 control character or DEL as `\x1b`.
  fileprivate mutating func appendEscaped(_ byte: UInt8) {
    append(#"\x"#)
    append(hexadecimal: byte &>> 4)
    append(hexadecimal: byte & 15)
  }

  /// Appends a scalar as `\u{9b}`.
  fileprivate mutating func appendEscaped(_ scalar: UInt32) {
    append(#"\u{"#)
    var shift: UInt32 = 28
    while shift > 0, scalar &>> shift == 0 { shift &-= 4 }
    while true {
      append(hexadecimal: UInt8(truncatingIfNeeded: scalar &>> shift & 15))
      if shift == 0 { break }
      shift &-= 4
    }
    append(UInt8(ascii: "}"))
  }

  private mutating func append(hexadecimal digit: UInt8) {
    append(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit)
  }
}

extension Span where Element == UInt8 {
  /// The length of the complete control sequence that begins at `offset`, if one does.
  ///
  /// `ESC [` or C1 CSI up to its final byte; OSC, DCS, SOS, PM and APC up to ST (OSC also to BEL); other
  /// escapes up to their final byte. A sequence that is interrupted by another control character, or that
  /// does not end, does not count.
  @inline(__always)
  func controlSequenceLength(at offset: Int) -> Int? {
    let byte = self[offset]
    return byte == 0x1B || byte == 0xC2 ? rareSequenceLength(at: offset) : nil
  }

  private func rareSequenceLength(at offset: Int) -> Int? {
    guard offset &+ 1 < count else { return nil }
    let second = self[offset &+ 1]
    let isEscape = self[offset] == 0x1B
    guard isEscape || second >= 0x80 && second <= 0x9F else { return nil }
    let introducer = isEscape ? second : second &- 0x40
    let end: Int?
    switch introducer {
    case UInt8(ascii: "["): end = parametersEnd(from: offset &+ 2)
    case UInt8(ascii: "]"): end = stringEnd(from: offset &+ 2, endsAtBell: true)
    case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      end = stringEnd(from: offset &+ 2, endsAtBell: false)
    default: end = isEscape ? escapeEnd(from: offset &+ 1) : nil
    }
    return end.map { $0 &- offset }
  }

  /// The end of a CSI sequence: parameters, intermediates, one final byte.
  private func parametersEnd(from start: Int) -> Int? {
    var offset = start
    while offset < count, self[offset] & 0xF0 == 0x30 { offset &+= 1 }
    while offset < count, self[offset] & 0xF0 == 0x20 { offset &+= 1 }
    return offset < count && self[offset] >= 0x40 && self[offset] <= 0x7E ? offset &+ 1 : nil
  }

  /// The end of an escape without parameters: intermediates, one final byte.
  private func escapeEnd(from start: Int) -> Int? {
    var offset = start
    while offset < count, self[offset] & 0xF0 == 0x20 { offset &+= 1 }
    return offset < count && self[offset] >= 0x30 && self[offset] <= 0x7E ? offset &+ 1 : nil
  }

  /// The end of a control string, after its terminator.
  private func stringEnd(from start: Int, endsAtBell: Bool) -> Int? {
    var offset = start
    while offset < count {
      switch self[offset] {
      case 0x07 where endsAtBell: return offset &+ 1
      case 0x1B: return offset &+ 1 < count && self[offset &+ 1] == 0x5C ? offset &+ 2 : nil
      case 0xC2 where offset &+ 1 < count && self[offset &+ 1] >= 0x80 && self[offset &+ 1] <= 0x9F:
        return self[offset &+ 1] == 0x9C ? offset &+ 2 : nil
      case 0x00...0x1F, 0x7F: return nil
      default: offset &+= 1
      }
    }
    return nil
  }
}

/// How much of a text is drawn.
///
/// Text is escaped before it is measured and broken into lines, and may then take four times the memory. To
/// bound that memory (R52), very long texts are cut; csv, tsv, JSON and HTML write them whole.
enum DrawnText {
  /// The maximum number of bytes in a row that are drawn, escaped; approximate.
  static let longest = 24 << 20

  /// The maximum number of bytes in a title that are drawn, escaped; approximate.
  static let longestTitle = 4 << 20

  /// Where to cut a text so that it takes at most `room` bytes when escaped.
  @inline(__always)
  static func end(of text: Span<UInt8>, room: Int) -> Int {
    text.count <= room / 4 ? text.count : cut(text, room)
  }

  /// The same for a long text: a byte becomes at most four; text that an escaper copies unchanged keeps its length.
  @inline(never)
  private static func cut(_ text: Span<UInt8>, _ room: Int) -> Int {
    var length = 0
    var offset = 0
    while offset < text.count {
      let plain = text.firstNotPlain(from: offset)
      if length &+ plain &- offset > room { return offset &+ (room &- length) }
      length &+= plain &- offset
      offset = plain
      guard offset < text.count else { break }
      let scalar = text[offset] < 0x80 ? nil : text.scalar(at: offset)
      let size = scalar?.length ?? 1
      let isCopied =
        scalar.map {
          $0.isWellFormed && $0.value >= 0xA0 && $0.value &- 0x2028 > 0x2069 &- 0x2028
        } ?? false
      length &+= isCopied ? size : 4 &* size
      if length > room { return offset }
      offset &+= size
    }
    return text.count
  }
}

extension Escaper {
  /// Appends the harmless form of `text`, at most about `room` bytes, and `mark` if it was cut.
  @discardableResult
  func append(_ text: Span<UInt8>, room: Int, mark: CutMark, to output: inout ByteBuffer) -> Findings {
    let end = DrawnText.end(of: text, room: room)
    guard end < text.count else { return append(text, to: &output) }
    var findings = append(text.extracting(..<end), to: &output)
    output.append(mark.text)
    findings.cuts = 1
    return findings
  }
}
