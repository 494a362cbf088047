/// A file that is read before the input, and must fit into memory: a table of `--lookup`, a form.
struct SideFile {
  /// How such files are read.
  struct Opening {
    fileprivate var options = InputOptions()
    fileprivate let memory: Int
    fileprivate let recordLimit: Int
    fileprivate let tuning: Tuning
    fileprivate let open: (Source) throws(SystemError) -> ByteSource

    /// Files are read in the form that their names or their first bytes indicate.
    ///
    /// - Parameters:
    ///   - input: how the input is read: which words are null, and what to do with ragged rows.
    ///   - memory: the budget.
    ///   - recordLimit: the maximum number of bytes in a record.
    init(
      like input: InputOptions, memory: Int, recordLimit: Int, _ tuning: Tuning,
      _ open: @escaping (Source) throws(SystemError) -> ByteSource
    ) {
      options.nullWords = input.nullWords
      options.ragged = input.ragged
      options.quotedEmptyIsText = input.quotedEmptyIsText
      self.memory = memory
      self.recordLimit = recordLimit
      self.tuning = tuning
      self.open = open
    }

    /// Files are read by these options.
    init(
      _ options: InputOptions, memory: Int, recordLimit: Int,
      _ open: @escaping (Source) throws(SystemError) -> ByteSource
    ) {
      self.options = options
      self.memory = memory
      self.recordLimit = recordLimit
      tuning = Tuning()
      self.open = open
    }

    /// The same for JSON that tabler wrote, whatever its file is called.
    var ofJSON: Opening {
      var opening = self
      opening.options = InputOptions()
      opening.options.form = .json
      return opening
    }

    /// The room for what is kept of a file: a part of the budget, but never less than 16 MiB.
    func room(ofBudget part: Int) -> Int { max(memory / part, tuning.sideRoom) }
  }

  /// The columns of the file.
  let schema: Schema

  /// What there is to say of it.
  let notices: [InputNotice]

  /// Reads a file, in one pass.
  ///
  /// - Parameters:
  ///   - room: the bytes that what is kept of the file may take; afterwards those that are left, and negative if there
  ///     were not enough: then only a part was read.
  ///   - keep: called with each batch; returns the bytes that it keeps beside it.
  init(
    _ source: Source, _ opening: Opening, room: inout Int, keep: (Batch, Schema) -> Int
  ) throws(InputError) {
    let reader = InputReader(
      [source], options: opening.options, mayGrow: true, memory: opening.memory,
      recordLimit: opening.recordLimit, opening.tuning, open: opening.open)
    try reader.open()
    var tally = reader.tally
    while room >= 0, let batch = try reader.next() {
      tally.count(reader.findings)
      room -= batch.memory + keep(batch, reader.schema)
    }
    tally.count(reader.findings)
    schema = reader.schema
    notices = reader.notices + tally.notices
  }
}
