/// The forms of a run: the records of `--preamble` and `--postamble`.
struct FormFiles {
  /// The form above the table.
  private(set) var preamble: Form?

  /// The form below it.
  private(set) var postamble: Form?

  /// The bytes that a form may take with almost no budget.
  private static let leastRoom = 16 << 20

  /// The approximate bytes that a field takes besides those of its texts.
  private static let fieldSize = 64

  /// Reads the forms of a plan, each in the form of input that its name or its first bytes indicate; none if
  /// the output is not for people.
  init(
    _ plan: Plan, _ tuning: Tuning, _ open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) {
    guard plan.output.form.isDisplay else { return }
    if let path = plan.preamble { preamble = try read(path, plan, tuning, open) }
    if let path = plan.postamble { postamble = try read(path, plan, tuning, open) }
  }

  /// Reads a form; `nil` if its file gives neither fields nor notices.
  private func read(
    _ path: FilePath, _ plan: Plan, _ tuning: Tuning,
    _ open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) -> Form? {
    var options = InputOptions()
    options.nullWords = plan.input.nullWords
    options.ragged = plan.input.ragged
    options.quotedEmptyIsText = plan.input.quotedEmptyIsText
    let reader = InputReader(
      [.file(path)], options: options, mayGrow: true, memory: plan.memory, recordLimit: plan.recordLimit,
      tuning, open: open)
    var form = Form()
    var room = max(plan.memory / 8, Self.leastRoom)
    do {
      try reader.open()
      var tally = reader.tally
      while room >= 0, let batch = try reader.next() {
        tally.take(reader.findings)
        room -= batch.memory + batch.rowCount * reader.schema.columns.count * Self.fieldSize
        for row in 0..<batch.rowCount { form.records.append(Self.fields(reader.schema, batch, row)) }
      }
      tally.take(reader.findings)
      form.notices = reader.notices + tally.notices
    } catch { throw .input(error) }
    if room < 0 { throw .formTooLarge(path: path) }
    form.records.removeAll { $0.isEmpty }
    return form.records.isEmpty && form.notices.isEmpty ? nil : form
  }

  /// The fields of a record, except missing ones.
  private static func fields(_ schema: Schema, _ batch: Batch, _ row: Int) -> [Form.Field] {
    schema.shown.compactMap { index in
      let cell = batch.cell(row: row, column: index)
      if cell.kind == .missing { return nil }
      return Form.Field(
        label: schema.columns[index].title, value: cell.isAbsent ? nil : Array(copying: batch.content(cell)))
    }
  }
}
