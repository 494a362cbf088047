/// Walks over a text and tells what of it may not go out as it stands, by rules that hold for every form.
///
/// Control characters drive terminals (R1); overrides, and embeddings or isolates left open, reorder what is beside a
/// text (R3); bytes that are not UTF-8 are none of any form (R16). A form spells each part in its own way, and appends what
/// closes the levels that are open at the end. The time is linear in the text.
struct SafeText {
  /// What comes next in a text.
  enum Part {
    /// A printable character of ASCII.
    case ascii(UInt8)

    /// A tab.
    case tab

    /// A newline or CRLF.
    case newline

    /// A control character: C0 but for those above, DEL or C1.
    case control(UInt32)

    /// Bytes that are no UTF-8.
    case illFormed

    /// A scalar that would reorder what is beside the text.
    case reordering(UInt32)

    /// Any other scalar.
    case scalar(UInt32)
  }

  /// What was found so far: bytes that are not UTF-8, NUL bytes, and scalars that open or close levels.
  private(set) var findings = Escaper.Findings()

  /// The embeddings and isolates that are open.
  var levels = BidiStack()

  /// Whether the form isolates the text: then it may not close what it did not open.
  let isIsolated: Bool

  /// Walks over a text that stands by itself, or is isolated by its form.
  @inline(__always)
  init(isIsolated: Bool = false) { self.isIsolated = isIsolated }

  /// The part that begins at `offset`, and its length in bytes.
  @inline(__always)
  mutating func next(_ text: Span<UInt8>, at offset: Int) -> (part: Part, length: Int) {
    let byte = text[offset]
    if byte < 0x80 {
      if byte >= 0x20, byte != 0x7F { return (.ascii(byte), 1) }
      if byte == 9 { return (.tab, 1) }
      if let length = text.newlineLength(at: offset) { return (.newline, length) }
      if byte == 0 { findings.nuls &+= 1 }
      return (.control(UInt32(byte)), 1)
    }
    let scalar = text.scalar(at: offset)
    if !scalar.isWellFormed {
      findings.replacements &+= 1
      return (.illFormed, scalar.length)
    }
    if scalar.value < 0xA0 { return (.control(scalar.value), scalar.length) }
    let mayConcern = scalar.value &- 0x202A <= 0x2069 &- 0x202A
    return (mayConcern ? steering(scalar.value) : .scalar(scalar.value), scalar.length)
  }

  /// A scalar from U+202A to U+2069.
  private mutating func steering(_ scalar: UInt32) -> Part {
    if BidiStack.overrides(scalar) { return .reordering(scalar) }
    guard BidiStack.concerns(scalar) else { return .scalar(scalar) }
    let isTaken = isIsolated ? levels.takeIsolated(scalar) : levels.take(scalar)
    if !isTaken { return .reordering(scalar) }
    findings.needsCarry = true
    return .scalar(scalar)
  }
}
