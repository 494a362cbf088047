/// The keys of a batch of nested JSON objects, each with its object: `--flatten` makes a column of each.
///
///     {"id":1,"size":{"width":2,"height":3}}      id  size ── width, height
///
/// If a key is repeated in an object, the last one counts: values of the others are forgotten.
struct JSONKeyTree {
  /// A key in its object.
  private struct Key {
    /// The names that lead here, joined by dots.
    var name: String
    /// Its column, once it has had a value that is not an object.
    var column: Int?
    /// The last record that had it.
    var record = 0
    /// The keys of its object in that record.
    var members: [Int] = []
  }

  /// A name in an object.
  private struct MemberName: Hashable {
    var parent: Int
    var name: ExactName
  }

  /// All keys; the first is the record itself.
  private var keys = [Key(name: "")]
  private var numbers: [MemberName: Int] = [:]

  /// The current record, counted from 1.
  private var record = 0

  /// The positions of the keys of the last record, from the quote to the colon: the next one usually has the same.
  private var expected: [(parent: Int, start: Int, length: Int, key: Int)] = []
  private var position = 0

  /// The total size of all names in bytes.
  private var nameBytes = 0
  private let limits: ColumnLimits

  /// The maximum number of keys in a record that are compared with those of the previous one.
  private static let mostExpected = 4096

  /// Starts without any keys.
  init(_ limits: ColumnLimits) { self.limits = limits }

  /// Begins a record.
  mutating func beginRecord() {
    record += 1
    position = 0
    keys[0].members.removeAll(keepingCapacity: true)
  }

  /// The names that lead to a key, joined by dots.
  func name(of key: Int) -> String { keys[key].name }

  /// The column of a key, if it has one.
  func column(of key: Int) -> Int? { keys[key].column }

  /// Assigns a column to a key.
  mutating func setColumn(_ column: Int, of key: Int) { keys[key].column = column }

  /// The key at the current position, if it is the same as in the previous record, and the length of its
  /// spelling with the colon.
  func expected(in parent: Int, _ text: Span<UInt8>, at start: Int) -> (key: Int, length: Int)? {
    guard position < expected.count else { return nil }
    let known = expected[position]
    guard known.parent == parent, text.count &- start >= known.length,
      text.repeats(known.start, at: start, length: known.length)
    else { return nil }
    return (known.key, known.length)
  }

  /// Expects a key at the current position in the next record.
  mutating func expect(_ key: Int, in parent: Int, at start: Int, length: Int) {
    let entry = (parent: parent, start: start, length: length, key: key)
    if position < expected.count {
      expected[position] = entry
    } else if expected.count < Self.mostExpected {
      expected.append(entry)
    }
  }

  /// The number of a name in an object.
  mutating func key(_ name: String, in parent: Int = 0, at offset: Int) throws(JSONError) -> Int {
    let place = MemberName(parent: parent, name: ExactName(name))
    if let number = numbers[place] { return number }
    let whole = parent == 0 ? name : keys[parent].name + "." + name
    nameBytes += whole.utf8.count
    guard nameBytes <= limits.nameBytes else { throw JSONError(offset: offset, damage: .namesTooLong) }
    guard keys.count <= limits.count else { throw JSONError(offset: offset, damage: .tooManyKeys) }
    numbers[place] = keys.count
    keys.append(Key(name: whole))
    return keys.count - 1
  }

  /// Records a key of the current record.
  ///
  /// - Returns: the columns of its earlier value, if it is repeated in its object.
  mutating func enter(_ key: Int, in parent: Int) -> [Int]? {
    position += 1
    guard keys[key].record != record else {
      var columns: [Int] = []
      forget(key, &columns)
      return columns
    }
    keys[key].record = record
    if !keys[key].members.isEmpty { keys[key].members.removeAll(keepingCapacity: true) }
    keys[parent].members.append(key)
    return nil
  }

  /// Forgets the value of a key in the current record.
  private mutating func forget(_ key: Int, _ columns: inout [Int]) {
    if let column = keys[key].column { columns.append(column) }
    let members = keys[key].members
    keys[key].members = []
    for member in members {
      forget(member, &columns)
      keys[member].record = 0
    }
  }
}

extension JSONScanner {
  /// Whether an object with members begins at the cursor.
  func isAtFilledObject(_ text: Span<UInt8>) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: "{") else { return false }
    var place = offset &+ 1
    while place < text.count, text[place].isJSONSpace { place &+= 1 }
    return place >= text.count || text[place] != UInt8(ascii: "}")
  }
}

extension JSONScanner.Value {
  /// Whether this is an object with members.
  func isFilledObject(_ text: Span<UInt8>) -> Bool {
    kind == .object && JSONScanner(at: start).isAtFilledObject(text)
  }
}
