/// A name that equals only what has the same bytes, as names are exact.
///
/// Strings are equal when they are canonically equivalent: an accent composed or combined is the same to them.
struct ExactName: Hashable, Sendable {
  /// The name.
  let text: String

  /// Wraps a name.
  init(_ text: String) { self.text = text }

  static func == (left: ExactName, right: ExactName) -> Bool {
    left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
