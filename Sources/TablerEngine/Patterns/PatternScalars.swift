/// A set of Unicode scalars, as sorted ranges that neither touch nor overlap.
struct PatternScalars: Hashable, Sendable {
  /// The scalars, in ascending ranges that do not touch.
  private(set) var ranges: [ClosedRange<UInt32>] = []

  /// The largest scalar.
  static let last: UInt32 = 0x10FFFF

  /// Every scalar.
  static let all = Self([0...last])

  /// Creates a set from `ranges` in any order.
  init(_ ranges: [ClosedRange<UInt32>] = []) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
  }

  /// Creates the set of one scalar.
  init(scalar: UInt32) { ranges = [scalar...scalar] }

  /// Whether the set is empty.
  var isEmpty: Bool { ranges.isEmpty }

  /// The only scalar of the set; nil if there are none or several.
  var single: UInt32? {
    guard ranges.count == 1, let only = ranges.first, only.lowerBound == only.upperBound else { return nil }
    return only.lowerBound
  }

  /// Whether `scalar` is in the set.
  func contains(_ scalar: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low &+ high) / 2
      if ranges[middle].upperBound < scalar { low = middle &+ 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= scalar
  }

  /// Adds a range that begins no earlier than the last one.
  private mutating func append(_ range: ClosedRange<UInt32>) {
    guard let before = ranges.last, range.lowerBound <= before.upperBound &+ 1 else {
      ranges.append(range)
      return
    }
    ranges[ranges.count - 1] = before.lowerBound...max(before.upperBound, range.upperBound)
  }

  /// The scalars in either set.
  func union(_ other: Self) -> Self { Self(ranges + other.ranges) }

  /// The scalars that are not in the set.
  var inverted: Self {
    var result = Self()
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.ranges.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= Self.last { result.ranges.append(next...Self.last) }
    return result
  }

  /// The scalars in both sets.
  func intersection(_ other: Self) -> Self { inverted.union(other.inverted).inverted }
}

extension PatternScalars {
  /// `0-9`.
  static let digits = Self([0x30...0x39])
  /// ASCII letters, digits and the underscore.
  static let word = Self([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// Tab, line feed, form feed, carriage return and blank.
  static let space = Self([0x09...0x0A, 0x0C...0x0D, 0x20...0x20])
  /// The line feed.
  static let newline = Self(scalar: 0x0A)

  /// The class of a POSIX name, as in `[[:alpha:]]`.
  static func posix(_ name: String) -> Self? {
    switch name {
    case "alnum": Self([0x30...0x39, 0x41...0x5A, 0x61...0x7A])
    case "alpha": Self([0x41...0x5A, 0x61...0x7A])
    case "ascii": Self([0x00...0x7F])
    case "blank": Self([0x09...0x09, 0x20...0x20])
    case "cntrl": Self([0x00...0x1F, 0x7F...0x7F])
    case "digit": digits
    case "graph": Self([0x21...0x7E])
    case "lower": Self([0x61...0x7A])
    case "print": Self([0x20...0x7E])
    case "punct": Self([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E])
    case "space": Self([0x09...0x0D, 0x20...0x20])
    case "upper": Self([0x41...0x5A])
    case "word": word
    case "xdigit": Self([0x30...0x39, 0x41...0x46, 0x61...0x66])
    default: nil
    }
  }
}

/// Simple case folding: scalars that differ only in case.
///
/// Two scalars belong together if the lower case of their upper case is the same. That of ß is itself, and
/// the dotless i has no partner.
enum PatternFolding {
  /// `scalars` with every scalar that differs from one of them only in case.
  static func folded(_ scalars: PatternScalars) -> PatternScalars {
    var found: [ClosedRange<UInt32>] = scalars.ranges
    if found.reduce(0, { $0 + Int($1.upperBound - $1.lowerBound) }) > fewScalars {
      for pair in pairs where scalars.contains(pair.one) { found.append(pair.other...pair.other) }
      return PatternScalars(found)
    }
    for range in scalars.ranges {
      for block in cased where block.overlaps(range) {
        for value in block.clamped(to: range) {
          for other in family(of: value) where other != value { found.append(other...other) }
        }
      }
    }
    return PatternScalars(found)
  }

  /// The maximum number of scalars that are handled one by one; for more, the set of all scalars with case is
  /// searched.
  private static let fewScalars = 256

  /// Every pair of scalars that differ only in case, in both directions.
  private static let pairs: [(one: UInt32, other: UInt32)] = cased.flatMap { block in
    block.flatMap { value in
      family(of: value).lazy.filter { $0 != value }.map { (value, $0) }
    }
  }

  /// The scalars that differ from `value` only in case, in no particular order, including itself.
  private static func family(of value: UInt32) -> [UInt32] {
    guard let scalar = Unicode.Scalar(value) else { return [value] }
    let small = fold(scalar)
    var members = [value, small.value]
    members.append(single(small.properties.uppercaseMapping, or: small).value)
    members.append(single(small.properties.titlecaseMapping, or: small).value)
    if let others = stragglers[small.value] { members += others }
    return members
  }

  private static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar == dotlessI { return scalar }
    let capital = single(scalar.properties.uppercaseMapping, or: scalar)
    return single(capital.properties.lowercaseMapping, or: capital)
  }

  private static let dotlessI: Unicode.Scalar = "\u{131}"

  private static func single(_ text: String, or scalar: Unicode.Scalar) -> Unicode.Scalar {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, scalars.count == 1 else { return scalar }
    return first
  }

  /// Scalars that no case mapping of their small letter leads to, by that letter: ſ, ς, the Kelvin sign and so on.
  private static let stragglers: [UInt32: [UInt32]] = {
    let scalars: [UInt32] = [
      0xB5, 0x17F, 0x345, 0x3C2, 0x3D0, 0x3D1, 0x3D5, 0x3D6, 0x3F0, 0x3F1, 0x3F4, 0x3F5, 0x1C80, 0x1C81,
      0x1C82,
      0x1C83, 0x1C84, 0x1C85, 0x1C86, 0x1C87, 0x1C88, 0x1E9B, 0x1E9E, 0x1FBE, 0x2126, 0x212A, 0x212B,
    ]
    var found: [UInt32: [UInt32]] = [:]
    for value in scalars {
      guard let scalar = Unicode.Scalar(value) else { continue }
      found[fold(scalar).value, default: []].append(value)
    }
    return found
  }()

  /// The ranges of Unicode that contain letters with case.
  private static let cased: [ClosedRange<UInt32>] = [
    0x41...0x29E, 0x345...0x586, 0x10A0...0x10FF, 0x13A0...0x13FD, 0x1C80...0x1CBF, 0x1D79...0x1D8E,
    0x1E00...0x1FFC,
    0x2126...0x2184, 0x24B6...0x24E9, 0x2C00...0x2D2D, 0xA640...0xA69B, 0xA722...0xA7F6, 0xAB53...0xABBF,
    0xFF21...0xFF5A,
    0x10400...0x1044F, 0x104B0...0x104FB, 0x10570...0x105BC, 0x10C80...0x10CF2, 0x10D50...0x10D85,
    0x118A0...0x118DF,
    0x16E40...0x16ED3, 0x1E900...0x1E943,
  ]
}

/// The sets after `\pL`, `\p{Lu}`, `\p{Greek}` and `\p{Any}`.
///
/// General categories are the standard library's, by their short names; scripts are those of
/// `PatternScripts`, by their long names.
enum PatternProperties {
  /// The set of that name; nil if there is none.
  static func scalars(named name: String) -> PatternScalars? {
    if name == "Any" { return .all }
    if let codes = categories[name] { return scalars(inCategories: codes) }
    return PatternScripts.scalars(named: name)
  }

  private static func scalars(inCategories wanted: Set<Unicode.GeneralCategory>) -> PatternScalars {
    PatternScalars(wanted.flatMap { ranges[$0] ?? [] })
  }

  /// The scalars of each category; all of Unicode is scanned once, however often a pattern names one.
  private static let ranges: [Unicode.GeneralCategory: [ClosedRange<UInt32>]] = {
    var ranges: [Unicode.GeneralCategory: [ClosedRange<UInt32>]] = [:]
    // Planes 4 to 13 are unassigned; the planes after 14 are entirely private use.
    let blocks: [ClosedRange<UInt32>] = [0...0x3FFFF, 0xE0000...0xE0FFF]
    for block in blocks {
      var first = block.lowerBound
      var current = category(of: first)
      for value in block.dropFirst() {
        let next = category(of: value)
        if next == current { continue }
        ranges[current, default: []].append(first...value - 1)
        (first, current) = (value, next)
      }
      ranges[current, default: []].append(first...block.upperBound)
    }
    ranges[.privateUse, default: []] += [0xF0000...0xFFFFD, 0x100000...0x10FFFD]
    return ranges
  }()

  private static func category(of value: UInt32) -> Unicode.GeneralCategory {
    Unicode.Scalar(value)?.properties.generalCategory ?? .surrogate
  }

  private static let categories: [String: Set<Unicode.GeneralCategory>] = [
    "L": [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter],
    "Lu": [.uppercaseLetter], "Ll": [.lowercaseLetter], "Lt": [.titlecaseLetter], "Lm": [.modifierLetter],
    "Lo": [.otherLetter],
    "M": [.nonspacingMark, .spacingMark, .enclosingMark],
    "Mn": [.nonspacingMark], "Mc": [.spacingMark], "Me": [.enclosingMark],
    "N": [.decimalNumber, .letterNumber, .otherNumber],
    "Nd": [.decimalNumber], "Nl": [.letterNumber], "No": [.otherNumber],
    "P": [
      .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation,
    ],
    "Pc": [.connectorPunctuation], "Pd": [.dashPunctuation], "Ps": [.openPunctuation],
    "Pe": [.closePunctuation],
    "Pi": [.initialPunctuation], "Pf": [.finalPunctuation], "Po": [.otherPunctuation],
    "S": [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol],
    "Sm": [.mathSymbol], "Sc": [.currencySymbol], "Sk": [.modifierSymbol], "So": [.otherSymbol],
    "Z": [.spaceSeparator, .lineSeparator, .paragraphSeparator],
    "Zs": [.spaceSeparator], "Zl": [.lineSeparator], "Zp": [.paragraphSeparator],
    "C": [.control, .format, .surrogate, .privateUse],
    "Cc": [.control], "Cf": [.format], "Cs": [.surrogate], "Co": [.privateUse],
  ]
}

/// The scripts of Unicode, from a generated table.
enum PatternScripts {
  /// The scalars of the script with that long name (`Greek`, `Old_Italic`); nil if there is none.
  static func scalars(named name: String) -> PatternScalars? {
    lines[name].map { PatternScalars(ranges($0.split(separator: " ").dropFirst())) }
  }

  /// The line of each script in the table.
  private static let lines: [String: Substring] = {
    let lines = table.description.split(separator: "\n")
    return Dictionary(lines.map { (String($0.prefix { $0 != " " }), $0) }) { first, _ in first }
  }()

  /// Each word is the distance from the end of the previous range and, after a colon, the length minus one.
  private static func ranges(_ words: ArraySlice<Substring>) -> [ClosedRange<UInt32>] {
    var ranges: [ClosedRange<UInt32>] = []
    var end: UInt32 = 0
    for word in words {
      let parts = word.split(separator: ":").map { UInt32($0, radix: 32) ?? 0 }
      let first = end &+ (parts.first ?? 0)
      end = first &+ (parts.count > 1 ? parts[1] : 0)
      ranges.append(first...max(first, end))
    }
    return ranges
  }
}
