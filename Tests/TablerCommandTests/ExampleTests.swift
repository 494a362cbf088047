import Foundation
import Testing

@testable import TablerCommand

/// R53: what help and manual show is what the binary does; `.ci/examples` does the same for README.
///
/// `TABLER_RENEW=1 swift test --filter ExampleTests` writes the outputs shown anew, and fails.
@Suite(.serialized) struct ExampleTests {
  @Test func `README tells what matters in 200 lines before it lists the options`() {
    let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.firstIndex(of: "## Options").map { $0 <= 200 } == true)
  }

  /// What README says of speed is the first row of the table that the benchmarks wrote.
  @Test func `README says of speed what was measured`() throws {
    let text = readme
    let claim = try #require(
      text.firstMatch(of: /in ([\d.]+) s; sqlite3 takes ([\d.]+) s and duckdb ([\d.]+) s/)?.output)
    let row = try #require(text.firstMatch(of: /\n\| T1 \|.*/)?.output)
    #expect(
      row.contains("| \(claim.1) s |") && row.contains("sqlite3 \(claim.2) s:")
        && row.contains("duckdb \(claim.3) s:"),
      "the sentence under 'Why' must say the times of T1")
  }

  @Test(arguments: [Example.file, .first] + Example.all)
  func `R53 an example of help and manual prints what stands there`(_ example: Example) throws {
    let run = try tryOut(example.command + " 2>&1")
    if isRenewing, run.output != example.shown {
      let file = repository.appending(path: "Sources/TablerCommand/Documents/HelpExample.swift")
      for indent in ["    ", "      "] {
        let head = "\(literal(example.command)),\n\(indent)\"\"\"\n"
        let end = "\(indent)\"\"\")"
        let lines = { (text: String) in
          text.split(separator: "\n").map { indent + $0.replacing("\\", with: "\\\\") + "\n" }.joined()
        }
        try? replace(head + lines(example.output) + end, by: head + lines(run.output) + end, in: file)
      }
    }
    #expect(run.output == example.shown)
    #expect(run.status == 0)
    #expect(run.output.isEmpty == example.command.contains(" -o "))
  }

  private let readme =
    (try? String(contentsOf: repository.appending(path: "README.md"), encoding: .utf8)) ?? ""

  private var isRenewing: Bool { ProcessInfo.processInfo.environment["TABLER_RENEW"] != nil }

  /// A text as it stands in Swift.
  private func literal(_ text: String) -> String { "\"" + text.replacing("\"", with: "\\\"") + "\"" }

  private func replace(_ old: String, by new: String, in file: URL) throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    let place = try #require(text.range(of: old), "what is to be renewed is not found in \(file.path)")
    try text.replacingCharacters(in: place, with: new).write(to: file, atomically: true, encoding: .utf8)
  }

  /// Runs a line in a folder of its own with the files that examples name.
  ///
  /// Programs that print something else on each machine print a file of that name here.
  private func tryOut(_ line: String) throws -> (output: String, status: Int32) {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? files.removeItem(at: folder) }
    let examples = CaseFolder.collection("Examples")
    for name in try files.contentsOfDirectory(atPath: examples.path) {
      let file = examples.appending(path: name).resolvingSymlinksInPath()
      try files.copyItem(at: file, to: folder.appending(path: name))
    }
    let programs = "ps() { cat ps.txt; }; du() { cat du.txt; }"
    let run = try shell(programs + "\n" + line, in: folder)
    if let name = line.firstMatch(of: /\ -o ([a-z.]+)/)?.output.1 {
      let table = try String(contentsOf: folder.appending(path: String(name)), encoding: .utf8)
      #expect(table.contains("Banana"))
    }
    return run
  }

  /// Runs a line of sh where `tabler` is the binary.
  private func shell(_ line: String, in folder: URL) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder
    process.environment = [
      "PATH": Run.binary.deletingLastPathComponent().path + ":/usr/bin:/bin", "LANG": "C.UTF-8",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile().text
    process.waitUntilExit()
    return (output, process.terminationStatus)
  }
}

extension Example {
  /// The output with its last newline.
  var shown: String { output.isEmpty ? "" : output + "\n" }
}
