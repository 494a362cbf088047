import Foundation
import Testing

@testable import TablerCommand

/// What `--version` prints.
@Suite struct VersionTests {
  private static let lines: [String] = {
    let run = try? Run(["--version"], input: URL(fileURLWithPath: "/dev/null"))
    return (run?.output.text ?? "").components(separatedBy: "\n")
  }()

  /// Scripts compare it, `.ci/package` among them.
  @Test func `the first line is the name and the version, and nothing else`() {
    #expect(Self.lines.first == "tabler \(Release.version)")
    #expect(Release.version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
  }

  @Test func `the other lines say how the program was built`() {
    let facts = """
      (commit: [0-9a-f]{7,40}\n)?(date: \\d{4}-\\d{2}-\\d{2}\n)?\
      Swift: \\d+\\.\\d+(\\.\\d+)?( or later)?\nlinking: (static|dynamic)\n\
      C library: (glibc|musl|Darwin)\nscanning: (SSE2|64-bit words)\n
      """
    let text = Self.lines.dropFirst().joined(separator: "\n")
    #expect(text.range(of: "^\(facts)$", options: .regularExpression) != nil, "\(text)")
  }
}
