import Foundation
import Testing

@testable import TablerCommand

/// The top of the repository.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// The texts printed from the option table, against the files that are committed.
///
/// `TABLER_RENEW=1 swift test --filter GeneratedTests` writes the files anew, and fails.
@Suite struct GeneratedTests {
  static let files: [(Generate, String)] = [
    (.man, "man/tabler.1"), (.bash, "completions/tabler.bash"), (.zsh, "completions/_tabler"),
    (.fish, "completions/tabler.fish"), (.markdownOptions, "README.md"),
    (.changelog, ".github/CHANGELOG.md"),
  ]

  @Test(arguments: files)
  func `R53 a committed text is what the program prints`(kind: Generate, path: String) throws {
    let file = repository.appending(path: path)
    let committed = try String(contentsOf: file, encoding: .utf8)
    let wanted = kind == .markdownOptions ? try withOptions(kind.text, in: committed) : kind.text
    let isRenewing = ProcessInfo.processInfo.environment["TABLER_RENEW"] != nil
    if isRenewing, committed != wanted { try wanted.write(to: file, atomically: true, encoding: .utf8) }
    #expect(
      committed == wanted,
      "\(path) is stale; renew it: TABLER_RENEW=1 swift test --filter GeneratedTests")
  }

  /// The README with its option block replaced.
  private func withOptions(_ text: String, in readme: String) throws -> String {
    let start = try #require(readme.range(of: "<!-- options: begin -->\n"))
    let end = try #require(readme.range(of: "<!-- options: end -->"))
    return readme[..<start.upperBound] + "\n" + text + "\n" + readme[end.lowerBound...]
  }
}

/// The options that each text knows, by name and letter.
@Suite struct OptionSetTests {
  static let visible = Option.all.filter { !$0.isHidden }
  static let names = Set(visible.map(\.name))
  static let letters = Set(visible.compactMap { $0.letter.map { String($0) } })

  private func matches(_ text: String, _ pattern: some RegexComponent<(Substring, Substring)>) -> Set<String>
  {
    Set(text.matches(of: pattern).map { String($0.output.1) })
  }

  @Test func `the parser knows what is shown`() {
    #expect(Self.names.allSatisfy { Option.named($0)?.name == $0 })
    let known = (UInt8.min..<0x80).map { Character(Unicode.Scalar($0)) }.filter { Option.lettered($0) != nil }
    #expect(Self.letters == Set(known.map(String.init)))
  }

  @Test func `the help shows every option`() {
    #expect(matches(Help.long, /\n {2}(?:-., | {4})--([a-z-]+)/) == Self.names)
    #expect(matches(Help.long, /\n {2}-(.), --/) == Self.letters)
  }

  @Test func `the manual shows every option`() {
    let page = Manual.page.replacing("\\", with: "")
    #expect(matches(page, /\n\.It Fl (?:. , )?-([a-z-]+)/) == Self.names)
    #expect(matches(page, /\n\.It Fl (.) , -/) == Self.letters)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc"), "mandoc is not installed"))
  func `the rendered manual shows every option`() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/mandoc")
    process.arguments = ["-Tascii", repository.appending(path: "man/tabler.1").path()]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    let page = String(decoding: bytes, as: UTF8.self).replacing(/.\u{8}/, with: "")
    #expect(matches(page, /\n {5}(?:-., )?--([a-z-]+)/) == Self.names)
    #expect(matches(page, /\n {5}-(.), --/) == Self.letters)
  }

  @Test func `bash offers every option`() {
    let offered = CompletionBash.script.firstMatch(of: /-\*\) _tabler_offer '([^']*)'/)?.output.1 ?? ""
    #expect(Set(offered.split(separator: " ").map { String($0.dropFirst(2)) }) == Self.names)
    let valued = Set(Self.visible.filter(\.takesValue).compactMap { $0.letter.map { String($0) } })
    #expect(matches(CompletionBash.script, /\n +(.)\) option=/) == valued)
  }

  @Test func `zsh offers every option`() {
    #expect(matches(CompletionZsh.script, /\n +(?:'[^']*')?(?:{-.\+?,)?--([a-z-]+)/) == Self.names)
    #expect(matches(CompletionZsh.script, /{-(.)\+?,--/) == Self.letters)
  }

  @Test func `fish offers every option`() {
    let offers = /\ncomplete -c tabler -n 'not __tabler_signed'(?: -s .)? -l ([a-z-]+)/
    #expect(matches(CompletionFish.script, offers) == Self.names)
    #expect(matches(CompletionFish.script, /'not __tabler_signed' -s (.) -l/) == Self.letters)
  }
}
