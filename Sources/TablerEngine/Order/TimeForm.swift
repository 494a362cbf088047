/// How a time of ISO 8601 is written: times of one form have the order of their texts.
struct TimeForm: Hashable {
  /// The text, with a 0 for each of its digits but those of its offset from UTC.
  private(set) var shape: [UInt8] = []

  /// Whether it ends with an offset from UTC.
  private(set) var hasOffset = false

  /// The form of a text that has a time; `nil` for others.
  init?(_ text: Span<UInt8>) {
    guard CivilDateTime(text)?.hasTime == true else { return nil }
    var isTime = false
    for index in text.indices {
      let byte = text[index]
      if isTime, !byte.isDigit, !":.,".utf8.contains(byte) { hasOffset = true }
      shape.append(byte.isDigit && !hasOffset ? UInt8(ascii: "0") : byte)
      if index >= 8, "Tt ".utf8.contains(byte) { isTime = true }
    }
  }

  /// Whether times have the order of their texts, whatever their digits are.
  ///
  /// They have if they are written with the same marks, to the same unit, and with the same offset from UTC. Times
  /// without an offset may end earlier than others.
  static func isOne(of texts: [[UInt8]]) -> Bool {
    let forms = Set(texts.compactMap { TimeForm($0.span) })
    if forms.contains(where: \.hasOffset) { return forms.count == 1 }
    let shapes = forms.map(\.shape).sorted { $0.count < $1.count }
    return zip(shapes, shapes.dropFirst()).allSatisfy { $1.starts(with: $0) }
  }
}
