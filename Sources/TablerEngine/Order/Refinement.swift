/// A sort on its way: groups of rows that tie so far are taken apart by what comes next.
///
/// Rows whose codes of the first key differ never meet, so that several threads can share out the codes among them.
struct Refinement: ~Copyable {
  private let columns: [KeyColumn]
  private let ids: [RowID]
  private var pairs: [KeyPair]
  private var scratch: [KeyPair]

  /// The groups of rows that tie in all keys so far.
  private var ties: [Range<Int>] = []

  /// The texts of keys copied together, by the first thread that needs them for all; `nil` where they are too long.
  private let copies: Monitor<[Int: KeyTails?]>

  /// The rest of the texts of the key at hand, once many of them tie.
  private var tails: KeyTails?

  /// How many texts of the key at hand were jumped to.
  private var jumps = 0

  /// Begins with the rows whose code of the first key is not below `low`, and below `high`.
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
  /// - Parameter threadCount: the threads that may work at once.
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

  /// Sorts the rows, key by key; the groups that a key leaves tied wait for the next.
  private mutating func sort() {
    ties = [0..<pairs.count]
    for index in columns.indices where !ties.isEmpty {
      let groups = ties
      ties = []
      tails = nil
      jumps = 0
      for group in groups { sort(group, by: index) }
    }
  }
}

extension [UInt64] {
  /// The lowest code of each of several parts of about the same size; equal ones belong to one part.
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
  /// How far texts are taken apart by codes; then they are compared whole.
  private var codedBytes: Int { 48 }

  /// How many times fewer texts are jumped to than there are before all tails are copied together.
  private var fewJumps: Int { 8 }

  /// Sorts a group of rows that tie in all keys before.
  private mutating func sort(_ range: Range<Int>, by index: Int) {
    if index > 0 {
      let codes = columns[index].codes
      for place in range { pairs[place].code = codes[Int(pairs[place].ordinal)] }
    }
    pairs.sortByCode(range, scratch: &scratch)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = endOfTie(from: start, to: range.upperBound)
      if end &- start > 1 {
        switch columns[index].tie(pairs[start].code) {
        case .settled: leaveTied(start..<end, by: index)
        case .texts: sortTexts(start..<end, by: index, from: columns[index].key.coder.codedBytes)
        case .numbers: compare(start..<end, by: index, .numbers, from: 0)
        }
      }
      start = end
    }
  }

  /// Leaves rows that tie in a key to the next one.
  private mutating func leaveTied(_ range: Range<Int>, by index: Int) {
    if index &+ 1 < columns.count { ties.append(range) }
  }

  /// Sorts texts whose bytes before `offset` are the same.
  private mutating func sortTexts(_ range: Range<Int>, by index: Int, from offset: Int) {
    if offset > codedBytes { return compare(range, by: index, .texts, from: offset) }
    loadTexts(range, by: index, from: offset)
    pairs.sortByCode(range, scratch: &scratch)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = endOfTie(from: start, to: range.upperBound)
      if end &- start > 1 {
        if columns[index].key.coder.isSettled(later: pairs[start].code) {
          leaveTied(start..<end, by: index)
        } else {
          sortTexts(start..<end, by: index, from: offset &+ 7)
        }
      }
      start = end
    }
  }

  /// Codes the next bytes of texts.
  private mutating func loadTexts(_ range: Range<Int>, by index: Int, from offset: Int) {
    let column = columns[index]
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

  /// Where the rows of the code at `start` end.
  private func endOfTie(from start: Int, to end: Int) -> Int {
    let code = pairs[start].code
    var place = start &+ 1
    while place < end, pairs[place].code == code { place &+= 1 }
    return place
  }

  /// Sorts rows by comparing their cells, then what is equal by the next key.
  private mutating func compare(
    _ range: Range<Int>, by index: Int, _ tie: KeyCoder.Tie, from offset: Int
  ) {
    var group = range.map { pairs[$0].ordinal }
    let column = columns[index]
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
      if end &- start > 1 { leaveTied(range.lowerBound + start..<range.lowerBound + end, by: index) }
      start = end
    }
  }
}
