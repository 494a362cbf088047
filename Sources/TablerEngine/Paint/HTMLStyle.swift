/// How an HTML table looks: rules that become a style sheet, or `style=` on each element.
struct HTMLStyle {
  /// What an element is.
  enum Element {
    case table
    case caption
    case headCell
    case bodyCell
    case rowHeader
    case footCell
    case card
    case cardTitle
    case fields
    case label
    case value
  }

  /// An element and what its rules depend on.
  struct Place {
    /// What the element is.
    var element: Element
    /// The column it stands in, from 0.
    var column = 0
    /// Whether it stands in the first row of its section.
    var isFirstRow = false
    /// Where its text stands.
    var alignment = Alignment.leading
    /// Whether it shows null or a missing cell.
    var isNull = false

    /// Whether it is a cell of a table.
    var isCell: Bool {
      switch element {
      case .headCell, .bodyCell, .rowHeader, .footCell: true
      default: false
      }
    }

    /// Whether it is a cell of a row of data.
    var isBody: Bool { element == .bodyCell || element == .rowHeader }
  }

  /// One rule of the style.
  struct Rule {
    /// The elements it is for, as a sheet names them.
    var selector: String
    /// What it declares, without braces; empty drops the rule.
    var declarations: String

    /// Which elements it is for where there is no sheet; `nil` for what only a sheet can do.
    var applies: ((Place) -> Bool)?
  }

  private let rules: [Rule]
  private let isInline: Bool

  /// Works out the rules of a table or of cards.
  init(_ columns: [ShownColumn], _ options: LayoutOptions, isInline: Bool) {
    let builder = HTMLRules(columns, options)
    rules = (options.kind == .detail ? builder.cardRules : builder.tableRules).filter {
      !$0.declarations.isEmpty
    }
    self.isInline = isInline
  }

  /// The text of the style element.
  var sheet: String {
    let screen = rules.map { "\($0.selector){\($0.declarations)}" }.joined(separator: "\n")
    return screen + "\n" + HTMLRules.print
  }

  /// The attribute that styles an element, with a blank before it; empty where it needs none.
  func attribute(_ place: Place) -> String {
    if isInline {
      let style = rules.filter { $0.applies?(place) ?? false }.map(\.declarations).joined(separator: ";")
      return style.isEmpty ? "" : " style=\"\(style)\""
    }
    var classes: [String] = []
    switch place.alignment {
    case .leading: break
    case .center: classes.append("c")
    case .trailing, .decimal: classes.append("r")
    }
    if place.isNull { classes.append("null") }
    return classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
  }

  /// The attribute of the table or of a card.
  func attribute(root element: Element, _ kind: LayoutKind) -> String {
    " class=\"tabler \(kind.rawValue)\"" + (isInline ? attribute(Place(element: element)) : "")
  }
}
