import TablerEngine

extension Messages {
  /// The message about damage in the input, or an input that the system failed to provide.
  func text(_ error: InputError) -> String {
    switch error {
    case .system(let error): text(error)
    case .textAfterQuote(let place):
      self.error(Self.place(place), "text after a closing quote; --lazy-quotes takes it as text")
    case .unclosedQuote(let place):
      self.error(Self.place(place), "this quote is never closed; --quote none takes quotes as text")
    case .ragged(let place, let fields, let columns, let hint, let fillHelps):
      self.error(
        Self.place(place),
        "\(Self.count(fields, "field")), but the \(arguments.isOn(.noHeaderIn) ? "first row" : "header") has \(columns)"
          + (hint?.isOtherReading ?? false ? "" : raggedAdvice(fillHelps)) + Self.words(hint))
    case .recordTooLong(let place, let hint):
      self.error(
        Self.place(place),
        "the record that begins here is larger than the memory budget allows; a larger --memory may help"
          + Self.words(hint))
    case .namesTooLong(let place):
      self.error(
        Self.place(place),
        "the names of the columns take more memory than the budget has for them; -H reads rows without a header, "
          + "and a larger --memory may help")
    case .unmatchedLine(let place):
      self.error(
        Self.place(place),
        (place.column == nil
          ? "the line does not match --pattern" : "the line matches --pattern only up to here")
          + "; --ragged skip leaves such lines out, --ragged fill keeps them in a column 'text'")
    case .cellTooLong(let place):
      self.error(Self.place(place), "the cell that begins here is longer than 64 MiB")
    case .noTable(let place):
      self.error(
        Self.place(place), "no drawn table: there is no rule of '-', '=' or box lines below the header")
    case .json(let place, let damage, let hint):
      self.error(Self.place(place), Self.words(damage) + Self.words(hint))
    case .pathNotFound(let path, let at, let suggestion):
      self.error(
        Self.name(path), "there is nothing at \(Self.quoted(at)) (--at)" + Self.suggestion(suggestion))
    case .foreignOptions(let path, let options, let form):
      options.reduce("") { text, option in
        text
          + self.error(
            Self.name(path),
            "this is \(form.rawValue), but --\(option.rawValue) is only for "
              + Self.list(option.forms.map(\.rawValue)))
      }
    case .changed(let path): self.error(Self.name(path), "cut short or changed while it was read")
    case .notText(let path, let format): self.error(Self.name(path), foreign(format, path))
    case .newColumn(let place, let name, let fillHelps):
      self.error(
        Self.place(place),
        "column \(Self.quoted(name)) is not in the header"
          + (fillHelps ? "; --ragged fill adds such columns" : fillFailure))
    }
  }

  /// The advice on how to keep rows of another length, or else to leave them out.
  private func raggedAdvice(_ fillHelps: Bool) -> String {
    fillHelps
      ? "; --ragged fill keeps such rows" : fillFailure + "; --ragged skip leaves such rows out"
  }

  /// The reason `--ragged fill` adds no columns, if it is requested.
  private var fillFailure: String {
    guard arguments.value(.ragged) == "fill" else { return "" }
    return arguments.values(.derive).isEmpty
      ? ", which is written already" : "; with --derive no columns are added"
  }

  /// The warning about a failed call to the system that a run can do without.
  func warning(_ error: SystemError) -> String {
    warning(error.path.map { Self.name($0) }, error.reason)
  }

  /// The message about a failed call to the system.
  func text(_ error: SystemError) -> String {
    let place = error.path.map { Self.escaped($0.bytes) }
    switch error.operation {
    case .open: return self.error(place ?? "<stdin>", error.reason + advice(onMissing: error))
    case .readOutput: return self.error(place ?? "<stdin>", "the input file is also the output file")
    case .read, .readAgain: return self.error(place ?? "<stdin>", "read error: \(error.reason)")
    case .start where !error.program.isEmpty:
      return self.error(place, "\(error.program), which decompresses it, cannot be started: \(error.reason)")
    case .start: return self.error(place, "the program cannot be started: \(error.reason)")
    case .unpack:
      let end = error.code < 0 ? "ended by signal \(-error.code)" : "ended with status \(error.code)"
      return self.error(place, "cannot be decompressed: \(error.program) \(end)")
    case .answer:
      let end =
        error.code == 0
        ? "what it wrote is not the answer to the query"
        : error.code < 0 ? "it ended by signal \(-error.code)" : "it ended with status \(error.code)"
      return self.error(place, end)
    case .write: return self.error(place, "write error: \(error.reason)")
    case .replace: return self.error(place, "cannot be written: \(error.reason)")
    case .writeTemporary: return self.error(place, "cannot write temporary file: \(error.reason)")
    case .readTemporary: return self.error(place, "cannot read temporary file: \(error.reason)")
    }
  }

  /// The advice about a file that does not exist: its possible name, or what else was meant.
  private func advice(onMissing error: SystemError) -> String {
    let direction = directionAdvice(error.path) + keyAdvice(error.path)
    guard direction.isEmpty, error.isMissingFile, let path = error.path else { return direction }
    let names = path.neighbors.map(\.text)
    let name = path.name.text
    let longer = names.filter { $0.hasPrefix(name + ".") }
    guard let near = name.nearest(among: names) ?? (longer.count == 1 ? longer[0] : nil) else { return "" }
    return "; did you mean \(Self.typed(path.folder.text + near))?"
  }

  /// The advice on how to write a key, if the number of one was taken for a file: `sort -k 2`.
  private func keyAdvice(_ path: FilePath?) -> String {
    guard let path, arguments.isOn(.stack), let key = Int(path.text.prefix { $0.isNumber }), key > 0 else {
      return ""
    }
    return "; -k is --stack, and --sort @\(key) sorts by column \(key)"
  }

  /// The advice on how to write a direction, if one is separated from its key and so was taken for a file.
  private func directionAdvice(_ path: FilePath?) -> String {
    guard let word = path?.text.lowercased(), ["asc", "desc"].contains(word), let key = arguments.value(.sort)
    else {
      return ""
    }
    return " (a direction follows its key: --sort \(Self.typed("\(key):\(word)")))"
  }

  private func database(_ name: String, _ client: String, _ path: FilePath?) -> String {
    let command = client + " " + (path.map { Self.typed($0.text) } ?? "FILE")
    return "a \(name) database, not a table: tabler --via \(Self.typed(command)) --tables lists its tables"
  }

  private func foreign(_ format: InputError.Foreign, _ path: FilePath?) -> String {
    switch format {
    case .packed(let unpacker):
      // A compressed file is read; what is in it may be compressed once more.
      return "compressed; decompress it first: \(unpacker.reader) | tabler"
    case .sqlite:
      return database("SQLite", "sqlite3", path)
    case .duckdb: return database("DuckDB", "duckdb", path)
    case .gitLog:
      return "the text of git log, not a table: git log --format='%h%x09%an%x09%as%x09%s' | tabler -H"
    case .program: return "is a program, not a table"
    case .format(let name):
      guard let path else { return "not text but \(name); convert it to csv first" }
      return "not text but \(name), which DuckDB reads: tabler \(Self.typed(path.text)) --via duckdb"
    }
  }

  /// ` (--from words?)`, or nothing.
  static func words(_ hint: InputError.Hint?) -> String {
    switch hint {
    case nil: ""
    case .from(let form): " (--from \(form.rawValue)?)"
    case .delimiter(let mark):
      " (separated by '\(Character(Unicode.Scalar(mark)))'? -d '\(Character(Unicode.Scalar(mark)))')"
    case .quote: " (--quote '\"'?)"
    case .utf16: " (--encoding utf-16?)"
    case .headless(let skipped, let names):
      " (rows of words without titles? " + (skipped > 0 ? "--skip-lines \(skipped) " : "")
        + "--from blanks -H"
        + (names.map { " --names " + letters($0) } ?? "") + ")"
    case .at: " (rows inside of it? --at PATH)"
    case .items: " (--at . reads the items of lists as rows)"
    case .within(let path): " (rows inside of it? --at \(typed(path)))"
    case .skipLines(let count): " (text before the table? --skip-lines \(count))"
    case .leaveOut: "; --ragged skip leaves it out"
    case .comment: " (a comment? --comment '#')"
    case .trim: " (blanks before quotes? --trim)"
    case .pattern(let name): " (a log? --pattern \(name))"
    case .delimiterAtEnd(let mark):
      " (the last field is empty: the line ends with '\(Character(Unicode.Scalar(mark)))', the header does not)"
    }
  }

  /// A list of `count` names: `a,b,c`.
  private static func letters(_ count: Int) -> String {
    (0..<min(count, 26)).map { String(Unicode.Scalar(UInt8(ascii: "a") + UInt8($0))) }.joined(separator: ",")
  }

  private static func words(_ damage: JSONDamage) -> String {
    switch damage {
    case .expectedValue: "expected a JSON value"
    case .expectedObject: "expected an object; a row is an object"
    case .listOfLists: "expected an object, not a list; --at . reads lists as rows, the first as the header"
    case .expectedRows: "expected an array, or an object of objects; --at names where the rows are"
    case .expectedList: "expected an array; the rows before it are arrays"
    case .ragged(let fields, let columns): "\(count(fields, "field")), but the header has \(columns)"
    case .expectedKey: "expected a key in double quotes"
    case .expectedColon: "expected ':' after a key"
    case .expectedCommaOrEnd: "expected ',' or the end of the object or list"
    case .unexpectedEnd: "the input ends inside a value"
    case .controlCharacter: "a control character in a string must be escaped"
    case .badEscape: "unknown escape in a string"
    case .badNumber: "this is not a JSON number"
    case .notANumber: "JSON has no NaN and no Infinity"
    case .tooDeep: "nested deeper than 512 levels"
    case .tooLong: "a value is longer than 64 MiB"
    case .namesTooLong:
      "keys that take more memory than the budget has for them; a larger --memory may help"
    case .tooManyKeys: "more columns than the memory budget has room for; a larger --memory may hold them"
    case .textAfterArray: "text after the array; rows are objects one after another, or in arrays"
    case .badEncoding: "bytes that are not UTF-8 outside a string"
    }
  }

  /// The warning about the input.
  func text(_ notice: InputNotice) -> String {
    switch notice {
    case .repeatedName(let name, let addresses, let others):
      warning(
        nil,
        "column \(Self.quoted(name)) appears " + Self.repetition(addresses)
          + (others > 0 ? " (and so for \(Self.count(others, "other name")))" : ""))
    case .replacedNumbers(let place, let text):
      note(
        Self.place(place),
        "--names replaces this header, which contains \(Self.quoted(text)); -H keeps it as a row")
    case .rowAsHeader(let place, isReplaced: false):
      note(Self.place(place), "the first line looks like the rows below; -H reads it as a row")
    case .rowAsHeader(let place, isReplaced: true):
      note(
        Self.place(place),
        "--names replaces this header, which looks like the rows below; -H keeps it as a row")
    case .oneColumn(let place, let hint): note(Self.place(place), "read as one column" + Self.words(hint))
    case .log(let place, let name):
      note(Self.place(place), "the lines look like those of a log; --pattern \(name) divides them")
    case .quotesInText(let count, let first):
      warning(
        Self.place(first),
        "quote inside an unquoted field, taken as text" + (count > 1 ? " (\(count) such fields)" : ""))
    case .leftOutLines(let count, let path):
      note(Self.name(path), "\(Self.count(count, "line")) left out (\(leftOutBy))")
    case .delimiterLine(let path): note(Self.name(path), "the line that names the delimiter is left out")
    case .noInput(let path): warning(Self.name(path), "no input")
    case .noLinesLeft(let path): warning(Self.name(path), "no lines are left")
    case .nulInHeader(let path): note(Self.name(path), "NUL bytes in the header" + Self.words(.utf16))
    case .skippedRows(let count, let first) where arguments.has(.pattern):
      warning(
        Self.name(first.path),
        "\(Self.count(count, "line")) left out that \(count == 1 ? "does" : "do") not match --pattern "
          + "(first: line \(first.line))")
    case .skippedRows(let count, let first):
      warning(
        Self.name(first.path),
        "\(Self.count(count, "row")) with too few or too many fields left out (first: line \(first.line))")
    case .damagedLines(let count, let first):
      warning(
        Self.name(first.path),
        "\(Self.count(count, "line")) left out that \(count == 1 ? "is not a JSON object" : "are not JSON objects") "
          + "(first: line \(first.line))")
    case .valuesWithoutPath(let count, let first):
      warning(
        Self.name(first.path),
        "\(Self.count(count, "JSON value")) \(count == 1 ? "has" : "have") nothing at --at, where others have rows "
          + "(first: up to line \(first.line))")
    case .crossedBoundary(let count, let first):
      warning(
        Self.name(first.path),
        "\(Self.count(count, "line")) with text across columns (first: line \(first.line)); split at spaces")
    case .unevenWords(let count, let first):
      warning(
        Self.name(first.path),
        "\(Self.count(count, "line")) with too few or too many words for the titles (first: line \(first.line)); "
          + "split at spaces")
    case .outsideTable(let count, let first, let areBlanks):
      note(
        nil,
        "\(Self.name(first.path)): \(Self.count(count, "line")) outside the table left out "
          + "(first: line \(first.line))" + (areBlanks ? "; --from blanks reads every line as a row" : ""))
    case .mostOutsideTable(let count, let rows, let first):
      warning(
        Self.name(first.path),
        "\(Self.count(count, "line")) outside the table left out (first: line \(first.line)), and only "
          + "\(Self.count(rows, "row")) kept; --from tsv reads every line as a row")
    case .repeatedKey(let key, let place, let others):
      warning(
        Self.place(place),
        "key \(Self.quoted(key)) appears twice in an object; the last one wins"
          + (others > 0 ? " (and so for \(Self.count(others, "other key")))" : ""))
    case .lateKey(let key, let place):
      warning(
        Self.place(place),
        "key \(Self.quoted(key)) came after the columns were fixed and is not shown; name it in --columns")
    case .neverSeen(let name, let suggestion, let names): neverSeen(name, suggestion, names)
    case .loneObject(let key, let path, let count):
      note(
        nil,
        "one row; its \(Self.quoted(key)) holds \(Self.count(count, "object")): --at \(Self.typed(path))")
    }
  }

  /// The message about a name that never came.
  ///
  /// - Parameter others: the other names that never came, in parentheses.
  func neverSeen(
    _ name: String, _ suggestion: String?, _ names: NamesThere, others: String = ""
  ) -> String {
    let start = "column \(Self.quoted(name)) is not in the input; it was read as null"
    if let title = titled(name) { return warning(nil, start + "; that is the title of " + title + others) }
    return warning(nil, listing(names, suggestion, after: start, others: others, in: "warning: "))
  }

  /// The message that a column is not in the input, with the nearest one, or else with as many as fit into
  /// the line.
  func listing(
    _ names: NamesThere, _ suggestion: String?, after words: String, others: String = "", in line: String = ""
  ) -> String {
    if suggestion != nil { return words + Self.suggestion(suggestion) + others }
    return words + others + list(names.names, after: line + words + others, of: names.holder)
  }

  /// The hint on how a repeated name is addressed after the first time.
  private static func repetition(_ addresses: [String]) -> String {
    if addresses.count < 2 { return "twice; the second is called " + quoted(addresses.first ?? "") }
    let most = 5
    let shown = addresses.prefix(addresses.count > most ? most - 1 : most).map { quoted($0) }
    let names =
      addresses.count > most
      ? shown.joined(separator: ", ") + " ... " + quoted(addresses.last ?? "") : list(shown)
    return "\(addresses.count + 1) times; the others are called " + names
  }

  /// The options that left lines out.
  private var leftOutBy: String {
    Self.list([Option.ID.skipLines, .comment].filter { arguments.has($0) }.map { Option[$0].spelling })
  }
}

extension Messages {
  /// The message about a column that an option names and the input lacks.
  ///
  /// - Parameter columns: the existing names.
  func text(_ error: ColumnError, option: String, columns: [String] = []) -> String {
    let id = Option.ID(rawValue: String(option.drop { $0 == "-" }))
    let source = id.map { arguments.joined($0) } ?? ""
    let range = Self.range(of: error, in: source)
    let isMarked = range.map { source.utf8.dropFirst($0.lowerBound).first == UInt8(ascii: "@") } ?? true
    var words = Self.words(error, mark: isMarked ? "@" : "")
    let look = id.map { lookAlike($0, error) } ?? ""
    if case .notFound(let name, let suggestion, _) = error {
      let better =
        self.words(ofTitle: name)
        ?? self.words(ofTitle: name, before: columns + (suggestion.map { [$0] } ?? []))
        ?? self.words(ofLaterColumn: name, option)
        ?? id.flatMap { Self.words(ofKey: name, $0) ?? Self.words(ofList: error, $0, columns) }
      if let better {
        words = better
      } else if suggestion == nil, look.isEmpty {
        words += list(columns, after: words, option)
      }
    }
    return self.error(option, words + look, range.map { caret(source, $0) } ?? "")
  }

  /// A column that `--join` names and its table lacks.
  func text(_ error: ColumnError, joinedFrom path: FilePath?, _ columns: [String]) -> String {
    let source = arguments.joined(.join)
    let range = Self.range(of: error, in: source)
    var words = "\(Self.name(path)): " + Self.words(error, mark: "@")
    if columns.isEmpty {
      words += "; the file has no columns"
    } else if case .notFound(_, nil, _) = error {
      words += list(columns, after: "--join: " + words)
    }
    return self.error("--join", words, range.map { caret(source, $0) } ?? "")
  }

  /// The options that use the names of the input, because they come before rows are grouped.
  private static let beforeGroups: [Option.ID] = [
    .types, .explode, .add, .join, .derive, .set, .canEdit, .filter, .delete, .canDelete, .validate, .id,
    .groupBy, .aggregate,
  ]

  /// The names of the columns that exist when an option is evaluated, as many as fit into the line.
  func list(_ columns: [String], after words: String, _ option: String) -> String {
    let id = Option.ID(rawValue: String(option.drop { $0 == "-" }))
    let isGrouped = arguments.has(.groupBy) || arguments.has(.aggregate)
    let isAfter = isGrouped && !(id.map { Self.beforeGroups.contains($0) } ?? true)
    return list(columns, after: "\(option): " + words, areOfGroups: isAfter)
  }

  /// The names of columns, or of the members of one, as many as fit into the line that begins with `line`.
  func list(
    _ columns: [String], after line: String, areOfGroups: Bool = false, of holder: String? = nil
  ) -> String {
    if columns.isEmpty { return "" }
    let start =
      if let holder {
        "; \(Self.quoted(holder)) has "
      } else {
        areOfGroups ? "; after \(grouping) the columns are " : "; the columns are "
      }
    if columns.count == 1, holder == nil { return "; the only column is \(Self.quoted(columns[0]))" }
    func width(_ text: String) -> Int { displayWidth(of: Array(text.utf8).span) }
    // The mark at the end takes a cell, too.
    var room = max(self.width - width("tabler: " + line + start) - 3, 40)
    var names: [String] = []
    for column in columns.map({ Self.escaped($0) }) {
      room -= width(column) + 2
      if room < 0, !names.isEmpty { return start + names.joined(separator: ", ") + ", …" }
      names.append(column)
    }
    return start + names.joined(separator: ", ")
  }

  /// The option that groups rows, for messages.
  private var grouping: String { Option[arguments.has(.groupBy) ? .groupBy : .aggregate].spelling }

  /// The wording for a name that is not a column yet when an option is evaluated, because a later step makes it.
  func words(ofLaterColumn name: String, _ option: String) -> String? {
    guard let id = Option.ID(rawValue: String(option.drop { $0 == "-" })), Self.beforeGroups.contains(id)
    else {
      return nil
    }
    let start = "column \(Self.quoted(name)) not found; "
    if [.types, .add, .join, .derive, .set].contains(id), let computations = try? arguments.computations,
      computations.contains(where: { $0.makes(name) })
    {
      return start
        + (id == .derive
          ? "\(Self.quoted(name)) is made further on; a column may use those before it"
          : "\(Self.quoted(name)) is made by --derive, after \(option)"
            + (id == .join ? "; a first tabler with --derive and --csv can make it" : ""))
    }
    let computed = try? arguments.read(.compute) { (cursor) throws(GrammarError) in
      try cursor.assignments()
    }
    if let computed, computed.joined().contains(where: { $0.column == name }) {
      return start + "\(Self.quoted(name)) is made by --compute, after \(option); "
        + "a second tabler after --csv | can use it"
    }
    let aggregates =
      try? arguments.read(.aggregate) { (cursor) throws(GrammarError) in try cursor.aggregates() }.flatMap {
        $0
      }
    let isMade =
      aggregates?.contains { $0.column == name } ?? false
      || arguments.has(.groupBy) && !arguments.has(.aggregate) && name == "count"
    guard isMade else { return nil }
    let isBare = arguments.values(.aggregate).contains { $0.split(separator: ",").contains { $0 == name } }
    if id == .aggregate, isBare, Function.isKnown(name) {
      return start + "a function has its arguments in parentheses, as in \(name)(weight)"
    }
    if id == .aggregate {
      return start + "\(Self.quoted(name)) is made further on; an aggregate may use those before it"
    }
    let maker = id == .groupBy ? Option[.aggregate].spelling : grouping
    return maker == option ? nil : start + "\(Self.quoted(name)) is made by \(maker), after \(option)"
  }

  /// The wording for a name that is no column, but a title given by `--columns`.
  func words(ofTitle name: String) -> String? {
    titled(name).map { "column \(Self.quoted(name)) not found; that is the title of \($0)" }
  }

  /// The wording for `total=weight`: a title in front of its column.
  private func words(ofTitle name: String, before columns: [String]) -> String? {
    let pair = titles.first {
      if case .name(name, _) = $0.column { columns.contains($0.title) } else { false }
    }
    return pair.map {
      "column \(Self.quoted(name)) not found; a title comes after its column: "
        + Self.typed("\($0.title)=\(name)")
    }
  }

  /// The column that an option gives a title.
  func titled(_ title: String) -> String? {
    switch titles.first(where: { $0.title == title })?.column {
    case .name(let column, _)?: Self.quoted(column)
    case .position(let position)?: "@\(position)"
    case nil: nil
    }
  }

  /// The columns that have titles in lists of columns.
  private var titles: [(column: ColumnReference, title: String)] {
    [Option.ID.columns, .rowNames, .groupBy].flatMap { option in
      let list = try? arguments.readLast(option) { (cursor) throws(GrammarError) in
        option == .groupBy ? try cursor.groupKeys().columns ?? ColumnList([]) : try cursor.columnList()
      }
      return (list?.entries ?? []).compactMap { entry in
        if case .column(let column, title: let title?) = entry.item { (column, title) } else { nil }
      }
    }
  }

  /// The wording for `weight desc`, as SQL writes a sort key.
  private static func words(ofKey name: String, _ option: Option.ID) -> String? {
    guard option == .sort || option == .sortedBy, let blank = name.lastIndex(of: " ") else { return nil }
    let key = String(name[..<blank]).trimmingBlanks
    let flag = name[name.index(after: blank)...].lowercased()
    guard let flag = flag == "asc" || flag == "desc" ? flag : OtherTools.sortFlag(flag) else { return nil }
    let written = flag == "desc" ? "-\(key)" : flag == "asc" ? key : "\(key):\(flag)"
    return "column \(quoted(name)) not found; that key is written \(typed(written))"
  }

  /// The wording for `1-3`, as in `cut`, and for names that are separated by something other than commas.
  private static func words(ofList error: ColumnError, _ option: Option.ID, _ columns: [String]) -> String? {
    if option == .columns, case .notFound(let name, _, _) = error, let mark = name.first,
      "-!^".contains(mark), columns.contains(String(name.dropFirst()))
    {
      return "column \(quoted(name)) not found; --hide \(typed(String(name.dropFirst()))) leaves a column out"
    }
    guard case .notFound(let name, nil, _) = error else { return nil }
    let isList =
      switch Option[option].value {
      case .columns, .keys: true
      default: false
      }
    guard isList, option != .format, option != .footer else { return nil }
    if name.first == "$", let position = Int(name.dropFirst()), position > 0, position <= columns.count {
      return "column \(quoted(name)) not found; the column at a position is written @\(position)"
    }
    let numbers = name.split(separator: "-", omittingEmptySubsequences: false)
    if numbers.count == 2, name != "-", numbers.allSatisfy({ $0.isEmpty || Int($0) != nil }) {
      return "column \(quoted(name)) not found; a range is written \(numbers[0])..\(numbers[1])"
    }
    if option == .sort || option == .groupBy, name.contains(where: { "+*/%".contains($0) }),
      (try? SourceExpression(name, option: "")) != nil
    {
      return words(error) + "; an expression stands in parentheses: \(typed("(" + name + ")"))"
    }
    guard name.contains(where: { " ;|".contains($0) }) else { return nil }
    return words(error) + "; names are separated by commas"
  }

  /// The wording for a column that does not exist.
  static func words(_ error: ColumnError, mark: String = "@") -> String {
    switch error {
    case .notFound(let name, let suggestion?, differsOnlyInCase: true):
      "column \(quoted(name)) not found; \(quoted(suggestion)) differs only in case"
    case .notFound(let name, let nearest, _): "column \(quoted(name)) not found\(suggestion(nearest))"
    case .noPosition(let position, let count):
      "there is no column \(mark)\(position); the input has \(Self.count(count, "column"))"
    }
  }

  /// The message about a sort key with a list or an object; an item or a member could be used.
  func text(
    unordered column: String, isList: Bool, members: [String], option: String, at place: InputError.Location
  ) -> String {
    let kind = isList ? "a list" : "an object"
    let advice: String
    if isList {
      advice = "sort by an item: \(Self.typed(column + "[0]"))"
    } else {
      advice = "sort by a member" + (members.first.map { ": \(Self.typed(column + "." + $0))" } ?? "")
    }
    let what = "\(Self.quoted(column)) holds \(kind), which has no order"
    return error(option, "\(what) (first: \(Self.place(place))); \(advice)")
  }

  /// `--sort -g` sorts by `g`; without such a column a value may be missing.
  private func lookAlike(_ option: Option.ID, _ error: ColumnError) -> String {
    guard case .notFound(let name, _, _) = error,
      let word = arguments.all(option).compactMap(\.lookAlike).first(where: { $0.hasSuffix(name) })
    else { return "" }
    return " (\(Self.escaped(word)) is also an option; a value is missing?)"
  }

  /// The range of the name in the option's value, if that is certain.
  private static func range(of error: ColumnError, in source: String) -> Range<Int>? {
    switch error {
    case .notFound(let name, _, _): return range(of: name, in: source)
    case .noPosition(let position, _):
      return range(of: "@\(position)", in: source) ?? range(of: "\(position)", in: source)
    }
  }

  private static func range(of name: String, in source: String) -> Range<Int>? {
    let name = Array(name.utf8)
    let bytes = Array(source.utf8)
    guard !name.isEmpty, name.count <= bytes.count else { return nil }
    let isName = { (byte: UInt8) in !",:=!\"`+-(). ".utf8.contains(byte) }
    let places = (0...bytes.count - name.count).filter { start in
      let end = start + name.count
      return bytes[start..<end].elementsEqual(name) && (start == 0 || !isName(bytes[start - 1]))
        && (end == bytes.count || !isName(bytes[end]))
    }
    return places.first.map { $0..<$0 + name.count }
  }
}
