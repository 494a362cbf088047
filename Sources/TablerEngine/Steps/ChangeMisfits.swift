/// A change of `--apply` that does not fit the table.
public struct ChangeMisfit: Equatable, Sendable {
  /// Why it does not.
  public enum Cause: Equatable, Sendable {
    /// There is no such row.
    case gone
    /// There is a row with the id of one that is to be inserted.
    case present
    /// Two rows have the id; the number of the first.
    case repeated(row: Int)
    /// A cell says something other than what was recorded; both as far as they are quoted.
    case differs(column: String, found: [UInt8], expected: [UInt8])
  }

  /// Its place in the list.
  public let change: InputError.Location

  /// The id of the row that it is about; empty if rows have none.
  public let key: [RowKey]

  /// The position of the row before the changes.
  public let position: Int

  /// Why it does not fit.
  public let cause: Cause

  /// The place of the row in the table.
  fileprivate let place: RowPlace?

  /// The number of changes that are reported one by one.
  public static let most = 100
}

/// The changes of `--apply` that do not fit the table.
struct ChangeMisfits: Sendable {
  /// The number of changes.
  let total: Int

  /// The number of those that do not fit.
  private(set) var count = 0

  /// The first ones.
  private var first: [ChangeMisfit] = []

  /// What is there instead, if the changes are kept.
  private(set) var ours: [Int: [UInt8]] = [:]

  /// The bytes that it may still take.
  private(set) var room: Int

  private let keeps: Bool

  /// Creates an empty count.
  ///
  /// - Parameters:
  ///   - total: the number of changes.
  ///   - keeps: whether what is there instead is kept, and they are not reported.
  ///   - room: the bytes that it may take.
  init(total: Int, keeps: Bool, room: Int) {
    self.total = total
    self.keeps = keeps
    self.room = room
  }

  /// Adds a change that does not fit; `row` of `batch` is there instead, if any is.
  mutating func add(
    _ change: Int, in list: ChangeList, _ cause: ChangeMisfit.Cause, _ row: Int = 0, of batch: Batch? = nil,
    ours: [UInt8]
  ) {
    count += 1
    if keeps {
      room -= ours.count + 64
      if room >= 0 { self.ours[change] = ours }
    } else if count <= ChangeMisfit.most {
      first.append(
        ChangeMisfit(
          change: list.place(of: change), key: list.key(of: change), position: list.changes[change].from,
          cause: cause, place: batch.map { RowPlace(row, of: $0) }))
    }
  }

  /// The changes one by one, and a count if there are others.
  func notices(_ sources: [Source]) -> [Notice] {
    first.map { misfit in
      .unfit(misfit, misfit.place.map { InputError.Location($0, sources) })
    } + (count > first.count && !keeps ? [.unfitCount(count)] : [])
  }
}
