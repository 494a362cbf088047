/// Writes records of JSON input as they are: their own members in their own order, without white space.
struct JSONRecord: ~Copyable {
  /// Keys that are left out.
  private var hidden: Set<[UInt8]>

  /// The strings that are null.
  private let nullWords: [[UInt8]]

  /// How many stretches of bytes were not UTF-8 and became U+FFFD.
  private(set) var replacementCount = 0

  private var members: [Member] = []

  /// A key and its value.
  private struct Member {
    var key: JSONScanner.Value
    var value: JSONScanner.Value
  }

  /// Creates a writer that leaves out some keys and knows some strings as null.
  init(hiding hidden: [String], nullWords: [[UInt8]]) {
    self.hidden = Set(hidden.map { Array($0.utf8) })
    self.nullWords = nullWords
  }

  /// Leaves out these keys from now on.
  mutating func hide(_ keys: [String]) { hidden = Set(keys.map { Array($0.utf8) }) }

  /// Appends the members of the record, without the braces round them; of a repeated key the last.
  mutating func append(membersOfRow row: Int, of batch: Batch, to out: inout ByteBuffer) {
    let start = Int(batch.recordStarts[row])
    let text = batch.block.span(from: start, count: Int(batch.recordStarts[row &+ 1]) &- start, heldBy: batch)
    findMembers(text)
    let repeated = mayRepeat(row, of: batch) ? earlierOfRepeated(text) : []
    let begin = out.count
    for (place, member) in members.enumerated() {
      if isHidden(member.key, text) || repeated.contains(place) { continue }
      if out.count > begin { out.append(UInt8(ascii: ",")) }
      append(member.key, text, to: &out)
      out.append(UInt8(ascii: ":"))
      append(member.value, text, to: &out)
    }
  }
}

extension JSONRecord {
  /// Notes the members of the object in `text`, which may have the commas and brackets of an array round it.
  private mutating func findMembers(_ text: Span<UInt8>) {
    members.removeAll(keepingCapacity: true)
    var start = 0
    while start < text.count, text[start] != UInt8(ascii: "{") { start &+= 1 }
    guard start < text.count else { return }
    var scanner = JSONScanner(at: start + 1)
    scanner.skipSpace(text)
    while scanner.offset < text.count, text[scanner.offset] == UInt8(ascii: "\"") {
      guard let key = try? scanner.key(text), let value = try? scanner.value(text) else { return }
      members.append(Member(key: key, value: value))
      scanner.skipSpace(text)
      guard scanner.offset < text.count, text[scanner.offset] == UInt8(ascii: ",") else { return }
      scanner.offset += 1
      scanner.skipSpace(text)
    }
  }

  private mutating func append(_ value: JSONScanner.Value, _ text: Span<UInt8>, to out: inout ByteBuffer) {
    let spelled = text.extracting(value.start..<value.end)
    if value.kind == .text {
      if JSONText.isNullWord(spelled, nullWords) { return out.append("null") }
      out.append(UInt8(ascii: "\""))
      append(whole: spelled, isPlain: value.isPlain, to: &out)
      out.append(UInt8(ascii: "\""))
    } else if value.isEscaped || !nullWords.isEmpty {
      if value.isPlain { return JSONText.compact(spelled, nulls: nullWords, into: &out) }
      replacementCount &+= out.appendRepaired { JSONText.compact(spelled, nulls: nullWords, into: &$0) }
    } else {
      append(whole: spelled, isPlain: value.isPlain, to: &out)
    }
  }

  private mutating func append(whole text: Span<UInt8>, isPlain: Bool, to out: inout ByteBuffer) {
    if isPlain { out.append(text) } else { replacementCount &+= out.append(repairing: text) }
  }

  /// Whether a key may stand twice: the reader found fewer cells than there are members, or did not count so few.
  private func mayRepeat(_ row: Int, of batch: Batch) -> Bool {
    guard members.count > 1 else { return false }
    return members.count < batch.columnCount / 16 || members.count != knownMembers(row, of: batch)
  }

  /// How many cells the reader found in the record.
  private func knownMembers(_ row: Int, of batch: Batch) -> Int {
    var count = 0
    for column in 0..<batch.columnCount {
      let cell = batch.cell(row: row, column: column)
      if cell.kind != .missing, !batch.isComputed(cell) { count &+= 1 }
    }
    return count
  }

  private func isHidden(_ key: JSONScanner.Value, _ text: Span<UInt8>) -> Bool {
    if hidden.isEmpty { return false }
    let name = decoded(key, text)
    return hidden.contains(name)
  }

  /// The members that have the key of a later one.
  private func earlierOfRepeated(_ text: Span<UInt8>) -> Set<Int> {
    var last: [[UInt8]: Int] = [:]
    var repeated: Set<Int> = []
    for (place, member) in members.enumerated() {
      if let earlier = last.updateValue(place, forKey: decoded(member.key, text)) { repeated.insert(earlier) }
    }
    return repeated
  }

  private func decoded(_ key: JSONScanner.Value, _ text: Span<UInt8>) -> [UInt8] {
    var name = ByteBuffer(capacity: key.end - key.start)
    JSONText.decode(text.extracting(key.start..<key.end), into: &name)
    return name.array()
  }
}
