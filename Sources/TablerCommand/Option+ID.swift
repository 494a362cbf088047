extension Option {
  /// Which option; the raw value is its long name.
  enum ID: String, CaseIterable, Sendable {
    case from
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
    case trim
    case at
    case ragged
    case null
    case quotedEmpty = "quoted-empty"
    case decimal
    case thousands
    case encoding

    case arg
    case derive
    case filter
    case delete
    case canDelete = "can-delete"
    case move
    case canMove = "can-move"
    case skip
    case head
    case tail

    case sort
    case sortedBy = "sorted-by"
    case nulls
    case order
    case memory

    case columns
    case hide
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
    case minWidth = "min-width"
    case headerPosition = "header-position"
    case border
    case separator
    case rowRules = "row-rules"

    case noHeader = "no-header"
    case footer
    case title
    case caption
    case titleOf = "title-of"
    case sectionBy = "section-by"
    case sectionHeader = "section-header"
    case sectionFooter = "section-footer"

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
    case headerStyle = "header-style"
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
    case fragment
    case htmlStyle = "html-style"
    case lang
    case outputDelimiter = "output-delimiter"
    case formulaGuard = "formula-guard"
    case rawControl = "raw-control"

    case explain
    case exitStatus = "exit-status"
    case quiet
    case generate
    case complete
    case help
    case version
  }

  /// The entry of `id`.
  static subscript(id: ID) -> Option { first { $0.id == id } ?? all[0] }

  /// The entry of a name without its dashes; that of `x` for `no-x` and the reverse, where it is a switch.
  ///
  /// A search: a run asks for a few names, and would wait longer for a dictionary of all.
  static func named(_ name: String) -> Option? {
    first { $0.name == name } ?? first { $0.negatedName == name }
  }

  /// The entry of a short letter.
  static func lettered(_ letter: Character) -> Option? { first { $0.letter == letter } }

  private static func first(where isWanted: (Option) -> Bool) -> Option? {
    tables.joined().first(where: isWanted)
  }
}
