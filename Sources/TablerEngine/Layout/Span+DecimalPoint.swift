extension Span<UInt8> {
  /// Where a number in the text has its decimal point, or would have it: behind its digits.
  ///
  /// Without digits it is the end, so that words end where whole numbers do.
  var decimalPoint: Int {
    var offset = 0
    while offset < count, self[offset] &- 0x30 > 9 { offset &+= 1 }
    guard offset < count else { return count }
    while offset < count, self[offset] &- 0x30 <= 9 || isGroupMark(at: offset) { offset &+= 1 }
    return offset
  }

  /// Whether a comma between two digits parts thousands.
  private func isGroupMark(at offset: Int) -> Bool {
    self[offset] == UInt8(ascii: ",") && offset &+ 3 < count && self[offset &+ 1] &- 0x30 <= 9
      && self[offset &+ 2] &- 0x30 <= 9 && self[offset &+ 3] &- 0x30 <= 9
  }
}
