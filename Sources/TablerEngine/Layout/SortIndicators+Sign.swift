extension SortIndicators {
  /// The sign of a column, harmless; empty where there is none.
  ///
  /// - Parameters:
  ///   - state: the column's place in the order, if it has one.
  ///   - isASCII: whether the tool's own signs are to be ASCII.
  func sign(for state: ShownColumn.SortState?, isASCII: Bool) -> [UInt8] {
    guard areShown else { return [] }
    guard let state else { return TextContext.label(neutral) }
    let sign = state.isDescending ? reverse : forward
    return TextContext.label(Self.spelled(sign, isASCII: isASCII) + rank(of: state, isASCII: isASCII))
  }

  /// The defaults have ASCII twins; what the user wrote stays.
  private static func spelled(_ sign: String, isASCII: Bool) -> String {
    switch sign {
    case "▲" where isASCII: "^"
    case "▼" where isASCII: "v"
    default: sign
    }
  }

  private func rank(of state: ShownColumn.SortState, isASCII: Bool) -> String {
    guard showsRank else { return "" }
    let digits = String(state.rank)
    guard !isASCII else { return digits }
    let raised: [Character] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
    return String(digits.map { raised[$0.wholeNumberValue ?? 0] })
  }
}

/// The signs of all columns, and the room every title keeps for one.
struct HeaderSigns: Equatable, Sendable {
  /// A sign per column; empty where nothing is drawn.
  let signs: [[UInt8]]

  /// The cells kept at the trailing edge of each column: a blank and the widest sign; 0 without a sort.
  let room: Int

  /// Finds the signs of `columns`.
  init(_ columns: [ShownColumn], _ options: LayoutOptions) {
    guard options.indicators.areShown, columns.contains(where: { $0.sort != nil }) else {
      signs = columns.map { _ in [] }
      room = 0
      return
    }
    let metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    var widest = 0
    var signs: [[UInt8]] = []
    for column in columns {
      let sign = options.indicators.sign(for: column.sort, isASCII: options.isASCII)
      widest = max(widest, metrics.width(of: sign.span))
      signs.append(column.isRowHeader || sign.allSatisfy { $0 == 0x20 } ? [] : sign)
    }
    self.signs = signs
    room = 1 + widest
  }
}
