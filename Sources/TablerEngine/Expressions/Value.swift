/// The result of an expression for a row.
enum Value: Sendable {
  case null
  case bool(Bool)
  case number(Number)
  case text(TextValue)
  /// A JSON list, as compact text.
  case list(TextValue)
  /// A JSON object, as compact text.
  case object(TextValue)
  /// A date, or a date with its time.
  case time(Timestamp)
  case duration(Duration)

  /// A text that was made, and is held here.
  static func text(_ bytes: [UInt8]) -> Value { .text(TextValue(bytes, isString: true)) }

  /// A text that was made, and is held here.
  static func text(_ text: String) -> Value { .text(Array(text.utf8)) }

  /// A whole number.
  static func int(_ value: Int) -> Value { .number(.int(Int64(value))) }

  /// A number, or null if there is none.
  static func optional(_ number: Number?) -> Value { number.map { .number($0) } ?? .null }

  /// True, false, or null if it is neither.
  static func optional(_ truth: Bool?) -> Value { truth.map { .bool($0) } ?? .null }

  /// A text, or null if there is none.
  static func optional(_ bytes: [UInt8]?) -> Value { bytes.map { .text($0) } ?? .null }

  /// A time, or null if there is none.
  static func optional(_ time: Timestamp?) -> Value { time.map { .time($0) } ?? .null }

  /// A duration, or null if there is none.
  static func optional(_ duration: Duration?) -> Value { duration.map { .duration($0) } ?? .null }

  /// Whether the value is null.
  var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

/// The bytes of a text: those of a cell in the current batch, or bytes held here.
struct TextValue: Sendable {
  /// The bytes of a text that is held here, as all constants are.
  let held: [UInt8]

  private let cell: Cell
  private let isHeld: Bool

  /// Whether the text is a JSON string, or was made by a function: such a text is never a number by its look.
  private(set) var isString: Bool

  /// The text of a cell of the current batch.
  init(_ cell: Cell, isString: Bool = false) {
    held = []
    self.cell = cell
    isHeld = false
    self.isString = isString
  }

  /// A text that is held here.
  init(_ bytes: [UInt8], isString: Bool = false) {
    held = bytes
    cell = .missing
    isHeld = true
    self.isString = isString
  }

  /// The bytes: UTF-8 that may be ill-formed.
  @inline(__always)
  @_lifetime(borrow self, borrow batch)
  func bytes(in batch: Batch) -> Span<UInt8> {
    isHeld ? held.span : batch.content(cell)
  }

  /// Whether it is that of a cell that is drawn with fewer digits than it has.
  func isDrawnShorter(in batch: Batch) -> Bool { !isHeld && batch.isDrawnShorter(cell) }

  /// The bytes as they are drawn: of a computed number at most 15 digits.
  @_lifetime(borrow self, borrow batch)
  func drawn(in batch: Batch) -> Span<UInt8> {
    isHeld ? held.span : batch.drawn(cell)
  }

  /// The same as a text that is never a number by its look.
  var asString: TextValue {
    var text = self
    text.isString = true
    return text
  }

  /// A copy that does not need a batch.
  func held(from batch: Batch) -> TextValue {
    isHeld ? self : TextValue(Array(copying: batch.content(cell)), isString: isString)
  }
}

extension Value {
  /// The value as a number.
  ///
  /// - Parameters:
  ///   - batch: the batch that it comes from.
  ///   - marks: those of numbers in cells.
  func number(in batch: Batch, _ marks: NumberMarks) -> Number? {
    switch self {
    case .number(let number): number
    case .text(let text): NumberReader.loose(text.bytes(in: batch), marks: marks)
    case .null, .bool, .list, .object, .time, .duration: nil
    }
  }

  /// Whether the value is true or false.
  ///
  /// - Parameter batch: the batch that it comes from.
  func truth(in batch: Batch) -> Bool? {
    switch self {
    case .bool(let truth): return truth
    case .text(let text):
      let bytes = text.bytes(in: batch)
      return bytes.equals("true") ? true : bytes.equals("false") ? false : nil
    case .null, .number, .list, .object, .time, .duration: return nil
    }
  }

  /// The value for another row of its batch: as text it is the same as it would be for a row of any other.
  func lasting(in batch: Batch) -> Value {
    if case .text(let text) = self, text.isDrawnShorter(in: batch) { held(from: batch) } else { self }
  }

  /// A copy that does not need a batch.
  func held(from batch: Batch) -> Value {
    switch self {
    case .null, .bool, .number, .time, .duration: self
    case .text(let text): .text(text.held(from: batch))
    case .list(let text): .list(text.held(from: batch))
    case .object(let text): .object(text.held(from: batch))
    }
  }
}

extension [UInt8] {
  /// The bytes of a span.
  init(copying span: Span<UInt8>) {
    self.init(capacity: span.count) { (output: inout OutputSpan<UInt8>) in
      for index in span.indices { output.append(span[index]) }
    }
  }
}
