/// A style as the bytes that switch it on and off; empty if there is no color.
struct TextStyle: Equatable, Sendable {
  /// The bytes that switch the style on.
  let opening: [UInt8]
  /// The bytes that switch it off.
  let closing: [UInt8]
  /// Whether it is visible on blanks too.
  let isVisibleOnBlanks: Bool

  /// No style.
  static let plain = TextStyle(Style(), depth: .none)

  /// The style of header cells: bold unless told otherwise.
  static func header(_ options: LayoutOptions) -> TextStyle {
    TextStyle(options.headerStyle ?? .bold, depth: options.colorDepth)
  }

  /// The style of frames, rules and `--missing` texts: dim.
  static func frame(_ options: LayoutOptions) -> TextStyle {
    TextStyle(.dim, depth: options.colorDepth)
  }

  /// A text in this style.
  func styled(_ text: [UInt8]) -> [UInt8] { text.isEmpty ? [] : opening + text + closing }

  /// Appends what `paint` appends, in this style; trailing blanks stay outside, unless the style is visible
  /// on them.
  func apply(to out: inout ByteBuffer, _ paint: (inout ByteBuffer) -> Void) {
    guard !opening.isEmpty else { return paint(&out) }
    let mayTrim = !isVisibleOnBlanks
    if mayTrim { out.pin() }
    defer { if mayTrim { out.unpin() } }
    let start = out.count
    out.append(opening)
    paint(&out)
    let end = out.count
    if mayTrim { out.trimBlanks() }
    let blanks = end - out.count
    if out.count == start + opening.count { out.truncate(to: start) } else { out.append(closing) }
    out.append(repeating: 0x20, count: blanks)
  }

  /// Writes `style` with the colors that `depth` allows.
  init(_ style: Style, depth: ColorDepth) {
    var codes: [String] = []
    if style.isBold { codes.append("1") }
    if style.isDim { codes.append("2") }
    if style.isItalic { codes.append("3") }
    if style.isUnderlined { codes.append("4") }
    if style.isInverse { codes.append("7") }
    if style.isStruck { codes.append("9") }
    if let color = style.foreground { codes.append(color.code(base: 30, depth: depth)) }
    if let color = style.background { codes.append(color.code(base: 40, depth: depth)) }
    let isPlain = codes.isEmpty || depth == .none
    opening = isPlain ? [] : Array("\u{1B}[\(codes.joined(separator: ";"))m".utf8)
    closing = isPlain ? [] : Array("\u{1B}[0m".utf8)
    isVisibleOnBlanks = !isPlain && (style.background != nil || style.isInverse || style.isUnderlined)
  }
}

extension Style.Color {
  /// The parameters that choose the color.
  ///
  /// - Parameter base: 30 for characters, 40 for their background.
  fileprivate func code(base: Int, depth: ColorDepth) -> String {
    switch self {
    case .terminal(let number): return Self.code(terminal: Int(number), base: base)
    case .rgb(let red, let green, let blue):
      switch depth {
      case .full: return "\(base + 8);2;\(red);\(green);\(blue)"
      case .palette: return "\(base + 8);5;\(Self.palette(red, green, blue))"
      case .basic, .none: return Self.code(terminal: Self.basic(red, green, blue), base: base)
      }
    }
  }

  private static func code(terminal number: Int, base: Int) -> String {
    let number = min(number, 15)
    return String(number < 8 ? base + number : base + 60 + number - 8)
  }

  /// The nearest of the 256 colors: of the cube of six levels, or of the grays.
  private static func palette(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    func level(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
    if red == green, green == blue, red > 4, red < 247 { return 232 + min(23, (Int(red) - 3) / 10) }
    return 16 + 36 * level(red) + 6 * level(green) + level(blue)
  }

  /// The nearest of the 16 colors by their usual values.
  private static func basic(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    let usual: [(Int, Int, Int)] = [
      (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
      (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
      (255, 0, 255), (0, 255, 255), (255, 255, 255),
    ]
    var nearest = (index: 0, distance: Int.max)
    for (index, color) in usual.enumerated() {
      let distances = (color.0 - Int(red), color.1 - Int(green), color.2 - Int(blue))
      let distance =
        distances.0 * distances.0 + distances.1 * distances.1 + distances.2 * distances.2
      if distance < nearest.distance { nearest = (index, distance) }
    }
    return nearest.index
  }
}
