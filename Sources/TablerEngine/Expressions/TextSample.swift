/// A sample of many texts, which does not depend on the pieces and the order in which rows come.
///
/// It holds the texts with the smallest hashes. A single long text among thousands of short ones may be the
/// largest value, so it also holds the first and the last text of each *shape*: texts that differ only in
/// their digits. If there are very many shapes, it holds those with the smallest hashes.
struct TextSample: Sendable {
  /// A text, and the first row that it was found in, if known.
  struct Member: Sendable {
    let text: [UInt8]
    fileprivate(set) var place: SourceRow?
  }

  /// A row of the input.
  struct SourceRow: Sendable {
    /// The input, as an index into the plan's sources.
    var source: Int
    /// The line its record begins on, counted from 1.
    var line: Int
    /// The row, counted from 1 over all inputs.
    var row: Int
  }

  private struct Hashed: Sendable {
    let hash: UInt64
    var member: Member
  }

  private struct Shape: Sendable {
    let hash: UInt64
    var first: Member
    var last: Member
  }

  /// The texts in the order of their hashes.
  private var members: [Hashed] = []
  private var shapes: [Shape] = []

  private let mostMembers: Int
  private let mostShapes: Int

  /// Begins without texts.
  ///
  /// - Parameters:
  ///   - mostMembers: how many texts it holds.
  ///   - mostShapes: the number of shapes of which it holds two texts each.
  init(mostMembers: Int = 128, mostShapes: Int = 48) {
    self.mostMembers = mostMembers
    self.mostShapes = mostShapes
  }

  /// The texts, each once, sorted by their bytes.
  var texts: [[UInt8]] {
    Set(all.map(\.text)).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether it holds all texts.
  var isComplete: Bool { members.count < mostMembers }

  /// The texts, some of them twice.
  var all: [Member] { members.map(\.member) + shapes.flatMap { [$0.first, $0.last] } }

  /// The approximate bytes that it takes besides itself.
  var byteCount: Int { (members.count + 2 * shapes.count) * (MemoryLayout<Hashed>.stride + 64) }

  /// Adds a text.
  mutating func addText(_ text: Span<UInt8>, at place: SourceRow? = nil) {
    var (hash, shape) = (Self.basis, Self.basis)
    for index in text.indices {
      let byte = text[index]
      hash = (hash ^ UInt64(byte)) &* Self.prime
      shape = (shape ^ UInt64(byte.isDigit ? UInt8(ascii: "0") : byte)) &* Self.prime
    }
    (hash, shape) = (Self.mixed(hash), Self.mixed(shape))
    let known = Self.place(of: hash, among: members.count) { members[$0].hash }
    if !known.isNew {
      members[known.index].member.widen(to: place)
    } else if known.index < mostMembers {
      let member = Member(text: Array(copying: text), place: place)
      members.insert(Hashed(hash: hash, member: member), at: known.index)
      if members.count > mostMembers { members.removeLast() }
    }
    addShape(shape, text, place, text, place)
  }

  /// Adds the sample of another part of the same rows.
  mutating func merge(_ other: TextSample) {
    for member in other.members {
      let known = Self.place(of: member.hash, among: members.count) { members[$0].hash }
      if known.isNew {
        members.insert(member, at: known.index)
      } else {
        members[known.index].member.widen(to: member.member.place)
      }
    }
    members.removeLast(max(0, members.count - mostMembers))
    for shape in other.shapes {
      addShape(shape.hash, shape.first.text.span, shape.first.place, shape.last.text.span, shape.last.place)
    }
  }

  /// Adds the first and the last text of one shape.
  private mutating func addShape(
    _ hash: UInt64, _ first: Span<UInt8>, _ firstPlace: SourceRow?, _ last: Span<UInt8>,
    _ lastPlace: SourceRow?
  ) {
    let known = Self.place(of: hash, among: shapes.count) { shapes[$0].hash }
    if !known.isNew {
      shapes[known.index].first.replace(by: first, firstPlace, ofSign: -1)
      shapes[known.index].last.replace(by: last, lastPlace, ofSign: 1)
    } else if known.index < mostShapes {
      let first = Member(text: Array(copying: first), place: firstPlace)
      let last = Member(text: Array(copying: last), place: lastPlace)
      shapes.insert(Shape(hash: hash, first: first, last: last), at: known.index)
      if shapes.count > mostShapes { shapes.removeLast() }
    }
  }
}

extension TextSample.Member {
  /// Replaces the text by one that is below, or above it, depending on the sign.
  fileprivate mutating func replace(by other: Span<UInt8>, _ place: TextSample.SourceRow?, ofSign sign: Int) {
    let order = other.order(against: text.span).signum()
    if order == 0 { return widen(to: place) }
    if order == sign { self = TextSample.Member(text: Array(copying: other), place: place) }
  }

  /// Records another row with the text.
  fileprivate mutating func widen(to other: TextSample.SourceRow?) {
    if let other, let place, other.row < place.row { self.place = other }
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

  /// The index of `hash` among `count` ascending ones, and whether it is not there yet.
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
}
