/// An expression that is ready to run: it cannot fail, whatever the rows contain.
struct Program: Sendable {
  /// The bound expression.
  let node: Node

  /// The kind of its values.
  let kind: StaticKind

  /// What it needs to know besides.
  let context: EvaluationContext

  /// Whether its value may be a number with more digits than are useful.
  let mayBeInexact: Bool

  /// The name of the time zone on whose clocks its times are, if it is known.
  let zone: String?

  /// The slot for misfits of the field, in a program whose runs specify the column that is checked.
  let fieldSlot: Int?

  private let slots: [String]

  /// Whether a note is wanted if its functions convert no cell.
  private let expectsConversions: Bool

  private let condition: Condition

  /// The expression as a term of numbers, if it is one that computes.
  private let term: NumberTerm?

  /// Makes a program from a node.
  init(
    node: Node, kind: StaticKind, context: EvaluationContext, slots: [String], mayBeInexact: Bool = false,
    zone: String? = nil, fieldSlot: Int? = nil, expectsConversions: Bool = false
  ) {
    self.zone = zone
    self.expectsConversions = expectsConversions
    self.node = node
    self.kind = kind
    self.context = context
    self.slots = slots
    self.mayBeInexact = mayBeInexact
    self.fieldSlot = fieldSlot
    condition = Condition(node, context)
    term =
      switch node {
      case .arithmetic, .negation, .call: NumberTerm(node, context)
      default: nil
      }
  }

  /// A state in which nothing has been counted.
  var freshState: EvaluationState {
    var state = EvaluationState(slots: slots, context.marks)
    state.expectsConversions = expectsConversions
    return state
  }

  /// A state that notes no conversions: copies of it without findings are dropped, or what fails is reported otherwise.
  var passingState: EvaluationState {
    var state = freshState
    state.expectsConversions = false
    return state
  }

  /// A state for a step that may leave out rows with misfits.
  var stepState: EvaluationState {
    var state = freshState
    if context.leavesOutMisfits { state.tally.leaveOut() }
    return state
  }

  /// Keeps the rows of `batch` for which the expression is true, in order.
  ///
  /// - Parameter field: the column that is checked, if the program is that of a field.
  func filter(_ batch: Batch, rows: inout [UInt32], field: Int = 0, state: inout EvaluationState) {
    var selection = Selection(context, batch: batch, field: field, state: state)
    selection.keep(&rows, where: condition, is: true)
    state = selection.evaluator.state
  }

  /// The value for one row of `batch`.
  ///
  /// - Parameter field: the column that is checked, if the program is that of a field.
  func value(_ batch: Batch, row: Int, field: Int = 0, state: inout EvaluationState) -> Value {
    var evaluator = Evaluator(context, batch: batch, row: row, field: field, state: state)
    let value = evaluator.value(node)
    state = evaluator.state
    return value
  }

  /// Whether the expression is true or false for one row of `batch`; `nil` if it is null.
  func truth(_ batch: Batch, row: Int, state: inout EvaluationState) -> Bool? {
    var evaluator = Evaluator(context, batch: batch, row: row, state: state)
    let truth = evaluator.truth(node)
    state = evaluator.state
    return truth
  }

  /// Calls `body` with the value for each of `rows`, in order, and an evaluator to read it with.
  func forEachValue(
    _ batch: Batch, rows: Span<UInt32>, state: inout EvaluationState, _ body: (Value, inout Evaluator) -> Void
  ) {
    var evaluator = Evaluator(context, batch: batch, state: state)
    if let term {
      Self.forEachNumber(term, of: node, rows, &evaluator, body)
    } else {
      for index in rows.indices {
        evaluator.row = Int(rows[index])
        body(evaluator.value(node), &evaluator)
      }
    }
    state = evaluator.state
  }
}

extension EvaluationState {
  /// A state in which nothing has been counted.
  ///
  /// - Parameter marks: the marks that numbers are read with.
  init(slots: [String], _ marks: NumberMarks = .standard) {
    tally = ConversionTally(entries: slots.map { ConversionTally.ColumnMisfits(column: $0, marks: marks) })
  }

  /// The state after later rows of the same input, which another copy of the program processed.
  func merged(with later: EvaluationState) -> EvaluationState {
    var state = self
    state.tally.merge(later.tally)
    if state.failure == nil { state.failure = later.failure }
    return state
  }
}

extension Batch {
  /// A batch without rows, for values that need none.
  static let empty = Batch(
    block: .empty, decoded: .empty, escapes: [], cells: [], columnCount: 0,
    recordStarts: [0],
    origin: Origin(source: 0, line: 1, row: 1, isVerbatim: false, dialect: .csv))
}

extension Node {
  /// Whether all parts are constants, so that the node is one too.
  var isFoldable: Bool {
    func constant(_ nodes: [Node]) -> Bool { nodes.allSatisfy { $0.constant != nil } }
    return switch self {
    case .arithmetic(let first, let links), .temporal(let first, let links):
      first.constant != nil && constant(links.map(\.operand))
    case .negation(let node), .not(let node), .isNull(let node), .isEmpty(let node), .isBool(let node, _),
      .isType(let node, _), .like(let node, _), .match(let node, _):
      node.constant != nil
    case .power(let left, let right), .comparison(_, let left, let right, _),
      .distinct(let left, let right, _):
      left.constant != nil && right.constant != nil
    case .between(let subject, let low, _, let high, _): constant([subject, low, high])
    case .membership(let subject, let items): subject.constant != nil && constant(items.map(\.node))
    case .list(let items): constant(items.map(\.node))
    case .join(let nodes), .logical(_, let nodes), .coalesce(let nodes), .call(_, let nodes): constant(nodes)
    case .choice(let branches, let otherwise):
      otherwise.constant != nil
        && branches.allSatisfy { $0.condition.constant != nil && $0.value.constant != nil }
    case .patternCall(_, _, let subject, .compiled, let rest): subject.constant != nil && constant(rest)
    default: false
    }
  }
}
