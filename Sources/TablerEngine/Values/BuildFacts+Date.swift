extension BuildFacts {
  /// The date of the sources in UTC, such as `2026-11-29`, if the build was told.
  public static var date: String? {
    guard let sourceDate, let time = Timestamp(instant: sourceDate, offset: 0) else { return nil }
    var buffer = ByteBuffer()
    time.withoutTime.append(to: &buffer)
    return buffer.string()
  }
}
