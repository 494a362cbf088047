/// What stands above the rows in Markdown.
enum MarkdownHeading {
  /// The title and the caption as bold paragraphs, each with an empty line after it.
  static func paragraphs(_ options: LayoutOptions) -> [UInt8] {
    let markdown = MarkdownText(options)
    var out = ByteBuffer()
    for text in [options.title, options.caption] {
      let start = out.count
      markdown.append(bold: Array((text ?? "").utf8).span, to: &out)
      if out.count > start { out.append("\n\n") }
    }
    return out.array()
  }

  /// The titles of the columns, escaped, with their signs; empty above row names.
  static func titles(_ columns: [ShownColumn], _ options: LayoutOptions) -> [[UInt8]] {
    let markdown = MarkdownText(options)
    let signs = HeaderSigns(columns, options).signs
    return columns.indices.map { index in
      if columns[index].isRowHeader { return [] }
      var escaped = ByteBuffer()
      let title = columns[index].title
      let span = title.utf8.span
      let inner = span.extracting(span.trimmingBlankScalars)
      markdown.append(inner, room: DrawnText.longestTitle, to: &escaped)
      let sign = signs[index]
      if !sign.isEmpty {
        escaped.append(" ")
        markdown.append(sign.span, to: &escaped)
      }
      return escaped.array()
    }
  }
}
