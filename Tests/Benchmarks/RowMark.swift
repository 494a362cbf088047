/// What shows a row in the output, so that rows can be counted without reading the table again.
enum RowMark {
  /// A line that begins with a digit, behind blanks and borders.
  case leadingDigit
  /// A line that begins with this word and a blank, behind blanks and borders.
  case leadingWord(String)
  /// A `<tr` of HTML, but for the one that holds the titles.
  case tableRow
}
