import TablerEngine

extension Plan {
  /// Reads the command line in the environment in which the program was started.
  ///
  /// - Parameter notices: receives warnings.
  init(
    _ arguments: Arguments, _ environment: Environment, notices: inout [PlanNotice]
  ) throws(PlanError) {
    if arguments.sources.isEmpty, environment.standardInputIsTerminal, !arguments.has(.via) {
      throw .nothingToRead
    }
    self.init()
    if !arguments.sources.isEmpty { sources = arguments.sources }
    output = try OutputOptions(arguments, environment, notices: &notices)
    input = try InputOptions(arguments)
    layout = try LayoutOptions(arguments, environment, output)
    try layout.readSections(arguments, notices: &notices)
    try readForms(arguments)
    try readRows(arguments)
    try readReplay(arguments)
    try readRules(arguments)
    try readComparison(arguments)
    try readPage(arguments)
    try readEngine(arguments, notices: &notices)
    try readLookAhead(arguments)
    if layout.flow != nil, output.form == .text, layout.kind != .detail {
      for option in [Option.ID.gridWrap, .blend] where arguments.isOn(option) {
        throw .besideAdaptive(option)
      }
    }
    for option in [Option.ID.invalidOnly, .rejects, .invalidIndicator, .validIndicator]
    where arguments.isOn(option) && rules.isEmpty && !(option == .rejects && replay != nil) {
      notices.append(.idleOption(option, without: .validate))
    }
    if arguments.isOn(.blend), preamble == nil, postamble == nil {
      notices.append(.idleOption(.blend, without: .preamble))
    }
    // People select, move, edit and delete in an interactive page.
    if output.page == nil { noticeIdleOptions(arguments, &notices) }
    failsWhenEmpty = arguments.isOn(.exitStatus) && comparison == nil
    allowsChanges = arguments.has(.exitStatus) && !arguments.isOn(.exitStatus)
    isQuiet = arguments.isOn(.quiet)
  }

  /// Notices options about changes and selected rows of which there are none.
  private func noticeIdleOptions(_ arguments: Arguments, _ notices: inout [PlanNotice]) {
    if arguments.has(.canMove), moves.isEmpty, replay == nil {
      notices.append(.idleOption(.canMove, without: .move))
    }
    if arguments.has(.canEdit), !arguments.has(.set), replay == nil {
      notices.append(.idleOption(.canEdit, without: .set))
    }
    if let lostColumn { notices.append(.lostColumn(lostColumn)) }
    if let optionForOneRow { notices.append(.oneRow(option: optionForOneRow)) }
    if keepsFirstBeforeSorting { notices.append(.firstBeforeSorting) }
    if let list = input.nullWords.first(where: { $0.isListOfWords }) { notices.append(.listOfNulls(list)) }
    if arguments.has(.explodeEmpty), explosion == nil {
      notices.append(.idleOption(.explodeEmpty, without: .explode))
    }
    if arguments.has(.joinType), joins.isEmpty { notices.append(.idleOption(.joinType, without: .join)) }
    if arguments.has(.seed), sample == nil { notices.append(.idleOption(.seed, without: .sample)) }
    for option in [Option.ID.selectMode, .selectionStyle]
    where arguments.has(option) && !arguments.has(.select) {
      notices.append(.idleOption(option, without: .select))
    }
    if arguments.has(.canDelete), deletions.isEmpty, replay == nil {
      notices.append(.idleOption(.canDelete, without: .delete))
    }
  }

  /// Reads the files that are drawn around the table.
  private mutating func readForms(_ arguments: Arguments) throws(PlanError) {
    for option in [Option.ID.preamble, .postamble] where arguments.path(option) == "-" {
      throw .needsFile(option)
    }
    preamble = arguments.path(.preamble)
    postamble = arguments.path(.postamble)
    layout.blendsForms = arguments.isOn(.blend)
  }

  /// Reads what makes rows of rows.
  private mutating func readMakers(_ arguments: Arguments) throws(PlanError) {
    let paths = try arguments.read(.explode) { (cursor) throws(GrammarError) in try cursor.columnAlone() }
    let empty = arguments.choice(.explodeEmpty, as: Explosion.EmptyList.self)
    if !paths.isEmpty { explosion = Explosion(paths, empty: empty ?? .keep) }
    joins = try arguments.read(.join) { (cursor) throws(GrammarError) in try cursor.join() }
    joinKind = arguments.choice(.joinType, as: Join.Kind.self) ?? joinKind
    if !paths.isEmpty, arguments.has(.apply) { throw .contradiction(.explode, .apply) }
    // The older table is joined, too.
    let tables = sources + joins.map(\.source) + (arguments.has(.diff) ? joins.map(\.source) : [])
    if !joins.isEmpty, tables.count(where: { $0 == .standardInput }) > 1 { throw .inputTwice(.join) }
  }

  /// Reads the steps from `--filter` to `--columns`.
  private mutating func readRows(_ arguments: Arguments) throws(PlanError) {
    for (name, text) in try arguments.read(.arg, { (cursor) throws(GrammarError) in try cursor.argument() }) {
      variables[name] = text
    }
    types = try arguments.read(.types) { (cursor) throws(GrammarError) in try cursor.types() }.flatMap { $0 }
    misfits = arguments.choice(.onError, as: Misfits.self) ?? misfits
    dateFormat = try arguments.readLast(.dateFormat) { (cursor) throws(GrammarError) in
      try cursor.dateFormat()
    }
    lookups = try arguments.read(.lookup) { (cursor) throws(GrammarError) in try cursor.lookup() }
    try readMakers(arguments)
    additions = try arguments.read(.add) { (cursor) throws(GrammarError) in try cursor.record() }
    computations = try arguments.computations
    canEdit = try arguments.expressions(.canEdit).last
    filters = try arguments.expressions(.filter)
    deletions = try arguments.read(.delete) { (cursor) throws(GrammarError) in try cursor.rowChoice() }
    canDelete = try arguments.expressions(.canDelete).last
    unpivoting = try arguments.readLast(.unpivot) { (cursor) throws(GrammarError) in try cursor.unpivoting() }
    grouping = try Grouping(arguments)
    pivot = try Pivot(arguments)
    if pivot != nil, grouping == nil { grouping = try Grouping(arguments, always: true) }
    for option in [Option.ID.summary, .validate, .footerLines, .apply, .diff]
    where pivot != nil && arguments.has(option) {
      throw .contradiction(.pivot, option)
    }
    if arguments.has(.having), grouping == nil { throw .needsGroups(.having) }
    having = try arguments.expressions(.having).last
    isSummary = arguments.isOn(.summary)
    for option in [Option.ID.groupBy, .aggregate, .validate] where isSummary && arguments.has(option) {
      throw .contradiction(.summary, option)
    }
    if arguments.has(.sort) {
      sortKeys = try arguments.readJoined(.sort) { (cursor) throws(GrammarError) in try cursor.sortKeys() }
    }
    if arguments.has(.sortedBy) {
      if arguments.has(.sort) { throw .contradiction(.sortedBy, .sort) }
      sortedBy =
        try arguments.readLast(.sortedBy) { (cursor) throws(GrammarError) in try cursor.sortKeys() } ?? []
    }
    computed = try arguments.read(.compute) { (cursor) throws(GrammarError) in try cursor.assignments() }
      .flatMap { $0 }
    nulls = arguments.choice(.nulls, as: NullPlacement.self) ?? nulls
    valueOrders = try arguments.read(.order) { (cursor) throws(GrammarError) in try cursor.valueOrder() }
    memory =
      try arguments.readLast(.memory) { (cursor) throws(GrammarError) in
        try cursor.size(of: Process.memory)
      } ?? memory
    moves = try arguments.read(.move) { (cursor) throws(GrammarError) in try cursor.move() }
    canMove = try arguments.expressions(.canMove).last
    sample = arguments.number(.sample)
    seed = arguments.number(.seed) ?? seed
    skip = arguments.number(.skip) ?? 0
    head = arguments.value(.head).flatMap { HeadLimit($0) }
    tail = arguments.number(.tail)
    layout.ends = arguments.number(.ends)
    if layout.ends != nil {
      for option in [Option.ID.skip, .head, .tail, .diff, .interactive] where arguments.has(option) {
        throw .contradiction(.ends, option)
      }
    }
    columns = try arguments.readLast(.columns) { (cursor) throws(GrammarError) in try cursor.columnList() }
    let hidden = try arguments.read(.hide) { (cursor) throws(GrammarError) in try cursor.columnList() }
    self.hidden = ColumnList(hidden.flatMap(\.entries))
  }
}

extension Plan {
  /// Reads the rules for rows, and what to do with rows that violate them.
  private mutating func readRules(_ arguments: Arguments) throws(PlanError) {
    for line in try arguments.lines(.validate) {
      rules.append(
        try Arguments.read(line, of: .validate) { (cursor) throws(GrammarError) in try cursor.validationRule()
        })
    }
    rowKeys = try arguments.readLast(.id) { (cursor) throws(GrammarError) in try cursor.columnList() }
    let path = arguments.path(.rejects)
    if rules.isEmpty {
      for option in [Option.ID.invalidOnly, .rejects] where arguments.isOn(option) {
        if option == .rejects, arguments.has(.apply) { continue }
        throw .needsRules(option)
      }
      return
    }
    if arguments.isOn(.invalidOnly) {
      if path != nil { throw .contradiction(.invalidOnly, .rejects) }
      invalidRowPolicy = .keepOnly
    }
    guard let path else { return }
    if path == "-" { throw .rejectsNeedFile }
    if arguments.has(.apply) { throw .rejectsOfTwo }
    for case .file(let file) in arguments.sources where Unpacker(ofFile: file) != nil {
      throw .compressed(.rejects, path: file)
    }
    invalidRowPolicy = .reject(path)
  }

  /// Reads the changes that are replayed over the table.
  private mutating func readReplay(_ arguments: Arguments) throws(PlanError) {
    guard let path = arguments.path(.apply) else {
      if arguments.isOn(.reverse) { throw .reverseNeedsChanges }
      return
    }
    let rejects = arguments.path(.rejects)
    if rejects == "-" { throw .rejectsNeedFile }
    let source = path == "-" ? Source.standardInput : .file(path)
    if source == .standardInput, sources.contains(.standardInput) { throw .inputTwice(.apply) }
    replay = ChangeReplay(source, isReversed: arguments.isOn(.reverse), rejects: rejects)
  }

  /// Reads which engine is asked for the rows, if one is.
  private mutating func readEngine(
    _ arguments: Arguments, notices: inout [PlanNotice]
  ) throws(PlanError) {
    let dialect = arguments.choice(.dialect, as: SQLDialect.self)
    let explained = arguments.choice(.explain, as: Explanation.self)
    asksNothing = explained?.dialect != nil
    guard let command = arguments.value(.via) else {
      for option in [Option.ID.dialect, .tables] where arguments.isOn(option) {
        notices.append(.idleOption(option, without: .via))
      }
      if arguments.has(.table), explained?.dialect == nil {
        notices.append(.idleOption(.table, without: .via))
      }
      return
    }
    let (words, isOpen) = Pager.words(of: command)
    if isOpen { throw .openQuote(.via) }
    guard let program = words.first, !program.isEmpty else { throw .noCommand }
    guard let client = EngineClient(words, dialect: dialect) else { throw .unknownClient(program) }
    if let known = EngineClient(words), known.dialect != client.dialect {
      throw .knownDialect(client.name, known.dialect)
    }
    if let explained, explained.dialect != client.dialect {
      throw .otherDialect(explained.rawValue, client.name, client.dialect)
    }
    for option in arguments.occurrences.map(\.option) where option.isForeignToEngines {
      // A file may have another delimiter.
      if option == .delimiter, !arguments.sources.isEmpty { continue }
      throw .contradiction(option, .via)
    }
    let subject: EngineRequest.Subject
    switch (arguments.value(.table), arguments.sources.first, arguments.isOn(.tables)) {
    case (nil, nil, true): subject = .tables
    case (let table?, nil, false): subject = .table(table)
    case (nil, .file(let path)?, false):
      if arguments.sources.count > 1 { throw .severalFilesOfEngine }
      subject = .file(path)
    case (nil, nil, false): throw .needsTable(readsFiles: client.readsFiles)
    case (_?, _, true): throw .contradiction(.table, .tables)
    case (_, .standardInput?, _), (_, .program?, _), (_, .followed?, _): throw .standardInputOfEngine
    case (_, .file(let path)?, _): throw .fileBesideTable(path, isList: arguments.isOn(.tables))
    }
    engine = EngineRequest(client, for: subject)
  }

  /// Reads the look-ahead; rejects what needs all rows if they never come.
  private mutating func readLookAhead(_ arguments: Arguments) throws(PlanError) {
    let value = arguments.value(.lookahead)
    if let count = value.flatMap({ Int($0) }) { lookAhead = .first(count) }
    if arguments.isOn(.follow), value == nil { lookAhead = .first(Self.followedRows) }
    if lookAhead != .all, output.form == .pandoc, layout.kind == .stack || layout.kind == .grid {
      throw .unknownWidths(value == nil ? .follow : .lookahead, layout.kind)
    }
    guard arguments.isOn(.follow) else { return }
    input.isFollowed = true
    // What is only explained is not awaited.
    if !arguments.has(.explain), case .file(let path)? = sources.last {
      sources[sources.count - 1] = .followed(path)
    }
    if layout.flow != nil, output.form == .text { throw .adaptiveUnderFollow }
    if lookAhead == .all { throw .needsAllRows(.lookahead, value: value) }
    if mergesInHTML { throw .needsAllRows(.mergeRepeats, value: nil) }
    for work in optionsNeedingAllRows {
      guard let option = Option.ID(rawValue: String(work.rawValue.dropFirst(2))) else { continue }
      switch option {
      case .select:
        let selection = layout.selections.firstIndex { $0.endCount > 0 } ?? 0
        throw .needsAllRows(option, value: arguments.values(option)[selection])
      case .footerLines, .head, .sample, .ends: throw .needsAllRows(option, value: arguments.value(option))
      default: throw .needsAllRows(option, value: nil)
      }
    }
  }

  /// The rows that `--follow` examines before the first is drawn, unless the input pauses.
  private static let followedRows = 100
}

extension Grouping {
  /// Reads the keys, and the aggregates of each group: the number of its rows if none is given.
  fileprivate init?(_ arguments: Arguments, always: Bool = false) throws(PlanError) {
    guard always || arguments.has(.groupBy) || arguments.has(.aggregate) else { return nil }
    let keys = try arguments.readLast(.groupBy) { (cursor) throws(GrammarError) in try cursor.groupKeys() }
    var pairs = try arguments.read(.aggregate) { (cursor) throws(GrammarError) in try cursor.aggregates() }
      .flatMap { $0 }
    if pairs.isEmpty {
      let cursor = GrammarCursor("count = count()", of: .aggregate)
      do { pairs = try cursor.aggregates() } catch { throw .grammar(error) }
    }
    self.init(by: keys?.columns, values: keys?.values ?? [], aggregates: pairs)
  }
}

extension Pivot {
  /// Reads what makes columns, and the title of totals.
  fileprivate init?(_ arguments: Arguments) throws(PlanError) {
    let total = arguments.value(.pivotTotal)
    guard let key = try arguments.readLast(.pivot, { (cursor) throws(GrammarError) in try cursor.groupKey() })
    else {
      if total != nil { throw .needsPivot }
      return nil
    }
    self.init(by: key.columns, values: key.values, total: total)
  }
}

extension Plan.HeadLimit {
  /// `10`, or `-2` for all but the last two.
  fileprivate init?(_ text: String) {
    guard let count = Int(text) else { return nil }
    self = text.hasPrefix("-") ? .allButLast(-count) : .first(count)
  }
}

// MARK: - Values with a grammar

extension Arguments {
  /// Reads the value of an option by its grammar.
  typealias Reading<Value> = (inout GrammarCursor) throws(GrammarError) -> Value

  /// The parsed value of each occurrence of an option.
  func read<Value>(_ option: Option.ID, _ reading: Reading<Value>) throws(PlanError) -> [Value] {
    var result: [Value] = []
    for value in values(option) { result.append(try Self.read(value, of: option, reading)) }
    return result
  }

  /// The values of an option, each of which may be `@` and the name of a file: then its lines, without empty ones and
  /// those that begin with `#`.
  ///
  /// `@` and a number is a column.
  func lines(_ option: Option.ID) throws(PlanError) -> [String] {
    var lines: [String] = []
    for value in values(option) {
      guard value.hasPrefix("@"), let next = value.dropFirst().first, next != "-", !next.isNumber else {
        lines.append(value)
        continue
      }
      let path = FilePath(String(value.dropFirst()))
      let bytes: [UInt8]
      do { bytes = try path.contents(atMost: Configuration.largestSize + 1) } catch {
        throw .unreadable(option, error)
      }
      if bytes.count > Configuration.largestSize { throw .tooLarge(option, path: path) }
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        let text = String(decoding: line, as: UTF8.self).trimmingBlanks
        if !text.isEmpty, !text.hasPrefix("#") { lines.append(text) }
      }
    }
    return lines
  }

  /// The parsed value that counts for a scalar.
  func readLast<Value>(_ option: Option.ID, _ reading: Reading<Value>) throws(PlanError) -> Value? {
    guard let value = value(option) else { return nil }
    return try Self.read(value, of: option, reading)
  }

  /// All values of an option as one parsed list.
  func readJoined<Value>(_ option: Option.ID, _ reading: Reading<Value>) throws(PlanError) -> Value {
    try Self.read(joined(option), of: option, reading)
  }

  /// All values of an option as one list; ranges in sort keys refer to it.
  func joined(_ option: Option.ID) -> String { values(option).joined(separator: ",") }

  /// Each occurrence of an option as one expression.
  func expressions(_ option: Option.ID) throws(PlanError) -> [SourceExpression] {
    try read(option) { (cursor) throws(GrammarError) in try cursor.expression() }
  }

  /// The computations of `--derive` and `--set`, in the order typed.
  var computations: [Computation] {
    get throws(PlanError) {
      var computations: [Computation] = []
      for occurrence in occurrences where occurrence.option == .derive || occurrence.option == .set {
        let assignments = try Self.read(occurrence.value, of: occurrence.option) {
          (cursor) throws(GrammarError) in try cursor.assignments()
        }
        computations.append(occurrence.option == .set ? .set(assignments) : .derive(assignments))
      }
      return computations
    }
  }

  static func read<Value>(
    _ value: String, of option: Option.ID, _ reading: Reading<Value>
  ) throws(PlanError) -> Value {
    var cursor = GrammarCursor(value, of: option)
    do { return try reading(&cursor) } catch { throw .grammar(error) }
  }
}

/// The reason options that are each valid do not work together.
enum PlanError: Error, Equatable {
  /// The value of an option does not follow its grammar.
  case grammar(GrammarError)
  /// No file is named, and the standard input is a terminal.
  case nothingToRead
  /// The option is not for this layout; with those that it is for.
  case foreignLayout(Option.ID, LayoutKind, known: [LayoutKind])
  /// The option is not for this output form; with those that it is for.
  case foreignForm(Option.ID, OutputForm, known: [OutputForm])
  /// The option is not for this input form; with those that it is for.
  case foreignInput(Option.ID, InputForm, known: [InputForm])
  /// `-o html`: the file would have the name of a form, and no form is given.
  case fileNamedLikeForm(OutputForm, path: String)
  /// `-o ,`: the file would have the name of a delimiter.
  case fileNamedLikeMark(path: String)
  /// `--in-place` without a file, or with several.
  case inPlaceNeedsFile
  /// `--in-place` and a file whose name does not tell its form.
  case inPlaceFormUnknown(path: FilePath)
  /// The file of the values of an option cannot be read.
  case unreadable(Option.ID, SystemError)
  /// It is larger than such a file could be.
  case tooLarge(Option.ID, path: FilePath)
  /// An option writes records as they are read, but those of a compressed file are not in the file.
  case compressed(Option.ID, path: FilePath)
  /// `-o x.xlsx`: no form is given, and tabler does not write files with that suffix.
  case foreignSuffix(String)
  /// Control characters would reach a terminal.
  case rawControlToTerminal
  /// `--hover` with `--html-style inline`: only a style sheet knows where the pointer is.
  case hoverNeedsSheet
  /// A look-ahead that does not reach all rows, and a table of pandoc whose columns have fixed positions.
  case unknownWidths(Option.ID, LayoutKind)
  /// `--preamble -`: the standard input is that of the table.
  case needsFile(Option.ID)
  /// Two marks are equal, so that they could not be distinguished.
  case sameMarks(Option.ID, Option.ID, Unicode.Scalar)
  /// A mark that is itself a part of numbers.
  case unusableMark(Option.ID, Unicode.Scalar)
  /// A command that ends inside of quotes.
  case openQuote(Option.ID)
  /// `--via` without a word.
  case noCommand
  /// A client whose dialect is not known.
  case unknownClient(String)
  /// `--via` without a table or a file.
  case needsTable(readsFiles: Bool)
  /// `--via` with several files.
  case severalFilesOfEngine
  /// `--table` or `--tables` with a file.
  case fileBesideTable(FilePath, isList: Bool)
  /// `--dialect` with a client whose dialect is known.
  case knownDialect(String, SQLDialect)
  /// `--via` with the standard input.
  case standardInputOfEngine
  /// `--explain` with another dialect than that of a client.
  case otherDialect(String, String, SQLDialect)
  /// Two options that exclude each other: one makes the other meaningless.
  case contradiction(Option.ID, Option.ID)
  /// Something drawn around rows or the whole table, while records are next to others in one line.
  case besideAdaptive(Option.ID)
  /// Records that fill a line together, in a live stream.
  case adaptiveUnderFollow
  /// An option about rows that are not valid, without rules for validity.
  case needsRules(Option.ID)
  /// An option about groups, without groups.
  case needsGroups(Option.ID)
  /// `--pivot-total` without `--pivot`.
  case needsPivot
  /// `--from pattern` without `--pattern`.
  case needsPattern
  /// An option about a comparison, without an older table.
  case needsComparison(Option.ID)
  /// An option about rows that two tables have in common, without `--id`.
  case needsKeys(Option.ID)
  /// An option about an interactive page, without `--interactive`.
  case needsPage(Option.ID)
  /// An option about changes, for an input that is not written back.
  case cannotWriteBack(Option.ID)
  /// An option that leaves out some of a list of changes.
  case cutsChangeList(Option.ID, OutputForm)
  /// `--rejects -`.
  case rejectsNeedFile
  /// `--rejects` with `--validate` and `--apply`: both would write to the file.
  case rejectsOfTwo
  /// `--reverse` without `--apply`.
  case reverseNeedsChanges
  /// The file of an option is the standard input, and so is the table.
  case inputTwice(Option.ID)
  /// A step that needs all rows, which a live stream never has.
  case needsAllRows(Option.ID, value: String?)
}

extension Option.ID {
  /// Whether it is about an input that is read here, or about what an engine does not do.
  fileprivate var isForeignToEngines: Bool {
    if Option[self].group == .input { return ![.types, .onError, .lookup].contains(self) }
    return [.apply, .add, .inPlace, .follow, .flatten].contains(self)
  }
}

/// Something in the options that deserves a warning.
enum PlanNotice: Equatable {
  /// `-o out.csv --json`: the form given wins.
  case formAgainstSuffix(OutputForm, path: FilePath)
  /// A variable names a pager that does not exist.
  case missingPager(String)
  /// An option without the one that it depends on.
  case idleOption(Option.ID, without: Option.ID)
  /// An option that takes some of the rows of an answer that has one.
  case oneRow(option: String)
  /// `unique()` keeps rows before they are sorted.
  case firstBeforeSorting
  /// A column of `--derive` that no group has.
  case lostColumn(String)
  /// A `--null` that looks like a list.
  case listOfNulls(String)
}

extension String {
  /// Whether it looks like several words between commas, and not like a number with one.
  fileprivate var isListOfWords: Bool {
    split(separator: ",").count > 1 && !utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
