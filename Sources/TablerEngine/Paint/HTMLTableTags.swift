/// The tags and titles of an HTML table.
struct HTMLTableTags {
  /// The columns.
  let columns: [ShownColumn]

  /// The signs of the sort order, by column.
  private let signs: HeaderSigns

  /// The titles over several columns.
  private let header: SpannedHeader

  private let options: LayoutOptions
  private let style: HTMLStyle

  /// Works out the signs.
  init(_ columns: [ShownColumn], _ options: LayoutOptions, _ style: HTMLStyle) {
    self.columns = columns
    self.options = options
    self.style = style
    signs = HeaderSigns(columns, options)
    header = SpannedHeader(columns.map(\.spans))
  }

  /// Appends everything from the table's tag to its head.
  ///
  /// - Parameter page: what the script of the page is told, if there is one.
  func appendOpening(_ page: Page?, to out: inout ByteBuffer) {
    out.append("<table\(style.attributes(root: .table, options))")
    page?.appendDescription(to: &out)
    out.append(">\n")
    if let caption = options.caption {
      out.append("<caption\(style.attributes(HTMLStyle.Place(element: .caption)))>")
      let bytes = Array(caption.utf8)
      HTMLText(options).append(bytes.span, to: &out)
      out.append("</caption>\n")
    }
    out.append("<colgroup>")
    for index in columns.indices {
      // A title over several columns is the header of a group of columns.
      if index > 0, let spans = header.lines.first, !spans.isShared(index - 1, index),
        spans.title(over: index - 1) != nil || spans.title(over: index) != nil
      {
        out.append("</colgroup><colgroup>")
      }
      var place = HTMLStyle.Place(element: .column)
      place.column = index
      place.breaking = columns[index].breaking
      out.append("<col\(style.attributes(place, class: "c\(index + 1)"))>")
    }
    out.append("</colgroup>\n")
  }

  /// Appends the head of the table, if it has one.
  func appendHead(to out: inout ByteBuffer) {
    guard options.hasHeader else { return }
    out.append("<thead>")
    let count = header.lines.count
    for number in 0...count {
      out.append(number == 0 ? "<tr>" : "\n<tr>")
      if number < count {
        for segment in header.lines[number].segments { appendSpan(segment, onLine: number, to: &out) }
      } else {
        for index in columns.indices where header.freeLines(above: index) == 0 {
          appendHeadCell(index, to: &out)
        }
      }
      out.append("</tr>")
    }
    out.append("</thead>\n")
  }

  /// Appends a title over several columns, or what is on its line above a column without one.
  private func appendSpan(
    _ segment: SpannedHeader.TitleSpan, onLine number: Int, to out: inout ByteBuffer
  ) {
    let index = segment.columns.lowerBound
    guard let title = segment.title else {
      // A title of a column begins on the first of the free lines above it.
      let first = header.lines.count - header.freeLines(above: index)
      if number == first { appendHeadCell(index, to: &out) }
      if number < first { out.append("<td\(style.attributes(place(.headCell, index)))></td>") }
      return
    }
    var place = place(.headCell, segment.columns.upperBound - 1)
    place.alignment = .center
    out.append("<th scope=\"colgroup\" colspan=\"\(segment.columns.count)\"\(style.attributes(place))>")
    HTMLText(options).append(title.utf8.span, to: &out)
    out.append("</th>")
  }

  /// Appends the title of a column.
  private func appendHeadCell(_ index: Int, to out: inout ByteBuffer) {
    let height = header.freeLines(above: index) + 1
    let span = height > 1 ? " rowspan=\"\(height)\"" : ""
    let attribute = style.attributes(place(.headCell, index))
    guard !columns[index].title.isEmpty || !signs.signs[index].isEmpty else {
      return out.append("<td\(span)\(attribute)></td>")
    }
    out.append("<th scope=\"col\"\(span)\(attribute)")
    if let sort = columns[index].sort, sort.rank == 1 {
      out.append(sort.isDescending ? " aria-sort=\"descending\"" : " aria-sort=\"ascending\"")
    }
    out.append(">")
    appendTitle(index, to: &out)
    out.append("</th>")
  }

  /// Appends a title, escaped, with its sign.
  func appendTitle(_ index: Int, to out: inout ByteBuffer) {
    let html = HTMLText(options)
    let title = columns[index].title
    html.append(title.utf8.span, to: &out)
    if signs.rooms[index] > 0 {
      let indicator = style.attributes(HTMLStyle.Place(element: .indicator), class: "ind")
      out.append("\(title.isEmpty ? "" : " ")<span\(indicator) aria-hidden=\"true\">")
      let sign = signs.signs[index]
      html.append(sign.span, to: &out)
      out.append("</span>")
    }
    appendMarkRoom(index, to: &out)
  }

  /// Appends the room that marks of invalid cells and bars have in the column.
  func appendMarkRoom(_ index: Int, to out: inout ByteBuffer) {
    if columns[index].mark != nil {
      let attributes = style.attributes(HTMLStyle.Place(element: .fieldSign), class: "mark")
      out.append("<span\(attributes) aria-hidden=\"true\"></span>")
    }
    if columns[index].barRoom > 0 { out.append(HTMLParts.bar(room: columns[index].barRoom)) }
  }

  /// The name of the elements in a column of the body.
  func name(_ index: Int) -> String { isRowHeader(index) ? "th" : "td" }

  /// Whether the cells of a column are row headers.
  private func isRowHeader(_ index: Int) -> Bool { columns[index].isRowHeader || columns[index].isGroupKey }

  /// The tag of a row with this look.
  func rowTag(_ look: RowLook) -> String { "<tr\(style.attributes(style.rowStyles.place(.row, look)))>" }

  /// The tag of a cell in the body.
  ///
  /// - Parameter cell: the look of its row and its own, if its row has one.
  func bodyTag(_ index: Int, _ traits: HTMLTraits, _ cell: CellParts? = nil) -> String {
    let isHeader = isRowHeader(index)
    var place = place(isHeader ? .rowHeader : .bodyCell, index, traits)
    if let cell, let look = cell.row { style.rowStyles.add(cell.style, in: look, to: &place) }
    return (isHeader ? "<th scope=\"row\"" : "<td") + style.attributes(place) + ">"
  }

  /// The tag of a cell with what is wrong with a record.
  var messageTag: String {
    let place = HTMLStyle.Place(
      element: .bodyCell, column: columns.count - 1, spansColumns: true, traits: .invalid)
    let span = options.flow == nil ? " colspan=\"\(max(columns.count, 1))\"" : ""
    return "<td\(span)\(style.attributes(place, class: "note"))>"
  }

  /// The tag of the cell across all columns in place of rows that are left out.
  var gapTag: String {
    let place = HTMLStyle.Place(
      element: .bodyCell, column: columns.count - 1, spansColumns: true, alignment: .leading, traits: .null)
    return "<td colspan=\"\(max(columns.count, 1))\"\(style.attributes(place))>"
  }

  /// The tag of a cell in the foot.
  func footTag(_ index: Int, _ traits: HTMLTraits) -> String {
    "<td\(style.attributes(place(.footCell, index, traits)))>"
  }

  /// The row tag of a section heading.
  ///
  /// With `adaptive`, it spans the whole line.
  var headingRow: String { options.flow == nil ? "<tr>" : "<tr class=\"section\">" }

  /// The tag of the cell across all columns that has the heading of a section.
  func headingTag(isFirst: Bool) -> String {
    let place = HTMLStyle.Place(
      element: .sectionHead, column: columns.count - 1, spansColumns: true, traits: isFirst ? .firstRow : [])
    return "<th colspan=\"\(max(columns.count, 1))\" scope=\"rowgroup\"\(style.attributes(place))>"
  }

  /// The tag of a cell in the footer of a section; of the one over all columns, if no column is given.
  func sectionFootTag(_ index: Int?) -> String {
    if let index { return "<td\(style.attributes(place(.sectionFoot, index)))>" }
    let place = HTMLStyle.Place(
      element: .sectionFoot, column: columns.count - 1, spansColumns: true, alignment: .trailing)
    return "<td colspan=\"\(max(columns.count, 1))\"\(style.attributes(place))>"
  }

  private func place(
    _ element: HTMLStyle.Element, _ index: Int, _ traits: HTMLTraits = []
  ) -> HTMLStyle.Place {
    HTMLStyle.Place(
      element: element, column: index, alignment: columns[index].alignment ?? .leading,
      breaking: columns[index].breaking, traits: traits)
  }
}
