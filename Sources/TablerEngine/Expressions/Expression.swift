/// The syntax of an expression: its shape, with the range of each part in the source.
///
/// Chains of one precedence (`a + b - c`, `a or b or c`, `a.b[0].c`) are flat, so that the tree is no deeper
/// than the nesting limit allows and walking it needs little stack.
public struct Expression: Equatable, Sendable {
  /// The form of the expression.
  var kind: Kind

  /// Its bytes in the source.
  var range: Range<Int>

  /// The deepest nesting of functions, signs and parentheses.
  static let deepestNesting = 200

  /// The maximum number of items in a list or a call.
  static let longestList = 10_000

  /// The kinds of expression.
  indirect enum Kind: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number as written, without underscores.
    case number(String)
    case text(String)
    /// A date, a time or a duration as written, without its keyword and quote marks.
    case typed(TypeName, String)
    case pattern(String, flags: String)
    /// A column by name; a dot in it may lead into JSON.
    case column(String)
    /// `$2`, counted from 1.
    case position(Int)
    /// `$0`, the row.
    case record
    /// `$who`, an `--arg`.
    case argument(String)
    /// Members, items and slices of a value.
    case path(Expression, [AccessStep])
    case list([Expression])
    case call(Name, [Expression])
    case negation(Expression)
    case plus(Expression)
    /// `not x` or, if `isMark`, `!x`.
    case not(Expression, isMark: Bool)
    /// `and` or `or` of all operands.
    case logical(Logical, [Expression], isMark: Bool)
    case coalesce([Expression])
    /// A first operand and those that are added, multiplied or joined to it in turn.
    case chain(Expression, [Link])
    case power(Expression, Expression)
    case comparison(ComparisonOperator, Expression, Expression)
    case membership(Expression, in: Expression, isNegated: Bool)
    case between(Expression, low: Expression, high: Expression, isNegated: Bool)
    case like(Expression, pattern: Expression, ignoresCase: Bool, isNegated: Bool)
    case match(Expression, pattern: Expression, isNegated: Bool)
    case test(Expression, Test, isNegated: Bool)
    case distinct(Expression, from: Expression, isNegated: Bool)
    case conditional(Expression, then: Expression, else: Expression)
    case choice([Branch], else: Expression?)
  }

  /// A step into a value.
  enum AccessStep: Equatable, Sendable {
    /// `.name`
    case member(Name)
    /// `[expr]`
    case item(Expression)
    /// `[low:high]`
    case slice(Expression?, Expression?)
    /// `[*]`, each item of a list, and where it stands in the source.
    case each(Range<Int>)
  }

  /// A name and its range.
  struct Name: Equatable, Sendable {
    /// The name as written.
    var text: String
    /// Its range in the source, in bytes.
    var range: Range<Int>
  }

  /// An operator of a chain and its right side.
  struct Link: Equatable, Sendable {
    /// The operator.
    var symbol: Arithmetic
    /// The operand after it.
    var operand: Expression
  }

  /// One `when … then …`.
  struct Branch: Equatable, Sendable {
    /// When it is chosen.
    var condition: Expression
    /// What it yields.
    var value: Expression
  }

  /// The operators on true and false.
  enum Logical: String, Sendable {
    case and
    case or
  }

  /// The operators of arithmetic, and `++`.
  enum Arithmetic: String, Sendable {
    case add = "+"
    case subtract = "-"
    case join = "++"
    case multiply = "*"
    case divide = "/"
    case quotient = "//"
    case remainder = "%"
  }

  /// The operators that compare.
  enum ComparisonOperator: String, Sendable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// The same comparison with its sides swapped.
    var mirrored: ComparisonOperator {
      switch self {
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      case .equal, .notEqual: self
      }
    }
  }

  /// What `is` tests for.
  enum Test: Equatable, Sendable {
    case null
    case empty
    case bool(Bool)
    case type(TypeName)
  }

  /// The types that expressions name.
  typealias TypeName = ValueType
}

extension Expression {
  /// Whether it computes with several operands.
  var isChain: Bool {
    if case .chain = kind { true } else { false }
  }

  /// Whether it names a column, and not only as part of a path.
  func names(column name: String) -> Bool {
    if case .column(name) = kind { return true }
    return operands.contains { $0.names(column: name) }
  }

  /// Whether it calls a function of which `isWanted` is true; its name is in lower case.
  func calls(_ isWanted: (String) -> Bool) -> Bool {
    var rest = [self]
    while let expression = rest.popLast() {
      if case .call(let name, _) = expression.kind, isWanted(name.text.lowercased()) { return true }
      rest += expression.operands
    }
    return false
  }

  /// The first path along a list that nothing inside of it takes as a list, or walks along.
  var walk: Walk? {
    if case .path(let base, let steps) = kind, let walk = Walk(base, steps) { return walk }
    for operand in walkedOperands { if let walk = operand.walk { return walk } }
    return nil
  }

  /// Whether a path along a list is a part of it that nothing inside of it takes as a list, or walks along.
  func walks(along spelling: String, in source: SourceExpression) -> Bool {
    if case .path(let base, let steps) = kind, let walk = Walk(base, steps),
      walk.spelling(in: source) == spelling
    {
      return true
    }
    return walkedOperands.contains { $0.walks(along: spelling, in: source) }
  }

  /// The expressions that it consists of, but those that an aggregate or a function of lists takes.
  private var walkedOperands: [Expression] {
    guard case .call(let name, let arguments) = kind, let function = Function.named(name.text.lowercased())
    else {
      return operands
    }
    if case .aggregate = function.body, arguments.contains(where: { $0.walk != nil }) { return [] }
    return arguments.enumerated().compactMap { place, argument in
      guard case .path(let base, let steps) = argument.kind, Walk(base, steps) != nil else { return argument }
      return function.takesList(at: place) ? nil : argument
    }
  }

  /// A path along a list: `labels[*].name`.
  struct Walk {
    /// The list: what stands before the last `[*]`.
    let list: Expression

    /// Whether that is a path along a list itself, so that its items are lists.
    let isNested: Bool

    /// The steps after the `[*]`.
    let rest: ArraySlice<AccessStep>

    /// Divides a path; `nil` if there is no `[*]` in it.
    init?(_ base: Expression, _ steps: [AccessStep]) {
      guard let place = steps.lastIndex(where: \.isEach), case .each(let range) = steps[place] else {
        return nil
      }
      let before = Array(steps[..<place])
      list =
        before.isEmpty
        ? base : Expression(kind: .path(base, before), range: base.range.lowerBound..<range.lowerBound)
      isNested = before.contains(where: \.isEach)
      rest = steps[(place + 1)...]
    }

    /// How the list is written.
    func spelling(in source: SourceExpression) -> String { source.text.bytes(list.range) }
  }

  /// The expressions that it consists of.
  var operands: [Expression] {
    switch kind {
    case .null, .bool, .number, .text, .typed, .pattern, .column, .position, .record, .argument: []
    case .path(let base, let steps):
      [base]
        + steps.flatMap { step -> [Expression] in
          switch step {
          case .member, .each: []
          case .item(let index): [index]
          case .slice(let low, let high): [low, high].compactMap(\.self)
          }
        }
    case .list(let items), .call(_, let items), .logical(_, let items, _), .coalesce(let items): items
    case .negation(let operand), .plus(let operand), .not(let operand, _), .test(let operand, _, _): [operand]
    case .chain(let first, let links): [first] + links.map(\.operand)
    case .power(let first, let second), .comparison(_, let first, let second),
      .membership(let first, in: let second, _), .like(let first, pattern: let second, _, _),
      .match(let first, pattern: let second, _), .distinct(let first, from: let second, _):
      [first, second]
    case .between(let operand, let low, let high, _): [operand, low, high]
    case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
    case .choice(let branches, let otherwise):
      branches.flatMap { [$0.condition, $0.value] } + [otherwise].compactMap(\.self)
    }
  }
}

/// An expression given to an option: where it came from, how it was written, what it means.
public struct SourceExpression: Equatable, Sendable {
  /// The option, as typed: `--filter`.
  public let option: String

  /// The whole text given to the option; the ranges of `expression` count its bytes.
  public let text: String

  /// What the text says.
  public let expression: Expression

  /// Reads `text`, as it was given to `option`.
  public init(_ text: String, option: String) throws(ExpressionError) {
    var parser = try Parser(source: text, option: option)
    self.option = option
    self.text = text
    expression = try parser.whole()
  }

  /// Reads an expression in parentheses inside `text`, as in `--sort '(weight / 2):desc'`.
  ///
  /// - Parameters:
  ///   - text: the whole text given to the option.
  ///   - option: the option, as typed.
  ///   - start: the offset of the opening parenthesis, in bytes.
  ///   - end: set to where reading may continue: after the closing parenthesis, in bytes.
  public init(
    parenthesizedIn text: String, option: String, at start: Int, end: inout Int
  ) throws(ExpressionError) {
    try self.init(in: text, option: option, at: start, to: .closingParenthesis, end: &end)
  }

  /// Reads an expression inside `text` up to the `->` that ends it, as in `weight > 100 -> bold`.
  ///
  /// - Parameters:
  ///   - text: the whole text given to the option.
  ///   - option: the option, as typed.
  ///   - start: where the expression begins, in bytes.
  ///   - end: set to the offset of the `->`, or to the end, in bytes.
  public init(
    beforeArrowIn text: String, option: String, at start: Int, end: inout Int
  ) throws(ExpressionError) {
    try self.init(in: text, option: option, at: start, to: .arrow, end: &end)
  }

  /// Reads an expression inside `text` up to the brace that closes it, as in `fg={color}`.
  ///
  /// - Parameters:
  ///   - text: the whole text given to the option.
  ///   - option: the option, as typed.
  ///   - start: where the expression begins, after the opening brace, in bytes.
  ///   - end: set to the offset of the closing brace, or to the end, in bytes.
  public init(
    bracedIn text: String, option: String, at start: Int, end: inout Int
  ) throws(ExpressionError) {
    try self.init(in: text, option: option, at: start, to: .templateField, end: &end)
  }

  private init(
    in text: String, option: String, at start: Int, to stop: Lexer.Stop, end: inout Int
  ) throws(ExpressionError) {
    var parser = try Parser(source: text, option: option, start: start, stop: stop)
    self.init(try parser.whole(), in: text, option: option)
    end = parser.end
  }

  /// Combines an expression with the text it was read from.
  init(_ expression: Expression, in text: String, option: String) {
    self.option = option
    self.text = text
    self.expression = expression
  }

  /// The error for a name that is no column.
  func error(notFound error: ColumnError, at range: Range<Int>) -> ExpressionError {
    switch error {
    case .notFound(let name, let suggestion, let differsOnlyInCase):
      self.error(
        .unknownColumn(name, suggestion: suggestion, differsOnlyInCase: differsOnlyInCase), at: range)
    case .noPosition(let position, let count): self.error(.unknownPosition(position, count: count), at: range)
    }
  }

  /// An error about `range` of this text.
  func error(_ kind: ExpressionError.Kind, at range: Range<Int>) -> ExpressionError {
    ExpressionError(option: option, source: text, range: range, kind: kind)
  }
}

extension String {
  /// The UTF-8 bytes in `range`, as text.
  func bytes(_ range: Range<Int>) -> String {
    let utf8 = self.utf8
    let lower =
      utf8.index(utf8.startIndex, offsetBy: range.lowerBound, limitedBy: utf8.endIndex) ?? utf8.endIndex
    let upper =
      utf8.index(utf8.startIndex, offsetBy: range.upperBound, limitedBy: utf8.endIndex) ?? utf8.endIndex
    return String(decoding: utf8[lower..<max(lower, upper)], as: UTF8.self)
  }
}

/// The cells that one occurrence of an option computes.
public enum Computation: Equatable, Sendable {
  /// `--derive`: cells of new columns.
  case derive([Assignment])
  /// `--set`: cells of existing columns.
  case set([Assignment])

  /// The assignments of the option.
  public var assignments: [Assignment] {
    switch self {
    case .derive(let assignments), .set(let assignments): assignments
    }
  }
}

extension Computation {
  /// Whether it makes a column of this name.
  public func makes(_ name: String) -> Bool {
    guard case .derive(let assignments) = self else { return false }
    return assignments.contains { $0.column.trimmingBlanks == name }
  }
}

/// One assignment of an option to a column: `COL = EXPR [where EXPR]`.
public struct Assignment: Equatable, Sendable {
  /// The name of the column, or `$2` if it is given by its position.
  public let column: String

  /// The position of the column, counted from 1, if it is given by that.
  let position: Int?

  /// The range of the column in the source, in bytes.
  let range: Range<Int>

  /// The value.
  let value: SourceExpression

  /// The rows that get the value; all of them if there is no condition.
  let condition: SourceExpression?

  /// Reads the assignments in a text, which are separated by `;`, a newline, or a comma before `column =`.
  ///
  /// - Parameter option: the option, as typed.
  /// - Throws: what is wrong and where.
  public static func all(in text: String, option: String) throws(ExpressionError) -> [Assignment] {
    var assignments: [Assignment] = []
    let bytes = Array(text.utf8)
    var start = 0
    repeat {
      var parser = try Parser(
        source: text, bytes: bytes, option: option, start: start, stop: .assignment)
      // Skips the mark between two assignments.
      start = parser.end + 1
      if parser.isEmpty, start <= bytes.count || !assignments.isEmpty { continue }
      assignments.append(try parser.assignment())
    } while start <= bytes.count
    return assignments
  }

  /// Reads aggregates, `[ column "=" ] expr`, which are separated by commas; one without a column gets a name.
  ///
  /// - Parameter option: the option, as typed.
  /// - Throws: what is wrong and where.
  public static func aggregates(in text: String, option: String) throws(ExpressionError) -> [Assignment] {
    try parts(of: text, option: option) { (parser) throws(ExpressionError) in try parser.aggregate() }
  }

  /// Reads pairs `column "=" expr`, which are separated by commas, as a record.
  ///
  /// - Parameter option: the option, as typed.
  /// - Throws: what is wrong and where.
  public static func record(in text: String, option: String) throws(ExpressionError) -> [Assignment] {
    try parts(of: text, option: option) { (parser) throws(ExpressionError) in
      try parser.pair(.recordNeedsColumn)
    }
  }

  /// The results of `read` for the parts of a text that are separated by commas outside brackets.
  private static func parts(
    of text: String, option: String,
    _ read: (inout Parser) throws(ExpressionError) -> Assignment
  ) throws(ExpressionError) -> [Assignment] {
    var parts: [Assignment] = []
    let bytes = Array(text.utf8)
    var start = 0
    repeat {
      var parser = try Parser(source: text, bytes: bytes, option: option, start: start, stop: .pair)
      // Skips the comma between two parts.
      start = parser.end + 1
      parts.append(try read(&parser))
    } while start <= bytes.count
    return parts
  }
}

extension SourceExpression {
  /// The name of a column that is made by the expression without a given name: `mean_x` for `mean(x)`,
  /// `count` for `count()`, otherwise its text.
  var madeName: String {
    guard case .call(let function, let arguments) = expression.kind else { return ownText }
    let name = function.text.lowercased()
    switch arguments.first?.kind {
    case .column(let column)? where arguments.count == 1: return name + "_" + column
    case nil where name == "count": return name
    default: return ownText
    }
  }

  /// The text of the expression alone.
  private var ownText: String { text.bytes(expression.range) }
}

extension Parser {
  /// Reads `column "=" expr [ "where" expr ]`.
  fileprivate mutating func assignment() throws(ExpressionError) -> Assignment {
    let (name, position, range) = try leftSide(.assignmentNeedsColumn)
    let value = SourceExpression(try expression(), in: source, option: option)
    var condition: SourceExpression?
    if token.kind.isName("where") {
      index += 1
      condition = SourceExpression(try expression(), in: source, option: option)
    }
    guard isEmpty else { throw unexpectedToken() }
    return Assignment(column: name, position: position, range: range, value: value, condition: condition)
  }

  /// Reads `[ column "=" ] expr`; the word `count` alone is the number of rows.
  fileprivate mutating func aggregate() throws(ExpressionError) -> Assignment {
    try refuseNumberAsName()
    if beginsAssignment {
      let pair = try pair(.aggregateNeedsColumn)
      if pair.position != nil { throw error(.aggregateNeedsColumn, pair.range) }
      return pair
    }
    var value = try whole()
    if case .column(let name) = value.kind, name.lowercased() == "count", !text(value.range).hasPrefix("`") {
      value.kind = .call(Expression.Name(text: name, range: value.range), [])
    }
    let source = SourceExpression(value, in: source, option: option)
    return Assignment(
      column: source.madeName, position: nil, range: value.range, value: source, condition: nil)
  }

  /// Whether `column =` comes next.
  var beginsAssignment: Bool {
    var ahead = self
    if case .position(let number) = token.kind, number > 0 {
      return tokens[index + 1].kind == .symbol(.equal)
    }
    return ahead.consumeColumnName() != nil && ahead.consume(.equal)
  }

  /// Reads `column "=" expr`.
  ///
  /// - Parameter mistake: the error if no column comes first.
  fileprivate mutating func pair(_ mistake: ExpressionError.Kind) throws(ExpressionError) -> Assignment {
    let (name, position, range) = try leftSide(mistake)
    let value = SourceExpression(try expression(), in: source, option: option)
    guard isEmpty else { throw unexpectedToken() }
    return Assignment(column: name, position: position, range: range, value: value, condition: nil)
  }

  /// Reads `column "="`.
  ///
  /// - Parameter mistake: the error if something else comes first.
  private mutating func leftSide(
    _ mistake: ExpressionError.Kind
  ) throws(ExpressionError) -> (name: String, position: Int?, range: Range<Int>) {
    try refuseNumberAsName()
    let first = token
    var position: Int?
    if case .position(let number) = first.kind, number > 0 { position = number }
    let name = position == nil ? consumeColumnName() : text(first.range)
    if position != nil { index += 1 }
    guard let name, consume(.equal) else { throw error(mistake, first.range) }
    let range = first.range.lowerBound..<tokens[index - 2].range.upperBound
    if name.trimmingBlanks.isEmpty { throw error(.emptyName, range) }
    return (name, position, range)
  }

  /// Refuses `2024 =`, which would compare.
  private func refuseNumberAsName() throws(ExpressionError) {
    guard case .number = token.kind, tokens[index + 1].kind == .symbol(.equal) else { return }
    throw error(.numberAsName(text(token.range)), token.range)
  }

  /// Consumes the name of a column, if one comes next: bare, in backquotes, or as `$0["any name"]`.
  private mutating func consumeColumnName() -> String? {
    switch token.kind {
    case .name(let name) where ReservedWord(name) == nil:
      index += 1
      return name
    case .quotedName(let name):
      index += 1
      return name
    case .position(0):
      guard tokens.count > index + 3, tokens[index + 1].kind == .symbol(.openBracket),
        case .text(let name) = tokens[index + 2].kind, tokens[index + 3].kind == .symbol(.closeBracket)
      else { return nil }
      index += 4
      return name
    default: return nil
    }
  }
}

extension Expression.AccessStep {
  /// Whether it is `[*]`.
  var isEach: Bool { if case .each = self { true } else { false } }
}
