/// The value that a path into JSON leads to in one row: the one place that follows such paths.
///
/// It makes no difference whether a cell is JSON of the input or a text that spells JSON.
struct NestedValue {
  /// The cell that holds the value.
  let cell: Cell

  /// Whether the value is the cell itself: the record has a member of exactly the name typed.
  let isWhole: Bool

  /// The kind of value; `missing` if the path leads nowhere.
  var kind: Cell.Kind

  /// The range of the value in the cell's content: a string without its quotes, anything else whole.
  var place: Range<Int>

  /// Whether a string has escapes, or a list or object has white space.
  var isEscaped: Bool

  /// The value that `path` leads to in a cell.
  fileprivate init(_ path: [PathStep], in cell: Cell, of batch: Batch) {
    self.cell = cell
    isWhole = path.isEmpty
    if isWhole {
      kind = cell.kind
      place = 0..<cell.length
      isEscaped = false
    } else if !cell.isNull, let found = JSONText.find(path, in: batch.content(cell)) {
      kind = found.kind
      place = found.start..<found.end
      isEscaped = found.isEscaped
    } else {
      kind = .missing
      place = 0..<0
      isEscaped = false
    }
  }

  /// Appends the text of the value: a string decoded, a list or object compact, nothing for null and missing.
  func appendText(of content: Span<UInt8>, to out: inout ByteBuffer) {
    let spelled = content.extracting(place)
    switch kind {
    case .missing, .null, .empty: break
    case .text where isEscaped: JSONText.decode(spelled, into: &out)
    case .list, .object: JSONText.compact(spelled, into: &out)
    case .text, .number, .bool: out.append(spelled)
    }
  }

  /// Appends the value as JSON; nothing if it is missing.
  ///
  /// - Returns: how many stretches of bytes were not UTF-8 and became U+FFFD.
  func appendJSON(of content: Span<UInt8>, to out: inout ByteBuffer) -> Int {
    var replaced = 0
    let spelled = content.extracting(place)
    switch kind {
    case .missing: break
    case .null, .empty: out.append("null")
    case .text:
      out.append(UInt8(ascii: "\""))
      replaced = out.append(repairing: spelled)
      out.append(UInt8(ascii: "\""))
    case .list, .object:
      replaced = out.appendRepaired { JSONText.compact(spelled, into: &$0) }
    case .number, .bool: out.append(spelled)
    }
    return replaced
  }
}

extension Batch {
  /// The kind of a cell according to its form, even if it is not of the type declared for its column.
  func kindAsRead(_ cell: Cell) -> Cell.Kind {
    guard cell.isMisfit else { return cell.kind }
    guard origin.dialect.form == .json, !cell.isQuoted else { return .text }
    let content = content(cell)
    if isComputed(cell) {
      // It may be a text without quotes that no function made: of another table, for example.
      let found = escapes[cell.offset].isText ? nil : JSONText.find([], in: content)
      guard let found, found.end == content.count, found.kind != .null else { return .text }
      return found.kind
    }
    return switch content[0] {
    case UInt8(ascii: "["): .list
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    default: .number
    }
  }

  /// The value of a column with a path in a row: of all that its name may mean, the longest that the record has.
  func value(of column: ResolvedColumn, row: Int) -> NestedValue {
    for way in column.longer {
      let found = NestedValue(way.path, in: cell(row: row, column: way.index), of: self)
      if found.kind != .missing { return found }
    }
    return NestedValue(column.path, in: cell(row: row, column: column.index), of: self)
  }
}
