/// The characters of one horizontal line of a frame.
struct RuleCharacters: Equatable, Sendable {
  /// At the leading edge.
  var leading: String
  /// Along the cells.
  var fill: String
  /// Where a vertical line crosses.
  var cross: String
  /// Where the line after row names crosses.
  var nameCross: String
  /// At the trailing edge.
  var trailing: String

  /// Takes leading edge, fill, cross, cross after row names and trailing edge, a scalar each.
  fileprivate init(_ characters: StaticString) {
    let parts = characters.description.unicodeScalars.map { String($0) }
    leading = parts[0]
    fill = parts[1]
    cross = parts[2]
    nameCross = parts[3]
    trailing = parts[4]
  }
}

/// The characters of a border.
struct BorderStyle: Equatable, Sendable {
  /// Above the table.
  var top: RuleCharacters
  /// Between header and rows where the header lives outside of their region.
  var outside: RuleCharacters
  /// Between header and rows where the header lives inside of their region, and between rows.
  var inside: RuleCharacters
  /// Below the table.
  var bottom: RuleCharacters
  /// At the edges.
  var outerLine: String
  /// Between columns.
  var innerLine: String
  /// After row names.
  var nameLine: String
  /// What List and Stack draw as a single and as a double rule.
  var singleRule: String
  /// The double rule of Stack.
  var doubleRule: String
  /// Whether there are lines between columns unless asked for.
  var hasVerticals = true
  /// Whether there are horizontal lines.
  var hasHorizontals = true

  /// The characters of `border`, or those of `ascii` in its place.
  init(_ border: Border, isASCII: Bool) {
    switch border {
    case .none where isASCII, .rules where isASCII, .ascii: self = .ascii
    case .dots: self = .dots
    case _ where isASCII: self = .ascii
    case .none, .light, .rules: self = .light
    case .heavy: self = .heavy
    case .double: self = .double
    case .round: self = .round
    case .outline: self = .outline
    }
    hasVerticals = border != .none && border != .rules
    hasHorizontals = border != .none
  }

  private init(
    _ rules: (top: StaticString, outside: StaticString, inside: StaticString, bottom: StaticString),
    lines: (outer: String, inner: String, name: String), flow: (single: String, double: String)
  ) {
    top = RuleCharacters(rules.top)
    outside = RuleCharacters(rules.outside)
    inside = RuleCharacters(rules.inside)
    bottom = RuleCharacters(rules.bottom)
    outerLine = lines.outer
    innerLine = lines.inner
    nameLine = lines.name
    singleRule = flow.single
    doubleRule = flow.double
  }

  private static let ascii = BorderStyle(
    ("+-+++", "+=+++", "+-+++", "+-+++"), lines: ("|", "|", "|"), flow: ("-", "="))
  private static let light = BorderStyle(
    ("┌─┬╥┐", "╞═╪╬╡", "├─┼╫┤", "└─┴╨┘"), lines: ("│", "│", "║"), flow: ("─", "═"))
  private static let heavy = BorderStyle(
    ("┏━┳┳┓", "┣━╋╋┫", "┠─╂╂┨", "┗━┻┻┛"), lines: ("┃", "┃", "┃"), flow: ("━", "━"))
  private static let double = BorderStyle(
    ("╔═╦╦╗", "╠═╬╬╣", "╟─╫╫╢", "╚═╩╩╝"), lines: ("║", "║", "║"), flow: ("═", "═"))
  private static let round = BorderStyle(
    ("╭─┬╥╮", "╞═╪╬╡", "├─┼╫┤", "╰─┴╨╯"), lines: ("│", "│", "║"), flow: ("─", "═"))
  private static let dots = BorderStyle(
    (".....", ":.:::", ":.:::", ":.:::"), lines: (":", ":", ":"), flow: (".", "."))
  private static let outline = BorderStyle(
    ("┏━┯┳┓", "┣━┿╋┫", "┠─┼╂┨", "┗━┷┻┛"), lines: ("┃", "│", "┃"), flow: ("━", "━"))
}
