/// Writes text so that HTML shows exactly this text, in content and in attributes.
///
/// `& < > " '` become references; control characters, bidi overrides and characters that HTML forbids become
/// U+FFFD, a newline `<br>`. Text with right-to-left or bidi characters is put into a `<bdi>` of its own.
/// Bidi embeddings and isolates that a line leaves open are closed at its end, and closers without an opener
/// become U+FFFD, because they would end the `<bdi>` (R3).
struct HTMLText: Spelling {
  /// The text of null and missing cells, escaped.
  private(set) var missing: [UInt8] = []

  /// The text for a newline.
  private let newline: [UInt8]

  /// Takes the options about single texts from `options`.
  init(_ options: LayoutOptions) {
    newline = Array((options.isSingleLine ? options.isASCII ? #"\n"# : "↵" : "<br>").utf8)
    missing = escaped(options.missing)
  }

  /// A short text from the options, escaped.
  func escaped(_ text: String) -> [UInt8] {
    var out = ByteBuffer()
    append(text.utf8.span, to: &out)
    return out.array()
  }

  /// Appends a whole text: HTML cuts none.
  func spell(_ text: Span<UInt8>, room: Int, to out: inout ByteBuffer) -> Escaper.Findings {
    append(text, to: &out)
  }

  @inline(__always)
  func copies(_ cell: Cell, of block: ByteBlock) -> Bool {
    !block.hasMarks(HTMLMarks.self, from: cell.offset, count: cell.length)
  }

  /// Appends `text` as content of an element.
  @discardableResult
  func append(_ text: Span<UInt8>, to out: inout ByteBuffer) -> Escaper.Findings {
    let isolates = text.hasBidi
    if isolates { out.append("<bdi>") }
    let findings = Self.append(text, newline: newline, to: &out)
    if isolates { out.append("</bdi>") }
    return findings
  }

  /// Appends `text` as the value of an attribute, or the text of `<title>`.
  ///
  /// No element is possible there to isolate it.
  static func append(attribute text: String, to out: inout ByteBuffer) {
    append(text.utf8.span, newline: [UInt8(ascii: " ")], to: &out)
  }

  /// Appends JSON as the value of an attribute, with escapes for what an attribute would not keep.
  static func append(json: Span<UInt8>, to out: inout ByteBuffer) {
    var pending = 0
    var offset = 0
    while offset < json.count {
      let scalar = json.scalar(at: offset)
      if scalar.value < 0x20 || scalar.value &- 0x7F <= 0x20 || scalar.value &- 0x202A <= 0x2069 &- 0x202A
        || scalar.value.isNoCharacter
      {
        append(json.extracting(pending..<offset), newline: [], to: &out)
        for unit in String(UnicodeScalar(scalar.value) ?? " ").utf16 {
          let digits = String(unit, radix: 16)
          out.append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        }
        pending = offset &+ scalar.length
      }
      offset &+= scalar.length
    }
    append(json.extracting(pending...), newline: [], to: &out)
  }

  /// Whether the page shows exactly a text, so that it can be read back.
  func keeps(_ text: Span<UInt8>) -> Bool {
    let keepsNewlines = newline.elementsEqual("<br>".utf8)
    var walk = SafeText(isIsolated: true)
    var offset = 0
    while offset < text.count {
      let (part, length) = walk.next(text, at: offset)
      switch part {
      case .ascii, .tab: break
      case .newline: if length > 1 || !keepsNewlines || !walk.levels.isEmpty { return false }
      case .control, .illFormed, .reordering: return false
      case .scalar(let scalar): if scalar.isNoCharacter { return false }
      }
      offset &+= length
    }
    return walk.levels.isEmpty
  }

  @discardableResult
  private static func append(_ text: Span<UInt8>, newline: [UInt8], to out: inout ByteBuffer)
    -> Escaper.Findings
  {
    var walk = SafeText(isIsolated: true)
    var pending = 0
    var offset = 0
    while offset < text.count {
      let (part, length) = walk.next(text, at: offset)
      var reference: StaticString?
      switch part {
      case .ascii(UInt8(ascii: "&")): reference = "&amp;"
      case .ascii(UInt8(ascii: "<")): reference = "&lt;"
      case .ascii(UInt8(ascii: ">")): reference = "&gt;"
      case .ascii(UInt8(ascii: "\"")): reference = "&quot;"
      case .ascii(UInt8(ascii: "'")): reference = "&#39;"
      case .ascii, .tab: break
      case .newline:
        out.append(text.extracting(pending..<offset))
        walk.levels.appendClosers(to: &out)
        walk.levels.removeAll()
        out.append(newline)
        pending = offset &+ length
      case .control, .illFormed, .reordering: reference = "\u{FFFD}"
      case .scalar(let scalar): if scalar.isNoCharacter { reference = "\u{FFFD}" }
      }
      if let reference {
        out.append(text.extracting(pending..<offset))
        out.append(reference)
        pending = offset &+ length
      }
      offset &+= length
    }
    out.append(text.extracting(pending...))
    walk.levels.appendClosers(to: &out)
    return walk.findings
  }
}

extension UInt32 {
  /// Whether the scalar is no character at all: a parse error in HTML.
  fileprivate var isNoCharacter: Bool { self >= 0xFDD0 && self <= 0xFDEF || self & 0xFFFE == 0xFFFE }

  /// Whether the scalar is written from right to left, or controls the direction of others.
  fileprivate var isBidi: Bool {
    switch self {
    case 0x0590...0x08FF, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFB1D...0xFDCF, 0xFDF0...0xFDFF,
      0xFE70...0xFEFE,
      0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }
}

extension Span<UInt8> {
  /// Whether any scalar affects the direction of text.
  fileprivate var hasBidi: Bool {
    var offset = 0
    while offset < count {
      if self[offset] < 0xD6 {
        offset &+= 1
        continue
      }
      let scalar = scalar(at: offset)
      if scalar.value.isBidi { return true }
      offset &+= scalar.length
    }
    return false
  }
}
