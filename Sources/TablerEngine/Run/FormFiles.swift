/// The forms of a run: the records of `--preamble` and `--postamble`.
struct FormFiles {
  /// The form above the table.
  private(set) var preamble: Form?

  /// The form below it.
  private(set) var postamble: Form?

  /// The approximate bytes that a field takes besides those of its texts.
  private static let fieldSize = 64

  /// Reads the forms of a plan; none if the output is not for people.
  init(_ plan: Plan, _ opening: SideFile.Opening) throws(Failure) {
    guard plan.output.form.isDisplay else { return }
    if let path = plan.preamble { preamble = try read(path, opening) }
    if let path = plan.postamble { postamble = try read(path, opening) }
  }

  /// Reads a form; `nil` if its file gives neither fields nor notices.
  private func read(_ path: FilePath, _ opening: SideFile.Opening) throws(Failure) -> Form? {
    var form = Form()
    var room = opening.room(ofBudget: 8)
    do {
      let file = try SideFile(.file(path), opening, room: &room) { batch, schema in
        for row in 0..<batch.rowCount { form.records.append(Self.fields(schema, batch, row)) }
        return batch.rowCount * schema.columns.count * Self.fieldSize
      }
      form.notices = file.notices
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
