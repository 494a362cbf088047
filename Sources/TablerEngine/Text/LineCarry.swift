/// What one line of a cell leaves open for the next: bidi controls, styles, a link.
///
/// A cell is drawn line by line with other cells between, so each line closes what it opened
/// and the next opens it again. Escaped text only; a plain line passes untouched.
struct LineCarry: Sendable {
  private var bidi = BidiStack()

  /// The style sequences since the last reset.
  private var style: [UInt8] = []

  /// The sequence that opened a hyperlink; empty if none is open.
  private var link: [UInt8] = []

  /// The most bytes of style that are drawn again; a longer history is only closed.
  private static let styleLimit = 256

  /// Starts with nothing open.
  init() {}

  /// Appends one line of a cell, opened and closed so that it stands by itself.
  mutating func append(line: Span<UInt8>, to output: inout ByteBuffer) {
    appendOpeners(to: &output)
    output.append(line)
    read(line)
    appendClosers(to: &output)
  }

  /// Takes note of what `text` opens and closes, as a cut does of what it leaves out.
  mutating func read(_ text: Span<UInt8>) {
    var offset = text.firstNotPlain(from: 0)
    while offset < text.count {
      if let length = text.controlSequenceLength(at: offset) {
        take(sequence: text.extracting(offset..<offset &+ length))
        offset &+= length
      } else {
        let scalar = text.scalar(at: offset)
        if BidiStack.concerns(scalar.value) { _ = bidi.take(scalar.value) }
        offset &+= scalar.length
      }
    }
  }

  /// Takes note of a control sequence: SGR sets or resets a style, OSC 8 opens or closes a link.
  mutating func take(sequence: Span<UInt8>) {
    let body = sequence[0] == 0x1B || sequence[0] == 0xC2 ? 2 : 0
    guard body == 2, sequence.count > 2 else { return }
    let introducer = sequence[0] == 0x1B ? sequence[1] : sequence[1] &- 0x40
    if introducer == UInt8(ascii: "["), sequence[sequence.count &- 1] == UInt8(ascii: "m") {
      takeStyle(sequence)
    } else if introducer == UInt8(ascii: "]"), sequence.count > 5, sequence[2] == UInt8(ascii: "8"),
      sequence[3] == UInt8(ascii: ";")
    {
      takeLink(sequence)
    }
  }

  /// Appends what closes everything that is open; it stays noted for the next line.
  func appendClosers(to output: inout ByteBuffer) {
    bidi.appendClosers(to: &output)
    if !link.isEmpty { output.append("\u{1B}]8;;\u{1B}\\") }
    if !style.isEmpty { output.append("\u{1B}[0m") }
  }

  private func appendOpeners(to output: inout ByteBuffer) {
    output.append(style)
    output.append(link)
    bidi.appendOpeners(to: &output)
  }

  private mutating func takeStyle(_ sequence: Span<UInt8>) {
    switch sequence[2] {
    case UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "?"): return
    case UInt8(ascii: "m"): style = []
    case UInt8(ascii: "0") where sequence[3] == UInt8(ascii: "m"): style = []
    default:
      if style.count &+ sequence.count > Self.styleLimit { style = [] }
      style.append(contentsOf: sequence)
    }
  }

  /// Takes `OSC 8 ; parameters ; address ST`: without an address it closes the link.
  private mutating func takeLink(_ sequence: Span<UInt8>) {
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
