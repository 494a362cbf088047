/// Makes text harmless: what it appends can neither drive a terminal nor reorder its neighbours.
///
/// C0 and DEL become `\x1b`, C1 and bidi overrides `\u{9b}`, bytes that are not UTF-8 U+FFFD.
/// Embeddings and isolates left open are closed. Escape first, then measure what came out.
public struct Escaper: Sendable {
  /// What becomes of newlines and tabs.
  public enum Newlines: Equatable, Sendable {
    /// A newline or CRLF parts lines and comes out as one newline; a tab is four blanks.
    case kept
    /// A newline or CRLF is drawn as `↵`, in ASCII as `\n`; a tab is four blanks.
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
    /// Whether lines of it need a `LineCarry`: there are bidi controls or control sequences.
    public var needsCarry = false
    /// How many texts were cut because they are too long to be drawn.
    public var cuts = 0

    /// Creates findings of nothing.
    public init() {}
  }

  /// What becomes of newlines and tabs.
  public var newlines: Newlines
  /// Whether control characters other than newline and tab come out as they are; control
  /// sequences that do not end are escaped still.
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
    var pass = Pass(escaper: self)
    return pass.run(text, from: plain, to: &output)
  }
}

/// One run over a text: what was found and what is open.
private struct Pass {
  let escaper: Escaper
  var findings = Escaper.Findings()
  var bidi = BidiStack()

  /// What passing control sequences leave open; made when the first one comes.
  var carry: LineCarry?

  /// The first byte not yet copied.
  var pending = 0

  init(escaper: Escaper) { self.escaper = escaper }

  mutating func run(_ text: Span<UInt8>, from start: Int, to output: inout ByteBuffer) -> Escaper.Findings {
    var offset = start
    while offset < text.count {
      let byte = text[offset]
      if byte < 0x80 {
        if byte >= 0x20, byte != 0x7F {
          offset = text.firstNotPlain(from: offset)
        } else {
          offset = control(at: offset, in: text, to: &output)
        }
        continue
      }
      let scalar = text.scalar(at: offset)
      let end = offset &+ scalar.length
      if !scalar.isWellFormed {
        findings.replacements &+= 1
        replace(offset..<end, of: text, in: &output)
        output.append("\u{FFFD}")
      } else if scalar.value < 0xA0 {
        offset = control(at: offset, in: text, to: &output)
        continue
      } else if scalar.value &- 0x2028 <= 0x2069 &- 0x2028 {
        direction(scalar.value, at: offset..<end, in: text, to: &output)
      }
      offset = end
    }
    replace(text.count..<text.count, of: text, in: &output)
    bidi.appendClosers(to: &output)
    carry?.appendClosers(to: &output)
    return findings
  }

  /// Copies what is pending before `range` and leaves `range` out.
  private mutating func replace(_ range: Range<Int>, of text: Span<UInt8>, in output: inout ByteBuffer) {
    output.append(text.extracting(pending..<range.lowerBound))
    pending = range.upperBound
  }

  /// Handles the control character at `offset`, C0 or C1; returns the place after it.
  private mutating func control(at offset: Int, in text: Span<UInt8>, to output: inout ByteBuffer) -> Int {
    if escaper.newlines != .escaped {
      if text[offset] == UInt8(ascii: "\t") {
        replace(offset..<offset &+ 1, of: text, in: &output)
        output.append("    ")
        return offset &+ 1
      }
      if let length = text.newlineLength(at: offset) {
        replace(offset..<offset &+ length, of: text, in: &output)
        newline(to: &output)
        return offset &+ length
      }
    }
    if text[offset] == 0 { findings.nuls &+= 1 }
    let isPair = text[offset] == 0xC2
    if escaper.passesControl {
      if let length = text.controlSequenceLength(at: offset) {
        var carry = carry ?? LineCarry()
        carry.take(sequence: text.extracting(offset..<offset &+ length))
        self.carry = carry
        findings.needsCarry = true
        return offset &+ length
      }
      if !text.beginsControlSequence(at: offset) { return offset &+ (isPair ? 2 : 1) }
    }
    let end = offset &+ (isPair ? 2 : 1)
    replace(offset..<end, of: text, in: &output)
    if isPair { output.appendEscaped(UInt32(text[offset &+ 1])) } else { output.appendEscaped(text[offset]) }
    return end
  }

  private mutating func newline(to output: inout ByteBuffer) {
    switch escaper.newlines {
    case .marked(ascii: false): output.append("↵")
    case .marked(ascii: true): output.append(#"\n"#)
    case .kept, .escaped:
      bidi.appendClosers(to: &output)
      bidi.removeAll()
      output.append(UInt8(ascii: "\n"))
      findings.newlines &+= 1
    }
  }

  /// Handles a scalar from U+2028 to U+2069: separators and overrides are escaped, the rest is counted.
  private mutating func direction(
    _ scalar: UInt32, at range: Range<Int>, in text: Span<UInt8>, to output: inout ByteBuffer
  ) {
    let isForbidden = scalar == 0x2028 || scalar == 0x2029 || scalar == 0x202D || scalar == 0x202E
    guard isForbidden || BidiStack.concerns(scalar) else { return }
    if !isForbidden, bidi.take(scalar) {
      findings.needsCarry = true
      return
    }
    replace(range, of: text, in: &output)
    output.appendEscaped(scalar)
  }
}

extension Span where Element == UInt8 {
  /// The length of the newline or CRLF at `offset`, if there is one.
  @inline(__always)
  func newlineLength(at offset: Int) -> Int? {
    if self[offset] == 0x0A { return 1 }
    return self[offset] == 0x0D && offset &+ 1 < count && self[offset &+ 1] == 0x0A ? 2 : nil
  }

  /// The first place at or after `start` where a scalar stands that is not harmless by itself; `count` if none does.
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
