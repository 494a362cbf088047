/// `--join`: another table, and the columns of both that must be equal.
public struct Join: Equatable, Sendable {
  /// The other table.
  public var source: Source

  /// The columns that must be equal: of the rows, and of the other table.
  public var keys: [EqualColumns]

  /// A column of the rows, and the one of the other table that must be equal.
  public struct EqualColumns: Equatable, Sendable {
    /// The column of the rows.
    public var own: ColumnReference

    /// The column of the other table.
    public var other: ColumnReference

    /// Creates a pair.
    public init(own: ColumnReference, other: ColumnReference) { (self.own, self.other) = (own, other) }
  }

  /// Which rows `--join` keeps.
  public enum Kind: String, CaseIterable, Sendable {
    /// All of them, with nulls if no row of the other table has their key.
    case left
    /// Those whose key is in the other table.
    case inner
    /// The same, once each, without the columns of the other table.
    case semi
    /// Those whose key is not in the other table.
    case anti

    /// Whether rows get the columns of the other table.
    var addsColumns: Bool { self == .left || self == .inner }
  }

  /// Creates the value of the option.
  public init(_ source: Source, keys: [EqualColumns]) { (self.source, self.keys) = (source, keys) }
}

/// The rows of another table, to which those that pass are joined; read before the first of these.
struct JoinedTable: Sendable {
  /// The rows: in memory, or in a temporary file if there is no room for them.
  enum Content: Sendable {
    case held([Batch])
    case stored(StoredRows)
  }

  /// The columns.
  let schema: Schema

  /// The rows.
  let rows: Content

  /// The bytes that the rows take in memory with what finds them, and those that they may take.
  let size: Int
  let room: Int

  /// What there is to say of the file.
  let notices: [InputNotice]

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - room: the bytes that all joined tables may still take.
  ///   - mayWait: whether rows may wait for the last one: otherwise the table must fit into memory.
  /// - Throws: `joinTooLarge`, or `spill` if there is no room for a temporary file.
  init(_ source: Source, _ opening: SideFile.Opening, room: inout Int, mayWait: Bool) throws(Failure) {
    var (batches, stored, size) = ([Batch](), StoredRows(), 0)
    var problem: SystemError?
    let limit = room
    let file: SideFile
    do {
      file = try SideFile(source, opening, room: &room) { batch, _ in
        let kept = batch.rowCount * JoinIndex.rowSize
        let before = size
        size += batch.memory + kept
        if size <= limit || !mayWait {
          batches.append(batch)
          return kept
        }
        do throws(SystemError) {
          for batch in batches { try stored.spill(Rows(batch)) }
          try stored.spill(Rows(batch))
        } catch { problem = error }
        // What was held no longer takes room.
        defer { batches = [] }
        return problem != nil ? limit + 1 : -batch.memory - (batches.isEmpty ? 0 : before)
      }
    } catch { throw .input(error) }
    if let problem { throw Failure(reading: problem) }
    if room < 0 { throw .joinTooLarge(path: source.path) }
    (schema, notices, self.size, self.room) = (file.schema, file.notices, size, limit)
    rows = size > limit ? .stored(stored) : .held(batches)
  }
}

/// The columns of two tables that are joined.
struct JoinColumns {
  /// The file of the other table, and what there is to say of it.
  let path: FilePath?
  let tableNotices: [Notice]

  /// Which rows are kept.
  let kind: Join.Kind

  /// Reads the keys of rows, and those of rows of the other table.
  var key: JoinKey
  var otherKey: JoinKey

  /// The columns whose texts tell the keys, mostly; `nil` if they do not.
  let spelledKey: (own: Int, other: Int)?

  /// The columns of the other table that are added, and those that they make.
  let added: [(other: Int, index: Int, name: String)]

  /// The columns of the other table that must be equal, and what they are called in notices.
  private let otherKeys: [ResolvedColumn]

  /// Binds the columns that must be equal, and adds those of the other table.
  init(_ join: Join, _ kind: Join.Kind, _ table: JoinedTable, _ binder: inout Binder) throws(Failure) {
    (path, self.kind, tableNotices) = (join.source.path, kind, table.notices.map(Notice.input))
    var other = Binder(schema: table.schema, context: binder.context)
    var (own, others): ([ResolvedColumn], [ResolvedColumn]) = ([], [])
    for pair in join.keys {
      do { own.append(try binder.schema.resolve(pair.own)) } catch {
        throw .column(option: PlannedStep.Work.join.rawValue, error)
      }
      do throws(ColumnError) {
        let column = try other.schema.resolve(pair.other)
        // All rows have come: a key that none has never comes.
        guard ([column] + column.longer).contains(where: { $0.index < table.schema.count }) else {
          if case .name(let name, _) = pair.other { throw table.schema.notFound(name.trimmingBlanks) }
          throw .noPosition(0, count: table.schema.count)
        }
        others.append(column)
      } catch {
        throw .joinColumn(path: join.source.path, error, columns: table.schema.names(atMost: 20))
      }
      // What is declared for one holds for the other, or equal cells would differ.
      guard let column = own.last?.exact, let matched = others.last?.exact else { continue }
      if let type = binder.schema.columns[column].type { other.schema.declare(type, at: matched) }
    }
    otherKeys = others
    key = JoinKey(own, binder)
    otherKey = JoinKey(others, other)
    let isWhole = own.count == 1 && own[0] == ResolvedColumn(index: own[0].index)
    let isUntyped = isWhole && binder.schema.columns[own[0].index].type == nil
    if isUntyped, let exact = others[0].exact, others[0] == ResolvedColumn(index: exact),
      binder.context.marks == .standard
    {
      spelledKey = (own[0].index, exact)
    } else {
      spelledKey = nil
    }
    let known = Set(others.compactMap(\.exact))
    let shown = kind.addsColumns ? table.schema.shown.filter { !known.contains($0) } : []
    let names = Set(shown.map { table.schema.columns[$0].name })
    var added: [(other: Int, index: Int, name: String)] = []
    for column in shown {
      let name = table.schema.columns[column].freeName(at: column, in: binder.schema, beside: names)
      if let index = binder.schema.join(name: name) { added.append((column, index, name)) }
    }
    self.added = added
  }

  /// The key of a row of the other table, for a notice.
  func text(ofKeyIn batch: Batch, row: Int) -> [UInt8] {
    var text = ByteBuffer()
    for (place, column) in otherKeys.enumerated() {
      if place > 0 { text.append(", ") }
      batch.append(comparedTextOf: column, row: row, to: &text)
    }
    return text.array()
  }
}

/// Rows that have no match only because of blanks at the ends of their keys, or of those of the other table.
struct MissedMatches {
  /// How many there are.
  var count = 0

  /// The first of them, and its key.
  var first: RowPlace
  let key: [UInt8]
}

/// Keys that several rows of the other table have.
struct RepeatedKeys {
  /// How many there are.
  var count: Int

  /// The first of them, and the number and the line of its first row.
  var key: [UInt8]
  var number: Int
  var line: Int

  /// Adds those of other rows.
  mutating func merge(_ other: RepeatedKeys) {
    let sum = count + other.count
    if other.number < number { self = other }
    count = sum
  }
}

extension Schema.Column {
  /// The name of the column, or with `_2`, `_3` after it one that no column has.
  ///
  /// - Parameter others: the names of the columns that are added with it, which they keep if they can.
  fileprivate func freeName(at index: Int, in schema: Schema, beside others: Set<String>) -> String {
    let plain = name.isEmpty ? "@\(index + 1)" : name
    var (free, number) = (plain, 2)
    while schema.isTaken(free) || free != plain && others.contains(free) {
      free = "\(plain)_\(number)"
      number += 1
    }
    return free
  }
}

extension Schema {
  /// Whether a column of the first record, or one that was made, has a name.
  fileprivate func isTaken(_ name: String) -> Bool {
    guard let index = index(of: name) else { return false }
    return !isOpen || columns[index].isComputed || positions.contains(index)
  }
}

/// Finds the rows of a table by their keys.
final class JoinIndex: Sendable {
  /// A row of the table.
  struct JoinedRow: Sendable {
    var batch: UInt32
    var row: UInt32
  }

  /// The bytes that a row takes in it, about.
  static let rowSize = 64

  private let keys: KeyTable

  /// The number of the key for each text that a key of one column is spelled with; empty if texts do not tell it.
  private let spellings: KeyTable
  private let spelled: [UInt32]
  private let spellingFilter: KeyFilter

  /// The texts with blanks at their ends, without these.
  private let trimmed: KeyTable

  /// Whether all keys that are numbers are plain integers: two of these are equal only if they are spelled alike.
  private let hasPlainIntegers: Bool

  /// Where the rows of each key begin among `places`, and those of the next one.
  private let starts: [Int]
  private let places: [JoinedRow]

  /// The number of keys that several rows have, and the first of them: its first row.
  let repeated: (count: Int, first: JoinedRow)?

  /// Sorts the rows of a table by their keys, in which nulls are equal to nothing.
  ///
  /// - Parameters:
  ///   - key: reads the key of a row.
  ///   - column: the column whose texts tell the key; `nil` if they do not.
  init(_ batches: [Batch], key: inout JoinKey, column: Int?) {
    var (keys, spellings, spelled, trimmed) = (KeyTable(), KeyTable(), [UInt32](), KeyTable())
    var (places, numbers, counts) = ([JoinedRow](), [Int](), [Int]())
    var bytes = ByteBuffer()
    var hasPlainIntegers = true
    for (index, batch) in batches.enumerated() {
      key.read(batch) { reader in
        for row in 0..<batch.rowCount where reader.read(row, into: &bytes) {
          let (number, isNew) = keys.insert(bytes.span)
          if isNew { counts.append(0) }
          counts[number] += 1
          numbers.append(number)
          places.append(
            JoinedRow(batch: UInt32(truncatingIfNeeded: index), row: UInt32(truncatingIfNeeded: row)))
          guard let column else { continue }
          let text = batch.content(batch.cell(row: row, column: column))
          guard spellings.insert(text).isNew else { continue }
          spelled.append(UInt32(truncatingIfNeeded: number))
          if text.isPadded { _ = trimmed.insert(text.extracting(text.unpadded)) }
          if hasPlainIntegers, !text.isPlainInteger, NumberReader.isNumber(text, marks: .standard) {
            hasPlainIntegers = false
          }
        }
      }
    }
    var starts = [0]
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    var (next, sorted) = (starts, places)
    for (place, number) in zip(places, numbers) {
      sorted[next[number]] = place
      next[number] += 1
    }
    let firstRepeated = counts.firstIndex { $0 > 1 }
    repeated = firstRepeated.map { (counts.count { $0 > 1 }, sorted[starts[$0]]) }
    (self.keys, self.spellings, self.spelled, self.trimmed) = (keys, spellings, spelled, trimmed)
    (spellingFilter, self.hasPlainIntegers) = (KeyFilter(spellings), hasPlainIntegers)
    (self.starts, self.places) = (starts, sorted)
  }

  /// The rows that have a key, as a range of numbers; empty if none has.
  func rows(withKey bytes: Span<UInt8>) -> Range<Int> { rows(ofKey: keys.number(of: bytes)) }

  /// The rows whose key is spelled with a text, or none if no key can have its value; `nil` if its value must be read.
  @inline(__always)
  func rows(spelled text: Span<UInt8>) -> Range<Int>? {
    let hash = spellings.hash(text)
    if spellingFilter.passes(hash), let number = spellings.number(of: text, hash: hash) {
      return rows(ofKey: Int(spelled[number]))
    }
    // Only a number can be spelled in another way.
    let hasOneSpelling = !text.mayBeNumber(.standard) || hasPlainIntegers && text.isPlainInteger
    return hasOneSpelling ? 0..<0 : nil
  }

  /// Whether a text that no row is spelled with differs from that of a row only in blanks at its ends.
  func differsInBlanks(_ text: Span<UInt8>) -> Bool {
    let inner = text.extracting(text.unpadded)
    return text.isPadded && spellings.number(of: inner) != nil || trimmed.number(of: inner) != nil
  }

  private func rows(ofKey number: Int?) -> Range<Int> {
    number.map { starts[$0]..<starts[$0 + 1] } ?? 0..<0
  }

  /// Where a row is, by its number in a range.
  func place(_ number: Int) -> JoinedRow { places[number] }
}

extension Span<UInt8> {
  /// Whether the text is an integer of at most 18 digits, without a sign, zeros in front or blanks.
  fileprivate var isPlainInteger: Bool {
    guard (1...18).contains(count), self[0] != UInt8(ascii: "0") || count == 1 else { return false }
    for index in indices where !self[index].isDigit { return false }
    return true
  }
}

/// What the keys of rows are made of: keys are the same if `=` finds each of their parts equal, but `01` is not `1`, unless a
/// type is declared for it.
struct JoinKey: Sendable {
  /// The parts, each with a slot of its own for misfits.
  private let parts: [Node]
  private let context: EvaluationContext

  /// The cells that did not convert.
  private(set) var state: EvaluationState

  /// Takes columns, as their declared types if they have some.
  init(_ columns: [ResolvedColumn], _ binder: Binder) {
    context = binder.context
    parts = columns.enumerated().map { slot, column in
      guard column.path.isEmpty, column.longer.isEmpty else { return .way(column, slot: slot) }
      guard let type = binder.schema.columns[column.index].type else {
        return .cell(column: column.index, slot: slot)
      }
      return .typed(column: column.index, slot: slot, type)
    }
    state = EvaluationState(slots: columns.map { binder.schema.name(of: $0) }, context.marks)
    if context.leavesOutMisfits { state.tally.leaveOut() }
  }

  /// Calls `body` with what reads the keys of the rows of a batch.
  mutating func read(_ batch: Batch, _ body: (inout Reader) -> Void) {
    var reader = Reader(evaluator: Evaluator(context, batch: batch, state: state), parts: parts)
    body(&reader)
    state = reader.evaluator.state
  }

  /// Reads the keys of the rows of a batch.
  struct Reader: ~Copyable {
    fileprivate var evaluator: Evaluator
    fileprivate let parts: [Node]

    /// Reads the key of a row in place of what `bytes` holds; `false` if a part of it is null.
    mutating func read(_ row: Int, into bytes: inout ByteBuffer) -> Bool {
      bytes.truncate(to: 0)
      evaluator.row = row
      for part in parts where !evaluator.append(keyOf: part, numbers: .typed, to: &bytes) { return false }
      return true
    }
  }
}
