/// How much of a text is drawn.
///
/// Text is escaped before it is measured and broken into lines, and may take four times the memory then. So that memory
/// stays bounded (R52), very long texts are cut; csv, tsv, JSON and HTML write them whole.
enum DrawnText {
  /// The most bytes drawn of a row, escaped; not exact.
  static let longest = 24 << 20

  /// The most bytes drawn of a title, escaped; not exact.
  static let longestTitle = 4 << 20

  /// Where a text ends that is not to take more than `room` bytes when it is escaped.
  @inline(__always)
  static func end(of text: Span<UInt8>, room: Int) -> Int {
    text.count <= room / 4 ? text.count : cut(text, room)
  }

  /// The same for a long text: a byte becomes at most four; what an escaper copies as it stands stays as long as it is.
  @inline(never)
  private static func cut(_ text: Span<UInt8>, _ room: Int) -> Int {
    var length = 0
    var offset = 0
    while offset < text.count {
      let plain = text.firstNotPlain(from: offset)
      if length &+ plain &- offset > room { return offset &+ (room &- length) }
      length &+= plain &- offset
      offset = plain
      guard offset < text.count else { break }
      let scalar = text[offset] < 0x80 ? nil : text.scalar(at: offset)
      let size = scalar?.length ?? 1
      let isCopied =
        scalar.map {
          $0.isWellFormed && $0.value >= 0xA0 && $0.value &- 0x2028 > 0x2069 &- 0x2028
        } ?? false
      length &+= isCopied ? size : 4 &* size
      if length > room { return offset }
      offset &+= size
    }
    return text.count
  }
}

extension Escaper {
  /// Appends the harmless form of `text`, about `room` bytes at most, and `mark` where it was cut.
  @discardableResult
  func append(_ text: Span<UInt8>, room: Int, mark: CutMark, to output: inout ByteBuffer) -> Findings {
    let end = DrawnText.end(of: text, room: room)
    guard end < text.count else { return append(text, to: &output) }
    var findings = append(text.extracting(..<end), to: &output)
    output.append(mark.text)
    findings.cuts = 1
    return findings
  }
}
