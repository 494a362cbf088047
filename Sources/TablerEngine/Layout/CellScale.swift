/// The smallest and the largest number of a column: bars and heat are drawn between them.
struct NumberExtent: Equatable, Sendable {
  /// The smallest number, and the largest one; infinite without numbers.
  private(set) var least = Double.infinity
  private(set) var largest = -Double.infinity

  /// Whether there is no number.
  var isEmpty: Bool { least > largest }

  /// Adds a number; one that is not finite is ignored.
  mutating func add(_ number: Double) {
    guard number.isFinite else { return }
    least = min(least, number)
    largest = max(largest, number)
  }

  /// Adds the numbers of another one.
  mutating func merge(_ other: NumberExtent) {
    least = min(least, other.least)
    largest = max(largest, other.largest)
  }

  /// A number held between the smallest and the largest one.
  fileprivate func held(_ number: Double) -> Double { min(max(number, least), largest) }
}

/// Finds the smallest and the largest numbers of the columns with bars or heat.
///
/// It has rules of its own: what expressions find in cells is reported by those that draw them.
struct ExtentMeasure: RowMeasure {
  private var styles: RowStyles

  /// Begins without rows.
  init(_ styles: RowStyles) { self.styles = styles }

  mutating func measure(_ rows: Rows, _ range: Range<Int>, firstNumber number: Int) {
    styles.measureExtents(of: rows, range)
  }

  mutating func merge(_ other: ExtentMeasure) { styles.mergeExtents(of: other.styles) }

  /// Gives the extents to the rules that cells are drawn by.
  func give(to styles: inout RowStyles) { styles.mergeExtents(of: self.styles) }
}

/// How a rule draws cells by their numbers: the part of it that is read for each cell.
struct CellScale: Sendable {
  /// The rule, as an index.
  let rule: Int

  /// The cells for bars, if it draws them.
  let barRoom: Int?

  /// Whether zero has a color of its own among those of `heat`, if it draws these.
  let hasMiddle: Bool?

  /// Whether it only draws bars, so that the texts of cells are as usual.
  let isOnlyBar: Bool

  /// Whether it has expressions for colors, too.
  let namesColors: Bool

  /// The look that the rule gives to a cell.
  ///
  /// - Parameters:
  ///   - number: the number of the cell, if it has one.
  ///   - extent: the smallest and the largest number of the column.
  @inline(__always)
  func look(of number: Double?, in extent: NumberExtent) -> ScaledLook {
    var look = ScaledLook(rule: rule, isOnlyBar: isOnlyBar)
    guard let number else { return look }
    if let barRoom { look.bar = CellBar(number, in: extent, room: barRoom) }
    if let hasMiddle { look.level = HeatColors.level(of: number, in: extent, hasMiddle: hasMiddle) }
    return look
  }
}

/// The bar beside a number.
///
///      190  ████████████
///       75  ████▋
///
/// The room of a column is as wide as its longest bars. If it has numbers on both sides of zero, these share the
/// room, and all bars begin at the same position.
struct CellBar: Equatable, Sendable {
  /// The cells for the bars of the column.
  let room: Int

  /// The position of zero in the room, from 0 to 1.
  let zero: Double

  /// The length from zero on, in parts of the room; negative to the left.
  let length: Double

  /// The bar of a number; `nil` if the column has no numbers.
  init?(_ number: Double, in extent: NumberExtent, room: Int) {
    guard !extent.isEmpty, !number.isNaN else { return nil }
    // Halves, because the distance of two numbers may be too large for a number.
    let (least, largest) = (min(0, extent.least) / 2, max(0, extent.largest) / 2)
    let whole = largest - least
    self.room = room
    zero = whole > 0 ? -least / whole : 0
    length = whole > 0 ? extent.held(number) / 2 / whole : 0
  }

  /// The percentages of the room before the bar and of the bar itself; a number other than 0 has at least 1.
  var percentages: (before: Int, bar: Int) {
    let start = length < 0 ? zero + length : zero
    let bar = Int((abs(length) * 100).rounded())
    return (Int((start * 100).rounded()), length != 0 ? max(1, bar) : 0)
  }
}

/// How text draws bars: in blocks of eighths, or in whole characters.
struct BarText: Sendable {
  /// Several whole cells of a bar, and the bytes of each.
  private let whole: [UInt8]
  private let cellSize: Int

  /// The ends of bars to the right, and of those to the left.
  private let (right, left): (BarEnds, BarEnds)

  /// The characters at the end of a bar that fills a part of a cell: first the smallest part, then twice that, and so
  /// on.
  private struct BarEnds: Sendable {
    let texts: [ShortSnippet]

    /// A cell has 2 to this power parts.
    private let power: Int

    init(_ texts: [String]) {
      self.texts = texts.compactMap { ShortSnippet(Array($0.utf8)) }
      power = (texts.count + 1).trailingZeroBitCount
    }

    /// The whole cells of a bar of some length, and the parts of one more; a length above 0 has at least one part.
    @inline(__always)
    func divide(_ length: Double, in room: Int) -> (cells: Int, parts: Int) {
      if length <= 0 { return (0, 0) }
      let parts = min(max(1, (length * Double(1 &<< power)).nearest), room &<< power)
      return (parts &>> power, parts & (1 &<< power &- 1))
    }
  }

  /// Chooses the characters.
  init(_ options: LayoutOptions) {
    // Blocks are ambiguous in East Asian terminals.
    let isASCII = options.isASCII || options.ambiguousWidth != 1
    let cell = Array((isASCII ? "#" : "█").utf8)
    cellSize = cell.count
    whole = Array(repeatElement(cell, count: 32).joined())
    right = BarEnds(isASCII ? [] : ["▏", "▎", "▍", "▌", "▋", "▊", "▉"])
    // To the left there are only half blocks.
    left = BarEnds(isASCII ? [] : ["▐"])
  }

  /// Appends a bar, as wide as its room.
  func append(_ bar: CellBar, to out: inout ByteBuffer) {
    let room = bar.room
    // Zero is between two cells, and both sides have at least one.
    let isDivided = bar.zero > 0 && bar.zero < 1 && room > 1
    let middle = (bar.zero * Double(room)).nearest
    let zero = isDivided ? min(max(middle, 1), room - 1) : middle
    if bar.length < 0 {
      appendNegative(-bar.length / bar.zero * Double(zero), in: zero, to: &out)
      out.append(blanks: room - zero)
    } else {
      out.append(blanks: zero)
      let part = bar.zero < 1 ? bar.length / (1 - bar.zero) : 0
      appendPositive(part * Double(room - zero), in: room - zero, to: &out)
    }
  }

  /// Appends a bar to the right.
  @inline(__always)
  private func appendPositive(_ length: Double, in room: Int, to out: inout ByteBuffer) {
    let (cells, parts) = right.divide(length, in: room)
    append(cells, to: &out)
    if parts > 0 { out.append(right.texts[parts &- 1]) }
    out.append(blanks: room - cells - min(parts, 1))
  }

  /// Appends a bar to the left.
  private func appendNegative(_ length: Double, in room: Int, to out: inout ByteBuffer) {
    let (cells, parts) = left.divide(length, in: room)
    out.append(blanks: room - cells - min(parts, 1))
    if parts > 0 { out.append(left.texts[parts &- 1]) }
    append(cells, to: &out)
  }

  /// Appends whole cells of a bar.
  @inline(__always)
  private func append(_ cells: Int, to out: inout ByteBuffer) {
    var size = cells * cellSize
    while size > 0 {
      let part = min(size, whole.count)
      out.append(whole.span.extracting(..<part))
      size -= part
    }
  }
}

/// The colors of `heat`: from the smallest number to the largest; if there are three, the middle one is that of zero.
public struct HeatColors: Equatable, Sendable {
  /// The colors between the ones given, in equal steps.
  private(set) var levels: [Style.Color]

  /// Whether zero has a color of its own.
  let hasMiddle: Bool

  /// The number of steps: HTML has a class for each.
  private static let count = 33

  /// Without colors in parentheses: from white to red.
  public static let usual = HeatColors(from: .rgb(255, 255, 255), to: .rgb(255, 0, 0))

  /// Creates the colors between two, or on both sides of a third one.
  public init(from first: Style.Color, through middle: Style.Color? = nil, to last: Style.Color) {
    hasMiddle = middle != nil
    levels = (0..<Self.count).map { index in
      let part = Double(index) / Double(Self.count - 1)
      guard let middle else { return first.mixed(with: last, part) }
      return part < 0.5 ? first.mixed(with: middle, part * 2) : middle.mixed(with: last, part * 2 - 1)
    }
  }

  /// The same with nothing between the given colors, for a terminal that has only a few.
  var coarse: HeatColors {
    var coarse = self
    let last = levels.count - 1
    let step = hasMiddle ? last / 2 : last
    for index in levels.indices { coarse.levels[index] = levels[(index + step / 2) / step * step] }
    return coarse
  }

  /// The level of a number; `nil` if its column has none.
  static func level(of number: Double, in extent: NumberExtent, hasMiddle: Bool) -> Int? {
    guard !extent.isEmpty, !number.isNaN else { return nil }
    let number = extent.held(number)
    let part: Double
    if hasMiddle {
      let end = number < 0 ? -min(0, extent.least) : max(0, extent.largest)
      part = end > 0 ? 0.5 + number / end / 2 : 0.5
    } else {
      let whole = extent.largest / 2 - extent.least / 2
      part = whole > 0 ? (number / 2 - extent.least / 2) / whole : 0
    }
    return (part * Double(count - 1)).nearest
  }
}

extension Double {
  /// The nearest whole number of one that is not negative, as `rounded()` finds it, which calls a function of C.
  @inline(__always)
  fileprivate var nearest: Int {
    let whole = Int(self)
    return self - Double(whole) >= 0.5 ? whole + 1 : whole
  }
}
