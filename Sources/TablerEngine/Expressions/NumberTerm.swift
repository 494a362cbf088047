/// A term of numbers that is computed for many rows at once.
///
/// Its results are short decimals and nulls. Rows with any other result are left to `Evaluator`, which
/// handles all numbers and counts values that are not numbers.
indirect enum NumberTerm: Sendable {
  case cell(Int)
  case constant(ShortDecimal)
  case sum(NumberTerm, NumberTerm)
  case difference(NumberTerm, NumberTerm)
  case product(NumberTerm, NumberTerm)
  case negation(NumberTerm)
  /// A number from a number: `round(weight)`.
  case function(@Sendable (Number) -> Number, NumberTerm)
  /// A number from the text of a cell: `length(name)`.
  case count(@Sendable (Span<UInt8>) -> Int, Int)
  /// A part of the time in a cell: `month(date)`.
  case part(@Sendable (Timestamp) -> Int, Int)

  /// The term for `node`, if all its parts are such terms.
  init?(_ node: Node, _ context: EvaluationContext) {
    var room = Self.mostParts
    guard context.marks == .standard, let term = Self.term(node, context, &room) else { return nil }
    self = term
  }

  /// The maximum number of parts in a term: it is computed by recursion, and the parts of a very long sum are
  /// nested deeply.
  private static let mostParts = 1000

  private static func term(_ node: Node, _ context: EvaluationContext, _ room: inout Int) -> NumberTerm? {
    room -= 1
    if room < 0 { return nil }
    switch node {
    case .cell(let column, _): return .cell(column)
    case .constant(.number(let number)): return ShortDecimal(number).map { .constant($0) }
    case .negation(let node): return term(node, context, &room).map { .negation($0) }
    case .arithmetic(let first, let links):
      guard var result = term(first, context, &room) else { return nil }
      for link in links {
        guard let right = term(link.operand, context, &room) else { return nil }
        switch link.symbol {
        case .add: result = .sum(result, right)
        case .subtract: result = .difference(result, right)
        case .multiply: result = .product(result, right)
        case .divide, .quotient, .remainder, .join: return nil
        }
      }
      return result
    case .call(.number(let compute), let arguments):
      return term(arguments[0], context, &room).map { .function(compute, $0) }
    case .call(.count(let compute), let arguments):
      guard case .cell(let column, _) = arguments[0] else { return nil }
      return .count(compute, column)
    case .call(.part(let compute), let arguments):
      guard context.dateFormat == nil, case .cell(let column, _) = arguments[0] else { return nil }
      return .part(compute, column)
    default: return nil
    }
  }

  /// The column of a term that is a cell.
  var column: Int? { if case .cell(let column) = self { column } else { nil } }

  /// The number of columns of numbers that computing it takes.
  fileprivate var levels: Int {
    switch self {
    case .cell, .constant, .count, .part: 1
    case .negation(let term), .function(_, let term): term.levels
    case .sum(let left, let right), .difference(let left, let right), .product(let left, let right):
      max(left.levels, right.levels + 1)
    }
  }
}

/// The values of terms in some rows of a batch.
struct NumberColumns {
  /// The maximum number of rows that are computed at once: their numbers stay in the nearest cache.
  static let mostRows = 512

  /// A number in a row.
  enum Result {
    case number(ShortDecimal)
    case null
    /// Something that must be left to `Evaluator`.
    case other
  }

  private static let null: UInt8 = 0xFE
  private static let other: UInt8 = 0xFF

  /// The column that `Node.field` represents.
  private let field: Int

  private let rowCount: Int
  private var digits: [Int64]
  private var scales: [UInt8]

  /// Makes room for the numbers of terms in up to `rows` rows.
  ///
  /// - Parameter terms: terms that are computed on consecutive levels.
  init(_ terms: NumberTerm..., rows: Int, field: Int = 0) {
    self.field = field
    rowCount = min(rows, Self.mostRows)
    let levels = terms.enumerated().map { $0 + $1.levels }.max() ?? 0
    digits = [Int64](repeating: 0, count: levels * rowCount)
    scales = [UInt8](repeating: 0, count: levels * rowCount)
  }

  /// Computes a term for all of `rows`.
  init(_ term: NumberTerm, _ rows: Span<UInt32>, of batch: Batch) {
    field = 0
    rowCount = rows.count
    digits = [Int64](repeating: 0, count: term.levels * rowCount)
    scales = [UInt8](repeating: 0, count: term.levels * rowCount)
    compute(term, rows, of: batch)
  }

  /// The result in a row of the term computed at `level`.
  @inline(__always)
  subscript(level: Int, row: Int) -> Result {
    let place = level &* rowCount &+ row
    switch scales[place] {
    case Self.null: return .null
    case Self.other: return .other
    case let scale: return .number(ShortDecimal(digits: digits[place], scale: scale))
    }
  }

  /// Below 0, 0 or above 0, as the numbers at level 0 are below, equal to or above those at level 1.
  @inline(__always)
  func order(ofRow row: Int) -> (order: Int, result: Result) {
    let (left, right) = (digits[row], digits[rowCount &+ row])
    let (leftScale, rightScale) = (scales[row], scales[rowCount &+ row])
    let largest = max(leftScale, rightScale)
    if largest >= Self.null { return (0, largest == Self.null ? .null : .other) }
    let number = Result.number(ShortDecimal(digits: left, scale: leftScale))
    if leftScale == rightScale { return (left < right ? -1 : left > right ? 1 : 0, number) }
    let scaledLeft = Int128(left) * Int128(Self.power(largest &- leftScale))
    let scaledRight = Int128(right) * Int128(Self.power(largest &- rightScale))
    return (scaledLeft < scaledRight ? -1 : scaledLeft > scaledRight ? 1 : 0, number)
  }

  /// Computes a term for at most as many rows as there is room for.
  mutating func compute(_ term: NumberTerm, _ rows: Span<UInt32>, of batch: Batch, at level: Int = 0) {
    let start = level &* rowCount
    switch term {
    case .cell(let column):
      read(column, rows, batch, start) { ShortDecimal($0) }
    case .count(let compute, let column):
      readTexts(column, rows, batch, start) { ShortDecimal(digits: Int64(compute($0)), scale: 0) }
    case .part(let compute, let column):
      read(column, rows, batch, start) { text in
        Timestamp(text).map { ShortDecimal(digits: Int64(compute($0)), scale: 0) }
      }
    case .constant(let number):
      for place in start..<start &+ rows.count { set(number, at: place) }
    case .negation(let term):
      compute(term, rows, of: batch, at: level)
      for place in start..<start &+ rows.count {
        let (negated, overflow) = Int64(0).subtractingReportingOverflow(digits[place])
        if overflow { scales[place] = max(scales[place], Self.other) } else { digits[place] = negated }
      }
    case .function(let compute, let term):
      self.compute(term, rows, of: batch, at: level)
      for place in start..<start &+ rows.count where scales[place] < Self.null {
        set(
          ShortDecimal(compute(ShortDecimal(digits: digits[place], scale: scales[place]).number)), at: place)
      }
    case .sum(let left, let right):
      combine(left, right, rows, batch, level) { $0.addingReportingOverflow($1) }
    case .difference(let left, let right):
      combine(left, right, rows, batch, level) { $0.subtractingReportingOverflow($1) }
    case .product(let left, let right):
      compute(left, rows, of: batch, at: level)
      compute(right, rows, of: batch, at: level &+ 1)
      for place in start..<start &+ rows.count { multiply(place) }
    }
  }
}

extension NumberColumns {
  @inline(__always)
  private mutating func set(_ number: ShortDecimal?, at place: Int) {
    digits[place] = number?.digits ?? 0
    scales[place] = number?.scale ?? Self.other
  }

  /// Reads the cells of a column that are texts or numbers.
  @inline(__always)
  private mutating func read(
    _ column: Int, _ rows: Span<UInt32>, _ batch: Batch, _ start: Int, _ value: (Span<UInt8>) -> ShortDecimal?
  ) {
    let column = column == Node.field ? field : column
    for index in rows.indices {
      let cell = batch.cell(row: Int(rows[index]), column: column)
      switch cell.kind {
      case .text, .number: set(value(batch.content(cell)), at: start &+ index)
      case .null, .missing, .empty: scales[start &+ index] = Self.null
      case .bool, .list, .object: scales[start &+ index] = Self.other
      }
    }
  }

  /// Reads the cells of a column that are texts, or may be used as texts.
  @inline(__always)
  private mutating func readTexts(
    _ column: Int, _ rows: Span<UInt32>, _ batch: Batch, _ start: Int, _ value: (Span<UInt8>) -> ShortDecimal
  ) {
    let column = column == Node.field ? field : column
    for index in rows.indices {
      let cell = batch.cell(row: Int(rows[index]), column: column)
      switch cell.kind {
      case .text, .number, .bool: set(value(batch.content(cell)), at: start &+ index)
      case .null, .missing, .empty: scales[start &+ index] = Self.null
      case .list, .object: scales[start &+ index] = Self.other
      }
    }
  }

  /// Adds or subtracts with the larger of both scales.
  @inline(__always)
  private mutating func combine(
    _ left: NumberTerm, _ right: NumberTerm, _ rows: Span<UInt32>, _ batch: Batch, _ level: Int,
    _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) {
    compute(left, rows, of: batch, at: level)
    compute(right, rows, of: batch, at: level &+ 1)
    let start = level &* rowCount
    for place in start..<start &+ rows.count {
      let (leftScale, rightScale) = (scales[place], scales[place &+ rowCount])
      if leftScale != rightScale { bringToOneScale(place) }
      if scales[place] >= Self.null { continue }
      let (result, overflow) = operation(digits[place], digits[place &+ rowCount])
      digits[place] = result
      if overflow { scales[place] = Self.other }
    }
  }

  /// Gives the numbers at an index and one level above the larger of both scales.
  private mutating func bringToOneScale(_ place: Int) {
    let other = place &+ rowCount
    let scale = max(scales[place], scales[other])
    let scaled = scales[place] < scale ? place : other
    let difference = scale &- scales[scaled]
    scales[place] = scale
    if scale >= Self.null { return }
    let (result, overflow) = digits[scaled].multipliedReportingOverflow(by: Self.power(difference))
    digits[scaled] = result
    if overflow { scales[place] = Self.other }
  }

  @inline(__always)
  private mutating func multiply(_ place: Int) {
    let (left, right) = (scales[place], scales[place &+ rowCount])
    let largest = max(left, right)
    if largest >= Self.null {
      scales[place] = largest
      return
    }
    let (product, overflow) = digits[place].multipliedReportingOverflow(by: digits[place &+ rowCount])
    digits[place] = product
    scales[place] = overflow || left &+ right > ShortDecimal.mostDecimals ? Self.other : left &+ right
  }

  /// `10^exponent`, for an exponent of 0 to 18.
  @inline(__always)
  private static func power(_ exponent: UInt8) -> Int64 { powers[Int(exponent)] }

  private static let powers: [Int64] = (0...ShortDecimal.mostDecimals).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}

extension Program {
  /// Computes a term for all of `rows`, and calls `body` with the value for each.
  static func forEachNumber(
    _ term: NumberTerm, of node: Node, _ rows: Span<UInt32>, _ evaluator: inout Evaluator,
    _ body: (Value, inout Evaluator) -> Void
  ) {
    let batch = evaluator.batch
    var numbers = NumberColumns(term, rows: rows.count, field: evaluator.field)
    var start = 0
    while start < rows.count {
      let part = rows.extracting(start..<min(start &+ NumberColumns.mostRows, rows.count))
      numbers.compute(term, part, of: batch)
      for index in part.indices {
        evaluator.row = Int(part[index])
        switch numbers[0, index] {
        case .number(let number): body(.number(number.number), &evaluator)
        case .null: body(.null, &evaluator)
        case .other: body(evaluator.value(node), &evaluator)
        }
      }
      start &+= part.count
    }
  }
}
