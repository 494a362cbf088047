/// The functions on dates, times and durations.
enum DateFunctions {
  /// All of them, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "date", [.any("x"), .optional(.text("fmt"))], gives: .time,
      "x as a date, else null; fmt as in strftime",
      example: "date('01.06.2025', '%d.%m.%Y')", "2025-06-01", sql: .translated,
      elsewhere: "to_date todate as_date cdate parse_date str_to_date",
      .form { (binder, call) throws(ExpressionError) in try binder.time(call) { $0.withoutTime } }),
    Function(
      "datetime", [.any("x"), .optional(.text("fmt"))], gives: .time, "x as a date with its time, else null",
      example: "datetime('2025-06-01 12:30')", "2025-06-01T12:30:00", sql: .translated,
      elsewhere: "timestamp to_timestamp to_datetime todatetime as_datetime cdatetime parse_datetime",
      .form { (binder, call) throws(ExpressionError) in try binder.time(call) { $0.withTime } }),
    Function(
      "duration", [.any("x")], gives: .duration, "x as a duration, else null", example: "duration('90m')",
      "1h30m", sql: .translated, elsewhere: "interval to_interval timedelta sec2dhms dhms2sec",
      .converted(to: .duration)),
    Function(
      "is_date", [.any("x")], gives: .bool, "whether x reads as a date, or one with a time",
      example: "is_date('2025-02-29')", "false", sql: .translated, elsewhere: "isdate",
      .value { .bool($0.time(of: $0.value($1[0])) != nil) }),
    Function(
      "now", gives: .time, "the time in UTC, the same all through a run",
      example: "now() > date '2020-01-01'",
      "true", sql: .core, elsewhere: "current_timestamp systime sysdate getdate localtimestamp utcnow",
      .value { evaluator, _ in .optional(evaluator.context.now) }),
    Function(
      "today", gives: .time, "the date in UTC", example: "today() = date(now())", "true", sql: .core,
      elsewhere: "current_date curdate",
      .value { evaluator, _ in .optional(evaluator.context.now?.withoutTime) }),
    Function(
      "year", [.time("t")], gives: .number, "the year of a date or time",
      example: "year(date '2025-06-01')", "2025", sql: .translated,
      elsewhere: "getyear extract_year datepart date_part getfullyear", .part { $0.date.year }),
    Function(
      "month", [.time("t")], gives: .number, "the month, from 1", example: "month(date '2025-06-01')", "6",
      sql: .translated, elsewhere: "getmonth monthofyear", .part { $0.date.month }),
    Function(
      "day", [.time("t")], gives: .number, "the day of the month", example: "day(date '2025-06-01')", "1",
      sql: .translated, elsewhere: "dayofmonth mday day_of_month", .part { $0.date.day }),
    Function(
      "hour", [.time("t")], gives: .number, "the hour, 0 of a date",
      example: "hour(datetime '2025-06-01 12:30')", "12", sql: .translated, elsewhere: "gethours",
      .part { $0.secondOfDay / 3600 }),
    Function(
      "minute", [.time("t")], gives: .number, "the minute", example: "minute(datetime '2025-06-01 12:30')",
      "30", sql: .translated, elsewhere: "getminutes", .part { $0.secondOfDay / 60 % 60 }),
    Function(
      "second", [.time("t")], gives: .number, "the whole second",
      example: "second(datetime '2025-06-01 12:30:15')", "15", sql: .translated, elsewhere: "getseconds",
      .part { $0.secondOfDay % 60 }),
    Function(
      "weekday", [.time("t")], gives: .number, "the day of the week: 1 is Monday, 7 is Sunday",
      example: "weekday(date '2025-06-01')", "7", sql: .translated,
      elsewhere: "dayofweek wday isodow dow day_of_week", .part { $0.weekday }),
    Function(
      "week", [.time("t")], gives: .number, "the week of ISO 8601", example: "week(date '2025-06-01')", "22",
      sql: .translated, elsewhere: "weekofyear isoweek iso_week week_of_year weeknum isoweeknum",
      .part { $0.week.number }),
    Function(
      "yearday", [.time("t")], gives: .number, "the day of the year", example: "yearday(date '2025-06-01')",
      "152", sql: .translated, elsewhere: "dayofyear yday doy day_of_year", .part { $0.dayOfYear }),
    Function(
      "date_trunc", [.text("unit"), .time("t")], gives: .time, "the beginning of the unit that t lies in",
      example: "date_trunc('month', date '2025-06-17')", "2025-06-01", sql: .translated,
      elsewhere: "datetrunc trunc_date floor_date timestamp_trunc start_of",
      .form { (binder, call) throws(ExpressionError) in
        let (unit, nodes) = try binder.unit(call)
        let zone = try binder.zone(ofTimes: [call.arguments[1]], call.source)
        return (
          .call(
            .value { evaluator, nodes in
              guard let unit = evaluator.unit(unit, nodes[0]), let time = evaluator.time(nodes[1]) else {
                return .null
              }
              return .time(time.truncated(to: unit, in: zone))
            }, nodes), .time
        )
      }),
    Function(
      "date_add", [.text("unit"), .number("n"), .time("t")], gives: .time, "t and n units, also t + duration",
      example: "date_add('month', 1, date '2025-01-31')", "2025-02-28", sql: .translated,
      elsewhere: "dateadd add_months adddate timestampadd date_sub",
      .form { (binder, call) throws(ExpressionError) in
        let (unit, nodes) = try binder.unit(call)
        try binder.checkCount(nodes[1], of: unit, call)
        let zone = try binder.zone(ofTimes: [call.arguments[2]], call.source)
        return (
          .call(
            .value { evaluator, nodes in
              guard let unit = evaluator.unit(unit, nodes[0]), let number = evaluator.number(nodes[1]),
                let time = evaluator.time(nodes[2])
              else { return .null }
              if let count = number.integer { return .optional(time.adding(Int(count), unit, in: zone)) }
              // Months have no fixed length, so that they have no parts.
              let part = evaluator.convert(.number(number), to: .decimal).decimal
              guard unit.months == nil, let part,
                let seconds = part.multiplied(by: ExactDecimal(Int64(unit.seconds)))
              else {
                evaluator.recordMisfit(.number(number), from: nodes[1], wanted: .wholeNumber)
                return .null
              }
              return .optional(time.adding(Duration(seconds: seconds), in: zone))
            }, nodes), .time
        )
      }),
    Function(
      "date_diff", [.text("unit"), .time("a"), .time("b")], gives: .number,
      "how many whole units from a to b",
      example: "date_diff('day', date '2025-06-01', date '2025-12-24')", "206", sql: .translated,
      elsewhere: "datediff timestampdiff months_between days_between age",
      .form { (binder, call) throws(ExpressionError) in
        let (unit, nodes) = try binder.unit(call)
        let zone = try binder.zone(ofTimes: Array(call.arguments.dropFirst()), call.source)
        return (
          .call(
            .value { evaluator, nodes in
              guard let unit = evaluator.unit(unit, nodes[0]), let first = evaluator.time(nodes[1]),
                let last = evaluator.time(nodes[2])
              else { return .null }
              return .int(last.count(of: unit, since: first, in: zone))
            }, nodes), .number
        )
      }),
    Function(
      "strftime", [.time("t"), .text("fmt")], gives: .text,
      "t spelled by a pattern: %Y %m %d %H %M %S %b %a ...",
      example: "strftime(date '2025-06-01', '%d %b %Y')", "01 Jun 2025", sql: .translated,
      elsewhere: "date_format format_date format_datetime dateformat format_timestamp",
      .form { (binder, call) throws(ExpressionError) in
        let nodes = try binder.arguments(of: call).nodes
        let format = try binder.dateFormat(nodes[1], call.arguments[1], reads: false, call.source)
        return (.call(.value { $0.spelled($1, format) }, nodes), .text)
      }),
    Function(
      "strptime", [.text("s"), .text("fmt")], gives: .time, "the time that s spells by a pattern, else null",
      example: "strptime('1 Jun 25 9:05', '%d %b %y %H:%M')", "2025-06-01T09:05:00", sql: .translated,
      elsewhere: "time_parse parse_timestamp unix_strptime try_strptime",
      .form { (binder, call) throws(ExpressionError) in
        let nodes = try binder.arguments(of: call).nodes
        let format = try binder.dateFormat(nodes[1], call.arguments[1], reads: true, call.source)
        return (.call(.value { $0.timeRead(from: $1, format) { $0 } }, nodes), .time)
      }),
    Function(
      "epoch", [.time("t")], gives: .number, "seconds since 1970-01-01T00:00Z",
      example: "epoch(datetime '2025-06-01T00:00Z')", "1748736000", sql: .translated,
      elsewhere: "unix_timestamp to_unixtime strptime_epoch mktime epoch_seconds",
      .value { evaluator, arguments in .optional(evaluator.time(arguments[0])?.epoch) }),
    Function(
      "from_epoch", [.number("n")], gives: .time, "the time so many seconds after 1970-01-01T00:00Z",
      example: "from_epoch(1748736000)", "2025-06-01T00:00:00Z", sql: .translated,
      elsewhere: "from_unixtime fromunixtime sec2gmt sec2date to_timestamp_epoch gmtime fromtimestamp",
      .value { evaluator, arguments in
        guard let number = evaluator.number(arguments[0]) else { return .null }
        let time = evaluator.convert(.number(number), to: .decimal).decimal.flatMap { Timestamp(epoch: $0) }
        if evaluator.state.notesConversion(time != nil) {
          evaluator.noteConversion(time != nil, of: evaluator.value(arguments[0]), from: arguments[0], .date)
        }
        return .optional(time)
      }),
    Function(
      "to_zone", [.time("t"), .text("zone")], gives: .time, "the same instant by the clocks of a time zone",
      example: "to_zone(datetime '2025-06-01T12:00Z', '+02:00')", "2025-06-01T14:00:00+02:00",
      sql: .translated,
      elsewhere: "at_time_zone timezone convert_tz from_utc_timestamp to_timezone",
      .form { (binder, call) throws(ExpressionError) in
        let nodes = try binder.arguments(of: call).nodes
        let zone = try binder.zone(nodes[1], call.arguments[1], call.source)
        return (
          .call(
            .value { evaluator, nodes in
              guard let time = evaluator.time(nodes[0]) else { return .null }
              return .optional(time.moved(toOffset: zone.offset(at: time.instant)))
            }, [nodes[0]]), .time
        )
      }),
  ]
}

extension Value {
  /// The exact number.
  fileprivate var decimal: ExactDecimal? {
    if case .number(let number) = self { number.exact } else { nil }
  }
}

// MARK: - Evaluation

extension Evaluator {
  /// The unit of a call: known from the start, or given by the row.
  fileprivate mutating func unit(_ known: TimeUnit?, _ node: Node) -> TimeUnit? {
    known ?? text(node).flatMap { TimeUnit($0.bytes(in: batch)) }
  }

  /// The pattern of a call: known from the start, or given by the row.
  private mutating func format(_ known: DateFormat?, _ node: Node, of function: String) -> DateFormat? {
    known ?? material(node, of: function).flatMap { DateFormat($0.bytes(in: batch)) }
  }

  /// A time as a pattern spells it.
  fileprivate mutating func spelled(_ arguments: [Node], _ known: DateFormat?) -> Value {
    guard let time = time(arguments[0]), let format = format(known, arguments[1], of: "strftime()") else {
      return .null
    }
    var buffer = ByteBuffer(capacity: 32)
    format.append(time, to: &buffer)
    return buffer.count <= context.longestText ? .text(buffer.array()) : tooLong("strftime()")
  }

  /// The time that a text spells in a pattern.
  fileprivate mutating func read(_ node: Node, _ known: DateFormat?, _ pattern: Node) -> Timestamp? {
    guard let format = format(known, pattern, of: "strptime()"), format.canRead, let text = text(node) else {
      return nil
    }
    return format.read(text.bytes(in: batch))?.withTime
  }

  /// What `date(x, fmt)` and its like make of the time that the first of their arguments spells.
  fileprivate mutating func timeRead(
    from nodes: [Node], _ format: DateFormat?, _ part: (Timestamp) -> Timestamp
  ) -> Value {
    let time = Value.optional(read(nodes[0], format, nodes[1]).map(part))
    if state.notesConversion(!time.isNull) {
      noteConversion(!time.isNull, of: value(nodes[0]), from: nodes[0], .date)
    }
    return time
  }
}

// MARK: - Binding

extension Binder {
  /// `date(x)`, `datetime(x, fmt)`: a value as a time, or a part of it.
  fileprivate mutating func time(
    _ call: Call, _ part: @escaping @Sendable (Timestamp) -> Timestamp
  ) throws(ExpressionError) -> (Node, StaticKind) {
    let nodes = try arguments(of: call).nodes
    guard call.arguments.count > 1 else {
      return (
        .call(
          .value { evaluator, nodes in
            let value = evaluator.value(nodes[0])
            let time = evaluator.time(of: value)
            if evaluator.state.notesConversion(time != nil) {
              evaluator.noteConversion(time != nil, of: value, from: nodes[0], .date)
            }
            return .optional(time.map(part))
          }, nodes), .time
      )
    }
    let format = try dateFormat(nodes[1], call.arguments[1], reads: true, call.source)
    return (.call(.value { $0.timeRead(from: $1, format, part) }, nodes), .time)
  }

  /// The unit of a call, if it is a literal, and the arguments.
  fileprivate mutating func unit(_ call: Call) throws(ExpressionError) -> (TimeUnit?, [Node]) {
    let nodes = try arguments(of: call).nodes
    guard let text = Self.constant(nodes[0]) else { return (nil, nodes) }
    if let unit = TimeUnit(text.held.span) { return (unit, nodes) }
    let name = String(decoding: text.held, as: UTF8.self)
    let suggestion = name.lowercased().nearest(among: TimeUnit.allCases.map(\.rawValue))
    throw call.source.error(.unknownUnit(name, suggestion: suggestion), at: call.arguments[0].range)
  }

  /// Refuses a literal that is no whole number of months, quarters or years: they have no parts.
  fileprivate func checkCount(_ count: Node, of unit: TimeUnit?, _ call: Call) throws(ExpressionError) {
    guard unit?.months != nil, case .number(let number)? = count.constant, number.integer == nil else {
      return
    }
    let range = call.arguments[1].range
    let kind = ExpressionError.Kind.wrongKind(
      user: call.user, needs: .wholeNumber, operand: call.source.text.bytes(range), is: .number)
    throw call.source.error(kind, at: range)
  }

  /// The pattern of a call, if it is a literal.
  fileprivate func dateFormat(
    _ node: Node, _ argument: Expression, reads: Bool, _ source: SourceExpression
  ) throws(ExpressionError) -> DateFormat? {
    guard let text = Self.constant(node) else { return nil }
    guard let format = DateFormat(text.held.span), !reads || format.canRead else {
      throw source.error(.malformedDateFormat(String(decoding: text.held, as: UTF8.self)), at: argument.range)
    }
    return format
  }

  /// The time zone on whose clocks times are, if it is known of one of them.
  fileprivate func zone(
    ofTimes times: [Expression], _ source: SourceExpression
  ) throws(ExpressionError) -> TimeZone? {
    for time in times {
      if let name = zoneName(of: time) { return try zone(named: name, time, source) }
    }
    return nil
  }

  /// The name of the time zone on whose clocks the times of an expression are: that of `to_zone()`, or that of a
  /// computed column, also if units or durations are added.
  func zoneName(of expression: Expression) -> String? {
    switch expression.kind {
    case .column(let name): schema.index(of: name).flatMap { schema.columns[$0].zone }
    case .chain(let first, let links):
      zoneName(common: ([first] + links.map(\.operand)).filter { !$0.isChain })
    case .coalesce(let operands): zoneName(common: operands)
    case .conditional(_, let first, let other): zoneName(common: [first, other])
    case .call(let name, let arguments):
      switch Function.named(name.text.lowercased()) {
      case let function? where function.name == "to_zone": arguments.last.flatMap { text(of: $0) }
      case let function? where ["date_trunc", "date_add"].contains(function.name):
        arguments.last.flatMap { zoneName(of: $0) }
      case let function? where function.givesItsArgument: zoneName(common: arguments)
      default: nil
      }
    default: nil
    }
  }

  /// The name of the zone on whose clocks those of some values are of which it is known, if it is the same one.
  private func zoneName(common expressions: [Expression]) -> String? {
    let names = Set(expressions.compactMap { zoneName(of: $0) })
    return names.count == 1 ? names.first : nil
  }

  /// The text of a literal or of an `--arg`.
  private func text(of expression: Expression) -> String? {
    switch expression.kind {
    case .text(let text): text
    case .argument(let name): variables[name]
    default: nil
    }
  }

  /// The time zone of a call: its data are read before the first row.
  fileprivate func zone(
    _ node: Node, _ argument: Expression, _ source: SourceExpression
  ) throws(ExpressionError) -> TimeZone {
    guard let text = Self.constant(node) else { throw source.error(.zoneNeedsLiteral, at: argument.range) }
    return try zone(named: String(decoding: text.held, as: UTF8.self), argument, source)
  }

  private func zone(
    named name: String, _ argument: Expression, _ source: SourceExpression
  ) throws(ExpressionError) -> TimeZone {
    do { return try TimeZone(named: name) } catch {
      switch error {
      case .unknown: throw source.error(.unknownZone(name), at: argument.range)
      case .noZones(let folder): throw source.error(.noZones(folder: folder), at: argument.range)
      }
    }
  }

  /// The text of a constant or an `--arg`.
  private static func constant(_ node: Node) -> TextValue? {
    switch node {
    case .constant(.text(let text)), .argument(let text, _): text
    default: nil
    }
  }
}
