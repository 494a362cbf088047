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
      var title = ByteBuffer()
      let text = Array(columns[index].title.utf8)
      let span = text.span
      markdown.append(span.extracting(span.trimmingBlankScalars), to: &title)
      let sign = signs[index]
      if !sign.isEmpty {
        title.append(" ")
        markdown.append(sign.span, to: &title)
      }
      return title.array()
    }
  }
}
