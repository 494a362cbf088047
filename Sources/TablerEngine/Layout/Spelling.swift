/// How a form spells texts: what it escapes, and what stands for cells that are missing.
protocol Spelling: Sendable {
  /// What null and missing cells show, spelled.
  var missing: [UInt8] { get }

  /// Appends a text as the form spells it.
  ///
  /// - Parameter room: about how many bytes may be drawn, in a form that cuts very long texts.
  func spell(_ text: Span<UInt8>, room: Int, to out: inout ByteBuffer) -> Escaper.Findings

  /// Whether a simple cell is spelled as it stands in its block.
  func copies(_ cell: Cell, of block: ByteBlock) -> Bool
}

/// The spelling of a form that aligns columns, so that texts are measured as they are spelled.
protocol MeasuredSpelling: Spelling {
  /// How texts are measured.
  var metrics: TextMetrics { get }

  /// The marks that numbers in cells are written with.
  var marks: NumberMarks { get }

  /// The longest line there may be.
  var limit: Int? { get }

  /// Whether JSON says itself what is a number; else a string that looks like one is one too.
  static var trustsKinds: Bool { get }

  /// Whether the decimal points of a column may be lined up.
  static var linesUpPoints: Bool { get }

  /// Whether a text may stand over all columns; else it stands in the first.
  static var hasBands: Bool { get }

  /// Appends a text of a footer as the form spells it.
  func spell(footer text: Span<UInt8>, to out: inout ByteBuffer)

  /// The room a text takes that is spelled as it stands; `nil` where it is to be spelled first.
  func extent(of text: Span<UInt8>) -> TextExtent?

  /// Whether a text that a template made is spelled as it stands, so that it needs no copy.
  func keeps(_ text: Span<UInt8>) -> Bool
}
