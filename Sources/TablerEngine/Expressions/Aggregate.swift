/// The functions that see all rows.
enum Aggregate: String, CaseIterable, Sendable {
  case count
  case sum
  case min
  case max
  case mean
  case first
  case last

  /// Other spellings of SQL, which mean the same.
  static let spellings = ["avg": Aggregate.mean]

  /// The aggregate of a name in lower case, in any of its spellings.
  init?(name: String) {
    guard let aggregate = Aggregate(rawValue: name) ?? Self.spellings[name] else { return nil }
    self = aggregate
  }
}

/// An aggregate call, bound: what it is and what it sees of each row.
struct BoundAggregate: Sendable {
  /// Which aggregate it is.
  var kind: Aggregate

  /// What it sees of a row; nil in `count()`.
  var argument: Node?
}
