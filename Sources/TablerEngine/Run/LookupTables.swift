/// The side tables of a run: `--lookup`.
struct LookupTables {
  /// The tables by their names.
  private(set) var tables: [String: LookupTable] = [:]

  /// Their description in `--explain plan`.
  let planned = PlannedStep(work: .lookup, holding: .table)

  /// The notices from reading them.
  private(set) var notices: [Notice] = []

  /// Reads the tables of a plan, which together may take half of the budget.
  init(_ lookups: [Plan.Lookup], _ opening: SideFile.Opening) throws(Failure) {
    var room = opening.room(ofBudget: 2)
    for lookup in lookups {
      var batches: [Batch] = []
      let file: SideFile
      do {
        file = try SideFile(.file(lookup.path), opening, room: &room) { batch, _ in
          batches.append(batch)
          return batch.rowCount * LookupTable.keySize
        }
      } catch { throw .input(error) }
      notices += file.notices.map(Notice.input)
      if room < 0 { throw .lookupTooLarge(name: lookup.name, path: lookup.path) }
      let table = LookupTable(file.schema, batches)
      tables[lookup.name] = table
      if let repeated = table.repeated {
        notices.append(
          .repeatedLookupKey(path: lookup.path, key: repeated.key, count: repeated.count))
      }
    }
  }
}
