/// How a pattern is read: the letters after `/…/` and after `(?`.
public struct PatternFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates flags from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `i`: letters match in either case.
  public static let ignoresCase = Self(rawValue: 1)
  /// `m`: `^` and `$` match at line ends too.
  public static let multiline = Self(rawValue: 2)
  /// `s`: `.` matches a line feed too.
  public static let dotMatchesNewline = Self(rawValue: 4)
  /// `U`: repetitions take as little as they can, and as much with `?`.
  public static let swapsGreed = Self(rawValue: 8)
  /// `x`: blanks and `#` comments mean nothing.
  public static let extended = Self(rawValue: 16)

  /// The flag of a letter.
  init?(letter: Unicode.Scalar) {
    switch letter {
    case "i": self = .ignoresCase
    case "m": self = .multiline
    case "s": self = .dotMatchesNewline
    case "U": self = .swapsGreed
    case "x": self = .extended
    default: return nil
    }
  }

  /// The flags of `letters`; nil when one of them is none.
  public init?(letters: String) {
    self = []
    for letter in letters.unicodeScalars {
      guard let flag = Self(letter: letter) else { return nil }
      insert(flag)
    }
  }
}
