/// A file whose bytes can be read again, at any place and by any thread.
protocol ByteStore: AnyObject, Sendable {
  /// The error for bytes that are not what they were.
  var damage: SystemError { get }

  /// A block of the bytes of a range.
  func read(_ range: Range<Int>) throws(SystemError) -> ByteBlock
}

/// A place in a file that can be read again.
struct StoredPlace: Sendable {
  /// The file.
  var store: any ByteStore

  /// The number of bytes before the place.
  var offset: Int

  /// The same file so many bytes further on.
  func advanced(by distance: Int) -> StoredPlace {
    StoredPlace(store: store, offset: offset + distance)
  }
}
