import Testing

@testable import TablerEngine

/// R46: a JSON row that blocks cut is read as one that they do not.
@Suite struct JSONOpenRowTests {
  private static let long = String(repeating: "x\\n\\u00e9\\\\ü", count: 30)
  private static let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
  private static let members = (0..<60).map { "\"k\($0)\" :\n[\($0).5e1, {\"a\":null}]" }.joined(
    separator: ",")
  private static let digits = String(repeating: "1", count: 400)

  static let texts: [(String, JSONPath?)] = [
    ("{\(members)}", nil), ("[{\(members)} , {\"k1\":true}]", nil),
    ("{\"a\":\(deep)}{\"a\":\"\(long)\"}", nil),
    ("{\"a\":\(digits)}\n{\"a\":-\(digits).\(digits)E-7}", nil), ("{\"x\":[{\(members)}]}", JSONPath("x")),
    ("{\"x\":{\"\(long)\" : {\(members)}}}", JSONPath("x")), ("[[\"a\"],[\"\(long)\"]]", JSONPath(".")),
    ("[\(digits),\"\(long)\",[\(members.filter { $0 != ":" })]", JSONPath(".")),
    ("{\"y\":[\(digits),{\(members)},-\(digits).5],\"x\":[{\"a\":1}]}", JSONPath("x")),
    ("{\"a\":1}{\(members),}", nil), ("{\(members) \"a\":1}", nil), ("{\"a\":\(digits)x}", nil),
    ("{\"a\":[\(deep)]}", nil), ("{\"a\":\"\(long)\\x\"}", nil), ("{\"a\":\"\(long)\n\"}", nil),
    (digits, nil),
    ("{\(members)", nil), ("{\"a\":\(deep.dropLast())}", nil), ("{\"y\":0\(digits),\"x\":[]}", JSONPath("x")),
    ("{\"y\":\(digits)-,\"x\":[]}", JSONPath("x")), ("{\"x\":[{\"a\":1},{\(members)]}", JSONPath("x")),
  ]

  @Test(arguments: texts)
  func `a row is read alike whatever blocks cut it`(_ text: String, _ path: JSONPath?) throws {
    for form in [InputForm.json, .jsonl] {
      var options = InputOptions()
      options.form = form
      options.at = path
      let whole = Result { try SampleTable.read([text], options).everyPainting() }
      for blockSize in [16, 61, 64, 100, 500] {
        let cut = Result { try SampleTable.read([text], options, blockSize: blockSize).everyPainting() }
        switch (whole, cut) {
        case (.success(let whole), .success(let cut)): #expect(whole == cut, "blocks of \(blockSize)")
        case (.failure(let whole), .failure(let cut)):
          let damage = (whole: try #require(whole as? InputError), cut: try #require(cut as? InputError))
          #expect(damage.whole == damage.cut, "blocks of \(blockSize)")
        default: Issue.record("\(whole) is not \(cut), in blocks of \(blockSize)")
        }
      }
    }
  }

  @Test func `what goes over a row stops where it did, at numbers too`() throws {
    var skipper = JSONSkipper(isMember: true, isLineBound: false)
    let row = Array("\"key\" : {\"a\":[12.5e3,true,\"x\\u00e9\"],\"b\":{}}".utf8)
    var offset = 0
    for count in 0..<row.count {
      #expect(try !skipper.skip(row.span.extracting(..<count), isLast: false, from: &offset))
      #expect(count - offset <= 6, "no more than a number or an escape is looked at again")
    }
    #expect(try skipper.skip(row.span, isLast: false, from: &offset))
    #expect(offset == row.count)
  }
}
