/// The style of an HTML table: rules that become a style sheet, or `style=` on each element.
struct HTMLStyle {
  /// The kinds of elements.
  enum Element {
    case page
    case heading
    case region
    case table
    case column
    case row
    case caption
    case indicator
    /// The sign of a field that a rule is about.
    case fieldSign
    /// A visually hidden text.
    case hidden
    case headCell
    case bodyCell
    case rowHeader
    case footCell
    case sectionHead
    case sectionFoot
    case card
    case cardTitle
    case fields
    case label
    case value
    /// The messages about a record, below its card.
    case recordNote
    case form
    case formLabel
    case formValue
  }

  /// An element and what its rules depend on.
  struct Place {
    /// The kind of element.
    var element: Element
    /// The index of its column, from 0.
    var column = 0
    /// Whether it spans all columns.
    var spansColumns = false
    /// How its text is aligned.
    var alignment = Alignment.leading
    /// Where its text may break.
    var breaking = Breaking.words
    /// What it depends on beside.
    var traits: HTMLTraits = []
    /// The classes of its row or cell style, with a style sheet.
    var classes: [String] = []
    /// The declarations of its row or cell style, with inline styles.
    var declarations = ""

    /// Whether it is a cell of a table.
    var isCell: Bool {
      switch element {
      case .headCell, .bodyCell, .rowHeader, .footCell, .sectionHead, .sectionFoot: true
      default: false
      }
    }

    /// Whether it is a body cell or a cell of a section heading or footer.
    var isBody: Bool {
      switch element {
      case .bodyCell, .rowHeader, .sectionHead, .sectionFoot: true
      default: false
      }
    }

    /// Whether its text does not break.
    var isUnbroken: Bool { breaking == .nowhere || traits.contains(.unbroken) }

    /// Whether it is the root element of a fragment.
    var isRoot: Bool { element == .table || element == .card }
  }

  /// One rule of the style.
  struct Rule {
    /// The elements it is for, as a selector.
    var selector: String
    /// Its declarations, without braces; if empty, the rule is dropped.
    var declarations: String

    /// Whether it applies to an element with inline styles; `nil` if it needs a style sheet.
    var applies: ((Place) -> Bool)?
  }

  /// Where the style is written.
  let sheetPlace: StyleSheet

  private let rules: [Rule]

  /// The style of what a script adds; empty if there is none.
  private let pageStyle: String

  /// The widths of columns; empty if there are none, or if they are in a sheet.
  private let columnWidths: [HTMLRules.Width]
  private var isInline: Bool { sheetPlace == .inline }

  /// Whether cells have classes of their columns: in rows from which some are left out, their places do not tell.
  private let namesCells: Bool

  /// The styles of rows and cells that have their own.
  let rowStyles: HTMLRowStyles

  /// Derives the rules of a table or of cards.
  init(
    _ columns: [ShownColumn], _ options: LayoutOptions, _ output: OutputOptions,
    _ styles: RowStyles = RowStyles()
  ) {
    let builder = HTMLRules(
      columns, options, isFragment: output.isFragment,
      hidesTexts: styles.selectionStyle != nil || styles.hasSwatches
        || columns.contains(where: \.isChangeMark), isInteractive: output.page != nil)
    let selects = output.page != nil && options.selectionMode != .none
    rowStyles = HTMLRowStyles(
      styles, isInline: output.styleSheet == .inline, isCards: options.kind == .detail,
      selectionStyle: styles.selectionStyle ?? (selects ? options.selectionStyle : nil))
    let own =
      output.isFragment && output.styleSheet == .embed
      ? builder.fragmentRules : options.kind == .detail ? builder.cardRules : builder.tableRules
    rules = (own + rowStyles.rules).filter { !$0.declarations.isEmpty }
    sheetPlace = output.styleSheet
    namesCells = builder.hasSpans
    pageStyle = output.page == nil ? "" : "\n" + Page.style
    columnWidths = sheetPlace == .inline ? builder.columnWidths : []
  }

  /// The text of the style element; for a fragment, only what it needs in any page.
  var sheet: String {
    var written: [(selector: String, declarations: String)] = []
    for rule in rules {
      if let last = written.indices.last, written[last].selector == rule.selector {
        written[last].declarations += ";" + rule.declarations
      } else {
        written.append((rule.selector, rule.declarations))
      }
    }
    let sheet = written.map { "\($0.selector){\($0.declarations)}" }.joined(separator: "\n")
    return HTMLShade.named(in: sheet + pageStyle)
  }

  /// The attributes that style an element, with a blank before them; empty if it needs none.
  ///
  /// - Parameter name: the class that it has in any case.
  func attributes(_ place: Place, class name: String? = nil) -> String {
    var classes = (name.map { [$0] } ?? []) + (isInline ? [] : Self.classes(place) + place.classes)
    if namesCells, !isInline, place.isCell, !place.spansColumns { classes.append("i\(place.column + 1)") }
    var text = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    if isInline {
      let style = declarations(place)
      if !style.isEmpty { text += " style=\"\(style)\"" }
    }
    return text
  }

  /// The attributes of the table or of a card.
  func attributes(root element: Element, _ options: LayoutOptions) -> String {
    attributes(root: Place(element: element), options)
  }

  /// The attributes of the table or of a card that has its own style.
  func attributes(root place: Place, _ options: LayoutOptions) -> String {
    let hover = options.highlightsHover ? " hover" : ""
    return attributes(place, class: "tabler \(options.kind.rawValue)\(hover)")
  }
}

extension HTMLStyle {
  /// The declarations of all rules for a place.
  ///
  /// If a property is declared twice, the last one wins.
  private func declarations(_ place: Place) -> String {
    var kept: [(property: Substring, text: Substring)] = []
    func keep(_ declarations: String) {
      for text in declarations.split(separator: ";") {
        let property = text.prefix { $0 != ":" }
        kept.removeAll { $0.property == property }
        kept.append((property, text))
      }
    }
    for rule in rules where rule.applies?(place) ?? false { keep(rule.declarations) }
    if place.column < columnWidths.count, !place.spansColumns {
      if place.element == .column { keep(columnWidths[place.column].column) }
      if place.isCell { keep(columnWidths[place.column].cells) }
    }
    keep(place.declarations)
    return kept.map(\.text).joined(separator: ";")
  }

  /// The classes of a place: `r` is for numbers at the trailing edge, `e` for text there.
  private static func classes(_ place: Place) -> [String] {
    if place.element == .column { return place.breaking == .paragraphs ? ["t"] : [] }
    let isUnbroken = place.isUnbroken
    var classes: [String] = []
    switch place.alignment {
    case .leading: if isUnbroken { classes.append("d") }
    case .center: classes += isUnbroken ? ["c", "d"] : ["c"]
    case .trailing, .decimal: classes.append(isUnbroken ? "r" : "e")
    }
    if place.traits.contains(.null) { classes.append("null") }
    if place.traits.contains(.invalid) { classes.append("bad") }
    return classes
  }
}

/// What the look of a cell depends on beside its column and its style.
struct HTMLTraits: OptionSet, Sendable {
  let rawValue: Int

  /// It shows null or a missing cell.
  static let null = HTMLTraits(rawValue: 1)

  /// It is in the first row of its section.
  static let firstRow = HTMLTraits(rawValue: 2)

  /// Its text does not break, whatever its column says.
  static let unbroken = HTMLTraits(rawValue: 4)

  /// It violates a rule.
  static let invalid = HTMLTraits(rawValue: 8)
}

/// The tags of a cell, made ahead: one for each set of the traits that it may have.
struct HTMLTags: Hashable, Sendable {
  private let tags: [[UInt8]]

  /// Makes the tags.
  init(_ possible: HTMLTraits, _ tag: (HTMLTraits) -> String) {
    tags = (0...possible.rawValue).map {
      let traits = HTMLTraits(rawValue: $0)
      return possible.isSuperset(of: traits) ? Array(tag(traits).utf8) : []
    }
  }

  /// The tag of a cell with traits, all of them possible.
  @inline(__always)
  subscript(traits: HTMLTraits) -> [UInt8] { tags[traits.rawValue] }
}
