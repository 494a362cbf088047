/// How csv or tsv is written.
struct DelimitedRules: Sendable {
  /// The bytes that structure it.
  var marks: StructuralMarks
  /// Whether backslashes stand for tabs and newlines (tsv) rather than only for the next byte.
  var decodesLetters: Bool
  /// Whether text after a closing quote is text.
  var isLazy: Bool
  /// Lines that begin with this byte are not data.
  var comment: UInt8?
  /// The texts that are null.
  var nullWords: [[UInt8]]
  /// Whether `""` is an empty text instead of null.
  var quotedEmptyIsText: Bool
  /// Whether an empty line is a row (a tsv of one column) rather than nothing.
  var emptyLineIsRow: Bool
  /// Whether outer blanks are no part of cells.
  var isTrimmed = false
}

/// Something found in csv or tsv that is worth a word at the end.
struct DelimitedFinding {
  /// What was found.
  var kind: InputFindings.Kind
  /// The byte where it shows.
  var offset: Int
  /// The records before the one that it belongs to.
  var row: Int
}

/// Why a block of csv or tsv cannot be cut, and the byte where it shows.
enum DelimitedDamage: Error, Equatable {
  /// Text stands after a closing quote.
  case textAfterQuote(at: Int)
  /// A quote that is never closed.
  case unclosedQuote(openedAt: Int)
  /// A record of another length, with the fields it has.
  case ragged(recordAt: Int, fields: Int)
  /// A cell of more bytes than cells may have.
  case cellTooLong(at: Int)
  /// A record that takes more memory than records may: where it begins, or a quote in it that is not closed yet.
  case recordTooLong(at: Int)
  /// No damage: the batch has as many cells as it may have before the record that begins there.
  case full(recordAt: Int)
}
