/// What became of a row of an older table, if the table is compared with one (`--diff`).
///
/// The raw value is the content of the column `change`.
enum RowChange: String, Sendable {
  case insert
  case delete
  case update
  case move
  case moveAndUpdate = "move+update"

  /// Whether cells of the row have other values.
  var isUpdate: Bool { self == .update || self == .moveAndUpdate }

  /// Whether the row stands at another place among the others.
  var isMove: Bool { self == .move || self == .moveAndUpdate }

  /// What became of a row that both tables have; `nil` if nothing did.
  init?(isMoved: Bool, isUpdated: Bool) {
    if isMoved {
      self = isUpdated ? .moveAndUpdate : .move
    } else if isUpdated {
      self = .update
    } else {
      return nil
    }
  }

  /// What the column `change` says of a row; `nil` of one that is as it was.
  init?(_ batch: Batch, _ row: Int, in columns: ChangeColumns) {
    let cell = batch.cell(row: row, column: columns.change)
    guard cell.kind != .missing else { return nil }
    let content = batch.content(cell)
    switch content[0] {
    case UInt8(ascii: "i"): self = .insert
    case UInt8(ascii: "d"): self = .delete
    case UInt8(ascii: "u"): self = .update
    default: self = content.count == RowChange.move.rawValue.utf8.count ? .move : .moveAndUpdate
    }
  }
}

/// The columns that a comparison adds to rows, as indices of a schema.
struct ChangeColumns: Equatable, Sendable {
  /// What became of the row.
  let change: Int

  /// Its number in the old table, if it was there.
  let from: Int

  /// Its number in the new table, if it is there.
  let to: Int

  /// The old values of its changed cells, as JSON.
  let was: Int

  /// The names that expressions and templates know the columns by, in this order.
  static let names = ["change", "from", "to", "was"]

  /// Adds the columns to a schema.
  init(_ schema: inout Schema) {
    let indices = Self.names.map { schema.reserve(name: $0) }
    (change, from, to, was) = (indices[0], indices[1], indices[2], indices[3])
  }
}

/// How changes are drawn.
struct ChangeSigns: Sendable {
  /// Between the places of a row that was moved, and, with blanks, between the values of a cell.
  let arrow: String

  /// Before the places of a row that was moved.
  let moved: String

  /// Whether marks are words: where they are all that there is to hear.
  let areWords: Bool

  /// The signs of `options`.
  init(_ options: LayoutOptions, areWords: Bool = false) {
    self.areWords = areWords
    arrow = options.isASCII ? "->" : "→"
    moved = options.isASCII ? ">" : "↕"
  }

  /// Appends the mark of a row: what became of it, and its places.
  func append(_ batch: Batch, _ row: Int, _ columns: ChangeColumns, to out: inout ByteBuffer) {
    if areWords { return append(wordsFor: batch, row, columns, to: &out) }
    func appendPlace(_ column: Int) { out.append(batch.content(batch.cell(row: row, column: column))) }
    switch RowChange(batch, row, in: columns) {
    case nil: break
    case .insert?:
      out.append("+ ")
      appendPlace(columns.to)
    case .delete?:
      out.append("- ")
      appendPlace(columns.from)
    case .update?: out.append("~")
    case .move?, .moveAndUpdate?:
      out.append(moved)
      if RowChange(batch, row, in: columns) == .moveAndUpdate { out.append("~") }
      out.append(" ")
      appendPlace(columns.from)
      out.append(arrow)
      appendPlace(columns.to)
    }
  }

  /// Appends ` (+25 %)`: by how much a number has changed, in hundredths of the old one; nothing for changes from 0.
  static func append(deltaFrom old: Number, to new: Number, _ marks: NumberMarks, to out: inout ByteBuffer) {
    let zero = Number.int(0)
    let size = old < zero ? zero.subtracting(old) : old
    guard let share = new.subtracting(old).multiplied(by: .int(100)).divided(by: size) else { return }
    if !share.isFinite { return }
    let magnitude = share < zero ? zero.subtracting(share) : share
    let decimals = magnitude < .int(1) ? 2 : magnitude < .int(10) ? 1 : 0
    out.append(share < zero ? " (-" : " (+")
    NumberWriter.append(magnitude.rounded(to: decimals), marks: marks, to: &out)
    out.append(" %)")
  }

  /// Appends the same in words.
  func append(wordsFor batch: Batch, _ row: Int, _ columns: ChangeColumns, to out: inout ByteBuffer) {
    func appendPlace(_ words: String, _ column: Int) {
      out.append(words)
      out.append(batch.content(batch.cell(row: row, column: column)))
    }
    let change = RowChange(batch, row, in: columns)
    switch change {
    case nil: break
    case .insert?: appendPlace("inserted at ", columns.to)
    case .delete?: appendPlace("deleted from ", columns.from)
    case .update?: out.append("updated")
    case .move?, .moveAndUpdate?:
      out.append(change == .move ? "" : "updated and ")
      appendPlace("moved from ", columns.from)
      appendPlace(" to ", columns.to)
    }
  }
}
