import Testing

@testable import TablerCommand

@Suite struct CompletionTests {
  static let names = ["id", "name", "weight", "net weight", "a,b", "say \"x\"", "-x", "tab\u{9}"]

  @Test(
    arguments: [
      (Completion.Kind.keys, "we", ["weight"]), (.keys, "-we", ["-weight"]),
      (.keys, "+n", ["+name", "+net weight"]),
      (.keys, "name,-n", ["name,-name", "name,-net weight"]), (.keys, "weight:de", ["weight:desc"]),
      (.keys, "id,weight:number:f", ["id,weight:number:first"]), (.keys, "(a, b),i", ["(a, b),id"]),
      (.keys, "\"a", ["\"a,b\""]), (.keys, "-\"a,b\",i", ["-\"a,b\",id"]), (.keys, "price", []),
      (.columns, "id,w", ["id,weight"]), (.columns, "!i", ["!id"]), (.columns, "\"s", ["\"say \"\"x\"\"\""]),
      (.columns, "\"-", ["\"-x\""]), (.columns, "t", []), (.alignments, "weight:tr", ["weight:trailing"]),
      (.alignments, "we", ["weight"]), (.keys, "\"", ["\"a,b\"", "\"say \"\"x\"\"\"", "\"-x\""]),
    ])
  func `a list goes on with the names of columns`(kind: Completion.Kind, prefix: String, wanted: [String]) {
    #expect(Completion.candidates(for: kind, prefix: prefix, names: Self.names) == wanted)
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
