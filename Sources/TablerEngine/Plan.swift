/// The meaning of a command line.
///
/// After it, nothing depends on options as typed.
public struct Plan: Sendable {
  /// How many rows `--head` keeps.
  public enum HeadLimit: Equatable, Sendable {
    /// The first N.
    case first(Int)
    /// All but the last N.
    case allButLast(Int)
  }

  /// A side table of `--lookup`.
  public struct Lookup: Equatable, Sendable {
    /// The name of the table in expressions.
    public var name: String
    /// Its file.
    public var path: FilePath

    /// Creates a side table.
    public init(name: String, path: FilePath) {
      self.name = name
      self.path = path
    }
  }

  /// `--via`: the engine that is asked for rows, instead of an input.
  public var engine: EngineRequest?
  /// The columns that an engine must answer with.
  var answerNames: [String]?
  /// Whether an empty text counts as null in `--sorted-by`, as engines are asked to order it.
  var sortsEmptyAsNull = false
  /// The inputs, read as one stream.
  public var sources: [Source] = [.standardInput]
  /// How they are read.
  public var input = InputOptions()
  /// `--arg`: the texts after `$name` in expressions.
  public var variables = NamedTexts()
  /// `--date-format`: how dates and times in cells are spelled, besides ISO 8601.
  public var dateFormat: DateFormat?
  /// What to do with cells that do not convert to what they are used as.
  public enum Misfits: String, CaseIterable, Sendable {
    /// They are null, and counted.
    case null
    /// Their rows are left out, and counted.
    case skip
    /// The run ends with status 3.
    case stop
  }

  /// `--types`: the declared types of columns.
  public var types: [TypeDeclaration] = []
  /// `--on-error`.
  public var misfits = Misfits.null
  /// `--lookup`: the side tables.
  public var lookups: [Lookup] = []
  /// `--preamble`: the file whose records are a form above the table.
  public var preamble: FilePath?
  /// `--postamble`: the file whose records are a form below it.
  public var postamble: FilePath?
  /// `--apply`: the changes that are replayed over the input.
  public var replay: ChangeReplay?
  /// The list of these changes, once it was read, and the number of its source.
  var changes: (list: ChangeList, source: Int)?
  /// `--explode` and `--explode-empty`: the lists whose elements become rows.
  public var explosion: Explosion?
  /// `--join`: the other tables, in order.
  public var joins: [Join] = []
  /// `--join-type`.
  public var joinKind = Join.Kind.left
  /// The tables of `--join`, once they were read.
  var joined: [JoinedTable] = []
  /// `--add`: the records that come after those of the input, in order.
  public var additions: [[Assignment]] = []
  /// `--derive` and `--set`, in order.
  public var computations: [Computation] = []
  /// `--can-edit`.
  public var canEdit: SourceExpression?
  /// `--filter`: rows are kept if all are true.
  public var filters: [SourceExpression] = []
  /// `--delete`, in order.
  public var deletions: [RowChoice] = []
  /// `--can-delete`.
  public var canDelete: SourceExpression?
  /// `--validate`.
  public var rules: [ValidationRule] = []
  /// `--invalid-only` and `--rejects`.
  public var invalidRowPolicy = InvalidRowPolicy.keep
  /// `--id`: the columns that identify a row.
  public var rowKeys: ColumnList?
  /// `--diff` and the options about it.
  public var comparison: ComparisonOptions?
  /// `--unpivot`: the columns that become rows.
  public var unpivoting: Unpivoting?
  /// `--group-by` and `--aggregate`.
  public var grouping: Grouping?
  /// `--summary`: whether there is a row for each column.
  public var isSummary = false
  /// `--pivot` and `--pivot-total`.
  public var pivot: Pivot?
  /// Whether a query is only shown.
  public var asksNothing = false
  /// The pivoted table, once it was made.
  var pivoted: PivotedTable?
  /// What divides the groups that are read for one, and their keys without it.
  var dividing: Pivot?
  var keysOfPivot: Grouping?
  /// `--having`: groups are kept if it is true.
  public var having: SourceExpression?
  /// `--sort`.
  public var sortKeys: [SortKey] = []
  /// `--sorted-by`: verified and shown.
  public var sortedBy: [SortKey] = []
  /// `--nulls`.
  public var nulls = NullPlacement.last
  /// `--order`.
  public var valueOrders: [ValueOrder] = []
  /// `--move`, in order.
  public var moves: [Move] = []
  /// `--can-move`.
  public var canMove: SourceExpression?
  /// `--compute`: columns that are computed over the rows in their order.
  public var computed: [Assignment] = []
  /// `--sample`: how many rows are kept by chance.
  public var sample: Int?
  /// `--seed`: another one chooses other rows.
  public var seed = 1
  /// `--skip`.
  public var skip = 0
  /// `--head`.
  public var head: HeadLimit?
  /// `--tail`.
  public var tail: Int?
  /// `--columns`.
  public var columns: ColumnList?
  /// `--hide`, all together.
  public var hidden = ColumnList([])
  /// The layout and style of the table.
  public var layout = LayoutOptions()
  /// `--lookahead`: how many rows are measured before the first is drawn.
  public var lookAhead = LookAhead.all
  /// The form and the destination of the output.
  public var output = OutputOptions()
  /// `--memory`: the bytes that rows may take in memory before they go to a temporary file.
  public var memory = Process.memory / 4
  /// `-e`: status 1 if no row came out.
  public var failsWhenEmpty = false
  /// `--no-exit-status`: status 0 even if `--diff` found changes.
  public var allowsChanges = false
  /// `-q`: no warnings.
  public var isQuiet = false

  /// Creates the defaults.
  public init() {}
}

extension Plan {
  /// The decimal and thousands marks of numbers in cells.
  var marks: NumberMarks {
    NumberMarks(decimal: input.decimalMark, thousands: input.thousandsMark) ?? .standard
  }

  /// The maximum number of bytes in a record.
  ///
  /// It is held in memory as a whole: the budget is the limit, but 64 MiB are allowed however small that is.
  /// If rows are compared or held back, several records are in memory at once, along with values derived from
  /// them for the comparison: together they must not take more than the budget and 100 MiB (R52).
  var recordLimit: Int {
    let (least, most) = (1 << 26, 1 << 30)
    let holdsSeveral = input.footerLines > 0 || StepAnswers(self, isOpen: false).demands.contains(.records)
    guard holdsSeveral else { return min(max(memory, least), most) }
    let (all, isTooLarge) = memory.addingReportingOverflow(88 << 20)
    return isTooLarge ? most : min(all / 6, most)
  }

  /// The options that cannot be answered before the last row has come.
  public var optionsNeedingAllRows: [PlannedStep.Work] {
    (input.footerLines > 0 ? [.footerLines] : []) + StepAnswers(self, isOpen: false).optionsNeedingAllRows
      + (output.form.isDisplay && layout.selections.contains { $0.endCount > 0 } ? [.select] : [])
  }

  /// Whether rows get cells in columns that they were read without.
  var addsColumns: Bool {
    if comparison != nil || unpivoting != nil || !joins.isEmpty { return true }
    if marksFailures || changes?.list.addsColumns ?? false { return true }
    if case .reject = invalidRowPolicy { return true }
    return !computed.isEmpty || computations.contains { if case .derive = $0 { true } else { false } }
  }

  /// The plan without what comes after groups.
  var withoutViews: Plan {
    var plan = self
    plan.pivot = nil
    plan.having = nil
    (plan.sortKeys, plan.sortedBy, plan.moves, plan.computed) = ([], [], [], [])
    (plan.sample, plan.head, plan.tail, plan.skip) = (nil, nil, nil, 0)
    (plan.columns, plan.hidden) = (nil, ColumnList([]))
    plan.output = OutputOptions()
    plan.layout = LayoutOptions()
    plan.layout.missing = layout.missing
    plan.layout.isASCII = layout.isASCII
    plan.layout.ambiguousWidth = layout.ambiguousWidth
    (plan.preamble, plan.postamble) = (nil, nil)
    return plan
  }

  /// The first column of `--derive` that is lost because no key, no aggregate and no other step uses it.
  public var lostColumn: String? {
    guard let grouping, unpivoting == nil, !computations.isEmpty else { return nil }
    var parts = computing.map(\.expression) + rules.map(\.condition.expression)
    parts += [canEdit, canDelete].compactMap { $0?.expression }
    parts += pivot?.values.map(\.source.expression) ?? []
    var used: Set<String> = []
    for entry in (grouping.keys?.entries ?? []) + (pivot?.columns?.entries ?? []) {
      guard case .column(let reference, _) = entry.item, let name = reference.plainName else { return nil }
      used.insert(name)
    }
    if rules.contains(where: { $0.columns != nil }) { return nil }
    while let part = parts.popLast() {
      switch part.kind {
      case .column(let name):
        used.insert(name)
        used.insert(String(name.prefix { $0 != "." }))
      case .position, .record: return nil
      default: parts += part.operands
      }
    }
    for case .derive(let assignments) in computations {
      for assignment in assignments where !used.contains(assignment.column.trimmingBlanks) {
        return assignment.column.trimmingBlanks
      }
    }
    return nil
  }

  /// The option that takes some of the answer's rows although that has one for all rows of the input.
  public var optionForOneRow: String? {
    guard let grouping, grouping.keys == nil, grouping.values.isEmpty, pivot == nil else { return nil }
    if head != nil { return "--head" }
    if tail != nil { return "--tail" }
    return skip > 0 ? "--skip" : sample == nil ? nil : "--sample"
  }

  /// Whether `unique()` keeps rows by their place in the input although other columns sort them after that.
  public var keepsFirstBeforeSorting: Bool {
    let columns = sortKeys.compactMap { key in
      if case .column(let reference) = key.target { reference.plainName } else { nil }
    }
    return filters.contains { filter in
      filter.expression.calls { $0 == "unique" }
        && columns.contains { name in !filter.expression.names(column: name) }
    }
  }

  /// Whether rows are made of those that are read before any other step sees them.
  var multipliesRows: Bool { explosion != nil || !joins.isEmpty }

  /// Whether the rows that are shown are made of those that are read, and have other columns.
  var makesRows: Bool { grouping != nil || isSummary || pivot != nil }

  /// Whether the columns of the input are still there, in whatever order and with whatever others.
  var keepsColumns: Bool { !makesRows && unpivoting == nil && !(comparison?.countsOnly ?? false) }

  /// Whether cells and records that violate a rule are marked.
  var marksFailures: Bool { output.form.isDisplay && keepsColumns && !rules.isEmpty }

  /// Whether records that violate a record rule are marked, and shown.
  var marksRecords: Bool {
    if case .reject = invalidRowPolicy { return false }
    return marksFailures && rules.contains { $0.columns == nil }
  }

  /// Whether cells of existing columns get other values.
  var changesCells: Bool { computations.contains { if case .set = $0 { true } else { false } } }

  /// Whether no option changes the content of a file.
  var changesNothing: Bool {
    let takesRows =
      !filters.isEmpty || !deletions.isEmpty || head != nil || tail != nil || skip > 0
      || sample != nil || multipliesRows
    let takesColumns = columns != nil || !hidden.entries.isEmpty
    let adds = !additions.isEmpty || !computations.isEmpty || !computed.isEmpty || replay != nil
    let orders = !sortKeys.isEmpty || !moves.isEmpty
    let respells = output.guardsFormulas || output.delimiter != nil || !output.hasHeader
    let readsOtherwise =
      input.isFlattened || input.isTrimmed || input.names != nil || input.autoNames != nil
      || input.quote != .byForm || output.form.isJSON && !input.nullWords.isEmpty
    return !(takesRows || takesColumns || adds || orders || respells || readsOtherwise) && rules.isEmpty
      && types.isEmpty
  }

  /// Whether steps leave rows out, bring them into another order or make them, so that the rows compared are not those of
  /// the files.
  var comparesView: Bool {
    !(filters.isEmpty && deletions.isEmpty && additions.isEmpty && sortKeys.isEmpty && moves.isEmpty)
      || makesRows || multipliesRows || unpivoting != nil || input.footerLines > 0 || misfits == .skip
      || invalidRowPolicy != .keep
      || input.ragged == .skip
  }

  /// Whether the table is written to a file that other programs read.
  var writesDataFile: Bool { output.path != nil && !output.form.isDisplay }

  /// Whether the table is written only if every row is valid: to a file that other programs read.
  var isGated: Bool {
    guard writesDataFile, !rules.isEmpty else { return false }
    return switch invalidRowPolicy {
    case .keep: true
    // The rows that are not valid are wanted; but a file must not lose the others.
    case .keepOnly: output.isInPlace
    case .reject: false
    }
  }

  /// The path of `--rejects`, if there is one.
  private var rejectsPath: FilePath? {
    if case .reject(let path) = invalidRowPolicy { path } else { replay?.rejects }
  }

  /// The file of `--rejects`, if there is one.
  func openRejects() throws(Failure) -> OutputFile? {
    guard let path = rejectsPath else { return nil }
    let file: OutputFile
    do { file = try OutputFile(replacing: path) } catch { throw .output(error) }
    let others = lookups.map(\.path) + joins.map(\.source.path)
    for input in sources.map(\.path) + others + [preamble, postamble].compactMap({ $0 }) {
      if file.replacesFile(at: input) || file.isFed(by: input) { throw .rejectsOverInput(path: input) }
    }
    return file
  }

  /// The destination of the table.
  ///
  /// - Parameter version: the state of the input that is written back, before it was opened.
  func openOutput(_ version: FileVersion?) throws(Failure) -> OutputFile {
    let file: OutputFile
    do {
      file = if let path = output.path { try OutputFile(replacing: path, if: version) } else { OutputFile() }
    } catch {
      throw .output(error)
    }
    if output.isInPlace, let path = output.path, !file.replaces { throw .inPlace(.noFile, path: path) }
    for source in sources where file.isFed(by: source.path) {
      throw .input(.system(SystemError(.readOutput, path: source.path, code: 0)))
    }
    if let replay, replay.rejects == nil { file.takeBackUnlessCommitted(room: min(memory / 8, 1 << 27)) }
    return file
  }
}
