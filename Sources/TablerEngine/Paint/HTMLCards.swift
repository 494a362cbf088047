/// Detail as HTML: an article with a list of fields for each record.
struct HTMLCards: ~Copyable, CardForm {
  private let opening: [UInt8]
  let closing: [UInt8]

  private let parts: HTMLParts
  private let style: HTMLStyle
  private let options: LayoutOptions

  /// The tag of a card without a look of its own, and that of a card of the footer.
  private let article: [UInt8]
  private let footArticle: [UInt8]

  /// What is before and after the title of a card.
  private let title: (start: [UInt8], end: [UInt8])
  private let sectionHeading: [UInt8]
  private let sectionFooter: [UInt8]
  private let fields: [UInt8]
  private let labelTag: [UInt8]
  private let valueTags: HTMLTags

  /// What is before what is wrong with a record.
  private let noteTag: [UInt8]
  private var labels: [Label] = []

  /// The label of a field.
  private enum Label: Sendable {
    /// As it is written, with its tags.
    case written([UInt8])
    /// A long title, escaped again for each card.
    case long(String)

    /// The longest title that is stored escaped.
    static let longest = 1 << 20

    /// The approximate number of bytes.
    var size: Int {
      switch self {
      case .written(let bytes): bytes.count
      case .long(let title): title.utf8.count
      }
    }
  }

  /// Prepares cards with fields of `columns`.
  ///
  /// - Parameter name: the name of the file, for the page's title.
  init(
    _ columns: [ShownColumn], _ options: LayoutOptions, _ output: OutputOptions, name: String? = nil,
    _ styles: RowStyles = RowStyles()
  ) {
    let style = HTMLStyle(columns, options, output, styles)
    self.style = style
    self.options = options
    parts = HTMLParts(style, options)
    let document = HTMLDocument(options, output, style, name: name)
    opening = document.opening() + Self.caption(options, style)
    closing = document.closing()
    func tag(
      _ name: String, _ element: HTMLStyle.Element, _ traits: HTMLTraits = [], class kind: String? = nil
    ) -> [UInt8] {
      Array(
        "<\(name)\(style.attributes(HTMLStyle.Place(element: element, traits: traits), class: kind))>".utf8)
    }
    let heading = HTMLRules.cardTitle(options)
    article = Array("<article\(style.attributes(root: .card, options))>".utf8)
    footArticle = tag("article", .card, class: "tabler detail")
    fields = tag("dl", .fields)
    title = (tag(heading, .cardTitle), Array("</\(heading)>\n".utf8))
    sectionHeading = tag("h2", .sectionHead, class: "section")
    sectionFooter = tag("p", .sectionFoot, class: "sum")
    labelTag = tag("dt", .label)
    valueTags = HTMLTags([.null, .unbroken, .invalid]) { traits in
      "<dd\(style.attributes(HTMLStyle.Place(element: .value, traits: traits)))>"
    }
    noteTag = tag("p", .recordNote, .invalid)
    add(columns, [])
  }

  var text: HTMLText { parts.text }
  var titleText: HTMLText { parts.text }
  var notices: [LayoutNotice] { [] }

  var cardSize: Int { labels.reduce(0) { $0 + $1.size + 24 } }

  mutating func add(_ columns: [ShownColumn], _ texts: [CellText]) {
    for column in columns {
      guard column.title.utf8.count <= Label.longest else {
        labels.append(.long(column.title))
        continue
      }
      var label = ByteBuffer()
      append(label: column.title, to: &label)
      labels.append(.written(label.array()))
    }
  }

  func appendOpening(to out: inout ByteBuffer) { out.append(opening) }

  func appendHeading(_ heading: [UInt8], to out: inout ByteBuffer) {
    out.append(sectionHeading)
    text.append(heading.span, to: &out)
    out.append("</h2>\n")
  }

  func beginCard(
    _ look: SharedLook?, _ titles: inout SpelledCells<HTMLText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    let look = look?.look
    if let look {
      out.append("<article\(style.attributes(root: style.rowStyles.place(.card, look), options))>")
    } else {
      out.append(article)
    }
    out.append(title.start)
    let found = titles.appendTitle(batch, row, number: number, to: &out)
    if let look { parts.append(look.marks, to: &out) }
    out.append(title.end)
    out.append(fields)
    return found
  }

  func appendField(
    _ column: Int, _ cells: inout SpelledCells<HTMLText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    appendLabel(column, to: &out)
    let shown = cells.show(column, batch, row, number: number)
    out.append(valueTags[cells.isDim ? .null : cells.isDateOrTime(shown, batch) ? .unbroken : []])
    let found = parts.append(column, shown, of: cells, batch, row, to: &out)
    out.append("</dd>")
    return found
  }

  func appendField(
    _ cell: CellParts, _ cells: inout SpelledCells<HTMLText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    appendLabel(cell.column, to: &out)
    let shown = cells.show(cell.column, batch, row, number: number)
    var traits: HTMLTraits = cells.isDim ? .null : []
    if cell.isInvalid { traits.insert(.invalid) }
    // What shows null has no dates, unless it was styled for its text.
    if !cells.isDim || cell.style != nil, cells.isDateOrTime(shown, batch) { traits.insert(.unbroken) }
    if let own = cell.style, let look = cell.row {
      var place = HTMLStyle.Place(element: .value, traits: traits)
      style.rowStyles.add(own, in: look, to: &place)
      out.append("<dd\(style.attributes(place))>")
    } else {
      out.append(valueTags[traits])
    }
    let found = parts.append(cell, shown, of: cells, batch, row, to: &out)
    out.append("</dd>")
    return found
  }

  func endCard(_ look: SharedLook?, _ messages: [String], to out: inout ByteBuffer) {
    out.append("</dl>")
    if !messages.isEmpty {
      out.append(noteTag)
      parts.append(record: messages, to: &out)
      out.append("</p>")
    }
    out.append("</article>")
  }

  func appendFoot(_ texts: [(column: Int, text: [UInt8])], isFirst: Bool, to out: inout ByteBuffer) {
    if !isFirst { out.append("\n") }
    out.append(footArticle)
    out.append(fields)
    for (column, foot) in texts {
      appendLabel(column, to: &out)
      out.append(valueTags[[]])
      text.append(foot.span, to: &out)
      out.append("</dd>")
    }
    out.append("</dl></article>")
  }

  func appendFoot(_ foot: [UInt8], isFirst: Bool, to out: inout ByteBuffer) {
    if !isFirst { out.append("\n") }
    out.append(sectionFooter)
    text.append(foot.span, to: &out)
    out.append("</p>")
  }
}

extension HTMLCards {
  private func append(label: String, to out: inout ByteBuffer) {
    out.append(labelTag)
    text.append(label.utf8.span, to: &out)
    out.append("</dt>")
  }

  private func appendLabel(_ column: Int, to out: inout ByteBuffer) {
    switch labels[column] {
    case .written(let bytes): out.append(bytes)
    case .long(let title): append(label: title, to: &out)
    }
  }

  private static func caption(_ options: LayoutOptions, _ style: HTMLStyle) -> [UInt8] {
    guard let caption = options.caption else { return [] }
    let attributes = style.attributes(HTMLStyle.Place(element: .caption), class: "caption")
    return Array("<p\(attributes)>".utf8) + HTMLText(options).escaped(caption) + Array("</p>\n".utf8)
  }
}
