/// Something about the drawing that a person should hear of on stderr.
public enum LayoutNotice: Equatable, Sendable {
  /// So many cells were cut, titles and footers among them.
  case cutCells(Int)

  /// The lines are longer than the width by so many display columns.
  case widerThanLimit(by: Int)

  /// So many stretches of bytes were not UTF-8 and were drawn as U+FFFD.
  case replacedBytes(Int)

  /// `--row-spacing` was asked for where the form has no room between rows.
  case ignoredRowSpacing
}
