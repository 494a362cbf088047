/// The lines above a table: its title, and a caption directly above it.
enum TextHeading {
  /// The lines, harmless, with their ends; the title is styled as headers are by default.
  static func lines(_ options: LayoutOptions, _ context: TextContext) -> [UInt8] {
    let style = TextStyle(.bold, depth: options.colorDepth)
    var out = ByteBuffer()
    if let title = options.title { append(title, style, context, to: &out) }
    if let caption = options.caption { append(caption, .plain, context, to: &out) }
    return out.array()
  }

  private static func append(
    _ text: String, _ style: TextStyle, _ context: TextContext, to out: inout ByteBuffer
  ) {
    var cells = TextCells(context)
    var escaped = ByteBuffer()
    let findings = context.escaper.append(Array(text.utf8).span, to: &escaped)
    cells.append(
      escaped, from: 0, width: context.limit ?? .max, overflow: context.limit == nil ? .scroll : .wrap,
      needsCarry: findings.needsCarry)
    var line = 0
    while cells.advance(to: line, of: escaped) {
      style.apply(to: &out) { cells.paint(0, line: line, of: escaped, into: &$0) }
      out.trimBlanks()
      out.append(0x0A)
      line += 1
    }
  }
}
