@testable import TablerEngine

/// Input of one form, made of pieces that are awkward to copy, the same in every run.
struct RandomInput {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(state: seed) }

  /// The kinds of input there are.
  enum Kind: CaseIterable {
    case csv
    case commented
    case ragged
    case tsv
    case narrow
    case words
    case jsonLines
    case json
    case sparse
    case sources
    case mixed
  }

  /// A number below `bound`.
  mutating func number(below bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  /// A table of about `count` rows, read in blocks of any size.
  mutating func table(_ kind: Kind, rows count: Int) throws -> SampleTable {
    var options = InputOptions()
    var texts: [String] = []
    switch kind {
    case .csv: texts = [csv(count)]
    case .commented:
      options.comment = UInt8(ascii: "#")
      texts = [csv(count, comments: true)]
    case .ragged:
      options.ragged = .fill
      texts = [csv(count, isRagged: true)]
    case .tsv: texts = [tsv(count)]
    case .narrow:
      options.form = .tsv
      texts = ["n\n" + lines(count) { $0.pick(["", "a", "b\\n", "ü"]) }]
    case .words:
      options.form = .words
      texts = [words(count)]
    case .jsonLines: texts = [json(count)]
    case .json: texts = ["[\n" + json(count, separator: " ,\n") + "\n]\n"]
    case .sparse: texts = [json(count, isSparse: true)]
    case .sources: texts = [csv(count / 2), csv(count / 2), csv(2)]
    case .mixed:
      options.ragged = .fill
      texts = [csv(count / 2), json(count / 2), "a;b\n1;\"x;y\"\n2;z"]
    }
    return try .read(texts, options, blockSize: pick([64, 300, 1 << 18]))
  }

  private mutating func pick<T>(_ items: [T]) -> T { items[number(below: items.count)] }

  private mutating func lines(_ count: Int, _ line: (inout RandomInput) -> String) -> String {
    let end = pick(["\n", "\r\n", "\r"])
    var text = ""
    for index in 0..<count {
      text += line(&self)
      if index < count - 1 || number(below: 2) == 0 { text += number(below: 9) == 0 ? "\n" : end }
    }
    return text
  }

  private mutating func csv(_ count: Int, comments: Bool = false, isRagged: Bool = false) -> String {
    let cells = [
      "", "\"\"", "1", "-2.5", "007", "a", "abcdefghijklmnop", "\"a,b\"", "\"say \"\"hi\"\"\"",
      "\"two\nlines\"", "\"crlf\r\nhere\"", "日本", "ü", "true", "1e3", " x ", "9007199254740993", "\u{1B}[1m",
    ]
    return "a,b,c" + pick(["\n", "\r\n"])
      + lines(count) { input in
        var row = "\(input.number(below: 50)),\(input.pick(cells)),\(input.pick(cells))"
        if comments, input.number(below: 4) == 0 { row += "\n# a \"comment\"\n" + row }
        if isRagged, input.number(below: 3) == 0 {
          row = input.pick(["5", "5,6", row + ",more", row + ",a,b"])
        }
        return row
      }
  }

  private mutating func tsv(_ count: Int) -> String {
    let cells = ["", "1", "a\\tb", "\\\\", "line\\nline", "日本", "\"q", "plain text", "\\N"]
    return "a\tb\tc\n"
      + lines(count) { "\($0.number(below: 50))\t\($0.pick(cells))\t\($0.pick(cells))" }
  }

  private mutating func words(_ count: Int) -> String {
    "NAME      STATE      SINCE\n"
      + lines(count) { input in
        let name = input.pick(["alpha", "beta", "γamma", "d"])
        let state = input.pick(["running", "stopped", ""])
        func padded(_ text: String, _ width: Int) -> String {
          text + String(repeating: " ", count: width - text.count)
        }
        return padded(name, 10) + padded(state, 11) + "\(input.number(below: 99)) h"
      }
  }

  private mutating func json(_ count: Int, separator: String = "\n", isSparse: Bool = false) -> String {
    let values = [
      "1", "-2.50", "1e3", "null", "true", "\"\"", "\"text\"", #""esc\u00e9\n""#, #""日本""#, "[1, 2 ]",
      #"{"x": [ ], "y":"\/"}"#, "9007199254740993",
    ]
    let keys = ["a", "b", "c", #"d\u0020d"#, "e"]
    var objects: [String] = []
    for index in 0..<count {
      let known = keys.prefix(2 + index * 4 / max(count, 1))
      var members = ["\"a\":\(number(below: 50))"]
      if isSparse {
        for _ in 0...number(below: 3) { members.append("\"k\(number(below: 500))\":\(pick(values))") }
      }
      for key in known.dropFirst() where !isSparse && number(below: 3) > 0 {
        members.append("\"\(key)\": \(pick(values))")
      }
      objects.append("{" + members.joined(separator: pick([",", " , "])) + "}")
    }
    return objects.joined(separator: separator)
  }
}
