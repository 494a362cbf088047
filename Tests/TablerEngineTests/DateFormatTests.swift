import Testing

@testable import TablerEngine

/// Patterns of dates, as `--date-format` has them.
@Suite struct DateFormatTests {
  @Test(arguments: [
    ("%d.%m.%Y", "24.12.2025", "2025-12-24"), ("%d.%m.%Y", "1.6.2025", "2025-06-01"),
    ("%d.%m.%Y", "31.02.2025", nil), ("%d.%m.%Y", "24.12.2025 ", nil), ("%d.%m.%Y", "", nil),
    ("%d.%m.%Y", "2025-12-24", "2025-12-24"), ("%d.%m.%Y", "2025-12-24T10:30", "2025-12-24T10:30:00"),
    ("%d %b %y %H:%M", "1 Jun 25 9:05", "2025-06-01T09:05:00"), ("%s", "0", "1970-01-01T00:00:00Z"),
    ("%Y%m%d", "20251224", "2025-12-24"), ("%m/%d/%Y %I:%M %p", "06/01/2025 12:05 am", "2025-06-01T00:05:00"),
    ("%Y-%m-%d %z", "2025-06-01 +0200", "2025-06-01T00:00:00+02:00"),
  ])
  func `A text is read by the pattern, else by ISO 8601`(_ pattern: String, _ text: String, _ time: String?)
    throws
  {
    let format = try #require(DateFormat(reading: pattern))
    var buffer = ByteBuffer()
    format.readOrISO(text.utf8.span)?.append(to: &buffer)
    #expect(buffer.string() == time ?? "")
  }

  @Test(arguments: ["", "x", "%", "%q", "%H:%M", "%d.%m.", "%V", "%Y-W%V"])
  func `A pattern that says no day is none`(_ pattern: String) {
    #expect(DateFormat(reading: pattern) == nil)
  }
}
