/// The marks after validated cells.
public struct FieldSigns: Equatable, Sendable {
  /// After a cell that violates a rule.
  public var invalid = "⚠"
  /// After a cell that satisfies all rules.
  public var valid = ""

  /// Creates the defaults.
  public init() {}
}

/// The signs as text and Markdown draw them, harmless.
struct DrawnFieldSigns: Sendable {
  /// After a cell that violates a rule.
  let invalid: [UInt8]

  /// After a cell that satisfies all rules; empty if none is drawn.
  let valid: [UInt8]

  private let spell: @Sendable ([UInt8]) -> [UInt8]

  /// The cells that the signs take.
  private let widths: (invalid: Int, valid: Int)

  /// Prepares the signs of `options`.
  ///
  /// - Parameter spell: how a form escapes them.
  init(_ options: LayoutOptions, _ spell: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 }) {
    self.spell = spell
    let sign = Self.spelled(options.fieldSigns.invalid, isASCII: options.isASCII)
    let invalid = spell(TextContext.label(sign))
    let label = TextContext.label(options.fieldSigns.valid)
    let valid = label.allSatisfy { $0 == 0x20 } ? [] : spell(label)
    let metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    (self.invalid, self.valid) = (invalid, valid)
    widths = (metrics.width(of: invalid.span), metrics.width(of: valid.span))
  }

  /// The mark and messages after a field of a card; empty if it is valid.
  ///
  /// - Parameter blanks: how many blanks precede it.
  func note(on mark: FieldMark, inRow row: Int, of batch: Batch, blanks: Int) -> [UInt8] {
    let isInvalid = mark.isInvalid(inRow: row, of: batch)
    let sign = isInvalid ? invalid : valid
    let messages = isInvalid ? mark.messages(inRow: row, of: batch) : []
    if sign.isEmpty, messages.isEmpty { return [] }
    var note = ByteBuffer()
    note.append(blanks: blanks)
    append(sign, messages, to: &note)
    return note.array()
  }

  /// The mark and the messages of a record that violates rules.
  func note(_ messages: [String]) -> [UInt8] {
    var note = ByteBuffer()
    append(invalid, messages, to: &note)
    return note.array()
  }

  private func append(_ sign: [UInt8], _ messages: [String], to note: inout ByteBuffer) {
    note.append(sign)
    if messages.isEmpty { return }
    if !sign.isEmpty { note.append(0x20) }
    note.append(spell(TextContext.label(messages.joined(separator: "; "))))
  }

  /// The sign in ASCII if it is the default; signs from the user are unchanged.
  static func spelled(_ sign: String, isASCII: Bool) -> String { isASCII && sign == "⚠" ? "!" : sign }

  /// The cells that a column reserves for its signs: a blank, and the wider of the two.
  var gutter: Int { 1 + max(widths.invalid, widths.valid) }

  /// Appends a blank and a sign, as wide as the gutter.
  func append(isInvalid: Bool, to out: inout ByteBuffer) {
    out.append(0x20)
    out.append(isInvalid ? invalid : valid)
    out.append(blanks: gutter - 1 - (isInvalid ? widths.invalid : widths.valid))
  }
}
