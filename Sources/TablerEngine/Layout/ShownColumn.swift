/// A column as it is shown: the source of its cells, its title, and the options for it.
struct ShownColumn: Sendable {
  /// The source of the cells.
  enum CellSource: Sendable {
    /// A column of the input, or a path into one.
    case column(ResolvedColumn)

    /// The number of the shown row, from 1.
    case rowNumber

    /// A template over the row.
    indirect case template(RowTemplate)

    /// The same text in every row.
    case constant([UInt8])

    /// The mark that says what became of the row.
    case change(ChangeColumns, ChangeSigns)
  }

  /// The cells that a column had in an older table.
  struct EarlierCells: Sendable {
    /// Their column; missing in rows in which the cell has not changed.
    let index: Int

    /// How changes are drawn.
    let signs: ChangeSigns

    /// The marks of numbers, if a change of one says by how much.
    let deltaMarks: NumberMarks?

    /// Whether some of them differ from the cells of the column.
    let differ: Bool
  }

  /// The place of a column in the sort order.
  struct SortState: Equatable, Sendable {
    /// Whether it sorts from high to low.
    var isDescending: Bool

    /// The rank among the keys, from 1.
    @Narrow var rank: Int
  }

  /// The source of the cells.
  var source: CellSource

  /// The title to draw.
  var title: String

  /// The name in JSON and for options; empty if there is none.
  var name: String

  /// Whether the cells are headers of their rows (`--row-names`, `--row-numbers`).
  var isRowHeader = false

  /// Whether its cells are keys of groups (`--group-by`).
  var isGroupKey = false

  /// Whether its cells are keys of the rows of a pivoted table (`--pivot`).
  var isPivotKey = false

  /// Whether its cells identify their rows (`--id`).
  var isRowKey = false

  /// Whether a title was given with `=Title`; csv and JSON then use it too.
  var hasOwnTitle = false

  /// Whether `--columns` names it individually, so that it is never left out for lack of space.
  var isNamed = false

  /// The requested alignment; if `nil`, the kind of its values decides.
  var alignment: Alignment?

  /// Its width, and the space after it, if `--grid-items` gives them.
  @Rare var item: GridItem?

  /// The declared type of its cells, if they have one.
  var type: ValueType?

  /// Its rank among the columns that steps write cells to, if it is one of them.
  var rank: UInt32?

  /// Where its cells may break; only HTML uses it, based on the first rows.
  var breaking = Breaking.words

  /// The template of `--format`, if one was given.
  @Rare var format: RowTemplate?

  /// The cells that it had in an older table, if it is compared with one.
  @Rare var earlier: EarlierCells?

  /// Its place in the sort order, if it has one.
  var sort: SortState?

  /// The mark of cells that violate a rule, if there is a rule about the column.
  var mark: FieldMark?

  /// The titles above its own, from the nearest one up; `nil` on a line on which it has none.
  var spans: [String?] = []

  /// Its place among the columns whose repeated cells are drawn once, from 1; 0 if it is none of them.
  @Narrow var mergeRank = 0

  /// The cells for the bars beside its numbers, without the blank before them; 0 if it has none.
  @Narrow var barRoom = 0

  /// Creates a column.
  init(
    source: CellSource, title: String, name: String, isRowHeader: Bool = false, hasOwnTitle: Bool = false,
    isNamed: Bool = false
  ) {
    self.source = source
    self.title = title
    self.name = name
    self.isRowHeader = isRowHeader
    self.hasOwnTitle = hasOwnTitle
    self.isNamed = isNamed
  }

  /// Whether its cells are the numbers of the shown rows.
  var isRowNumber: Bool {
    if case .rowNumber = source { true } else { false }
  }

  /// Whether its cells say what became of the rows.
  var isChangeMark: Bool {
    if case .change = source { true } else { false }
  }

  /// Whether its cells name the rows without being a column of the data, so that the corner above them is blank.
  var hasBlankCorner: Bool {
    if case .column = source { false } else { isRowHeader }
  }
}

/// A value that few columns have: in the others, of which there may be very many, it takes 8 bytes.
@propertyWrapper
struct Rare<Value: Sendable>: Sendable {
  private var held: [Value]

  var wrappedValue: Value? {
    get { held.first }
    set { held = newValue.map { [$0] } ?? [] }
  }

  init(wrappedValue: Value?) { held = wrappedValue.map { [$0] } ?? [] }
}

/// A number of cells, bytes or columns in 4 bytes, because there may be very many of them.
///
/// A number out of range becomes the nearest one in range.
@propertyWrapper
struct Narrow: Equatable, Sendable {
  private var held: Int32

  @inline(__always)
  var wrappedValue: Int {
    get { Int(held) }
    set { held = Int32(clamping: newValue) }
  }

  @inline(__always)
  init(wrappedValue: Int) { held = Int32(clamping: wrappedValue) }
}

/// The signs of all columns.
struct HeaderSigns: Equatable, Sendable {
  /// A sign for each column; empty if none is drawn.
  let signs: [[UInt8]]

  /// The cells that text reserves for the sign of each column: the same for all if a neutral one is given (R40).
  let rooms: [Int]

  /// Finds the signs of `columns`.
  init(_ columns: [ShownColumn], _ options: LayoutOptions) {
    guard options.indicators.areShown, columns.contains(where: { $0.sort != nil }) else {
      signs = columns.map { _ in [] }
      rooms = columns.map { _ in 0 }
      return
    }
    let signs = columns.map { column in
      column.hasBlankCorner ? [] : options.indicators.sign(for: column.sort, isASCII: options.isASCII)
    }
    let metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    let widths = signs.map { metrics.width(of: $0.span) }
    let widest = options.indicators.neutral.isEmpty ? nil : widths.max()
    rooms = widths.map { $0 == 0 ? 0 : widest ?? $0 }
    self.signs = signs.map { $0.allSatisfy { $0 == 0x20 } ? [] : $0 }
  }
}

extension SortIndicators {
  /// The sign of a column, harmless; empty if there is none.
  ///
  /// - Parameters:
  ///   - state: the column's place in the order, if it has one.
  ///   - isASCII: whether the tool's own signs must be ASCII.
  fileprivate func sign(for state: ShownColumn.SortState?, isASCII: Bool) -> [UInt8] {
    guard areShown else { return [] }
    guard let state else { return TextContext.label(neutral) }
    let sign = state.isDescending ? reverse : forward
    return TextContext.label(Self.spelled(sign, isASCII: isASCII) + rank(of: state, isASCII: isASCII))
  }

  /// The signs as they are drawn.
  func spelled(isASCII: Bool) -> SortIndicators {
    var spelled = self
    spelled.forward = Self.spelled(forward, isASCII: isASCII)
    spelled.reverse = Self.spelled(reverse, isASCII: isASCII)
    return spelled
  }

  /// The sign in ASCII if it is a default; signs from the user are unchanged.
  private static func spelled(_ sign: String, isASCII: Bool) -> String {
    switch sign {
    case "▲" where isASCII: "^"
    case "▼" where isASCII: "v"
    default: sign
    }
  }

  private func rank(of state: ShownColumn.SortState, isASCII: Bool) -> String {
    guard showsRank else { return "" }
    let digits = String(state.rank)
    guard !isASCII else { return digits }
    let raised: [Character] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
    return String(digits.map { raised[$0.wholeNumberValue ?? 0] })
  }
}

extension [ShownColumn] {
  /// Puts a title over some of the columns: on the nearest line on which none of them has one, nor above it.
  mutating func put(_ title: String, over columns: [Int]) {
    let level = columns.reduce(0) { level, column in
      Swift.max(level, self[column].spans.lastIndex { $0 != nil }.map { $0 + 1 } ?? 0)
    }
    for column in columns {
      while self[column].spans.count < level { self[column].spans.append(nil) }
      self[column].spans.append(title)
    }
  }

  /// Joins each title with those above it, for a form that cannot draw these over several columns.
  mutating func joinTitles() {
    for index in indices where !self[index].spans.isEmpty {
      let titles = self[index].spans.reversed().compactMap(\.self) + [self[index].title]
      self[index].title = titles.filter { !$0.isEmpty }.joined(separator: " ")
      self[index].spans = []
      self[index].hasOwnTitle = true
    }
  }
}
