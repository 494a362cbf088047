/// `--explode` and `--explode-empty`: the lists whose elements become rows.
public struct Explosion: Equatable, Sendable {
  /// What becomes of a row whose list is empty.
  public enum EmptyList: String, CaseIterable, Sendable {
    /// It is kept, with null in place of the list.
    case keep
    /// It is left out.
    case drop
  }

  /// The columns, or paths into them, that hold the lists, in order.
  public var paths: [ColumnReference]

  /// What becomes of a row whose list is empty.
  public var empty: EmptyList

  /// Creates the value of the options.
  public init(_ paths: [ColumnReference], empty: EmptyList = .keep) {
    (self.paths, self.empty) = (paths, empty)
  }
}

/// Makes of each row one row for each element of a list in it; the other cells are repeated: `--explode`.
///
/// The element takes the list's place, also inside of an object. A row without a list stays as it is.
struct Exploder: RowMaker {
  /// The column that holds the list, or an object with it, and all other meanings of its name, the longest first.
  private let ways: [ResolvedColumn]

  private let keepsEmpty: Bool

  /// The column, as messages name it.
  private let name: String

  /// The first rows of the batch that have a list and another value.
  private var firstList: Int?
  private var firstOther: OtherValue?

  /// Whether a row had a list, and the first other value.
  private var hasLists = false
  private var other: OtherValue?

  /// A value that is no list.
  private struct OtherValue {
    let row: Int
    let place: RowPlace
    let text: [UInt8]
  }

  private var batch: Batch?
  private var row = 0

  /// The list of the row, and the elements that no row was made of yet.
  private var list: (place: ListPlace, rest: JSONItems)?

  /// Where a list is.
  private struct ListPlace {
    var column: Int
    var cell: Cell
    var range: Range<Int>
    var isWhole: Bool
  }

  /// Binds the column.
  init(_ path: ColumnReference, _ explosion: Explosion, _ binder: inout Binder) throws(Failure) {
    keepsEmpty = explosion.empty == .keep
    let column: ResolvedColumn
    do { column = try binder.schema.resolve(path) } catch {
      throw .column(option: PlannedStep.Work.explode.rawValue, error)
    }
    name = binder.schema.name(of: column)
    ways = (column.longer + [column]).map { ResolvedColumn(index: $0.index, path: $0.path) }
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] { [PlannedStep(work: .explode, holding: .batch)] }

  mutating func take(_ batch: Batch) {
    self.batch = batch
    (row, list) = (0, nil)
    (firstList, firstOther) = (nil, nil)
  }

  mutating func settle(through row: Int?) {
    let last = row ?? .max
    if let firstList, firstList <= last { hasLists = true }
    if let firstOther, firstOther.row <= last { other = other ?? firstOther }
  }

  func notices(_ sources: [Source]) -> [Notice] {
    guard !hasLists, let other else { return [] }
    let place = InputError.Location(other.place, sources)
    return [.nothingExploded(column: name, first: place, text: other.text)]
  }

  mutating func next() -> (batch: Batch, sources: [UInt32])? {
    guard let batch else { return nil }
    var assembler = RowAssembler(batch)
    var sources: [UInt32] = []
    var text = ByteBuffer()
    while row < batch.rowCount, assembler.hasRoom {
      assembler.begin(row)
      if list == nil, let place = listPlace(in: batch) {
        let items = JSONItems(ofListAt: place.range, batch.content(place.cell))
        if items.isAtEnd {
          if keepsEmpty {
            append(nil, of: place, to: &assembler, using: &text)
            sources.append(UInt32(row))
          }
          row += 1
          continue
        }
        list = (place, items)
      }
      guard let place = list?.place else {
        assembler.append(copyOf: row)
        sources.append(UInt32(row))
        row += 1
        continue
      }
      var isOver = false
      while !isOver, assembler.hasRoom {
        if let item = list?.rest.next(batch.content(place.cell)) {
          append(item, of: place, to: &assembler, using: &text)
          sources.append(UInt32(row))
          isOver = list?.rest.isAtEnd ?? true
        } else {
          isOver = true
        }
      }
      if isOver { (row, list) = (row + 1, nil) }
    }
    if row == batch.rowCount { self.batch = nil }
    return (assembler.finish(), sources)
  }

  /// Where the list of the row is; `nil` if it has none.
  private mutating func listPlace(in batch: Batch) -> ListPlace? {
    let place = findList(in: batch)
    if place != nil { firstList = firstList ?? row }
    return place
  }

  /// The same, and notes the first value that is none.
  private mutating func findList(in batch: Batch) -> ListPlace? {
    for way in ways {
      let found = batch.value(of: way, row: row)
      if found.kind == .missing { continue }
      var place = ListPlace(
        column: way.index, cell: found.cell, range: found.place, isWhole: found.isWhole)
      if found.kind == .list { return place }
      // A cell of csv may spell one.
      guard found.isWhole, found.kind == .text, batch.origin.dialect.form != .json,
        let whole = JSONText.whole(batch.content(found.cell)), whole.kind == .list
      else {
        if !hasLists, firstOther == nil, !found.cell.isNull, found.kind != .null {
          var text = ByteBuffer()
          found.appendText(of: batch.content(found.cell), to: &text)
          firstOther = OtherValue(
            row: row, place: RowPlace(row, of: batch), text: Array(copying: text.span.extracting(first: 256)))
        }
        return nil
      }
      place.range = whole.start..<whole.end
      return place
    }
    return nil
  }

  /// Adds the row of an element; `nil` for null.
  private func append(
    _ item: JSONScanner.Value?, of list: ListPlace, to assembler: inout RowAssembler,
    using text: inout ByteBuffer
  ) {
    guard let batch else { return }
    let isJSON = batch.origin.dialect.form == .json
    let content = batch.content(list.cell)
    let cell: Cell
    text.truncate(to: 0)
    if list.isWhole {
      if let item { text.append(textOf: item, content) }
      let kind = item?.kind ?? .null
      let isNested = kind == .list || kind == .object
      cell = assembler.note(
        text.span, isJSON || kind == .null || isNested ? kind : .text, isText: kind == .text,
        inPlaceOf: list.cell)
    } else {
      text.append(content.extracting(..<list.range.lowerBound))
      if let item {
        let quotes = item.kind == .text ? 1 : 0
        text.append(content.extracting(item.start - quotes..<item.end + quotes))
      } else {
        text.append("null")
      }
      text.append(content.extracting(list.range.upperBound...))
      cell = assembler.note(text.span, list.cell.kind, inPlaceOf: list.cell)
    }
    assembler.append(copyOf: row, with: (list.column, cell))
  }
}

extension PlannedStep.Work {
  static let explode = Self(rawValue: "--explode")
}

extension Exploder {
  /// Rows are made here; what comes after that is done here, too.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.explosion != nil { query.leave(PlannedStep.Work.explode.rawValue) }
  }
}
