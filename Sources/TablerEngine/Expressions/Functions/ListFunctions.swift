/// The functions on lists and objects.
enum ListFunctions {
  /// All of them, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "split", [.text("s"), .text("sep")], gives: .list, "the parts of s between seps, as a list",
      example: "split('a/b/c', '/')", #"["a","b","c"]"#, sql: .local,
      elsewhere: "splitax str_split string_split string_to_array regexp_split strsplit explode",
      .value { split($1, &$0) }),
    Function(
      "join", [.list("list"), .text("sep")], gives: .text, "the items joined with sep; nulls are skipped",
      example: "join(['a', null, 1], '-')", "a-1", sql: .local,
      elsewhere: "array_to_string array_join list_to_string implode joinv", .value { join($1, &$0) }),
    Function(
      "get", [.any("x"), .any("path"), .optional(.any("default"))], gives: .any,
      "what path leads to in x, or default", example: #"get(parse_json('{"a":[1,2]}'), 'a[-1]')"#, "2",
      sql: .local, elsewhere: "json_extract json_value json_get jsonpath getpath element_at list_extract nth",
      .form { (binder, call) throws(ExpressionError) in try binder.get(call) }),
    Function(
      "has", [.any("x"), .any("path")], gives: .bool, "whether path leads to something in x, or $0",
      example: "has($0, 'color')", "true", sql: .local,
      elsewhere: "haskey has_key json_exists exists map_contains_key",
      .form {
        (binder, call) throws(ExpressionError) in try binder.has(call)
      }),
    Function(
      "keys", [.list("x")], gives: .list, "the names of the members of an object",
      example: #"keys(parse_json('{"a":1,"b":2}'))"#, #"["a","b"]"#, sql: .local,
      elsewhere: "json_keys map_keys object_keys get_keys",
      .value { members("keys()", $1, &$0) { ($0, nil) } }),
    Function(
      "values", [.list("x")], gives: .list, "the values of the members of an object",
      example: #"values(parse_json('{"a":1,"b":2}'))"#, "[1,2]", sql: .local,
      elsewhere: "json_values map_values object_values get_values",
      .value { members("values()", $1, &$0) { (nil, $0) } }),
    Function(
      "list_contains", [.list("l"), .any("v")], gives: .bool, "whether v is an item of l",
      example: "list_contains(split('a/b', '/'), 'b')", "true", sql: .local,
      elsewhere: "array_contains list_has array_has array_position", .value { contains($1, &$0) }),
    Function(
      "json", [.any("x")], gives: .text, "x as JSON text", example: "json([name, weight])",
      #"["Banana",118]"#, sql: .local, elsewhere: "to_json tojson json_encode json_quote",
      .form { (binder, call) throws(ExpressionError) in try binder.json(call) }),
    Function(
      "parse_json", [.text("s")], gives: .any, "the value that JSON text spells, else null",
      example: #"parse_json('{"a": [1, 2]}').a[0]"#, "1", sql: .local,
      elsewhere: "from_json fromjson json_decode json_parse", .value { parse($1, &$0) }),
  ]

  private static func split(_ arguments: [Node], _ evaluator: inout Evaluator) -> Value {
    guard let text = evaluator.material(arguments[0], of: "split()"),
      let separator = evaluator.text(arguments[1])
    else {
      return .null
    }
    let batch = evaluator.batch
    let (bytes, mark) = (text.bytes(in: batch), separator.bytes(in: batch))
    var list = ListBuilder(limit: evaluator.context.longestText)
    var offset = 0
    if mark.count > 0 {
      while let place = bytes.firstRange(of: mark, from: offset) {
        list.append(text: bytes.extracting(offset..<place))
        offset = place + mark.count
        if list.isFull { return evaluator.tooLong("split()") }
      }
    }
    list.append(text: bytes.extracting(offset...))
    return list.value ?? evaluator.tooLong("split()")
  }

  private static func join(_ arguments: [Node], _ evaluator: inout Evaluator) -> Value {
    guard case .list(let list) = evaluator.container(arguments[0]), let mark = evaluator.text(arguments[1])
    else {
      return .null
    }
    let batch = evaluator.batch
    let (bytes, separator) = (list.bytes(in: batch), mark.bytes(in: batch))
    let limit = evaluator.context.longestText
    guard let whole = JSONText.find([], in: bytes) else { return .null }
    var text = ByteBuffer()
    var isFirst = true
    JSONText.forEachItem(of: whole, bytes) { item in
      if item.kind == .null { return true }
      if !isFirst { text.append(separator) }
      isFirst = false
      let spelled = bytes.extracting(item.start..<item.end)
      if item.kind == .text, item.isEscaped {
        JSONText.decode(spelled, into: &text)
      } else {
        text.append(spelled)
      }
      return text.count <= limit
    }
    return text.count <= limit ? .text(text.array()) : evaluator.tooLong("join()")
  }

  /// A list of the names or the values of an object's members.
  private static func members(
    _ function: String, _ arguments: [Node], _ evaluator: inout Evaluator,
    _ choose: (JSONScanner.Value) -> (name: JSONScanner.Value?, value: JSONScanner.Value?)
  ) -> Value {
    guard case .object(let object) = evaluator.container(arguments[0]) else { return .null }
    let batch = evaluator.batch
    let bytes = object.bytes(in: batch)
    var list = ListBuilder(limit: evaluator.context.longestText)
    for member in JSONText.members(of: bytes) {
      let chosen = choose(member.name).name ?? choose(member.value).value
      if let chosen { list.append(json: bytes, chosen) }
      if list.isFull { break }
    }
    return list.value ?? evaluator.tooLong(function)
  }

  private static func contains(_ arguments: [Node], _ evaluator: inout Evaluator) -> Value {
    guard case .list(let list) = evaluator.container(arguments[0]) else { return .null }
    let wanted = evaluator.value(arguments[1])
    if wanted.isNull { return .null }
    let batch = evaluator.batch
    let bytes = list.bytes(in: batch)
    guard let whole = JSONText.find([], in: bytes) else { return .null }
    var isFound = false
    JSONText.forEachItem(of: whole, bytes) { item in
      isFound = evaluator.compare(Evaluator.value(item, in: bytes), wanted, by: .cells) == 0
      return !isFound
    }
    return .bool(isFound)
  }

  private static func parse(_ arguments: [Node], _ evaluator: inout Evaluator) -> Value {
    guard let text = evaluator.material(arguments[0], of: "parse_json()") else { return .null }
    let batch = evaluator.batch
    let bytes = text.bytes(in: batch)
    let whole = JSONText.whole(bytes)
    if evaluator.state.notesConversion(whole != nil) {
      evaluator.noteConversion(whole != nil, of: .text(text), from: arguments[0], .container)
    }
    guard let whole else { return .null }
    guard whole.isEscaped, whole.kind != .text else { return Evaluator.value(whole, in: bytes) }
    var compact = ByteBuffer(capacity: bytes.count)
    JSONText.compact(bytes.extracting(whole.start..<whole.end), into: &compact)
    let value = TextValue(compact.array())
    return whole.kind == .list ? .list(value) : .object(value)
  }
}

/// A JSON list under construction; not longer than an expression may make.
struct ListBuilder: ~Copyable {
  private var bytes = ByteBuffer()
  private let limit: Int

  /// Begins an empty list.
  ///
  /// - Parameter limit: the maximum number of bytes that it may have.
  init(limit: Int) {
    self.limit = limit
    bytes.append(UInt8(ascii: "["))
  }

  /// Whether it has more than it may have.
  var isFull: Bool { bytes.count >= limit }

  /// Appends a text.
  mutating func append(text: Span<UInt8>) {
    separate()
    bytes.appendJSON(string: text)
  }

  /// Appends a value of JSON as spelled in `text`.
  mutating func append(json text: Span<UInt8>, _ value: JSONScanner.Value) {
    separate()
    let quote = value.kind == .text ? 1 : 0
    bytes.append(text.extracting(value.start - quote..<value.end + quote))
  }

  /// Appends a value of an expression.
  mutating func append(_ value: Value, isRead: Bool, _ evaluator: borrowing Evaluator) {
    separate()
    evaluator.appendJSON(value, isRead: isRead, to: &bytes)
  }

  private mutating func separate() {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
  }

  /// The list; null if it is too long.
  var value: Value? {
    mutating get {
      if isFull { return nil }
      bytes.append(UInt8(ascii: "]"))
      return .list(TextValue(bytes.array()))
    }
  }
}

extension Evaluator {
  /// Appends a value as JSON spells it.
  ///
  /// - Parameter isRead: whether a text may be that of a cell, which is a number, true or false if it looks
  ///   like one.
  func appendJSON(_ value: Value, isRead: Bool, to out: inout ByteBuffer) {
    switch value {
    case .null: out.append("null")
    case .bool(let truth): out.append(truth ? "true" : "false")
    case .number(let number):
      // A value that is not a number in JSON becomes a text.
      let isFinite = if case .double(let value) = number { value.isFinite } else { true }
      if !isFinite { out.append(UInt8(ascii: "\"")) }
      NumberWriter.append(number, to: &out)
      if !isFinite { out.append(UInt8(ascii: "\"")) }
    case .list(let text), .object(let text): out.append(text.bytes(in: batch))
    case .time(let time):
      out.append(UInt8(ascii: "\""))
      time.append(to: &out)
      out.append(UInt8(ascii: "\""))
    case .duration(let duration):
      out.append(UInt8(ascii: "\""))
      duration.append(to: &out)
      out.append(UInt8(ascii: "\""))
    case .text(let text):
      let bytes = text.bytes(in: batch)
      if isRead, !text.isString {
        if bytes.equals("true") || bytes.equals("false") { return out.append(bytes) }
        if context.marks == .standard {
          if bytes.isJSONNumber { return out.append(bytes) }
        } else if out.appendJSON(number: bytes, context.marks) {
          return
        }
      }
      out.appendJSON(string: bytes)
    }
  }

  /// The list of the values of some nodes; null if it is too long.
  mutating func list(_ items: [Node.ListItem]) -> Value {
    var list = ListBuilder(limit: context.longestText)
    for item in items {
      let value = value(item.node)
      if let text = text(of: value), text.bytes(in: batch).count > context.longestText {
        return tooLong("a list")
      }
      list.append(value, isRead: item.isRead, self)
      if list.isFull { break }
    }
    return list.value ?? tooLong("a list")
  }

  /// The list or object that a node yields, or that its text spells; any other value unchanged.
  mutating func container(_ node: Node) -> Value {
    let value = container(value(node))
    if case .text = value { recordMisfit(value, from: node, wanted: .container) }
    return value
  }

  /// The number of items of a list, or of members of an object.
  func count(of value: TextValue, isList: Bool) -> Int {
    let bytes = value.bytes(in: batch)
    guard isList else { return JSONText.members(of: bytes).count }
    guard let whole = JSONText.find([], in: bytes) else { return 0 }
    var count = 0
    JSONText.forEachItem(of: whole, bytes) { _ in
      count += 1
      return true
    }
    return count
  }

  /// The value that a path leads to: a number is the index of an item, a text a name or several steps.
  fileprivate mutating func found(_ path: Node, in base: Value) -> Value? {
    let steps = value(path)
    switch base {
    case .list(let text), .object(let text):
      let bytes = text.bytes(in: batch)
      if case .number(let number) = steps {
        guard let place = number.integer, let found = JSONText.find([.item(Int(place))], in: bytes) else {
          return nil
        }
        return Self.value(found, in: bytes)
      }
      guard let name = self.text(of: steps) else { return nil }
      return Self.found(String(decoding: name.bytes(in: batch)), in: bytes)
    case .null, .bool, .number, .text, .time, .duration: return nil
    }
  }

  /// The value that a text leads to: a member of exactly that name, otherwise step by step.
  private static func found(_ path: String, in bytes: Span<UInt8>) -> Value? {
    if let found = JSONText.find([.member(path)], in: bytes) { return value(found, in: bytes) }
    let start = path.hasPrefix("[") || path.hasPrefix(".") ? "" : "."
    guard let steps = PathStep.parse((start + path)[...]), let found = JSONText.find(steps, in: bytes) else {
      return nil
    }
    return value(found, in: bytes)
  }
}

// MARK: - Binding

extension Binder {
  /// `[a, b]`: a list of any values.
  mutating func list(_ items: [Expression], _ source: SourceExpression) throws(ExpressionError) -> Node {
    var bound: [Node.ListItem] = []
    for item in items {
      let value = try bind(item, source)
      bound.append(Node.ListItem(node: value.node, isRead: value.mayBeRead))
    }
    return .list(bound)
  }

  /// `get(x, path[, default])`; `get($0, "name")` is a column.
  fileprivate mutating func get(_ call: Call) throws(ExpressionError) -> (Node, StaticKind) {
    let isRecord = if case .record = call.arguments[0].kind { true } else { false }
    var nodes = isRecord ? [try column(ofRecord: call)] : try container(call)
    guard call.arguments.count > 2 else {
      if isRecord { return (nodes[0], .any) }
      return (.call(.value { $0.found($1[1], in: $0.container($1[0])) ?? .null }, nodes), .any)
    }
    nodes.append(try bind(value: call.arguments[2], call.source).node)
    if isRecord { return (.call(.value { $0.value($0.isThere($1[0]) ? $1[0] : $1[1]) }, nodes), .any) }
    return (.call(.value { $0.found($1[1], in: $0.container($1[0])) ?? $0.value($1[2]) }, nodes), .any)
  }

  /// `has(x, path)`; `has($0, "name")` tells a cell from a missing one.
  fileprivate mutating func has(_ call: Call) throws(ExpressionError) -> (Node, StaticKind) {
    if case .record = call.arguments[0].kind {
      let cell = try column(ofRecord: call)
      return (
        .call(
          .value { evaluator, nodes in .bool(evaluator.isThere(nodes[0])) }, [cell]), .bool
      )
    }
    let nodes = try container(call)
    return (.call(.value { .bool($0.found($1[1], in: $0.container($1[0])) != nil) }, nodes), .bool)
  }

  /// The first two arguments: a list or object, and a path.
  private mutating func container(_ call: Call) throws(ExpressionError) -> [Node] {
    let base = try list(try bind(call.arguments[0], call.source), call.user, call.source)
    let path = try single(try bind(value: call.arguments[1], call.source), call.source)
    if path.kind == .bool { throw wrongKind(path, user: call.user, needs: .text, call.source) }
    return [base.node, path.node]
  }

  /// `json(x)`: whether a text is that of a cell is known when it is bound.
  fileprivate mutating func json(_ call: Call) throws(ExpressionError) -> (Node, StaticKind) {
    let value = try bind(call.arguments[0], call.source)
    let isRead = value.mayBeRead
    return (
      .call(
        .value { evaluator, nodes in
          let value = evaluator.value(nodes[0])
          let limit = evaluator.context.longestText
          if value.isNull { return .null }
          if let text = evaluator.text(of: value), text.bytes(in: evaluator.batch).count > limit {
            return evaluator.tooLong("json()")
          }
          var out = ByteBuffer()
          evaluator.appendJSON(value, isRead: isRead, to: &out)
          return out.count <= limit ? .text(out.array()) : evaluator.tooLong("json()")
        }, [value.node]), .text
    )
  }
}

extension Evaluator {
  /// Whether a row has a cell, even if it is null.
  fileprivate func isThere(_ node: Node) -> Bool {
    guard case .cell(let column, _) = node else { return false }
    return cell(column).kind != .missing
  }
}
