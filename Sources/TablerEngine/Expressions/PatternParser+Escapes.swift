extension PatternParser {
  /// What stands after a backslash outside a class.
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

  /// `\d`, `\pL` and their like; nil, and nothing taken, for anything else.
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
    if take("{") {
      if take("^") { isNegated.toggle() }
      while let scalar = next, scalar != "}" {
        name.unicodeScalars.append(scalar)
        index += 1
      }
      guard take("}") else { throw error(.badEscape, from: start) }
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

  /// The scalar that an escape stands for.
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
    let isBraced = take("{")
    var value: UInt32 = 0
    var count = 0
    while let scalar = next, let digit = UInt32(String(scalar), radix: 16), isBraced || count < 2, count < 8 {
      value = value << 4 | digit
      count += 1
      index += 1
    }
    guard isBraced ? count > 0 && take("}") : count == 2, value <= PatternScalars.last else {
      throw error(.badEscape, from: start)
    }
    return value
  }
}
