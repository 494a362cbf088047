/// Simple case folding: which scalars differ only in case.
///
/// Two scalars belong together when the small letter of their capital is the same. That of ß is itself,
/// and the dotless i stands alone.
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

  /// As many scalars are looked at one by one; of more, those are found that are in the set of all with case.
  private static let fewScalars = 256

  /// Every two scalars that differ only in case, both ways round.
  private static let pairs: [(one: UInt32, other: UInt32)] = cased.flatMap { block in
    block.flatMap { value in
      family(of: value).lazy.filter { $0 != value }.map { (value, $0) }
    }
  }

  /// The scalars that differ from `value` only in case, without a certain order, itself included.
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

  /// Scalars that no mapping of their small letter leads to, by that letter: ſ, ς, the Kelvin sign and so on.
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

  /// The stretches of Unicode that hold letters with case.
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
