/// The pieces of a template: text, and fields in braces that each row or a footer fills.
public struct Template: Equatable, Sendable {
  /// The pieces in order.
  let pieces: [TemplatePiece]

  /// One piece of a template.
  enum TemplatePiece: Equatable, Sendable {
    /// Literal text; braces are no longer doubled.
    case text([UInt8])
    /// `{expr:spec}`; without an expression it is the cell.
    case field(Expression?, ValueFormat?, Range<Int>)
  }

  /// Whether there is any field.
  public var hasFields: Bool {
    pieces.contains { piece in
      if case .field = piece { true } else { false }
    }
  }
}

/// Reads templates: `{expr:spec}`, `{expr}`, `{:spec}`, `{}`, and `{{` and `}}` for braces.
private struct TemplateParser {
  private let bytes: [UInt8]
  private let source: String
  private let option: String
  private let endsAtComma: Bool
  /// Where reading ended, in bytes.
  private(set) var offset: Int
  private var pieces: [Template.TemplatePiece] = []
  private var text: [UInt8] = []

  /// Starts at byte `start` of `source`.
  init(
    _ source: String, bytes: [UInt8]? = nil, option: String, start: Int = 0, endsAtComma: Bool = false
  ) {
    self.bytes = bytes ?? Array(source.utf8)
    self.source = source
    self.option = option
    self.endsAtComma = endsAtComma
    offset = min(max(start, 0), self.bytes.count)
  }

  /// The template up to the end, or to a comma outside braces.
  mutating func template() throws(ExpressionError) -> Template {
    guard bytes.count <= Lexer.longestSource else {
      throw error(.sourceTooLong(limit: Lexer.longestSource), Lexer.longestSource..<bytes.count)
    }
    while offset < bytes.count {
      let byte = bytes[offset]
      if endsAtComma, byte == UInt8(ascii: ",") { break }
      switch byte {
      case UInt8(ascii: "{") where isDoubled, UInt8(ascii: "}") where isDoubled:
        text.append(byte)
        offset += 2
      case UInt8(ascii: "{"): try readField()
      case UInt8(ascii: "}"): throw error(.unopenedBrace, offset..<offset + 1)
      default:
        text.append(byte)
        offset += 1
      }
    }
    endText()
    return Template(pieces: pieces)
  }
}

extension TemplateParser {
  private var isDoubled: Bool { offset + 1 < bytes.count && bytes[offset + 1] == bytes[offset] }

  private mutating func endText() {
    if !text.isEmpty { pieces.append(.text(text)) }
    text = []
  }

  private mutating func readField() throws(ExpressionError) {
    let start = offset
    endText()
    var parser = try Parser(
      source: source, bytes: bytes, option: option, start: start + 1, stop: .templateField)
    guard parser.end < bytes.count else { throw error(.unclosedBrace, start..<start + 1) }
    let expression = parser.isEmpty ? nil : try parser.whole()
    offset = parser.end
    var spec: ValueFormat?
    if bytes[offset] == UInt8(ascii: ":") { spec = try readSpec(openedAt: start) }
    offset += 1
    pieces.append(.field(expression, spec, start..<offset))
  }

  /// Reads the format between the colon and the closing brace.
  private mutating func readSpec(openedAt start: Int) throws(ExpressionError) -> ValueFormat {
    let first = offset + 1
    guard let end = bytes[first...].firstIndex(of: UInt8(ascii: "}")) else {
      throw error(.unclosedBrace, start..<start + 1)
    }
    offset = end
    let spec = Array(bytes[first..<end])
    do {
      return try ValueFormat(spec.span)
    } catch .tooLarge {
      throw self.error(
        .formatTooLarge(String(decoding: spec, as: UTF8.self), limit: FormatSpec.limit), first..<end)
    } catch {
      throw self.error(.malformedFormat(String(decoding: spec, as: UTF8.self)), first..<end)
    }
  }

  private func error(_ kind: ExpressionError.Kind, _ range: Range<Int>) -> ExpressionError {
    ExpressionError(option: option, source: source, range: range, kind: kind)
  }
}

/// A template with the option it was written for, so that messages can show the position.
public struct SourceTemplate: Equatable, Sendable {
  /// The option, as in `--footer`.
  public let option: String

  /// The whole text given to the option.
  public let text: String

  /// Its pieces.
  public private(set) var template: Template

  /// Reads `text`, as it was given to `option`.
  public init(_ text: String, option: String) throws(ExpressionError) {
    var parser = TemplateParser(text, option: option)
    self.option = option
    self.text = text
    template = try parser.template()
  }

  /// Reads a template inside `text`, up to a comma outside braces or the end.
  ///
  /// - Parameters:
  ///   - text: the whole text given to the option.
  ///   - bytes: its bytes, if they are known: it may hold many templates.
  ///   - option: the option, as typed.
  ///   - start: where the template begins, in bytes.
  ///   - end: set to the comma, or to the end, in bytes.
  public init(
    listedIn text: String, bytes: [UInt8]? = nil, option: String, at start: Int, end: inout Int
  ) throws(ExpressionError) {
    var parser = TemplateParser(text, bytes: bytes, option: option, start: start, endsAtComma: true)
    self.option = option
    self.text = text
    template = try parser.template()
    end = parser.offset
  }

  /// The template that a pattern of dates without braces means: `%d.%m.%Y` is `{:%d.%m.%Y}`; `nil` if a text
  /// is no such pattern.
  public var ofDates: SourceTemplate? {
    var text: [UInt8] = []
    for case .text(let piece) in template.pieces { text += piece }
    guard !template.hasFields, DateFormat.isMarked(text.span), let format = DateFormat(text.span) else {
      return nil
    }
    var copy = self
    copy.template = Template(pieces: [.field(nil, .time(format), 0..<0)])
    return copy
  }

  /// An expression of the template.
  func expression(_ expression: Expression) -> SourceExpression {
    SourceExpression(expression, in: text, option: option)
  }
}

/// A piece of a template, ready to be filled.
enum BoundPiece: Sendable {
  case text([UInt8])
  /// `{}` or `{:spec}`: the cell.
  case cell(ValueFormat?)
  case field(Node, ValueFormat?, mayBeInexact: Bool)
}

/// A template that each row fills: of `--format`, `--title-of`, `--row-names`.
///
/// It is shared, so that a column without one takes no memory for it.
final class RowTemplate: Sendable {
  private let pieces: [BoundPiece]
  private let context: EvaluationContext
  private let slots: [String]
  private let hasFields: Bool

  /// Whether the cell is shown in a format that itself determines the number of digits.
  let showsAllDigits: Bool

  /// The column `n` that may still come, which `{n}` would then mean.
  private let columnN: Int?
  private let hasColumnN: Bool

  /// The column whose cells it shows, if a message is wanted when it fits none of them.
  private let column: String?

  /// Makes a template of its bound pieces.
  init(
    _ pieces: [BoundPiece], _ context: EvaluationContext, slots: [String], columnN: Int? = nil,
    hasColumnN: Bool = false, column: String? = nil
  ) {
    self.pieces = pieces
    self.column = column
    self.hasColumnN = hasColumnN
    self.context = context
    self.slots = slots
    self.columnN = columnN
    hasFields = pieces.contains { if case .field = $0 { true } else { false } }
    showsAllDigits = pieces.contains { piece in
      if case .cell(.number(let spec)?) = piece { !spec.keepsDigits } else { false }
    }
  }

  /// A state in which nothing has been counted.
  var freshState: EvaluationState {
    var state = EvaluationState(slots: slots)
    state.hasColumnN = hasColumnN
    if let column {
      state.tally.entries.append(
        ConversionTally.ColumnMisfits(column: column, use: .format, marks: context.marks))
    }
    return state
  }

  /// The template as the format of one column, which counts the cells that it fits.
  func format(of column: String) -> RowTemplate {
    RowTemplate(pieces, context, slots: slots, columnN: columnN, hasColumnN: hasColumnN, column: column)
  }

  /// The template for a table of these columns, some of which may have been unknown when it was bound.
  func settled(_ schema: Schema) -> RowTemplate {
    guard let columnN, schema.columns[columnN].isSeen else { return self }
    return RowTemplate(
      pieces, context, slots: slots, columnN: columnN, hasColumnN: true, column: column)
  }

  /// Appends the template filled from a row; false, with nothing appended, if the cell is no number for its
  /// spec, or the text would be longer than an expression may make.
  ///
  /// - Parameters:
  ///   - batch: the batch of the row.
  ///   - row: the row, counted from 0 in the batch.
  ///   - cell: the content of the cell shown.
  ///   - kind: the kind of the cell shown.
  ///   - buffer: receives the text.
  ///   - state: the state of the run, with the number of the shown row.
  func render(
    _ batch: Batch, row: Int, cell: Span<UInt8>, kind: Cell.Kind, into buffer: inout ByteBuffer,
    state: inout EvaluationState
  ) -> Bool {
    let start = buffer.count
    var evaluator: Evaluator?
    if hasFields { evaluator = Evaluator(context, batch: batch, row: row, state: state) }
    var isFilled = true
    var isTooLong = false
    var wanted: ValueFormat?
    for piece in pieces {
      switch piece {
      case .text(let text): buffer.append(text)
      case .cell(nil):
        isTooLong = cell.count > context.longestText - (buffer.count - start)
        if !isTooLong { buffer.append(cell) }
      case .cell(let spec?):
        isFilled = apply(spec, to: cell, kind, &buffer)
        if column != nil { wanted = spec }
      case .field(let node, let spec, let mayBeInexact):
        guard let value = evaluator?.value(node) else { continue }
        let room = context.longestText - (buffer.count - start)
        isTooLong =
          !(evaluator?.append(value, spec, .drawn(mayBeInexact: mayBeInexact), room: room, to: &buffer)
          ?? true)
      }
      isTooLong = isTooLong || buffer.count - start > context.longestText
      if isFilled, !isTooLong { continue }
      buffer.truncate(to: start)
      isFilled = false
      break
    }
    if let evaluator { state = evaluator.state }
    if let wanted { count(cell, isFilled: isFilled, wanted, batch, row, &state) }
    if isTooLong { state.tally.recordLongText(.filled, batch: batch, row: row) }
    return isFilled
  }

  /// Appends the template filled from a row, if no cell is involved.
  func render(_ batch: Batch, row: Int, into buffer: inout ByteBuffer, state: inout EvaluationState) {
    _ = render(
      batch, row: row, cell: batch.content(.missing), kind: .missing, into: &buffer, state: &state)
  }

  /// Counts a cell that a format fits, or records it while none has fitted.
  private func count(
    _ cell: Span<UInt8>, isFilled: Bool, _ spec: ValueFormat, _ batch: Batch, _ row: Int,
    _ state: inout EvaluationState
  ) {
    let slot = slots.count
    guard state.tally.entries.count > slot, state.tally.entries[slot].numberCount == 0 else { return }
    if isFilled {
      state.tally.entries[slot].numberCount = 1
    } else if cell.count > 0, !cell.isNullLike, state.tally.entries[slot].count < Self.mostNoted {
      let isTime = if case .time = spec { true } else { false }
      if !isTime, NumberReader.isNumber(cell, marks: context.marks) { return }
      state.tally.recordMisfit(slot, wanted: isTime ? .date : .number, cell, batch: batch, row: row)
    }
  }

  /// The maximum number of cells that are examined for remedies.
  private static let mostNoted = 1_000

  private func apply(
    _ spec: ValueFormat, to cell: Span<UInt8>, _ kind: Cell.Kind, _ buffer: inout ByteBuffer
  ) -> Bool {
    guard kind == .number, context.marks != .standard else {
      return spec.apply(to: cell, marks: context.marks, dates: context.dateFormat, into: &buffer)
    }
    guard let number = NumberReader.loose(cell) else { return false }
    return spec.apply(to: number, marks: context.marks, into: &buffer)
  }
}

/// A template that all rows fill through aggregates: of `--footer`.
struct FooterTemplate: AggregateKeeper, Sendable {
  private let pieces: [BoundPiece]
  private let context: EvaluationContext
  private var aggregators: [Aggregator]

  /// The value of the name that is no column, if there is one.
  var given = Value.null

  /// The state of the run, except misfits in aggregates.
  private var state: EvaluationState

  /// Whether one of its aggregates adds values.
  let adds: Bool

  /// Binds the template of a footer.
  init(
    _ pieces: [BoundPiece], _ aggregates: [BoundAggregate], _ context: EvaluationContext, slots: [String]
  ) {
    self.pieces = pieces
    self.context = context
    aggregators = aggregates.map { Aggregator($0, slots: slots) }
    adds = aggregates.contains { $0.accumulator.adds }
    state = EvaluationState(slots: slots)
    state.notesDropped = aggregates.contains(where: \.dropsCells)
    state.expectsConversions = state.notesDropped
  }

  /// Whether its text depends on the rows.
  var needsRows: Bool { !aggregators.isEmpty }

  /// Whether the memory of its aggregates may grow with the rows.
  var keepsMore: Bool { aggregators.contains { !$0.isFixed } }

  var byteCount: Int { aggregators.reduce(0) { $0 + $1.byteCount } }

  mutating func spill(to file: SpillFile) throws(SystemError) {
    for index in aggregators.indices { try aggregators[index].spill(to: file) }
  }

  /// How much its aggregates hold of the rows.
  var holding: AggregateHolding {
    aggregators.map(\.holding).max { $0.rawValue < $1.rawValue } ?? .little
  }

  /// The cells that did not convert, each counted once, however many aggregates saw it.
  var tally: ConversionTally {
    var text = ByteBuffer()
    var tally = mayGrow ? fill(&text) : state.tally
    for aggregator in aggregators { tally.widen(aggregator.misfitCells) }
    tally.forgetPlacesOfLongTexts()
    return tally
  }

  /// The reason an expression ended the run, in a row or over all rows.
  var failure: EvaluationFailure? {
    if let failure = state.failure { return failure }
    do {
      var evaluator = try filled()
      for case .field(let node, _, _) in pieces { _ = evaluator.value(node) }
      return evaluator.state.failure
    } catch { return .system(error) }
  }

  /// The evaluator that fills the fields with the results so far.
  private func filled() throws(SystemError) -> Evaluator {
    var evaluator = Evaluator(context, batch: .empty, state: state)
    for aggregator in aggregators { evaluator.aggregates.append(try aggregator.result) }
    evaluator.given = given
    return evaluator
  }

  /// Adds rows of a batch, in order.
  mutating func accumulate(_ batch: Batch, rows: Span<UInt32>) {
    guard !aggregators.isEmpty else { return }
    var evaluator = Evaluator(context, batch: batch, state: state)
    for index in aggregators.indices { aggregators[index].add(rows, &evaluator) }
    state = evaluator.state
  }

  /// Adds one row of a batch.
  mutating func accumulate(_ batch: Batch, row: Int) {
    let rows = [UInt32(truncatingIfNeeded: row)]
    accumulate(batch, rows: rows.span)
  }

  /// Adds the state of another copy that saw later rows.
  mutating func merge(_ other: FooterTemplate) {
    for index in aggregators.indices where index < other.aggregators.count {
      aggregators[index].merge(other.aggregators[index])
    }
    state = state.merged(with: other.state)
  }

  /// Appends the template filled with the results so far; nothing if the text would be longer than an
  /// expression may make, or if it fails.
  func render(into buffer: inout ByteBuffer) { _ = fill(&buffer) }

  /// Appends like `render`, and returns what was counted in rows and in the text.
  private func fill(_ buffer: inout ByteBuffer) -> ConversionTally {
    let start = buffer.count
    guard var evaluator = try? filled() else { return state.tally }
    for piece in pieces {
      var isFilled = true
      switch piece {
      case .text(let text): buffer.append(text)
      case .cell: continue
      case .field(let node, let spec, let mayBeInexact):
        isFilled = evaluator.append(
          evaluator.value(node), spec, .drawn(mayBeInexact: mayBeInexact),
          room: context.longestText - (buffer.count - start), to: &buffer)
      }
      if isFilled, buffer.count - start <= context.longestText { continue }
      evaluator.state.tally.recordLongText(.filled, batch: .empty, row: 0)
      buffer.truncate(to: start)
      break
    }
    return evaluator.state.tally
  }

  /// Whether it may be longer than the texts typed and some numbers.
  private var mayGrow: Bool {
    pieces.contains { piece in
      guard case .field(let node, _, _) = piece else { return false }
      if case .aggregate(let index) = node { return !aggregators[index].isFixed }
      return true
    }
  }
}

extension Evaluator {
  /// A value as it is drawn, if that is another text.
  func drawn(_ value: Value) -> Value? {
    guard case .text(let text) = value, text.isDrawnShorter(in: batch) else { return nil }
    return .text(TextValue(Array(copying: text.drawn(in: batch))))
  }

  /// Appends a value as a template shows it: nothing for null, and unchanged if it is no number for its spec.
  ///
  /// - Parameters:
  ///   - digits: which digits of a number are appended.
  ///   - room: the maximum number of bytes in a text; by default as many as an expression may make.
  /// - Returns: `false`, with nothing appended, if a text is longer.
  @discardableResult
  func append(
    _ value: Value, _ spec: ValueFormat?, _ digits: DrawnDigits.DigitChoice = .all, room: Int? = nil,
    to buffer: inout ByteBuffer
  ) -> Bool {
    switch value {
    case .null: break
    case .number(let number):
      if let spec, spec.apply(to: number, marks: context.marks, into: &buffer) { break }
      NumberWriter.append(number, digits, marks: context.marks, to: &buffer)
    case .bool(let truth): buffer.append(truth ? "true" : "false")
    case .time(let time):
      if let spec, spec.apply(to: time, into: &buffer) { break }
      time.append(to: &buffer)
    case .duration(let duration):
      if let spec, spec.apply(to: .decimal(duration.seconds), marks: context.marks, into: &buffer) { break }
      duration.append(to: &buffer)
    case .text(let text), .list(let text), .object(let text):
      let bytes = spec == nil && digits != .all ? text.drawn(in: batch) : text.bytes(in: batch)
      if bytes.count > context.longestText { return false }
      if let spec, spec.apply(to: bytes, marks: context.marks, dates: context.dateFormat, into: &buffer) {
        break
      }
      if let room, bytes.count > room { return false }
      buffer.append(bytes)
    }
    return true
  }
}
