import Testing

@testable import TablerCommand
@testable import TablerEngine

/// Grammars that hold templates, styles and texts.
@Suite struct GrammarTemplateTests {
  @Test(arguments: [
    ("weight={:.0f} g", "weight"),
    (#"weight={:.0f} g, price="{:,.2f}, net""#, #"weight | price <{:,.2f}, net>"#),
    ("a={format('{},{}', x, y)},b={}", "a | b"),
    (#"`a=b`={},"c,d"=x"#, "'a=b' | 'c,d'"),
    ("created=%d.%m.%Y", "created"), (#"created="%d %b, %Y",b=x"#, "created <%d %b, %Y> | b"),
    ("created={:%H:%M} h", "created"),
    (
      "created=%Q.%m",
      "created=▸%Q◂.%m '%Q' belongs to no pattern such as %Y-%m-%d or %d %b %Y %H:%M; numbers are formatted with braces: {:.2f}"
    ),
    ("created={:%Q}", "created={:▸%Q◂} '%Q' is not a format such as .2f, ,.0f or %d.%m.%Y"),
    ("weight", "weight▸◂ expected '='"),
    ("weight={:.2q}", "weight={:▸.2q◂} '.2q' is not a format such as .2f, ,.0f or %d.%m.%Y"),
    ("weight={", "weight=▸{◂ this { is never closed; a brace as text is written {{"),
    (#"weight="{} }""#, "{} ▸}◂ this } closes nothing; a brace as text is written }}"),
    (#"weight="{}" g"#, #"weight="{}" ▸g◂ expected a comma, not 'g'"#),
    ("weight:{}", "weight▸:◂{} a name or title with ':' needs quotes"),
  ])
  func readsFormats(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .format) { (cursor) throws(GrammarError) in
      try cursor.templates().map { format in
        format.column.shape + (format.template.text == text ? "" : " <\(format.template.text)>")
      }.joined(separator: " | ")
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("titles", "titles"), (" totals ", "totals"),
    (#"name={count()} fruits,weight={sum(weight):.0f} g"#, "name weight"),
    ("total", "▸total◂ 'total' is not titles, totals or COL=TEMPLATE; did you mean 'totals'?"),
    ("name", "▸name◂ 'name' is not titles, totals or COL=TEMPLATE"),
    ("name={sum(weight}", "name={sum▸(◂weight} this ( is never closed"),
  ])
  func readsFooters(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .footer) { (cursor) throws(GrammarError) in
      switch try cursor.footer() {
      case .titles: "titles"
      case .totals: "totals"
      case .templates(let templates): templates.map(\.column.shape).joined(separator: " ")
      }
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("none", "none"), (" totals", "totals"), ("titles ", "titles"), ("weight={sum(weight)}", "weight"),
    ("{count()} in all, {sum(weight):.0f} g", "<{count()} in all, {sum(weight):.0f} g>"),
    ("{count(a = 1)}", "<{count(a = 1)}>"), ("all", "<all>"),
    (#""total = {count()}""#, "<total = {count()}>"), (#""a b"={count()},c=x"#, "'a b' c"),
    (#""a" and {count()}"#, #"<"a" and {count()}>"#),
    ("a={sum(}", "a={sum(▸◂} expected a value after '('"),
    ("{sum(", "▸{◂sum( this { is never closed; a brace as text is written {{"),
    ("a=x,b", "a=x,b▸◂ expected '='"),
  ])
  func readsSectionFooters(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .sectionFooter) { (cursor) throws(GrammarError) in
      switch try cursor.sectionFooter() {
      case nil: "none"
      case .text(let template): "<\(template.text)>"
      case .columns(.titles): "titles"
      case .columns(.totals): "totals"
      case .columns(.templates(let templates)):
        templates.map(\.column.shape).joined(separator: " ")
      }
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("", ""), ("bold  italic", "bold italic"),
    ("underline dim strike inverse", "dim underline strike inverse"),
    ("fg=red bg=bright-blue", "fg terminal(1) bg terminal(12)"), ("fg=#c00", "fg rgb(204, 0, 0)"),
    ("bg=#00FF7f", "bg rgb(0, 255, 127)"), ("fg=Orange", "fg rgb(255, 165, 0)"),
    (
      "blod",
      "▸blod◂ unknown style 'blod'; did you mean 'bold'?  (bold dim italic underline strike inverse fg= bg=)"
    ),
    ("bold,dim", "bold▸,◂dim expected a style such as bold or fg=red, not ','"),
    ("fg=redd", "fg=▸redd◂ unknown color 'redd'; did you mean 'red'?"),
    ("fg=#12", "fg=▸#12◂ unknown color '#12'"),
    ("fg", "fg▸◂ expected '='"), ("fg= red", "fg=▸ ◂red expected a color, not ' '"),
    ("swatch", "▸swatch◂ 'swatch' cannot be used for a header"),
  ])
  func readsStyles(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .headerStyle) { (cursor) throws(GrammarError) in
      Self.describe(try cursor.style())
    }
    #expect(reading == expected)
  }

  private static func describe(_ style: Style) -> String {
    var words: [String] = []
    if style.isBold { words.append("bold") }
    if style.isDim { words.append("dim") }
    if style.isItalic { words.append("italic") }
    if style.isUnderlined { words.append("underline") }
    if style.isStruck { words.append("strike") }
    if style.isInverse { words.append("inverse") }
    if let color = style.foreground { words.append("fg \(color)") }
    if let color = style.background { words.append("bg \(color)") }
    return words.joined(separator: " ")
  }

  @Test(arguments: [
    ("Column {n}", "Column {n}"), ("{letter}{{}}", "{letter}{{}}"),
    ("{x}", "▸{x}◂ unknown field '{x}'  ({n} {letter})"),
    ("a}", "a▸}◂ this brace is alone; a brace as text is written twice"),
    ("a{", "a▸{◂ this brace is alone; a brace as text is written twice"),
  ])
  func readsAutoNames(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .autoNames) { (cursor) throws(GrammarError) in
      try cursor.text(fields: ["{n}", "{letter}"])
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("inline", "inline"), ("link:https://x.org/a.css?b=1&c", #"link("https://x.org/a.css?b=1&c")"#),
    ("link:a;b", "link:a▸;◂b this character is not allowed in a URL"),
    ("link:a b", "link:a▸ ◂b this character is not allowed in a URL"),
  ])
  func readsStyleSheets(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .htmlStyle) { (cursor) throws(GrammarError) in
      "\(try cursor.styleSheet())"
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("en", "en"), ("pt-BR", "pt-BR"), ("zh-Hans-CN", "zh-Hans-CN"),
    ("", "▸◂ this is not a language tag such as en or pt-BR"),
    ("e\"n", "▸e\"n◂ this is not a language tag such as en or pt-BR"),
    ("-en", "▸-en◂ this is not a language tag such as en or pt-BR"),
  ])
  func readsLanguages(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .lang) { (cursor) throws(GrammarError) in
      try cursor.language()
    }
    #expect(reading == expected)
  }

  @Test func separatorsHoldNoControlCharacters() {
    let reading = GrammarReading.of("a\u{1b}[1m", .separator) { (cursor) throws(GrammarError) in
      try cursor.drawable()
    }
    #expect(reading == "a▸\u{1b}◂[1m a control character would break the lines of the table")
  }
}
