/// A bound expression: columns are numbers, constants are computed, patterns compiled, kinds checked.
///
/// The type that a text cell converts to is not stored here: it follows from its use. `Evaluator` has one
/// function for each kind that may be needed.
indirect enum Node: Sendable {
  case constant(Value)
  /// An `--arg`: a text that converts by use like a cell.
  case argument(TextValue, Number?)
  /// A cell; `slot` counts its misfits, and `field` as the column means the one that the run specifies.
  case cell(column: Int, slot: Int)
  /// A cell of a column whose type is declared: one that is not of the type is null.
  case typed(column: Int, slot: Int, ValueType)
  /// `$0` as text: the cells joined by tabs.
  case record
  /// The value that a path into a cell leads to; `slot` counts its misfits.
  case way(ResolvedColumn, slot: Int)
  /// The value that a path into a value other than a cell leads to.
  case path(Node, [PathStep])
  /// An item, or a member, that each row specifies.
  case item(Node, Node)
  case slice(Node, Node?, Node?)
  /// A list of the values for each item of a list.
  case each(WalkedList, Node)
  /// An aggregate of the values for each item of a list.
  ///
  /// The range has the places of the values that are the same for all items.
  case listAggregate(WalkedList, BoundAggregate, held: Range<Int>)
  /// The item of the list that is walked along; `slot` counts its misfits.
  case listItem(slot: Int)
  /// A value that is the same for all items of that list, by its place among those that are held.
  case held(Int, Node)
  /// `{n}`: the number of the shown row, or a cell if the table turns out to have a column of that name.
  case shownRow(unless: Node?)
  /// A function that reads something from the row.
  case row(Function.RowReading)
  /// The result of an aggregate, by its index.
  case aggregate(Int)
  /// The value of an earlier aggregate, by its index.
  case earlier(Int)
  /// The value of a name that is no column: it comes with the rows.
  case given

  case arithmetic(Node, [Link])
  case negation(Node)
  /// Arithmetic that involves times or durations.
  case temporal(Node, [Link])
  case power(Node, Node)
  /// A value that is read as a size because another operand is one.
  case size(Node)
  case join([Node])
  /// A list of values.
  case list([ListItem])

  case logical(Expression.Logical, [Node])
  case not(Node)
  case comparison(Expression.ComparisonOperator, Node, Node, by: Sides)
  case between(Node, low: Node, lowSides: Sides, high: Node, highSides: Sides)
  case distinct(Node, Node, by: Sides)
  case membership(Node, [ComparedItem])
  /// Whether a value is in a JSON list.
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
  case call(Function.ArgumentComputation, [Node])
  /// A function on a pattern: its name in messages, the subject, the pattern, the other arguments.
  case patternCall(Function.Matching, String, Node, PatternSource, [Node])
  case must(Node, Expression.TypeName)
  case format(FormatText, [Node])

  /// A list whose items are taken one after the other.
  struct WalkedList: Sendable {
    /// Its value.
    var node: Node
    /// Whether its items are lists, whose items are taken.
    var isNested: Bool
  }

  /// An operator of a chain and its right side.
  struct Link: Sendable {
    /// The operator.
    var symbol: Expression.Arithmetic
    /// The operand after it.
    var operand: Node
  }

  /// An item of a new list.
  struct ListItem: Sendable {
    /// Its value.
    var node: Node
    /// Whether a text may be that of a cell, which is a number, true or false if it looks like one.
    var isRead: Bool
  }

  /// One `when … then …`.
  struct Branch: Sendable {
    /// When it is chosen.
    var condition: Node
    /// What it yields.
    var value: Node
  }

  /// An item of an `in` list and how it is compared with the subject.
  struct ComparedItem: Sendable {
    /// The item.
    var node: Node
    /// How it is compared.
    var sides: Sides
  }

  /// A compiled pattern, and the index of its matcher.
  struct BoundPattern: Sendable {
    /// The pattern.
    var pattern: Pattern
    /// Its index among the matchers of an evaluation.
    var index: Int
  }

  /// How the two sides of a comparison are compared.
  enum Sides: Sendable {
    case numbers
    case texts
    case bools
    case times
    case durations
    case sizes
    /// One of them is a text that spells a date: as times if the other spells one in `--date-format`,
    /// otherwise as texts.
    case dated
    /// Decided row by row: as numbers if both look like numbers, otherwise as texts.
    case cells
  }

  /// A pattern that is already compiled, or one that each row specifies.
  enum PatternSource: Sendable {
    case compiled(BoundPattern)
    case dynamic(Node)
  }
}

extension Node {
  /// Used as a column: that of the field which a rule checks and which each run of the program specifies.
  static let field = -1

  /// The value of a constant.
  var constant: Value? {
    if case .constant(let value) = self { value } else { nil }
  }

  /// The first cell that the value of a function, or of texts joined, is made from.
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

  /// The slot that counts the misfits of a cell that has no declared type, of an item, or of a part of one.
  var valueSlot: Int? {
    switch self {
    case .cell(_, let slot), .way(_, let slot), .listItem(let slot): slot
    case .path(let base, _), .held(_, let base): base.valueSlot
    default: nil
    }
  }

  /// Whether its value may be another one in another row.
  var dependsOnRow: Bool {
    switch self {
    case .constant, .argument: false
    case .negation(let node): node.dependsOnRow
    case .arithmetic(let first, let links): first.dependsOnRow || links.contains { $0.operand.dependsOnRow }
    case .call(_, let nodes): nodes.contains(where: \.dependsOnRow)
    default: true
    }
  }

  /// Whether this is an `--arg`.
  var isArgument: Bool {
    if case .argument = self { true } else { false }
  }
}

/// What is known about a value before any row is read.
enum StaticKind: Sendable {
  /// A cell, an `--arg`, or one of several kinds: it is known only with the row.
  case any
  case null
  case bool
  case number
  case text
  case list
  /// A date, or a date with its time.
  case time
  case duration
  /// A number that is a size: cells combined with it are read as sizes.
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
