/// A row to be sorted: the code it is sorted by, and its number among the rows.
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
  mutating func sortByCode(_ range: Range<Int>, scratch: inout [KeyPair]) {
    if range.count <= 24 { return insertByCode(range) }
    let varying = varyingBits(range)
    if varying == 0 { return }
    if range.count <= 1024 { return mergeByCode(range, scratch: &scratch) }
    radixByCode(range, varying: varying, scratch: &scratch)
  }

  /// The bits in which codes differ; none also where the range is sorted.
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

  /// Merges runs of doubling length, to and fro between the array and the scratch.
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

  /// Deals the pairs out byte by byte, from the lowest of a few high bytes to the highest.
  ///
  /// The highest bits in which codes differ tell most rows apart, as many bits as it takes to count the rows and
  /// some more; what is the same in them is sorted again by the rest.
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
