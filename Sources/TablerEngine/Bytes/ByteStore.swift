/// A file whose bytes can be read again, at any place and by any thread.
protocol ByteStore: AnyObject, Sendable {
  /// The file, or `nil` for the standard input; the folder of a temporary file.
  var path: FilePath? { get }

  /// Appends the `length` bytes from `offset` on to `block`, which must have room for them.
  func read(at offset: Int, count length: Int, into block: ByteBlock) throws(SystemError)
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
