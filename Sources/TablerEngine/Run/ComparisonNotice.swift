/// A notice about cells that were compared as text although their values have another order.
public struct ComparisonNotice: Sendable {
  /// The operation that compared them.
  public struct ComparingOperation: Hashable, Sendable {
    /// The kinds of operations.
    public enum Kind: Hashable, Sendable {
      /// An operator as it is typed.
      case comparison(String)
      /// A function by its name, and whether it has more arguments.
      case function(String, hasMore: Bool)
    }

    /// The kind of operation.
    public let kind: Kind
    /// The columns that it compares, as addressed.
    public let columns: [String]
    /// The text of the expression that it compares a column with.
    public let literal: [UInt8]?
  }

  /// The columns, one or two, as addressed.
  public let columns: [String]
  /// The operations that compared them.
  public internal(set) var operations: [ComparingOperation]
  /// The file and the line of the text on the left.
  public let place: InputError.Location
  /// Two of the texts.
  public let left: [UInt8]
  /// The text that was not on the left.
  public let right: [UInt8]
  /// The relation of the texts, as an operator.
  public let relation: String
  /// A way to compare their values; `nil` if none is known.
  public let remedy: ComparisonRemedy?
}

extension ComparisonNotice {
  /// Whether a warning already names the words for missing values that should be null.
  ///
  /// - Parameter columns: the columns with such a warning.
  func isSaid(of columns: Set<String>) -> Bool {
    if case .null = remedy { self.columns.contains { columns.contains($0) } } else { false }
  }
}

/// The texts that the operations of a run compared, gathered by their columns.
struct GatheredComparisons {
  /// The texts compared by operations of one kind on the same columns.
  private var groups: [[ComparedTexts]] = []

  /// The index of the group of each kind: there may be as many as columns.
  private var places: [ComparedTexts.Kind: Int] = [:]

  /// Adds the texts that an expression compared.
  mutating func add(_ texts: ComparedTexts) {
    guard let place = places[texts.kind] else {
      places[texts.kind] = groups.count
      groups.append([texts])
      return
    }
    if let index = groups[place].firstIndex(where: { $0.isAlike(texts) }) {
      groups[place][index].merge(texts)
    } else if groups[place][0].columns == texts.columns {
      groups[place].append(texts)
    }
  }

  /// The notices about them.
  func notices(_ sources: [Source], _ marks: NumberMarks, hasDateFormat: Bool) -> [ComparisonNotice] {
    var notices: [ComparisonNotice] = []
    var places: [[String]: [Int]] = [:]
    for group in groups {
      let group = group.filter(\.isDecisive)
      let doubts = group.lazy.compactMap { texts in
        texts.doubt(marks, hasDateFormat: hasDateFormat).map { (texts: texts, doubt: $0) }
      }
      guard let (texts, doubt) = doubts.first else { continue }
      let operations = group.map { $0.named(with: $0.operation == texts.operation ? doubt.pair : nil) }
      let new = texts.notice(doubt, operations, sources)
      if let known = places[new.columns]?.first(where: { notices[$0].remedy == new.remedy }) {
        notices[known].operations += new.operations.filter { !notices[known].operations.contains($0) }
      } else {
        places[new.columns, default: []].append(notices.count)
        notices.append(new)
      }
    }
    return notices
  }
}

extension ComparedTexts {
  /// Comparisons that are reported together: the side of each column does not matter.
  fileprivate struct Kind: Hashable {
    /// What the cells are compared with; if these are other cells, it does not matter which.
    let other: Other
    let isOrder: Bool
    /// The operation on rows.
    let operation: Operation?
    let columns: Set<ExactName>
  }

  fileprivate var kind: Kind {
    let other = if case .cells = other { Other.cells(0) } else { other }
    return Kind(
      other: other, isOrder: operation.isOrder, operation: other == .rows ? operation : nil,
      columns: Set(columns.map { ExactName($0) }))
  }

  fileprivate func doubt(_ marks: NumberMarks, hasDateFormat: Bool) -> SortReading.ComparisonDoubt? {
    if case .extreme(let isLargest) = operation {
      return SortReading.doubt(
        inExtremeOf: pairs, areAll: isComplete, marks, isLargest: isLargest, hasDateFormat: hasDateFormat)
    }
    return SortReading.doubt(
      in: pairs, marks, operation.symbol, isOrder: operation.isOrder, hasDateFormat: hasDateFormat)
  }

  /// The operation as it is named, with one of the texts that it compares cells with.
  fileprivate func named(with pair: Pair?) -> ComparisonNotice.ComparingOperation {
    let literal = other == .literal ? (pair ?? pairs.first)?.right : nil
    return ComparisonNotice.ComparingOperation(kind: operation.kind, columns: columns, literal: literal)
  }

  fileprivate func notice(
    _ doubt: SortReading.ComparisonDoubt, _ operations: [ComparisonNotice.ComparingOperation],
    _ sources: [Source]
  ) -> ComparisonNotice {
    let pair = doubt.pair
    let relation = pair.left.lexicographicallyPrecedes(pair.right) ? "<" : ">"
    return ComparisonNotice(
      columns: columns, operations: operations,
      place: InputError.Location(path: sources[pair.place.source].path, line: pair.place.line),
      left: pair.left, right: pair.right, relation: operation.isOrder ? relation : "!=", remedy: doubt.remedy)
  }
}

extension ComparedTexts.Operation {
  fileprivate var kind: ComparisonNotice.ComparingOperation.Kind {
    switch self {
    case .comparison(let symbol): .comparison(symbol.rawValue)
    case .least(let hasMore): .function("least", hasMore: hasMore)
    case .greatest(let hasMore): .function("greatest", hasMore: hasMore)
    case .clamp: .function("clamp", hasMore: true)
    case .extreme(let isLargest): .function(isLargest ? "max" : "min", hasMore: false)
    }
  }
}
