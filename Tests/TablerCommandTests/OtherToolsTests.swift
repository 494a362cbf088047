import Testing

@testable import TablerCommand
@testable import TablerEngine

/// The words of other tools: what is suggested for them exists, and is what a person looks for.
@Suite struct OtherToolsTests {
  @Test(arguments: [
    OtherTools.options, OtherTools.letters, OtherTools.functions, OtherTools.variables, OtherTools.sortFlags,
    OtherTools.alignments, OtherTools.options + OtherTools.ways,
    OtherTools.functions + OtherTools.functionWays,
  ])
  func `no word stands twice`(_ entries: [OtherTools.Entry]) {
    let words = entries.flatMap { $0.elsewhere.split(separator: " ") }
    for word in Set(words) { #expect(words.filter { $0 == word }.count == 1, "\(word)") }
    for word in words { #expect(word.count == 1 || word.lowercased() == word) }
  }

  @Test(arguments: (OtherTools.options + OtherTools.letters).map(\.here))
  func `every option suggested is there`(_ suggestion: String) throws {
    let words = suggestion.split(separator: " ").map(String.init)
    let option = try #require(Option.named(String(words[0].dropFirst(2))))
    #expect(!option.isHidden && words[0].hasPrefix("--") && words.count <= 2)
    if words.count == 2 { #expect(option.takesValue && (try? option.checked(words[1])) != nil) }
  }

  @Test func `no option is in the way of its own name`() {
    for entry in OtherTools.options {
      for word in entry.elsewhere.split(separator: " ") {
        #expect(Option.named(String(word)) == nil, "\(word)")
      }
    }
    for entry in OtherTools.letters {
      for word in entry.elsewhere.split(separator: " ") {
        #expect(Option.lettered(Character(String(word))) == nil)
      }
    }
  }

  @Test(arguments: (OtherTools.functions + OtherTools.variables).map(\.here))
  func `every function suggested is there`(_ suggestion: String) throws {
    let name = suggestion.hasSuffix("()") ? String(suggestion.dropLast(2)) : suggestion
    if suggestion == "null" || suggestion == "case when" || suggestion.hasPrefix("x ") {
      let source = suggestion == "case when" ? "case when x then 1 end" : suggestion
      _ = try SourceExpression(source, option: "--filter")
    } else {
      #expect(Function.all.contains { $0.name == name })
    }
  }

  @Test func `no function is in the way of its own name`() {
    for word in OtherTools.functions.flatMap({ $0.elsewhere.split(separator: " ") }).map(String.init) {
      #expect(Function.named(word) == nil, "\(word)")
    }
  }

  @Test(arguments: OtherTools.ways + OtherTools.functionWays)
  func `every way goes by options that are there`(_ way: OtherTools.Entry) throws {
    for word in way.here.split(separator: " ") where word.hasPrefix("--") {
      #expect(Option.named(String(word.dropFirst(2))) != nil, "\(word)")
    }
  }

  @Test(
    arguments: [
      (
        "unique", "name",
        "--filter 'unique(name)' keeps the first row of each value, 'unique($0)' that of equal rows"
      ),
      ("count-by", nil, "--group-by COL counts the rows of each value"),
      ("round", "3", "--format '*={:.3f}' shows that many decimals"),
      (
        "vlookup", "more data.csv",
        "--join 'OTHER on KEY' puts the columns of another table beside each row"
      ),
      (
        "shuf", "5", "--sample 5 keeps 5 rows by chance, in their order, and -n 5 the first 5 rows"
      ),
    ] as [(String, String?, String)])
  func `what other tools do by an option is told with its value`(
    _ name: String, _ value: String?, _ way: String
  ) {
    #expect(OtherTools.way(name, value: value) == way)
  }

  @Test(arguments: [
    ("-10", "-n 10"), ("-k2", "--sort @2"),
  ])
  func `numbers after a dash are told`(_ typed: String, _ suggestion: String) {
    let letter = typed == "-10" ? "-1" : "-2"
    #expect(throws: ArgumentError.unknownOption(typed: letter, nearest: suggestion)) {
      try Arguments([typed])
    }
  }

  @Test(arguments: [
    ("where", "--filter"), ("sort-by", "--sort"), ("limit", "--head"), ("fields", "--columns"),
    ("descending", "--sort -KEY"), ("drop", "--hide"), ("no-color", "--color never"),
    ("no-wrap", "--overflow truncate"), ("vertical", "--detail"), ("md", "--markdown"),
    ("no-headers", "--no-header-in"), ("ojson", "--json"), ("key", "--sort"), ("fields", "--columns"),
    ("box", "--grid"), ("expanded", "--detail"), ("theme", "--border"), ("LIMIT", "--head"),
  ])
  func `an option of other tools is told before the nearest name`(_ typed: String, _ suggestion: String) {
    #expect(throws: ArgumentError.unknownOption(typed: "--" + typed, nearest: suggestion)) {
      try Arguments(["--" + typed])
    }
  }

  @Test(arguments: [
    ("strlen", "length"), ("isnull", "x is null"), ("toupper", "upper"), ("NR", "row_number"),
    ("ucase", "upper"), ("instr", "position"), ("nvl", "coalesce"), ("regexp_replace", "gsub"),
    ("to_number", "number"), ("iif", "if"), ("startsWith", "starts_with"), ("printf", "format"),
  ])
  func `a function of other languages is told before the nearest name`(_ typed: String, _ suggestion: String)
  {
    let error = ExpressionError(
      option: "--filter", source: "f", range: 0..<1, kind: .unknownFunction(typed, suggestion: "nearest"))
    #expect(
      Messages(Environment()).text(error)
        == "tabler: --filter: unknown function '\(typed)'; did you mean '\(suggestion)'?\n  f\n  ^\n")
  }

  /// SQL's other spellings are shown where the function is.
  @Test func `every spelling is described`() {
    let spellings = Function.all.flatMap { function in function.otherNames.map { (function, $0) } }
    #expect(spellings.count == 8)
    for (function, spelling) in spellings {
      #expect(function.brief.contains(spelling + "("), "\(spelling)")
    }
  }
}
