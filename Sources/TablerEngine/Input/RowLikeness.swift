/// Detects a first line that is a row, although it was taken for titles, by comparing it with the first rows
/// below it.
///
/// A title says what values are; it rarely is one. A first line is a row if one of its texts is a value and
/// all texts below it are values of the same kind: `du -h`, `git log --oneline`, csv without a header. Words
/// above words prove nothing, and a word above numbers is a title. So are years and other steps of equal size
/// above numbers, as in tables with years as columns, and figures in order that follow a title of names:
/// `country,2019,2020`, `id,0,1`, `name,10%,90%`.
struct RowLikeness {
  /// The maximum number of rows that are examined.
  static let rowCount = 10

  /// The maximum number of columns, and the maximum number of words in a cell, that are examined.
  private static let mostColumns = 100
  private static let mostWords = 12

  /// The maximum number of bytes in a cell that are examined: longer ones are of no kind.
  fileprivate static let mostBytes = 1 << 10

  private let titles: [[UInt8]]
  private let rows: [[[UInt8]]]

  /// Takes the texts of the first line, and of the rows below it.
  init(_ titles: [String], rows: [[[UInt8]]]) {
    self.titles = titles.prefix(Self.mostColumns).map { Array($0.utf8) }
    self.rows = Array(rows.prefix(Self.rowCount))
  }

  private init(parts titles: [[UInt8]], rows: [[[UInt8]]]) {
    (self.titles, self.rows) = (Array(titles.prefix(Self.mostColumns)), rows)
  }

  /// Whether one of the titles may be a value: texts of letters, blanks and `_` are not, except days and months.
  static func mayHoldValue(_ titles: [String]) -> Bool {
    titles.prefix(mostColumns).contains { title in
      let bytes = title.utf8
      if bytes.contains(where: { !$0.isLetter && $0 < 0x80 && $0 != 0x20 && $0 != 0x5F }) { return true }
      guard bytes.count == 3 || bytes.contains(0x20) else { return false }
      return Array(bytes).words(atMost: mostWords).contains { TextValueKind.calendar.holds($0) }
    }
  }

  /// The texts of the first record of a batch, as much of them as is examined.
  static func texts(of record: Batch) -> [[UInt8]] {
    (0..<min(record.columnCount, mostColumns)).map { column in
      let content = record.content(record.cells[column])
      return Array(copying: content.extracting(..<min(content.count, mostBytes)))
    }
  }

  /// Whether the first line looks like the rows; for lines without delimiter, the texts between colons are
  /// compared too.
  var isRow: Bool {
    if titles.count == 1, let parts = partedAtColons { return parts.isRow }
    let columns = titles.indices.map { (title: titles[$0], cells: cells(ofColumn: $0)) }
    let filled = columns.filter { !$0.title.isEmpty && !$0.cells.isEmpty }
    if filled.contains(where: { Self.isNamed($0.title, over: $0.cells) }) { return false }
    if let first = filled.first, first.title == titles.first,
      Self.areFigures(filled.dropFirst(), after: first.title, over: first.cells)
    {
      return false
    }
    if filled.contains(where: { Self.looksAlike($0.title, $0.cells) }) { return true }
    let numbers = filled.filter { column in
      TextValueKind.number.holds(column.title) && column.cells.allSatisfy { TextValueKind.number.holds($0) }
    }
    return !numbers.isEmpty && !Self.areSteps(numbers, hasOthers: numbers.count < titles.count)
  }

  /// The texts between the colons of lines that have as many as the first, as in `/etc/passwd`; `nil` if one
  /// has not.
  private var partedAtColons: RowLikeness? {
    func parts(_ line: [UInt8]) -> [[UInt8]] {
      line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { Array($0) }
    }
    let titles = parts(self.titles[0])
    let rows = self.rows.map { parts($0.first ?? []) }
    guard titles.count > 2, rows.allSatisfy({ $0.count == titles.count }) else { return nil }
    return RowLikeness(parts: titles, rows: rows)
  }

  /// The cells of a column that are not empty; none if most are.
  private func cells(ofColumn column: Int) -> [[UInt8]] {
    let cells = rows.compactMap { $0.indices.contains(column) && !$0[column].isEmpty ? $0[column] : nil }
    return cells.count * 2 < rows.count ? [] : cells
  }

  /// Whether a title is a word above numbers, dates or sizes.
  private static func isNamed(_ title: [UInt8], over cells: [[UInt8]]) -> Bool {
    guard title.contains(where: \.isLetter), !title.contains(where: \.isDigit),
      cells.allSatisfy({ TextValueKind.number.holds($0) || TextValueKind.figures.holds($0) })
    else { return false }
    let nulls = ["na", "n/a", "null", "none", "nan", "nil"]
    return !nulls.contains(String(decoding: title, as: UTF8.self).lowercased())
  }

  /// Whether figures are the titles of columns next to a first one that is titled as names are, or
  /// differently from its cells.
  ///
  /// The title of a column of names may precede any figures that differ, another one only figures in order.
  private static func areFigures(
    _ columns: ArraySlice<(title: [UInt8], cells: [[UInt8]])>, after title: [UInt8], over cells: [[UInt8]]
  ) -> Bool {
    guard title.isOfLetters, !cells.contains(title) else { return false }
    let figures = columns.map(\.title).filter {
      TextValueKind.number.holds($0) || TextValueKind.figures.holds($0)
    }
    guard !figures.isEmpty, Set(figures).count == figures.count else { return false }
    if NameTitles.holds(title) { return true }
    let areSpelledAlike = cells.contains { $0.isOfLetters && $0.letterCase == title.letterCase }
    let numbers = figures.compactMap { text -> Number? in
      let digits = text.last == UInt8(ascii: "%") ? text.dropLast() : text
      return NumberReader.loose(digits.span)
    }
    guard !areSpelledAlike, numbers.count == figures.count, numbers.count > 1 else { return false }
    let orders = Set(zip(numbers, numbers.dropFirst()).map { Number.compare($0, $1).signum() })
    return orders == [-1] || orders == [1]
  }

  /// Whether a title and all cells below it are values of one kind, or words at the same position in them are.
  private static func looksAlike(_ title: [UInt8], _ cells: [[UInt8]]) -> Bool {
    if TextValueKind.label.isShared(by: title, cells) { return true }
    let words = title.words(atMost: mostWords)
    let below = cells.map { $0.words(atMost: mostWords) }
    return words.indices.contains { index in
      guard below.allSatisfy({ $0.count > index }) else { return false }
      let kinds = index == 0 ? TextValueKind.anywhere + TextValueKind.first : TextValueKind.anywhere
      return kinds.contains { $0.isShared(by: words[index], below.map { $0[index] }) }
        || index == 0 && words.count > 1 && TextValueKind.number.isShared(by: words[0], below.map { $0[0] })
    }
  }

  /// Whether titles that are numbers name columns: years above other numbers, or steps of one size.
  private static func areSteps(_ columns: [(title: [UInt8], cells: [[UInt8]])], hasOthers: Bool) -> Bool {
    let numbers = columns.compactMap { Int(String(decoding: $0.title, as: UTF8.self)) }
    guard numbers.count == columns.count else { return false }
    let years = 1800...2200
    if numbers.allSatisfy(years.contains) {
      let areYearsBelow = columns.allSatisfy { column in
        column.cells.allSatisfy { Int(String(decoding: $0, as: UTF8.self)).map(years.contains) ?? false }
      }
      if !areYearsBelow { return true }
    }
    guard numbers.count > (hasOthers ? 2 : 3) else { return false }
    let step = numbers[1].subtractingReportingOverflow(numbers[0])
    return !step.overflow && step.partialValue != 0
      && zip(numbers, numbers.dropFirst()).allSatisfy {
        $1.subtractingReportingOverflow($0) == (step.partialValue, false)
      }
  }
}

extension RowLikeness {
  /// Whether lines are the names of files, each with its suffix; the words of each.
  static func areFiles(_ lines: [[[UInt8]]]) -> Bool {
    lines.count > 1 && lines.allSatisfy { $0.last.map { TextValueKind.file.holds($0) } ?? false }
  }

  /// The number of words at the beginning of lines that are of one kind in all of them, or the same text.
  ///
  /// - Parameter lines: the words of each line.
  static func commonWords(_ lines: [[[UInt8]]]) -> Int {
    guard let first = lines.first, lines.count > 1 else { return 0 }
    let most = min(lines.map(\.count).min() ?? 0, mostWords)
    let kinds = TextValueKind.anywhere + TextValueKind.first + [.number, .bracket]
    var count = 0
    for index in 0..<most {
      let below = lines.dropFirst().map { $0[index] }
      let isCommon =
        below.allSatisfy { $0 == first[index] } || kinds.contains { $0.isShared(by: first[index], below) }
      if isCommon { count = index + 1 }
    }
    return count
  }
}

/// The titles of columns of names, which are hardly ever names themselves.
private enum NameTitles {
  /// Whether a title is one of them, or ends with one: `Product name`, `user_id`.
  static func holds(_ title: [UInt8]) -> Bool {
    let words = title.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "_") }
    guard let last = words.last, last.count <= longest else { return false }
    return all.contains(last.map { $0 | 0x20 })
  }

  private static let longest = 12

  private static let all = Set(
    ("account area brand category city class code color colour company component continent country county "
      + "currency customer date day department dept description district employee feature gene group id item "
      + "key kind label language location metric model month name parameter player product quarter question "
      + "region sample sector sku species state status store student subject symbol team ticker title type "
      + "variable week year")
      .split(separator: " ").map { Array($0.utf8) })
}

/// A kind of text that is a value and hardly ever a title.
enum TextValueKind {
  /// A number.
  case number
  /// Figures with marks or a unit between or after them: a date, a time, an address, a version, a size.
  case figures
  /// Hexadecimal digits, as in the names of commits.
  case hash
  /// The name of a day or a month, in three letters.
  case calendar
  /// The permissions of a file: `-rw-r--r--`.
  case mode
  /// A mail or web address.
  case address
  /// A path of a file.
  case path
  /// The name of a file, with a suffix.
  case file
  /// A name, `=` and a value.
  case assignment
  /// A name followed by a colon.
  case label
  /// A text in brackets.
  case bracket

  /// The kinds that a word of a longer text may have.
  static let anywhere: [TextValueKind] = [.figures, .calendar, .mode, .address, .path]

  /// The kinds that only a whole text, or its first word, may have.
  static let first: [TextValueKind] = [.hash, .file, .assignment, .label]

  /// Whether a title and all cells below it are of this kind.
  func isShared(by title: [UInt8], _ cells: [[UInt8]]) -> Bool {
    guard holds(title), !cells.isEmpty else { return false }
    switch self {
    case .figures:
      let shape = title.shape
      return cells.allSatisfy { $0.first?.isDigit ?? false }
        && cells.count { $0.shape == shape } * 2 >= cells.count
    case .hash:
      guard ([title] + cells).contains(where: { $0.contains(where: \.isLetter) }) else { return false }
      return cells.allSatisfy { holds($0) && abs($0.count - title.count) < 3 }
    case .file:
      return cells.count { $0.suffix == title.suffix } * 2 >= cells.count
    case .path: return cells.count { $0.contains(UInt8(ascii: "/")) } * 2 >= cells.count
    case .assignment: return cells.allSatisfy { $0.contains(UInt8(ascii: "=")) }
    case .number, .calendar, .mode, .address, .label, .bracket: return cells.allSatisfy(holds)
    }
  }

  /// Whether a text is of this kind.
  func holds(_ text: [UInt8]) -> Bool {
    guard let first = text.first, let last = text.last, text.count < RowLikeness.mostBytes else {
      return false
    }
    switch self {
    case .number: return NumberReader.isNumber(text.span)
    case .figures: return first.isDigit && text.shape.count > 1 && !NumberReader.isNumber(text.span)
    case .hash:
      return 6...64 ~= text.count && text.allSatisfy(\.isHexDigit) && text.contains(where: \.isDigit)
    case .calendar: return text.count == 3 && text.isNameOfDayOrMonth
    case .mode: return text.isMode
    case .address:
      return text.span.firstRange(of: Array("://".utf8).span, from: 1) != nil
        || text.dropFirst().dropLast().contains(UInt8(ascii: "@"))
    case .path:
      let starts = ["/", "./", "../", "~/"]
      if starts.contains(where: { text.count > $0.utf8.count && text.starts(with: $0.utf8) }) { return true }
      return text.lastIndex(of: UInt8(ascii: "/")).map { !Array(text[($0 + 1)...]).suffix.isEmpty } ?? false
    case .file: return !text.suffix.isEmpty && !text.contains(UInt8(ascii: "/"))
    case .assignment:
      guard let mark = text.firstIndex(of: UInt8(ascii: "=")), mark > 0, !first.isDigit else { return false }
      return text[..<mark].allSatisfy {
        $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
      }
    case .label: return text.count > 1 && last == UInt8(ascii: ":")
    case .bracket: return first == UInt8(ascii: "[") || first == UInt8(ascii: "(")
    }
  }
}

extension [UInt8] {
  /// The words between blanks and tabs, up to a limit.
  func words(atMost most: Int) -> [[UInt8]] {
    split(maxSplits: most, whereSeparator: { $0 == 32 || $0 == 9 }).prefix(most).map { Array($0) }
  }

  /// Whether all bytes are letters, blanks or `_`, and at least one is a letter, perhaps beyond ASCII.
  fileprivate var isOfLetters: Bool {
    contains { $0.isLetter || $0 >= 0x80 }
      && allSatisfy { $0.isLetter || $0 >= 0x80 || $0 == 0x20 || $0 == 0x5F }
  }

  /// The case of the first letter and of those after it: `country`, `Country` and `DE` differ.
  fileprivate var letterCase: [Bool] {
    let letters = filter(\.isLetter).map { $0 < 0x61 }
    return letters.isEmpty ? [] : [letters[0], letters.dropFirst().contains(true)]
  }

  /// The text with `0` for consecutive digits and `a` for letters; a point between digits before a unit
  /// counts as one of them.
  fileprivate var shape: [UInt8] {
    var shape: [UInt8] = []
    for byte in prefix(64) {
      let mark = byte.isDigit ? UInt8(ascii: "0") : byte.isLetter ? UInt8(ascii: "a") : byte
      if mark != shape.last || !byte.isDigit && !byte.isLetter { shape.append(mark) }
    }
    return shape.elementsEqual("0.0a".utf8) ? Array("0a".utf8) : shape
  }

  /// The part after the last point of a file name, if it looks like a suffix.
  fileprivate var suffix: [UInt8] {
    guard let point = lastIndex(of: UInt8(ascii: ".")), point > 0, 1...5 ~= count - point - 1 else {
      return []
    }
    let suffix = Array(self[(point + 1)...])
    let isName = allSatisfy { $0.isLetter || $0.isDigit || $0 >= 0x80 || "._-+".utf8.contains($0) }
    return isName && suffix[0].isLetter && suffix.allSatisfy { $0.isLetter || $0.isDigit } ? suffix : []
  }

  /// Whether this is the mode of a file, as `ls -l` prints it.
  fileprivate var isMode: Bool {
    guard count == 10 || count == 11, "-dlcbsp".utf8.contains(self[0]) else { return false }
    return self[1..<10].allSatisfy { "-rwxsStT".utf8.contains($0) }
  }

  /// Whether these three letters begin the English name of a day or a month, as programs print it.
  fileprivate var isNameOfDayOrMonth: Bool {
    let names = "Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
    return names.split(separator: " ").contains { $0.utf8.elementsEqual(self) }
  }
}

extension UInt8 {
  /// Whether this is an ASCII letter.
  fileprivate var isLetter: Bool { self | 0x20 >= 0x61 && self | 0x20 <= 0x7A }
}
