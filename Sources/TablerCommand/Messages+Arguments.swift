import TablerEngine

extension Messages {
  /// What is wrong with a word of the command line.
  func text(_ error: ArgumentError) -> String {
    switch error {
    case .unknownOption(let typed, let nearest):
      return self.error(
        nil, "unknown option \(Self.quoted(typed))\(Self.suggestion(nearest))  ('tabler --help' lists all)")
    case .missingValue(let option): return self.error(nil, "\(Option[option].spelling) needs a value")
    case .optionForValue(let option, let next): return self.error(nil, optionForValue(Option[option], next))
    case .equalsSignAfterLetter(let option, let value): return equalsSign(Option[option], value)
    case .unexpectedValue(let typed): return self.error(nil, "\(Self.escaped(typed)) takes no value")
    case .standardInputTwice: return self.error("-", "standard input can be read only once")
    case .notUTF8(let option, let repaired):
      return self.error(Option[option].spelling, "\(Self.quoted(repaired)) is not UTF-8")
    case .notAChoice(let option, let value, let nearest):
      let words = Option[option].placeholder?.split(separator: "|").joined(separator: " ") ?? ""
      return wrong(option, "unknown value \(Self.quoted(value))\(Self.suggestion(nearest))  (\(words))")
    case .notANumber(let option, let value):
      return wrong(option, "\(Self.quoted(value)) is not " + alternatives("a whole number", option))
    case .outOfRange(let option, let value, let range):
      return wrong(option, "\(Self.escaped(value)) is " + Self.outOf(range, isLess: value.hasPrefix("-")))
    case .notACharacter(let option, let value, let set):
      let one = set == .ascii ? "one ASCII character" : "one character"
      return wrong(option, "\(Self.quoted(value)) is not " + alternatives(one, option))
    case .emptyValue(let option):
      return wrong(option, "needs a value, but it is empty")
    }
  }

  /// What is wrong with a value that the option table alone can judge.
  private func wrong(_ option: Option.ID, _ words: String) -> String {
    error(Option[option].spelling, words)
  }

  /// `not between 0 and 10000`; where only one end means anything, that one.
  static func outOf(_ range: ClosedRange<Int>, isLess: Bool) -> String {
    if range.upperBound < .max { return "not between \(range.lowerBound) and \(range.upperBound)" }
    return isLess && range.lowerBound > -.max ? "less than \(range.lowerBound)" : "too large"
  }

  /// `a whole number, auto or none`: what is expected, and the words an option takes instead.
  private func alternatives(_ expected: String, _ option: Option.ID) -> String {
    Self.list([expected] + Option[option].value.words, last: "or")
  }

  private func optionForValue(_ option: Option, _ next: String) -> String {
    let meaning: String
    switch option.value {
    case .keys, .columns: meaning = "for a column of that name"
    case .file: meaning = "for a file of that name"
    default: meaning = "for that text"
    }
    return "\(option.spelling) needs a value, but the next word is \(Self.quoted(next)); "
      + "\(meaning) write \(option.spelling)=\(Self.typed(next))"
  }

  private func equalsSign(_ option: Option, _ value: String) -> String {
    let letter = "-" + (option.letter.map(String.init) ?? "")
    let word = Self.typed(value)
    return error(letter, "no '=' after a letter; write \(letter) \(word) or \(option.spelling)=\(word)")
  }
}
