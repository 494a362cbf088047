/// A walk over a text that finds the parts that may not be written as they are.
///
/// The rules hold for every form. Control characters drive terminals (R1); overrides, and embeddings or isolates
/// left open, reorder what is next to a text (R3); bytes that are not UTF-8 are not allowed in any form (R16). Each
/// form spells the parts in its own way, and at the end appends what closes the levels that are still open.
///
/// - Complexity: O(*n*), where *n* is the length of the text.
struct SafeText {
  /// A part of a text.
  enum Part {
    /// A printable character of ASCII.
    case ascii(UInt8)

    /// A tab.
    case tab

    /// A newline or CRLF.
    case newline

    /// A control character: C0 except those above, DEL or C1.
    case control(UInt32)

    /// Bytes that are not UTF-8.
    case illFormed

    /// A scalar that would reorder what is next to the text.
    case reordering(UInt32)

    /// Any other scalar.
    case scalar(UInt32)
  }

  /// The findings so far: bytes that are not UTF-8, NUL bytes, and scalars that open or close levels.
  private(set) var findings = Escaper.Findings()

  /// The embeddings and isolates that are open.
  var levels = BidiStack()

  /// Whether the form isolates the text: it must then not close levels that it did not open.
  let isIsolated: Bool

  /// Begins a walk over a text that is by itself, or is isolated by its form.
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
    let isTaken = isIsolated ? levels.recordIsolated(scalar) : levels.recordScalar(scalar)
    if !isTaken { return .reordering(scalar) }
    findings.needsCarry = true
    return .scalar(scalar)
  }
}
