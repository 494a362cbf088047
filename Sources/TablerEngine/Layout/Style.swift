/// The attributes and colors of text.
public struct Style: Equatable, Sendable {
  /// A color as written.
  public enum Color: Hashable, Sendable {
    /// One of the 16 terminal colors, 0 to 15.
    case terminal(UInt8)
    /// Red, green, blue.
    case rgb(UInt8, UInt8, UInt8)
  }

  /// Whether it is bold.
  public var isBold = false
  /// Whether it is dim.
  public var isDim = false
  /// Whether it is italic.
  public var isItalic = false
  /// Whether it is underlined.
  public var isUnderlined = false
  /// Whether it is struck through.
  public var isStruck = false
  /// Whether foreground and background are swapped.
  public var isInverse = false
  /// The foreground color.
  public var foreground: Color?
  /// The background color.
  public var background: Color?

  /// Creates a plain style.
  public init() {}

  /// The style of frames, rules and missing cells.
  static let dim: Style = {
    var style = Style()
    style.isDim = true
    return style
  }()

  /// The style of selected rows with `--selection-style background`.
  static let inverse: Style = {
    var style = Style()
    style.isInverse = true
    return style
  }()

  /// The default style of headers.
  static let bold: Style = {
    var style = Style()
    style.isBold = true
    return style
  }()
}

extension Style {
  /// The style with a readable foreground, if it has a background and no foreground.
  var legible: Style {
    guard let background, foreground == nil, !isInverse else { return self }
    var style = self
    style.foreground = .terminal(background.isDark ? 15 : 0)
    return style
  }

  /// The style with another one on top.
  ///
  /// The colors of `top` win; attributes add up.
  func under(_ top: Style) -> Style {
    var style = self
    style.isBold = isBold || top.isBold
    style.isDim = isDim || top.isDim
    style.isItalic = isItalic || top.isItalic
    style.isUnderlined = isUnderlined || top.isUnderlined
    style.isStruck = isStruck || top.isStruck
    // An explicit background is not inverted.
    style.isInverse = top.isInverse || isInverse && top.background == nil
    style.foreground = top.foreground ?? foreground
    style.background = top.background ?? background
    return style
  }
}

extension Style.Color {
  /// The color that a name or `#rgb` means, if any.
  ///
  /// A name that terminals have is the terminal's own color, so that it fits the user's palette.
  public init?(name: String) {
    if name.hasPrefix("#") {
      self.init(hexadecimal: name.dropFirst())
    } else if let index = Self.terminalNames.firstIndex(of: name) {
      self = .terminal(UInt8(index))
    } else if name.hasPrefix("bright-"),
      let index = Self.terminalNames.firstIndex(of: String(name.dropFirst("bright-".count)))
    {
      self = .terminal(UInt8(index + 8))
    } else if let color = Self.named[name] {
      self = color
    } else {
      return nil
    }
  }

  private init?(hexadecimal digits: Substring) {
    let nibbles = digits.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map { UInt8($0) } }
    guard nibbles.count == digits.utf8.count else { return nil }
    switch nibbles.count {
    case 3: self = .rgb(nibbles[0] * 17, nibbles[1] * 17, nibbles[2] * 17)
    case 6:
      self = .rgb(nibbles[0] << 4 | nibbles[1], nibbles[2] << 4 | nibbles[3], nibbles[4] << 4 | nibbles[5])
    default: return nil
    }
  }

  /// The known name nearest to an unknown one.
  public static func nearestName(to name: String) -> String? {
    name.nearest(among: terminalNames + named.keys.sorted() + terminalNames.map { "bright-" + $0 })
  }

  /// Whether white text has more contrast on it than black text, by the relative luminance of WCAG 2.
  var isDark: Bool {
    func linear(_ value: UInt8) -> Double {
      let part = Double(value) / 255
      // An approximation of the sRGB transfer function.
      return part * part * (0.3 * part + 0.7)
    }
    let (red, green, blue) = rgb
    // At 0.179 black and white have the same contrast.
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) < 0.179
  }

  /// The color between this one and another.
  ///
  /// - Parameter part: how much there is of the other, from 0 to 1.
  func mixed(with other: Style.Color, _ part: Double) -> Style.Color {
    func mix(_ first: UInt8, _ last: UInt8) -> UInt8 {
      UInt8((Double(first) + (Double(last) - Double(first)) * part).rounded())
    }
    let (first, last) = (rgb, other.rgb)
    return .rgb(mix(first.0, last.0), mix(first.1, last.1), mix(first.2, last.2))
  }

  /// Red, green and blue; for a terminal color those of the corresponding CSS color.
  private var rgb: (UInt8, UInt8, UInt8) {
    switch self {
    case .rgb(let red, let green, let blue): (red, green, blue)
    case .terminal(let number):
      [
        (0, 0, 0), (255, 0, 0), (0, 128, 0), (255, 255, 0), (0, 0, 255), (255, 0, 255), (0, 255, 255),
        (255, 255, 255), (128, 128, 128), (255, 85, 85), (85, 255, 85), (255, 255, 85), (85, 85, 255),
        (255, 85, 255), (85, 255, 255), (255, 255, 255),
      ][min(Int(number), 15)]
    }
  }

  /// All colors that have a name.
  static var allNamed: Set<Style.Color> {
    Set((0..<16).map { .terminal($0) } + named.values)
  }

  private static let terminalNames = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
  ]

  /// The basic CSS names that terminals do not have, and a few more.
  private static let named: [String: Style.Color] = [
    "aqua": .terminal(6), "fuchsia": .terminal(5), "gray": .terminal(8), "grey": .terminal(8),
    "lime": .terminal(10), "maroon": .rgb(128, 0, 0), "navy": .rgb(0, 0, 128), "olive": .rgb(128, 128, 0),
    "purple": .rgb(128, 0, 128), "silver": .rgb(192, 192, 192), "teal": .rgb(0, 128, 128),
    "orange": .rgb(255, 165, 0), "brown": .rgb(165, 42, 42), "pink": .rgb(255, 192, 203),
  ]
}

/// A rule about how rows or cells look: `[ EXPR "->" ] STYLE` of `--row-background`, `--row-overlay` and `--cell`.
public struct StyleRule: Sendable {
  /// The condition for a row; if there is none, the rule is for every row.
  public var condition: SourceExpression?

  /// The attributes, and the colors that are the same in all rows.
  public var style = Style()

  /// The expression for the foreground color, if there is one.
  public var foreground: SourceExpression?

  /// The expression for the background color, if there is one.
  public var background: SourceExpression?

  /// Whether a box is drawn around it.
  public var isBoxed = false

  /// Whether a cell shows the color that it names.
  public var isSwatch = false

  /// Whether the background fades, which only HTML can show.
  public var isGradient = false

  /// The cells of the longest bar, if a cell has one beside its number.
  public var bar: Int?

  /// The cells of the longest bar if no number is given.
  public static let usualBar = 12

  /// The colors between which the background of a cell is chosen by its number, if it is.
  public var heat: HeatColors?

  /// Creates a rule that changes nothing.
  public init() {}

  /// Whether it has an expression.
  var readsRow: Bool { condition != nil || foreground != nil || background != nil }

  /// Whether it changes nothing about the text itself.
  var isPlain: Bool {
    style == Style() && foreground == nil && background == nil && heat == nil && !isBoxed && !isSwatch
      && !isGradient
  }
}

/// A rule about the cells of columns: `COL ":" RULE` of `--cell`.
public struct CellStyleRule: Sendable {
  /// The columns.
  public var columns: ColumnSelector

  /// The whole text given to the option, for messages.
  public var text: String

  /// The range of the columns in it, in bytes.
  public var range: Range<Int>

  /// The style of their cells.
  public var rule: StyleRule

  /// The columns as typed.
  var typedColumns: String { String(decoding: Array(text.utf8)[range], as: UTF8.self).trimmingBlanks }

  /// Combines a rule with its columns.
  public init(_ columns: ColumnSelector, in text: String, range: Range<Int>, _ rule: StyleRule) {
    self.columns = columns
    self.text = text
    self.range = range
    self.rule = rule
  }
}

/// How selected rows are marked: `--selection-style`.
public enum SelectionStyle: String, CaseIterable, Sendable {
  /// A mark before the row.
  case marker
  /// A background.
  case background
  /// A box around the row.
  case overlay
}

/// How many rows may be selected: `--select-mode`.
public enum SelectionMode: String, CaseIterable, Sendable {
  /// None: nothing is marked.
  case none
  /// At most one: more than one is exit status 1.
  case single
  /// Any number.
  case multi
}
