/// The start and end of an HTML page: the policy, the title, the style.
///
/// The policy names the only style of the page, by its hash or by its address, so that the page provably
/// loads and runs nothing else.
struct HTMLDocument {
  private let options: LayoutOptions
  private let output: OutputOptions
  private let style: HTMLStyle
  private let name: String

  /// Creates a document.
  ///
  /// - Parameters:
  ///   - style: the style, embedded or inline.
  ///   - name: the title of the page without `--title` and `--caption`: the name of the file.
  init(_ options: LayoutOptions, _ output: OutputOptions, _ style: HTMLStyle, name: String?) {
    self.options = options
    self.output = output
    self.style = style
    self.name = options.title ?? options.caption ?? name ?? "tabler"
  }

  /// Everything before the first table or card; for a fragment, only the style that it needs in any page.
  func opening() -> [UInt8] {
    var out = ByteBuffer()
    if output.isFragment {
      guard output.styleSheet == .embed, !style.sheet.isEmpty else { return [] }
      appendStyle(to: &out)
      out.append("\n")
      return out.array()
    }
    out.append("<!doctype html><html")
    if let language = output.language {
      appendAttribute("lang", language, to: &out)
      if language.isRightToLeft { appendAttribute("dir", "rtl", to: &out) }
    }
    out.append("><head><meta charset=\"utf-8\">\n")
    out.append("<meta http-equiv=\"Content-Security-Policy\"")
    appendAttribute("content", policy, quotes: "'", to: &out)
    out.append(">\n<meta name=\"viewport\" content=\"width=device-width\"><title>")
    HTMLText.append(attribute: name, to: &out)
    out.append("</title>")
    appendStyle(to: &out)
    if output.page != nil {
      // In the head it hides the table until it has read it.
      let script = Page.script
      out.append("<script>")
      out.append(script.span)
      out.append("</script>")
    }
    // What the script adds is a landmark, too, beside which the rest must be one.
    out.append("</head><body\(attributes(.page))>\(output.page == nil ? "" : "<main>")\n")
    if let title = options.title {
      out.append("<h1\(attributes(.heading))>")
      let bytes = Array(title.utf8)
      HTMLText(options).append(bytes.span, to: &out)
      out.append("</h1>\n")
    }
    if !options.blendsForms { append(options.preamble, to: &out) }
    let region = style.attributes(HTMLStyle.Place(element: .region), class: "region")
    out.append("<div\(region) role=\"region\" tabindex=\"0\"")
    appendAttribute("aria-label", name, to: &out)
    out.append(">")
    if options.blendsForms { append(options.preamble, to: &out) }
    return out.array()
  }

  /// Everything after the last table or card.
  func closing() -> [UInt8] {
    if output.isFragment { return Array("\n".utf8) }
    let end = (output.page == nil ? "" : "</main>") + "</body></html>\n"
    guard options.postamble != nil else { return Array(("</div>" + end).utf8) }
    var out = ByteBuffer()
    out.append(options.blendsForms ? "\n" : "</div>\n")
    append(options.postamble, to: &out)
    out.append(options.blendsForms ? "</div>" + end : end)
    return out.array()
  }

  /// Appends a form: a list of labels and values for each record.
  private func append(_ form: Form?, to out: inout ByteBuffer) {
    guard let form else { return }
    let html = HTMLText(options)
    let list = style.attributes(HTMLStyle.Place(element: .form), class: "form")
    let (label, value) = (attributes(.formLabel), attributes(.formValue))
    let null = style.attributes(HTMLStyle.Place(element: .formValue, traits: .null))
    for fields in form.records {
      out.append("<dl\(list)>")
      for field in fields {
        out.append("<dt\(label)>")
        html.append(field.label.utf8.span, to: &out)
        out.append("</dt><dd\(field.value == nil ? null : value)>")
        if let text = field.value { html.append(text.span, to: &out) } else { out.append(html.missing) }
        out.append("</dd>")
      }
      out.append("</dl>\n")
    }
  }
}

extension String {
  /// Whether a language is written from right to left: by its script if the tag has one (BCP 47), otherwise by the one that
  /// is usual for it (CLDR 46, `orientation/characterOrder` and likely subtags).
  fileprivate var isRightToLeft: Bool {
    let subtags = lowercased().split(separator: "-")
    if subtags.count > 1, subtags[1].count == 4 {
      return ["adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"].contains(
        subtags[1])
    }
    let languages = [
      "ar", "arc", "arz", "ckb", "dv", "fa", "glk", "he", "iw", "khw", "ks", "lrc", "mzn", "nqo", "pnb", "ps",
      "rhg", "sd",
      "sdh", "skr", "syr", "ug", "ur", "yi",
    ]
    return subtags.first.map { languages.contains(String($0)) } ?? false
  }
}

extension HTMLDocument {
  private func attributes(_ element: HTMLStyle.Element) -> String {
    style.attributes(HTMLStyle.Place(element: element))
  }

  private var policy: String {
    switch output.styleSheet {
    case .embed:
      let script = output.page == nil ? "" : "; script-src \(Self.hash(of: Page.script))"
      return "default-src 'none'; style-src \(Self.hash(of: Array(style.sheet.utf8)))" + script
    case .inline: return "default-src 'none'; style-src 'unsafe-inline'"
    case .none: return "default-src 'none'"
    case .link(let address): return "default-src 'none'; style-src \(Self.source(of: address))"
    }
  }

  /// The name of a style or a script in a policy.
  private static func hash(of text: [UInt8]) -> String { "'sha256-\(SHA256.digest(of: text).base64)'" }

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
  /// - Parameter quotes: `'` if the value comes from the tool itself and may contain double quotes.
  private func appendAttribute(
    _ name: StaticString, _ value: String, quotes: String = "", to out: inout ByteBuffer
  ) {
    out.append(UInt8(ascii: " "))
    out.append(name)
    out.append("=\"")
    if quotes.isEmpty { HTMLText.append(attribute: value, to: &out) } else { out.append(value) }
    out.append(UInt8(ascii: "\""))
  }

  /// An address as a policy names it: without query and fragment, with characters that would end it
  /// percent-encoded.
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

/// The hash that names the style of an HTML page in its policy (FIPS 180-4).
enum SHA256 {
  /// The 32 bytes of the hash of `message`.
  static func digest(of message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [
      0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    var padded = message
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) &* 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    for start in stride(from: 0, to: padded.count, by: 64) { mix(padded[start..<start + 64], into: &state) }
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Mixes a block of 64 bytes into the state.
  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words: [UInt32] = []
    words.reserveCapacity(64)
    for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
      words.append(block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    for index in 16..<64 {
      let early = words[index - 15]
      let late = words[index - 2]
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var mixed = state
    for index in 0..<64 {
      let e = mixed[4]
      let a = mixed[0]
      let choice = (e & mixed[5]) ^ (~e & mixed[6])
      let majority = (a & mixed[1]) ^ (a & mixed[2]) ^ (mixed[1] & mixed[2])
      let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let first = mixed[7] &+ sum &+ choice &+ constants[index] &+ words[index]
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
      mixed = [first &+ second, a, mixed[1], mixed[2], mixed[3] &+ first, e, mixed[5], mixed[6]]
    }
    for index in state.indices { state[index] = state[index] &+ mixed[index] }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
    0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
    0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
    0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
    0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
    0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
    0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
  ]
}

extension [UInt8] {
  /// The bytes in base 64, padded with `=` if their number is not divisible by three.
  var base64: String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: count, by: 3) {
      let group = self[start..<Swift.min(start + 3, count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place > group.count ? UInt8(ascii: "=") : letters[bits >> (18 - 6 * place) & 63])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
