/// The marks that a row has before its first cell.
struct RowMarks: OptionSet, Sendable {
  let rawValue: Int

  /// The row is selected.
  static let selected = RowMarks(rawValue: 1)

  /// The record violates a rule.
  static let invalid = RowMarks(rawValue: 2)

  /// Every set of marks, in the order of their numbers.
  static let sets = (0..<4).map { RowMarks(rawValue: $0) }

  /// The marks that rows may have with `options`, in the order in which they are drawn, and their signs.
  ///
  /// - Parameters:
  ///   - selects: whether selected rows are marked.
  ///   - isASCII: whether signs are ASCII, if the user did not choose them.
  static func signs(
    _ options: LayoutOptions, selects: Bool, isASCII: Bool
  ) -> [(mark: RowMarks, sign: [UInt8])] {
    var signs: [(mark: RowMarks, sign: [UInt8])] = []
    if selects { signs.append((.selected, Array((isASCII ? ">" : "▶").utf8))) }
    if options.hasRecordMarks { signs.append((.invalid, DrawnFieldSigns(options).invalid)) }
    return signs
  }
}
