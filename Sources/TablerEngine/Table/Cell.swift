/// A note on one cell: where its bytes are in its batch and what is known about them.
///
/// Eight bytes: 32 bits of offset, 26 of length, 6 of flags.
struct Cell: Equatable, Sendable {
  private var bits: UInt64

  /// What a cell is according to its form; csv knows only text, null and missing.
  enum Kind: UInt8, Sendable {
    case text
    case number
    case bool
    case null
    case missing
    case list
    case object

    /// No text at all (csv, tsv, words): drawn blank, null in expressions and sorts.
    ///
    /// A text of length 0 that is not null (JSON `""`, or `--quoted-empty text`) is of kind `text`. An empty
    /// cell with a length is one that is not of the type declared for its column: it is null, but drawn and
    /// written as it was read.
    case empty
  }

  /// The longest cell there can be, in bytes.
  static let longest = 1 << 26 - 1

  /// The maximum number of bytes in a text that an expression makes.
  static let longestMade = 16 << 20

  /// A cell that its record lacks.
  static let missing = Cell(offset: 0, length: 0, kind: .missing, isPlain: true)

  /// Creates a note.
  ///
  /// - Parameters:
  ///   - offset: where the content begins in the block, in bytes; for an escaped cell the index of its `Escape`.
  ///   - length: the length of the content in bytes; at most `longest`.
  ///   - kind: what the cell is.
  ///   - isPlain: whether the content is only printable ASCII (0x20 to 0x7E).
  ///   - isQuoted: whether the content has quote marks around it in the input.
  ///   - isEscaped: whether the content differs from the bytes of the input.
  @inline(__always)
  init(
    offset: Int, length: Int, kind: Kind = .text, isPlain: Bool = false, isQuoted: Bool = false,
    isEscaped: Bool = false
  ) {
    precondition(offset >= 0 && offset <= Int(UInt32.max) && length >= 0 && length <= Self.longest)
    let flags =
      UInt64(kind.rawValue) | (isPlain ? 8 : 0) | (isQuoted ? 16 : 0) | (isEscaped ? 32 : 0)
    bits = UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) &<< 32 | flags &<< 58
  }

  /// Creates the note on a cell of csv or tsv whose content is its spelling, in a few instructions.
  ///
  /// - Parameters:
  ///   - offset: where the content begins in the block, in bytes; less than 2^32.
  ///   - length: the length of the content in bytes; at most `longest`, and not negative.
  ///   - isPlain: whether the content is only printable ASCII.
  ///   - isQuoted: whether the content has quote marks around it in the input.
  ///   - emptyIsText: whether content of length 0 is a text.
  @inline(__always)
  init(delimited offset: Int, length: Int, isPlain: Bool, isQuoted: Bool = false, emptyIsText: Bool = false) {
    let flags =
      (length == 0 && !emptyIsText ? UInt64(Kind.empty.rawValue) : 0) | (isPlain ? 8 : 0)
      | (isQuoted ? 16 : 0)
    bits = UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) &<< 32 | flags &<< 58
  }

  /// Creates the note on a cell that is not escaped from what is known about it.
  ///
  /// - Parameters:
  ///   - offset: where the content begins in the block, in bytes; less than 2^32.
  ///   - length: the length of the content in bytes; at most `longest`, and not negative.
  ///   - facts: what `facts` says of a cell; less than 32.
  @inline(__always)
  init(offset: Int, length: Int, facts: UInt64) {
    bits = UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) &<< 32 | facts &<< 58
  }

  /// The facts about a cell of printable ASCII without quote marks.
  @inline(__always)
  static func plainFacts(of kind: Kind) -> UInt64 { UInt64(kind.rawValue) | 8 }

  /// The facts about a text of printable ASCII in quote marks.
  @inline(__always)
  static var plainTextFacts: UInt64 { plainFacts(of: .text) | 16 }

  /// What is known about the content, in five bits: the kind, whether it is plain and whether it is quoted.
  @inline(__always)
  var facts: UInt64 { bits &>> 58 & 31 }

  /// Where the content begins in the block, in bytes; for an escaped cell the index of its `Escape`.
  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }

  /// The length of the content in bytes.
  @inline(__always)
  var length: Int { Int(truncatingIfNeeded: bits &>> 32 & 0x3FF_FFFF) }

  /// What the cell is.
  @inline(__always)
  var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits &>> 58 & 7)) ?? .text }

  /// Whether the content is only printable ASCII, so that its width is its length.
  @inline(__always)
  var isPlain: Bool { bits & (1 &<< 61) != 0 }

  /// The cell with unknown plainness: its content may be more than printable ASCII.
  var withoutPlainness: Cell {
    var cell = self
    cell.bits &= ~(1 &<< 61)
    return cell
  }

  /// The cell as one of another kind.
  func ofKind(_ kind: Kind) -> Cell {
    var cell = self
    cell.bits = bits & ~(7 &<< 58) | UInt64(kind.rawValue) &<< 58
    return cell
  }

  /// Whether the content has quote marks around it in the input.
  @inline(__always)
  var isQuoted: Bool { bits & (1 &<< 62) != 0 }

  /// Whether the content differs from the bytes of the input.
  @inline(__always)
  var isEscaped: Bool { bits & (1 &<< 63) != 0 }

  /// Whether the cell is drawn as its bytes are in the block: plain, not escaped, not absent.
  @inline(__always)
  var isSimple: Bool { Self.simpleFlags &>> (bits &>> 58) & 1 != 0 }

  /// Whether the content is in the block, so that it moves when the record is copied elsewhere.
  @inline(__always)
  var isInBlock: Bool { Self.blockFlags &>> (bits &>> 58) & 1 != 0 }

  /// The note with its offset moved by `distance` bytes; it must stay between 0 and `UInt32.max`.
  @inline(__always)
  func moved(by distance: Int) -> Cell {
    let place = offset &+ distance
    precondition(place >= 0 && place <= Int(UInt32.max))
    var cell = self
    cell.bits = bits & ~0xFFFF_FFFF | UInt64(truncatingIfNeeded: place)
    return cell
  }

  /// A bit for each combination of flags of a cell in the block: those below 32, except those of kind missing.
  @inline(__always)
  private static var blockFlags: UInt64 { 0xEFEF_EFEF }

  /// A bit for each combination of flags of a simple cell: 8 to 15 and 24 to 31 except those of kinds null
  /// and missing.
  @inline(__always)
  private static var simpleFlags: UInt64 { 0xE700_E700 }

  /// Whether the cell shows `--missing`: null (JSON, `--null`) or not there at all.
  @inline(__always)
  var isAbsent: Bool { 0x18 &>> (bits &>> 58 & 7) & 1 != 0 }

  /// Whether the cell is not of the type declared for its column.
  @inline(__always)
  var isMisfit: Bool { bits &>> 58 & 7 == UInt64(Kind.empty.rawValue) && length > 0 }

  /// The note on a cell that is not of the type declared for its column.
  ///
  /// It is not plain, so that it is not drawn like the others.
  var asMisfit: Cell {
    Cell(offset: offset, length: length, kind: .empty, isQuoted: isQuoted, isEscaped: isEscaped)
  }

  /// Whether the cell is drawn dim: it shows `--missing`, or is not of its type.
  @inline(__always)
  var isDim: Bool { isAbsent || isMisfit }

  /// Whether the cell is null to expressions and sorts: null, missing or empty.
  @inline(__always)
  var isNull: Bool { 0x98 &>> (bits &>> 58 & 7) & 1 != 0 }
}

/// The two spellings of an escaped cell.
///
/// A computed cell has no spelling in the input. If it replaces one that was read, it has the spelling of
/// that one, whose bytes are not written.
struct Escape: Equatable, Sendable {
  /// Where the input's spelling begins in the block, without quote marks, in bytes.
  var rawOffset: UInt32

  /// The length of the input's spelling, with three flags: the length is less than 2^29 bytes, because a cell
  /// has at most `Cell.longest` and no escape takes more than six bytes for one.
  private var lengthAndFlags: UInt32

  /// Where the content begins in the batch's decoded bytes.
  var offset: UInt32

  /// Creates the spellings of a cell of the input.
  init(rawOffset: UInt32, rawLength: UInt32, offset: UInt32) {
    precondition(rawLength < Self.text)
    self.rawOffset = rawOffset
    lengthAndFlags = rawLength
    self.offset = offset
  }

  /// Creates the spellings of a computed cell.
  ///
  /// - Parameters:
  ///   - replaced: the spelling of the input's cell that it replaces, if any.
  ///   - record: where its record begins.
  ///   - isText: whether it is a text whatever it looks like.
  init(computedAt offset: Int, replacing replaced: Range<Int>?, inRecordAt record: UInt32, isText: Bool) {
    rawOffset = replaced.map { UInt32(truncatingIfNeeded: $0.lowerBound) } ?? record
    let length = UInt32(truncatingIfNeeded: replaced?.count ?? 0)
    lengthAndFlags =
      length | Self.computed | (replaced == nil ? 0 : Self.replacing) | (isText ? Self.text : 0)
    self.offset = UInt32(truncatingIfNeeded: offset)
  }

  /// The length of the input's spelling in bytes.
  @inline(__always)
  var rawLength: UInt32 { lengthAndFlags & (Self.text &- 1) }

  /// Whether the cell was computed.
  @inline(__always)
  var isComputed: Bool { lengthAndFlags & Self.computed != 0 }

  /// Whether the cell was computed and replaces one that was read.
  @inline(__always)
  var isReplacing: Bool { lengthAndFlags & Self.replacing != 0 }

  /// Whether the cell was computed and is a text whatever it looks like.
  @inline(__always)
  var isText: Bool { lengthAndFlags & Self.text != 0 }

  /// Where the cell is spelled in the block, without quote marks; for a computed cell, the spelling of the
  /// one it replaces.
  @inline(__always)
  var rawRange: Range<Int> { Int(rawOffset)..<Int(rawOffset) &+ Int(rawLength) }

  @inline(__always)
  private static var computed: UInt32 { 1 &<< 31 }
  @inline(__always)
  private static var replacing: UInt32 { 1 &<< 30 }
  @inline(__always)
  private static var text: UInt32 { 1 &<< 29 }
}
