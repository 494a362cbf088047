import Testing

@testable import TablerCommand

@Suite struct OptionTests {
  @Test func `every option has one entry`() {
    #expect(
      Option.all.map(\.id).sorted { $0.rawValue < $1.rawValue }
        == Option.ID.allCases.sorted { $0.rawValue < $1.rawValue })
  }

  @Test func `no name and no letter stands twice, negated spellings included`() {
    let names = Option.all.map(\.name) + Option.all.compactMap(\.negatedName)
    #expect(Set(names).count == names.count)
    let letters = Option.all.compactMap(\.letter)
    #expect(Set(letters).count == letters.count)
  }

  @Test(arguments: Option.all)
  func `an option is described in the room there is`(option: Option) {
    #expect(!option.brief.isEmpty && option.brief.count <= 60, "\(option.spelling): \(option.brief.count)")
    #expect(option.brief.last != "." && option.detail.last ?? "." == ".")
    #expect(option.name.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "-") })
    #expect(option.placeholder?.isEmpty != true)
    #expect(option.detail.split(separator: "`", omittingEmptySubsequences: false).count % 2 == 1)
  }

  @Test(arguments: Option.all.filter { !$0.takesValue })
  func `a switch has no default in words and adds nothing up`(option: Option) {
    #expect(option.fallback.isEmpty && !option.accumulates)
  }

  @Test(arguments: Option.all.filter { !$0.value.words.isEmpty })
  func `every word offered is taken`(option: Option) throws {
    for word in option.value.words where !word.hasSuffix(":") { _ = try option.checked(word) }
  }
}
