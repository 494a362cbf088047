/// A sort on its way: groups of rows that tie so far are taken apart by what comes next.
struct Refinement: ~Copyable {
  private let columns: [KeyColumn]
  private let ids: [RowID]
  private var pairs: [KeyPair]
  private var scratch: [KeyPair]

  /// The rest of the texts of each key, once many of them tie.
  private var tails: [KeyTails?]

  /// Whether the tails of a key were tried.
  private var hasTails: [Bool]

  init(_ columns: [KeyColumn], ids: [RowID]) {
    self.columns = columns
    self.ids = ids
    pairs = []
    pairs.reserveCapacity(ids.count)
    for index in ids.indices { pairs.append(KeyPair(code: 0, ordinal: UInt32(truncatingIfNeeded: index))) }
    scratch = pairs
    tails = columns.map { _ in nil }
    hasTails = columns.map { _ in false }
  }

  /// The rows in their order.
  var sortedIDs: [RowID] {
    var sorted: [RowID] = []
    sorted.reserveCapacity(ids.count)
    for pair in pairs { sorted.append(ids[Int(pair.ordinal)]) }
    return sorted
  }

  /// Sorts all rows.
  mutating func sort() { sort(0..<pairs.count, by: 0) }
}

extension Refinement {
  /// How far texts are taken apart by codes; then they are compared whole.
  private var codedBytes: Int { 48 }

  /// The largest group whose rows are compared with one another right away.
  private var smallGroup: Int { 12 }

  /// Sorts a group of rows that tie in all keys before.
  private mutating func sort(_ range: Range<Int>, by index: Int) {
    let codes = columns[index].codes
    for place in range { pairs[place].code = codes[Int(pairs[place].ordinal)] }
    pairs.sortByCode(range, scratch: &scratch)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = endOfTie(from: start, to: range.upperBound)
      if end &- start > 1 {
        switch columns[index].tie(pairs[start].code) {
        case .settled: sortEqual(start..<end, after: index)
        case .texts: sortTexts(start..<end, by: index, from: columns[index].key.coder.codedBytes)
        case .numbers: compare(start..<end, by: index, .numbers, from: 0)
        }
      }
      start = end
    }
  }

  /// Sorts rows that tie in a key by the next one.
  private mutating func sortEqual(_ range: Range<Int>, after index: Int) {
    if index &+ 1 < columns.count { sort(range, by: index &+ 1) }
  }

  /// Sorts texts whose bytes before `offset` are the same.
  private mutating func sortTexts(_ range: Range<Int>, by index: Int, from offset: Int) {
    if range.count <= smallGroup || offset > codedBytes {
      return compare(range, by: index, .texts, from: offset)
    }
    loadTexts(range, by: index, from: offset)
    pairs.sortByCode(range, scratch: &scratch)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = endOfTie(from: start, to: range.upperBound)
      if end &- start > 1 {
        if columns[index].key.coder.isSettled(later: pairs[start].code) {
          sortEqual(start..<end, after: index)
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
    if !hasTails[index] {
      hasTails[index] = true
      tails[index] = KeyTails(of: column, ids, from: coded)
    }
    if let tails = tails[index] {
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
      if end &- start > 1 { sortEqual(range.lowerBound + start..<range.lowerBound + end, after: index) }
      start = end
    }
  }
}
