import Foundation
import Testing

@testable import TablerEngine

/// What is said of functions, by the program and beside it.
@Suite struct FunctionTests {
  @Test func `README says how many functions there are`() throws {
    let readme = try String(contentsOf: repository.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("`replace(s, a, b)` and \(Function.all.count - 3) more"))
  }

  /// R47: what is the same in every engine is compared with one.
  @Test(arguments: Function.all.filter { $0.sqlClass == .core })
  func `R47 a function of all engines is compared with SQLite`(_ function: Function) {
    let pairs =
      SQLRuleTests.nulls + SQLRuleTests.numbers + SQLRuleTests.texts + SQLRuleTests.conversions
      + SQLRuleTests.aggregates
    #expect(pairs.contains { $0.ours.contains(function.name + "(") }, "\(function.name)")
  }
}
