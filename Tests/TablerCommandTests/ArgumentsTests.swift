import TablerEngine
import Testing

@testable import TablerCommand

/// Words parted at blanks; `_` stands for an empty word.
private func words(_ line: String) -> [String] {
  line.split(separator: " ").map { $0 == "_" ? "" : String($0) }
}

private func parsed(_ line: String) throws(ArgumentError) -> Arguments {
  try Arguments(words(line))
}

@Suite struct ArgumentsTests {
  @Test(
    "R44: one key in its spellings",
    arguments: [
      "--sort -weight", "--sort=-weight", "-s -weight", "-s-weight", "-gs-weight", "-eqs -weight",
      "file.csv --sort -weight", "--sort -weight -- file.csv",
    ])
  func sortSpellings(line: String) throws {
    #expect(try parsed(line).values(.sort) == ["-weight"])
  }

  @Test func `an attached value is literal, even empty or with dashes`() throws {
    #expect(try parsed("--title=").value(.title) == "")
    #expect(try parsed("--title=--grid").value(.title) == "--grid")
    #expect(try parsed("--title=a=b").value(.title) == "a=b")
    #expect(try parsed("--sort=--grid").value(.sort) == "--grid")
    #expect(try parsed("-s--grid").value(.sort) == "--grid")
    #expect(try parsed("--title _").value(.title) == "")
  }

  @Test func `options stand anywhere and two dashes end them`() throws {
    let arguments = try parsed("a.csv --grid b.csv -- --stack -s -")
    #expect(
      arguments.sources == [.file("a.csv"), .file("b.csv"), .file("--stack"), .file("-s"), .standardInput])
    #expect(arguments.layout == .grid)
  }

  @Test func `a dash alone is standard input, once`() throws {
    #expect(try parsed("a.csv - b.csv").sources == [.file("a.csv"), .standardInput, .file("b.csv")])
    #expect(throws: ArgumentError.standardInputTwice) { try parsed("- a.csv -") }
  }

  @Test func `the last scalar wins and lists add up in order`() throws {
    let arguments = try parsed("--width 10 -f a -w20 --filter b --width=none -f c")
    #expect(arguments.value(.width) == "none")
    #expect(arguments.values(.filter) == ["a", "b", "c"])
  }

  @Test(
    arguments: [
      ("--row-numbers", Option.ID.rowNumbers, true), ("--no-row-numbers", .rowNumbers, false),
      ("--row-numbers --no-row-numbers", .rowNumbers, false), ("--no-header", .noHeader, true),
      ("--no-header --header", .noHeader, false), ("-H --header-in", .noHeaderIn, false),
      ("--sort-indicators", .noSortIndicators, false), ("-q --no-quiet", .quiet, false),
      ("-eq", .exitStatus, true),
    ])
  func `every switch has its negation`(line: String, option: Option.ID, isOn: Bool) throws {
    #expect(try parsed(line).isOn(option) == isOn)
  }

  @Test(arguments: ["--no-list", "--no-csv", "--no-text", "--no-help", "--no-version", "--no-title"])
  func `what says which, not whether, has none`(word: String) {
    #expect(throws: ArgumentError.self) { try parsed(word) }
    #expect(Option.named(String(word.dropFirst(2))) == nil)
  }

  @Test func `of layouts and of forms the last one picks`() throws {
    #expect(try parsed("-g --stack").layout == .stack)
    #expect(try parsed("-xlk -l").layout == .list)
    #expect(try parsed("a.csv").layout == nil)
    #expect(try parsed("--csv -t md").form == .markdown)
    #expect(try parsed("--to html --jsonl").form == .jsonl)
    #expect(try parsed("--grid").form == nil)
  }

  @Test(
    arguments: [
      ("-h", Arguments.Request.shortHelp), ("-gh", .shortHelp), ("--help", .help), ("-V", .version),
      ("--version -h", .version), ("--bogus -h", .shortHelp), ("--sort --help", .help),
      ("--generate man", .generate(.man)),
      ("--generate man -h", .shortHelp),
      ("--complete sort -w -- tabler a.csv --sort", .complete(words("sort -w -- tabler a.csv --sort"))),
      ("--sort -h", .table), ("-s -h", .table), ("-- -h", .table), ("--sort=--help", .table),
    ])
  func `help is an option before two dashes, not a value`(line: String, request: Arguments.Request) throws {
    #expect(try parsed(line).request == request)
  }

  @Test(
    arguments: [
      ("--row-paddings 1", ArgumentError.unknownOption(typed: "--row-paddings", nearest: "--row-padding")),
      ("--gird", .unknownOption(typed: "--gird", nearest: "--grid")),
      ("--ambiguous 2", .unknownOption(typed: "--ambiguous", nearest: nil)),
      ("--sor=-weight", .unknownOption(typed: "--sor", nearest: "--sort")),
      ("--xyzzy", .unknownOption(typed: "--xyzzy", nearest: nil)),
      ("-z", .unknownOption(typed: "-z", nearest: nil)),
      ("-grid", .unknownOption(typed: "-r", nearest: "--grid")),
      ("-gé", .unknownOption(typed: "-é", nearest: nil)),
      ("--=x", .unknownOption(typed: "--", nearest: nil)),
      ("--sort", .missingValue(.sort)), ("-s", .missingValue(.sort)),
      ("--sort --grid", .optionForValue(.sort, next: "--grid")),
      ("-s --", .optionForValue(.sort, next: "--")),
      ("-s=-weight", .equalsSignAfterLetter(.sort, value: "-weight")),
      ("--grid=yes", .unexpectedValue(typed: "--grid")), ("-g=yes", .unexpectedValue(typed: "-g")),
      ("--border hevy", .notAChoice(.border, value: "hevy", nearest: "heavy")),
      ("-t pdf", .notAChoice(.to, value: "pdf", nearest: nil)),
      ("--html-style link:", .notAChoice(.htmlStyle, value: "link:", nearest: nil)),
      ("--width wide", .notANumber(.width, value: "wide")), ("--head=", .notANumber(.head, value: "")),
      (
        "--head 99999999999999999999",
        .outOfRange(.head, value: "99999999999999999999", -Int.max...Int.max)
      ),
      ("--head +-9", .notANumber(.head, value: "+-9")),
      ("--min-width 10001", .outOfRange(.minWidth, value: "10001", 0...10_000)),
      ("--tail -1", .outOfRange(.tail, value: "-1", 0...Int.max)),
      ("-d ab", .notACharacter(.delimiter, value: "ab", .ascii)),
      ("-d é", .notACharacter(.delimiter, value: "é", .ascii)),
      ("--sort=", .emptyValue(.sort)), ("-o _", .emptyValue(.output)),
    ])
  func `a wrong line says what is wrong`(line: String, error: ArgumentError) {
    #expect(throws: error) { try parsed(line) }
  }

  @Test func `R44: words that are no UTF-8 are named`() {
    #expect(throws: ArgumentError.notUTF8(.title, repaired: "a\u{FFFD}")) {
      try Arguments([Array("--title".utf8), [97, 0xFF]])
    }
    #expect(throws: ArgumentError.notUTF8(.title, repaired: "\u{FFFD}")) {
      try Arguments([Array("--title=".utf8) + [0xFF]])
    }
  }

  @Test func `R12 the name of a file is kept byte for byte`() throws {
    let name: [UInt8] = [0x61, 0xFF, 0x3D] + Array(".csv".utf8)
    #expect(try Arguments([name]).sources == [.file(FilePath(name))])
    for words in [[Array("-o".utf8), name], [Array("-eo".utf8) + name], [Array("--output=".utf8) + name]] {
      #expect(try Arguments(words).path(.output) == FilePath(name))
    }
  }

  @Test(arguments: [
    ("-g", "-g"), ("-eq", "-eq"), ("-weight", nil), ("-", nil), ("-w", "-w"), ("-z", nil), ("weight", nil),
  ])
  func `a value that reads like an option is noted`(value: String, lookAlike: String?) throws {
    #expect(try parsed("--sort \(value)").last(.sort)?.lookAlike == lookAlike)
    #expect(try parsed("--sort=\(value)").last(.sort)?.lookAlike == nil)
  }

  @Test func `values come out as what they are`() throws {
    let arguments = try parsed("-d \\t -n -5 --border round -w none --quote none --decimal , --thousands ’")
    #expect(arguments.character(.delimiter) == "\t")
    #expect(arguments.number(.head) == -5)
    #expect(arguments.choice(.border, as: Border.self) == .round)
    #expect(arguments.number(.width) == nil)
    #expect(arguments.character(.quote) == nil)
    #expect(arguments.character(.decimal) == ",")
    #expect(arguments.character(.thousands) == "’")
  }

  @Test func `a line of any bytes gives arguments or an error, and never a trap`() {
    var random = SystemRandomNumberGenerator()
    let bytes: [UInt8] = Array("-=sgtd h\u{0}é,:@*x".utf8) + [0xFF, 0xC3]
    for _ in 0..<2_000 {
      let line = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in bytes.randomElement(using: &random) }
      }
      _ = Arguments.lenient(line)
    }
  }
}
