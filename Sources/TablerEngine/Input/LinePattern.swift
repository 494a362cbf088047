/// `--pattern`: how lines are divided into cells.
public enum LineDivision: Sendable {
  /// The groups of a pattern are cells.
  case groups(LinePattern)
  /// Lines are of keys and values.
  case logfmt

  /// The name of that form.
  public static let logfmtName = "logfmt"

  /// The names that stand for patterns and forms.
  public static var names: [String] { LinePattern.ServerLog.allCases.map(\.rawValue) + [logfmtName] }
}

extension LineDivision {
  /// The name of the log that a text is, judged by its first two lines; `nil` for other texts.
  static func name(ofLog text: Span<UInt8>) -> String? {
    let end = text.lineEnd(from: 0)
    guard let name = name(ofLogLine: text.extracting(..<end)) else { return nil }
    let start = end + (end < text.count && text[end] == 13 ? 2 : 1)
    guard start < text.count else { return name }
    return name == Self.name(ofLogLine: text.extracting(start..<text.lineEnd(from: start))) ? name : nil
  }

  private static func name(ofLogLine line: Span<UInt8>) -> String? {
    if let log = LinePattern.ServerLog.allCases.first(where: { $0.mayBegin(line) && $0.matches(line) }) {
      return log.rawValue
    }
    var (fields, end) = ([LogField](), 0)
    guard line.mayBeLogfmt, LogField.parse(line, line.indices, &fields, &end) else { return nil }
    return fields.count > 1 && fields.allSatisfy { $0.value != nil } ? logfmtName : nil
  }
}

extension LinePattern.ServerLog {
  /// Whether a line may match: a cheap test.
  fileprivate func mayBegin(_ line: Span<UInt8>) -> Bool {
    guard line.count > 16, line.count < LinePattern.longestLine else { return false }
    switch self {
    case .combined, .common: return line.holds("] \"")
    case .syslog:
      return line[3] == 32 && line[6] == 32 && line[9] == UInt8(ascii: ":") && line[12] == UInt8(ascii: ":")
    }
  }

  fileprivate func matches(_ line: Span<UInt8>) -> Bool {
    guard let pattern = try? Pattern(source) else { return false }
    return PatternMatcher(pattern).nextCaptures(in: line, after: nil) != nil
  }
}

extension LinePattern {
  /// The longest line that is looked at to tell what log it belongs to.
  fileprivate static var longestLine: Int { 4096 }
}

extension Span<UInt8> {
  /// Whether the text is somewhere in it.
  fileprivate func holds(_ text: StaticString) -> Bool {
    indices.contains { self[$0] == text.byte(at: 0) && self.holds(text, at: $0) }
  }

  /// Whether a line begins with a word and `=`: a cheap test.
  fileprivate var mayBeLogfmt: Bool {
    let end = indices.first { place in
      let byte = self[place]
      return !(byte.isDigit || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_"))
    }
    return count < LinePattern.longestLine && end.map { $0 > 0 && self[$0] == UInt8(ascii: "=") } ?? false
  }
}

/// A pattern whose groups are the cells of a line.
public struct LinePattern: Sendable {
  /// The pattern.
  let pattern: Pattern

  /// Finds matches in one pass, if the pattern allows.
  let machine: OnePassMachine?

  /// The patterns that have a name, as servers write their logs.
  public enum ServerLog: String, CaseIterable, Sendable {
    /// Apache's: that of the NCSA and two fields.
    case combined
    /// The log format of the NCSA, with the request divided.
    case common
    /// What RFC 3164 describes, or with a time of RFC 3339 as rsyslog writes it.
    case syslog

    /// The pattern.
    public var source: String {
      switch self {
      case .combined: Self.request + #" "(?<referer>(?:[^"\\]|\\.)*)" "(?<agent>(?:[^"\\]|\\.)*)"$"#
      case .common: Self.request + "$"
      case .syslog:
        #"^(?:<(?<priority>\d+)>)?(?<time>[A-Z][a-z][a-z] [ \d]\d [\d:]+|\d{4}-\S+) (?<host>\S+) "#
          + #"(?<program>[^\s:\[]+)(?:\[(?<pid>[^\]]*)\])?:(?: (?<message>.*))?$"#
      }
    }

    private static let request =
      #"^(?<host>\S+) (?<ident>\S+) (?<user>\S+) \[(?<time>[^\]]*)\] "(?<method>(?:[^ "\\]|\\.)*)"#
      + #"(?: (?<path>(?:[^ "\\]|\\.)*)(?: (?<protocol>(?:[^"\\]|\\.)*))?)?" (?<status>\S+) (?<bytes>\S+)"#
  }

  /// Compiles a pattern; `nil` if none of its groups has a name.
  public init?(_ source: String, flags: PatternFlags) throws(PatternError) {
    pattern = try Pattern(source, flags: flags)
    if pattern.groupNames.isEmpty { return nil }
    machine = OnePassMachine(pattern.program)
  }
}

/// Divides lines by a pattern: a line a row, and the named groups are its cells.
struct PatternLineParser: LineParser {
  let titles: [String]
  let hasHeader = true
  let headerPlace: InputError.Location? = nil
  let isOver = false

  private let divider: LineDivider

  init(_ feed: BlockFeed, _ context: InputContext) throws(InputError) {
    divider = LineDivider(context)
    titles = divider.titles
  }

  mutating func consumeLine(
    _ text: Range<Int>, _ feed: BlockFeed, _ records: inout LineRecords
  ) throws(InputError) -> Bool {
    if !text.isEmpty { try divider.divide(text, feed, &records) }
    return true
  }
}

/// Divides lines into cells; the reader's copies of its parser share it.
private final class LineDivider {
  /// The titles of the cells.
  let titles: [String]

  private let context: InputContext
  private let isAnchored: Bool

  /// The numbers of the groups that make cells.
  private let groups: [Int]
  private let machine: OnePassMachine?
  private let matcher: PatternMatcher?

  /// The offsets of the groups of the last match; -1 for those that took no part.
  private var slots: [Int]

  /// The title of the column of lines that do not match, if they are kept.
  private static let text = "text"

  init(_ context: InputContext) {
    self.context = context
    let line: LinePattern? = if case .groups(let line)? = context.options.lineDivision { line } else { nil }
    let names = line?.pattern.groupNames ?? []
    groups = names.map(\.number)
    machine = line?.machine
    matcher = line.map { PatternMatcher($0.pattern) }
    isAnchored = line?.pattern.isAnchored ?? true
    slots = Array(repeating: -1, count: 2 * ((line?.pattern.groupCount ?? 0) + 1))
    var text = Self.text
    while names.contains(where: { $0.name == text }) { text += "_2" }
    titles = names.map(\.name) + (context.options.ragged == .fill ? [text] : [])
  }

  /// Adds the record of a line, or leaves the line out.
  func divide(_ text: Range<Int>, _ feed: BlockFeed, _ records: inout LineRecords) throws(InputError) {
    let block = feed.block
    var end = 0
    let isMatch = match(block.span.extracting(text), &end)
    if !isMatch, context.options.ragged != .fill {
      // It takes time to count lines: for the first one only.
      func place() -> InputError.Location {
        context.place(feed, at: text.lowerBound + end, withColumn: isAnchored && end > 0)
      }
      guard context.options.ragged == .skip else { throw .unmatchedLine(place()) }
      return records.recordLine(.skippedRow, place: place())
    }
    records.begin(at: text.lowerBound)
    for group in groups {
      let (start, end) = (slots[2 * group], slots[2 * group + 1])
      if isMatch, start >= 0, end >= start {
        records.append(block, text.lowerBound + start..<text.lowerBound + end)
      } else {
        records.skipCell()
      }
    }
    if !isMatch { records.append(block, text) }
  }

  /// Whether a line matches; if so its groups are in `slots`, otherwise `end` is where it stopped, if that is known.
  private func match(_ line: Span<UInt8>, _ end: inout Int) -> Bool {
    if let machine {
      if machine.match(line, slots: &slots, end: &end) { return true }
      if isAnchored { return false }
      end = 0
    }
    guard let matcher, matcher.nextCaptures(in: line, after: nil) != nil else { return false }
    for (number, range) in matcher.groups.enumerated() {
      slots[2 * number] = range?.lowerBound ?? -1
      slots[2 * number + 1] = range?.upperBound ?? -1
    }
    return true
  }
}
