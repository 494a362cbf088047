/// The keys of a batch of nested JSON objects, each with the object it stands in: `--flatten` makes a column of each.
///
///     {"id":1,"size":{"width":2,"height":3}}      id  size ── width, height
///
/// Of a key that stands twice in an object the last counts: what the others led to is forgotten.
struct JSONKeyTree {
  /// A key in its object.
  private struct Key {
    /// The names that lead here, with dots between them.
    var name: String
    /// Its column, once it had a value that is no object.
    var column: Int?
    /// The last record that it stood in.
    var record = 0
    /// The keys that stood in its object, in that record.
    var members: [Int] = []
  }

  /// A name in an object.
  private struct Place: Hashable {
    var parent: Int
    var name: ExactName
  }

  /// All keys; the first stands for the record itself.
  private var keys = [Key(name: "")]
  private var numbers: [Place: Int] = [:]

  /// The current record, counted from 1.
  private var record = 0

  /// Where the keys of the last record stand, from the quote to the colon: the next one has mostly the same.
  private var expected: [(parent: Int, start: Int, length: Int, key: Int)] = []
  private var position = 0

  /// The bytes of all names.
  private var nameBytes = 0
  private let limits: ColumnLimits

  /// The most keys of a record that are compared with those of the one before.
  private static let mostExpected = 4096

  /// Knows no key yet.
  init(_ limits: ColumnLimits) { self.limits = limits }

  /// Begins a record.
  mutating func beginRecord() {
    record += 1
    position = 0
    keys[0].members.removeAll(keepingCapacity: true)
  }

  /// The names that lead to a key, with dots between them.
  func name(of key: Int) -> String { keys[key].name }

  /// The column of a key, if it has one.
  func column(of key: Int) -> Int? { keys[key].column }

  /// Gives a key its column.
  mutating func setColumn(_ column: Int, of key: Int) { keys[key].column = column }

  /// The key at the place reached, if it is the same as in the record before, and the bytes it takes with its colon.
  func expected(in parent: Int, _ text: Span<UInt8>, at start: Int) -> (key: Int, length: Int)? {
    guard position < expected.count else { return nil }
    let known = expected[position]
    guard known.parent == parent, text.count &- start >= known.length,
      text.repeats(known.start, at: start, length: known.length)
    else { return nil }
    return (known.key, known.length)
  }

  /// Expects a key at the place reached in the next record.
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
    let place = Place(parent: parent, name: ExactName(name))
    if let number = numbers[place] { return number }
    let whole = parent == 0 ? name : keys[parent].name + "." + name
    nameBytes += whole.utf8.count
    guard nameBytes <= limits.nameBytes else { throw JSONError(offset: offset, damage: .namesTooLong) }
    guard keys.count <= limits.count else { throw JSONError(offset: offset, damage: .tooManyKeys) }
    numbers[place] = keys.count
    keys.append(Key(name: whole))
    return keys.count - 1
  }

  /// Takes note of a key in the current record.
  ///
  /// - Returns: the columns that it had led to before, if it stood in its object already.
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

  /// Forgets what a key led to in the current record.
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
