/// Encodes the cells of one sort key as 64 bits that compare as unsigned integers in the order of the cells.
///
/// From low to high the codes are: null if it comes first, listed values, numbers, NaN, texts, null if it
/// comes last. For a descending key all bits are inverted, except those of nulls. Equal codes mean equal
/// cells if the code is *settled*; other ties are decided by all the bytes.
struct KeyCoder: Sendable {
  /// How cells are read.
  enum Reading: Sendable {
    /// Numbers by value, then everything else as text.
    case auto

    /// Numbers; everything else is a misfit and counts as null.
    case number

    /// Bytes.
    case text
  }

  /// How cells are read.
  let reading: Reading

  /// Whether high comes first.
  let isDescending: Bool

  /// The marks of numbers in cells that are text.
  let marks: NumberMarks

  /// Whether a number may have a currency sign: `:number`.
  let readsAmounts: Bool

  /// Whether a text without characters counts as null.
  let emptyIsNull: Bool

  /// The values of `--order`, which come first.
  let ranks: ValueRanks?

  /// The code of null.
  let null: UInt64

  /// Where nulls come.
  var nulls: NullPlacement { null == 0 ? .first : .last }

  private let turn: UInt64

  /// Creates the coder of a key.
  init(
    reading: Reading, isDescending: Bool = false, nulls: NullPlacement = .last,
    marks: NumberMarks = .standard, readsAmounts: Bool = false, emptyIsNull: Bool = false,
    ranks: ValueRanks? = nil
  ) {
    self.reading = reading
    self.isDescending = isDescending
    self.marks = marks
    self.readsAmounts = readsAmounts
    self.emptyIsNull = emptyIsNull
    self.ranks = ranks
    null = nulls == .first ? 0 : .max
    turn = isDescending ? .max : 0
  }
}

extension KeyCoder {
  /// A cell as a key sees it.
  enum Coded {
    /// A code that is complete, except for ties that are not settled.
    case value(UInt64)

    /// The code of a number, whose digits may tell more.
    case number(UInt64, isExact: Bool)

    /// The code of a text after all numbers.
    case text(UInt64)

    /// A cell that does not convert.
    case misfit

    /// A list or an object.
    case unordered
  }

  /// The code of a cell of `batch`.
  @inline(__always)
  func code(_ cell: Cell, in batch: Batch) -> Coded {
    switch cell.kind {
    case .null, .missing, .empty: return .value(null)
    case .list, .object: return .unordered
    case .text where emptyIsNull && cell.length == 0: return .value(null)
    case .text, .number, .bool: break
    }
    let content = batch.content(cell)
    if reading == .text { return .value(turn ^ Self.text(content)) }
    if let ranks, let rank = ranks[content] { return .value(turn ^ (1 &+ UInt64(rank))) }
    let marks = cell.kind == .number ? .standard : marks
    if cell.kind != .bool, content.mayBeNumber(marks) {
      if let number = NumberReader.approximate(content, marks: marks) {
        return .number(turn ^ number.bits, isExact: number.isExact)
      }
      if cell.kind == .number { return .value(turn ^ Self.notANumber) }
    }
    if reading == .number { return cell.kind == .text ? amount(content) : .misfit }
    return .text(turn ^ Self.textAfterNumbers(content))
  }

  /// The code of a text that is not a number.
  @inline(never)
  private func amount(_ content: Span<UInt8>) -> Coded {
    guard readsAmounts, let number = Amount.approximate(content, marks: marks) else { return .misfit }
    return .number(turn ^ number.bits, isExact: number.isExact)
  }

  /// Whether a text that is not a number is nevertheless a value of the key.
  func isAmount(_ text: Span<UInt8>) -> Bool { readsAmounts && Amount(text, marks: marks) != nil }

  /// Whether a code is that of a text that was sorted after all numbers.
  func isText(_ code: UInt64) -> Bool { reading == .auto && code != null && code ^ turn > Self.notANumber }

  /// The code of the bytes from `offset` on of a text whose earlier bytes are equal to those of its neighbors.
  @inline(__always)
  func code(_ text: Span<UInt8>, from offset: Int) -> UInt64 {
    turn ^ Self.text(text.extracting(Swift.min(offset, text.count)..<text.count))
  }

  /// The number of bytes of a text that its first code contains.
  var codedBytes: Int { reading == .text ? 7 : 6 }

  /// How cells with the same code are related.
  enum Tie {
    /// They are equal.
    case settled

    /// They are texts with the same beginning.
    case texts

    /// They are numbers whose digits may differ.
    case numbers
  }

  /// How cells with the same first code are related.
  ///
  /// - Parameter hasInexact: whether one of the key's numbers is not exact.
  @inline(__always)
  func tie(_ code: UInt64, hasInexact: Bool) -> Tie {
    if code == null { return .settled }
    let code = code ^ turn
    if reading == .text { return code & 0xFF <= 8 ? .settled : .texts }
    if code > Self.notANumber { return code & 0xF <= 8 ? .settled : .texts }
    return hasInexact && code > Self.lastRank ? .numbers : .settled
  }

  /// How texts with the same later code are related.
  @inline(__always)
  func isSettled(later code: UInt64) -> Bool { (code ^ turn) & 0xFF <= 8 }

  /// Below 0, 0 or above 0, as the first cell comes before the other, ties with it, or comes after; both have
  /// the same code.
  func order(
    _ left: Cell, in leftBatch: Batch, _ right: Cell, in rightBatch: Batch, tie: Tie, from offset: Int = 0
  ) -> Int {
    let order =
      switch tie {
      case .settled: 0
      case .texts: leftBatch.content(left).order(against: rightBatch.content(right), from: offset)
      case .numbers: numberOrder(left, in: leftBatch, right, in: rightBatch)
      }
    return isDescending ? 0 &- order : order
  }
}

extension KeyCoder {
  /// The code of NaN: above that of infinity.
  private static var notANumber: UInt64 { 0xFFF0_0000_0000_0001 }

  /// The highest code of a listed value: below that of negative infinity.
  private static var lastRank: UInt64 { 0x000F_FFFF_FFFF_FFFE }

  /// Seven bytes of a text, and their number: 1 to 8, and 9 for more.
  @inline(__always)
  private static func text(_ text: Span<UInt8>) -> UInt64 {
    text.leadingBytes(7) &<< 8 | UInt64(Swift.min(text.count, 8) &+ 1)
  }

  /// Six bytes of a text, and their number: 2 to 8, and 9 for more.
  @inline(__always)
  private static func textAfterNumbers(_ text: Span<UInt8>) -> UInt64 {
    0xFFF &<< 52 | text.leadingBytes(6) &<< 4 | UInt64(Swift.min(text.count, 7) &+ 2)
  }

  private func numberOrder(
    _ left: Cell, in leftBatch: Batch, _ right: Cell, in rightBatch: Batch
  ) -> Int {
    let leftMarks = left.kind == .number ? .standard : marks
    let rightMarks = right.kind == .number ? .standard : marks
    let leftText = leftBatch.content(left)
    let rightText = rightBatch.content(right)
    if leftMarks == rightMarks, !readsAmounts {
      return NumberReader.compareDigits(leftText, rightText, marks: leftMarks)
    }
    guard let leftNumber = number(leftText, leftMarks), let rightNumber = number(rightText, rightMarks) else {
      return 0
    }
    return Number.compare(leftNumber, rightNumber)
  }

  /// The number that a text is to a key of numbers.
  func number(_ text: Span<UInt8>, _ marks: NumberMarks) -> Number? {
    NumberReader.loose(text, marks: marks) ?? (readsAmounts ? Amount.read(text, marks: marks) : nil)
  }
}

extension Span<UInt8> {
  /// The first `length` bytes as one integer, the first one most significant; missing bytes are zeros.
  @inline(__always)
  fileprivate func leadingBytes(_ length: Int) -> UInt64 {
    var value: UInt64 = 0
    if count >= length {
      for index in 0..<length { value = value &<< 8 | UInt64(self[index]) }
    } else {
      for index in 0..<count { value = value &<< 8 | UInt64(self[index]) }
      value = value &<< UInt64(truncatingIfNeeded: 8 &* (length &- count))
    }
    return value
  }

  /// Below 0, 0 or above 0, as the bytes from `offset` on come before the other's, are equal, or come after.
  @inline(__always)
  fileprivate func order(against other: Span<UInt8>, from offset: Int) -> Int {
    let shared = Swift.min(count, other.count)
    var index = offset
    while index < shared {
      if self[index] != other[index] { return self[index] < other[index] ? -1 : 1 }
      index &+= 1
    }
    return count &- other.count
  }
}
