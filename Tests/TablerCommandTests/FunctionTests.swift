import Testing

@testable import TablerCommand
@testable import TablerEngine

/// The functions that help describes, against those that expressions know.
@Suite struct FunctionTests {
  @Test func `R53 help lists the functions there are`() {
    let rows = TablerEngine.Function.allCases.map(\.rawValue)
    let footers = Aggregate.allCases.map(\.rawValue)
    #expect(TablerCommand.Function.all.map(\.name).sorted() == (rows + footers).sorted())
  }

  @Test(arguments: TablerEngine.Function.allCases)
  func `R53 a function takes the arguments that help shows`(_ function: TablerEngine.Function) throws {
    let shown = try #require(TablerCommand.Function.all.first { $0.name == function.rawValue }).parameters
    let repeats = shown.hasSuffix(", ...")
    let required = shown.prefix { $0 != "[" }
    let count = { (text: Substring) in text.split(separator: ",").count }
    let signature = function.signature
    #expect(signature.least == count(required) - (repeats ? 1 : 0))
    #expect(signature.most == (repeats ? nil : count(shown[...])))
  }
}
