import Foundation
import Testing

@testable import TablerCommand

/// R53: what README, help and manual show is what the binary does.
@Suite struct ExampleTests {
  @Test(arguments: ReadmeExample.all)
  func `R53 an example of README prints what stands there`(_ example: ReadmeExample) throws {
    #expect(try shell(example.command, in: example.folder).output == example.output)
  }

  @Test func `R53 README has its examples`() {
    #expect(ReadmeExample.all.count >= 7)
    #expect(ReadmeExample.all.contains { $0.command.hasPrefix("cat ") })
  }

  /// The examples have what they name: `fruit.csv`, `$who`, and programs that always print the same.
  @Test(arguments: Example.all.map(\.command))
  func `R53 an example of help and manual runs without a complaint`(_ command: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(
      at: CaseFolder.root.appending(path: "fruit.csv"), to: folder.appending(path: "fruit.csv"))
    let programs = """
      ps() { cat '\(CaseFolder.root.path)/words-ps/input'; }
      du() { cat '\(CaseFolder.root.path)/r60-sizes/input'; }
      """
    let run = try shell(programs + "\n" + command + " 2>&1", in: folder)
    #expect(run.status == 0)
    #expect(!run.output.contains("tabler:"))
    let name = command.contains("-o ") ? command.split(separator: " ").last.map(String.init) : nil
    let table = try name.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    #expect((table ?? run.output).split(separator: "\n").count > (command.contains("jsonl") ? 0 : 2))
    for value in command.matches(of: /--(?:title|columns|head) (\d+|[A-Z][a-z]+)/) {
      let word = String(value.output.1)
      #expect(Int(word) != nil || (table ?? run.output).contains(word))
    }
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

/// A command of README and what stands below it.
struct ReadmeExample: Sendable, CustomTestStringConvertible {
  var command: String
  var output: String

  /// Where it is run.
  var folder: URL

  var testDescription: String { command }

  /// Those behind `$`, and the first capture, without its build.
  static let all: [ReadmeExample] = {
    let text = (try? Data(contentsOf: repository.appending(path: "README.md")))?.text ?? ""
    let captures = text.matches(
      of: /```sh\nswift build[^\n]* && ([^\n]*)\.build\/release\/([^\n]*)\n```\n\n```\n([^`]*)```/
    ).map {
      ReadmeExample(
        command: String($0.output.1 + $0.output.2), output: String($0.output.3), folder: repository)
    }
    let others: [ReadmeExample] = text.components(separatedBy: "```\n$ ").dropFirst().compactMap { piece in
      guard let end = piece.range(of: "```"), let line = piece.firstIndex(of: "\n") else { return nil }
      return ReadmeExample(
        command: String(piece[..<line]), output: String(piece[piece.index(after: line)..<end.lowerBound]),
        folder: CaseFolder.root)
    }
    return captures + others
  }()
}
