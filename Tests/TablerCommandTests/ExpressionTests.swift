import Testing

/// The rows of `expressions.txt`, one by one.
@Suite struct ExpressionTests {
  @Test(arguments: ExpressionRows.all)
  func `R53 a row of the table gives what stands beside it`(_ row: ExpressionRows.Row) {
    #expect(row.outcome == row.written)
  }

  @Test func `R53 each block of the table says where its answers come from`() throws {
    let text = try #require(ExpressionRows.text)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(ExpressionRows.all.count > 1_000)
    for (title, source) in zip(lines, lines.dropFirst()) where title.hasPrefix("## ") {
      #expect(source.hasPrefix("# "), "\(title)")
    }
  }
}

extension ExpressionRows.Row: CustomTestStringConvertible {
  /// The block, the line and the row.
  var testDescription: String { "\(block), line \(line): \(written)" }
}
