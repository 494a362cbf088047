/// How a value is shown: the part after the colon in `{weight:.1f}` and `{created:%d.%m.%Y}`.
enum ValueFormat: Hashable, Sendable {
  case number(FormatSpec)
  case time(DateFormat)

  /// Reads a format: one of dates if a letter follows `%`.
  init(_ text: Span<UInt8>) throws(FormatSpecError) {
    do { self = .number(try FormatSpec(text)) } catch {
      guard DateFormat.isMarked(text), let format = DateFormat(text) else { throw error }
      self = .time(format)
    }
  }

  /// Appends a text in this format; `false`, with nothing appended, if it is no number, or no date.
  ///
  /// - Parameter dates: how dates are spelled in texts, besides ISO 8601.
  func apply(
    to text: Span<UInt8>, marks: NumberMarks = .standard, dates: DateFormat? = nil,
    into buffer: inout ByteBuffer
  ) -> Bool {
    switch self {
    case .number(let spec): return spec.apply(to: text, marks: marks, into: &buffer)
    case .time(let format):
      guard let time = dates.map({ $0.readOrISO(text) }) ?? Timestamp(text) else { return false }
      format.append(time, to: &buffer)
      return true
    }
  }

  /// Appends a number in this format; `false`, with nothing appended, if the format cannot show it.
  func apply(to number: Number, marks: NumberMarks, into buffer: inout ByteBuffer) -> Bool {
    if case .number(let spec) = self { spec.apply(to: number, marks: marks, into: &buffer) } else { false }
  }

  /// Appends a time in this format; `false`, with nothing appended, if it is a format of numbers.
  func apply(to time: Timestamp, into buffer: inout ByteBuffer) -> Bool {
    guard case .time(let format) = self else { return false }
    format.append(time, to: &buffer)
    return true
  }
}
