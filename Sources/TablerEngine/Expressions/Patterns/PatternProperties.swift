/// The sets after `\pL`, `\p{Lu}`, `\p{Greek}` and `\p{Any}`.
///
/// General categories are the standard library's, by their short names; scripts are those of
/// `PatternScripts`, by their long names.
enum PatternProperties {
  /// The set of that name; nil when there is none.
  static func scalars(named name: String) -> PatternScalars? {
    if name == "Any" { return .all }
    if let codes = categories[name] { return scalars(inCategories: codes) }
    return PatternScripts.scalars(named: name)
  }

  private static func scalars(inCategories wanted: Set<Unicode.GeneralCategory>) -> PatternScalars {
    PatternScalars(wanted.flatMap { ranges[$0] ?? [] })
  }

  /// The scalars of each category; all of Unicode is looked at once, however often a pattern names one.
  private static let ranges: [Unicode.GeneralCategory: [ClosedRange<UInt32>]] = {
    var ranges: [Unicode.GeneralCategory: [ClosedRange<UInt32>]] = [:]
    // From plane 4 to 13 nothing is assigned; the planes after 14 are private use throughout.
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
  /// The scalars of the script with that long name (`Greek`, `Old_Italic`); nil when there is none.
  static func scalars(named name: String) -> PatternScalars? {
    lines[name].map { PatternScalars(ranges($0.split(separator: " ").dropFirst())) }
  }

  /// The line of each script in the table.
  private static let lines: [String: Substring] = {
    let lines = table.description.split(separator: "\n")
    return Dictionary(lines.map { (String($0.prefix { $0 != " " }), $0) }) { first, _ in first }
  }()

  /// Each word is the distance from the end of the range before and, after a colon, the length less one.
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
