/// The names of a file's columns, for completions: fast, and silent about any errors.
public enum ColumnNames {
  /// How much of a file is read, in bytes.
  static let sampleSize = 1 << 16

  /// The names, or `nil` if `path` is no regular file.
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

extension [String] {
  /// The names, with a template for columns that have none: `{n}` is the number, `{letter}` A … Z, AA, and
  /// `{{` and `}}` are braces.
  func named(by template: String?, orNumbered isNumbered: Bool) -> [String] {
    guard let template = template ?? (isNumbered ? "{n}" : nil) else { return self }
    return enumerated().map { index, name in
      guard name.isEmpty else { return name }
      return template.replacing([
        ("{{", "{"), ("}}", "}"), ("{n}", String(index + 1)), ("{letter}", index.columnLetters),
      ])
    }
  }
}

extension String {
  /// The text with each occurrence of some parts replaced, from start to end.
  fileprivate func replacing(_ parts: [(part: String, other: String)]) -> String {
    var result = ""
    var rest = self[...]
    while let first = rest.first {
      if let (part, other) = parts.first(where: { rest.hasPrefix($0.part) }) {
        result += other
        rest = rest.dropFirst(part.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}

extension Int {
  /// The letters of a spreadsheet column: 0 is A, 26 is AA.
  fileprivate var columnLetters: String {
    var letters = ""
    var rest = self
    repeat {
      letters = String(UnicodeScalar(UInt8(65 + rest % 26))) + letters
      rest = rest / 26 - 1
    } while rest >= 0
    return letters
  }
}
