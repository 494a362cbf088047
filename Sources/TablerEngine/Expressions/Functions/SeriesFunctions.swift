/// The functions of `--compute`, which look at other rows in their order.
enum SeriesFunctions {
  /// All of them, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "running", [.amount("x")], gives: .any, "sum of x from the first row to this one",
      example: "running(weight)", "118", sql: .local, elsewhere: "cumsum cum_sum cumulative_sum",
      .series(.running)),
    Function(
      "share", [.amount("x")], gives: .number, "part of x in its sum over all rows, from 0 to 1",
      example: "round(share(weight), 3)", "0.292", sql: .local,
      elsewhere: "fraction ratio_to_report percent_of_total",
      .series(.share)),
    Function(
      "rank", [.amount("x")], gives: .number, "1 for the largest x, equal ones alike; rank(-x)",
      example: "rank(weight)", "2", sql: .local, elsewhere: "row_rank", .series(.rank)),
    Function(
      "prior", [.any("x"), .optional(.number("n"))], gives: .any, "x of the row before, or of n rows up",
      example: "prior(name)", "", sql: .local, elsewhere: "lag previous prev", .series(.prior)),
    Function(
      "next", [.any("x"), .optional(.number("n"))], gives: .any, "x of the row after, or of n rows down",
      example: "next(name)", "Strawberry", sql: .local, elsewhere: "lead next_row following", .series(.next)),
  ]
}

/// What a function of `--compute` makes of the values of its argument in other rows.
enum SeriesFunction: Sendable {
  /// Their sum so far.
  case running
  /// The part of one in their sum.
  case share
  /// How many are larger, and 1.
  case rank
  /// The one some rows before.
  case prior
  /// The one some rows later.
  case next

  /// Whether it adds values, so that nobody sees which were null.
  var sums: Bool { self == .running || self == .share }

  /// Whether it needs the values of all rows.
  var needsAll: Bool { self == .share || self == .rank }
}

extension Function {
  /// Whether it needs the values of all rows before that of the first is known.
  var needsAllRows: Bool { if case .series(let function) = body { function.needsAll } else { false } }
}

/// A call of such a function whose argument is bound.
struct BoundSeries: Sendable {
  let function: SeriesFunction

  /// The argument.
  let argument: Node

  /// How many rows up or down its value is.
  let distance: Int

  /// The largest distance, in rows.
  static let mostRows = 1_000_000
}

extension Binder {
  /// Binds a value that is computed over rows in their order.
  mutating func bind(series source: SourceExpression) throws(ExpressionError) -> (
    value: Program, series: [BoundSeries]
  ) {
    series = []
    defer { series = nil }
    let program = try bind(source)
    return (program, series ?? [])
  }

  /// Binds a call that looks at other rows.
  mutating func bind(
    _ function: SeriesFunction, _ call: Call
  ) throws(ExpressionError) -> (Node, StaticKind) {
    guard let known = series else {
      throw call.source.error(
        isInsideSeries ? .seriesInSeries(call.user) : .seriesNotAllowed(call.user), at: call.range)
    }
    (series, isInsideSeries) = (nil, true)
    defer { (series, isInsideSeries) = (series ?? known, false) }
    let bound = try arguments(of: call)
    guard let argument = bound.nodes.first else { return (.constant(.null), .null) }
    var distance = 1
    if bound.nodes.count > 1 {
      guard case .number(.int(let count))? = bound.nodes[1].constant, 1...BoundSeries.mostRows ~= Int(count)
      else { throw call.source.error(.distanceNotWhole(call.user), at: call.arguments[1].range) }
      distance = Int(count)
    }
    if function == .share { mayBeInexact = true }
    let result = Node.aggregate(known.count)
    series = known + [BoundSeries(function: function, argument: argument, distance: distance)]
    guard function == .running, bound.isInSeconds else { return (result, bound.kind) }
    return (.call(.durationOfSeconds, [result]), bound.kind)
  }
}
