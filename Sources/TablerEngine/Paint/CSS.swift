/// A length in CSS: a sum of pixels, ems and character widths.
struct CSSLength: Equatable {
  private var pixels = 0.0
  private var ems = 0.0
  private var characters = 0.0

  /// In pixels.
  static func pixels(_ amount: Double) -> CSSLength {
    var length = CSSLength()
    length.pixels = amount
    return length
  }

  /// In ems.
  static func ems(_ amount: Double) -> CSSLength {
    var length = CSSLength()
    length.ems = amount
    return length
  }

  /// In `ch`.
  static func characters(_ amount: Double) -> CSSLength {
    var length = CSSLength()
    length.characters = amount
    return length
  }

  /// A vertical length: a bare number counts lines of 1.25em.
  static func vertical(_ length: Length) -> CSSLength { CSSLength(length, line: 1.25) }

  /// A horizontal length: a bare number counts characters.
  static func horizontal(_ length: Length) -> CSSLength { CSSLength(length, line: nil) }

  private init() {}

  private init(_ length: Length, line: Double?) {
    let amount = length.amount.isNaN ? 0 : min(max(length.amount, -10_000), 10_000)
    switch length.unit {
    case .pixels: pixels = amount
    case .ems: ems = amount
    case .cells: if let line { ems = amount * line } else { characters = amount }
    }
  }

  /// The sum, unit by unit.
  static func + (left: CSSLength, right: CSSLength) -> CSSLength {
    var sum = left
    sum.pixels += right.pixels
    sum.ems += right.ems
    sum.characters += right.characters
    return sum
  }

  /// The negated length.
  var negated: CSSLength {
    var negated = self
    negated.pixels.negate()
    negated.ems.negate()
    negated.characters.negate()
    return negated
  }

  /// The length divided by two.
  var half: CSSLength {
    var half = self
    half.pixels /= 2
    half.ems /= 2
    half.characters /= 2
    return half
  }

  /// The length in CSS syntax; never negative.
  var css: String {
    let parts = [(pixels, "px"), (ems, "em"), (characters, "ch")].filter { $0.0 != 0 }
    guard let first = parts.first else { return "0" }
    if parts.count == 1 { return first.0 < 0 ? "0" : Self.digits(first.0) + first.1 }
    let sum = parts.map { Self.digits($0.0) + $0.1 }.joined(separator: " + ")
    return parts.contains { $0.0 < 0 } ? "max(0px,\(sum))" : "calc(\(sum))"
  }

  /// The number with at most three decimals, and no exponent.
  private static func digits(_ amount: Double) -> String {
    let thousandths = Int((amount * 1000).rounded())
    var fraction = String(thousandths.magnitude % 1000)
    fraction = String(repeating: "0", count: 3 - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    let whole = thousandths.magnitude / 1000
    let text = fraction.isEmpty ? String(whole) : (whole == 0 ? "." : "\(whole).") + fraction
    return (thousandths < 0 ? "-" : "") + text
  }
}

extension Style {
  /// The style as CSS declarations.
  var css: String {
    var parts = [isBold ? "font-weight:bold" : "font-weight:normal"]
    if isItalic { parts.append("font-style:italic") }
    if isDim { parts.append("opacity:.7") }
    let lines = [isUnderlined ? "underline" : "", isStruck ? "line-through" : ""]
    let decoration = lines.filter { !$0.isEmpty }.joined(separator: " ")
    if !decoration.isEmpty { parts.append("text-decoration:\(decoration)") }
    let front = foreground?.css ?? (isInverse ? "CanvasText" : nil)
    let back = background?.css ?? (isInverse ? "Canvas" : nil)
    if let color = isInverse ? back : front { parts.append("color:\(color)") }
    if let color = isInverse ? front : back { parts.append("background:\(color)") }
    return parts.joined(separator: ";")
  }
}

extension Style.Color {
  /// The color in CSS syntax.
  var css: String {
    switch self {
    case .terminal(let number):
      let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray", "#f55", "#5f5", "#ff5",
        "#55f", "#f5f", "#5ff", "#fff",
      ]
      return names[min(Int(number), names.count - 1)]
    case .rgb(let red, let green, let blue): return "rgb(\(red),\(green),\(blue))"
    }
  }
}

/// Shades that mix the text color into the background, so that they work in light and dark.
enum HTMLShade: Int, CaseIterable {
  /// Text of cells.
  case ink = 88
  /// Text beside the data: captions, labels, null.
  case muted = 62
  /// The lines of a head and a foot.
  case edge = 50
  /// Lines that the style asks for.
  case line = 35
  /// The lines between rows, and frames.
  case hairline = 12
  /// The lines between columns.
  case faint = 7

  /// The shade as a CSS color.
  var css: String { "color-mix(in srgb,CanvasText \(rawValue)%,Canvas)" }

  /// A style sheet in which repeated shades are named; its first rule declares the names.
  ///
  /// - Parameter sheet: begins with the rule of the root element.
  static func named(in sheet: String) -> String {
    var sheet = Array(sheet.utf8)
    let root = Array(":root{".utf8)
    guard sheet.starts(with: root) else { return String(decoding: sheet, as: UTF8.self) }
    var names: [UInt8] = []
    for shade in allCases {
      let color = Array(shade.css.utf8)
      let places = sheet.places(of: color)
      guard places.count > 1 else { continue }
      let name = "--s\(shade.rawValue)"
      for place in places.reversed() {
        sheet.replaceSubrange(place..<place + color.count, with: Array("var(\(name))".utf8))
      }
      names += Array("\(name):".utf8) + color + [UInt8(ascii: ";")]
    }
    sheet.insert(contentsOf: names, at: root.count)
    return String(decoding: sheet, as: UTF8.self)
  }
}

extension [UInt8] {
  /// The offsets of `part`.
  fileprivate func places(of part: [UInt8]) -> [Int] {
    indices.filter { self[$0] == part[0] && self[$0...].starts(with: part) }
  }
}

/// The lines of a border style in CSS; empty if there is none.
struct HTMLBorder {
  /// The line between rows.
  let row: String

  /// The line between columns.
  let column: String

  /// The line after row names.
  let names: String

  /// The line below a head and above a foot.
  let edge: String

  /// The declarations of the frame around Grid.
  let frame: String

  /// Whether columns are separated by lines.
  let hasVerticals: Bool

  /// The lines of `border`.
  ///
  /// - Parameter marksRows: whether row rules were requested, and so must be clearly visible.
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
