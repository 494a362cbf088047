/// What one line of a cell leaves open for the next: bidi controls, styles, a link.
///
/// A cell is drawn line by line with other cells between, so each line closes what it opened and the next
/// opens it again. The text must be escaped; a plain line passes unchanged.
struct LineCarry: Sendable {
  private var bidi = BidiStack()

  /// The style sequences since the last reset.
  private var style: [UInt8] = []

  /// The sequence that opened a hyperlink; empty if none is open.
  private var link: [UInt8] = []

  /// The maximum size of the styles that are repeated, in bytes; a longer history is only closed.
  private static let styleLimit = 256

  /// Starts with nothing open.
  init() {}

  /// Appends one line of a cell, opened and closed so that it is complete by itself.
  mutating func append(line: Span<UInt8>, to output: inout ByteBuffer) {
    appendOpeners(to: &output)
    output.append(line)
    read(line)
    appendClosers(to: &output)
  }

  /// Records what `text` opens and closes; a cut does this with the text it leaves out.
  mutating func read(_ text: Span<UInt8>) {
    var offset = text.firstNotPlain(from: 0)
    while offset < text.count {
      if let length = text.controlSequenceLength(at: offset) {
        recordSequence(text.extracting(offset..<offset &+ length))
        offset &+= length
      } else {
        let scalar = text.scalar(at: offset)
        if BidiStack.concerns(scalar.value) { _ = bidi.recordScalar(scalar.value) }
        offset &+= scalar.length
      }
    }
  }

  /// Records a control sequence: SGR sets or resets a style, OSC 8 opens or closes a link.
  mutating func recordSequence(_ sequence: Span<UInt8>) {
    let body = sequence[0] == 0x1B || sequence[0] == 0xC2 ? 2 : 0
    guard body == 2, sequence.count > 2 else { return }
    let introducer = sequence[0] == 0x1B ? sequence[1] : sequence[1] &- 0x40
    if introducer == UInt8(ascii: "["), sequence[sequence.count &- 1] == UInt8(ascii: "m") {
      recordStyle(sequence)
    } else if introducer == UInt8(ascii: "]"), sequence.count > 5, sequence[2] == UInt8(ascii: "8"),
      sequence[3] == UInt8(ascii: ";")
    {
      recordLink(sequence)
    }
  }

  /// Appends what closes everything that is open, which is remembered for the next line.
  func appendClosers(to output: inout ByteBuffer) {
    bidi.appendClosers(to: &output)
    if !link.isEmpty { output.append("\u{1B}]8;;\u{1B}\\") }
    if !style.isEmpty { output.append("\u{1B}[0m") }
  }

  fileprivate func appendOpeners(to output: inout ByteBuffer) {
    output.append(style)
    output.append(link)
    bidi.appendOpeners(to: &output)
  }

  private mutating func recordStyle(_ sequence: Span<UInt8>) {
    switch sequence[2] {
    case UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "?"): return
    case UInt8(ascii: "m"): style = []
    case UInt8(ascii: "0") where sequence[3] == UInt8(ascii: "m"): style = []
    default:
      if style.count &+ sequence.count > Self.styleLimit { style = [] }
      style.append(contentsOf: sequence)
    }
  }

  /// Records `OSC 8 ; parameters ; address ST`: without an address it closes the link.
  private mutating func recordLink(_ sequence: Span<UInt8>) {
    var offset = 4
    while offset < sequence.count, sequence[offset] != UInt8(ascii: ";") { offset &+= 1 }
    let next = offset &+ 1
    guard next < sequence.count else { return }
    let closes = sequence[next] == 0x07 || sequence[next] == 0x1B || sequence[next] == 0xC2
    link = []
    if !closes { link.append(contentsOf: sequence) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(contentsOf bytes: Span<UInt8>) {
    reserveCapacity(count + bytes.count)
    for offset in bytes.indices { append(bytes[offset]) }
  }
}

/// The bidirectional embeddings and isolates a text has left open, innermost last.
///
/// It has twenty levels of three bits each: more than any real text has, and bounded so that closing them
/// costs little. Overrides are not among them: they are always escaped.
struct BidiStack: Equatable, Sendable {
  private var bits: UInt64 = 0
  private var depth = 0

  /// The maximum number of levels it holds.
  static let limit = 20

  /// Whether nothing is open.
  var isEmpty: Bool { depth == 0 }

  /// Whether `scalar` opens or closes an embedding or isolate.
  @inline(__always)
  static func concerns(_ scalar: UInt32) -> Bool {
    scalar >= 0x202A && scalar <= 0x202C || scalar >= 0x2066 && scalar <= 0x2069
  }

  /// Whether `scalar` overrides the direction of the characters after it.
  @inline(__always)
  static func overrides(_ scalar: UInt32) -> Bool { scalar == 0x202D || scalar == 0x202E }

  /// Records a character, which only matters if it is a control; returns `false` if it would open more levels
  /// than fit.
  mutating func recordScalar(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x202A, 0x202B: return push(UInt64(scalar &- 0x202A))
    case 0x2066, 0x2067, 0x2068: return push(UInt64(scalar &- 0x2066) | 4)
    case 0x202C: if depth > 0, !isIsolate(depth &- 1) { pop(to: depth &- 1) }
    case 0x2069: closeIsolate()
    default: break
    }
    return true
  }

  /// Records a character of a text that is isolated by what surrounds it; returns `false` if it would reach
  /// out of the text or reorder it: an override, a closer without an isolate of the text, or one level too
  /// many.
  @inline(__always)
  mutating func recordIsolated(_ scalar: UInt32) -> Bool {
    guard scalar &- 0x202A <= 0x2069 &- 0x202A else { return true }
    if Self.overrides(scalar) || scalar == 0x2069 && !hasIsolate { return false }
    return recordScalar(scalar)
  }

  /// Appends what closes all levels, innermost first; they stay on the stack.
  func appendClosers(to output: inout ByteBuffer) {
    var level = depth &- 1
    while level >= 0 {
      if isIsolate(level) { output.append("\u{2069}") } else { output.append("\u{202C}") }
      level &-= 1
    }
  }

  /// Appends what opens all levels again, outermost first.
  fileprivate func appendOpeners(to output: inout ByteBuffer) {
    for level in 0..<depth {
      switch bits &>> UInt64(level &* 3) & 7 {
      case 0: output.append("\u{202A}")
      case 1: output.append("\u{202B}")
      case 4: output.append("\u{2066}")
      case 5: output.append("\u{2067}")
      default: output.append("\u{2068}")
      }
    }
  }

  /// Closes everything, as the end of a paragraph does.
  mutating func removeAll() { pop(to: 0) }

  /// Whether an isolate is open.
  private var hasIsolate: Bool { (0..<depth).contains { isIsolate($0) } }

  private func isIsolate(_ level: Int) -> Bool { bits &>> UInt64(level &* 3) & 4 != 0 }

  private mutating func push(_ kind: UInt64) -> Bool {
    guard depth < Self.limit else { return false }
    bits |= kind &<< UInt64(depth &* 3)
    depth &+= 1
    return true
  }

  private mutating func pop(to level: Int) {
    depth = level
    bits &= (1 &<< UInt64(level &* 3)) &- 1
  }

  /// Closes the innermost isolate and the embeddings within; does nothing if none is open.
  private mutating func closeIsolate() {
    var level = depth &- 1
    while level >= 0, !isIsolate(level) { level &-= 1 }
    if level >= 0 { pop(to: level) }
  }
}
