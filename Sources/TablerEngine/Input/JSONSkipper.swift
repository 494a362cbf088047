/// Goes over a JSON value of any size, block by block, and holds nothing of it.
///
/// It follows strings and brackets; what else stands in the value is not looked at.
struct JSONSkipper {
  /// The closing brackets that are still to come.
  private var closers: [UInt8] = []

  private var isInString = false
  private var isEscaped = false
  private var isInWord = false

  /// Goes on over the value.
  ///
  /// - Parameter offset: the first byte not yet looked at; moved.
  /// - Returns: whether the value has ended.
  mutating func skip(_ text: Span<UInt8>, from offset: inout Int) throws(JSONError) -> Bool {
    while offset < text.count {
      if isInString {
        skipString(text, from: &offset)
        if !isInString, closers.isEmpty { return true }
        continue
      }
      let byte = text[offset]
      let isEnd = byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
      if closers.isEmpty, isInWord, isEnd || byte.isJSONSpace { return true }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
      case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard closers.popLast() == byte else { throw JSONError(offset: offset, damage: .expectedValue) }
        if closers.isEmpty {
          offset &+= 1
          return true
        }
      case UInt8(ascii: ",") where closers.isEmpty: throw JSONError(offset: offset, damage: .expectedValue)
      default: isInWord = closers.isEmpty
      }
      offset &+= 1
    }
    return false
  }

  /// Whether the value may end where the input ends: it is a number or a word.
  var mayEnd: Bool { isInWord && closers.isEmpty && !isInString }

  private mutating func skipString(_ text: Span<UInt8>, from offset: inout Int) {
    while offset < text.count {
      if isEscaped {
        isEscaped = false
        offset &+= 1
        continue
      }
      offset = text.firstStringMark(from: offset)
      guard offset < text.count else { return }
      let byte = text[offset]
      offset &+= 1
      if byte == UInt8(ascii: "\"") {
        isInString = false
        return
      }
      isEscaped = byte == UInt8(ascii: "\\")
    }
  }
}
