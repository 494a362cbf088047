import Testing

@testable import TablerEngine

/// What is sent to engines: translations are those of functions that may be sent, and names and texts stay what they are.
@Suite struct QueryTests {
  static let proved: [SQLDialect] = [.duckdb, .sqlite, .postgres, .clickhouse, .spark]

  @Test("R49 no local expression is sent", arguments: SQLTranslations.names.sorted())
  func translatesOnlyWhatMayBeSent(_ name: Substring) throws {
    // Operators are no functions.
    guard name.first?.isLetter ?? false else { return }
    let function = try #require(Function.named(String(name)), "\(name) is no function")
    #expect(function.sqlClass != .local, "\(name) is never sent")
  }

  @Test("every engine has the functions that all have", arguments: proved)
  func writesCoreFunctions(_ dialect: SQLDialect) {
    // These are written without a template. The time now has an offset, as no query asks for.
    let others: Set = ["coalesce", "if", "is_empty", "mod", "now", "today"]
    for function in Function.all where function.sqlClass == .core && !others.contains(function.name) {
      let endings = ["", "/0", "/1", "/2", "/3", "/1@int", "/1@double"]
      let isWritten = endings.contains { SQLTranslations.template(function.name + $0, dialect) != nil }
      #expect(isWritten || function.name == "count", "\(function.name)()")
    }
  }

  static let texts = [
    "it's", "a\"b", "back\\slash", "\\'; drop table t; --", "${env:HOME}", "two\nlines", "CR\r\nLF", "日本🍌",
    "", "'", "\\",
    "/* */", "--", "`x`", "$$", "%_", "\t",
  ]

  @Test("R49 a text stays one literal", arguments: texts)
  func quotesTexts(_ text: String) throws {
    for dialect in SQLDialect.allCases {
      let literal = try #require(dialect.text(text))
      #expect(Self.read(literal, dialect) == text, "\(dialect): \(literal)")
    }
  }

  @Test func refusesNUL() {
    for dialect in SQLDialect.allCases { #expect(dialect.text("a\0b") == nil) }
  }

  @Test("R49 a name stays one name", arguments: texts)
  func quotesNames(_ name: String) {
    for dialect in SQLDialect.allCases {
      let quoted = Array(dialect.name(name).unicodeScalars)
      let mark = quoted.first
      #expect(quoted.last == mark)
      var read: [Unicode.Scalar] = []
      var index = 1
      while index < quoted.count - 1 {
        let escapes = dialect == .clickhouse ? quoted[index] == "\\" : quoted[index] == mark
        if escapes { index += 1 }
        #expect(index < quoted.count - 1, "\(dialect): \(dialect.name(name))")
        if index < quoted.count - 1 { read.append(quoted[index]) }
        index += 1
      }
      #expect(read == Array(name.unicodeScalars), "\(dialect)")
    }
  }

  @Test func asksForSchemasAndTables() {
    #expect(SQLDialect.postgres.tableName("public.or\"ders") == "\"public\".\"or\"\"ders\"")
    #expect(SQLDialect.spark.tableName("db.t") == "`db`.`t`")
  }

  @Test(arguments: [
    ("LOWER({0})", "LOWER(a + b)"), ("{0} > 1", "(a + b) > 1"), ("F({1}, {0})", "F(c, a + b)"),
    ("F({…})", "F(a + b, c)"),
  ])
  func fillsTemplates(_ template: String, _ filled: String) {
    let arguments = [
      SQLFragment(text: "a + b", type: .int, rank: .sum), SQLFragment(text: "c", type: .int),
    ]
    #expect(SQLFragment.filling(template, arguments) == filled)
  }

  /// The text of a literal, read as its engine reads it; `nil` if it is more or less than that.
  private static func read(_ literal: String, _ dialect: SQLDialect) -> String? {
    let code = dialect == .sqlite ? "char(13)" : "chr(13)"
    var rest = literal
    if rest.hasPrefix("(") { rest = String(rest.dropFirst().dropLast()) }
    var text = ""
    for part in rest.split(separator: " || ", omittingEmptySubsequences: false) {
      if part == code {
        text += "\r"
        continue
      }
      guard let read = readPart(Array(part.unicodeScalars), dialect) else { return nil }
      text += read
    }
    return text
  }

  private static func readPart(_ part: [Unicode.Scalar], _ dialect: SQLDialect) -> String? {
    let isMarked = part.first == "E"
    let escapes = isMarked || dialect == .clickhouse || dialect == .spark
    let scalars = isMarked ? Array(part.dropFirst()) : part
    guard scalars.count >= 2, scalars.first == "'", scalars.last == "'" else { return nil }
    var text = ""
    var index = 1
    while index < scalars.count - 1 {
      switch scalars[index] {
      case "\\" where escapes:
        index += 1
        switch scalars[index] {
        case "r": text += "\r"
        case "n": text += "\n"
        case "u":
          text += "$"
          index += 4
        default: text.unicodeScalars.append(scalars[index])
        }
      case "'":
        index += 1
        guard index < scalars.count - 1, scalars[index] == "'" else { return nil }
        text += "'"
      default: text.unicodeScalars.append(scalars[index])
      }
      index += 1
    }
    return index == scalars.count - 1 ? text : nil
  }
}
