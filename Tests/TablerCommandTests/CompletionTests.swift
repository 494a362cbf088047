import Testing

@testable import TablerCommand
@testable import TablerEngine

@Suite struct CompletionTests {
  static let names = ["id", "name", "weight", "net weight", "a,b", "say \"x\"", "-x", "tab\u{9}"]

  static let expressionNames = [
    "id", "and", "Use%", "a`b", "1K-blocks", "größe", "_x", "a b", "'", "e\u{301}t",
  ]

  @Test(
    arguments: [
      (Completion.Kind.keys, "we", ["weight"]), (.keys, "-we", ["-weight"]),
      (.keys, "+n", ["+name", "+net weight"]),
      (.keys, "name,-n", ["name,-name", "name,-net weight"]), (.keys, "weight:de", ["weight:desc"]),
      (.keys, "id,weight:number:f", ["id,weight:number:first"]), (.keys, "(a, b),i", ["(a, b),id"]),
      (.keys, "\"a", ["\"a,b\""]), (.keys, "-\"a,b\",i", ["-\"a,b\",id"]), (.keys, "price", []),
      (.columns, "id,w", ["id,weight"]), (.columns, "!i", ["!id"]), (.columns, "\"s", ["\"say \"\"x\"\"\""]),
      (.columns, "\"-", ["\"-x\""]), (.columns, "t", []), (.alignments, "weight:tr", ["weight:trailing"]),
      (.alignments, "we", ["weight"]), (.columns, "name=Title,we", ["name=Title,weight"]),
      (.columns, "name=Ti", []),
      (.types, "id,we", ["id,weight"]), (.types, "weight:num", ["weight:number"]),
      (.types, "id:text,weight:dat", ["id:text,weight:date", "id:text,weight:datetime"]),
      (.templates, "we", ["weight"]), (.templates, "weight={:,.2f} g,na", ["weight={:,.2f} g,name"]),
      (.templates, "name={we", ["name={weight"]), (.templates, "name={id} {up", ["name={id} {upper("]),
      (.templates, "name={`net", ["name={`net weight`"]), (.templates, "weight=na", []),
      (.keys, "\"", ["\"a,b\"", "\"say \"\"x\"\"\"", "\"-x\""]),
    ])
  func `a list goes on with the names of columns`(kind: Completion.Kind, prefix: String, wanted: [String]) {
    #expect(Completion.candidates(for: kind, prefix: prefix, names: Self.names) == wanted)
  }

  /// A prefix of an expression, and what it may go on with.
  @Test(
    arguments: [
      ("", ["id", "name", "weight"]), ("we", ["weight"]), ("weight > 1 and na", ["weight > 1 and name"]),
      ("weight ", []), ("weight > ", ["weight > id", "weight > name", "weight > weight"]),
      ("id = 1 or not ", ["id = 1 or not id", "id = 1 or not name", "id = 1 or not weight"]),
      ("id in (1, we", ["id in (1, weight"]),
      // Backticks where the grammar needs them.
      ("net", ["`net weight`"]), ("`net", ["`net weight`"]), ("`we", ["`weight`"]), ("n", ["name"]),
      ("`net weight` > we", ["`net weight` > weight"]), ("1 + `say", ["1 + `say \"x\"`"]),
      ("`a``b", ["`a``b`"]),
      ("an", ["`and`"]), ("`a,", ["`a,b`"]),
      // Texts and patterns hold no names.
      ("name = 'we", []), ("name = \"we", []), ("name = \"a\\\"we", []), ("name = 'it''s we", []),
      ("name = 'a' or we", ["name = 'a' or weight"]), ("name =~ /we", []), ("name =~ /a\\/we", []),
      ("name =~ /a/ and we", ["name =~ /a/ and weight"]), ("id / we", ["id / weight"]),
      ("(id) / we", ["(id) / weight"]),
      ("$we", []), ("a.we", []), ("1we", []), ("price", []),
      // Functions, where no column fits.
      ("lev", ["levenshtein("]), ("id = starts", ["id = starts_with("]),
      // The other grammars that hold expressions.
      ("kg = we", ["kg = weight"]), ("weight = id where na", ["weight = id where name"]),
      ("weight: na", ["weight: name"]), ("n = sum(we", ["n = sum(weight"]),
      ("a = 1, b = we", ["a = 1, b = weight"]),
      ("a = 1; we", ["a = 1; weight"]), ("name: weight > 1 -> fg={na", ["name: weight > 1 -> fg={name"]),
    ])
  func `an expression goes on with the name under the cursor`(prefix: String, wanted: [String]) {
    let names = ["id", "name", "weight", "net weight", "a,b", "a`b", "say \"x\"", "and", "tab\u{9}"]
    #expect(
      Completion.candidates(
        for: .expression, prefix: prefix,
        names: prefix.isEmpty || wanted.count > 1 ? ["id", "name", "weight"] : names)
        == wanted)
  }

  @Test(arguments: expressionNames)
  func `what is completed is an expression`(name: String) throws {
    let spelled = Completion.candidates(for: .expression, prefix: "`" + String(name.prefix(1)), names: [name])
    #expect(spelled.count == 1 && (try? SourceExpression(spelled.first ?? "", option: "--filter")) != nil)
    let bare = Completion.candidates(for: .expression, prefix: "", names: [name])
    #expect(bare.count == 1 && (try? SourceExpression(bare.first ?? "", option: "--filter")) != nil)
  }

  @Test(arguments: Option.all)
  func `files are offered for files alone`(option: Option) {
    switch option.offer {
    case .file: if case .file = option.value {} else { Issue.record("\(option.spelling)") }
    case .namedFile: #expect(option.id == .lookup)
    case .joinedFile: #expect(option.id == .join)
    case .columns(.expression, _):
      if case .expression = option.value {} else { Issue.record("\(option.spelling)") }
    case .nothing, .words, .columns: if case .file = option.value { Issue.record("\(option.spelling)") }
    }
  }

  @Test(arguments: [
    ("p.csv", ""), ("p.csv on ", "p.csv on id\np.csv on name\n"), ("p.csv on n", "p.csv on name\n"),
    ("p.csv on id = k", "p.csv on id = key\n"), ("p.csv on id=key, n", "p.csv on id=key, name\n"),
    ("a on b.csv on i", "a on b.csv on id\n"),
  ])
  func `a join goes on with the columns of both tables`(prefix: String, wanted: String) {
    let answer = Completion.answer(to: ["join", prefix, "--", "tabler", "t.csv", "--join", prefix]) {
      file, _ in
      file == "t.csv" ? ["id", "name"] : file == "p.csv" ? ["key", "price"] : nil
    }
    #expect(answer == wanted)
  }

  @Test func `the last word that is a file is asked, with the options of the line`() {
    var asked: [String] = []
    let answer = Completion.answer(
      to: ["keys", "-n", "--", "tabler", "a.csv", "b.csv", "-d;", "--sort", "-n"]
    ) { file, arguments in
      asked.append(file)
      #expect(arguments.character(.delimiter) == ";")
      return file == "b.csv" ? ["name"] : nil
    }
    #expect(answer == "-name\n")
    #expect(asked == ["--sort", "-d;", "b.csv"])
  }

  @Test(arguments: [
    [], ["keys"], ["keys", "a", "--"], ["bogus", "a", "--", "tabler"], ["keys", "a", "b", "tabler"],
  ])
  func `a request that makes no sense is answered by nothing`(request: [String]) {
    #expect(Completion.answer(to: request) { _, _ in ["a"] } == "")
  }
}
