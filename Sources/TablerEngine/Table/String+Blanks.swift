extension String {
  /// The text without blanks and tabs at its ends.
  public var trimmingBlanks: String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
    guard let first = utf8.first, let last = utf8.last, isBlank(first) || isBlank(last) else { return self }
    var view = self.utf8[...]
    while let byte = view.first, isBlank(byte) { view.removeFirst() }
    while let byte = view.last, isBlank(byte) { view.removeLast() }
    return String(view) ?? self
  }
}
