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
  /// The colour as CSS writes it.
  fileprivate var css: String {
    switch self {
    case .terminal(let number):
      let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray", "#f55", "#5f5", "#ff5",
        "#55f", "#f5f", "#5ff", "#fff",
      ]
      return names[min(max(number, 0), names.count - 1)]
    case .rgb(let red, let green, let blue): return "rgb(\(red),\(green),\(blue))"
    }
  }
}
