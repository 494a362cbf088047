import Foundation
import Testing

@testable import TablerCommand

/// R53: what README, help and manual show is what the binary does.
///
/// `TABLER_RENEW=1 swift test --filter ExampleTests` writes the outputs shown anew, and fails.
@Suite(.serialized) struct ExampleTests {
  @Test(arguments: ReadmeExample.all)
  func `R53 an example of README prints what stands there`(_ example: ReadmeExample) throws {
    let run = try example.isBuilt ? shell(example.command, in: repository) : tryOut(example.command)
    if isRenewing, run.output != example.output {
      try replace(example.lead + example.output, by: example.lead + run.output, in: ReadmeExample.file)
    }
    #expect(run.output == example.output)
    #expect(run.status == (example.command.contains("--validate") ? 1 : 0))
  }

  @Test func `R53 README has its examples`() {
    #expect(ReadmeExample.all.count >= 8)
    #expect(ReadmeExample.all.contains { $0.isBuilt && $0.command.hasPrefix("cat ") })
  }

  @Test func `README tells what matters in 200 lines before it lists the options`() {
    let lines = ReadmeExample.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.firstIndex(of: "## Options").map { $0 <= 200 } == true)
  }

  @Test(arguments: ReadmeExample.commandsInTables)
  func `R53 a command in a table of README runs without a complaint`(_ command: String) throws {
    let run = try tryOut(command + " 2>&1")
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").count > 1 && !run.output.contains("tabler:"))
  }

  @Test func `R53 README has commands for those who come from other tools`() {
    #expect(ReadmeExample.commandsInTables.count >= 6)
  }

  /// What README says of speed is the first row of the table that the benchmarks wrote.
  @Test func `README says of speed what was measured`() throws {
    let text = ReadmeExample.text
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
      let file = repository.appending(path: "Sources/TablerCommand/HelpExample.swift")
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
    try files.copyItem(at: CaseFolder.collection("Examples"), to: folder)
    defer { try? files.removeItem(at: folder) }
    try files.copyItem(
      at: CaseFolder.root.appending(path: "fruit.csv"), to: folder.appending(path: "fruit.csv"))
    let programs = "kubectl() { cat pods.txt; }; ps() { cat ps.txt; }; du() { cat du.txt; }"
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
      "who": "Kiwi",
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

/// A command of README and what stands below it.
struct ReadmeExample: Sendable, CustomTestStringConvertible {
  var command: String
  var output: String

  /// What stands before the output.
  var lead: String

  /// Whether it is the command that follows the build, which runs at the top of the repository.
  var isBuilt = false

  var testDescription: String { command }

  static let file = repository.appending(path: "README.md")
  static let text = (try? Data(contentsOf: file))?.text ?? ""

  /// Those after `$`, and the one that follows the build.
  static let all: [ReadmeExample] = {
    let captures = text.matches(
      of: /```sh\nswift build[^\n]* && ([^\n]*)\.build\/release\/([^\n]*)\n```\n\n```\n([^`]*)```/
    ).map {
      ReadmeExample(
        command: String($0.output.1 + $0.output.2), output: String($0.output.3),
        lead: String($0.output.2) + "\n```\n\n```\n", isBuilt: true)
    }
    let sessions = text.components(separatedBy: "```").filter { $0.hasPrefix("\n$ ") }
    let others = sessions.flatMap { session in
      session.dropFirst().components(separatedBy: "\n\n").map { piece in
        let end = piece.firstIndex(of: "\n") ?? piece.endIndex
        let output = piece[end...].dropFirst()
        return ReadmeExample(
          command: String(piece[..<end].dropFirst(2)),
          output: output.isEmpty || output.hasSuffix("\n") ? String(output) : output + "\n",
          lead: piece[..<end] + "\n")
      }
    }
    return captures + others
  }()

  /// The commands in the last column of tables, as a shell takes them.
  static let commandsInTables = text.matches(of: /\| `([^`\n]*tabler [^`\n]*)` \|\n/).map {
    String($0.output.1).replacing("\\|", with: "|")
  }
}
