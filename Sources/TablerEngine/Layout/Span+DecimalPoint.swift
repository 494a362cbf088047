extension Span<UInt8> {
  /// Where a number in the text has its decimal point, or would have it: after its digits.
  ///
  /// Without digits it is the end, so that words end where whole numbers do.
  func decimalPoint(_ marks: NumberMarks) -> Int {
    var start = 0
    while start < count, NumberScan.digit(self[start]) > 9 { start &+= 1 }
    guard start < count else { return count }
    if start > 0, self[start &- 1] == marks.decimal { return start &- 1 }
    var offset = start
    while offset < count {
      if NumberScan.digit(self[offset]) <= 9 {
        offset &+= 1
      } else if let length = groupMarkLength(at: offset, marks) {
        offset &+= length
      } else {
        break
      }
    }
    return offset
  }

  /// The length of a mark between thousands, as formats write it, if one stands before three digits.
  private func groupMarkLength(at offset: Int, _ marks: NumberMarks) -> Int? {
    var length = marks.thousandsLength
    if length == 0 {
      let mark = marks.decimal == UInt8(ascii: ",") ? UInt8(ascii: ".") : UInt8(ascii: ",")
      guard self[offset] == mark else { return nil }
      length = 1
    } else if !marks.isThousands(in: self, at: offset, before: count) {
      return nil
    }
    guard offset &+ length &+ 3 <= count else { return nil }
    for place in 0..<3 where NumberScan.digit(self[offset &+ length &+ place]) > 9 { return nil }
    return length
  }
}
