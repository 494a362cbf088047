import Testing

@testable import TablerEngine

/// Laws of sorting, tried on random tables.
@Suite("Laws of sorting")
struct SortLawTests {
  static let comparisons = SortKey.Comparison.allCases

  /// A table of values of all kinds, with many ties.
  static func table(seed: UInt64, count: Int) throws -> SortSample {
    var random = SplitMix(state: seed)
    let pool = [
      "", "1", "01", "1.0", "2", "-2", "1e3", "1000", "9007199254740993", "9007199254740992", "0.1",
      "0.10000000000000000001", "a", "A", "abcdefg", "abcdefgh", "abcdefghijklmnopqrstuvwxyz", "abcdefghi",
      "x2", "x10", "x02", "ä", "Ä", "nan", "1.5G", "900K", "2h", "1d", "2024-01-01", "2024-01-01T00:00Z",
      "1.0-rc1", "long prefix that is shared by many texts of the table, and 1",
      "long prefix that is shared by many texts of the table, and 2",
      "long prefix that is shared by many texts of the table, and", "true", " ", " 1 ", "日本", "\u{1}",
      "1e999",
    ]
    func value() -> String {
      let choice = random.next() % 10
      if choice < 8 { return pool[Int(random.next() % UInt64(pool.count))] }
      return String(Int64(bitPattern: random.next()) >> Int64(random.next() % 63))
    }
    let rows = (0..<count).map { "\($0),\"\(value())\",\"\(value())\"\n" }
    return try SortSample(csv: "n,x,y\n" + rows.joined())
  }

  /// A pair of keys.
  static func keys(_ random: inout SplitMix) -> [SortKey] {
    ["x", "y"].map { name in
      .column(
        name, comparisons[Int(random.next() % UInt64(comparisons.count))],
        descending: random.next() % 2 == 0,
        nulls: [nil, .first, .last][Int(random.next() % 3)])
    }
  }

  @Test("R28: is stable, idempotent, and agrees with comparing rows two by two", arguments: 0..<40)
  func laws(seed: UInt64) throws {
    let count = [0, 1, 2, 30, 150, 1500][Int(seed % 6)]
    let sample = try Self.table(seed: seed, count: count)
    var random = SplitMix(state: seed &+ 1000)
    let keys = Self.keys(&random)
    let sorted = try sample.sorted(keys)
    let reference = try ReferenceOrder(sample, keys)
    #expect(sample.texts("n", sorted) == sample.texts("n", reference.sorted()))
    var again = sorted
    var sorter = Sorter(try sample.order(keys))
    try sorter.sort(&again)
    #expect(again.ids == sorted.ids)
  }

  @Test(
    "R32: --sorted-by accepts what --sort gives, in batches of any size, and nothing else", arguments: 0..<40)
  func verifying(seed: UInt64) throws {
    let sample = try Self.table(seed: seed, count: 200)
    var random = SplitMix(state: seed &+ 2000)
    let keys = Self.keys(&random)
    let sorted = try sample.sorted(keys)
    let order = try sample.order(keys)
    #expect(try disorder(sorted, order, size: Int(random.next() % 50) + 1) == nil)

    var shuffled = sorted
    let place = Int(random.next() % 199)
    shuffled.ids.swapAt(place, Int(random.next() % 200))
    let reference = try ReferenceOrder(sample, keys)
    let first = (1..<200).first { reference.order(shuffled.ids[$0 - 1], shuffled.ids[$0]) > 0 }
    let expected = first.map { shuffled.batches[0].line(ofRow: shuffled.ids[$0].row) }
    #expect(try disorder(shuffled, order, size: Int(random.next() % 50) + 1)?.line == expected)
  }

  private func disorder(
    _ rows: Rows, _ order: SortOrder, size: Int
  ) throws -> OrderVerifier.Disorder? {
    var verifier = OrderVerifier(order)
    var start = 0
    while start < rows.count {
      var piece = Rows()
      piece.batches = rows.batches
      piece.ids = Array(rows.ids[start..<min(start + size, rows.count)])
      try verifier.verify(piece)
      start += size
    }
    return verifier.disorder
  }

  @Test("descending is ascending with the groups of equal rows turned round", arguments: comparisons)
  func turning(comparison: SortKey.Comparison) throws {
    let sample = try Self.table(seed: 7, count: 400)
    let up = try sample.sorted([.column("x", comparison, nulls: .first)])
    let down = try sample.sorted([.column("x", comparison, descending: true, nulls: .last)])
    let reference = try ReferenceOrder(sample, [.column("x", comparison)])
    var groups: [[RowID]] = []
    for id in up.ids {
      if let last = groups.last?.last, reference.order(last, id) == 0 {
        groups[groups.count - 1].append(id)
      } else {
        groups.append([id])
      }
    }
    #expect(Array(groups.reversed().joined()) == down.ids)
  }

  @Test(
    "sorts any number of codes as the standard library does", arguments: [2, 24, 25, 100, 1024, 1025, 5000])
  func codes(count: Int) {
    var random = SplitMix(state: UInt64(count))
    for mask in [UInt64.max, 0xFF, 0xFF00_FF00, 0x3, 0] {
      var pairs = (0..<count).map { KeyPair(code: random.next() & mask, ordinal: UInt32($0)) }
      let expected = pairs.sorted { ($0.code, $0.ordinal) < ($1.code, $1.ordinal) }.map(\.ordinal)
      var scratch = pairs
      pairs.sortByCode(0..<count, scratch: &scratch)
      #expect(pairs.map(\.ordinal) == expected)
    }
  }
}

/// The order of rows by the plainest means: each value as numbers or bytes, compared two by two.
struct ReferenceOrder {
  /// A value of a key.
  enum Value {
    case null
    case number(Number)
    case text([UInt8])
  }

  private let rows: Rows
  private let keys: [SortKey]
  private let values: [[Value]]

  init(_ sample: SortSample, _ keys: [SortKey]) throws {
    rows = sample.table.rows
    self.keys = keys
    values = keys.map { key in
      guard case .column(.name(let name, _)) = key.target else { return [] }
      return sample.texts(name, sample.table.rows).map { Self.value($0, key.comparison) }
    }
  }

  /// Below 0, 0 or above 0, as the first row comes before the other, ties with it, or comes after.
  func order(_ left: RowID, _ right: RowID) -> Int {
    for (key, values) in zip(keys, values) {
      let order = Self.order(values[left.row], values[right.row], key)
      if order != 0 { return order }
    }
    return 0
  }

  /// The rows in order, each put after the last that is not above it.
  func sorted() -> Rows {
    var sorted = rows
    sorted.ids = []
    for id in rows.ids {
      let place = sorted.ids.lastIndex { order($0, id) <= 0 }
      sorted.ids.insert(id, at: place.map { $0 + 1 } ?? 0)
    }
    return sorted
  }

  private static func order(_ left: Value, _ right: Value, _ key: SortKey) -> Int {
    let turn = key.isDescending ? -1 : 1
    switch (left, right) {
    case (.null, .null): return 0
    case (.null, _): return key.nulls == .first ? -1 : 1
    case (_, .null): return key.nulls == .first ? 1 : -1
    case (.number(let left), .number(let right)): return turn * Number.compare(left, right)
    case (.number, .text): return -turn
    case (.text, .number): return turn
    case (.text(let left), .text(let right)):
      return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -turn : turn
    }
  }

  private static func value(_ text: String, _ comparison: SortKey.Comparison) -> Value {
    if text.isEmpty { return .null }
    let bytes = Array(text.utf8)
    let number: Number?
    switch comparison {
    case .auto:
      return NumberReader.loose(bytes.span).map { .number($0) } ?? .text(bytes)
    case .text: return .text(bytes)
    case .nocase: return .text(Array(text.lowercased().utf8))
    case .natural, .version:
      var buffer = ByteBuffer()
      SequenceText.append(bytes.span, as: comparison == .natural ? .natural : .version, to: &buffer)
      return .text(buffer.array())
    case .number: number = NumberReader.loose(bytes.span)
    case .length: number = .int(Int64(text.unicodeScalars.count))
    case .size: number = Size.read(bytes.span)
    case .duration: number = TablerEngine.Duration(bytes.span).map { .decimal($0.seconds) }
    case .date: number = CivilDateTime(bytes.span).map { .int($0.secondsSinceEpoch) }
    }
    return number.map { .number($0) } ?? .null
  }
}

/// Numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
