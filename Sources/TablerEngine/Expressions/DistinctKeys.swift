/// Different keys, which are only to be counted.
///
/// They are held in memory until they are told to go to a temporary file, as often as necessary. There each
/// run of keys is sorted by hash, so that all runs can be read side by side: equal keys meet.
struct DistinctKeys: Sendable {
  private var held = KeyTable()
  private var runs: [KeyRun] = []

  /// The bytes of keys that are worth writing.
  private static let leastWritten = 1 << 12

  /// The bytes that are read at once from all runs together.
  private static let readAhead = 1 << 22

  /// Adds a key, if it is not there.
  mutating func insert(_ key: Span<UInt8>) { _ = held.insert(key) }

  /// Adds the keys of others.
  mutating func merge(_ other: DistinctKeys) {
    held.merge(other.held)
    runs += other.runs
  }

  /// The memory that they take, in bytes.
  var byteCount: Int { held.memory + runs.capacity * MemoryLayout<KeyRun>.stride }

  /// Writes the keys that are held to a temporary file, unless they are few.
  mutating func spill(to file: SpillFile) throws(SystemError) {
    if held.memory >= Self.leastWritten { try write(to: file) }
  }

  private mutating func write(to file: SpillFile) throws(SystemError) {
    runs.append(try KeyRun(held, file))
    held = KeyTable()
  }

  /// The number of keys, each counted once.
  ///
  /// - Throws: the system's error for a temporary file that cannot be read.
  /// - Complexity: O(*n* log *r*) for *n* keys in *r* runs.
  var count: Int {
    get throws(SystemError) {
      guard let file = runs.first?.file else { return held.count }
      var all = self
      if held.count > 0 { try all.write(to: file) }
      return try all.countOfRuns()
    }
  }

  /// The number of different keys in all runs.
  private func countOfRuns() throws(SystemError) -> Int {
    let window = max(1 << 8, min(1 << 16, Self.readAhead / runs.count))
    // The next key of each run, as a heap; the one with the smallest hash is on top.
    var heap: [KeyRun.Cursor] = []
    for run in runs { heap.append(try run.begin(window)) }
    heap.sort { $0.hash < $1.hash }
    var count = 0
    var (hash, found): (UInt64, [KeyRun.Key]) = (0, [])
    while !heap.isEmpty {
      if heap[0].hash != hash { (hash, found) = (heap[0].hash, []) }
      let isKnown = try heap[0].isAmong(found)
      if !isKnown {
        found.append(try heap[0].key())
        count += 1
      }
      let goesOn = try heap[0].advance()
      if goesOn {
        Self.sink(&heap)
      } else {
        let last = heap.removeLast()
        if !heap.isEmpty {
          heap[0] = last
          Self.sink(&heap)
        }
      }
    }
    return count
  }

  /// Moves the cursor on top down to its position in the heap.
  private static func sink(_ heap: inout [KeyRun.Cursor]) {
    var place = 0
    while true {
      var next = 2 * place + 1
      guard next < heap.count else { return }
      if next + 1 < heap.count, heap[next + 1].hash < heap[next].hash { next += 1 }
      guard heap[next].hash < heap[place].hash else { return }
      heap.swapAt(place, next)
      place = next
    }
  }
}

/// Keys in a temporary file, sorted by hash; each is preceded by its hash and its length.
private struct KeyRun: Sendable {
  /// A key in a temporary file.
  struct Key {
    fileprivate let file: SpillFile
    fileprivate let range: Range<Int>

    /// Its bytes, unless there are many.
    fileprivate let bytes: [UInt8]?
  }

  let file: SpillFile
  private let range: Range<Int>

  /// The bytes that precede a key: eight for its hash, four for its length.
  private static let headSize = 12

  /// The bytes that are written at once.
  private static let portion = 1 << 16

  /// The maximum size of a key that is held while others are compared with it, in bytes.
  private static let mostHeld = 1 << 12

  /// Writes the keys of a table to the end of a file.
  init(_ keys: KeyTable, _ file: SpillFile) throws(SystemError) {
    let start = file.count
    var order: [(hash: UInt64, number: Int)] = []
    order.reserveCapacity(keys.count)
    for number in 0..<keys.count { order.append((keys.hash(ofKey: number), number)) }
    order.sort { $0.hash < $1.hash }
    var bytes = ByteBuffer(capacity: Self.portion)
    for (hash, number) in order {
      let key = keys.key(number)
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: hash &>> shift))
      }
      for shift in stride(from: 24, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: key.count &>> shift))
      }
      if key.count < Self.portion {
        bytes.append(key)
      } else {
        try file.append(bytes.span)
        bytes.truncate(to: 0)
        try file.append(key)
      }
      if bytes.count < Self.portion { continue }
      try file.append(bytes.span)
      bytes.truncate(to: 0)
    }
    try file.append(bytes.span)
    self.file = file
    range = start..<file.count
  }

  /// Starts at the first key, which must exist.
  ///
  /// - Parameter window: the bytes that are read at once.
  func begin(_ window: Int) throws(SystemError) -> Cursor {
    var cursor = Cursor(file: file, next: range.lowerBound, end: range.upperBound, size: window)
    _ = try cursor.advance()
    return cursor
  }

  /// Reads a run, key by key.
  struct Cursor {
    private let file: SpillFile
    private var next: Int
    private let end: Int
    private let size: Int

    /// The bytes that were read last, and their offset in the file.
    private var window = ByteBlock.empty
    private var windowStart = 0

    /// The hash of the current key.
    private(set) var hash: UInt64 = 0

    /// The range of the current key in the file.
    private var keyRange = 0..<0

    init(file: SpillFile, next: Int, end: Int, size: Int) {
      self.file = file
      self.next = next
      self.end = end
      self.size = size
    }

    /// Moves to the next key; `false` if there is none.
    mutating func advance() throws(SystemError) -> Bool {
      if next >= end { return false }
      if next < windowStart || next + KeyRun.headSize > windowStart + window.span.count {
        window = try file.read(next..<min(end, next + size))
        windowStart = next
      }
      let place = next - windowStart
      guard place + KeyRun.headSize <= window.span.count else { throw file.damage }
      hash = number(at: place, 8)
      let length = Int(number(at: place + 8, 4))
      let start = next + KeyRun.headSize
      guard start + length <= end else { throw file.damage }
      keyRange = start..<start + length
      next = keyRange.upperBound
      return true
    }

    private func number(at place: Int, _ count: Int) -> UInt64 {
      let bytes = window.span
      var number: UInt64 = 0
      for index in place..<place &+ count { number = number &<< 8 | UInt64(bytes[index]) }
      return number
    }

    /// The current key, with its bytes if they are few.
    func key() throws(SystemError) -> Key {
      if keyRange.count > KeyRun.mostHeld { return Key(file: file, range: keyRange, bytes: nil) }
      let block = try bytes(of: keyRange)
      return Key(file: file, range: keyRange, bytes: Array(copying: block.span))
    }

    /// Whether the current key is one of some with the same hash: almost always true, if there are any.
    func isAmong(_ keys: [Key]) throws(SystemError) -> Bool {
      for other in keys where other.range.count == keyRange.count {
        let isSame = try isSame(other)
        if isSame { return true }
      }
      return false
    }

    private func isSame(_ other: Key) throws(SystemError) -> Bool {
      if let known = other.bytes {
        let own = try bytes(of: keyRange)
        return own.span.equals(known.span)
      }
      var start = 0
      while start < keyRange.count {
        let count = min(keyRange.count - start, KeyRun.portion)
        let left = try file.read(keyRange.lowerBound + start..<keyRange.lowerBound + start + count)
        let right = try other.file.read(
          other.range.lowerBound + start..<other.range.lowerBound + start + count)
        if !left.span.equals(right.span) { return false }
        start += count
      }
      return true
    }

    /// The bytes of a range of the file, taken from those read last if they include it.
    private func bytes(of range: Range<Int>) throws(SystemError) -> ByteBlock {
      guard range.upperBound <= windowStart + window.span.count else { return try file.read(range) }
      return ByteBlock(
        window.span.extracting(range.lowerBound - windowStart..<range.upperBound - windowStart))
    }
  }
}
