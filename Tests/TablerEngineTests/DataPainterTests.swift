import Testing

@testable import TablerEngine

@Suite struct CSVPainterTests {
  static let verbatim = [
    "a,b\n1,2\n3,4\n", "a,b\r\n1,2\n3,4\r5,6\r\n", "a,b\n1,\"x\"\n\"y\"\"z\",\n", "\"a\",b\n1,2",
    "x,x\n1,2\n", "a\n\"\"\n1\n", " a ,b\n 1 , 2\n", "a;b,c\n\"1;\",2\n", "a,b\n27\" screen,x\n",
    "a,b\n\u{0},\u{7}\n", "a\n\"line\none\"\n", "a,b,c\n,,\n", "a,b\n",
  ]

  @Test("untouched cells, quotes and ends come back byte for byte", arguments: verbatim)
  func untouched(text: String) throws {
    let table = try SampleTable.csv(text)
    let wanted = text.utf8.last == 10 ? text : text + "\n"
    #expect(string(table.paint(CSVPainter(table.columns(), OutputOptions(), input: table.profile))) == wanted)
    var guarded = OutputOptions()
    guarded.guardsFormulas = true
    #expect(string(table.paint(CSVPainter(table.columns(), guarded, input: table.profile))) == wanted)
  }

  @Test func bytesThatAreNoTextSurvive() throws {
    let bytes = Array("a,b\n".utf8) + [0xFF, 44, 0, 10, 34, 0xC3, 34, 44, 0x80, 10]
    let table = try SampleTable.csv(bytes)
    #expect(table.paint(CSVPainter(table.columns(), OutputOptions(), input: table.profile)) == bytes)
    let turned = table.paint(CSVPainter(table.columns(["b", "a"]), OutputOptions(), input: table.profile))
    #expect(turned == Array("b,a\n".utf8) + [0, 44, 0xFF, 10, 0x80, 44, 34, 0xC3, 34, 10])
  }

  @Test func sortedRecordsKeepTheirOwnEndsAndTheLastGetsTheHeaders() throws {
    var table = try SampleTable.csv("a,b\r\n1,x\n2,y\r3,z")
    table.rows.ids.reverse()
    let painted = table.paint(CSVPainter(table.columns(), OutputOptions(), input: table.profile))
    #expect(string(painted) == "a,b\r\n3,z\r\n2,y\r1,x\n")
    let turned = table.paint(CSVPainter(table.columns(["b", "a"]), OutputOptions(), input: table.profile))
    #expect(string(turned) == "b,a\r\nz,3\r\ny,2\rx,1\n")
  }

  @Test func skippedLinesStayOutOfCopiedRecords() throws {
    let table = try SampleTable.csv("a,b\n1,2\n\n\n3,4\n")
    let painted = table.paint(CSVPainter(table.columns(), OutputOptions(), input: table.profile))
    #expect(string(painted) == "a,b\n1,2\n3,4\n")
  }

  @Test func anotherDelimiterRequotesWhatNeedsIt() throws {
    let table = try SampleTable.csv("a,\"b\"\n1;2,\"x,y\"\n\"q\"\"\",\"\"\n")
    var options = OutputOptions()
    options.delimiter = UInt8(ascii: ";")
    let painted = table.paint(CSVPainter(table.columns(), options, input: table.profile))
    #expect(string(painted) == "a;b\n\"1;2\";x,y\n\"q\"\"\";\n")
  }

  @Test func titlesGivenAndHeadersRefused() throws {
    let table = try SampleTable.csv("a,\"b\"\n1,2\n")
    let named = table.paint(CSVPainter(table.columns(["b=B,c", "a"]), OutputOptions(), input: table.profile))
    #expect(string(named) == "\"B,c\",a\n2,1\n")
    var options = OutputOptions()
    options.hasHeader = false
    #expect(string(table.paint(CSVPainter(table.columns(), options, input: table.profile))) == "1,2\n")
    var profile = table.profile
    profile.hasTitles = false
    #expect(string(table.paint(CSVPainter(table.columns(), OutputOptions(), input: profile))) == "1,2\n")
    let given = table.paint(CSVPainter(table.columns(["a=A"]), OutputOptions(), input: profile))
    #expect(string(given) == "A\n1\n")
  }

  @Test func missingCellsAreEmptyAndNullWordsKeepTheirBytes() throws {
    let table = try SampleTable.csv("a,b,c\n1,-,3\n4\n", nullWords: ["-"])
    let painted = table.paint(CSVPainter(table.columns(), OutputOptions(), input: table.profile))
    #expect(string(painted) == "a,b,c\n1,-,3\n4,,\n")
    let single = table.paint(CSVPainter(table.columns(["b"]), OutputOptions(), input: table.profile))
    #expect(string(single) == "b\n-\n\"\"\n")
  }

  @Test func formulasAreGuardedAndCountedButNumbersAreNot() throws {
    let table = try SampleTable.csv("a,=b\n=1+2,-5\n-x,+5.0\n@a,\"\tq\"\n\"=\"\"\"\"\",-1e5\n")
    var options = OutputOptions()
    options.guardsFormulas = true
    var painter = CSVPainter(table.columns(), options, input: table.profile)
    var out = ByteBuffer()
    painter.begin(into: &out)
    painter.paint(table.rows, 0..<4, into: &out)
    #expect(out.string() == "a,'=b\n'=1+2,-5\n'-x,+5.0\n'@a,'\tq\n\"'=\"\"\"\"\",-1e5\n")
    #expect(painter.guardedCells == 6)
  }

  @Test func otherFormsBecomeCommasAndNewlines() throws {
    let tsv = try SampleTable.tsv("a\tb\r\n1\\t2\tx,y\r\n")
    #expect(
      string(tsv.paint(CSVPainter(tsv.columns(), OutputOptions(), input: tsv.profile)))
        == "a,b\n1\t2,\"x,y\"\n")
    let json = try SampleTable.jsonl(
      #"{"a":"x\ny","b":null,"c":{"d": [1, "e"]}} {"a":1.50,"b":true} {"c":{"d":"\""}}"#)
    let painted = json.paint(
      CSVPainter(json.columns(["a", "b", "c.d", "c"]), OutputOptions(), input: json.profile))
    #expect(
      string(painted) == """
        a,b,c.d,c
        "x
        y",,"[1,""e""]","{""d"":[1,""e""]}"
        1.50,true,,
        ,,\"\"\"\","{""d"":""\\\"\"\"\"}"

        """)
  }
}

@Suite struct TSVPainterTests {
  @Test func untouchedCellsKeepTheirBytes() throws {
    let text = "a\tb\r\n1\\t\t\\\\\n\\x\t\"q\"\r"
    let table = try SampleTable.tsv(text)
    #expect(string(table.paint(TSVPainter(table.columns(), OutputOptions(), input: table.profile))) == text)
    let turned = table.paint(TSVPainter(table.columns(["b", "a"]), OutputOptions(), input: table.profile))
    #expect(string(turned) == "b\ta\r\n\\\\\t1\\t\n\"q\"\t\\x\r")
  }

  @Test func othersAreEscaped() throws {
    let table = try SampleTable.csv("a,\"b\tc\"\r\n\"1\n2\r\",\\\n")
    let painted = table.paint(TSVPainter(table.columns(), OutputOptions(), input: table.profile))
    #expect(string(painted) == "a\tb\\tc\n1\\n2\\r\t\\\\\n")
  }
}

@Suite struct JSONPainterTests {
  @Test func csvCellsBecomeWhatTheyLookLike() throws {
    let table = try SampleTable.csv(
      "n,t\n12.50,true\n-0,\n007,+5\n1e5,TRUE\n.5,1.\n\"x\"\"y\\\", \"\n12345678901234567890,5 \n\u{1},ü\u{7F}\n"
    )
    let painted = table.paint(
      JSONPainter(table.columns(), isArray: false, members: .columns, input: table.profile))
    #expect(
      string(painted) == """
        {"n":12.50,"t":true}
        {"n":-0,"t":null}
        {"n":"007","t":"+5"}
        {"n":1e5,"t":"TRUE"}
        {"n":".5","t":"1."}
        {"n":"x\\"y\\\\","t":" \\""}
        {"n":12345678901234567890,"t":"5 "}
        {"n":"\\u0001","t":"ü\u{7F}"}

        """)
  }

  @Test func anArrayHasARowALine() throws {
    let table = try SampleTable.csv("a,b\n1,\n2\n", nullWords: ["2"])
    let painted = table.paint(
      JSONPainter(table.columns(["b=B", "a"]), isArray: true, members: .columns, input: table.profile))
    #expect(string(painted) == "[\n{\"B\":null,\"a\":1},\n{\"a\":null}\n]\n")
    let empty = try SampleTable.csv("a\n")
    let none = empty.paint(
      JSONPainter(empty.columns(), isArray: true, members: .columns, input: empty.profile))
    #expect(string(none) == "[]\n")
  }

  @Test func repeatedAndEmptyNamesAreTheirAddresses() throws {
    let table = try SampleTable.csv("x,x,\n1,2,3\n")
    let painted = table.paint(
      JSONPainter(table.columns(), isArray: false, members: .columns, input: table.profile))
    #expect(string(painted) == "{\"x\":1,\"x_2\":2,\"@3\":3}\n")
  }

  @Test func marksAreThoseOfJSONStrings() {
    for byte in UInt8(0x20)...0x7E {
      let text = [UInt8](repeating: 97, count: 15) + [byte]
      var out = ByteBuffer()
      out.appendJSON(string: text.span)
      let isMarked = out.array() != [34] + text + [34]
      let block = ByteBlock(text.span)
      #expect(block.hasMarks(StringMarks.self, from: 0, count: 16) == isMarked)
      #expect(block.hasMarks(StringMarks.self, from: 0, count: 16, WordVector.self) == isMarked)
    }
  }

  @Test func bytesThatAreNoTextAreReplaced() throws {
    let table = try SampleTable.csv([97, 10, 0xFF, 0xC3, 65, 10])
    let painted = table.paint(
      JSONPainter(table.columns(), isArray: false, members: .columns, input: table.profile))
    #expect(string(painted) == "{\"a\":\"\u{FFFD}\u{FFFD}A\"}\n")
  }

  static let marked: [(String, String)] = [
    ("1234,50", "1234.50"), ("1.234,50", "1234.50"), ("-1.234.567", "-1234567"), ("7", "7"),
    ("1,5e3", "1.5e3"),
    ("1.5", "\"1.5\""), ("007", "\"007\""), ("+5", "\"+5\""), (" 1,5", "\" 1,5\""), ("x", "\"x\""),
  ]

  @Test("numbers with other marks are written with a point", arguments: marked)
  func marks(text: String, json: String) throws {
    let marks = try #require(NumberMarks(decimal: 44, thousands: [46]))
    let table = try SampleTable.csv("a\n\"\(text)\"\n", marks: marks)
    let painted = table.paint(
      JSONPainter(table.columns(), isArray: false, members: .columns, input: table.profile))
    #expect(string(painted) == "{\"a\":\(json)}\n")
  }

  static let records = """
    {"b" : 1.0e+2 , "a": "x\\u00e9\\/" }
    {"a":null,"c":{"d" : [ 1, "e f" ]}}
    {"c":1,"c":2,"a":"\\"\\u007d"}
    {}
    """

  @Test func jsonRecordsKeepTheirOwnKeysInTheirOwnOrder() throws {
    let table = try SampleTable.jsonl(Self.records)
    let painted = table.paint(
      JSONPainter(table.columns(), isArray: false, members: .own(hiding: []), input: table.profile))
    #expect(
      string(painted) == """
        {"b":1.0e+2,"a":"x\\u00e9\\/"}
        {"a":null,"c":{"d":[1,"e f"]}}
        {"c":2,"a":"\\"\\u007d"}
        {}

        """)
    let hidden = table.paint(
      JSONPainter(table.columns(), isArray: false, members: .own(hiding: ["a"]), input: table.profile))
    #expect(string(hidden) == "{\"b\":1.0e+2}\n{\"c\":{\"d\":[1,\"e f\"]}}\n{\"c\":2}\n{}\n")
  }

  @Test func columnsReorderJSONAndReachIntoIt() throws {
    let table = try SampleTable.jsonl(Self.records)
    let painted = table.paint(
      JSONPainter(
        table.columns(["a=A", "c.d=D", "c.d[1]", "b"]), isArray: false, members: .columns,
        input: table.profile))
    #expect(
      string(painted) == """
        {"A":"x\\u00e9\\/","b":1.0e+2}
        {"A":null,"D":[1,"e f"],"c.d[1]":"e f"}
        {"A":"\\"\\u007d"}
        {}

        """)
  }
}

private func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
