import TablerEngine

/// A line of a source with a mark below the place of a mistake.
///
///     wieght > 10 and color = "red"
///     ^~~~~~
struct Caret {
  /// A character of the line and the display cells it takes.
  private struct Glyph {
    var text: String
    var width: Int
  }

  private var glyphs: [Glyph] = []

  /// The glyphs below which the mark stands.
  private var marked = 0..<0

  /// The line of `source` that holds the beginning of `range`, which counts bytes.
  init(_ source: String, _ range: Range<Int>) {
    let bytes = Array(source.utf8)
    let low = min(range.lowerBound, bytes.count)
    let start = bytes[..<low].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[low...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let high = max(low, min(range.upperBound, end))
    append(bytes[start..<low])
    let first = glyphs.count
    append(bytes[low..<high])
    marked = first..<glyphs.count
    append(bytes[high..<end])
  }

  /// Adds a piece of the line, escaped; a tab is a blank.
  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    var buffer = ByteBuffer()
    let line = bytes.map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }
    Escaper(newlines: .escaped).append(line.span, to: &buffer)
    for character in buffer.string() {
      let text = String(character)
      glyphs.append(Glyph(text: text, width: displayWidth(of: Array(text.utf8).span)))
    }
  }

  /// The line and its mark, cut round the mark to `width` cells; nothing where the line is blank.
  func lines(width: Int) -> [String] {
    if glyphs.allSatisfy({ $0.text == " " }) { return [] }
    let window = window(width: max(width - 2, 10))
    let leading = window.lowerBound > 0 ? "..." : ""
    let trailing = window.upperBound < glyphs.count ? "..." : ""
    let text = leading + glyphs[window].map(\.text).joined() + trailing
    let indent = leading.count + cells(window.lowerBound..<marked.lowerBound)
    let length = cells(marked.clamped(to: window))
    let mark = "^" + String(repeating: "~", count: max(length - 1, 0))
    return [text, String(repeating: " ", count: indent) + mark]
  }

  private func cells(_ range: Range<Int>) -> Int { glyphs[range].reduce(0) { $0 + $1.width } }

  /// The glyphs that fit into `width` cells and show the place of the mark.
  ///
  /// 1. A line that fits is shown whole.
  /// 2. Else room is kept for dots on both sides, and the mark begins at most a third of the way in.
  private func window(width: Int) -> Range<Int> {
    if cells(glyphs.indices) + (marked.isEmpty ? 1 : 0) <= width { return glyphs.indices }
    let room = width - 6
    var start = marked.lowerBound
    while start > 0, cells(start - 1..<marked.lowerBound) <= room / 3 { start -= 1 }
    if cells(0..<marked.lowerBound) <= room / 3 { start = 0 }
    var end = start
    var used = 0
    while end < glyphs.count, used + glyphs[end].width <= room {
      used += glyphs[end].width
      end += 1
    }
    return start..<max(end, min(marked.lowerBound, glyphs.count))
  }
}
