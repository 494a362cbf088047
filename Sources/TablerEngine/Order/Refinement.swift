/// A sort on its way: groups of rows that tie so far are taken apart by what comes next.
///
/// Rows that the codes of the first key have told apart never meet again, so that several threads can go on with them.
struct Refinement: ~Copyable {
  private let columns: [KeyColumn]
  private let ids: [RowID]
  private var pairs: [KeyPair]
  private var scratch: [KeyPair]

  /// The groups of rows that tie in all keys so far.
  private var ties: [Range<Int>] = []

  /// The rest of the texts of the key at hand, once many of them tie.
  private var tails: KeyTails?

  /// How many texts of the key at hand were jumped to.
  private var jumps = 0

  init(_ columns: [KeyColumn], ids: [RowID]) {
    self.columns = columns
    self.ids = ids
    pairs = []
    pairs.reserveCapacity(ids.count)
    for index in ids.indices { pairs.append(KeyPair(code: 0, ordinal: UInt32(truncatingIfNeeded: index))) }
    scratch = pairs
  }

  /// Goes on with some of the pairs of another, sorted by the codes of the first key.
  private init(_ columns: [KeyColumn], ids: [RowID], _ pairs: [KeyPair], _ tails: KeyTails?) {
    self.columns = columns
    self.ids = ids
    self.pairs = pairs
    self.tails = tails
    scratch = pairs
  }

  /// The rows in their order.
  var sortedIDs: [RowID] {
    var sorted: [RowID] = []
    sorted.reserveCapacity(ids.count)
    for pair in pairs { sorted.append(ids[Int(pair.ordinal)]) }
    return sorted
  }

  /// Sorts all rows, key by key; the groups that a key leaves tied wait for the next.
  ///
  /// - Parameter threadCount: the threads that may work at once.
  mutating func sort(threadCount: Int = 1) {
    guard !columns.isEmpty, !pairs.isEmpty else { return }
    sortByCodes(0..<pairs.count, of: 0)
    if threadCount > 1 { goOn(onThreads: threadCount) } else { goOn() }
  }

  /// Takes apart what ties in the codes of the first key, then goes on key by key.
  private mutating func goOn() {
    takeApart(0..<pairs.count, by: 0)
    for index in columns.indices.dropFirst() where !ties.isEmpty {
      let groups = ties
      ties = []
      tails = nil
      jumps = 0
      for group in groups {
        sortByCodes(group, of: index)
        takeApart(group, by: index)
      }
    }
  }

  /// Shares the pairs out where their codes differ, and goes on with each part on a thread of its own.
  private mutating func goOn(onThreads threadCount: Int) {
    var cuts = [0]
    for part in 1..<threadCount {
      let wanted = max(pairs.count * part / threadCount, cuts[part - 1])
      cuts.append(wanted == 0 ? 0 : endOfTie(from: wanted - 1, to: pairs.count))
    }
    cuts.append(pairs.count)
    if tiedTexts >= ids.count / fewJumps { copyTails(of: 0) }
    // Each pair is held once, whoever has it, beside the scratch.
    let parts = Monitor((0..<threadCount).map { Array(pairs[cuts[$0]..<cuts[$0 + 1]]) })
    pairs = []
    scratch = []
    let (columns, ids, tails) = (columns, ids, tails)
    Worker.concurrently(threadCount) { part in
      var taken: [KeyPair] = []
      parts.access { swap(&$0[part], &taken) }
      var some = Refinement(columns, ids: ids, taken, tails)
      taken = []
      some.goOn()
      let sorted = some.pairs
      parts.access { $0[part] = sorted }
    }
    pairs = parts.access { $0.flatMap(\.self) }
  }
}

extension Refinement {
  /// How far texts are taken apart by codes; then they are compared whole.
  private var codedBytes: Int { 48 }

  /// How many times fewer texts are jumped to than there are before all tails are copied together.
  private var fewJumps: Int { 8 }

  /// How many rows tie in the codes of the first key and are texts that go on.
  private var tiedTexts: Int {
    var count = 0
    var start = 0
    while start < pairs.count {
      let end = endOfTie(from: start, to: pairs.count)
      if end &- start > 1, case .texts = columns[0].tie(pairs[start].code) { count &+= end &- start }
      start = end
    }
    return count
  }

  /// Sorts a group of rows that tie in all keys before by the codes of a key.
  private mutating func sortByCodes(_ range: Range<Int>, of index: Int) {
    let codes = columns[index].codes
    for place in range { pairs[place].code = codes[Int(pairs[place].ordinal)] }
    pairs.sortByCode(range, scratch: &scratch)
  }

  /// Takes apart the rows of a sorted group whose codes are the same.
  private mutating func takeApart(_ range: Range<Int>, by index: Int) {
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
      if isFirst, jumps >= ids.count / fewJumps { copyTails(of: index) }
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

  /// Copies the texts of a key together.
  private mutating func copyTails(of index: Int) {
    tails = KeyTails(of: columns[index], ids, from: columns[index].key.coder.codedBytes)
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
