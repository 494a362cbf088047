/// A sort in progress: groups of rows that tie so far are divided by what comes next.
///
/// Rows whose codes of the first key differ are never compared again, so that several threads can divide the
/// codes among them.
struct Refinement: ~Copyable {
  private let columns: [KeyColumn]
  private let ids: [RowID]
  private var pairs: [KeyPair]
  private var scratch: [KeyPair]

  /// The groups of rows that tie in all keys so far.
  private var ties: [Range<Int>] = []

  /// The texts of keys copied together, by the first thread that needs them, for all threads; `nil` if they
  /// are too long.
  private let copies: Monitor<[Int: KeyTails?]>

  /// The rest of the texts of the current key, if many of them tie.
  private var tails: KeyTails?

  /// How often texts of the current key were read in their batches.
  private var jumps = 0

  /// Begins with the rows whose code of the first key is at least `low` and below `high`.
  private init(
    _ columns: [KeyColumn], _ ids: [RowID], from low: UInt64, to high: UInt64?,
    _ copies: Monitor<[Int: KeyTails?]>
  ) {
    self.columns = columns
    self.ids = ids
    self.copies = copies
    let codes = columns[0].codes
    // The highest code belongs to the last part.
    let last = high.map { $0 &- 1 } ?? .max
    pairs = []
    pairs.reserveCapacity(codes.reduce(0) { $0 &+ ($1 >= low && $1 <= last ? 1 : 0) })
    for (ordinal, code) in codes.enumerated() where code >= low && code <= last {
      pairs.append(KeyPair(code: code, ordinal: UInt32(truncatingIfNeeded: ordinal)))
    }
    scratch = pairs
  }

  /// The rows in the order of the keys.
  ///
  /// - Parameter threadCount: the number of threads that may work at once.
  /// - Complexity: O(*n* log *n*) for *n* rows whose first codes differ; ties cost one more sort for each
  ///   further code or key.
  static func sorted(_ ids: [RowID], by columns: [KeyColumn], threadCount: Int) -> [RowID] {
    guard let first = columns.first, !ids.isEmpty else { return ids }
    let bounds = first.codes.bounds(of: threadCount)
    let copies = Monitor([Int: KeyTails?]())
    let parts = Monitor([Int: [RowID]]())
    Worker.concurrently(bounds.count) { part in
      let high = part + 1 < bounds.count ? bounds[part + 1] : nil
      var some = Refinement(columns, ids, from: bounds[part], to: high, copies)
      some.sort()
      let sorted = some.sortedIDs
      parts.access { $0[part] = sorted }
    }
    let sorted = parts.access { $0 }
    return bounds.count == 1 ? sorted[0] ?? [] : bounds.indices.flatMap { sorted[$0] ?? [] }
  }

  private var sortedIDs: [RowID] {
    var sorted: [RowID] = []
    sorted.reserveCapacity(pairs.count)
    for pair in pairs { sorted.append(ids[Int(pair.ordinal)]) }
    return sorted
  }

  /// Sorts the rows, key by key; groups that tie in a key are left to the next one.
  private mutating func sort() {
    ties = [0..<pairs.count]
    for index in columns.indices where !ties.isEmpty {
      let groups = ties
      ties = []
      tails = nil
      jumps = 0
      // It is retained once here, not by each of the many small groups.
      let column = columns[index]
      for group in groups { sort(group, by: column, at: index) }
    }
  }
}

extension [UInt64] {
  /// The lowest code of each of several parts of about equal size; equal codes belong to one part.
  fileprivate func bounds(of count: Int) -> [UInt64] {
    let sample = stride(from: 0, to: self.count, by: Swift.max(1, self.count / 1024)).map { self[$0] }
      .sorted()
    var bounds: [UInt64] = [0]
    for part in 1..<Swift.max(count, 1) {
      let bound = sample[sample.count * part / count]
      if bound > bounds[bounds.count - 1] { bounds.append(bound) }
    }
    return bounds
  }
}

extension Refinement {
  /// The number of bytes by which texts are compared through codes; after that they are compared whole.
  private var codedBytes: Int { 48 }

  /// One in this many texts may be read in its batch before the tails of all texts are copied together.
  private var fewJumps: Int { 8 }

  /// Sorts a group of rows that tie in all earlier keys.
  private mutating func sort(_ range: Range<Int>, by column: KeyColumn, at index: Int) {
    if index > 0 {
      for place in range { pairs[place].code = column.codes[Int(pairs[place].ordinal)] }
    }
    pairs.sortByCode(range, scratch: &scratch)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = endOfTie(from: start, to: range.upperBound)
      if end &- start > 1 {
        switch column.tie(pairs[start].code) {
        case .settled: leaveTied(start..<end, at: index)
        case .texts: sortTexts(start..<end, by: column, at: index, from: column.key.coder.codedBytes)
        case .numbers: compare(start..<end, by: column, at: index, .numbers, from: 0)
        }
      }
      start = end
    }
  }

  /// Leaves rows that tie in a key to the next one.
  private mutating func leaveTied(_ range: Range<Int>, at index: Int) {
    if index &+ 1 < columns.count { ties.append(range) }
  }

  /// Sorts texts whose bytes before `offset` are equal.
  private mutating func sortTexts(
    _ range: Range<Int>, by column: KeyColumn, at index: Int, from offset: Int
  ) {
    if offset > codedBytes { return compare(range, by: column, at: index, .texts, from: offset) }
    loadTexts(range, of: column, at: index, from: offset)
    pairs.sortByCode(range, scratch: &scratch)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = endOfTie(from: start, to: range.upperBound)
      if end &- start > 1 {
        if column.key.coder.isSettled(later: pairs[start].code) {
          leaveTied(start..<end, at: index)
        } else {
          sortTexts(start..<end, by: column, at: index, from: offset &+ 7)
        }
      }
      start = end
    }
  }

  /// Encodes the next bytes of texts.
  private mutating func loadTexts(
    _ range: Range<Int>, of column: KeyColumn, at index: Int, from offset: Int
  ) {
    let coded = column.key.coder.codedBytes
    if tails == nil {
      let isFirst = jumps < ids.count / fewJumps
      jumps &+= range.count
      if isFirst, jumps >= ids.count / fewJumps {
        tails = copies.access { copies in
          if let known = copies[index] { return known }
          let made = KeyTails(of: column, ids, from: coded)
          copies[index] = .some(made)
          return made
        }
      }
    }
    if let tails, offset == coded {
      for place in range { pairs[place].code = tails.codes[Int(pairs[place].ordinal)] }
    } else if let tails {
      for place in range {
        pairs[place].code = column.key.coder.code(tails.text(pairs[place].ordinal), from: offset &- coded)
      }
    } else {
      for place in range {
        pairs[place].code = column.code(ids[Int(pairs[place].ordinal)], from: offset)
      }
    }
  }

  /// The end of the rows with the same code as the one at `start`.
  private func endOfTie(from start: Int, to end: Int) -> Int {
    let code = pairs[start].code
    var place = start &+ 1
    while place < end, pairs[place].code == code { place &+= 1 }
    return place
  }

  /// Sorts rows by comparing their cells, then sorts those that are equal by the next key.
  private mutating func compare(
    _ range: Range<Int>, by column: KeyColumn, at index: Int, _ tie: KeyCoder.Tie, from offset: Int
  ) {
    var group = range.map { pairs[$0].ordinal }
    func order(_ left: UInt32, _ right: UInt32) -> Int {
      column.order(ids[Int(left)], ids[Int(right)], tie: tie, from: offset)
    }
    // Rows come in input order, so that their numbers decide between equal ones.
    group.sort { left, right in
      let order = order(left, right)
      return order == 0 ? left < right : order < 0
    }
    for (place, ordinal) in zip(range, group) { pairs[place].ordinal = ordinal }
    guard index &+ 1 < columns.count else { return }
    var start = 0
    while start < group.count {
      var end = start &+ 1
      while end < group.count, order(group[end &- 1], group[end]) == 0 { end &+= 1 }
      if end &- start > 1 { leaveTied(range.lowerBound + start..<range.lowerBound + end, at: index) }
      start = end
    }
  }
}

/// A row to be sorted: the code that it is sorted by, and its number among the rows.
struct KeyPair: Sendable {
  /// The code.
  var code: UInt64

  /// The number of the row in the order before the sort.
  var ordinal: UInt32
}

extension [KeyPair] {
  /// Sorts a range by code; pairs of equal code keep their order.
  ///
  /// - Parameter scratch: as many pairs as there are here.
  /// - Complexity: O(*n* log *n*) for *n* pairs at worst; O(*n*) if they are sorted already.
  mutating func sortByCode(_ range: Range<Int>, scratch: inout [KeyPair]) {
    if range.count <= 24 { return insertByCode(range) }
    let varying = varyingBits(range)
    if varying == 0 { return }
    if range.count <= 1024 { return mergeByCode(range, scratch: &scratch) }
    radixByCode(range, varying: varying, scratch: &scratch)
  }

  /// The bits in which codes differ; none if the range is sorted.
  private func varyingBits(_ range: Range<Int>) -> UInt64 {
    let first = self[range.lowerBound].code
    var last = first
    var varying: UInt64 = 0
    var isSorted = true
    for index in range {
      let code = self[index].code
      varying |= code ^ first
      if code < last { isSorted = false }
      last = code
    }
    return isSorted ? 0 : varying
  }

  private mutating func insertByCode(_ range: Range<Int>) {
    var index = range.lowerBound &+ 1
    while index < range.upperBound {
      let pair = self[index]
      var place = index
      while place > range.lowerBound, self[place &- 1].code > pair.code {
        self[place] = self[place &- 1]
        place &-= 1
      }
      self[place] = pair
      index &+= 1
    }
  }

  /// Merges runs of doubling length, back and forth between the array and the scratch.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pairs.
  private mutating func mergeByCode(_ range: Range<Int>, scratch: inout [KeyPair]) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = Swift.min(start &+ 16, range.upperBound)
      insertByCode(start..<end)
      start = end
    }
    var length = 16
    var isInScratch = false
    while length < range.count {
      if isInScratch {
        Self.merge(scratch, into: &self, range, length: length)
      } else {
        Self.merge(self, into: &scratch, range, length: length)
      }
      isInScratch.toggle()
      length &*= 2
    }
    if isInScratch {
      for index in range { self[index] = scratch[index] }
    }
  }

  private static func merge(
    _ source: [KeyPair], into target: inout [KeyPair], _ range: Range<Int>, length: Int
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let middle = Swift.min(start &+ length, range.upperBound)
      let end = Swift.min(middle &+ length, range.upperBound)
      var left = start
      var right = middle
      for place in start..<end {
        if left < middle, right >= end || source[left].code <= source[right].code {
          target[place] = source[left]
          left &+= 1
        } else {
          target[place] = source[right]
          right &+= 1
        }
      }
      start = end
    }
  }

  /// Distributes the pairs byte by byte, from the lowest of a few high bytes to the highest.
  ///
  /// The highest bits in which codes differ separate most rows: as many bits as are needed to count the rows,
  /// and some more. Pairs that are equal in them are sorted again by the remaining bits.
  ///
  /// - Complexity: O(*n* · *b*) for *n* pairs and *b* distributed bytes, and the sorting of pairs that are
  ///   equal in these.
  private mutating func radixByCode(_ range: Range<Int>, varying: UInt64, scratch: inout [KeyPair]) {
    let highest = 64 &- varying.leadingZeroBitCount
    let passes = (Int.bitWidth &- range.count.leadingZeroBitCount &+ 12 &+ 7) / 8
    let lowest = Swift.max(highest &- 8 &* passes, varying.trailingZeroBitCount)
    let shifts = stride(from: lowest, to: highest, by: 8).map { UInt64($0) }.filter {
      varying &>> $0 & 0xFF != 0
    }
    var counts = [Int](repeating: 0, count: 256 &* shifts.count)
    count(range, shifts, &counts)
    var isInScratch = false
    for pass in shifts.indices {
      var next = range.lowerBound
      for slot in (pass &* 256)..<(pass &* 256 &+ 256) {
        let count = counts[slot]
        counts[slot] = next
        next &+= count
      }
      if isInScratch {
        Self.deal(scratch, into: &self, range, shifts[pass], &counts, from: pass &* 256)
      } else {
        Self.deal(self, into: &scratch, range, shifts[pass], &counts, from: pass &* 256)
      }
      isInScratch.toggle()
    }
    if isInScratch {
      for index in range { self[index] = scratch[index] }
    }
    if lowest > varying.trailingZeroBitCount {
      sortRest(range, below: UInt64(lowest), scratch: &scratch)
    }
  }

  private func count(_ range: Range<Int>, _ shifts: [UInt64], _ counts: inout [Int]) {
    let pairs = span
    let shifts = shifts.span
    var counts = counts.mutableSpan
    for index in range {
      let code = pairs[index].code
      for pass in shifts.indices { counts[pass &* 256 &+ Int(code &>> shifts[pass] & 0xFF)] &+= 1 }
    }
  }

  private static func deal(
    _ source: [KeyPair], into target: inout [KeyPair], _ range: Range<Int>, _ shift: UInt64,
    _ places: inout [Int], from base: Int
  ) {
    let source = source.span
    var target = target.mutableSpan
    var places = places.mutableSpan
    for index in range {
      let pair = source[index]
      let slot = base &+ Int(pair.code &>> shift & 0xFF)
      let place = places[slot]
      target[place] = pair
      places[slot] = place &+ 1
    }
  }

  /// Sorts each run of pairs whose codes differ only in the bits below `lowest`.
  private mutating func sortRest(_ range: Range<Int>, below lowest: UInt64, scratch: inout [KeyPair]) {
    var start = range.lowerBound
    while start < range.upperBound {
      let high = self[start].code &>> lowest
      var end = start &+ 1
      while end < range.upperBound, self[end].code &>> lowest == high { end &+= 1 }
      if end &- start > 1 { sortByCode(start..<end, scratch: &scratch) }
      start = end
    }
  }
}

/// The texts of a sort key after the bytes that its codes contain, copied together in the order of the rows.
///
/// Comparing texts jumps from row to row; a compact copy costs one pass and saves most of the time of waiting
/// for the cells (1 M names: 343 to 177 ms).
private struct KeyTails: Sendable {
  /// The codes of the first bytes copied, row by row: they separate most texts.
  let codes: [UInt64]

  private let bytes: ByteBlock
  private let ends: [Int]

  /// The maximum number of bytes that are copied; beyond them cells are read in their batches.
  static let limit = 1 << 26

  /// Copies the bytes after the first `offset` of each text; nil if that is too much.
  init?(of column: KeyColumn, _ ids: [RowID], from offset: Int) {
    var total = 0
    for id in ids { total &+= Swift.max(0, column.cell(id).length &- offset) }
    guard total <= Self.limit else { return nil }
    var bytes = ByteBlock.Builder(capacity: total)
    var ends: [Int] = []
    var codes: [UInt64] = []
    ends.reserveCapacity(ids.count)
    codes.reserveCapacity(ids.count)
    for id in ids {
      let cell = column.cell(id)
      let start = bytes.count
      if cell.length > offset {
        let batch = column.batches[id.batch]
        bytes.append(batch.content(cell).extracting(offset..<cell.length))
      }
      codes.append(column.key.coder.code(bytes.span.extracting(start...), from: 0))
      ends.append(bytes.count)
    }
    self.bytes = bytes.finish()
    self.ends = ends
    self.codes = codes
  }

  /// The rest of a row's text.
  @inline(__always)
  @_lifetime(borrow self)
  func text(_ ordinal: UInt32) -> Span<UInt8> {
    let row = Int(ordinal)
    let start = row == 0 ? 0 : ends[row &- 1]
    return bytes.span(from: start, count: ends[row] &- start)
  }
}
