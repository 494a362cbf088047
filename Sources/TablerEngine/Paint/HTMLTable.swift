/// The tags and titles of an HTML table.
struct HTMLTable {
  /// The columns.
  let columns: [ShownColumn]

  /// The signs of the sort order, by column.
  private let signs: [[UInt8]]

  private let options: LayoutOptions
  private let style: HTMLStyle

  /// Works out the signs.
  init(_ columns: [ShownColumn], _ options: LayoutOptions, _ style: HTMLStyle) {
    self.columns = columns
    self.options = options
    self.style = style
    signs = HeaderSigns(columns, options).signs
  }

  /// Appends everything from the table's tag to its head.
  func appendOpening(to out: inout ByteBuffer) {
    out.append("<table\(style.attributes(root: .table, options.kind))>\n")
    if let caption = options.caption {
      out.append("<caption\(style.attributes(HTMLStyle.Place(element: .caption)))>")
      let bytes = Array(caption.utf8)
      HTMLText(options).append(bytes.span, to: &out)
      out.append("</caption>\n")
    }
    out.append("<colgroup>")
    for index in columns.indices {
      var place = HTMLStyle.Place(element: .column)
      place.breaking = columns[index].breaking
      out.append("<col\(style.attributes(place, class: "c\(index + 1)"))>")
    }
    out.append("</colgroup>\n")
  }

  /// Appends the head of the table, if it has one.
  func appendHead(to out: inout ByteBuffer) {
    guard options.hasHeader else { return }
    out.append("<thead><tr>")
    for index in columns.indices {
      let attribute = style.attributes(place(.headCell, index))
      guard !columns[index].title.isEmpty || !signs[index].isEmpty else {
        out.append("<td\(attribute)></td>")
        continue
      }
      out.append("<th scope=\"col\"\(attribute)")
      if let sort = columns[index].sort, sort.rank == 1 {
        out.append(sort.isDescending ? " aria-sort=\"descending\"" : " aria-sort=\"ascending\"")
      }
      out.append(">")
      appendTitle(index, to: &out)
      out.append("</th>")
    }
    out.append("</tr></thead>\n")
  }

  /// Appends a title, escaped, with its sign.
  func appendTitle(_ index: Int, to out: inout ByteBuffer) {
    let html = HTMLText(options)
    let title = columns[index].title
    html.append(title.utf8.span, to: &out)
    let sign = signs[index]
    guard !sign.isEmpty else { return }
    let indicator = style.attributes(HTMLStyle.Place(element: .indicator), class: "ind")
    out.append("\(title.isEmpty ? "" : " ")<span\(indicator) aria-hidden=\"true\">")
    html.append(sign.span, to: &out)
    out.append("</span>")
  }

  /// The name of the elements in a column of the body.
  func name(_ index: Int) -> String { columns[index].isRowHeader ? "th" : "td" }

  /// The tag of a cell in the body.
  func bodyTag(_ index: Int, isFirstRow: Bool, isNull: Bool) -> String {
    let isHeader = columns[index].isRowHeader
    var place = place(isHeader ? .rowHeader : .bodyCell, index)
    place.isFirstRow = isFirstRow
    place.isNull = isNull
    return (isHeader ? "<th scope=\"row\"" : "<td") + style.attributes(place) + ">"
  }

  /// The tag of a cell in the foot.
  func footTag(_ index: Int, isFirstRow: Bool) -> String {
    var place = place(.footCell, index)
    place.isFirstRow = isFirstRow
    return "<td\(style.attributes(place))>"
  }

  /// The tag of the cell over all columns in which the heading of a section stands.
  func headingTag(isFirst: Bool) -> String {
    var place = HTMLStyle.Place(element: .sectionHead, column: columns.count - 1)
    place.isFirstRow = isFirst
    return "<th colspan=\"\(max(columns.count, 1))\" scope=\"rowgroup\"\(style.attributes(place))>"
  }

  /// The tag of a cell in the footer of a section; of the one over all columns, if no column is given.
  func sectionFootTag(_ index: Int?) -> String {
    if let index { return "<td\(style.attributes(place(.sectionFoot, index)))>" }
    let place = HTMLStyle.Place(element: .sectionFoot, column: columns.count - 1, alignment: .trailing)
    return "<td colspan=\"\(max(columns.count, 1))\"\(style.attributes(place))>"
  }

  private func place(_ element: HTMLStyle.Element, _ index: Int) -> HTMLStyle.Place {
    HTMLStyle.Place(
      element: element, column: index, alignment: columns[index].alignment ?? .leading,
      breaking: columns[index].breaking)
  }
}
