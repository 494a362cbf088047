extension PatternParser {
  private static var depthLimit: Int { 200 }
  private static var countLimit: Int { 1000 }

  /// Takes the repetition after `item`, if there is one.
  mutating func repeated(_ item: PatternNode, from start: Int) throws(PatternError) -> PatternNode {
    skipBlanks()
    let mark = index
    guard let bounds = try repetition() else { return item }
    let isLazy = take("?") != flags.contains(.swapsGreed)
    skipBlanks()
    let again = index
    if next == "*" || next == "+" || next == "?" { throw error(.nothingToRepeat, from: mark, to: again + 1) }
    if try repetition() != nil { throw error(.nothingToRepeat, from: mark) }
    return .repetition(item, least: bounds.least, most: bounds.most, isLazy: isLazy)
  }

  /// The bounds of `*`, `+`, `?`, `{2}`, `{2,}` or `{2,5}`; nil, and nothing taken, for anything else.
  private mutating func repetition() throws(PatternError) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = index
    guard take("{"), let least = count() else {
      index = start
      return nil
    }
    var most: Int? = least
    if take(",") { most = count() }
    guard take("}") else {
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

  /// Takes what stands after `(`; nil for a group that only sets flags.
  mutating func group(from start: Int) throws(PatternError) -> PatternNode? {
    let outerFlags = flags
    var number: Int?
    if take("?") {
      if take("P<") || next == "<" && peek(1) != "=" && peek(1) != "!" && take("<") {
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
    guard take(")") else { throw error(.unclosedGroup, from: start, to: start + 1) }
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

  /// Takes the letters after `(?` and the `:` or `)` after them; false for `)`, after which they stay.
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
