/// The bidirectional embeddings and isolates a text has left open, innermost last.
///
/// Twenty levels of three bits each; more than any real text has, and bounded so that closing
/// them costs little. Overrides are not among them: they are never let through.
struct BidiStack: Equatable, Sendable {
  private var bits: UInt64 = 0
  private var depth = 0

  /// The most levels that are kept.
  static let limit = 20

  /// Whether nothing is open.
  var isEmpty: Bool { depth == 0 }

  /// Whether `scalar` opens or closes an embedding or isolate.
  @inline(__always)
  static func concerns(_ scalar: UInt32) -> Bool {
    scalar >= 0x202A && scalar <= 0x202C || scalar >= 0x2066 && scalar <= 0x2069
  }

  /// Whether `scalar` overrides the direction of the characters after it.
  @inline(__always)
  static func overrides(_ scalar: UInt32) -> Bool { scalar == 0x202D || scalar == 0x202E }

  /// Takes a character, which matters only if it is a control; returns `false` if it would open more levels than are kept.
  mutating func take(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x202A, 0x202B: return push(UInt64(scalar &- 0x202A))
    case 0x2066, 0x2067, 0x2068: return push(UInt64(scalar &- 0x2066) | 4)
    case 0x202C: if depth > 0, !isIsolate(depth &- 1) { pop(to: depth &- 1) }
    case 0x2069: closeIsolate()
    default: break
    }
    return true
  }

  /// Appends what closes all levels, innermost first; they stay on the stack.
  func appendClosers(to output: inout ByteBuffer) {
    var level = depth &- 1
    while level >= 0 {
      if isIsolate(level) { output.append("\u{2069}") } else { output.append("\u{202C}") }
      level &-= 1
    }
  }

  /// Appends what opens all levels again, outermost first.
  func appendOpeners(to output: inout ByteBuffer) {
    for level in 0..<depth {
      switch bits &>> UInt64(level &* 3) & 7 {
      case 0: output.append("\u{202A}")
      case 1: output.append("\u{202B}")
      case 4: output.append("\u{2066}")
      case 5: output.append("\u{2067}")
      default: output.append("\u{2068}")
      }
    }
  }

  /// Closes everything, as the end of a paragraph does.
  mutating func removeAll() { pop(to: 0) }

  private func isIsolate(_ level: Int) -> Bool { bits &>> UInt64(level &* 3) & 4 != 0 }

  private mutating func push(_ kind: UInt64) -> Bool {
    guard depth < Self.limit else { return false }
    bits |= kind &<< UInt64(depth &* 3)
    depth &+= 1
    return true
  }

  private mutating func pop(to level: Int) {
    depth = level
    bits &= (1 &<< UInt64(level &* 3)) &- 1
  }

  /// Closes the innermost isolate and the embeddings within; nothing if none is open.
  private mutating func closeIsolate() {
    var level = depth &- 1
    while level >= 0, !isIsolate(level) { level &-= 1 }
    if level >= 0 { pop(to: level) }
  }
}
