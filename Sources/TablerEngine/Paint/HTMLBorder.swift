/// The shades of an HTML page: the text's colour mixed into that of the page, so that light and dark both do.
enum HTMLShade: Int {
  /// Text of cells.
  case ink = 88
  /// Text beside the data: captions, labels, null.
  case muted = 62
  /// The lines of a head and a foot.
  case edge = 50
  /// Lines of a style that was asked for.
  case line = 35
  /// The lines between rows, and frames.
  case hairline = 12
  /// The lines between columns.
  case faint = 7

  /// The shade as a colour of CSS.
  var css: String { "color-mix(in srgb,CanvasText \(rawValue)%,Canvas)" }
}

/// The lines of a border style in CSS; empty where there is none.
struct HTMLBorder {
  /// The line between rows.
  let row: String

  /// The line between columns.
  let column: String

  /// The line after row names.
  let names: String

  /// The line below a head and above a foot.
  let edge: String

  /// The declarations of the frame round Grid.
  let frame: String

  /// Whether columns are parted by lines.
  let hasVerticals: Bool

  /// The lines of `border`.
  ///
  /// - Parameter marksRows: whether lines between rows were asked for, so that they are to be seen well.
  init(_ border: Border, marksRows: Bool) {
    let isPlain: Bool
    let style: String
    switch border {
    case .none, .ascii, .light, .round, .rules, .outline: (isPlain, style) = (true, "1px solid")
    case .heavy: (isPlain, style) = (false, "2px solid")
    case .double: (isPlain, style) = (false, "3px double")
    case .dots: (isPlain, style) = (false, "1px dotted")
    }
    func line(_ style: String, _ shade: HTMLShade) -> String {
      border == .none ? "" : "\(style) \(shade.css)"
    }
    let thick = isPlain || border == .dots ? "2px" + style.dropFirst(3) : style
    row = line(style, isPlain && !marksRows ? .hairline : .line)
    column = line(style, isPlain ? .faint : .line)
    names = line(thick, isPlain ? .hairline : .line)
    edge = line(border == .heavy ? "3px solid" : thick, .edge)
    hasVerticals = border != .none && border != .rules
    let outer = line(style, isPlain ? .hairline : .line)
    switch border {
    case .none: frame = ""
    case .rules: frame = "border-block:\(outer)"
    case .outline: frame = "border:\(edge)"
    case .round: frame = "border:\(outer);border-radius:.5em"
    default: frame = "border:\(outer)"
    }
  }
}
