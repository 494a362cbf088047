/// A few of the texts of a sort key, the same ones in whatever pieces and order the rows come.
///
/// It holds the texts with the smallest hashes. A single long text among thousands of short ones may be the largest
/// value, so it also holds the first and the last text of each *shape*: texts that differ only in their digits. Of
/// very many shapes it holds those with the smallest hashes.
struct TextSample: Sendable {
  private struct Member: Sendable {
    let hash: UInt64
    let text: [UInt8]
  }

  private struct Shape: Sendable {
    let hash: UInt64
    var first: [UInt8]
    var last: [UInt8]
  }

  /// By hash.
  private var members: [Member] = []
  private var shapes: [Shape] = []

  private static let mostMembers = 128
  private static let mostShapes = 48

  /// The texts, each once, by their bytes.
  var texts: [[UInt8]] {
    Set(members.map(\.text) + shapes.map(\.first) + shapes.map(\.last)).sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  /// Takes in a text.
  mutating func note(_ text: Span<UInt8>) {
    var (hash, shape) = (Self.basis, Self.basis)
    for index in text.indices {
      let byte = text[index]
      hash = (hash ^ UInt64(byte)) &* Self.prime
      shape = (shape ^ UInt64(byte.isDigit ? UInt8(ascii: "0") : byte)) &* Self.prime
    }
    (hash, shape) = (Self.mixed(hash), Self.mixed(shape))
    let place = Self.place(of: hash, among: members.count) { members[$0].hash }
    if place.isNew, place.index < Self.mostMembers {
      members.insert(Member(hash: hash, text: Array(copying: text)), at: place.index)
      if members.count > Self.mostMembers { members.removeLast() }
    }
    note(shape, text, text)
  }

  /// Takes in what was met in another part of the same key.
  mutating func merge(_ other: TextSample) {
    for member in other.members {
      let place = Self.place(of: member.hash, among: members.count) { members[$0].hash }
      if place.isNew { members.insert(member, at: place.index) }
    }
    members.removeLast(max(0, members.count - Self.mostMembers))
    for shape in other.shapes { note(shape.hash, shape.first.span, shape.last.span) }
  }

  /// Takes in texts of one shape.
  private mutating func note(_ hash: UInt64, _ first: Span<UInt8>, _ last: Span<UInt8>) {
    let place = Self.place(of: hash, among: shapes.count) { shapes[$0].hash }
    if !place.isNew {
      let shape = shapes[place.index]
      if Self.precedes(first, shape.first.span) { shapes[place.index].first = Array(copying: first) }
      if Self.precedes(shape.last.span, last) { shapes[place.index].last = Array(copying: last) }
    } else if place.index < Self.mostShapes {
      shapes.insert(
        Shape(hash: hash, first: Array(copying: first), last: Array(copying: last)), at: place.index)
      if shapes.count > Self.mostShapes { shapes.removeLast() }
    }
  }
}

extension TextSample {
  private static var basis: UInt64 { 0xCBF2_9CE4_8422_2325 }
  private static var prime: UInt64 { 0x0000_0100_0000_01B3 }

  /// A hash whose high bits depend on all bytes, too.
  private static func mixed(_ hash: UInt64) -> UInt64 {
    let folded = (hash ^ hash &>> 33) &* 0xFF51_AFD7_ED55_8CCD
    return folded ^ folded &>> 33
  }

  /// The place of `hash` among `count` ascending ones, and whether it is not there yet.
  private static func place(
    of hash: UInt64, among count: Int, _ hashAt: (Int) -> UInt64
  ) -> (index: Int, isNew: Bool) {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if hashAt(middle) < hash { low = middle + 1 } else { high = middle }
    }
    return (low, low == count || hashAt(low) != hash)
  }

  private static func precedes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    let shared = min(left.count, right.count)
    for index in 0..<shared where left[index] != right[index] { return left[index] < right[index] }
    return left.count < right.count
  }
}
