/// The side tables of a run: `--lookup`.
struct LookupTables {
  /// The tables by their names.
  private(set) var tables: [String: LookupTable] = [:]

  /// Their description in `--explain plan`.
  let planned = PlannedStep(work: .lookup, holding: .table)

  /// The notices from reading them.
  private(set) var notices: [Notice] = []

  /// The bytes that a table may take with almost no budget.
  private static let leastRoom = 16 << 20

  /// Reads the tables of a plan, each in the form that its name or its first bytes indicate.
  ///
  /// All of them together may take half of the budget.
  ///
  /// - Parameters:
  ///   - input: how the input is read: which words are null, and what to do with ragged rows.
  ///   - memory: the budget.
  ///   - recordLimit: the maximum number of bytes in a record.
  init(
    _ lookups: [Plan.Lookup], input: InputOptions, memory: Int, recordLimit: Int, _ tuning: Tuning,
    _ open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) {
    var options = InputOptions()
    options.nullWords = input.nullWords
    options.ragged = input.ragged
    options.quotedEmptyIsText = input.quotedEmptyIsText
    var room = max(memory / 2, Self.leastRoom)
    for lookup in lookups {
      let reader = InputReader(
        [.file(lookup.path)], options: options, mayGrow: true, memory: memory, recordLimit: recordLimit,
        tuning, open: open)
      let table: LookupTable
      do {
        table = try read(reader, room: &room)
      } catch { throw .input(error) }
      if room < 0 { throw .lookupTooLarge(name: lookup.name, path: lookup.path) }
      tables[lookup.name] = table
      if let repeated = table.repeated {
        notices.append(
          .repeatedLookupKey(path: lookup.path, key: repeated.key, count: repeated.count))
      }
    }
  }

  /// Reads a table; if there is no room for it, only a part.
  private mutating func read(_ reader: InputReader, room: inout Int) throws(InputError) -> LookupTable {
    try reader.open()
    var batches: [Batch] = []
    var tally = reader.tally
    while room >= 0, let batch = try reader.next() {
      tally.take(reader.findings)
      room -= batch.memory + batch.rowCount * LookupTable.keySize
      batches.append(batch)
    }
    tally.take(reader.findings)
    notices += (reader.notices + tally.notices).map(Notice.input)
    return LookupTable(reader.schema, batches)
  }
}
