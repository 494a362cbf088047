/// The records of a file that are drawn as labels and values above or below a table.
struct Form: Sendable {
  /// A label and its value; `nil` is null.
  struct Field: Sendable {
    var label: String
    var value: [UInt8]?
  }

  /// The fields of each record.
  var records: [[Field]] = []

  /// The notices from reading its file.
  var notices: [InputNotice] = []

  /// The cells between label and value.
  static let gap = 2

  /// The cells of the narrowest lines of text: one of a label, one of a value.
  static let leastWidth = 1 + gap + 1

  /// The cells of its widest line of text.
  func width(_ context: TextContext) -> Int {
    var (labels, values) = (0, 0)
    for field in records.joined() {
      var value = ByteBuffer()
      if let text = field.value {
        context.escaper.append(text.span, room: DrawnText.longest, mark: context.cutMark, to: &value)
      } else {
        value.append(context.missing)
      }
      labels = max(labels, context.metrics.widestLine(of: context.escaped(field.label).span))
      values = max(values, context.metrics.widestLine(of: value.span))
    }
    return labels + Self.gap + values
  }

  /// The form, if there is anything to draw.
  var drawn: Form? { records.isEmpty ? nil : self }
}
