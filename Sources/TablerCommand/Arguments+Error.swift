/// What is wrong with a command line, and with which word.
enum ArgumentError: Error, Equatable {
  /// No option is so called; `typed` has its dashes, `nearest` too.
  case unknownOption(typed: String, nearest: String?)
  /// The line ends where the value of the option should stand.
  case missingValue(Option.ID)
  /// The next word begins with two dashes, so it is taken for an option.
  case optionForValue(Option.ID, next: String)
  /// `-s=KEY`: after a letter the value follows at once, and `=` would be part of it.
  case equalsSignAfterLetter(Option.ID, value: String)
  /// The option is a switch, and a value was attached to it.
  case unexpectedValue(typed: String)
  /// The value is none of the words the option knows.
  case notAChoice(Option.ID, value: String, nearest: String?)
  /// The value is no whole number, nor one of the words the option knows.
  case notANumber(Option.ID, value: String)
  /// The number is smaller or larger than the option takes.
  case outOfRange(Option.ID, value: String, ClosedRange<Int>)
  /// The value is not one character, nor one of the words the option knows.
  case notACharacter(Option.ID, value: String, Option.CharacterSet)
  /// A value that must name something is empty.
  case emptyValue(Option.ID)
  /// The value of the option is not UTF-8; `repaired` shows what can be shown.
  case notUTF8(Option.ID, repaired: String)
  /// `-` stands twice among the files.
  case standardInputTwice
}
