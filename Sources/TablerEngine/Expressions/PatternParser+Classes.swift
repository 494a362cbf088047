extension PatternParser {
  /// What stands after `[`.
  mutating func characterClass(from start: Int) throws(PatternError) -> PatternScalars {
    let isNegated = take("^")
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

  /// One scalar, range or class within brackets.
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

  /// `[:alpha:]` or `[:^alpha:]`; nil, and nothing taken, for anything else.
  private mutating func posixClass() throws(PatternError) -> PatternScalars? {
    let start = index
    guard take("[:") else { return nil }
    let isNegated = take("^")
    var name = ""
    while let scalar = next, ("a"..."z").contains(scalar) {
      name.unicodeScalars.append(scalar)
      index += 1
    }
    guard take(":]") else {
      index = start
      return nil
    }
    guard var set = PatternScalars.posix(name) else { throw error(.unknownClass(name), from: start) }
    if flags.contains(.ignoresCase) { set = PatternFolding.folded(set) }
    return isNegated ? set.inverted : set
  }
}
