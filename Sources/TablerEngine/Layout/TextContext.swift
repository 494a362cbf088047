/// The rules shared by measuring and painting text: how it is escaped, measured and cut.
struct TextContext: MeasuredSpelling {
  /// How text is measured.
  let metrics: TextMetrics
  /// How cells and titles are made harmless.
  let escaper: Escaper
  /// The mark that replaces text that was cut.
  let cutMark: CutMark
  /// The mark before each line that continues a text wider than the measured ones.
  let lateMark: [UInt8]
  /// The text of null and missing cells, harmless.
  let missing: [UInt8]
  /// How cells that do not fit are handled: they wrap, are cut or stay long; a single line is never wrapped.
  let overflow: Overflow
  /// Whether columns that do not fit are left out.
  let leavesOut: Bool
  /// The longest line allowed; none if cells may stay long.
  let limit: Int?
  /// The marks that numbers are written with.
  let marks: NumberMarks

  /// Takes the options about single texts from `options`.
  init(_ options: LayoutOptions, marks: NumberMarks = .standard) {
    self.marks = marks
    metrics = TextMetrics(
      ambiguousWidth: options.ambiguousWidth == 2 ? 2 : 1, passesControl: options.passesControl)
    escaper = Escaper(
      newlines: options.isSingleLine ? .marked(ascii: options.isASCII) : .kept,
      passesControl: options.passesControl)
    cutMark = CutMark(isASCII: options.isASCII, metrics: metrics)
    lateMark = LateMark.text(isASCII: options.isASCII)
    missing = Self.label(options.missing)
    leavesOut = options.overflow == .fit && !options.isSingleLine
    let wraps = options.overflow == .fit || options.overflow == .wrap
    overflow = wraps ? (options.isSingleLine ? .truncate : .wrap) : options.overflow
    if case .atMost(let limit) = options.width, options.overflow != .scroll {
      self.limit = max(0, limit)
    } else {
      limit = nil
    }
  }

  @inline(__always)
  func extent(of text: Span<UInt8>) -> TextExtent? {
    metrics.extent(of: text, keepsNewlines: escaper.newlines == .kept)
  }

  @inline(__always)
  func spell(_ text: Span<UInt8>, room: Int, to out: inout ByteBuffer) -> Escaper.Findings {
    escaper.append(text, room: room, mark: cutMark, to: &out)
  }

  @inline(__always)
  func copies(_ cell: Cell, of block: ByteBlock) -> Bool { true }

  func keeps(_ text: Span<UInt8>) -> Bool { text.isPlain }

  static var linesUpPoints: Bool { true }

  static var hasBands: Bool { true }

  func spell(footer text: Span<UInt8>, to out: inout ByteBuffer) { escaper.append(text, to: &out) }

  /// A title as it is drawn, in one or more lines; a very long one is cut.
  func escaped(_ text: String) -> [UInt8] {
    var buffer = ByteBuffer()
    escaper.append(text.utf8.span, room: DrawnText.longestTitle, mark: cutMark, to: &buffer)
    return buffer.array()
  }

  /// A short text from the options, harmless and on one line.
  static func label(_ text: String) -> [UInt8] {
    var buffer = ByteBuffer()
    Escaper(newlines: .escaped).append(Array(text.utf8).span, to: &buffer)
    return buffer.array()
  }
}

/// The mark before lines that continue a text too wide for its column, in a row after the measured ones.
enum LateMark {
  /// The cells it takes.
  static let width = 1

  /// The width of a column in which any text can continue: the mark and a wide character.
  static let leastWidth = width + 2

  /// The mark; ASCII if nothing above 127 may be added.
  static func text(isASCII: Bool) -> [UInt8] { Array((isASCII ? ">" : "↪").utf8) }
}
