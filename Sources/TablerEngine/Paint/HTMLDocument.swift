/// What stands before and after the tables of an HTML page: the policy, the title, the style.
///
/// The policy names the one style the page has, by its hash or by its address, so that the page
/// provably loads and runs nothing else.
struct HTMLDocument {
  private let options: LayoutOptions
  private let output: OutputOptions
  private let style: HTMLStyle
  private let name: String

  /// Creates a document.
  ///
  /// - Parameters:
  ///   - style: what is written into the style element, or else onto the elements of the page.
  ///   - name: what the page is called without `--title` and `--caption`: the name of the file.
  init(_ options: LayoutOptions, _ output: OutputOptions, _ style: HTMLStyle, name: String?) {
    self.options = options
    self.output = output
    self.style = style
    self.name = options.title ?? options.caption ?? name ?? "tabler"
  }

  /// Everything before the first table or card; nothing for a fragment.
  func opening() -> [UInt8] {
    if output.isFragment { return [] }
    var out = ByteBuffer()
    out.append("<!doctype html><html")
    if let language = output.language { appendAttribute("lang", language, to: &out) }
    out.append("><head><meta charset=\"utf-8\">\n")
    out.append("<meta http-equiv=\"Content-Security-Policy\"")
    appendAttribute("content", policy, quotes: "'", to: &out)
    out.append(">\n<meta name=\"viewport\" content=\"width=device-width\"><title>")
    HTMLText.append(attribute: name, to: &out)
    out.append("</title>")
    appendStyle(to: &out)
    out.append("</head><body\(attributes(.page))>\n")
    if let title = options.title {
      out.append("<h1\(attributes(.heading))>")
      let bytes = Array(title.utf8)
      HTMLText(options).append(bytes.span, to: &out)
      out.append("</h1>\n")
    }
    let region = style.attributes(HTMLStyle.Place(element: .region), class: "region")
    out.append("<div\(region) role=\"region\" tabindex=\"0\"")
    appendAttribute("aria-label", name, to: &out)
    out.append(">")
    return out.array()
  }

  /// Everything after the last table or card.
  func closing() -> [UInt8] {
    if output.isFragment { return Array("\n".utf8) }
    return Array("</div></body></html>\n".utf8)
  }
}

extension HTMLDocument {
  private func attributes(_ element: HTMLStyle.Element) -> String {
    style.attributes(HTMLStyle.Place(element: element))
  }

  private var policy: String {
    switch output.styleSheet {
    case .embed:
      return "default-src 'none'; style-src 'sha256-\(SHA256.digest(of: Array(style.sheet.utf8)).base64)'"
    case .inline: return "default-src 'none'; style-src 'unsafe-inline'"
    case .none: return "default-src 'none'"
    case .link(let address): return "default-src 'none'; style-src \(Self.source(of: address))"
    }
  }

  private func appendStyle(to out: inout ByteBuffer) {
    switch output.styleSheet {
    case .embed:
      out.append("<style>")
      out.append(style.sheet)
      out.append("</style>")
    case .link(let address):
      out.append("<link rel=\"stylesheet\"")
      appendAttribute("href", address, to: &out)
      out.append(">")
    case .inline, .none: break
    }
  }

  /// Appends an attribute; all text from data and options goes through `HTMLText`.
  ///
  /// - Parameter quotes: `'` where the value is the tool's own and may hold them.
  private func appendAttribute(
    _ name: StaticString, _ value: String, quotes: String = "", to out: inout ByteBuffer
  ) {
    out.append(UInt8(ascii: " "))
    out.append(name)
    out.append("=\"")
    if quotes.isEmpty { HTMLText.append(attribute: value, to: &out) } else { out.append(value) }
    out.append(UInt8(ascii: "\""))
  }

  /// An address as a policy names it: without query and fragment, what would end it in percent signs.
  private static func source(of address: String) -> String {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    let lowered = path.lowercased()
    guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://") else {
      if lowered.hasPrefix("data:") { return "data:" }
      return lowered.hasPrefix("//") ? escaped(path.dropFirst(2)) : "'self'"
    }
    return escaped(path)
  }

  private static func escaped(_ text: Substring) -> String {
    var escaped = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "%"), UInt8(ascii: "@"),
        UInt8(ascii: "="), UInt8(ascii: "+"):
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        escaped += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return escaped
  }
}
