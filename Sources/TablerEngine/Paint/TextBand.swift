/// Draws texts across all columns: headings and footers of sections, and forms within the frame.
struct TextBand: Sendable {
  private let frame: TextFrame
  private let spacing: Spacing
  private let context: TextContext

  /// The style of headings.
  private let headingStyle: TextStyle

  /// The indent that aligns the table in the line.
  private let indent: Int

  /// The width of a text; `nil` without a limit.
  private let room: Int?

  /// Whether no text extends beyond the frame.
  private let staysInFrame: Bool

  /// Prepares the texts of an arrangement: they extend beyond an open frame, if the line has room.
  init(_ arrangement: Arrangement, _ context: TextContext, _ options: LayoutOptions) {
    self.init(
      arrangement.frame, arrangement.spacing, context, options, indent: arrangement.indent,
      staysInFrame: arrangement.frame.isClosed)
  }

  /// Prepares the texts of a frame.
  ///
  /// - Parameters:
  ///   - indent: the blanks before the table; in an open frame they shrink before a text wraps.
  ///   - staysInFrame: whether no text extends beyond the frame.
  init(
    _ frame: TextFrame, _ spacing: Spacing, _ context: TextContext, _ options: LayoutOptions, indent: Int = 0,
    staysInFrame: Bool = true
  ) {
    self.frame = frame
    self.spacing = spacing
    self.context = context
    self.indent = staysInFrame ? 0 : indent
    self.staysInFrame = staysInFrame
    room =
      staysInFrame ? frame.sections?.width ?? 0 : context.limit.map { max($0 - spacing.edges + indent, 1) }
    headingStyle = TextStyle(.bold, depth: options.colorDepth)
  }

  /// Draws a heading or a footer.
  ///
  /// Headings start at the leading edge, footers end at the trailing edge. In a closed frame the text always wraps,
  /// because all lines must be equally wide.
  ///
  /// - Parameters:
  ///   - cells: counts cut texts, and finds the lines.
  ///   - buffer: holds the escaped text.
  func paint(
    _ text: [UInt8], isHeading: Bool, _ cells: inout TextCells, _ buffer: inout ByteBuffer,
    to out: inout ByteBuffer
  ) {
    paint(
      text, isHeading ? .leading : .trailing, isHeading ? headingStyle : .plain, &cells, &buffer, to: &out)
  }

  /// Draws a text in place of rows that are left out, in the middle of the table.
  func paint(
    gap text: [UInt8], _ cells: inout TextCells, _ buffer: inout ByteBuffer, to out: inout ByteBuffer
  ) {
    paint(text, .center, .plain, &cells, &buffer, to: &out)
  }

  private func paint(
    _ text: [UInt8], _ alignment: Alignment, _ style: TextStyle, _ cells: inout TextCells,
    _ buffer: inout ByteBuffer, to out: inout ByteBuffer
  ) {
    let width = frame.sections?.width ?? 0
    let overflow = staysInFrame && context.overflow == .scroll ? .wrap : context.overflow
    cells.removeAll()
    buffer.removeAll()
    let findings = context.escaper.append(
      text.span, room: DrawnText.longestTitle, mark: context.cutMark, to: &buffer)
    cells.append(
      buffer, from: 0, width: room ?? .max, overflow: room == nil ? .scroll : overflow,
      needsCarry: findings.needsCarry)
    let (top, bottom) = spacing.padsCells ? (spacing.padding.top, spacing.padding.bottom) : (0, 0)
    for _ in 0..<top { frame.sections?.blankLine.write(to: &out) }
    var line = 0
    while cells.advance(to: line, of: buffer) {
      let used = cells.width(0, line: line) ?? 0
      let free = max(0, width - used)
      if indent > 0, let room {
        out.append(blanks: frame.lead.count - min(max(0, used - room + indent), indent))
      } else {
        out.append(frame.lead)
      }
      let before = alignment.blanksBefore(free)
      out.append(blanks: before)
      style.apply(to: &out) { cells.paint(0, line: line, of: buffer, into: &$0) }
      if frame.isClosed {
        out.append(blanks: free - before)
        out.append(frame.tail)
      }
      frame.endLine(to: &out)
      line += 1
    }
    for _ in 0..<bottom { frame.sections?.blankLine.write(to: &out) }
  }

  /// Draws the lines of a form from the leading edge on.
  func paint(_ lines: [FormText.Line], to out: inout ByteBuffer) {
    for line in lines {
      out.append(frame.lead)
      out.append(line.text)
      if frame.isClosed {
        out.append(blanks: (frame.sections?.width ?? 0) - line.width)
        out.append(frame.tail)
      }
      frame.endLine(to: &out)
    }
  }
}
