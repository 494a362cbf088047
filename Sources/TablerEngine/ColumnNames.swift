/// The names of a file's columns, for completions: quick, and silent about whatever is wrong.
public enum ColumnNames {
  /// How much of a file is looked at, in bytes.
  static let sampleSize = 1 << 16

  /// The names, or `nil` where `path` is no regular file.
  public static func of(file path: FilePath, _ options: InputOptions) -> [String]? {
    guard let descriptor = try? Descriptor(reading: path), descriptor.isRegularFile else { return nil }
    var sample = ByteBlock.Builder(capacity: sampleSize)
    while sample.room > 0, let count = try? descriptor.read(into: &sample), count > 0 {}
    var options = options
    options.ragged = .skip
    let bytes = [UInt8](sample.span)
    let reader = InputReader([.file(path)], options: options, mayGrow: true) { _ in ByteSource(bytes: bytes) }
    try? reader.open()
    if reader.schema.isOpen { _ = try? reader.next() }
    return reader.schema.columns.map(\.name).filter { !$0.isEmpty }
  }
}
