/// The lines of a border style in CSS; empty where there is none.
struct HTMLBorder {
  /// The line between cells, and under a header that flows with the rows.
  let thin: String

  /// The line between the rows and a header that stays.
  let edge: String

  /// The declarations of the frame round Grid.
  let frame: String

  /// Whether columns are parted by lines.
  let hasVerticals: Bool

  /// The lines of `border`.
  init(_ border: Border) {
    hasVerticals = border != .none && border != .rules
    edge = border == .none ? "" : "3px double"
    switch border {
    case .none: thin = ""
    case .heavy: thin = "2px solid"
    case .double: thin = "3px double"
    case .dots: thin = "1px dotted"
    case .ascii, .light, .round, .rules, .outline: thin = "1px solid"
    }
    switch border {
    case .none: frame = ""
    case .rules: frame = "border-block:1px solid"
    case .outline: frame = "border:2px solid"
    case .round: frame = "border:1px solid;border-radius:.5em"
    default: frame = "border:\(thin)"
    }
  }
}
