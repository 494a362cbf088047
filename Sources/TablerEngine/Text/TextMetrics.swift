/// How text is measured, in the cells of a terminal.
public struct TextMetrics: Equatable, Sendable {
  /// The cells of an East Asian ambiguous character, 1 or 2.
  public var ambiguousWidth: Int

  /// Whether control sequences stand in the text: they take no cells and are not split.
  public var passesControl: Bool

  /// Creates metrics.
  public init(ambiguousWidth: Int = 1, passesControl: Bool = false) {
    self.ambiguousWidth = ambiguousWidth
    self.passesControl = passesControl
  }

  /// The cells `text` takes on one line.
  ///
  /// Bytes that are not UTF-8 count as the U+FFFD that will stand for them.
  public func width(of text: Span<UInt8>) -> Int {
    let plain = text.firstNotPlain(from: 0)
    if plain == text.count { return plain }
    return extent(of: text, keepsNewlines: false)?.width ?? mixedWidth(of: text, plain: plain)
  }

  /// The cells of the widest line of `text`.
  func widestLine(of text: Span<UInt8>) -> Int {
    let plain = text.firstNotPlain(from: 0)
    if plain == text.count { return plain }
    if let extent = extent(of: text, keepsNewlines: true) { return extent.width }
    var widest = 0
    var start = 0
    for offset in plain..<text.count where text[offset] == UInt8(ascii: "\n") {
      widest = max(widest, width(of: text.extracting(start..<offset)))
      start = offset &+ 1
    }
    return max(widest, width(of: text.extracting(start..<text.count)))
  }

  /// The width of a text whose first `plain` bytes are printable ASCII.
  ///
  /// 1. Scalars that stand for themselves are only added up; the last one is remembered.
  /// 2. Only a scalar with a say in clusters meets the counter, which is then told of it.
  private func mixedWidth(of text: Span<UInt8>, plain: Int) -> Int {
    var counter = CellCounter(ambiguous: ambiguousWidth)
    var remembered: UInt32 = 0
    var offset = max(0, plain &- 1)
    var width = offset
    while offset < text.count {
      let scalar = text.scalar(at: offset)
      let traits = UnicodeTables.traits(of: scalar.value)
      if traits.isOrdinary || scalar.value &- 0x20 <= 0x5E {
        width &+= traits.cells(ambiguous: ambiguousWidth)
        remembered = scalar.value
        offset &+= scalar.length
        continue
      }
      if passesControl, let length = text.controlSequenceLength(at: offset) {
        counter.restart()
        offset &+= length
      } else {
        if remembered != 0 {
          counter.restart(behind: UnicodeTables.traits(of: remembered))
        }
        width &+= counter.count(scalar.value, traits).cells
        offset &+= scalar.length
      }
      remembered = 0
    }
    return width
  }
}

/// The cells `text` takes on one line of a terminal.
///
/// - Parameter ambiguous: the cells of an East Asian ambiguous character, 1 or 2.
public func displayWidth(of text: Span<UInt8>, ambiguous: Int = 1) -> Int {
  TextMetrics(ambiguousWidth: ambiguous).width(of: text)
}
