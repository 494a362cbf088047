@testable import TablerEngine

extension SampleTable {
  /// Reads texts as the readers do, one source after the other, in blocks of a few records.
  static func read(
    _ texts: [String], _ options: InputOptions = InputOptions(), blockSize: Int = 1 << 18
  ) throws -> SampleTable {
    let sources = texts.indices.map { Source.file(FilePath("\($0)")) }
    let reader = InputReader(sources, options: options, mayGrow: true, Tuning(blockSize: blockSize)) {
      source in
      guard case .file(let path) = source, let index = Int(path.text) else { return ByteSource(bytes: []) }
      return ByteSource(bytes: Array(texts[index].utf8))
    }
    try reader.open()
    var rows = Rows()
    while let batch = try reader.next() { rows.append(Rows(batch)) }
    return SampleTable(
      rows: rows, profile: InputProfile(dialect: reader.beginning.dialect, schema: reader.schema))
  }

  /// The same table with other rows.
  func with(_ rows: Rows) -> SampleTable { SampleTable(rows: rows, profile: profile) }

  /// What painters of all kinds write of the rows.
  func everyPainting() throws -> [String] {
    let columns = columns()
    let turned = Array(columns.reversed())
    let options = OutputOptions()
    var paintings = [
      paint(CSVPainter(columns, options, input: profile)),
      paint(CSVPainter(turned, options, input: profile)),
      paint(TSVPainter(columns, options, input: profile)),
      paint(JSONPainter(columns, isArray: false, members: .own(hiding: []), input: profile)),
      paint(JSONPainter(columns, isArray: true, members: .columns, input: profile)),
    ].map { String(decoding: $0, as: UTF8.self) }
    for kind in LayoutKind.allCases {
      var layout = LayoutOptions()
      layout.kind = kind
      paintings.append(try draw(nil, layout))
    }
    return paintings
  }
}
