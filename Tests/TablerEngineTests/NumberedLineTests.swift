import Testing

@testable import TablerEngine

struct NumberedLineTests {
  private static func line(_ text: String, _ number: Int) -> NumberedLine? {
    let bytes = Array(text.utf8)
    return NumberedLine(bytes.span, before: "(row ", number)
  }

  @Test("A line keeps all but its number, as long as that has as many digits")
  func keepsAll() throws {
    let found = Self.line("── (row 9) ──\n", 9)
    let line = try #require(found)
    #expect(line.fits(1) && !line.fits(10) && !line.fits(0))
    var out = ByteBuffer()
    line.append(3, to: &out)
    #expect(out.string() == "── (row 3) ──\n")
  }

  @Test("A number that was cut is not found", arguments: ["(ro…", "(row 1…", "(row 12", "(row 120)", ""])
  func cut(_ text: String) {
    #expect(Self.line(text, 12) == nil)
  }

  @Test("The longest numbers have a line too")
  func longest() throws {
    let found = Self.line("(row 9000000000000000000)", 9_000_000_000_000_000_000)
    let line = try #require(found)
    #expect(line.fits(.max - 1))
  }
}
