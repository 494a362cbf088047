/// Tells which cells of a column violate rules of `--validate`.
///
/// A batch with such cells has a hidden column: it lists, for each row, the numbers of the rules that the row
/// violates, each with the field that it is about.
final class FieldMark: Sendable {
  /// The column that has the notes.
  let column: Int

  /// The number of the field in the notes.
  private let field: UInt32

  /// The messages of the rules, in the order in which the rules were given.
  private let messages: [String]

  /// Creates the mark of a field.
  init(in column: Int, field: UInt32, messages: [String]) {
    self.column = column
    self.field = field
    self.messages = messages
  }

  /// The field number of the whole record in notes; columns have smaller numbers, and paths into them larger ones.
  static let record: UInt32 = 1 << 31

  /// The size of a note in bytes.
  fileprivate static let size = 2 * MemoryLayout<UInt32>.size

  /// Appends the note that a field violates a rule.
  static func append(rule: Int, field: UInt32, to notes: inout ByteBuffer) {
    for number in [UInt32(truncatingIfNeeded: rule), field] {
      for shift in stride(from: 0, to: 32, by: 8) {
        notes.append(UInt8(truncatingIfNeeded: number &>> shift))
      }
    }
  }

  /// Whether any field of a row has a note.
  @inline(__always)
  func isNoted(inRow row: Int, of batch: Batch) -> Bool {
    batch.cell(row: row, column: column).kind != .missing
  }

  /// Whether the field of a row violates a rule.
  func isInvalid(inRow row: Int, of batch: Batch) -> Bool {
    var isInvalid = false
    forEachRule(inRow: row, of: batch) { _ in isInvalid = true }
    return isInvalid
  }

  /// The messages of the rules that the field of a row violates, each once.
  func messages(inRow row: Int, of batch: Batch) -> [String] {
    var found: [String] = []
    forEachRule(inRow: row, of: batch) { rule in
      if rule < messages.count, !found.contains(messages[rule]) { found.append(messages[rule]) }
    }
    return found
  }

  /// Calls `body` with each rule that the field of a row violates: notes are sorted by field.
  private func forEachRule(inRow row: Int, of batch: Batch, _ body: (Int) -> Void) {
    let cell = batch.cell(row: row, column: column)
    if cell.kind == .missing { return }
    let notes = batch.content(cell)
    let count = notes.count / Self.size
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if notes.field(ofNote: middle) < field { low = middle + 1 } else { high = middle }
    }
    while low < count, notes.field(ofNote: low) == field {
      body(Int(notes.number(at: low * Self.size)))
      low += 1
    }
  }
}

extension Span<UInt8> {
  /// The field that a note is about.
  fileprivate func field(ofNote index: Int) -> UInt32 {
    number(at: index * FieldMark.size + FieldMark.size / 2)
  }

  /// The number in the four bytes from an offset on, least significant first.
  fileprivate func number(at offset: Int) -> UInt32 {
    (0..<4).reversed().reduce(0) { $0 &<< 8 | UInt32(self[offset &+ $1]) }
  }
}
