/// Determines the form of an input from its name and first bytes.
struct FormDetector {
  /// The decision.
  struct DetectedForm: Equatable {
    /// The form; never `auto`.
    var form: InputForm
    /// The delimiter of csv.
    var delimiter = UInt8(ascii: ",")
    /// The length of a line that names the delimiter, `sep=;`, in bytes.
    var skipped = 0
  }

  /// How many bytes detection examines.
  static let sampleSize = 1 << 16

  /// The options for the input.
  let options: InputOptions

  /// The path of the file, whose suffix is considered first.
  let path: FilePath?

  /// Decides by the suffix, then by the first bytes.
  ///
  /// - Parameters:
  ///   - sample: the first bytes, after a byte order mark and the lines skipped.
  ///   - isWhole: whether the sample is the whole input.
  func verdict(_ sample: Span<UInt8>, isWhole: Bool) -> DetectedForm {
    let isWhole = isWhole && sample.count <= Self.sampleSize
    let sample = sample.extracting(..<min(sample.count, Self.sampleSize))
    switch options.form == .auto ? form(sample, isWhole: isWhole) : options.form {
    case .csv, .auto:
      if let named = namedDelimiter(sample) {
        return DetectedForm(form: .csv, delimiter: options.delimiter ?? named.delimiter, skipped: named.end)
      }
      return DetectedForm(form: .csv, delimiter: options.delimiter ?? delimiter(sample, isWhole: isWhole))
    case .tsv:
      return DetectedForm(form: .tsv, delimiter: Dialect.tsv.delimiter)
    case let form:
      return DetectedForm(form: form)
    }
  }

  /// Whether no bytes after the sample can change the decision.
  ///
  /// JSON, and lines with a tab or with only blanks between words, are recognized by the first line. csv
  /// needs two records, unless its delimiter was given; for a followed stream of rows without header, the
  /// first one must suffice.
  func isSettled(_ sample: Span<UInt8>) -> Bool {
    let known = options.form == .auto ? Self.form(ofSuffix: path) ?? .auto : options.form
    guard known == .auto || known == .csv else { return true }
    if sample.isBeginning(ofAnyOf: Self.namings) { return sample.lineEnd(from: 0) + 1 < sample.count }
    guard options.delimiter == nil else { return true }
    if known == .auto {
      var first = 0
      while first < sample.count, sample[first].isJSONSpace { first += 1 }
      guard first < sample.count else { return false }
      if sample[first] == UInt8(ascii: "[") { return true }
      if sample[first] == UInt8(ascii: "{") { return sample.lineEnd(from: first) < sample.count }
    }
    let line = headerLine(sample, from: 0)
    guard !line.isEmpty, line.upperBound < sample.count else { return false }
    if known == .auto {
      // The lines below may belong to a drawn table.
      let lines = lines(sample, most: mayBeProse(line, sample) ? Self.proseLines : 2)
      guard lines.isWhole || form(sample, isWhole: false) == .tsv else { return false }
      if form(sample, isWhole: false) != .csv { return true }
    }
    var next = line.lowerBound
    for _ in 0..<(options.isFollowed && options.hasNoHeader ? 1 : 2) {
      guard counts(of: [], sample, from: &next).isWhole else { return false }
    }
    return true
  }

  /// The program that packs the bytes, or the other format they have, if it can be recognized.
  static func foreignFormat(_ bytes: Span<UInt8>) -> InputError.Foreign? {
    func begins(_ magic: [UInt8]) -> Bool {
      bytes.count >= magic.count && bytes.extracting(..<magic.count).equals(magic.span)
    }
    if let unpacker = Unpacker(bytes) { return .packed(unpacker) }
    if begins([0x50, 0x4B, 0x03, 0x04]) { return .format("xlsx") }
    if begins(Array("SQLite format 3".utf8)) { return .sqlite }
    // After a checksum of eight bytes.
    if bytes.count >= 12, bytes.extracting(8..<12).equals(Array("DUCK".utf8).span) { return .duckdb }
    if isProgram(bytes) { return .program }
    if begins([0x50, 0x41, 0x52, 0x31]) { return .format("parquet") }
    return nil
  }
}

extension FormDetector {
  /// Whether the bytes begin like a program for Linux, macOS or Windows: ELF, Mach-O, PE.
  private static func isProgram(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= 4 else { return false }
    let magic = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[$1]) }
    switch magic {
    case 0x7F45_4C46, 0xFEED_FACE, 0xFEED_FACF, 0xCEFA_EDFE, 0xCFFA_EDFE, 0xCAFE_BABE: return true
    default: return magic >> 16 == 0x4D5A && magic & 0xFF == 0
    }
  }

  private func form(_ sample: Span<UInt8>, isWhole: Bool) -> InputForm {
    if options.delimiter != nil { return .csv }
    if let form = Self.form(ofSuffix: path) { return form }
    var first = 0
    while first < sample.count, sample[first].isJSONSpace { first += 1 }
    if first < sample.count, sample[first] == UInt8(ascii: "[") { return .json }
    if first < sample.count, sample[first] == UInt8(ascii: "{") {
      let end = sample.lineEnd(from: first)
      let isCut = end == sample.count && !isWhole
      return !isCut && JSONScanner.isWholeObject(sample.extracting(first..<end)) ? .jsonl : .json
    }
    if namedDelimiter(sample) != nil { return .csv }
    let header = headerLine(sample, from: 0)
    let line = sample.extracting(header)
    let next = headerLine(sample, from: header.upperBound)
    if line.isListingTotal(above: sample.extracting(next)) { return .words }
    if line.isMarkOfCard { return .table }
    if TableRule.begins(line, sample.extracting(next)) {
      return .table
    }
    if mayBeProse(header, sample), hasTableBelowProse(sample) { return .table }
    var isBlank = false
    var hasGap = false
    var hasMark = false
    for index in line.indices {
      let byte = line[index]
      if byte == 9 { return .tsv }
      if byte == 32 && isBlank { hasGap = true }
      isBlank = byte == 32
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "|") {
        hasMark = true
      }
    }
    if hasMark { return .csv }
    if hasGap { return .words }
    // Several names are wanted for words that a single blank separates.
    let areNamed = options.hasNoHeader && (options.names?.count ?? 0) > 1 && line.contains(32)
    let isQuoted = line.count > 0 && line[0] == UInt8(ascii: "\"")
    return areNamed && !isQuoted && options.optionsUnknown(to: .blanks).isEmpty ? .blanks : .csv
  }

  /// In how many lines a drawn table may begin, below text.
  private static let proseLines = 8

  /// Whether a first line may be text above a drawn table, or part of its titles: it has no tab, and no `,`
  /// or `;` that the next line has, too.
  private func mayBeProse(_ first: Range<Int>, _ sample: Span<UInt8>) -> Bool {
    let line = sample.extracting(first)
    guard !options.isFollowed, !options.hasNoHeader, !line.contains(9) else { return false }
    let second = sample.extracting(headerLine(sample, from: first.upperBound))
    return [UInt8(ascii: ","), UInt8(ascii: ";")].allSatisfy { !line.contains($0) || !second.contains($0) }
  }

  /// Whether there is text of a few lines above a drawn table: the upper edge of a frame, or titles with a
  /// rule below.
  private func hasTableBelowProse(_ sample: Span<UInt8>) -> Bool {
    let lines = lines(sample, most: Self.proseLines).ranges
    guard lines.count > 2 else { return false }
    return (1..<lines.count).contains { index in
      let line = sample.extracting(lines[index])
      guard let rule = TableRule(line, least: 1) else { return false }
      if rule.isFramed || !rule.isASCII && rule.isClosedBefore && rule.isClosedAfter { return true }
      if !rule.isASCII, index + 2 < lines.count,
        TableRule(sample.extracting(lines[index + 2]), least: 1)?.extent == rule.extent
      {
        return true
      }
      let titles = sample.extracting(lines[index - 1])
      guard index > 1 else { return false }
      // The titles of Markdown are one line, so that what is directly above them belongs to no table.
      return rule.isMarkdown
        ? titles.firstVertical != nil && hasGap(sample, between: lines[index - 2], lines[index - 1])
        : underlines(rule, line, titles)
    }
  }

  /// Whether there is an empty line between two lines.
  private func hasGap(_ sample: Span<UInt8>, between first: Range<Int>, _ second: Range<Int>) -> Bool {
    let ends = (first.upperBound..<second.lowerBound).reduce(into: [UInt8: Int]()) {
      $0[sample[$1], default: 0] += 1
    }
    return ends[10] ?? ends[13] ?? 0 > 1
  }

  /// Whether a rule is below titles: it has several parts, consists of box lines, or is strong and below
  /// several titles.
  private func underlines(_ rule: TableRule, _ line: Span<UInt8>, _ header: Span<UInt8>) -> Bool {
    guard rule.junctions.isEmpty else { return TableRule.crosses(line, header) }
    return rule.parts.count > 1 || !rule.isASCII || rule.isStrong && WordsLine(header).titleCount > 1
      ? TableRule.underlines(line, header) : false
  }

  /// The first lines that are neither comments nor empty, at most `most`, and whether bytes after the sample
  /// cannot change them.
  private func lines(_ sample: Span<UInt8>, most: Int) -> (ranges: [Range<Int>], isWhole: Bool) {
    var ranges: [Range<Int>] = []
    var start = 0
    while ranges.count < most {
      let line = headerLine(sample, from: start)
      guard !line.isEmpty else { return (ranges, false) }
      ranges.append(line)
      start = line.upperBound
      if start == sample.count { return (ranges, false) }
    }
    return (ranges, true)
  }

  private static func form(ofSuffix path: FilePath?) -> InputForm? {
    switch path.map({ Unpacker.path(inside: $0).suffix }) {
    case "csv": return .csv
    case "tsv", "tab": return .tsv
    case "jsonl", "ndjson": return .jsonl
    case "json": return .json
    default: return nil
    }
  }

  /// The first line at or after a byte that is neither a comment nor empty.
  private func headerLine(_ sample: Span<UInt8>, from start: Int) -> Range<Int> {
    var start = start
    while start < sample.count {
      let end = sample.lineEnd(from: start)
      let isComment = options.comment.map { $0 == sample[start] } ?? false
      if !isComment, end > start { return start..<end }
      start = end + 1
      if end + 1 < sample.count, sample[end] == 13, sample[end + 1] == 10 { start += 1 }
    }
    return sample.count..<sample.count
  }

  /// The beginnings of a line that tells Excel the delimiter.
  private static let namings = ["sep=", "\"sep="].map { Array($0.utf8) }

  /// The delimiter that the first line names for Excel, and where the next line begins.
  private func namedDelimiter(_ sample: Span<UInt8>) -> (delimiter: UInt8, end: Int)? {
    var end = sample.lineEnd(from: 0)
    let isQuoted = end > 0 && sample[0] == UInt8(ascii: "\"")
    let naming = Self.namings[isQuoted ? 1 : 0]
    guard end == naming.count + (isQuoted ? 2 : 1), sample.isBeginning(ofAnyOf: [naming]),
      !isQuoted || sample[end - 1] == UInt8(ascii: "\"")
    else { return nil }
    let delimiter = sample[naming.count]
    guard delimiter < 0x80, delimiter != UInt8(ascii: "\"") else { return nil }
    if end + 1 < sample.count, sample[end] == 13, sample[end + 1] == 10 { end += 1 }
    return (delimiter, min(end + 1, sample.count))
  }

  /// The most frequent of `,` `;` `|` and tab outside quotes in the header, unless the second record has a
  /// different number of it and the same number of another one.
  ///
  /// A comma that is, or seems to be, a mark in numbers gives way to a mark that both records have as often as one
  /// another: `Netto, EUR;Steuer, EUR` above `1,5;2,3`.
  private func delimiter(_ sample: Span<UInt8>, isWhole: Bool) -> UInt8 {
    let marks: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), 9]
    var next = 0
    let first = counts(of: marks, sample, from: &next)
    let header = first.counts
    let second = counts(of: marks, sample, from: &next)
    var best = 0
    for index in marks.indices where header[index] > header[best] { best = index }
    let isSecond = second.isWhole || isWhole && second.hasBytes
    if isSecond, best == 0, second.areCommasInNumbers {
      let isDecimal = options.decimalMark == marks[0]
      let others = marks.indices.dropFirst().filter { header[$0] > 0 && header[$0] == second.counts[$0] }
      if let other = others.max(by: { header[$0] < header[$1] }), isDecimal || first.areCommasBeforeBlanks {
        return marks[other]
      }
    }
    if isSecond, header[best] != second.counts[best] {
      for index in marks.indices where header[index] > 0 && header[index] == second.counts[index] {
        return marks[index]
      }
    }
    return marks[best]
  }

  /// The number of times each delimiter occurs outside quotes in a record.
  private struct MarkCounts {
    var counts: [Int]
    var hasBytes = false

    /// Whether all commas outside quotes are before a blank.
    var areCommasBeforeBlanks = true

    /// Whether all of them are between two digits.
    var areCommasInNumbers = true

    /// Whether the end of the record was found.
    var isWhole = false
  }

  /// Counts delimiters in the first record at or after `start` that is neither a comment nor empty; `start`
  /// moves past it.
  private func counts(of marks: [UInt8], _ sample: Span<UInt8>, from start: inout Int) -> MarkCounts {
    var result = MarkCounts(counts: Array(repeating: 0, count: marks.count))
    let quote: UInt8? =
      switch options.quote {
      case .byForm: UInt8(ascii: "\"")
      case .off: nil
      case .byte(let byte): byte
      }
    start = headerLine(sample, from: start).lowerBound
    result.hasBytes = start < sample.count
    var isInside = false
    while start < sample.count {
      let byte = sample[start]
      start += 1
      if byte == quote { isInside.toggle() }
      if isInside { continue }
      if byte == 10 || byte == 13 {
        if byte == 13, start < sample.count, sample[start] == 10 { start += 1 }
        result.isWhole = true
        return result
      }
      if let index = marks.firstIndex(of: byte) { result.counts[index] += 1 }
      if byte == UInt8(ascii: ",") {
        let next = start < sample.count ? sample[start] : 0
        if next != UInt8(ascii: " ") { result.areCommasBeforeBlanks = false }
        if start < 2 || !sample[start - 2].isDigit || !next.isDigit { result.areCommasInNumbers = false }
      }
    }
    return result
  }
}

extension Span<UInt8> {
  /// Whether this begins with one of some texts, or is the beginning of one.
  fileprivate func isBeginning(ofAnyOf texts: [[UInt8]]) -> Bool {
    texts.contains { text in
      let length = Swift.min(count, text.count)
      return extracting(..<length).equals(Array(text[..<length]))
    }
  }

  /// Whether this begins like commits of `git log`: `commit`, 40 digits, and `Author:` or `Merge:` below.
  var isGitLog: Bool {
    guard holds("commit ", at: 0) else { return false }
    let end = lineEnd(from: 0)
    guard end >= 47, (7..<47).allSatisfy({ self[$0].isHexDigit }), end + 1 < count else { return false }
    return holds("Author:", at: end + 1) || holds("Merge:", at: end + 1)
  }
}
