/// A time zone: how far its clocks are ahead of UTC at every instant, according to the system's zone files
/// (RFC 8536).
struct TimeZone: Sendable {
  /// The instants at which the offset changes, in order.
  private var transitions: [Int64] = []

  /// The offset from each of them on, in seconds.
  private var offsets: [Int] = []

  /// The offset before the first.
  private var first = 0

  /// The rule that applies after the last.
  private var rule: Rule?

  /// Where the zone files are, unless `TZDIR` says otherwise.
  private static let folder = "/usr/share/zoneinfo"

  /// The size of the longest zone file that is read, in bytes.
  private static let longestFile = 1 << 20

  /// Finds a zone: `UTC`, an offset such as `+02:00`, or the name of a zone file.
  init(named name: String) throws(TimeZoneError) {
    if name == "UTC" || name == "Z" || name == "GMT" { return }
    if name.hasPrefix("+") || name.hasPrefix("-") {
      let text = "2000-01-01T00:00" + name
      guard let offset = CivilDateTime(text.utf8.span)?.offset else { throw .unknown }
      first = offset
      return
    }
    let isName = name.utf8.allSatisfy { byte in
      byte.isDigit || (byte | 0x20) &- 0x61 < 26 || "_+-/".utf8.contains(byte)
    }
    guard isName, !name.hasPrefix("/"), !name.isEmpty, name.utf8.count < 100 else { throw .unknown }
    let folder = Process.variable("TZDIR") ?? Self.folder
    guard let block = Self.contents(of: FilePath(folder + "/" + name)) else {
      if (try? Descriptor(reading: FilePath(folder))) == nil { throw .noZones(folder: folder) }
      throw .unknown
    }
    guard read(block.span) else { throw .unknown }
  }

  private static func contents(of path: FilePath) -> ByteBlock? {
    guard let file = try? Descriptor(reading: path), file.isRegularFile else { return nil }
    var builder = ByteBlock.Builder(capacity: longestFile)
    while builder.room > 0 {
      guard let count = try? file.read(into: &builder) else { return nil }
      if count == 0 { return builder.finish() }
    }
    return nil
  }

  /// The seconds by which clocks are ahead of UTC when they show a time: the first such instant if they show it twice,
  /// and the offset before the change if they never do.
  ///
  /// - Parameter seconds: the seconds from 1970-01-01T00:00 by these clocks.
  func offset(atClock seconds: Int64) -> Int {
    let before = offset(at: seconds &- 86_400)
    let after = offset(at: seconds &+ 86_400)
    if before == after || offset(at: seconds &- Int64(before)) == before { return before }
    return offset(at: seconds &- Int64(after)) == after ? after : before
  }

  /// The seconds by which clocks are ahead of UTC at an instant.
  func offset(at instant: Int64) -> Int {
    guard let begin = transitions.first, instant >= begin else {
      return transitions.isEmpty ? rule?.offset(at: instant) ?? first : first
    }
    if let rule, let end = transitions.last, instant >= end { return rule.offset(at: instant) }
    var (low, high) = (0, transitions.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if transitions[middle] <= instant { low = middle } else { high = middle }
    }
    return offsets[low]
  }
}

/// What is wrong with the name of a time zone.
enum TimeZoneError: Error, Equatable {
  /// There is no such zone.
  case unknown
  /// There is no folder of zone files.
  case noZones(folder: String)
}

// MARK: - Files

extension TimeZone {
  /// Reads the file of a zone; `false` if it is not one.
  private mutating func read(_ file: Span<UInt8>) -> Bool {
    guard var header = Header(file, at: 0) else { return false }
    var timeSize = 4
    if header.version >= UInt8(ascii: "2") {
      let next = header.end + header.bodyLength(timeSize: 4)
      guard let second = Header(file, at: next) else { return false }
      (header, timeSize) = (second, 8)
    }
    let times = header.end
    let kinds = times + header.timeCount * timeSize
    let types = kinds + header.timeCount
    let end = header.end + header.bodyLength(timeSize: timeSize)
    guard end <= file.count, header.typeCount > 0 else { return false }
    func offset(_ type: Int) -> Int? {
      guard type < header.typeCount else { return nil }
      let offset = Int(Int32(truncatingIfNeeded: Self.integer(file, types + type * 6, 4)))
      return abs(offset) < 86_400 * 2 ? offset : nil
    }
    for place in 0..<header.timeCount {
      let time = Self.integer(file, times + place * timeSize, timeSize)
      guard let offset = offset(Int(file[kinds + place])), time >= transitions.last ?? .min else {
        return false
      }
      transitions.append(time)
      offsets.append(offset)
    }
    guard let first = offset(0) else { return false }
    self.first = first
    if timeSize == 8, end < file.count {
      var rest = end + 1
      while rest < file.count, file[rest] != 10 { rest += 1 }
      if rest > end + 1 { rule = Rule(file.extracting(end + 1..<rest)) }
    }
    return true
  }

  /// A signed number of `size` bytes, the highest first.
  private static func integer(_ file: Span<UInt8>, _ start: Int, _ size: Int) -> Int64 {
    var value: UInt64 = 0
    for index in start..<start + size { value = value &<< 8 | UInt64(file[index]) }
    return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }

  /// The header before the data: their version and the number of items of each kind.
  private struct Header {
    let version: UInt8
    let timeCount: Int
    let typeCount: Int
    let end: Int
    private let characterCount: Int
    private let leapCount: Int
    private let markCount: Int

    init?(_ file: Span<UInt8>, at start: Int) {
      guard start >= 0, start + 44 <= file.count, file.extracting(start..<start + 4).equals("TZif") else {
        return nil
      }
      version = file[start + 4]
      var counts: [Int] = []
      for place in 0..<6 {
        let count = TimeZone.integer(file, start + 20 + place * 4, 4)
        guard count >= 0, count < TimeZone.longestFile else { return nil }
        counts.append(Int(count))
      }
      markCount = counts[0] + counts[1]
      leapCount = counts[2]
      timeCount = counts[3]
      typeCount = counts[4]
      characterCount = counts[5]
      end = start + 44
    }

    func bodyLength(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4) + markCount
    }
  }
}

// MARK: - Rules

/// When clocks change in every year, as in the POSIX variable `TZ`: `CET-1CEST,M3.5.0,M10.5.0/3`.
private struct Rule: Sendable {
  private var standard = 0
  private var summer: (offset: Int, start: Day, end: Day)?

  /// A day of every year and the second of it at which clocks change.
  private struct Day: Sendable {
    enum Kind: Sendable {
      /// A day from 1 to 365; the leap day is never counted.
      case julian(Int)
      /// A day from 0.
      case ordinal(Int)
      /// The weekday (0 Sunday) of a week of a month; 5 is the last.
      case weekday(month: Int, week: Int, day: Int)
    }

    var kind: Kind
    var second: Int

    /// The second since 1970, in local time.
    func second(in year: Int) -> Int64 {
      let first = CivilDate.daysSinceEpoch(year: year, month: 1, day: 1)
      let days: Int
      switch kind {
      case .ordinal(let day): days = first + day
      case .julian(let day):
        let isLeap = CivilDate.days(inMonth: 2, of: year) == 29
        days = first + day - 1 + (isLeap && day > 59 ? 1 : 0)
      case .weekday(let month, let week, let day):
        let begin = CivilDate.daysSinceEpoch(year: year, month: month, day: 1)
        // 1970-01-01 was a Thursday.
        let weekday = ((begin + 4) % 7 + 7) % 7
        var distance = (day - weekday + 7) % 7 + (week - 1) * 7
        while distance >= CivilDate.days(inMonth: month, of: year) { distance -= 7 }
        days = begin + distance
      }
      return Int64(days) * 86_400 + Int64(second)
    }
  }

  init?(_ text: Span<UInt8>) {
    var cursor = RuleCursor(text)
    guard cursor.name(), let west = cursor.time() else { return nil }
    standard = -west
    if cursor.isAtEnd { return }
    guard cursor.name() else { return nil }
    var offset = standard + 3600
    if !cursor.isAt(",") {
      guard let west = cursor.time() else { return nil }
      offset = -west
    }
    guard cursor.consume(","), let start = Self.day(&cursor), cursor.consume(","),
      let end = Self.day(&cursor),
      cursor.isAtEnd
    else { return nil }
    summer = (offset, start, end)
  }

  func offset(at instant: Int64) -> Int {
    guard let summer else { return standard }
    guard let clock = Timestamp(instant: instant, offset: standard) else { return standard }
    let year = clock.date.year
    let start = summer.start.second(in: year) - Int64(standard)
    let end = summer.end.second(in: year) - Int64(summer.offset)
    let isSummer =
      start < end ? instant >= start && instant < end : instant >= start || instant < end
    return isSummer ? summer.offset : standard
  }

  private static func day(_ cursor: inout RuleCursor) -> Day? {
    let kind: Day.Kind
    if cursor.consume("M") {
      guard let month = cursor.digits(), cursor.consume("."), let week = cursor.digits(), cursor.consume("."),
        let day = cursor.digits(), (1...12).contains(month), (1...5).contains(week), day < 7
      else { return nil }
      kind = .weekday(month: month, week: week, day: day)
    } else {
      let isJulian = cursor.consume("J")
      guard let day = cursor.digits(), day <= 365, !isJulian || day > 0 else { return nil }
      kind = isJulian ? .julian(day) : .ordinal(day)
    }
    var second = 7200
    if cursor.consume("/") {
      guard let found = cursor.time() else { return nil }
      second = found
    }
    return Day(kind: kind, second: second)
  }
}

/// A position in a rule.
private struct RuleCursor: ~Escapable {
  private let text: Span<UInt8>
  private var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  var isAtEnd: Bool { index == text.count }

  func isAt(_ mark: Unicode.Scalar) -> Bool { index < text.count && UInt32(text[index]) == mark.value }

  mutating func consume(_ mark: Unicode.Scalar) -> Bool {
    guard isAt(mark) else { return false }
    index += 1
    return true
  }

  /// Skips the name of a zone: letters, or anything between `<` and `>`.
  mutating func name() -> Bool {
    let start = index
    if consume("<") {
      while index < text.count, text[index] != UInt8(ascii: ">") { index += 1 }
      return consume(">")
    }
    while index < text.count, (text[index] | 0x20) &- 0x61 < 26 { index += 1 }
    return index > start
  }

  mutating func digits() -> Int? {
    let start = index
    var value = 0
    while index < text.count, index - start < 3, text[index].isDigit {
      value = value * 10 + Int(text[index] &- 48)
      index += 1
    }
    return index > start ? value : nil
  }

  /// Hours, minutes and seconds with a sign, in seconds.
  mutating func time() -> Int? {
    let isNegative = consume("-")
    if !isNegative { _ = consume("+") }
    guard let hours = digits(), hours <= 167 else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] {
      guard consume(":") else { break }
      guard let found = digits(), found < 60 else { return nil }
      seconds += found * unit
    }
    return isNegative ? -seconds : seconds
  }
}
