/// Reads the source of a pattern in RE2's syntax.
///
/// Without back-references, look-around and `\C`. `\d \w \s \b` and the POSIX classes are ASCII, as in
/// RE2; `x` (blanks and `#` comments mean nothing) is added to its flags. Groups may nest 200 deep.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  /// Where each scalar begins in the source, and its end.
  private let offsets: [Int]

  /// The place, counted in scalars.
  var index = 0
  /// The flags that hold at the place.
  var flags: PatternFlags
  /// How many groups are open.
  var depth = 0
  /// How many groups were opened that note their place.
  var groupCount = 0
  /// Their names.
  var groupNames: [String: Int] = [:]

  /// Creates a parser at the start of `source`.
  init(_ source: String, flags: PatternFlags) {
    scalars = Array(source.unicodeScalars)
    var offset = 0
    var offsets = [0]
    offsets.reserveCapacity(scalars.count + 1)
    for scalar in scalars {
      offset += UTF8.width(scalar)
      offsets.append(offset)
    }
    self.offsets = offsets
    self.flags = flags
  }

  /// Parses all of the source.
  mutating func parse() throws(PatternError) -> PatternNode {
    let node = try alternatives()
    if next != nil { throw error(.unopenedGroup, from: index, to: index + 1) }
    return node
  }
}

extension PatternParser {
  /// The scalar at the place; nil at the end.
  var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  /// The scalar `distance` after the place.
  func peek(_ distance: Int) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  /// Takes `scalar` if it is next.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  /// Takes `text` if it is next.
  mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard index + wanted.count <= scalars.count, scalars[index..<index + wanted.count].elementsEqual(wanted)
    else { return false }
    index += wanted.count
    return true
  }

  /// A mistake from one scalar up to another, or to the place.
  func error(_ kind: PatternError.Kind, from start: Int, to end: Int? = nil) -> PatternError {
    let last = offsets.count - 1
    return PatternError(kind: kind, range: offsets[min(start, last)]..<offsets[min(end ?? index, last)])
  }

  /// Passes blanks and comments over where they mean nothing.
  mutating func skipBlanks() {
    guard flags.contains(.extended) else { return }
    while let scalar = next {
      if scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value) {
        index += 1
      } else if scalar == "#" {
        while let scalar = next, scalar != "\n" { index += 1 }
      } else {
        return
      }
    }
  }

  /// Branches parted by `|`.
  mutating func alternatives() throws(PatternError) -> PatternNode {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var items: [PatternNode] = []
    while true {
      skipBlanks()
      guard let scalar = next, scalar != "|", scalar != ")" else { break }
      let start = index
      if take("\\Q") {
        quoted(into: &items)
        if let last = items.popLast() { items.append(try repeated(last, from: start)) }
        continue
      }
      guard let item = try atom() else { continue }
      items.append(try repeated(item, from: start))
    }
    return items.isEmpty ? .empty : items.count == 1 ? items[0] : .sequence(items)
  }

  /// Takes what stands up to `\E` as it is.
  private mutating func quoted(into items: inout [PatternNode]) {
    while let scalar = next, !take("\\E") {
      items.append(literal(scalar.value))
      index += 1
    }
  }

  /// The scalar as it stands, or in either case.
  func literal(_ value: UInt32) -> PatternNode {
    let scalar = PatternScalars(scalar: value)
    return .scalars(flags.contains(.ignoresCase) ? PatternFolding.folded(scalar) : scalar)
  }

  /// One atom; nil for a group that only sets flags.
  private mutating func atom() throws(PatternError) -> PatternNode? {
    let start = index
    guard let scalar = next else { return .empty }
    index += 1
    switch scalar {
    case "(": return try group(from: start)
    case "[": return .scalars(try characterClass(from: start))
    case ".": return .scalars(flags.contains(.dotMatchesNewline) ? .all : PatternScalars.newline.inverted)
    case "^": return .assertion(flags.contains(.multiline) ? .lineStart : .textStart)
    case "$": return .assertion(flags.contains(.multiline) ? .lineEnd : .textEnd)
    case "\\": return try escape(from: start)
    case "*", "+", "?": throw error(.nothingToRepeat, from: start)
    default: return literal(scalar.value)
    }
  }
}
