/// The functions of expressions that see one row; aggregates are in `Aggregate`.
enum Function: String, CaseIterable, Sendable {
  // Text.
  case lower, upper, capitalize, length, width, trim, ltrim, rtrim, squeeze, substr, left, right, truncate,
    replace
  case splitPart = "split_part"
  case concat
  case concatWithSeparator = "concat_ws"
  case contains
  case startsWith = "starts_with"
  case endsWith = "ends_with"
  case position, lpad, rpad, `repeat`, reverse, format, levenshtein

  // Patterns.
  case matches, extract, sub, gsub
  case regexEscape = "regex_escape"

  // Numbers.
  case abs, sign, floor, ceil, round, trunc
  case roundTo = "round_to"
  case mod, pow, sqrt, cbrt, exp, ln, log10, log2, log, pi, sin, cos, tan, asin, acos, atan, atan2
  case least, greatest, clamp
  case isNaN = "is_nan"
  case percent
  case bytesText = "bytes_text"
  case thousands, size

  // Conversion.
  case number, int, decimal, double, bool, text, must, typeof
  case isNumber = "is_number"
  case isInt = "is_int"
  case isBool = "is_bool"

  // Null.
  case coalesce, nullif, `if`
  case isEmpty = "is_empty"

  // Rows.
  case rowNumber = "row_number"
  case lineNumber = "line_number"
  case fileName = "filename"

  /// Other spellings of SQL, which mean the same.
  static let spellings = [
    "ceiling": Function.ceil, "power": .pow, "substring": .substr, "char_length": .length, "len": .length,
    "ifnull": .coalesce,
  ]

  /// The function of a name in lower case, in any of its spellings.
  init?(name: String) {
    guard let function = Function(rawValue: name) ?? Self.spellings[name] else { return nil }
    self = function
  }

  /// What a parameter takes.
  enum Parameter: Sendable {
    case text
    case number
    case bool
    case any
    case pattern
  }

  /// What a function takes and gives.
  struct Signature: Sendable {
    /// The parameters in order; the last one repeats where there is no upper limit.
    var parameters: [Parameter]
    /// How many arguments must be given.
    var least: Int
    /// How many may be given; nil is any number.
    var most: Int?
    /// The kind of the result.
    var result: StaticKind

    /// Describes a function by its parameters, of which the last `optional` may be left out.
    init(_ parameters: Parameter..., optional: Int = 0, repeats: Bool = false, gives result: StaticKind) {
      self.parameters = parameters
      least = parameters.count - optional
      most = repeats ? nil : parameters.count
      self.result = result
    }
  }

  /// What the function takes and gives.
  var signature: Signature {
    switch self {
    case .lower, .upper, .capitalize, .squeeze, .reverse, .regexEscape: Signature(.text, gives: .text)
    case .length, .width: Signature(.text, gives: .number)
    case .trim, .ltrim, .rtrim: Signature(.text, .text, optional: 1, gives: .text)
    case .substr: Signature(.text, .number, .number, optional: 1, gives: .text)
    case .left, .right, .truncate, .repeat: Signature(.text, .number, gives: .text)
    case .replace: Signature(.text, .text, .text, gives: .text)
    case .splitPart: Signature(.text, .text, .number, gives: .text)
    case .concat: Signature(.any, repeats: true, gives: .text)
    case .concatWithSeparator: Signature(.text, .any, repeats: true, gives: .text)
    case .contains, .startsWith, .endsWith: Signature(.text, .text, gives: .bool)
    case .position, .levenshtein: Signature(.text, .text, gives: .number)
    case .lpad, .rpad: Signature(.text, .number, .text, optional: 1, gives: .text)
    case .format: Signature(.text, .any, repeats: true, gives: .text)
    case .matches: Signature(.text, .pattern, gives: .bool)
    case .extract: Signature(.text, .pattern, .number, optional: 1, gives: .text)
    case .sub, .gsub: Signature(.text, .pattern, .text, gives: .text)
    case .abs, .sign, .floor, .ceil, .sqrt, .cbrt, .exp, .ln, .log10, .log2, .sin, .cos, .tan, .asin, .acos,
      .atan:
      Signature(.number, gives: .number)
    case .round, .trunc: Signature(.number, .number, optional: 1, gives: .number)
    case .roundTo, .mod, .pow, .log, .atan2: Signature(.number, .number, gives: .number)
    case .pi: Signature(gives: .number)
    case .least, .greatest: Signature(.any, repeats: true, gives: .any)
    case .clamp: Signature(.any, .any, .any, gives: .any)
    case .isNaN: Signature(.number, gives: .bool)
    case .percent, .bytesText, .thousands: Signature(.number, gives: .text)
    case .size, .number, .int, .decimal, .double: Signature(.any, gives: .number)
    case .bool, .isNumber, .isInt, .isBool, .isEmpty: Signature(.any, gives: .bool)
    case .text, .typeof: Signature(.any, gives: .text)
    case .must: Signature(.any, .text, gives: .any)
    case .coalesce: Signature(.any, repeats: true, gives: .any)
    case .nullif: Signature(.any, .any, gives: .any)
    case .if: Signature(.bool, .any, .any, gives: .any)
    case .rowNumber, .lineNumber: Signature(gives: .number)
    case .fileName: Signature(gives: .text)
    }
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

  /// The kind of a value that is one or the other.
  func or(_ other: StaticKind) -> StaticKind {
    self == other || other == .null ? self : self == .null ? other : .any
  }

  /// The name of the kind in messages.
  var valueKind: ExpressionError.ValueKind {
    switch self {
    case .any, .text: .text
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .list: .list
    }
  }
}
