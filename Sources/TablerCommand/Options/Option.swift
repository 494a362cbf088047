import TablerEngine

/// One option of the command line: everything that is known about it.
///
/// `Option.all` has one entry for each. The parser, both helps, the manual page and the completions are
/// generated from it; nothing else knows which options exist.
struct Option {
  /// The option; its raw value is the long name.
  let id: ID
  /// The letter of the short form, if there is one.
  let letter: Character?
  /// What follows the name.
  let value: Value
  /// Its heading in help and manual.
  let group: Group
  /// One line for `--help` and the completions, at most 60 characters.
  let brief: String
  /// Sentences for the manual; words in backquotes are literal.
  let detail: String
  /// Whether it may be in the configuration file: it affects only looks, and neither names a program nor
  /// touches a file.
  let isConfigurable: Bool
  /// The default as it is printed; empty for switches.
  let fallback: String
  /// Whether every occurrence counts, in order, not only the last one.
  let accumulates: Bool
  /// Whether help, manual and completions omit it.
  let isHidden: Bool
  /// The layouts or forms that it is for.
  let reach: Reach

  /// Describes an option; omitted properties are empty or false.
  init(
    _ id: ID, letter: Character? = nil, _ value: Value, _ group: Group, _ brief: String,
    isConfigurable: Bool = false, default fallback: String = "", detail: String = "",
    accumulates: Bool = false,
    isHidden: Bool = false, reach: Reach = .everything
  ) {
    self.id = id
    self.letter = letter
    self.value = value
    self.group = group
    self.brief = brief
    self.detail = detail
    self.isConfigurable = isConfigurable
    self.fallback = fallback
    self.accumulates = accumulates
    self.isHidden = isHidden
    self.reach = reach
  }

  /// The long name without its dashes.
  var name: String { id.rawValue }

  /// The long name as typed: `--sort`.
  var spelling: String { "--" + name }

  /// The placeholder of the value, or nil for switches.
  var placeholder: String? { value.placeholder }

  /// Whether a value follows.
  var takesValue: Bool { value.placeholder != nil }

  /// Whether its value is one character.
  var isCharacter: Bool { if case .character = value { true } else { false } }

  /// The other spelling of a switch, `no-x` for `x` and the reverse, without its dashes.
  ///
  /// Switches of which the last one wins have none: they choose between several, and are not simply on or off.
  var negatedName: String? {
    guard case .flag = value else { return nil }
    return name.hasPrefix("no-") ? String(name.dropFirst(3)) : "no-" + name
  }
}

extension Option {
  /// The layouts or forms that an option is for; the others reject it.
  ///
  /// Options for forms of input are checked after detection, too: `InputOptions.FormOption`.
  enum Reach {
    /// All of them.
    case everything
    /// Some layouts; data forms ignore it.
    case layouts([LayoutKind])
    /// Some display forms; data forms ignore it.
    case displayForms([OutputForm])
    /// Some forms of output.
    case forms([OutputForm])

    /// The layouts that are tables, not cards.
    static let tables = Reach.layouts([.list, .stack, .grid])
  }

  /// A heading of help and manual, in the order printed.
  enum Group: String, CaseIterable {
    case input = "Input"
    case rows = "Rows"
    case order = "Order"
    case columns = "Columns"
    case layout = "Layout"
    case header = "Header and footer"
    case spacing = "Spacing"
    case style = "Style"
    case output = "Output"
    case general = "General"
  }
}

extension Option {
  /// An option; the raw value is its long name.
  enum ID: String, CaseIterable, Sendable {
    case from
    case pattern
    case delimiter
    case quote
    case escape
    case lazyQuotes = "lazy-quotes"
    case comment
    case skipLines = "skip-lines"
    case noHeaderIn = "no-header-in"
    case names
    case autoNames = "auto-names"
    case headerLines = "header-lines"
    case maxFields = "max-fields"
    case footerLines = "footer-lines"
    case trim
    case at
    case ragged
    case null
    case quotedEmpty = "quoted-empty"
    case types
    case onError = "on-error"
    case dateFormat = "date-format"
    case decimal
    case thousands
    case encoding
    case lookup

    case arg
    case apply
    case reverse
    case explode
    case explodeEmpty = "explode-empty"
    case add
    case join
    case joinType = "join-type"
    case derive
    case set
    case canEdit = "can-edit"
    case filter
    case delete
    case canDelete = "can-delete"
    case validate
    case id
    case diff
    case context
    case diffIgnore = "diff-ignore"
    case same
    case diffStat = "diff-stat"
    case delta
    case tolerance
    case moves
    case changedColumns = "changed-columns"
    case invalidOnly = "invalid-only"
    case rejects
    case select
    case selectMode = "select-mode"
    case groupBy = "group-by"
    case aggregate
    case having
    case pivot
    case pivotTotal = "pivot-total"
    case unpivot
    case summary
    case move
    case canMove = "can-move"
    case compute
    case sample
    case seed
    case skip
    case head
    case tail
    case ends

    case sort
    case sortedBy = "sorted-by"
    case nulls
    case order
    case memory

    case columns
    case hide
    case flatten
    case rowNames = "row-names"
    case rowNumbers = "row-numbers"
    case align
    case format
    case missing

    case list
    case stack
    case grid
    case detail
    case width
    case overflow
    case singleLine = "single-line"
    case lookahead
    case follow
    case gridItems = "grid-items"
    case gridAlignment = "grid-alignment"
    case gridWrap = "grid-wrap"
    case fill
    case minWidth = "min-width"
    case headerPosition = "header-position"
    case border
    case separator
    case rowRules = "row-rules"
    case page

    case noHeader = "no-header"
    case footer
    case title
    case caption
    case titleOf = "title-of"
    case preamble
    case postamble
    case blend
    case sectionBy = "section-by"
    case sectionHeader = "section-header"
    case sectionFooter = "section-footer"
    case span
    case mergeRepeats = "merge-repeats"

    case tablePadding = "table-padding"
    case rowPadding = "row-padding"
    case itemPadding = "item-padding"
    case headerSpacing = "header-spacing"
    case footerSpacing = "footer-spacing"
    case rowSpacing = "row-spacing"
    case columnSpacing = "column-spacing"
    case minRowHeight = "min-row-height"
    case headerHeight = "header-height"

    case color
    case sortIndicatorForward = "sort-indicator-forward"
    case sortIndicatorReverse = "sort-indicator-reverse"
    case sortIndicatorNeutral = "sort-indicator-neutral"
    case noSortIndicators = "no-sort-indicators"
    case sortRank = "sort-rank"
    case invalidIndicator = "invalid-indicator"
    case validIndicator = "valid-indicator"
    case hover
    case headerStyle = "header-style"
    case zebra
    case rowBackground = "row-background"
    case rowOverlay = "row-overlay"
    case cell
    case selectionStyle = "selection-style"
    case ascii
    case ambiguousWidth = "ambiguous-width"

    case to
    case text
    case markdown
    case html
    case csv
    case tsv
    case json
    case jsonl
    case output
    case inPlace = "in-place"
    case markdownRaw = "markdown-raw"
    case fragment
    case htmlStyle = "html-style"
    case interactive
    case editable
    case lang
    case outputDelimiter = "output-delimiter"
    case formulaGuard = "formula-guard"
    case rawControl = "raw-control"
    case paging
    case noPager = "no-pager"

    case explain
    case via
    case dialect
    case table
    case tables
    case exitStatus = "exit-status"
    case progress
    case quiet
    case config
    case noConfig = "no-config"
    case generate
    case complete
    case help
    case version
  }

  /// The entry of `id`.
  static subscript(id: ID) -> Option { named(id.rawValue) ?? all[0] }

  /// The entry of a name without its dashes; for `no-x` that of `x` and the reverse, if it is a switch.
  ///
  /// It searches linearly: a run needs only a few names, and a dictionary of all would take longer to make.
  static func named(_ name: String) -> Option? {
    first { $0.name == name } ?? first { $0.negatedName == name }
  }

  /// The entry of a short letter.
  static func lettered(_ letter: Character) -> Option? { first { $0.letter == letter } }

  /// The first entry that matches; only that one is copied, because a copy costs more than a comparison.
  @inline(__always)
  private static func first(where isWanted: (borrowing Option) -> Bool) -> Option? {
    for table in tables {
      let entries = table.span
      for place in entries.indices where isWanted(entries[place]) { return entries[place] }
    }
    return nil
  }
}

extension Option {
  /// The value of an option, and which values are allowed.
  enum Value {
    /// None: the option is on, or off in its negated spelling.
    case flag
    /// None: the option picks one of several, and the last one wins.
    case pick
    /// None: the option asks for a text about tabler instead of a table.
    case request
    /// One of a few words; `aliases` are further spellings, `open` a beginning that may be followed by anything.
    ///
    /// The words are made when they are needed: a list of each enumeration's cases would slow down every start.
    case choice(@Sendable () -> [String], aliases: NamedTexts = NamedTexts(), open: OpenChoice? = nil)
    /// A whole number in a range, or one of a few words.
    case number(ClosedRange<Int>, or: [String] = [])
    /// One character, or one of a few words.
    case character(CharacterSet, or: [String] = [])
    /// Any text; `or` are words with a special meaning.
    case text(String, or: [String] = [])
    /// The name of a file; an empty one may mean none.
    case file(mayBeEmpty: Bool = false)
    /// Names of columns, each perhaps followed by something about it.
    case columns(String, or: [String] = [])
    /// Sort keys: names of columns with signs and flags.
    case keys
    /// An expression, or something that contains one.
    case expression(String)
    /// All words that follow.
    case rest(String)
  }

  /// A word of a choice with an arbitrary rest: `link:URL`.
  struct OpenChoice: Equatable {
    /// What it begins with.
    let beginning: String
    /// The placeholder of the rest in help.
    let rest: String
  }

  /// What counts as one character.
  enum CharacterSet {
    /// One ASCII character that does not end lines, or `\t`: it is searched for in bytes.
    case ascii
    /// One Unicode scalar.
    case mark
  }
}

extension Option.Value {
  /// A choice of the raw values of an enumeration.
  static func choice<Word: CaseIterable & RawRepresentable<String> & SendableMetatype>(
    of type: Word.Type, aliases: NamedTexts = NamedTexts()
  ) -> Self where Word.AllCases: SendableMetatype {
    .choice({ Word.allCases.map(\.rawValue) }, aliases: aliases)
  }

  /// A choice of a few words.
  static func choice(_ words: [String], open: Option.OpenChoice? = nil) -> Self {
    .choice({ words }, open: open)
  }

  /// The placeholder of the value in help, or nil if no value follows.
  var placeholder: String? {
    switch self {
    case .flag, .pick, .request: nil
    case .choice(let words, _, let open):
      (words() + (open.map { [$0.beginning + $0.rest] } ?? [])).joined(separator: "|")
    case .number(_, let words): (["N"] + words).joined(separator: "|")
    case .character(_, let words): (["CHAR"] + words).joined(separator: "|")
    case .text(let placeholder, let words): (words + [placeholder]).joined(separator: "|")
    case .file: "FILE"
    case .columns(let placeholder, let words): (words + [placeholder]).joined(separator: "|")
    case .keys: "KEYS"
    case .expression(let placeholder): placeholder
    case .rest(let placeholder): placeholder
    }
  }

  /// The words a completion may offer.
  var words: [String] {
    switch self {
    case .choice(let words, _, let open): words() + (open.map { [$0.beginning] } ?? [])
    case .number(_, let words), .character(_, let words), .text(_, let words), .columns(_, let words):
      words
    case .flag, .pick, .request, .file, .keys, .expression, .rest: []
    }
  }
}

extension Option {
  /// The value as the plan receives it, if the option allows it.
  ///
  /// Choices, numbers and single characters are checked here. Values with a grammar - keys, columns, lengths,
  /// expressions - are parsed where they are used.
  func checked(_ typed: String) throws(ArgumentError) -> String {
    switch value {
    case .choice(let words, let aliases, let open):
      if let word = aliases[typed] { return word }
      if words().contains(typed) { return typed }
      if let open, typed.hasPrefix(open.beginning), typed != open.beginning { return typed }
      throw .notAChoice(id, value: typed, nearest: typed.nearest(among: value.words))
    case .number(let range, let words):
      if words.contains(typed) { return typed }
      guard let number = Int(typed) else {
        throw Self.isWholeNumber(typed) ? .outOfRange(id, value: typed, range) : .notANumber(id, value: typed)
      }
      guard range.contains(number) else { throw .outOfRange(id, value: typed, range) }
    case .character(let set, let words):
      if words.contains(typed) { return typed }
      guard let scalar = Self.scalar(of: typed), set == .mark || scalar.isASCII else {
        throw .notACharacter(id, value: typed, set)
      }
    case .file(mayBeEmpty: true): break
    case .file, .columns, .keys, .expression:
      if typed.isEmpty { throw .emptyValue(id) }
    case .flag, .pick, .request, .text, .rest:
      break
    }
    return typed
  }

  /// Whether the text is a whole number, however large.
  private static func isWholeNumber(_ typed: String) -> Bool {
    let sign = typed.utf8.prefix { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let digits = typed.utf8.dropFirst(sign.count)
    return sign.count < 2 && !digits.isEmpty && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// The one character of `value`, `\t` being a tab; nil if there is not exactly one, or if it ends a line.
  static func scalar(of value: String) -> Unicode.Scalar? {
    if value == "\\t" { return "\t" }
    let scalars = value.unicodeScalars
    guard scalars.count == 1, let scalar = scalars.first, scalar != "\n", scalar != "\r" else {
      return nil
    }
    return scalar
  }
}
