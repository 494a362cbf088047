/// The styles of rows and cells in HTML: classes, or inline declarations.
///
/// `z` is a shaded row, `sel` a selected one; `b1` is the first `--row-background`, `o1` the first
/// `--row-overlay`, `k1` the first `--cell`. A color that rows specify has a class for each way it is used:
/// `f1` and `g1` are characters and background, `h1` a background that fades, `p1`, `q1` and `r1` the same of
/// an overlay.
struct HTMLRowStyles {
  private let styles: RowStyles
  private let isInline: Bool

  /// Whether they are for cards.
  private let isCards: Bool

  /// The numbers of the colors that rows may specify, from 1.
  private let numbers: [Style.Color: Int]
  private let colors: [Style.Color]

  /// How selected rows are drawn; `nil` if none can be selected.
  private let selectionStyle: SelectionStyle?

  /// Prepares the styles of a table.
  init(_ styles: RowStyles, isInline: Bool, isCards: Bool, selectionStyle: SelectionStyle?) {
    self.styles = styles
    self.selectionStyle = selectionStyle
    self.isInline = isInline
    self.isCards = isCards
    colors = (styles.palette ?? []).sorted { $0.css < $1.css }
    var numbers: [Style.Color: Int] = [:]
    for (index, color) in colors.enumerated() { numbers[color] = index + 1 }
    self.numbers = numbers
  }

  /// The place of a row or card with this look.
  func place(_ element: HTMLStyle.Element, _ look: RowLook) -> HTMLStyle.Place {
    var place = HTMLStyle.Place(element: element)
    if isInline {
      var parts = look.isStriped ? [Self.stripe] : []
      if let background = look.background { parts.append(background.declarations) }
      if look.isSelected { parts.append(selection) }
      if let overlay = look.overlay { parts.append(overlay.declarations) }
      place.declarations = parts.joined(separator: ";")
      return place
    }
    if look.isStriped { place.classes.append("z") }
    if let background = look.background {
      place.classes.append("b\(background.number)")
      place.classes += named(background, ["f", "g", "h"])
    }
    if look.isSelected { place.classes.append("sel") }
    if let overlay = look.overlay {
      place.classes.append("o\(overlay.number)")
      place.classes += named(overlay, ["p", "q", "r"])
    }
    return place
  }

  /// Adds the style of a cell.
  func add(_ cell: AppliedStyle?, in look: RowLook, to place: inout HTMLStyle.Place) {
    if isInline {
      let parts = [cell, look.overlay?.withoutBox].compactMap { $0?.declarations }.filter { !$0.isEmpty }
      place.declarations = parts.joined(separator: ";")
    } else if let cell {
      place.classes.append("k\(cell.number)")
      if !cell.isSwatch { place.classes += named(cell, ["f", "g", "h"]) }
    }
  }

  /// The attributes of a swatch.
  func swatch(_ color: Style.Color) -> String {
    isInline ? " style=\"color:\(color.css)\"" : " class=\"f\(numbers[color] ?? 0)\""
  }

  /// The classes for colors that depend on the row.
  private func named(_ style: AppliedStyle, _ letters: [String]) -> [String] {
    var classes: [String] = []
    if let color = style.namedForeground, let number = numbers[color] {
      classes.append(letters[0] + "\(number)")
    }
    if let color = style.namedBackground, let number = numbers[color] {
      classes.append(letters[style.isGradient ? 2 : 1] + "\(number)")
    }
    return classes
  }

  private static let stripe = "background:color-mix(in srgb,CanvasText 5%,Canvas)"

  /// The declarations for a selected row.
  private var selection: String {
    switch selectionStyle {
    case .overlay: "outline:2px solid AccentColor;outline-offset:-2px;border-radius:.4em"
    case .marker:
      "color:CanvasText;background:color-mix(in srgb,AccentColor 15%,Canvas);box-shadow:inset .25em 0 AccentColor"
    case .background, nil: "color:CanvasText;background:color-mix(in srgb,AccentColor 15%,Canvas)"
    }
  }

  /// The rules of a sheet.
  var rules: [HTMLStyle.Rule] {
    if styles.isEmpty, selectionStyle == nil { return [] }
    var rules: [HTMLStyle.Rule] = []
    func add(_ selector: String, _ declarations: String) {
      rules.append(HTMLStyle.Rule(selector: selector, declarations: declarations))
    }
    // A card is the element with the class; a row is inside it.
    let root = isCards ? ".tabler" : ".tabler "
    let looks = styles.looks
    let uses = styles.colorUses
    if styles.isStriped { add(".tabler .z", Self.stripe) }
    addColors(uses.background, "g", to: &rules, Self.background)
    addColors(uses.gradient, "h", to: &rules, Self.gradient)
    for look in looks.backgrounds {
      add(root + ".b\(look.number)", look.declarations)
    }
    addColors(uses.foreground, "f", to: &rules) { "color:\($0.css)" }
    // Muted shades are chosen for the page's background and may be illegible on these.
    let colored =
      looks.backgrounds.filter { $0.setsColors || uses.background }.map { "b\($0.number)" }
      + looks.overlays.filter { $0.setsColors || uses.overlayBackground }.map { "o\($0.number)" }
    let shaded = colored.flatMap { name in
      (isCards ? ["h2", "h3", "dt", ".null", ".bad"] : [".null", ".bad"]).map { ".\(name) \($0)" }
    }
    add(shaded.joined(separator: ","), shaded.isEmpty ? "" : "color:inherit")
    if selectionStyle != nil { add(root + ".sel", selection) }
    let below =
      (styles.isStriped ? ["z"] : []) + looks.backgrounds.map { "b\($0.number)" }
      + (selectionStyle == nil ? [] : ["sel"])
    // Sticky row names would otherwise keep the background of the page.
    add(below.map { ".tabler .\($0)>th" }.joined(separator: ","), below.isEmpty ? "" : "background:inherit")
    for look in looks.cells { add(".tabler .k\(look.number)", look.declarations) }
    addColors(uses.overlayBackground, "q", child: ">*", to: &rules, Self.background)
    addColors(uses.overlayGradient, "r", child: ">*", to: &rules, Self.gradient)
    for look in looks.overlays {
      let name = ".o\(look.number)"
      add(".tabler \(name)>*,.tabler \(name)>th,.tabler\(name)>*", look.withoutBox.declarations)
      if look.isBoxed { add(root + name, AppliedStyle.outline) }
    }
    addColors(uses.overlayForeground, "p", child: ">*", to: &rules) { "color:\($0.css)" }
    return rules + (styles.drawsBars && !isInline ? Self.bars(of: styles.barRooms) : [])
  }

  /// The rules for bars of some widths, in characters: a border is visible in print and with forced colors, too.
  private static func bars(of rooms: [Int]) -> [HTMLStyle.Rule] {
    let bar = HTMLStyle.Rule(
      selector: ".tabler .bar",
      declarations: "display:inline-flex;vertical-align:middle;margin-inline-start:1ch;block-size:.75em;"
        + "font-weight:normal")
    let block = HTMLStyle.Rule(
      selector: ".tabler .bar b", declarations: "border-block-start:.75em solid;opacity:.6")
    let widths = rooms.map {
      HTMLStyle.Rule(selector: ".tabler .n\($0)", declarations: "inline-size:\($0)ch")
    }
    let lengths = (0...100).map {
      HTMLStyle.Rule(selector: ".bar .l\($0)", declarations: "flex:none;inline-size:\($0)%")
    }
    return [bar, block] + widths + lengths
  }

  private func addColors(
    _ isUsed: Bool, _ letter: String, child: String = "", to rules: inout [HTMLStyle.Rule],
    _ declarations: (Style.Color) -> String
  ) {
    guard isUsed else { return }
    for (index, color) in colors.enumerated() {
      let name = ".\(letter)\(index + 1)"
      let header = child.isEmpty ? "" : ",.tabler \(name)>th"
      let selector = ".tabler \(name)\(child)\(header),.tabler\(name)\(child)"
      rules.append(HTMLStyle.Rule(selector: selector, declarations: declarations(color)))
    }
  }

  /// A background with a readable foreground.
  private static func background(_ color: Style.Color) -> String {
    "background:\(color.css);color:\(color.isDark ? "white" : "black")"
  }

  /// A gradient that fades to the right, pale enough for the page's text color.
  fileprivate static func gradient(_ color: Style.Color) -> String {
    "background:linear-gradient(to right,color-mix(in srgb,\(color.css) 40%,Canvas),Canvas)"
  }
}

extension AppliedStyle {
  /// A thin line around a row.
  fileprivate static let outline = "outline:1px solid;outline-offset:-1px;border-radius:.4em"

  /// Whether it always sets a foreground or background.
  fileprivate var setsColors: Bool {
    style.foreground != nil || style.background != nil || style.isInverse
  }

  fileprivate var withoutBox: AppliedStyle {
    var style = self
    style.isBoxed = false
    return style
  }

  /// The style as CSS declarations; only the properties it sets.
  fileprivate var declarations: String {
    var parts: [String] = []
    if style.isBold { parts.append("font-weight:bold") }
    if style.isItalic { parts.append("font-style:italic") }
    if style.isDim { parts.append("opacity:.7") }
    let lines = [style.isUnderlined ? "underline" : "", style.isStruck ? "line-through" : ""]
      .filter { !$0.isEmpty }.joined(separator: " ")
    if !lines.isEmpty { parts.append("text-decoration:\(lines)") }
    let seen = namesForeground || isGradient ? style : style.legible
    let front = seen.foreground?.css ?? (style.isInverse ? "CanvasText" : nil)
    let back = style.background?.css ?? (style.isInverse ? "Canvas" : nil)
    if let color = style.isInverse ? back : front { parts.append("color:\(color)") }
    if isGradient, let color = style.background {
      parts.append(HTMLRowStyles.gradient(color))
    } else if let color = style.isInverse ? front : back {
      parts.append("background:\(color)")
    }
    if isBoxed { parts.append(Self.outline) }
    return parts.joined(separator: ";")
  }
}
