import Testing

/// What commands print, kept in folders: `input` as it was printed, `arguments` (one a line), `expected.csv`.
///
/// `expected.csv` holds the cells a person reads there; no program wrote it. Where a file `known` says why the result
/// is another one, the test fails as soon as it is right, so that the file goes.
@Suite struct Captures {
  @Test(arguments: CaseFolder.folders(in: CaseFolder.collection("Captures")))
  func hasTheCellsAPersonReads(_ folder: CaseFolder) throws {
    let run = try folder.run()
    let expected = folder.text("expected.csv")
    guard folder.text("known").isEmpty else {
      #expect(run.output.text != expected || run.status != 0, "right now: remove its file 'known'")
      return
    }
    #expect(run.output.text == expected)
    #expect(run.status == 0)
  }
}
