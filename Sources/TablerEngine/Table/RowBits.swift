/// A set of rows: one bit each, in chunks that are shared if all their bits are equal.
struct RowBits: Sendable {
  /// The number of rows, in the set or not.
  let rowCount: Int

  private var chunks: [[UInt64]]

  /// The number of rows of a chunk.
  private static let chunkSize = 1 << 12
  private static let none = [UInt64](repeating: 0, count: chunkSize / 64)
  private static let all = [UInt64](repeating: .max, count: chunkSize / 64)

  /// Creates an empty set of `rowCount` rows.
  init(rowCount: Int) {
    self.rowCount = rowCount
    chunks = Array(repeating: Self.none, count: (rowCount + Self.chunkSize - 1) / Self.chunkSize)
  }

  /// Adds a row to the set.
  mutating func insert(_ row: Int) {
    chunks[row / Self.chunkSize][row % Self.chunkSize / 64] |= 1 &<< UInt64(truncatingIfNeeded: row % 64)
  }

  /// Adds consecutive rows to the set.
  mutating func insert(_ rows: Range<Int>) {
    var row = rows.lowerBound
    while row < rows.upperBound {
      if row % Self.chunkSize == 0, rows.upperBound - row >= Self.chunkSize {
        chunks[row / Self.chunkSize] = Self.all
        row += Self.chunkSize
      } else {
        insert(row)
        row += 1
      }
    }
  }

  /// Removes a row from the set.
  mutating func remove(_ row: Int) {
    chunks[row / Self.chunkSize][row % Self.chunkSize / 64] &= ~(1 &<< UInt64(truncatingIfNeeded: row % 64))
  }

  /// Whether a row is in the set.
  func contains(_ row: Int) -> Bool {
    chunks[row / Self.chunkSize][row % Self.chunkSize / 64] &>> UInt64(truncatingIfNeeded: row % 64) & 1 != 0
  }

  /// Whether the set is empty.
  var isEmpty: Bool { count == 0 }

  /// The number of rows in the set.
  var count: Int { chunks.reduce(0) { $0 + Self.count(of: $1) } }

  /// The number of rows in the set before a row.
  func count(before row: Int) -> Int {
    let whole = row / Self.chunkSize
    let count = chunks[..<whole].reduce(0) { $0 + Self.count(of: $1) }
    return (whole * Self.chunkSize..<row).reduce(count) { $0 + (contains($1) ? 1 : 0) }
  }

  /// The rows in the set, in order.
  var rows: some Sequence<Int> {
    chunks.enumerated().lazy.flatMap { index, chunk in
      chunk.enumerated().lazy.flatMap { place, word in
        SetBits(word: word, start: index * Self.chunkSize + place * 64)
      }
    }
  }

  private static func count(of chunk: [UInt64]) -> Int { chunk.reduce(0) { $0 + $1.nonzeroBitCount } }
}

extension RowBits {
  /// Finds the row of a rank: the rows in the set, or those that are not, numbered from 0 in order.
  ///
  /// Increasing ranks are found by continuing from the previous one.
  struct Finder {
    private let bits: RowBits
    private let starts: [Int]
    private let flip: UInt64

    private var chunk = 0
    private var word = 0

    /// The number of rows that come before the word.
    private var passed = 0

    /// Finds rows in the set, or rows that are not in it.
    ///
    /// - Parameter starts: how many rows in the set come before each chunk.
    init(_ bits: RowBits, starts: [Int], isMember: Bool) {
      self.bits = bits
      self.starts = starts
      flip = isMember ? 0 : .max
    }

    /// The row of a rank, which must exist.
    mutating func row(ofRank rank: Int) -> Int {
      if rank < passed || rank >= start(of: chunk + 1) { seek(rank) }
      var bits = nextBits
      while passed + bits.nonzeroBitCount <= rank {
        passed += bits.nonzeroBitCount
        word += 1
        bits = nextBits
      }
      var left = rank - passed
      let first = chunk * RowBits.chunkSize + word * 64
      if bits == .max { return first + left }
      while left > 0 {
        bits &= bits &- 1
        left -= 1
      }
      return first + bits.trailingZeroBitCount
    }

    private var nextBits: UInt64 { bits.chunks[chunk][word] ^ flip }

    /// The number of rows that come before a chunk.
    private func start(of chunk: Int) -> Int {
      guard chunk < starts.count else { return .max }
      return flip == 0 ? starts[chunk] : chunk * RowBits.chunkSize - starts[chunk]
    }

    /// Moves to the last chunk that begins at or before a rank.
    private mutating func seek(_ rank: Int) {
      var low = 0
      var high = starts.count
      while high - low > 1 {
        let middle = (low + high) / 2
        if start(of: middle) <= rank { low = middle } else { high = middle }
      }
      chunk = low
      word = 0
      passed = start(of: low)
    }
  }

  /// The number of rows in the set before each chunk.
  var chunkStarts: [Int] {
    var count = 0
    return chunks.map { chunk in
      defer { count += Self.count(of: chunk) }
      return count
    }
  }
}

/// The indices of the bits of a word that are set, from the lowest.
private struct SetBits: Sequence, IteratorProtocol {
  var word: UInt64
  let start: Int

  mutating func next() -> Int? {
    guard word != 0 else { return nil }
    defer { word &= word &- 1 }
    return start + word.trailingZeroBitCount
  }
}
