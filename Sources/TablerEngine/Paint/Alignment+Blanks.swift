extension Alignment {
  /// How many of the `free` cells round a text, none of them or more, stand before it.
  @inline(__always)
  func blanksBefore(_ free: Int) -> Int {
    switch self {
    case .leading: 0
    case .center: free &>> 1
    case .trailing, .decimal: free
    }
  }
}
