import Testing

@testable import TablerEngine

/// What looks at several bytes at once, against what a byte alone says: with each vector that the processor has.
///
/// The one of SSE2 is tried in a program built with `TABLER_PORTABLE=1`, too, which does not use it.
@Suite struct ByteVectorTests {
  /// A vector to test with.
  enum Kind: CaseIterable, Sendable {
    case word
    #if arch(x86_64)
      case sse2
    #endif

    var type: any ByteVector.Type {
      switch self {
      case .word: WordVector.self
      #if arch(x86_64)
        case .sse2: SSE2Vector.self
      #endif
      }
    }
  }

  @Test func theMachineVectorIsTheFastestThatMayBeUsed() {
    #if arch(x86_64) && !TABLER_PORTABLE
      #expect(MachineVector.count == 16)
    #else
      #expect(MachineVector.count == 8)
    #endif
  }

  /// Texts of any length with odd bytes more often than in any real file.
  static func texts(_ count: Int, seed: UInt64, longest: Int = 200) -> [[UInt8]] {
    var random = SplitMix(state: seed)
    let odd: [UInt8] = [0, 9, 10, 13, 13, 0x1F, 0x20, 0x22, 0x26, 0x2C, 0x3C, 0x5C, 0x7E, 0x7F, 0x80, 0xFF]
    return (0..<count).map { _ in
      let share = Int.random(in: 0...8, using: &random)
      return (0..<Int.random(in: 0...longest, using: &random)).map { _ in
        Int.random(in: 0...8, using: &random) < share
          ? odd.randomElement(using: &random) ?? 0 : UInt8.random(in: 0 ... .max, using: &random)
      }
    }
  }

  // MARK: - Vectors

  @Test(arguments: Kind.allCases)
  func `each byte is flagged by itself, whatever stands beside it`(kind: Kind) { checkFlags(kind.type) }

  private func checkFlags<Vector: ByteVector>(_: Vector.Type) {
    var random = SplitMix(state: 3)
    for value in UInt8.min ... .max {
      for _ in 0..<20 {
        // The neighbours of a byte are those whose sums and differences would carry.
        let near = [value, value ^ 1, value ^ 0x80, value &- 1, value &+ 1, 0, 0x7F, 0x80, 0xFF]
        let bytes = (0..<Vector.count).map { _ in near.randomElement(using: &random) ?? 0 }
        let vector: Vector = bytes.span.vector(at: 0)
        let equal = Self.bits(bytes) { $0 == value }
        let odd = Self.bits(bytes) { $0 < 0x20 || $0 > 0x7E }
        let flags = vector.equals(value)
        #expect(flags.bits == equal)
        #expect(flags.hasFlags == (equal != 0))
        if equal != 0 { #expect(flags.firstFlag == equal.trailingZeroBitCount) }
        #expect(vector.isNotPlain.bits == odd)
        #expect(vector.isFirstNotPlain.hasFlags == (odd != 0))
        if odd != 0 { #expect(vector.isFirstNotPlain.firstFlag == odd.trailingZeroBitCount) }
        #expect(vector.isNotDigit.bits == Self.bits(bytes) { $0 < 0x30 || $0 > 0x39 })
        let others = bytes.map { Bool.random(using: &random) ? $0 : $0 ^ 0x80 }
        let same = bytes.indices.reduce(UInt64(0)) { $0 | (bytes[$1] == others[$1] ? 1 &<< UInt64($1) : 0) }
        #expect(vector.equals(others.span.vector(at: 0)).bits == same)
        #expect((flags | vector.isNotPlain).bits == equal | odd)
        #expect(flags.subtracting(vector.isNotPlain).bits == equal & ~odd)
        #expect(
          (vector | Vector(repeating: 4)).equals(value | 4).bits == Self.bits(bytes) { $0 | 4 == value | 4 })
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `a byte is found at each place of 64`(kind: Kind) { checkBits(kind.type) }

  private func checkBits<Vector: ByteVector>(_: Vector.Type) {
    for text in Self.texts(200, seed: 5) where !text.isEmpty {
      let block = ByteBlock(text.span)
      for start in [0, text.count / 2, text.count - 1] {
        let wanted = Self.bits(Array(text[start...].prefix(64))) { $0 == 0x20 }
        // Zeros follow the last byte.
        #expect(block.bits(of: 0x20, at: start, Vector.self) == wanted)
      }
    }
  }

  @Test func `runs of bits are found by their length`() {
    var random = SplitMix(state: 6)
    for _ in 0..<1000 {
      let bits = UInt64.random(in: 0 ... .max, using: &random) | UInt64.random(in: 0 ... .max, using: &random)
      let longest = String(bits, radix: 2).split(separator: "0").map(\.count).max() ?? 0
      for count in 1...65 { #expect(bits.hasRun(of: count) == (count <= longest)) }
    }
    #expect(UInt64.max.hasRun(of: 64))
    #expect(!UInt64(0).hasRun(of: 1))
  }

  @Test(arguments: Kind.allCases)
  func `a byte counts to 255 and does not touch the next`(kind: Kind) { checkCounts(kind.type) }

  private func checkCounts<Vector: ByteVector>(_: Vector.Type) {
    let bytes = (0..<Vector.count).map { $0 % 3 == 0 ? UInt8(1) : 0 }
    let vector: Vector = bytes.span.vector(at: 0)
    var counts = Vector(repeating: 0)
    for number in 1...255 {
      counts.count(vector.equals(1))
      #expect(counts.sum == number * bytes.count { $0 == 1 })
    }
    var all = Vector(repeating: 0)
    for _ in 0..<255 { all.count(Vector(repeating: 7).equals(7)) }
    #expect(all.sum == 255 * Vector.count)
  }

  private static func bits(_ bytes: [UInt8], _ isSet: (UInt8) -> Bool) -> UInt64 {
    bytes.enumerated().reduce(0) { $0 | (isSet($1.element) ? 1 << UInt64($1.offset) : 0) }
  }

  // MARK: - What is looked for

  @Test(arguments: Kind.allCases)
  func `R23 the structure of 64 bytes is that of each byte`(kind: Kind) { checkMasks(kind.type) }

  private func checkMasks<Vector: ByteVector>(_: Vector.Type) {
    let comma = UInt8(ascii: ",")
    let marks = [
      StructuralMarks(delimiter: comma, quote: 0x22), StructuralMarks(delimiter: comma),
      StructuralMarks(delimiter: 9, escape: 0x5C),
      StructuralMarks(delimiter: comma, quote: 0x22, escape: 0x5C),
    ]
    for bytes in Self.texts(300, seed: 5) where !bytes.isEmpty {
      let block = ByteBlock(bytes.span)
      // Zeros follow the last byte.
      for start in stride(from: 0, to: bytes.count, by: 17) {
        let window = (start..<start + 64).map { $0 < bytes.count ? bytes[$0] : 0 }
        for marks in marks {
          let masks = block.masks(at: start, for: marks, Vector.self)
          let isEnd = { (byte: UInt8) in byte == marks.delimiter || byte == 10 || byte == 13 }
          let isOdd = { (byte: UInt8) in byte < 0x20 || byte > 0x7E }
          #expect(masks.ends == Self.bits(window, isEnd))
          #expect(
            masks.wraps == Self.bits(window) { !isEnd($0) && ($0 == marks.quote || $0 == marks.escape) })
          #expect(masks.special == Self.bits(window) { isOdd($0) && !isEnd($0) })
          #expect(masks.controls == Self.bits(window) { isOdd($0) && isEnd($0) })
        }
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `lines end at LF, CRLF and CR`(kind: Kind) { checkLineEnds(kind.type) }

  private func checkLineEnds<Vector: ByteVector>(_ vector: Vector.Type) {
    var random = SplitMix(state: 9)
    let letters: [UInt8] = [10, 13, 13, 97, 0xC3]
    for length in Array(0..<300) + [2032, 2041, 4064, 4081, 4097, 9000] {
      let bytes = (0..<length).map { _ in letters.randomElement(using: &random) ?? 0 }
      let ends = bytes.indices.count {
        bytes[$0] == 13 || bytes[$0] == 10 && ($0 == 0 || bytes[$0 - 1] != 13)
      }
      #expect(bytes.span.countLineEnds(vector) == ends, "\(bytes)")
    }
    for byte in [10, 13] as [UInt8] {
      #expect([UInt8](repeating: byte, count: 20_000).span.countLineEnds(vector) == 20_000)
    }
  }

  @Test(arguments: Kind.allCases)
  func `the first byte that is not plain is found from any place`(kind: Kind) { checkFirst(kind.type) }

  private func checkFirst<Vector: ByteVector>(_ vector: Vector.Type) {
    for bytes in Self.texts(300, seed: 6, longest: 70) {
      for start in 0...bytes.count {
        let odd = bytes[start...].firstIndex { $0 < 0x20 || $0 > 0x7E } ?? bytes.count
        let mark = bytes[start...].firstIndex { $0 < 0x20 || $0 > 0x7E || $0 == 0x22 || $0 == 0x5C }
        #expect(bytes.span.firstNotPlain(from: start, vector) == odd)
        #expect(bytes.span.firstStringMark(from: start, vector) == mark ?? bytes.count)
      }
    }
    for length in 0..<70 {
      var bytes = [UInt8](repeating: 0x20, count: length)
      for place in 0..<length {
        for odd in [0x00, 0x1F, 0x7F, 0x80, 0xFF] as [UInt8] {
          bytes[place] = odd
          #expect(bytes.span.firstNotPlain(from: 0, vector) == place)
          #expect(bytes.span.firstStringMark(from: 0, vector) == place)
          bytes[place] = 0x7E
        }
      }
      #expect(bytes.span.firstNotPlain(from: 0, vector) == length)
      #expect(bytes.span.firstStringMark(from: 0, vector) == length)
    }
  }

  @Test(arguments: Kind.allCases)
  func `bytes repeat only if all of them are equal, wherever they are`(kind: Kind) { checkRepeats(kind.type) }

  private func checkRepeats<Vector: ByteVector>(_ vector: Vector.Type) {
    for length in 0...40 {
      // The two places touch each other, one begins the span or ends it, or there is room at both sides.
      for (before, between, after) in [(0, 0, 0), (0, 9, 0), (3, 0, 7), (9, 1, 9), (0, 0, 8), (0, 20, 16)] {
        let piece = (0..<length).map { UInt8(0x61 + $0) }
        var bytes = [UInt8](repeating: 1, count: before) + piece + [UInt8](repeating: 2, count: between)
        let other = bytes.count
        bytes += piece + [UInt8](repeating: 3, count: after)
        let isFound = bytes.span.repeats(before, at: other, length: length, vector)
        let isFoundBackward = bytes.span.repeats(other, at: before, length: length, vector)
        #expect(isFound && isFoundBackward, "\(length) bytes at \(before) and \(other)")
        for place in other..<other + length {
          bytes[place] ^= 0x80
          let isFound = bytes.span.repeats(before, at: other, length: length, vector)
          #expect(!isFound, "\(length) bytes, \(place) differs")
          bytes[place] ^= 0x80
        }
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `marks are found where they stand and not beyond`(kind: Kind) { checkMarks(kind.type) }

  private func checkMarks<Vector: ByteVector>(_ vector: Vector.Type) {
    checkMarks(of: HTMLMarks.self, Array("&<>\"'".utf8), vector)
    checkMarks(of: StringMarks.self, Array("\"\\".utf8), vector)
    let markdown = Array("\\|*_~[]<>&`$:@".utf8)
    checkMarks(of: MarkdownMarks.self, markdown, vector)
    #expect((UInt8.min ... .max).allSatisfy { MarkdownMarks.contains($0) == markdown.contains($0) })
  }

  private func checkMarks<Marks: ByteMarks, Vector: ByteVector>(
    of kind: Marks.Type, _ marks: [UInt8], _ vector: Vector.Type
  ) {
    for byte in UInt8(0x20)...0x7E {
      for place in 0..<40 {
        var text = [UInt8](repeating: 97, count: 40)
        text[place] = byte
        let block = ByteBlock(text.span)
        for (start, count) in [(0, 40), (0, place), (0, place + 1), (place, 40 - place), (3, 37)] {
          let isMarked = marks.contains(byte) && (start..<start + count).contains(place)
          #expect(block.hasMarks(kind, from: start, count: count, vector) == isMarked, "\(byte) at \(place)")
        }
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `of two quotes one is copied`(kind: Kind) { checkUndoubling(kind.type) }

  private func checkUndoubling<Vector: ByteVector>(_ vector: Vector.Type) {
    var random = SplitMix(state: 8)
    for _ in 0..<2000 {
      let pieces = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Int.random(in: 0...3, using: &random) == 0
          ? "\"\"" : "abcdefghij".prefix(Int.random(in: 0...9, using: &random))
      }
      let text = pieces.joined()
      let bytes = Array("(\(text))".utf8)
      var buffer = ByteBuffer(capacity: 0)
      buffer.append("before")
      buffer.append(ByteBlock(bytes.span), 1..<bytes.count - 1, undoubling: 0x22, vector)
      buffer.append("after")
      let result = buffer.string()
      #expect(result == "before\(text.replacing("\"\"", with: "\""))after")
    }
  }
}
