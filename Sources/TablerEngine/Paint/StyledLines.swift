/// Applies the look of a row to its drawn lines: a mark, a box, a style.
///
/// Styles within a line are kept. Trailing blanks are removed, unless the background covers them.
struct StyledLines: Sendable {
  /// The blanks before everything: `--table-padding`.
  private let outer: Int
  /// The width reserved for the marks of rows.
  private let markRoom: Int
  /// The width reserved on either side for boxes.
  private let boxRoom: Int
  /// The width of a line without marks and boxes.
  private let width: Int
  /// The vertical line at both ends of the frame; empty if there is none.
  private let edge: [UInt8]
  /// The horizontal line of a box, with its crossings; empty if there are none.
  private let boxRule: FrameLine
  private let depth: ColorDepth
  private let metrics: TextMetrics
  private let signs: RowSigns

  /// Whether boxes may be wider than their row, so that characters of two cells fill their lines.
  private let fillsBoxes: Bool
  private let selectionStyle: SelectionStyle?

  /// A cache of the styles written last.
  ///
  /// Usually there are few; heat has 33.
  private var written: [(style: Style, text: TextStyle)] = []
  private static let mostWritten = 48

  /// A cache of the styles of cells that depend on their numbers, in rows that no rule is about.
  private var scaled: [ScaledStyle] = []
  private let closing = ByteSnippet("\u{1B}[0m")
  private static let scaledCount = 256

  /// The style of cells that depends on their numbers.
  private struct ScaledStyle {
    /// The rule, the level and the rest that it depends on.
    var key: Int
    var text: TextStyle
    /// The bytes that switch it on; `nil` if there are many.
    var opening: ByteSnippet?
  }

  /// The frame, and a cache of styled frames.
  private let frame: TextFrame
  private let trailingPadding: Int
  private var rowFrames: [RowFrame] = []

  /// The frames of rows without a matching rule: plain and shaded.
  private var usualFrames: (plain: RowFrame?, striped: RowFrame?)

  /// The frame of a line in the style of its row.
  ///
  /// With it, a row of one line is written in one pass.
  final class RowFrame: Sendable {
    /// The bytes that switch the style of the row on.
    let opening: [UInt8]
    /// Whether the style is visible on the blanks after the last text, too.
    let isFilled: Bool
    /// The bytes before the first cell, between cells and after the last, concatenated.
    let bytes: [UInt8]
    /// The end of each of these in `bytes`.
    let ends: [Int]

    /// Applies the style of a row to the frame around its cells.
    ///
    /// - Parameters:
    ///   - before: the blanks before the line.
    ///   - padding: the blanks at the end of an open line, which a background fills.
    fileprivate init(_ row: TextStyle, _ frame: TextFrame, before: Int, padding: Int) {
      opening = row.opening
      isFilled = row.isVisibleOnBlanks
      let closing = opening.isEmpty ? [] : row.closing
      let start = min(frame.lead.count, before + frame.outerLine.count)
      var bytes = frame.lead[..<start] + opening + frame.lead[start...]
      var ends = [bytes.count]
      for gap in frame.gaps {
        bytes += StyledLines.resume(opening, in: gap)
        ends.append(bytes.count)
      }
      let end = frame.tail.count - frame.outerLine.count
      if frame.isClosed {
        bytes += frame.tail[..<end] + closing + frame.tail[end...]
      } else {
        bytes += Array(repeating: 0x20, count: isFilled ? padding : 0) + closing
      }
      ends.append(bytes.count)
      self.bytes = Array(bytes)
      self.ends = ends
    }
  }

  /// The style of shaded rows.
  ///
  /// Both colors are set so that it is legible on light terminals, too.
  private let stripe: Style

  /// Prepares the styles of `options`.
  ///
  /// - Parameters:
  ///   - width: the cells of a whole line without the room for marks and boxes.
  ///   - frame: the frame around the cells of a line.
  init(
    _ options: LayoutOptions, _ styles: RowStyles, _ spacing: Spacing, width: Int,
    frame: TextFrame = TextFrame()
  ) {
    markRoom = spacing.markRoom
    boxRoom = spacing.boxRoom
    outer = spacing.table.leading - markRoom - boxRoom
    self.width = width
    edge = frame.outerLine
    self.frame = frame
    trailingPadding = spacing.padding.trailing
    boxRule = frame.boxRule
    depth = options.colorDepth
    metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth, passesControl: true)
    signs = RowSigns(options)
    fillsBoxes = options.width == .unlimited
    selectionStyle = styles.selectionStyle
    var stripe = Style()
    switch depth {
    case .none: break
    case .basic: (stripe.foreground, stripe.background) = (.terminal(15), .terminal(8))
    case .palette, .full: (stripe.foreground, stripe.background) = (.rgb(218, 218, 218), .rgb(58, 58, 58))
    }
    self.stripe = stripe
  }

  /// The style below the cells: stripe, background, selection.
  private func base(_ look: RowLook) -> Style {
    var style = look.isStriped ? stripe : Style()
    if let background = look.background { style = style.under(background.style) }
    if look.isSelected, selectionStyle == .background { style = style.under(.inverse) }
    return style
  }

  /// The style of a cell in a row with this look.
  ///
  /// - Parameter usual: the style of the cell without one of its own.
  mutating func style(_ cell: AppliedStyle, over usual: Style, in look: RowLook) -> TextStyle {
    var style = base(look).under(usual).under(cell.style)
    if cell.isSwatch { style.foreground = cell.namedForeground }
    if let overlay = look.overlay { style = style.under(overlay.style) }
    return written(style.legible)
  }

  /// The place in the cache of the style of a cell that depends on its number; `nil` if a rule is about the row.
  ///
  /// It is valid until another one is searched for.
  ///
  /// - Parameters:
  ///   - styles: the rules; they are not changed, but would be copied otherwise.
  ///   - usual: the style of the cell without one of its own, always the same if it has one.
  ///   - look: the look of the row, if it has one.
  mutating func place(
    of cell: ScaledLook, of styles: inout RowStyles, over usual: Style?, in look: SharedLook?
  ) -> Int? {
    guard look?.isUsual ?? true else { return nil }
    let isStriped = look?.look.isStriped ?? false
    let level = (cell.level ?? -1) &+ 1
    let key = cell.rule << 8 | level << 2 | (isStriped ? 2 : 0) | (usual == nil ? 0 : 1)
    // The levels of one rule have different places, and so have those of the next ones.
    let place = (key &+ cell.rule &* 89) & (Self.scaledCount &- 1)
    if place < scaled.count, scaled[place].key == key { return place }
    if scaled.isEmpty {
      scaled = Array(repeating: ScaledStyle(key: -1, text: .plain), count: Self.scaledCount)
    }
    let text = style(styles.style(of: cell), over: usual ?? Style(), in: look?.look ?? .onlyCells)
    scaled[place] = ScaledStyle(key: key, text: text, opening: ByteSnippet(text.opening))
    return place
  }

  /// Appends the text of a cell in the style at a place in the cache.
  @inline(__always)
  func append(_ cell: Cell, of block: ByteBlock, inStyleAt place: Int, to out: inout ByteBuffer) {
    let opening = scaled[place].opening
    if let opening { out.append(opening) } else { out.append(scaled[place].text.opening) }
    out.append(block, from: cell.offset, count: cell.length)
    if opening?.count != 0 { out.append(closing) }
  }

  /// A style as the bytes that are written.
  private mutating func written(_ style: Style) -> TextStyle {
    for known in written where known.style == style { return known.text }
    let text = TextStyle(style, depth: depth)
    if written.count == Self.mostWritten { written.removeFirst() }
    written.append((style, text))
    return text
  }

  /// The text of a cell that is drawn as a swatch of the color that it names.
  static func swatch(_ options: LayoutOptions) -> [UInt8] { Array((options.isASCII ? "##" : "██").utf8) }

  /// The style of a box: the requested foreground, or dim.
  private static func line(_ color: Style.Color?) -> Style {
    var style = color == nil ? Style.dim : Style()
    style.foreground = color
    return style
  }

  /// The styled frame of a row; `nil` if the row has a mark or a box.
  mutating func rowFrame(_ look: RowLook) -> RowFrame? {
    if !look.marks.isEmpty || look.background != nil || look.overlay != nil {
      return ruledFrame(look)
    }
    if let known = look.isStriped ? usualFrames.striped : usualFrames.plain { return known }
    let made = ruledFrame(look)
    if look.isStriped { usualFrames.striped = made } else { usualFrames.plain = made }
    return made
  }

  private mutating func ruledFrame(_ look: RowLook) -> RowFrame? {
    let isBoxed = look.background?.isBoxed ?? false || look.overlay?.isBoxed ?? false
    let isMarked = markRoom > 0 && !look.marks.isEmpty
    if isBoxed || isMarked || look.isSelected && selectionStyle == .overlay { return nil }
    var style = base(look)
    if let overlay = look.overlay { style = style.under(overlay.style) }
    let row = written(style.legible)
    for known in rowFrames where known.opening == row.opening { return known }
    // Otherwise trailing blanks would have to be found first.
    guard frame.isClosed || row.isVisibleOnBlanks || row.opening.isEmpty else { return nil }
    let made = RowFrame(row, frame, before: outer + markRoom + boxRoom, padding: trailingPadding)
    if rowFrames.count == 16 { rowFrames.removeFirst() }
    rowFrames.append(made)
    return made
  }

  /// Appends the lines of a row with its look.
  mutating func append(_ lines: Span<UInt8>, _ look: RowLook, to out: inout ByteBuffer) {
    var style = base(look)
    if let overlay = look.overlay { style = style.under(overlay.style) }
    let row = written(style.legible)
    let isSelected = look.isSelected
    var width = width
    let hasBox =
      look.background?.isBoxed ?? false || look.overlay?.isBoxed ?? false
      || isSelected && selectionStyle == .overlay
    // The foreground of a stripe does not apply to the box, which is outside of it.
    let boxColor = look.overlay?.style.foreground ?? look.background?.style.foreground
    let boxStyle = hasBox ? written(Self.line(boxColor)) : .plain
    if hasBox {
      width = max(width, widestLine(of: lines) - outer - markRoom - boxRoom)
      if fillsBoxes, boxRule.isEmpty { width += width % signs.acrossWidth }
      appendRule(signs.top, boxStyle, width: width, to: &out)
    }
    var start = 0
    var isFirst = true
    while start < lines.count {
      let end = lines.newline(from: start)
      out.append(blanks: outer)
      signs.append(isFirst ? look.marks : [], to: &out)
      if boxRoom > 0 {
        if hasBox {
          out.append(boxStyle.styled(signs.side))
          out.append(blanks: signs.acrossWidth)
        } else {
          out.append(blanks: boxRoom)
        }
      }
      let text = lines.extracting(min(start + outer + markRoom + boxRoom, end)..<end)
      append(text, row, width: width, isPadded: hasBox, to: &out)
      if hasBox {
        out.append(blanks: signs.acrossWidth)
        out.append(boxStyle.styled(signs.side))
      } else {
        // Blanks with a background are followed by a reset, so they are not trimmed.
        out.trimBlanks()
      }
      out.append(0x0A)
      start = end + 1
      isFirst = false
    }
    if hasBox { appendRule(signs.bottom, boxStyle, width: width, to: &out) }
  }

  /// The cells of the widest of some lines.
  private func widestLine(of lines: Span<UInt8>) -> Int {
    var (widest, start) = (0, 0)
    while start < lines.count {
      let end = lines.newline(from: start)
      widest = max(widest, metrics.width(of: lines.extracting(start..<end)))
      start = end + 1
    }
    return widest
  }

  /// Appends a line in a style and resumes it after each reset in the line.
  ///
  /// The frame at both ends is not styled.
  private func append(
    _ text: Span<UInt8>, _ row: TextStyle, width: Int, isPadded: Bool, to out: inout ByteBuffer
  ) {
    let isFilled = row.isVisibleOnBlanks
    let isPlain = text.isPrintableASCII
    let free = isPadded || isFilled ? max(0, width - (isPlain ? text.count : metrics.width(of: text))) : 0
    guard !row.opening.isEmpty else {
      out.append(text)
      return out.append(blanks: free)
    }
    let count = edge.count
    let isFramed =
      count > 0 && text.count >= 2 * count && text.extracting(..<count).equals(edge)
      && text.extracting((text.count - count)...).equals(edge)
    let inner = isFramed ? text.extracting(count..<text.count - count) : text
    if isFramed { out.append(edge) }
    if inner.count + free > 0 {
      out.append(row.opening)
      var start = 0
      while !isPlain, let reset = inner.firstRange(of: Self.reset.span, from: start) {
        let end = reset + Self.reset.count
        out.append(inner.extracting(start..<end))
        out.append(row.opening)
        start = end
      }
      out.append(inner.extracting(start...))
      if isFilled { out.append(blanks: free) }
      out.append(row.closing)
    }
    if isFramed { out.append(edge) }
    if !isFilled { out.append(blanks: free) }
  }

  /// The sequence that ends every style.
  private static let reset = Array("\u{1B}[0m".utf8)

  /// A text with a style resumed after each reset.
  private static func resume(_ opening: [UInt8], in text: [UInt8]) -> [UInt8] {
    if opening.isEmpty { return text }
    var styled: [UInt8] = []
    var start = 0
    while let place = text.span.firstRange(of: reset.span, from: start) {
      let end = place + reset.count
      styled += text[start..<end] + opening
      start = end
    }
    return styled + text[start...]
  }

  private func appendRule(
    _ ends: (start: [UInt8], end: [UInt8]), _ style: TextStyle, width: Int, to out: inout ByteBuffer
  ) {
    out.append(blanks: outer + markRoom)
    out.append(style.opening)
    out.append(ends.start)
    appendAcross(boxRule.isEmpty ? width + 2 * signs.acrossWidth : signs.acrossWidth, to: &out)
    if !boxRule.isEmpty {
      boxRule.write(to: &out)
      appendAcross(signs.acrossWidth, to: &out)
    }
    out.append(ends.end)
    out.append(style.closing)
    out.append(0x0A)
  }

  private func appendAcross(_ cells: Int, to out: inout ByteBuffer) {
    for _ in 0..<cells / signs.acrossWidth { out.append(signs.across) }
    out.append(blanks: cells % signs.acrossWidth)
  }
}

extension Span<UInt8> {
  /// The end of the line at `start`: its newline, or the end of the text.
  fileprivate func newline(from start: Int) -> Int {
    var offset = firstNotPlain(from: min(start, count))
    while offset < count, self[offset] != 0x0A { offset = firstNotPlain(from: offset &+ 1) }
    return offset
  }
}
