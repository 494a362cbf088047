/// The style that a rule gives to a row or cell.
struct AppliedStyle: Equatable, Sendable {
  /// The number of the rule among those of its kind, from 1.
  var number: Int

  /// Attributes and colors.
  var style: Style

  /// Whether rows specify the color of the characters.
  var namesForeground = false

  /// The colors that the row specified; they are part of `style` too.
  var namedForeground: Style.Color?
  var namedBackground: Style.Color?

  /// Whether a box is drawn around it.
  var isBoxed: Bool

  /// Whether the cell is drawn as a swatch of `namedForeground`.
  var isSwatch: Bool

  /// Whether the background fades.
  var isGradient: Bool

  /// The bar beside the text of a cell, if it has one.
  var bar: CellBar?

  /// Whether it only draws a bar, so that the text of the cell is as usual.
  var isOnlyBar = false

  /// The color of the swatch that a cell is drawn as, if it is one.
  var swatchColor: Style.Color? { isSwatch ? namedForeground : nil }
}

/// The look of a cell of its own.
enum CellLook {
  /// None.
  case usual

  /// One that depends on nothing in the row but the number of the cell: a bar, a color of `heat`.
  case scaled(ScaledLook)

  /// Any other.
  case styled(AppliedStyle)
}

/// The look that a rule gives to a cell by its number.
struct ScaledLook {
  /// The rule, as an index: with the same level, it gives the same style.
  let rule: Int

  /// The bar, if the cell has one.
  var bar: CellBar?

  /// The color among those of `heat`, as an index, if the cell has one.
  var level: Int?

  /// Whether it is only a bar, so that the text of the cell is as usual.
  let isOnlyBar: Bool

  /// A look without a bar and a color.
  @inline(__always)
  init(rule: Int, isOnlyBar: Bool) {
    self.rule = rule
    self.isOnlyBar = isOnlyBar
  }
}

/// The look of a row.
struct RowLook: Equatable, Sendable {
  /// Whether it is shaded as a stripe.
  var isStriped: Bool

  /// The marks before it.
  var marks: RowMarks

  /// The style behind it.
  var background: AppliedStyle?

  /// The style over it.
  var overlay: AppliedStyle?

  /// Whether one of its cells has its own style.
  var hasCells: Bool

  /// The look of a row of which only cells have looks of their own.
  static let onlyCells = RowLook(isStriped: false, marks: [], background: nil, overlay: nil, hasCells: true)

  /// Whether it is selected.
  var isSelected: Bool { marks.contains(.selected) }

  /// Whether the record violates a rule.
  var isInvalid: Bool { marks.contains(.invalid) }
}
