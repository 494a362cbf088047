extension String {
  /// The text without blanks and tabs at its ends.
  public var trimmingBlanks: String {
    let inner = utf8.trimmingBlanks
    return inner.count == utf8.count ? self : String(inner) ?? self
  }
}

extension String.UTF8View {
  /// The bytes without blanks and tabs at their ends.
  var trimmingBlanks: Substring.UTF8View {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
    var inner = self[...]
    while let byte = inner.first, isBlank(byte) { inner.removeFirst() }
    while let byte = inner.last, isBlank(byte) { inner.removeLast() }
    return inner
  }
}
