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

  /// The mark and the messages of a field or record; empty if there are none.
  ///
  /// - Parameters:
  ///   - messages: the messages of the rules that it violates.
  ///   - blanks: the number of blanks before the mark.
  func note(_ messages: [String], blanks: Int = 0) -> [UInt8] {
    let sign = messages.isEmpty ? valid : invalid
    if sign.isEmpty, messages.isEmpty { return [] }
    var note = ByteBuffer()
    note.append(blanks: blanks)
    note.append(sign)
    if !messages.isEmpty {
      if !sign.isEmpty { note.append(0x20) }
      note.append(spell(TextContext.label(messages.joined(separator: "; "))))
    }
    return note.array()
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
