/// A value inside a cell of JSON, as the data forms write it.
struct NestedValue {
  /// What it is; `missing` where the path leads nowhere.
  var kind: Cell.Kind

  /// The value in the cell's content: a string without its quotes, anything else whole.
  var place: Range<Int>

  /// Whether a string holds escapes, or a list or object white space.
  var isEscaped: Bool

  /// The value that `path` leads to in `content`.
  init(_ path: [PathStep], in content: Span<UInt8>) {
    if let found = JSONText.find(path, in: content) {
      kind = found.kind
      place = found.start..<found.end
      isEscaped = found.isEscaped
    } else {
      kind = .missing
      place = 0..<0
      isEscaped = false
    }
  }

  /// Appends what the value says: a string decoded, a list or object compact, null and missing not at all.
  func appendText(of content: Span<UInt8>, to out: inout ByteBuffer) {
    let spelled = content.extracting(place)
    switch kind {
    case .missing, .null, .empty: break
    case .text where isEscaped: JSONText.decode(spelled, into: &out)
    case .list, .object: JSONText.compact(spelled, into: &out)
    case .text, .number, .bool: out.append(spelled)
    }
  }

  /// Appends the value as JSON; missing as nothing.
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
      let start = out.count
      JSONText.compact(spelled, into: &out)
      replaced = out.repair(from: start)
    case .number, .bool: out.append(spelled)
    }
    return replaced
  }
}
