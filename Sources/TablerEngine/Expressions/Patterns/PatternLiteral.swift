/// Bytes that every match of a pattern holds, looked for before anything else.
struct PatternLiteral: Sendable {
  /// The bytes; empty when nothing is known.
  private(set) var bytes: [UInt8] = []
  /// Whether the pattern is these bytes and nothing else.
  private(set) var isWhole = false

  /// Finds the longest run of bytes that `node` cannot do without.
  init(_ node: PatternNode) {
    if let exact = Self.exact(node) {
      bytes = exact
      isWhole = true
    } else {
      bytes = Self.required(node)
    }
  }

  /// The bytes that `node` matches, if it matches nothing else.
  private static func exact(_ node: PatternNode) -> [UInt8]? {
    switch node {
    case .empty: return []
    case .scalars(let set):
      // U+FFFD also stands for bytes that are not UTF-8.
      guard let value = set.single, value != 0xFFFD, let scalar = Unicode.Scalar(value) else { return nil }
      return Array(String(Character(scalar)).utf8)
    case .group(let inner, _): return exact(inner)
    case .sequence(let items):
      var bytes: [UInt8] = []
      for item in items {
        guard let more = exact(item) else { return nil }
        bytes += more
      }
      return bytes
    case .alternatives, .repetition, .assertion: return nil
    }
  }

  private static func required(_ node: PatternNode) -> [UInt8] {
    switch node {
    case .empty, .scalars, .alternatives, .assertion: return exact(node) ?? []
    case .group(let inner, _): return required(inner)
    case .repetition(let inner, let least, _, _): return least > 0 ? exact(inner) ?? required(inner) : []
    case .sequence(let items):
      var best: [UInt8] = []
      var run: [UInt8] = []
      for item in items {
        if let bytes = exact(item) {
          run += bytes
        } else {
          if case .assertion = item { continue }
          if run.count > best.count { best = run }
          run = []
          let inner = required(item)
          if inner.count > best.count { best = inner }
        }
      }
      return run.count > best.count ? run : best
    }
  }

  /// Where the bytes first stand at or after `start`; nil when they do not.
  func firstOffset(in text: Span<UInt8>, from start: Int) -> Int? {
    text.firstRange(of: bytes.span, from: start)
  }
}
