/// Writes text so that GitHub Flavored Markdown shows exactly this text, on one line.
///
/// `\ | * ~ < > & `` ` `` get a backslash, and so do characters that only some neighbors make special: `_` at
/// the edge of a word, brackets where a link or footnote could follow, `$` if a text has two or more, `:` `.`
/// `@` in addresses that would become links, and the first `:` of `:smile:`. A newline is `<br>`, a tab a
/// blank; other control characters, bidi overrides and bytes that are not UTF-8 are U+FFFD. Bidi embeddings
/// and isolates that a text leaves open are closed at its end, so that it cannot reorder what is next to it
/// (R3).
struct MarkdownText: MeasuredSpelling {
  /// How texts are measured.
  let metrics: TextMetrics

  /// The decimal and thousands marks of numbers in cells.
  let marks: NumberMarks

  /// The text of null and missing cells, escaped.
  private(set) var missing: [UInt8] = []

  /// The escaper for pandoc; `nil` for GitHub.
  private var pandoc: PandocEscaper?

  /// Whether texts are in a heading, which a `#` at their end would close.
  private var isHeading = false

  /// Whether cells contain Markdown.
  ///
  /// Then only characters that would end a cell are escaped.
  private let keepsMarkdown: Bool

  /// The text for a newline.
  private let newline: [UInt8]

  /// The mark that replaces text that was cut.
  private let cutMark: CutMark

  /// Takes the options about single texts from `options`.
  ///
  /// - Parameter place: where texts are in pandoc's Markdown, if not where the layout puts them.
  init(_ options: LayoutOptions, marks: NumberMarks = .standard, in place: PandocEscaper.Place? = nil) {
    self.marks = marks
    metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    keepsMarkdown = options.keepsMarkdown
    newline = options.isSingleLine ? Array((options.isASCII ? #"\\n"# : "↵").utf8) : Array("<br>".utf8)
    cutMark = CutMark(isASCII: options.isASCII, metrics: metrics)
    if options.markdownDialect == .pandoc {
      pandoc = PandocEscaper(
        place: place ?? options.kind.pandocPlace, newlineMark: options.isSingleLine ? newline : nil)
    }
    missing = escaped(options.missing)
  }

  /// The same for texts in headings.
  var inHeading: MarkdownText {
    var text = self
    text.isHeading = true
    text.pandoc?.place = .heading
    return text
  }

  /// A short text from the options, escaped.
  func escaped(label: [UInt8]) -> [UInt8] {
    var out = ByteBuffer()
    append(label.span, to: &out)
    return out.array()
  }

  /// Appends `text`, escaped.
  ///
  /// - Parameter isRaw: whether it is already Markdown.
  @discardableResult
  func append(_ text: Span<UInt8>, isRaw: Bool = false, to out: inout ByteBuffer) -> Escaper.Findings {
    if let pandoc { return pandoc.append(text, isRaw: isRaw, to: &out) }
    if !isHeading, text.isBareMarkdown {
      out.append(text)
      return Escaper.Findings()
    }
    var pending = 0
    var offset = 0
    var walk = SafeText()
    var signs = MarkdownSigns()
    while offset < text.count {
      let (part, length) = walk.next(text, at: offset)
      switch part {
      case .ascii(let byte):
        let isEscaped =
          isRaw
          ? byte == UInt8(ascii: "|") && !text.hasOddBackslashes(before: offset)
          : signs.isSign(byte, text, offset) || isHeading && byte == UInt8(ascii: "#")
        if isEscaped {
          copy(text, &pending, to: offset, into: &out)
          out.append(UInt8(ascii: "\\"))
        }
      case .tab:
        copy(text, &pending, to: offset, skipping: length, into: &out)
        out.append(UInt8(ascii: " "))
      case .newline:
        copy(text, &pending, to: offset, skipping: length, into: &out)
        out.append(newline)
      case .control, .illFormed, .reordering:
        copy(text, &pending, to: offset, skipping: length, into: &out)
        out.append("\u{FFFD}")
      case .scalar: break
      }
      offset &+= length
    }
    copy(text, &pending, to: text.count, into: &out)
    walk.levels.appendClosers(to: &out)
    return walk.findings
  }

  /// Appends `text`, escaped, at most about `room` bytes of it, and a mark if it was cut.
  @discardableResult
  func append(
    _ text: Span<UInt8>, isRaw: Bool = false, room: Int, to out: inout ByteBuffer
  ) -> Escaper.Findings {
    let end = DrawnText.end(of: text, room: room)
    guard end < text.count else { return append(text, isRaw: isRaw, to: &out) }
    var findings = append(text.extracting(..<end), isRaw: isRaw, to: &out)
    out.append(cutMark.text)
    findings.cuts = 1
    return findings
  }

  /// Appends `text` in bold; blanks at its ends stay outside, or it would not be bold.
  func append(bold text: Span<UInt8>, to out: inout ByteBuffer) {
    let inner = text.trimmingBlankScalars
    if inner.isEmpty || pandoc != nil && text.isBlankLines { return }
    out.append("**")
    append(text.extracting(inner), to: &out)
    out.append("**")
  }

  /// A title, escaped; a very long one is cut.
  func escaped(title: String) -> [UInt8] {
    var out = ByteBuffer()
    append(title.utf8.span, room: DrawnText.longestTitle, to: &out)
    return out.array()
  }

  /// `text` as an array, escaped.
  func escaped(_ text: String) -> [UInt8] {
    var out = ByteBuffer()
    append(Array(text.utf8).span, to: &out)
    return out.array()
  }

  @inline(__always)
  private func copy(
    _ text: Span<UInt8>, _ pending: inout Int, to offset: Int, skipping length: Int = 0,
    into out: inout ByteBuffer
  ) {
    out.append(text.extracting(pending..<offset))
    pending = offset &+ length
  }
}

extension LayoutKind {
  /// Where cells are in pandoc's Markdown.
  fileprivate var pandocPlace: PandocEscaper.Place {
    switch self {
    case .list: .pipes
    case .stack: .lines
    case .grid: .blocks
    case .detail: .definition
    }
  }
}

extension MarkdownText {
  /// Appends a cell of a footer line, bold; a text across all columns is put in the first.
  ///
  /// - Parameter title: the title of the column, escaped.
  func append(_ footer: FooterLine, _ index: Int, title: [UInt8], to out: inout ByteBuffer) {
    switch footer {
    case .titles:
      guard !title.isEmpty else { return }
      out.append("**")
      out.append(title)
      out.append("**")
    case .cells, .band:
      if let text = footer.text(inColumn: index) { append(bold: text.span, to: &out) }
    }
  }

  /// Whether cells without special characters are spelled unchanged.
  var copiesCells: Bool { pandoc == nil }

  static var linesUpPoints: Bool { false }

  static var hasBands: Bool { false }

  /// Footers are bold.
  func spell(footer text: Span<UInt8>, to out: inout ByteBuffer) { append(bold: text, to: &out) }

  func room(of styles: [Style]) -> Int { MarkdownEmphasis(styles).room }

  /// Markdown has no lines that could be too long.
  var limit: Int? { nil }

  var leavesOut: Bool { false }

  @inline(__always)
  func copies(_ cell: Cell, of block: ByteBlock) -> Bool {
    pandoc == nil && !block.hasMarks(MarkdownMarks.self, from: cell.offset, count: cell.length)
  }

  /// Special characters get a backslash, so that printable text may take twice its bytes.
  func spell(_ text: Span<UInt8>, room: Int, to out: inout ByteBuffer) -> Escaper.Findings {
    append(text, isRaw: keepsMarkdown, room: room / 2, to: &out)
  }

  func extent(of text: Span<UInt8>) -> TextExtent? { nil }

  func keeps(_ text: Span<UInt8>) -> Bool { false }
}

extension Span<UInt8> {
  /// Whether the text has only blanks and newlines.
  fileprivate var isBlankLines: Bool {
    for index in indices where !self[index].isBlank && self[index] != 10 && self[index] != 13 { return false }
    return true
  }

  /// Whether a byte is escaped by a backslash that is not itself escaped.
  func hasOddBackslashes(before offset: Int) -> Bool {
    var start = offset
    while start > 0, self[start &- 1] == UInt8(ascii: "\\") { start &-= 1 }
    return (offset &- start) & 1 == 1
  }

  /// Whether Markdown spells the text unchanged: printable, well-formed, without signs and bidi controls.
  fileprivate var isBareMarkdown: Bool {
    var walk = SafeText()
    var signs = MarkdownSigns()
    var offset = 0
    while offset < count {
      let (part, length) = walk.next(self, at: offset)
      switch part {
      case .ascii(let byte): if signs.isSign(byte, self, offset) { return false }
      case .scalar: if walk.findings.needsCarry { return false }
      case .tab, .newline, .control, .illFormed, .reordering: return false
      }
      offset &+= length
    }
    return true
  }

  /// The range without blanks of any script at both ends.
  var trimmingBlankScalars: Range<Int> {
    var start = 0
    while start < count {
      let scalar = scalar(at: start)
      guard Self.isBlank(scalar.value) else { break }
      start &+= scalar.length
    }
    var end = count
    while end > start {
      var last = end &- 1
      while last > start, self[last] & 0xC0 == 0x80 { last &-= 1 }
      guard Self.isBlank(scalar(at: last).value) else { break }
      end = last
    }
    return start..<end
  }

  private static func isBlank(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 9, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }
}

/// The paragraphs above and below a Markdown table.
enum MarkdownHeading {
  /// The title and the caption as bold paragraphs, each followed by an empty line; pandoc has a heading, and
  /// captions of tables.
  static func paragraphs(_ options: LayoutOptions) -> [UInt8] {
    let markdown = MarkdownText(options, in: .heading)
    var out = ByteBuffer()
    let form = (options.preamble?.drawn).map { MarkdownForm(options).text($0) } ?? []
    guard options.markdownDialect == .github else {
      if let title = options.title {
        out.append("# ")
        out.append(markdown.escaped(title))
        out.append("\n\n")
      }
      if !form.isEmpty {
        out.append(form)
        out.append("\n")
      }
      guard let caption = options.caption else { return out.array() }
      if options.kind == .detail {
        markdown.append(bold: Array(caption.utf8).span, to: &out)
      } else {
        // A paragraph that starts with a colon would continue the definition list of the form.
        out.append(form.isEmpty ? ": " : "Table: ")
        out.append(markdown.escaped(caption))
      }
      out.append("\n\n")
      return out.array()
    }
    for (text, isLast) in [(options.title, false), (options.caption, true)] {
      if isLast, !form.isEmpty {
        out.append(form)
        out.append("\n")
      }
      let start = out.count
      markdown.append(bold: Array((text ?? "").utf8).span, to: &out)
      if out.count > start { out.append("\n\n") }
    }
    return out.array()
  }

  /// The form below the table, with an empty line before it.
  static func ending(_ options: LayoutOptions) -> [UInt8] {
    guard let form = options.postamble?.drawn else { return [] }
    // Without a comment between them, the lists of card and form would merge.
    let parts = options.markdownDialect == .pandoc && options.kind == .detail
    return Array((parts ? "\n<!-- -->\n\n" : "\n").utf8) + MarkdownForm(options).text(form)
  }

  /// The titles of the columns, escaped, with their signs.
  static func titles(
    _ columns: [ShownColumn], _ options: LayoutOptions, _ markdown: MarkdownText
  ) -> [[UInt8]] {
    let signs = HeaderSigns(columns, options).signs
    return columns.indices.map { index in
      var escaped = ByteBuffer()
      let title = columns[index].title
      let span = title.utf8.span
      let inner = span.extracting(span.trimmingBlankScalars)
      markdown.append(inner, room: DrawnText.longestTitle, to: &escaped)
      let sign = signs[index]
      if !sign.isEmpty {
        escaped.append(" ")
        markdown.append(sign.span, to: &escaped)
      }
      return escaped.array()
    }
  }
}

/// A form as Markdown: a table of two columns for each record; pandoc has a list of definitions.
struct MarkdownForm {
  private let isPandoc: Bool
  private let labels: MarkdownText
  private let values: MarkdownText

  /// Takes the options about forms from `options`.
  init(_ options: LayoutOptions) {
    isPandoc = options.markdownDialect == .pandoc
    labels = MarkdownText(options, in: .heading)
    values = MarkdownText(options, in: .definition)
  }

  /// The lines of a form.
  func text(_ form: Form) -> [UInt8] {
    var out = ByteBuffer()
    for fields in form.records {
      if isPandoc { appendDefinitions(fields, to: &out) } else { appendTable(fields, to: &out) }
    }
    return out.array()
  }

  private func spelled(_ value: [UInt8]?) -> [UInt8] {
    guard let value else { return values.missing }
    var out = ByteBuffer()
    values.append(value.span, room: DrawnText.longest / 2, to: &out)
    return out.array()
  }

  /// A comment separates records, because their definition lists would otherwise merge.
  private func appendDefinitions(_ fields: [Form.Field], to out: inout ByteBuffer) {
    if !out.isEmpty { out.append("\n<!-- -->\n\n") }
    for (number, field) in fields.enumerated() {
      if number > 0 { out.append("\n") }
      let (label, value) = (labels.escaped(title: field.label), spelled(field.value))
      out.append(label.isEmpty ? PandocEscaper.nothing : label)
      out.append("\n:   ")
      out.append(value.isEmpty ? PandocEscaper.nothing : value)
      out.append("\n")
    }
  }

  private func appendTable(_ fields: [Form.Field], to out: inout ByteBuffer) {
    if !out.isEmpty { out.append("\n") }
    let cells = fields.map { (labels.escaped(title: $0.label), spelled($0.value)) }
    let metrics = values.metrics
    let widths = cells.reduce((3, 3)) {
      (max($0.0, metrics.width(of: $1.0.span)), max($0.1, metrics.width(of: $1.1.span)))
    }
    func append(_ label: [UInt8], _ value: [UInt8]) {
      out.append("| ")
      out.append(blanks: widths.0 - metrics.width(of: label.span))
      out.append(label)
      out.append(" | ")
      out.append(value)
      out.append(blanks: widths.1 - metrics.width(of: value.span))
      out.append(" |\n")
    }
    append([], [])
    append(
      Array(repeating: UInt8(ascii: "-"), count: widths.0 - 1) + [UInt8(ascii: ":")],
      [UInt8(ascii: ":")] + Array(repeating: UInt8(ascii: "-"), count: widths.1 - 1))
    for (label, value) in cells { append(label, value) }
  }
}
