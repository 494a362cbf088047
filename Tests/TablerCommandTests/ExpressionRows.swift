import Foundation

@testable import TablerCommand
@testable import TablerEngine

/// The table of expressions, `expressions.txt`: programs, the input they see, and what is expected.
///
///     ## Arithmetic                         a block; below it stands where its answers come from
///     # Python: decimal.Decimal
///     input fruit                           an input that was written down before
///     as value                              how programs are used: see `Use`
///     weight * 2 ⇒ 150                      a program and what it gives
///     ▸wieght◂ > 10 ⇒ column 'wieght' …     a program that is refused, where, and what is said
///
/// An input is written down by `input NAME FORM [TYPES]`, its lines indented below. `«(»×201` is a text so many times. `␣` is a blank at an end, `␤` a newline, `␉` a
/// tab and `␀` a zero byte. Of an input with several rows the values are joined by ` | `. After a value `!` says that a
/// cell was counted that does not convert. `NULL` is null.
struct ExpressionRows {
  /// How a program is used.
  enum Use: String {
    /// An expression of any kind, for each row.
    case value
    /// A condition, for each row.
    case condition
    /// Assignments of `--derive`: the values of the first one.
    case assignments
    /// Pairs of `--aggregate`: the value of the first one over all rows.
    case aggregate
    /// A template that all rows fill.
    case footer
    /// The same, in which `name` means a value that comes with the rows: `Fruit`.
    case section
    /// A template that each row fills, whose first cell is `{}`.
    case format
    /// Words of a command line, parted by two blanks: what is said, and what is written.
    case command
  }

  /// A row of the table.
  struct Row: Sendable {
    /// The line it stands on.
    var line: Int
    /// The block it stands in.
    var block: String
    /// The program, without marks.
    var program: String
    /// The row as written, without blanks that only align it.
    var written: String
    /// How the program is used.
    var use: Use
    /// What it sees.
    var input: Input
  }

  /// What programs see.
  struct Input: Sendable {
    /// Its form.
    var form = InputForm.csv
    /// The value of `--types`.
    var types: String?
    /// Its text.
    var text = ""
    /// Its columns.
    var schema = Schema(titles: [], isOpen: false)
    /// Its rows.
    var batch = Batch.empty
  }

  /// The rows.
  private(set) var rows: [Row] = []

  private var inputs: [String: Input] = [:]

  /// Where the table stands.
  static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "expressions.txt")

  /// Reads a table.
  init(_ text: String) {
    var (block, use, input, open) = ("", Use.value, Input(), String?.none)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (index, line) in lines.enumerated() {
      if let name = open {
        if line.hasPrefix("  ") {
          inputs[name]?.text += Self.repeated(String(line.dropFirst(2))) + "\n"
          continue
        }
        inputs[name]?.read(name)
        open = nil
      }
      let words = line.split(separator: " ")
      if line.hasPrefix("## ") {
        block = String(line.dropFirst(3))
      } else if line.hasPrefix("# ") || line == "#" || words.isEmpty {
        continue
      } else if words.count == 2, words[0] == "as", let new = Use(rawValue: String(words[1])) {
        use = new
      } else if words.count == 2, words[0] == "input", let known = inputs[String(words[1])] {
        input = known
      } else if words.count > 2, words[0] == "input", let form = InputForm(rawValue: String(words[2])) {
        open = String(words[1])
        inputs[String(words[1])] = Input(form: form, types: words.count > 3 ? String(words[3]) : nil)
      } else {
        let parts = line.split(separator: "⇒", maxSplits: 1, omittingEmptySubsequences: false).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        precondition(parts.count == 2, "line \(index + 1) is no row: \(line)")
        let program = Self.repeated(Self.visible(parts[0])).filter { $0 != "▸" && $0 != "◂" }
        rows.append(
          Row(
            line: index + 1, block: block, program: program, written: parts[0] + " ⇒ " + parts[1], use: use,
            input: input))
      }
    }
  }

  /// The table of the file.
  static let all = ExpressionRows(text ?? "").rows

  /// The text of the file, where it is there.
  static var text: String? { (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } }

  /// Characters that a text file would hide.
  private static let hidden: [(Character, Character)] = [("␤", "\n"), ("␉", "\t"), ("␀", "\0")]

  private static func visible(_ text: String) -> String {
    String(text.map { mark in mark == "␣" ? " " : hidden.first { $0.0 == mark }?.1 ?? mark })
  }

  /// The text with `«text»×N` so many times.
  private static func repeated(_ text: String) -> String {
    guard let open = text.firstIndex(of: "«"), let close = text[open...].range(of: "»×") else { return text }
    let digits = text[close.upperBound...].prefix { $0.isNumber }
    let piece = String(text[text.index(after: open)..<close.lowerBound])
    let rest = repeated(String(text[digits.endIndex...]))
    return text[..<open] + String(repeating: piece, count: Int(digits) ?? 0) + rest
  }

  /// A text as the table writes it.
  fileprivate static func written(_ text: String) -> String {
    let text = text.map { character in hidden.first { $0.1 == character }?.0 ?? character }
    let start = text.prefix { $0 == " " }.count
    let end = start < text.count ? text.count - text.reversed().prefix { $0 == " " }.count : text.count
    return text.indices.map { start..<end ~= $0 ? String(text[$0]) : "␣" }.joined()
  }
}

extension ExpressionRows.Input {
  /// Reads the columns and rows.
  fileprivate mutating func read(_ name: String) {
    var options = InputOptions()
    options.form = form
    let bytes = Array(text.utf8)
    let reader = InputReader([.standardInput], options: options, mayGrow: true) { _ in
      ByteSource(bytes: bytes)
    }
    do {
      try reader.open()
      batch = try reader.next() ?? .empty
      schema = reader.schema
      var cursor = GrammarCursor(types ?? "", of: .types)
      if types != nil { try schema.declare(try cursor.types()) }
    } catch { fatalError("input \(name): \(error)") }
  }
}

// MARK: - Outcomes

extension ExpressionRows.Row {
  /// The row with what comes out now; a program with repetitions stays as it is written.
  var outcome: String {
    guard written.contains("»×"), let mark = written.range(of: " ⇒ ") else { return told }
    let result = told.range(of: " ⇒ ").map { told[$0.lowerBound...] } ?? ""
    return String(written[..<mark.lowerBound] + result)
  }

  private var told: String {
    do {
      return "\(ExpressionRows.written(program)) ⇒ \(ExpressionRows.written(try result()))"
    } catch let error as ExpressionError {
      let message = Self.words(Messages(Environment()).text(error))
      guard error.range.upperBound <= program.utf8.count else { return "\(program) ⇒ \(message)" }
      return "\(ExpressionRows.written(marked(error.range))) ⇒ \(message)"
    } catch { return "\(program) ⇒ \(error)" }
  }

  /// What a message says, without its place.
  private static func words(_ message: String) -> String {
    let line = message.prefix { $0 != "\n" }
    return String(line.hasPrefix("tabler: --filter: ") ? line.dropFirst(18) : line.dropFirst(8))
  }

  private func marked(_ range: Range<Int>) -> String {
    let bytes = Array(program.utf8)
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    return text(0..<range.lowerBound) + "▸" + text(range) + "◂" + text(range.upperBound..<bytes.count)
  }

  private static let variables: NamedTexts = [
    "who": "Kiwi", "min": "10", "nothing": "", "num": "501", "col": "color", "part": "2", "bad": "(",
    "table": "prices",
  ]

  private static let prices: LookupTable = {
    var input = ExpressionRows.Input(text: "name,price\nKiwi,0.80\nBanana,3.20\n")
    input.read("prices")
    return LookupTable(input.schema, [input.batch])
  }()

  private static let single: LookupTable = {
    var input = ExpressionRows.Input(text: "name\nKiwi\n")
    input.read("single")
    return LookupTable(input.schema, [input.batch])
  }()

  private var binder: Binder {
    Binder(
      schema: input.schema, variables: Self.variables,
      context: EvaluationContext(
        sourceNames: ["fruit.csv"], now: Timestamp(instant: 1_800_000_000, offset: 0),
        lookups: ["prices": Self.prices, "single": Self.single]))
  }

  private func result() throws -> String {
    var binder = binder
    switch use {
    case .value:
      let program = try binder.bind(SourceExpression(self.program, option: "--filter"))
      return values(of: program) { try? binder.bind(condition: $0) }
    case .condition:
      return values(of: try binder.bind(condition: SourceExpression(program, option: "--filter"))) { _ in nil
      }
    case .assignments:
      let assignment = try Assignment.all(in: program, option: "--derive")[0]
      let values = values(of: try binder.bind(assignment.value)) { _ in nil }
      guard let condition = assignment.condition else { return "\(assignment.column): \(values)" }
      return
        "\(assignment.column): \(values) where \(self.values(of: try binder.bind(condition: condition)) { _ in nil })"
    case .aggregate:
      let pair = try Assignment.aggregates(in: program, option: "--aggregate")[0]
      return try aggregate(pair.value)
    case .footer: return try footer(SourceTemplate(program, option: "--footer"))
    case .section: return try footer(SourceTemplate(program, option: "--section-header"), given: "name")
    case .format:
      let source = try SourceTemplate(program, option: "--format")
      return format(try binder.bind(row: source.ofDates ?? source, hasCell: true))
    case .command: return command()
    }
  }

  /// The values for all rows, found in every way there is.
  private func values(of program: Program, _ condition: (SourceExpression) -> Program?) -> String {
    var state = program.freshState
    var (texts, others): ([String], [String]) = ([], [])
    for row in 0..<input.batch.rowCount {
      let before = state.tally.count
      let value = program.value(input.batch, row: row, state: &state)
      let evaluator = Evaluator(program.context, batch: input.batch, state: state)
      texts.append(Self.text(value, evaluator) + (state.tally.count > before ? "!" : ""))
      if let failure = state.failure {
        state.failure = nil
        texts[row] += Self.text(failure)
      }
    }
    var (rows, count) = ((0..<UInt32(input.batch.rowCount)).map { $0 }, 0)
    var second = program.freshState
    program.forEachValue(input.batch, rows: rows.span, state: &second) { value, evaluator in
      let isCounted = evaluator.state.tally.count > count
      count = evaluator.state.tally.count
      var text = Self.text(value, evaluator) + (isCounted ? "!" : "")
      if let failure = evaluator.state.failure {
        evaluator.state.failure = nil
        text += Self.text(failure)
      }
      others.append(text)
    }
    if texts != others { return "\(texts), but for the batch \(others)" }
    let source = try? SourceExpression(self.program, option: "--filter")
    guard let program = use == .condition ? program : source.flatMap(condition) else {
      return texts.joined(separator: " | ")
    }
    var third = program.freshState
    program.filter(input.batch, rows: &rows, state: &third)
    let kept = texts.indices.filter { texts[$0].prefix { $0 != "!" } == "true" }.map { UInt32($0) }
    if rows != kept { return "\(texts), but filter keeps \(rows)" }
    return texts.joined(separator: " | ")
  }

  private static func text(_ failure: EvaluationFailure) -> String {
    if case .must(_, _, _, let type) = failure { "!\(type.rawValue)" } else { "!\(failure)" }
  }

  private static func text(_ value: Value, _ evaluator: borrowing Evaluator) -> String {
    guard let text = evaluator.text(of: value) else { return "NULL" }
    return String(decoding: Array(copying: text.bytes(in: evaluator.batch)), as: UTF8.self)
  }

  /// The value of all rows, found in every way there is.
  private func aggregate(_ source: SourceExpression) throws -> String {
    var binder = binder
    let (program, aggregates, _) = try binder.bind(aggregate: source, in: GroupRow())
    let rows = (0..<UInt32(input.batch.rowCount)).map { $0 }
    var results: [String] = []
    for cut in -1...rows.count {
      var values: [Value] = []
      var misfits = 0
      for aggregate in aggregates {
        var evaluator = Evaluator(program.context, batch: input.batch, state: program.freshState)
        if cut < 0 {
          var groups = GroupAggregator(aggregate, program.freshState.tally, program.context)
          let numbers = groups.term.map { NumberColumns($0, rows.span, of: input.batch) }
          groups.add(
            rows.span, of: [UInt32](repeating: 0, count: rows.count).span, count: 1, numbers, &evaluator)
          values += try groups.values(of: 0..<1, count: 1)
          misfits += groups.misfitCells.count
        } else {
          var first = Aggregator(aggregate, slots: program.freshState.tally.entries.map(\.column))
          var second = first
          first.add(Array(rows[..<cut]).span, &evaluator)
          second.add(Array(rows[cut...]).span, &evaluator)
          first.merge(second)
          values.append(try first.result)
          misfits += first.misfitCells.count
        }
      }
      var evaluator = Evaluator(program.context, batch: input.batch, state: program.freshState)
      evaluator.aggregates = values
      let value = evaluator.value(program.node)
      results.append(Self.text(value, evaluator) + (misfits > 0 ? "!\(misfits)" : ""))
    }
    guard Set(results).count == 1 else { return "\(results)" }
    return results[0]
  }

  /// The template filled by all rows.
  private func footer(_ source: SourceTemplate, given name: String? = nil) throws -> String {
    var binder = binder
    var template = try binder.bind(footer: source, given: name)
    template.given = .text("Fruit")
    let rows = (0..<UInt32(input.batch.rowCount)).map { $0 }
    template.accumulate(input.batch, rows: rows.span)
    var buffer = ByteBuffer()
    template.render(into: &buffer)
    return buffer.string()
  }

  /// The template filled by each row; `-` where the cell stands as it is.
  private func format(_ template: RowTemplate) -> String {
    var state = template.freshState
    return (0..<input.batch.rowCount).map { row in
      state.shownRow = row + 1
      var buffer = ByteBuffer()
      let cell = input.batch.cell(row: row, column: 0)
      let isFilled = template.render(
        input.batch, row: row, cell: input.batch.content(cell), kind: cell.kind, into: &buffer, state: &state)
      return isFilled ? buffer.string() : "-"
    }.joined(separator: " | ")
  }

  /// What a run says and writes.
  private func command() -> String {
    let words = program.components(separatedBy: "  ") + ["--from", input.form.rawValue]
    let bytes = Array(input.text.utf8)
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    var messages = Messages(Environment())
    do {
      let arguments = try Arguments(words)
      messages = Messages(arguments, Environment())
      var notices: [PlanNotice] = []
      var plan = try Plan(arguments, Environment(), notices: &notices)
      plan.output.path = FilePath(file.path)
      let outcome = try Pipeline(plan, Tuning()) { _ in ByteSource(bytes: bytes) }.run()
      return messages.text(outcome, isQuiet: false)
        + String(decoding: try Data(contentsOf: file), as: UTF8.self)
    } catch let error as ArgumentError {
      return Self.words(messages.text(error))
    } catch let error as PlanError {
      return Self.words(messages.text(error))
    } catch let error as Failure {
      return Self.words(messages.text(error))
    } catch { return "\(error)" }
  }
}

extension ConversionTally {
  /// How many cells did not convert.
  fileprivate var count: Int { entries.reduce(0) { $0 + $1.count } }
}
