import TablerEngine

extension Option {
  /// The value as the plan gets it, if the option can take it at all.
  ///
  /// Choices, numbers and single characters are judged here. What has a grammar of its
  /// own - keys, columns, lengths, expressions - is read where it is used.
  func checked(_ typed: String) throws(ArgumentError) -> String {
    switch value {
    case .choice(let words, let aliases, let open):
      if let word = aliases[typed] { return word }
      if words.contains(typed) { return typed }
      if let open, typed.hasPrefix(open.beginning), typed != open.beginning { return typed }
      throw .notAChoice(id, value: typed, nearest: typed.nearest(among: value.words))
    case .number(let range, let words):
      if words.contains(typed) { return typed }
      guard let number = Int(typed) else {
        throw Self.isWholeNumber(typed) ? .outOfRange(id, value: typed, range) : .notANumber(id, value: typed)
      }
      guard range.contains(number) else { throw .outOfRange(id, value: typed, range) }
    case .character(let set, let words):
      if words.contains(typed) { return typed }
      guard let scalar = Self.scalar(of: typed), set == .mark || scalar.isASCII else {
        throw .notACharacter(id, value: typed, set)
      }
    case .file, .columns, .keys, .expression:
      if typed.isEmpty { throw .emptyValue(id) }
    case .flag, .pick, .request, .text, .rest:
      break
    }
    return typed
  }

  /// Whether the text is a whole number, however large.
  private static func isWholeNumber(_ typed: String) -> Bool {
    let sign = typed.utf8.prefix { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let digits = typed.utf8.dropFirst(sign.count)
    return sign.count < 2 && !digits.isEmpty && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// The one character that `value` is, `\t` being a tab; nil if it is none, or a line's end.
  static func scalar(of value: String) -> Unicode.Scalar? {
    if value == "\\t" { return "\t" }
    let scalars = value.unicodeScalars
    guard scalars.count == 1, let scalar = scalars.first, scalar != "\n", scalar != "\r" else {
      return nil
    }
    return scalar
  }
}
