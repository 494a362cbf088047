/// A function of expressions: all that is known of it.
///
/// The binder, the evaluator, help, manual, messages and tests read this entry. A function is added by adding its entry
/// to the list of its group; nothing else names it.
public struct Function: Sendable {
  /// The name before the parentheses, in lower case.
  public let name: String

  /// Other spellings of SQL, which mean the same.
  let otherNames: [String]

  /// What it takes, in order.
  let parameters: [Parameter]

  /// The kind of what it gives; `any` if that is the kind of its arguments.
  let result: StaticKind

  /// One line, at most 60 characters.
  public let brief: String

  /// A call, and what it gives.
  let example: Example

  /// What becomes of a call in a query for a database.
  let sqlClass: SQLClass

  /// What other languages call it, separated by blanks: said to those who write that.
  public let elsewhere: String

  /// A number of arguments that other languages take, and the mistake it is here.
  let refused: (count: Int, mistake: ExpressionError.Kind)?

  /// What it does.
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

  /// A call over the table `fruit.csv` of the manual, in its first row, and what it gives as text.
  struct Example: Sendable {
    /// The call.
    let call: String
    /// Its value; empty if that is null.
    let value: String
  }

  /// What becomes of a call, with its required arguments, in a query for a database.
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
  /// The headings under which functions stand in help and manual, in their order.
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

    /// The functions of the group, in the order in which help and manual print them.
    ///
    /// Each list is made when it is first asked for.
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
  /// What a function takes.
  struct Parameter: Sendable {
    /// What an argument must be.
    enum Kind: Sendable {
      case text
      case number
      /// What can be summed: numbers, sizes and durations; true counts 1, false 0.
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

    /// What help calls it.
    let name: String
    /// What an argument must be.
    let kind: Kind
    /// Whether it may be left out; so may then all that follow.
    var isOptional = false
    /// Whether there may be more arguments like it; only the last one does.
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

    /// A parameter that may be left out.
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

  /// The call as help and manual write it: `substr(s, start[, count])`.
  public var signature: String {
    var text = name + "("
    for (index, parameter) in parameters.enumerated() {
      let comma = index > 0 ? ", " : ""
      let shown = comma + parameter.name + (parameter.repeats ? ", ..." : "")
      text += parameter.isOptional ? "[" + shown + "]" : shown
    }
    return text + ")"
  }

  /// How many arguments it must be given.
  var least: Int { parameters.count { !$0.isOptional } }

  /// How many it may be given; nil is any number.
  var most: Int? { parameters.last?.repeats == true ? nil : parameters.count }

  /// Whether it can be given two arguments.
  public var takesSeveral: Bool { most.map { $0 > 1 } ?? true }

  /// The parameter that takes the argument at a place.
  func parameter(at index: Int) -> Parameter { parameters[min(index, parameters.count - 1)] }
}

// MARK: - Bodies

extension Function {
  /// What a function does.
  enum Body: Sendable {
    /// Its value follows from those of its arguments.
    case call(Computation)
    /// Its value is that of the current row.
    case row(Reading)
    /// Its value follows from a text, a pattern, and the values of further arguments.
    case pattern(Matching)
    /// It becomes what an operator does, or must know its arguments before any row.
    case form(Binding)
    /// It sees all rows.
    case aggregate(any Accumulator.Type)

    static func text(_ compute: @escaping @Sendable (Span<UInt8>) -> [UInt8]) -> Body {
      .call(.text(compute, of: ""))
    }
    static func count(_ compute: @escaping @Sendable (Span<UInt8>) -> Int) -> Body { .call(.count(compute)) }
    static func test(_ test: @escaping Test) -> Body { .call(.test(test)) }
    static func number(_ compute: @escaping @Sendable (Number) -> Number) -> Body { .call(.number(compute)) }
    static func real(_ compute: @escaping @Sendable (Double) -> Double?) -> Body { .call(.real(compute)) }
    static func part(_ compute: @escaping @Sendable (Timestamp) -> Int) -> Body { .call(.part(compute)) }
    static func value(_ compute: @escaping @Sendable (inout Evaluator, [Node]) -> Value) -> Body {
      .call(.value(compute))
    }
  }

  /// What is computed from arguments; null if an argument of a typed one is null.
  ///
  /// Only `value` chooses what to ask of its arguments, and must be used if there are several.
  enum Computation: Sendable {
    /// A text of a text, by the function that messages call so.
    case text(@Sendable (Span<UInt8>) -> [UInt8], of: String)
    /// A whole number of a text; of a list or an object the number of its items or members.
    case count(@Sendable (Span<UInt8>) -> Int)
    /// Whether something is true of two texts.
    case test(Test)
    /// A number of a number.
    case number(@Sendable (Number) -> Number)
    /// A double of a double; nil outside the domain.
    case real(@Sendable (Double) -> Double?)
    /// A whole number of a time.
    case part(@Sendable (Timestamp) -> Int)
    /// Anything of any arguments.
    case value(@Sendable (inout Evaluator, [Node]) -> Value)

    /// The computation with the name of its function, if it needs it.
    func named(_ function: String) -> Computation {
      if case .text(let compute, _) = self { .text(compute, of: function) } else { self }
    }
  }

  /// Whether something is true of two texts.
  typealias Test = @Sendable (Span<UInt8>, Span<UInt8>) -> Bool

  /// Reads something of the row that the evaluator stands at.
  typealias Reading = @Sendable (inout Evaluator) -> Value

  /// Computes from a text, a pattern, and the arguments after these.
  typealias Matching = @Sendable (inout Evaluator, Span<UInt8>, PatternMatcher, [Node]) -> Value

  /// Binds a call; the number of its arguments is right.
  typealias Binding = @Sendable (inout Binder, Binder.Call) throws(ExpressionError) -> (Node, StaticKind)
}
