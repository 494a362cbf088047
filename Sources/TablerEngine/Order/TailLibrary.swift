/// The texts of keys copied together: by the first thread that needs them, for all.
final class TailLibrary: Sendable {
  private let copies = Monitor([Int: KeyTails?]())

  /// The texts of the key of that index; nil where they are too long.
  func tails(of index: Int, making make: () -> KeyTails?) -> KeyTails? {
    copies.access { copies in
      if let known = copies[index] { return known }
      let made = make()
      copies[index] = .some(made)
      return made
    }
  }
}
