@testable import TablerEngine

/// A source with its mistake marked: `age < ▸◂`, `▸wieght◂ > 10`.
struct Marked {
  let source: String
  let range: Range<Int>

  init(_ text: String) {
    let parts = text.split(separator: "▸", omittingEmptySubsequences: false)
    let rest = parts.count > 1 ? parts[1].split(separator: "◂", omittingEmptySubsequences: false) : []
    let before = String(parts[0])
    let inside = rest.isEmpty ? "" : String(rest[0])
    let after = rest.count > 1 ? String(rest[1]) : ""
    source = before + inside + after
    range = before.utf8.count..<before.utf8.count + inside.utf8.count
  }

  /// The same text with `range` marked.
  static func mark(_ source: String, _ range: Range<Int>) -> String {
    let bytes = Array(source.utf8)
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let low = min(range.lowerBound, bytes.count)
    let high = min(range.upperBound, bytes.count)
    return text(0..<low) + "▸" + text(low..<high) + "◂" + text(high..<bytes.count)
  }
}

extension Expression {
  /// The tree in prefix form, to be compared with in tests.
  var shape: String {
    func list(_ parts: [Expression]) -> String { parts.map(\.shape).joined(separator: " ") }
    func sign(_ isNegated: Bool) -> String { isNegated ? "not-" : "" }
    return switch kind {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): digits
    case .text(let text): "'\(text)'"
    case .typed(let type, let text): "\(type)'\(text)'"
    case .pattern(let text, let flags): "/\(text)/\(flags)"
    case .column(let name): name
    case .position(let number): "$\(number)"
    case .record: "$0"
    case .argument(let name): "$\(name)"
    case .path(let base, let steps): "(path \(base.shape)\(steps.map(\.shape).joined()))"
    case .list(let items): "[\(list(items))]"
    case .call(let name, let arguments): "\(name.text)(\(list(arguments)))"
    case .negation(let operand): "(neg \(operand.shape))"
    case .plus(let operand): "(pos \(operand.shape))"
    case .not(let operand, _): "(not \(operand.shape))"
    case .logical(let word, let operands, _): "(\(word.rawValue) \(list(operands)))"
    case .coalesce(let operands): "(?? \(list(operands)))"
    case .chain(let first, let links):
      links.reduce(first.shape) { "(\($1.symbol.rawValue) \($0) \($1.operand.shape))" }
    case .power(let base, let exponent): "(^ \(base.shape) \(exponent.shape))"
    case .comparison(let symbol, let left, let right): "(\(symbol.rawValue) \(left.shape) \(right.shape))"
    case .membership(let left, let list, let isNegated): "(\(sign(isNegated))in \(left.shape) \(list.shape))"
    case .between(let left, let low, let high, let isNegated):
      "(\(sign(isNegated))between \(left.shape) \(low.shape) \(high.shape))"
    case .like(let left, let pattern, let ignoresCase, let isNegated):
      "(\(sign(isNegated))\(ignoresCase ? "ilike" : "like") \(left.shape) \(pattern.shape))"
    case .match(let left, let pattern, let isNegated):
      "(\(isNegated ? "!~" : "=~") \(left.shape) \(pattern.shape))"
    case .test(let operand, let test, let isNegated): "(is \(sign(isNegated))\(test) \(operand.shape))"
    case .distinct(let left, let right, let isNegated):
      "(\(sign(isNegated))distinct \(left.shape) \(right.shape))"
    case .conditional(let condition, let then, let otherwise):
      "(? \(condition.shape) \(then.shape) \(otherwise.shape))"
    case .choice(let branches, let otherwise):
      "(case \(branches.map { "\($0.condition.shape) \($0.value.shape) " }.joined())\(otherwise?.shape ?? "-"))"
    }
  }
}

extension Expression.AccessStep {
  var shape: String {
    switch self {
    case .member(let name): " .\(name.text)"
    case .item(let index): " [\(index.shape)]"
    case .slice(let low, let high): " [\(low?.shape ?? ""):\(high?.shape ?? "")]"
    case .each: " [*]"
    }
  }
}
