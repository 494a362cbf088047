/// Verifies that every row has an `--id`, and one of its own, if an interactive page lets readers change cells: a change names
/// its row by that.
///
/// It sees the rows as they are in the file, those that later steps leave out among them.
struct IdentityChecker: RowStep {
  /// Where a row with an identity begins.
  private struct Place: BitwiseCopyable {
    let source: UInt32
    let line: Int
  }

  private let columns: [SelectedColumn]
  private let reader: RowKeyReader
  private var known = DigestTable<Place>()
  private var found: Failure?
  private let sources: [Source]

  /// The maximum size of the identities, in bytes.
  private let room: Int

  /// Prepares to verify the rows that a plan writes into a page; `nil` if it writes none that can be edited.
  init?(_ plan: borrowing Plan, _ binder: inout Binder) throws(Failure) {
    guard plan.output.page?.editable != nil, let list = plan.rowKeys else { return nil }
    do { columns = try binder.schema.select(list) } catch { throw .column(option: "--id", error) }
    sources = plan.sources
    room = binder.context.keyRoom
    reader = RowKeyReader(
      keys: columns.map(\.column), compared: [], dialect: nil, marksEmpty: false, declared: [:],
      seeds: (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max)))
  }

  /// Nothing: no option asks for it.
  func planned(_ schedule: Schedule) -> [PlannedStep] { [] }

  mutating func apply(to rows: inout BatchRows) {
    if found != nil { return }
    let batch = rows.batch
    var text = ByteBuffer()
    for row in rows.numbersOfRows.lazy.map(Int.init) {
      let identity = reader.key(of: batch, row, takesRecord: false, using: &text).identity
      let place = Place(source: UInt32(batch.source(ofRow: row)), line: batch.line(ofRow: row))
      if identity == .none {
        found = .emptyID(location(place), remedy: [])
        return
      }
      let (number, isNew) = known.insert(identity, place)
      if !isNew {
        found = .repeatedID(
          key(of: batch, row), first: location(known[number]), second: location(place), remedy: [])
        return
      }
    }
    if known.memory > room { found = .identitiesTooLarge }
  }

  func failure(_ sources: [Source]) -> Failure? { found }

  private func location(_ place: Place) -> InputError.Location {
    InputError.Location(path: sources[Int(place.source)].path, line: place.line)
  }

  /// What identifies a row, for a message.
  private func key(of batch: Batch, _ row: Int) -> [RowKey] {
    columns.map { column in
      var text = ByteBuffer()
      batch.append(comparedTextOf: column.column, row: row, to: &text)
      return RowKey(column: column.name, text: text.array())
    }
  }
}

extension IdentityChecker {
  /// A page of what an engine answers cannot be edited.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {}
}
