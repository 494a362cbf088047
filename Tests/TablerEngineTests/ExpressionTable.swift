@testable import TablerEngine

/// A small table for expressions to run on.
struct ExpressionTable {
  let schema: Schema
  let batch: Batch

  /// A table of texts; nil is a missing cell, an empty text an empty cell.
  init(_ names: [String], _ rows: [[String?]], json: Bool = false) {
    schema = Schema(titles: names, isOpen: json)
    var bytes: [UInt8] = []
    var cells: [Cell] = []
    var starts: [UInt32] = [0]
    for row in rows {
      for text in row {
        let content = Array((text ?? "").utf8)
        cells.append(
          Cell(offset: bytes.count, length: content.count, kind: Self.kind(of: text, json: json)))
        bytes += content + [UInt8(ascii: ",")]
      }
      bytes.append(10)
      starts.append(UInt32(bytes.count))
    }
    batch = Batch(
      block: ByteBlock(bytes.span), decoded: ByteBlock([UInt8]().span), escapes: [], cells: cells,
      columnCount: names.count, recordStarts: starts,
      origin: Batch.Origin(
        source: 0, line: 2, row: 1, isVerbatim: true, dialect: Dialect(form: json ? .json : .csv)))
  }

  private static func kind(of text: String?, json: Bool) -> Cell.Kind {
    guard let text else { return .missing }
    if text.isEmpty { return .empty }
    guard json else { return .text }
    switch text.first {
    case "{": return .object
    case "[": return .list
    default: break
    }
    if text == "null" { return .null }
    if text == "true" || text == "false" { return .bool }
    return Double(text) == nil ? .text : .number
  }

  /// A row of everything.
  static let fruit = ExpressionTable(
    [
      "name", "weight", "price", "color", "flag", "zip", "none", "debt", "big", "phrase", "net-weight",
      "Unit Price",
      "a.b", "ratio",
    ],
    [
      [
        "Kiwi", "75", "2.10", "green", "true", "00501", "", "-3", "9007199254740993", "hello  world", "5",
        "1", "dotted",
        "1.5e3",
      ]
    ])

  /// The value of an expression for a row, as text; `NULL` for null.
  func value(_ source: String, row: Int = 0, arguments: NamedTexts = [:]) throws -> String {
    var binder = Binder(
      schema: schema, variables: arguments,
      context: EvaluationContext(
        sourceNames: ["fruit.csv"], now: Timestamp(instant: 1_800_000_000, offset: 0)))
    let program = try binder.bind(SourceExpression(source, option: "--filter"))
    var state = program.freshState
    let value = program.value(batch, row: row, state: &state)
    let evaluator = Evaluator(program.context, batch: batch, state: state)
    guard let text = evaluator.text(of: value) else { return "NULL" }
    return String(decoding: Array(copying: text.bytes(in: batch)), as: UTF8.self)
  }
}
