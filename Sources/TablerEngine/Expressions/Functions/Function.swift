/// A function of expressions: everything that is known about it.
///
/// The binder, the evaluator, help, manual, messages and tests read this entry. To add a function, add its
/// entry to the list of its group; nothing else names it.
public struct Function: Sendable {
  /// The name before the parentheses, in lower case.
  public let name: String

  /// Other spellings from SQL with the same meaning.
  let otherNames: [String]

  /// Its parameters, in order.
  let parameters: [Parameter]

  /// The kind of its result; `any` if that is the kind of its arguments.
  let result: StaticKind

  /// A description of one line, at most 60 characters.
  public let brief: String

  /// A call, and its result.
  let example: Example

  /// How a call is translated to a query for a database.
  let sqlClass: SQLClass

  /// Its names in other languages, separated by blanks: a message helps those who write them.
  public let elsewhere: String

  /// A number of arguments that is valid in other languages, and the mistake it is here.
  let refused: (count: Int, mistake: ExpressionError.Kind)?

  /// Its implementation.
  let body: Body

  /// Describes a function.
  init(
    _ name: String, also otherNames: [String] = [], _ parameters: [Parameter] = [],
    gives result: StaticKind, _ brief: String, example call: String, _ value: String, sql sqlClass: SQLClass,
    elsewhere: String = "", refuses refused: (count: Int, mistake: ExpressionError.Kind)? = nil, _ body: Body
  ) {
    self.name = name
    self.otherNames = otherNames
    self.parameters = parameters
    self.result = result
    self.brief = brief
    example = Example(call: call, value: value)
    self.sqlClass = sqlClass
    self.elsewhere = elsewhere
    self.refused = refused
    self.body = body
  }

  /// A call in the first row of the table `fruit.csv` of the manual, and its result as text.
  struct Example: Sendable {
    /// The call.
    let call: String
    /// Its value; empty if that is null.
    let value: String
  }

  /// How a call, with its required arguments, is translated to a query for a database.
  enum SQLClass: Sendable {
    /// Every engine has it.
    case core
    /// Translated for each engine, refused where one lacks it.
    case translated
    /// Never sent.
    case local
  }
}

// MARK: - Groups

extension Function {
  /// The headings of functions in help and manual, in order.
  public enum Group: String, CaseIterable, Sendable {
    case text = "Text"
    case patterns = "Patterns"
    case numbers = "Numbers"
    case lists = "Lists"
    case conversion = "Conversion"
    case dates = "Dates"
    case null = "Null"
    case rows = "Rows"
    case footers = "Footers"
    case series = "Rows in order"

    /// The functions of the group, in the order in which help and manual print them.
    ///
    /// Each list is made when it is first needed.
    public var functions: [Function] {
      switch self {
      case .text: TextFunctions.all
      case .patterns: PatternFunctions.all
      case .numbers: NumberFunctions.all
      case .lists: ListFunctions.all
      case .conversion: ConversionFunctions.all
      case .dates: DateFunctions.all
      case .null: NullFunctions.all
      case .rows: RowFunctions.all
      case .footers: AggregateFunctions.all
      case .series: SeriesFunctions.all
      }
    }
  }

  /// Every function, in the order in which help and manual print them.
  public static var all: [Function] { Group.allCases.flatMap(\.functions) }

  /// Whether there is a function of this name.
  public static func isKnown(_ name: String) -> Bool { named(name.lowercased()) != nil }

  /// The function of a name in lower case, in any of its spellings.
  static func named(_ name: String) -> Function? {
    for group in Group.allCases {
      for function in group.functions where function.name == name || function.otherNames.contains(name) {
        return function
      }
    }
    return nil
  }
}

// MARK: - Parameters

extension Function {
  /// A parameter of a function.
  struct Parameter: Sendable {
    /// The kind of argument that is required.
    enum Kind: Sendable {
      case text
      case number
      /// Anything that can be summed: numbers, sizes and durations; true counts 1, false 0.
      case amount
      case bool
      case any
      case pattern
      /// A date, or a date with its time.
      case time
      /// A list or an object, or a text that spells one.
      case list
      /// A text, or a list or an object.
      case textOrList
    }

    /// Its name in help.
    let name: String
    /// The kind of argument that is required.
    let kind: Kind
    /// Whether it may be omitted; then all that follow may be, too.
    var isOptional = false
    /// Whether there may be more arguments like it; only the last one can repeat.
    var repeats = false

    static func text(_ name: String) -> Parameter { Parameter(name: name, kind: .text) }
    static func number(_ name: String) -> Parameter { Parameter(name: name, kind: .number) }
    static func amount(_ name: String) -> Parameter { Parameter(name: name, kind: .amount) }
    static func bool(_ name: String) -> Parameter { Parameter(name: name, kind: .bool) }
    static func time(_ name: String) -> Parameter { Parameter(name: name, kind: .time) }
    static func list(_ name: String) -> Parameter { Parameter(name: name, kind: .list) }
    static func textOrList(_ name: String) -> Parameter { Parameter(name: name, kind: .textOrList) }
    static func any(_ name: String) -> Parameter { Parameter(name: name, kind: .any) }
    static func pattern(_ name: String) -> Parameter { Parameter(name: name, kind: .pattern) }

    /// A parameter that may be omitted.
    static func optional(_ parameter: Parameter) -> Parameter {
      var parameter = parameter
      parameter.isOptional = true
      return parameter
    }

    /// A parameter that takes one argument or more.
    static func repeated(_ parameter: Parameter) -> Parameter {
      var parameter = parameter
      parameter.repeats = true
      return parameter
    }
  }

  /// The call as written in help and manual: `substr(s, start[, count])`.
  public var signature: String {
    var text = name + "("
    for (index, parameter) in parameters.enumerated() {
      let comma = index > 0 ? ", " : ""
      let shown = comma + parameter.name + (parameter.repeats ? ", ..." : "")
      text += parameter.isOptional ? "[" + shown + "]" : shown
    }
    return text + ")"
  }

  /// The least number of arguments.
  var least: Int { parameters.count { !$0.isOptional } }

  /// The maximum number of arguments; nil means any number.
  var most: Int? { parameters.last?.repeats == true ? nil : parameters.count }

  /// Whether it accepts two arguments or more.
  public var takesSeveral: Bool { most.map { $0 > 1 } ?? true }

  /// Whether it makes something of a null other than null: `coalesce()`, `count()`, `concat()`.
  var takesNulls: Bool {
    guard parameters.contains(where: { $0.kind == .any }) else { return false }
    return switch body {
    case .aggregate: result != .any
    case .call, .row, .form, .pattern: true
    case .series: false
    }
  }

  /// Whether its value is that of an argument in some row: `max()`, `prior()`, `coalesce()`.
  var givesItsArgument: Bool {
    guard result == .any else { return false }
    return switch body {
    case .aggregate, .series: true
    case .call, .row, .form, .pattern: parameters.allSatisfy { $0.kind == .any && $0.repeats }
    }
  }

  /// The parameter of the argument at an index.
  func parameter(at index: Int) -> Parameter { parameters[min(index, parameters.count - 1)] }

  /// Whether the argument at an index may be a list.
  func takesList(at index: Int) -> Bool {
    guard !parameters.isEmpty else { return false }
    return switch parameter(at: index).kind {
    case .list, .textOrList: true
    default: false
    }
  }
}

// MARK: - Bodies

extension Function {
  /// The implementation of a function.
  enum Body: Sendable {
    /// Its value follows from those of its arguments.
    case call(ArgumentComputation)
    /// Its value is that of the current row.
    case row(RowReading)
    /// Its value follows from a text, a pattern, and the values of further arguments.
    case pattern(Matching)
    /// It becomes what an operator does, or must know its arguments before the first row.
    case form(Binding)
    /// It processes all rows; some compute a value from the arguments in a row where that is not possible.
    case aggregate(any Accumulator.Type, orInRow: (@Sendable (inout Evaluator, [Node]) -> Value)? = nil)
    /// Looks at other rows in their order: only in `--compute`.
    case series(SeriesFunction)

    static func text(_ compute: @escaping @Sendable (Span<UInt8>) -> [UInt8]) -> Body {
      .call(.text(compute, of: ""))
    }
    static func count(_ compute: @escaping @Sendable (Span<UInt8>) -> Int) -> Body { .call(.count(compute)) }
    static func test(_ test: @escaping TextTest) -> Body { .call(.test(test)) }
    static func number(_ compute: @escaping @Sendable (Number) -> Number) -> Body { .call(.number(compute)) }
    static func real(_ compute: @escaping @Sendable (Double) -> Double?) -> Body { .call(.real(compute)) }
    static func part(_ compute: @escaping @Sendable (Timestamp) -> Int) -> Body { .call(.part(compute)) }
    static func value(_ compute: @escaping @Sendable (inout Evaluator, [Node]) -> Value) -> Body {
      .call(.value(compute))
    }
  }

  /// A computation from arguments; null if an argument of a typed one is null.
  ///
  /// Only `value` decides how to read its arguments, and must be used if there are several.
  enum ArgumentComputation: Sendable {
    /// A text from a text, with the name of the function in messages.
    case text(@Sendable (Span<UInt8>) -> [UInt8], of: String)
    /// A whole number from a text; for a list or an object the number of its items or members.
    case count(@Sendable (Span<UInt8>) -> Int)
    /// A test of two texts.
    case test(TextTest)
    /// A number from a number.
    case number(@Sendable (Number) -> Number)
    /// A double from a double; nil outside the domain.
    case real(@Sendable (Double) -> Double?)
    /// A whole number from a time.
    case part(@Sendable (Timestamp) -> Int)
    /// Anything from any arguments.
    case value(@Sendable (inout Evaluator, [Node]) -> Value)

    /// The computation with the name of its function, if it needs it.
    func named(_ function: String) -> ArgumentComputation {
      if case .text(let compute, _) = self { .text(compute, of: function) } else { self }
    }
  }

  /// A test of two texts.
  typealias TextTest = @Sendable (Span<UInt8>, Span<UInt8>) -> Bool

  /// Reads something from the evaluator's current row.
  typealias RowReading = @Sendable (inout Evaluator) -> Value

  /// Computes a value from a text, a pattern, and the arguments after these.
  typealias Matching = @Sendable (inout Evaluator, Span<UInt8>, PatternMatcher, [Node]) -> Value

  /// Binds a call; the number of its arguments is right.
  typealias Binding = @Sendable (inout Binder, Binder.Call) throws(ExpressionError) -> (Node, StaticKind)
}
