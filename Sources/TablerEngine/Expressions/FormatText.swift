/// The text of `format("{} of {:8.2f}", a, b)`: pieces with arguments between them.
struct FormatText: Sendable {
  private enum TextPiece: Sendable {
    case text([UInt8])
    case argument(ValueFormat?)
  }

  private var pieces: [TextPiece] = []

  /// Reads the text; nil if a brace or a spec is wrong.
  init?(_ text: Span<UInt8>) {
    var literal: [UInt8] = []
    var offset = 0
    while offset < text.count {
      let byte = text[offset]
      guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") else {
        literal.append(byte)
        offset += 1
        continue
      }
      if offset + 1 < text.count, text[offset + 1] == byte {
        literal.append(byte)
        offset += 2
        continue
      }
      guard byte == UInt8(ascii: "{"), let end = Self.end(of: text, from: offset) else { return nil }
      var spec: ValueFormat?
      if end > offset + 1 {
        guard text[offset + 1] == UInt8(ascii: ":"),
          let read = try? ValueFormat(text.extracting(offset + 2..<end))
        else { return nil }
        spec = read
      }
      pieces.append(.text(literal))
      pieces.append(.argument(spec))
      literal = []
      offset = end + 1
    }
    pieces.append(.text(literal))
  }

  private static func end(of text: Span<UInt8>, from start: Int) -> Int? {
    for index in start..<text.count where text[index] == UInt8(ascii: "}") { return index }
    return nil
  }

  /// The text with the arguments filled in; null and missing ones are left empty.
  func filled(by arguments: [Value], _ evaluator: borrowing Evaluator) -> [UInt8]? {
    var buffer = ByteBuffer()
    var rest = arguments[...]
    for piece in pieces {
      switch piece {
      case .text(let text): buffer.append(text)
      case .argument(let spec): evaluator.append(rest.popFirst() ?? .null, spec, to: &buffer)
      }
      if buffer.count > evaluator.context.longestText { return nil }
    }
    return buffer.array()
  }
}
