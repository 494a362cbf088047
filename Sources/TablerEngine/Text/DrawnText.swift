/// How much of a text is drawn.
///
/// Text is escaped before it is measured and broken into lines, and may take four times the memory then. So that memory
/// stays bounded (R52), very long texts are cut; data goes out whole in every other form.
enum DrawnText {
  /// The bytes of escaped text that are drawn of one row, about.
  static let longest = 24 << 20

  /// The bytes that are drawn of a title, about.
  static let longestTitle = 4 << 20

  /// Where a text ends that is not to take more than `room` bytes when it is escaped.
  @inline(__always)
  static func end(of text: Span<UInt8>, room: Int) -> Int {
    text.count <= room / 4 ? text.count : cut(text, room)
  }

  /// The same for a long text: a byte becomes at most four, one that is printable stays one.
  @inline(never)
  private static func cut(_ text: Span<UInt8>, _ room: Int) -> Int {
    var length = 0
    var offset = 0
    while offset < text.count {
      let plain = text.firstNotPlain(from: offset)
      if length &+ plain &- offset > room { return offset &+ max(0, room &- length) }
      length &+= plain &- offset
      offset = plain
      guard offset < text.count else { break }
      let scalar = text[offset] < 0x80 ? nil : text.scalar(at: offset)
      let size = scalar?.length ?? 1
      let isDrawn = scalar.map { $0.isWellFormed && $0.value >= 0xA0 } ?? false
      length &+= isDrawn ? size : 4 &* size
      if length > room { return offset }
      offset &+= size
    }
    return text.count
  }
}
