/// A bound expression: columns are numbers, constants are computed, patterns compiled, kinds checked.
///
/// What a text cell converts to is not written down here: it follows from who asks. `Evaluator` has one
/// function for each kind that may be asked for.
indirect enum Node: Sendable {
  case constant(Value)
  /// An `--arg`: a text that converts by use like a cell.
  case argument(TextValue, Number?)
  /// A cell; `slot` is where misfits are counted, and `field` in place of a column is the one that the run names.
  case cell(column: Int, slot: Int)
  /// A cell of a column whose type is declared: one that is not of the type is null.
  case typed(column: Int, slot: Int, ValueType)
  /// `$0` as text: the cells joined by tabs.
  case record
  /// What a path into a cell leads to; `slot` is where misfits are counted.
  case way(ResolvedColumn, slot: Int)
  /// What a path into a value that is no cell leads to.
  case path(Node, [PathStep])
  /// An item, or a member, that each row names.
  case item(Node, Node)
  case slice(Node, Node?, Node?)
  /// `{n}`: the number of the row shown, or a cell where the table turns out to have a column of that name.
  case shownRow(unless: Node?)
  /// A function that reads something of the row.
  case row(Function.Reading)
  /// The result of an aggregate, by its index.
  case aggregate(Int)
  /// The value of an aggregate before this one, by its place.
  case earlier(Int)
  /// What a name means that is no column: the value that comes with the rows.
  case given

  case arithmetic(Node, [Link])
  case negation(Node)
  /// Arithmetic in which there are times or durations.
  case temporal(Node, [Link])
  case power(Node, Node)
  /// A value that is read as a size beside one.
  case size(Node)
  case join([Node])
  /// A list of values.
  case list([ListItem])

  case logical(Expression.Logical, [Node])
  case not(Node)
  case comparison(Expression.Comparison, Node, Node, by: Sides)
  case between(Node, low: Node, lowSides: Sides, high: Node, highSides: Sides)
  case distinct(Node, Node, by: Sides)
  case membership(Node, [Item])
  /// A value in a JSON list.
  case listMembership(Node, list: Node)
  case like(Node, LikePattern)
  case dynamicLike(Node, pattern: Node, ignoresCase: Bool)
  case match(Node, BoundPattern)
  case dynamicMatch(Node, pattern: Node)
  case isNull(Node)
  case isEmpty(Node)
  case isBool(Node, Bool)
  case isType(Node, Expression.TypeName)

  case coalesce([Node])
  case choice([Branch], else: Node)
  case call(Function.Computation, [Node])
  /// A function over a pattern: as messages call it, the subject, the pattern, the rest of the arguments.
  case patternCall(Function.Matching, String, Node, PatternSource, [Node])
  case must(Node, Expression.TypeName)
  case format(FormatText, [Node])

  /// An operator of a chain and its right side.
  struct Link: Sendable {
    /// The operator.
    var symbol: Expression.Arithmetic
    /// What stands after it.
    var operand: Node
  }

  /// An item of a list that is made.
  struct ListItem: Sendable {
    /// Its value.
    var node: Node
    /// Whether a text may be that of a cell, which is a number, true or false if it looks like that.
    var isRead: Bool
  }

  /// One `when … then …`.
  struct Branch: Sendable {
    /// When it is taken.
    var condition: Node
    /// What it yields.
    var value: Node
  }

  /// An item of an `in` list and how it compares with the subject.
  struct Item: Sendable {
    /// The item.
    var node: Node
    /// What it is compared as.
    var sides: Sides
  }

  /// A compiled pattern, and where its matcher is kept while rows are looked at.
  struct BoundPattern: Sendable {
    /// The pattern.
    var pattern: Pattern
    /// Its place among the matchers of an evaluation.
    var index: Int
  }

  /// What the two sides of a comparison are compared as.
  enum Sides: Sendable {
    case numbers
    case texts
    case bools
    case times
    case durations
    case sizes
    /// One of them is a text that spells a date: by time if the other spells one as `--date-format` says, else texts.
    case dated
    /// Decided row by row: numbers if both look like numbers, else texts.
    case cells
  }

  /// A pattern that is compiled already, or one that each row brings.
  enum PatternSource: Sendable {
    case compiled(BoundPattern)
    case dynamic(Node)
  }
}

extension Node {
  /// In place of a column: that of the field which a rule judges, which each run of the program names.
  static let field = -1

  /// The value of a constant.
  var constant: Value? {
    if case .constant(let value) = self { value } else { nil }
  }

  /// The first cell that the value of a function, or of texts joined, is made of.
  var firstCell: Node? {
    switch self {
    case .cell, .typed, .way: self
    case .call(_, let nodes), .join(let nodes), .coalesce(let nodes), .format(_, let nodes):
      nodes.lazy.compactMap(\.firstCell).first
    case .patternCall(_, _, let subject, _, _): subject.firstCell
    case .choice(let branches, let otherwise):
      branches.lazy.compactMap(\.value.firstCell).first ?? otherwise.firstCell
    default: nil
    }
  }

  /// Whether this is an `--arg`.
  var isArgument: Bool {
    if case .argument = self { true } else { false }
  }
}

/// What is known of a value before any row is read.
enum StaticKind: Sendable {
  /// A cell, an `--arg`, or one of several kinds: known when the row is.
  case any
  case null
  case bool
  case number
  case text
  case list
  /// A date, or a date with its time.
  case time
  case duration
  /// A number that stands for a size: cells beside it are read as sizes.
  case size

  /// The kind of the values of a type.
  init(_ type: ValueType) {
    self =
      switch type {
      case .number, .int, .decimal, .double: .number
      case .size: .size
      case .text: .text
      case .bool: .bool
      case .date, .datetime: .time
      case .duration: .duration
      case .list: .list
      case .object: .any
      }
  }

  /// The kind of a value that is one or the other.
  func or(_ other: StaticKind) -> StaticKind {
    if self == other || other == .null { return self }
    if self == .null { return other }
    return isNumeric && other.isNumeric ? .size : .any
  }

  /// Whether it is a number, of a size or not.
  var isNumeric: Bool { self == .number || self == .size }

  /// The name of the kind in messages.
  var valueKind: ExpressionError.ValueKind {
    switch self {
    case .any, .text: .text
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .list: .list
    case .time: .date
    case .duration: .duration
    case .size: .size
    }
  }
}
