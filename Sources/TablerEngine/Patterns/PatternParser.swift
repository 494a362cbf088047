/// Reads the source of a pattern in RE2's syntax.
///
/// It lacks back-references, look-around and `\C`. `\d \w \s \b` and the POSIX classes are ASCII, as in RE2;
/// the flag `x` (blanks and `#` comments are ignored) is added. Groups may be nested 200 deep.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  /// The offset of each scalar in the source, and its end.
  private let offsets: [Int]

  /// The current position, counted in scalars.
  var index = 0
  /// The flags at the current position.
  var flags: PatternFlags
  /// The number of open groups.
  var depth = 0
  /// The number of groups so far that record their range.
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
  /// The scalar at the current position; nil at the end.
  var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  /// The scalar `distance` after the current position.
  func peek(_ distance: Int) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  /// Consumes `scalar` if it is next.
  mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  /// Consumes `text` if it is next.
  mutating func consume(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard index + wanted.count <= scalars.count, scalars[index..<index + wanted.count].elementsEqual(wanted)
    else { return false }
    index += wanted.count
    return true
  }

  /// A mistake from one scalar up to another, or up to the current position.
  func error(_ kind: PatternError.Kind, from start: Int, to end: Int? = nil) -> PatternError {
    let last = offsets.count - 1
    return PatternError(kind: kind, range: offsets[min(start, last)]..<offsets[min(end ?? index, last)])
  }

  /// Skips blanks and comments if they are ignored.
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

  /// Parses branches separated by `|`.
  mutating func alternatives() throws(PatternError) -> PatternNode {
    var branches = [try sequence()]
    while consume("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var items: [PatternNode] = []
    while true {
      skipBlanks()
      guard let scalar = next, scalar != "|", scalar != ")" else { break }
      let start = index
      if consume("\\Q") {
        quoted(into: &items)
        if let last = items.popLast() { items.append(try repeated(last, from: start)) }
        continue
      }
      guard let item = try atom() else { continue }
      items.append(try repeated(item, from: start))
    }
    return items.isEmpty ? .empty : items.count == 1 ? items[0] : .sequence(items)
  }

  /// Parses the text up to `\E` literally.
  private mutating func quoted(into items: inout [PatternNode]) {
    while let scalar = next, !consume("\\E") {
      items.append(literal(scalar.value))
      index += 1
    }
  }

  /// A literal scalar, or both of its cases.
  func literal(_ value: UInt32) -> PatternNode {
    let scalar = PatternScalars(scalar: value)
    return .scalars(flags.contains(.ignoresCase) ? PatternFolding.folded(scalar) : scalar)
  }

  /// Parses one atom; nil for a group that only sets flags.
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

// MARK: - Groups

extension PatternParser {
  private static var depthLimit: Int { 200 }
  private static var countLimit: Int { 1000 }

  /// Parses the repetition after `item`, if there is one.
  mutating func repeated(_ item: PatternNode, from start: Int) throws(PatternError) -> PatternNode {
    skipBlanks()
    let mark = index
    guard let bounds = try repetition() else { return item }
    let isLazy = consume("?") != flags.contains(.swapsGreed)
    skipBlanks()
    let again = index
    if next == "*" || next == "+" || next == "?" { throw error(.nothingToRepeat, from: mark, to: again + 1) }
    if try repetition() != nil { throw error(.nothingToRepeat, from: mark) }
    return .repetition(item, least: bounds.least, most: bounds.most, isLazy: isLazy)
  }

  /// Parses the bounds of `*`, `+`, `?`, `{2}`, `{2,}` or `{2,5}`; nil, with nothing consumed, for anything else.
  private mutating func repetition() throws(PatternError) -> (least: Int, most: Int?)? {
    if consume("*") { return (0, nil) }
    if consume("+") { return (1, nil) }
    if consume("?") { return (0, 1) }
    let start = index
    guard consume("{"), let least = count() else {
      index = start
      return nil
    }
    var most: Int? = least
    if consume(",") { most = count() }
    guard consume("}") else {
      index = start
      return nil
    }
    if least > Self.countLimit || most ?? least > Self.countLimit || most ?? least < least {
      throw error(.badCount, from: start)
    }
    return (least, most)
  }

  private mutating func count() -> Int? {
    let start = index
    var value = 0
    while let scalar = next, (0x30...0x39).contains(scalar.value) {
      value = min(value * 10 + Int(scalar.value - 0x30), Self.countLimit + 1)
      index += 1
    }
    return index > start ? value : nil
  }

  /// Parses a group after `(`; nil for a group that only sets flags.
  mutating func group(from start: Int) throws(PatternError) -> PatternNode? {
    let outerFlags = flags
    var number: Int?
    if consume("?") {
      if consume("P<") || next == "<" && peek(1) != "=" && peek(1) != "!" && consume("<") {
        number = try named(from: start)
      } else if try !options(from: start) {
        return nil
      }
    } else {
      groupCount += 1
      number = groupCount
    }
    depth += 1
    if depth > Self.depthLimit { throw error(.tooDeep, from: start, to: start + 1) }
    let inner = try alternatives()
    guard consume(")") else { throw error(.unclosedGroup, from: start, to: start + 1) }
    depth -= 1
    flags = outerFlags
    return number.map { .group(inner, number: $0) } ?? inner
  }

  private mutating func named(from start: Int) throws(PatternError) -> Int {
    let nameStart = index
    var name = ""
    while let scalar = next,
      scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    {
      name.unicodeScalars.append(scalar)
      index += 1
    }
    guard !name.isEmpty, next == ">", groupNames[name] == nil else {
      throw error(.badName, from: nameStart, to: max(index, nameStart + 1))
    }
    index += 1
    groupCount += 1
    groupNames[name] = groupCount
    return groupCount
  }

  /// Parses the letters after `(?` and the `:` or `)` after them; false for `)`, after which they stay in force.
  private mutating func options(from start: Int) throws(PatternError) -> Bool {
    var changed = flags
    var isSet = true
    while let scalar = next {
      index += 1
      switch scalar {
      case ":":
        flags = changed
        return true
      case ")":
        flags = changed
        return false
      case "-" where isSet: isSet = false
      case "=", "!", "<", ">": throw error(.lookAround, from: start)
      case "P" where next == "=": throw error(.backReference, from: start)
      default:
        guard let flag = PatternFlags(letter: scalar) else { throw error(.badGroup, from: start) }
        if isSet { changed.insert(flag) } else { changed.remove(flag) }
      }
    }
    throw error(.unclosedGroup, from: start, to: start + 1)
  }
}

// MARK: - Classes

extension PatternParser {
  /// Parses a class after `[`.
  mutating func characterClass(from start: Int) throws(PatternError) -> PatternScalars {
    let isNegated = consume("^")
    var ranges: [ClosedRange<UInt32>] = []
    var isFirst = true
    while isFirst || next != "]" {
      isFirst = false
      guard next != nil else { throw error(.unclosedClass, from: start, to: start + 1) }
      ranges += try classItem(classStart: start).ranges
    }
    index += 1
    let set = PatternScalars(ranges)
    return isNegated ? set.inverted : set
  }

  /// Parses one scalar, range or class within brackets.
  private mutating func classItem(classStart: Int) throws(PatternError) -> PatternScalars {
    let start = index
    if let posix = try posixClass() { return posix }
    if next == "\\" {
      index += 1
      if let set = try classEscape(from: start) { return set }
      index -= 1
    }
    let low = try classScalar(classStart)
    var high = low
    if next == "-", let after = peek(1), after != "]" {
      index += 1
      high = try classScalar(classStart)
    }
    guard low <= high else { throw error(.badRange, from: start) }
    let set = PatternScalars([low...high])
    return flags.contains(.ignoresCase) ? PatternFolding.folded(set) : set
  }

  private mutating func classScalar(_ classStart: Int) throws(PatternError) -> UInt32 {
    let start = index
    guard let scalar = next else { throw error(.unclosedClass, from: classStart, to: classStart + 1) }
    index += 1
    return scalar == "\\" ? try scalarEscape(from: start) : scalar.value
  }

  /// Parses `[:alpha:]` or `[:^alpha:]`; nil, with nothing consumed, for anything else.
  private mutating func posixClass() throws(PatternError) -> PatternScalars? {
    let start = index
    guard consume("[:") else { return nil }
    let isNegated = consume("^")
    var name = ""
    while let scalar = next, ("a"..."z").contains(scalar) {
      name.unicodeScalars.append(scalar)
      index += 1
    }
    guard consume(":]") else {
      index = start
      return nil
    }
    guard var set = PatternScalars.posix(name) else { throw error(.unknownClass(name), from: start) }
    if flags.contains(.ignoresCase) { set = PatternFolding.folded(set) }
    return isNegated ? set.inverted : set
  }
}

// MARK: - Escapes

extension PatternParser {
  /// Parses an escape after a backslash outside a class.
  mutating func escape(from start: Int) throws(PatternError) -> PatternNode {
    guard let scalar = next else { throw error(.badEscape, from: start) }
    switch scalar {
    case "A":
      index += 1
      return .assertion(.textStart)
    case "z":
      index += 1
      return .assertion(.textEnd)
    case "b":
      index += 1
      return .assertion(.wordBoundary)
    case "B":
      index += 1
      return .assertion(.noWordBoundary)
    case "k" where peek(1) == "<" || peek(1) == "{":
      index += 1
      throw error(.backReference, from: start)
    default: break
    }
    if let set = try classEscape(from: start) { return .scalars(set) }
    return literal(try scalarEscape(from: start))
  }

  /// Parses `\d`, `\pL` and the like; nil, with nothing consumed, for anything else.
  mutating func classEscape(from start: Int) throws(PatternError) -> PatternScalars? {
    guard let scalar = next else { return nil }
    let set: PatternScalars
    switch scalar {
    case "d", "D": set = .digits
    case "w", "W": set = .word
    case "s", "S": set = .space
    case "p", "P": return try property(from: start)
    default: return nil
    }
    index += 1
    let cased = flags.contains(.ignoresCase) ? PatternFolding.folded(set) : set
    return scalar.properties.isUppercase ? cased.inverted : cased
  }

  private mutating func property(from start: Int) throws(PatternError) -> PatternScalars {
    var isNegated = next == "P"
    index += 1
    var name = ""
    if consume("{") {
      if consume("^") { isNegated.toggle() }
      while let scalar = next, scalar != "}" {
        name.unicodeScalars.append(scalar)
        index += 1
      }
      guard consume("}") else { throw error(.badEscape, from: start) }
    } else if let scalar = next {
      name.unicodeScalars.append(scalar)
      index += 1
    }
    guard var set = PatternProperties.scalars(named: name) else {
      throw error(.unknownClass(name), from: start)
    }
    if flags.contains(.ignoresCase) { set = PatternFolding.folded(set) }
    return isNegated ? set.inverted : set
  }

  /// Parses the scalar that an escape represents.
  mutating func scalarEscape(from start: Int) throws(PatternError) -> UInt32 {
    guard let scalar = next else { throw error(.badEscape, from: start) }
    index += 1
    switch scalar {
    case "a": return 0x07
    case "f": return 0x0C
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "v": return 0x0B
    case "x": return try hexadecimal(from: start)
    case "0": return octal(startingWith: 0, digits: 2)
    case "1"..."9":
      guard scalar < "8", let second = next, ("0"..."7").contains(second) else {
        throw error(.backReference, from: start)
      }
      return octal(startingWith: scalar.value - 0x30, digits: 2)
    default:
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      guard !isLetter, scalar.isASCII else { throw error(.badEscape, from: start) }
      return scalar.value
    }
  }

  private mutating func octal(startingWith first: UInt32, digits: Int) -> UInt32 {
    var value = first
    for _ in 0..<digits {
      guard let scalar = next, ("0"..."7").contains(scalar) else { break }
      value = value * 8 + scalar.value - 0x30
      index += 1
    }
    return value
  }

  private mutating func hexadecimal(from start: Int) throws(PatternError) -> UInt32 {
    let isBraced = consume("{")
    var value: UInt32 = 0
    var count = 0
    while let scalar = next, let digit = UInt32(String(scalar), radix: 16), isBraced || count < 2, count < 8 {
      value = value << 4 | digit
      count += 1
      index += 1
    }
    guard isBraced ? count > 0 && consume("}") : count == 2, value <= PatternScalars.last else {
      throw error(.badEscape, from: start)
    }
    return value
  }
}

/// The syntax tree of a pattern.
indirect enum PatternNode: Sendable {
  /// Matches between two scalars.
  case empty
  /// One scalar of a set.
  case scalars(PatternScalars)
  /// All of them, one after another.
  case sequence([PatternNode])
  /// One of them, the first that leads to a match.
  case alternatives([PatternNode])
  /// Between `least` and `most` times; without `most` any number of times.
  case repetition(PatternNode, least: Int, most: Int?, isLazy: Bool)
  /// A group whose range is recorded; 0 is the whole match.
  case group(PatternNode, number: Int)
  /// A condition on the scalars to the left and right.
  case assertion(PatternAssertion)
}

/// A condition between two scalars.
enum PatternAssertion: UInt8, Sendable {
  /// `\A`, and `^` without `m`.
  case textStart
  /// `\z`, and `$` without `m`.
  case textEnd
  /// `^` with `m`.
  case lineStart
  /// `$` with `m`.
  case lineEnd
  /// `\b`, between an ASCII word character and something else.
  case wordBoundary
  /// `\B`.
  case noWordBoundary
}
